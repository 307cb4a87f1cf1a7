"""Filters that are never lost, spellings without effect, recoveries that succeed, pages without repetition."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, ToolRef, UnresolvedEntity
from biofact.sandbox.services.entrez.corpus import NcbiGeneFacts, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase
from tests import virtual_time
from tests.each_of import each_of
from tests.sandboxed import sandboxed
from tests.sources.entrez.made_genes import database, open_entrez

pytestmark = pytest.mark.quick

SEARCH = ToolRef("entrez", "search_genes")
BATCH = ToolRef("entrez", "get_genes_batch")
LINKS = ToolRef("entrez", "get_pubmed_links")
REGION = "biological-region"  # plain words do not find these


@pytest.fixture(scope="module")
def starter():
    """Calls tools on the starter genes; one sandbox for all tests, as none changes it."""
    loop = virtual_time.VirtualLoop()
    context = sandboxed("entrez")
    entrez, _ = loop.run_until_complete(context.__aenter__())

    def ask(tool, **arguments):
        return loop.run_until_complete(getattr(entrez, tool)(**arguments))

    yield ask
    loop.run_until_complete(context.__aexit__(None, None, None))
    loop.close()


def refusal_of(ask, tool, **arguments):
    with pytest.raises(BiofactError) as refusal:
        ask(tool, **arguments)
    return refusal.value


def codes(page):
    return {notice.code for notice in page.notices}


# Filters


@each_of("organism", ["9913", 9913, 999_999_999, "999999999", "txid9913", "unicorn"])
@each_of("query", ["TP53", "TP53[sym]", "tumor protein", "TP53 zebrafish"])
def test_an_organism_without_genes_is_refused_and_no_recovery_drops_it(starter, query, organism):
    error = refusal_of(starter, "search_genes", query=query, organism=organism)

    assert isinstance(error, AmbiguousQuery)
    assert error.recovery is None
    assert error.invalid_input == organism
    assert type(error.invalid_input) is type(organism)


def test_a_bad_page_size_beside_an_organism_keeps_the_organism(starter):
    error = refusal_of(starter, "search_genes", query="TP53", organism="human", page_size=0)

    assert error.recovery == CallTool(SEARCH, {"query": "TP53", "organism": "human"})


def test_a_bad_organism_beside_a_bad_page_size_has_no_recovery(starter):
    assert refusal_of(starter, "search_genes", query="TP53", organism="?", page_size=0).recovery is None


@each_of(
    ("query", "organism"),
    [
        ("fleegleworp[sym]", "human"),
        ('"fleegleworp"[Gene Name]', "human"),
        ("fleegleworp OR snorkelwump", "human"),
        ("fleegleworp[sym] NOT TP53[sym]", "human"),
        ("fleegleworp[sym] AND alive[prop]", "mouse"),
        ("fleegleworp[sym] AND human[orgn]", None),
        ("fleegleworp[sym] AND Homo sapiens[orgn]", None),
        ('"fleegleworp"[Gene Name] AND "Homo sapiens"[Organism]', None),
        ("fleegleworp[sym] AND 17[chr]", None),
        ("fleegleworp AND human", None),
        ("fleegleworp", "human"),
        ("fleegleworp gene", "human"),
        ("the fleegleworp protein", None),
        ("fleegleworp snorkelwump", "mouse"),
    ],
)
def test_words_that_ncbi_does_not_know_find_nothing_not_the_whole_species(starter, query, organism):
    page = starter("search_genes", query=query, organism=organism)

    assert (page.items, page.pagination.total_count, page.pagination.cursor) == ([], 0, None)
    assert codes(page) >= {"UNMATCHED", "TERM_IGNORED"}


@each_of("query", ["TP53[sym] OR fleegleworp[sym]", "fleegleworp[sym] OR TP53[sym]", "TP53[sym] AND fleegleworp"])
def test_a_word_that_ncbi_does_know_is_found_beside_one_that_it_does_not(starter, query):
    page = starter("search_genes", query=query, organism="human")

    assert [row.symbol for row in page.items] == ["TP53"]
    assert "TERM_IGNORED" in codes(page)


@each_of("query", ["(TP53[sym]", "TP53[sym])", "TP53[sym] AND (BRCA1", 'TP53[sym] OR "BRCA1', "TP53[sym] OR BRCA1[sym"])
def test_open_brackets_are_refused_and_the_recovery_keeps_words_and_organism(starter, query):
    error = refusal_of(starter, "search_genes", query=query, organism="mouse")

    assert error.recovery.arguments["organism"] == "mouse"
    assert error.recovery.arguments["query"].split()[0] == "TP53"
    assert not set('()[]"') & set(error.recovery.arguments["query"])
    page = starter("search_genes", **error.recovery.arguments)
    assert all(row.taxon_id == 10090 for row in page.items)


def test_retired_records_found_by_entrez_syntax_are_dropped_and_named(starter):
    page = starter("search_genes", query="AASTH23[sym] OR TP53[sym] AND human[orgn]")

    (dropped_notice,) = [notice.message for notice in page.notices if notice.code == "DROPPED"]
    assert "NCBIGene:544580 (withdrawn)" in dropped_notice
    assert "NCBIGene:544580" not in {row.id for row in page.items}


@each_of("query", ["NCBIGene:7157", "7157", "GeneID: 7157", '"NCBIGene:7157"'])
def test_a_gene_id_with_another_organism_is_not_found_and_its_own_is_named(starter, query):
    page = starter("search_genes", query=query, organism="mouse")

    (notice,) = page.notices
    assert (page.items, page.pagination.total_count, notice.code) == ([], 0, "UNMATCHED")
    assert "TP53 of Homo sapiens" in notice.message
    assert "Mus musculus" in notice.message


@each_of("organism", ["human", "9606", 9606, "Homo_sapiens"])
def test_a_gene_id_with_its_own_organism_is_found(starter, organism):
    page = starter("search_genes", query="NCBIGene:7157", organism=organism)

    assert [row.id for row in page.items] == ["NCBIGene:7157"]
    assert not page.notices


# Recoveries


@each_of(
    "text",
    [
        "NCBIGene:672,NCBIGene:7157",
        "NCBIGene:672 NCBIGene:7157",
        "['NCBIGene:672','NCBIGene:7157']",
        "NCBIGene:672\nNCBIGene:7157\n",
    ],
)
def test_a_list_given_as_text_recovers_as_a_real_list(starter, text):
    error = refusal_of(starter, "get_genes_batch", entrez_ids=text, slim=False)

    assert error.recovery == CallTool(BATCH, {"entrez_ids": ["NCBIGene:672", "NCBIGene:7157"], "slim": False})
    items = starter("get_genes_batch", **error.recovery.arguments).items
    assert [gene.symbol for gene in items] == ["BRCA1", "TP53"]
    assert items[0].summary  # a whole record, as asked


def test_a_list_given_as_json_is_a_list(starter):
    text = '["NCBIGene:672", "NCBIGene:7157"]'

    assert [gene.symbol for gene in starter("get_genes_batch", entrez_ids=text).items] == ["BRCA1", "TP53"]


def test_a_text_of_too_many_ids_has_no_recovery_that_would_be_refused(starter):
    assert refusal_of(starter, "get_genes_batch", entrez_ids=" ".join(["NCBIGene:672"] * 201)).recovery is None


@each_of(
    ("text", "symbol"),
    [
        ("ncbigene:2064", "ERBB2"),
        ("7157\x00", "TP53"),
        ("\x07TP53\x00", "TP53"),
        ("TP53" + " " * 310, "TP53"),
        (" " * 310 + "NCBIGene:7157", "TP53"),
        ("NCBI:TP53", "TP53"),
        ("TP53[sym] AND (human[orgn]", "TP53"),
        ("(TP53", "TP53"),
        ("\u201cTP53\u201d", "TP53"),
        ("\uff34\uff30\uff15\uff13", "TP53"),
    ],
)
@each_of("tool", ["get_gene", "get_pubmed_links"])
def test_a_text_that_is_no_id_recovers_as_a_search_that_finds_the_gene(starter, tool, text, symbol):
    error = refusal_of(starter, tool, entrez_id=text)

    assert isinstance(error, UnresolvedEntity)
    assert error.invalid_input == text
    assert starter("search_genes", **error.recovery.arguments).items[0].symbol == symbol


@each_of("text", ["ncbigene:2", "NCBIGene:x", "NCBIGene:\x07", "x[sym](", "NCBIGene:", "a AND ("])
def test_a_possible_query_recovers_as_one_that_is_not_refused(starter, text):
    recovery = refusal_of(starter, "get_gene", entrez_id=text).recovery

    assert recovery.tool == SEARCH
    starter("search_genes", **recovery.arguments)


@each_of("text", ["", " " * 310, "\x00\x01\x02", "x", "y" * 301])
def test_a_text_that_cannot_be_a_query_has_no_recovery(starter, text):
    assert refusal_of(starter, "get_gene", entrez_id=text).recovery is None


# Pages


def pages_of(ask, tool, sizes, **arguments):
    """Pages of these sizes in turn, to the end."""
    name = "limit" if tool == "get_pubmed_links" else "page_size"
    asks = [ask(tool, **arguments, **{name: sizes[0]})]
    while asks[-1].pagination.cursor:
        size = sizes[len(asks) % len(sizes)]
        asks.append(ask(tool, **arguments, **{name: size, "cursor": asks[-1].pagination.cursor}))
    return asks


@each_of("sizes", [(2, 30, 1), (1, 100), (7, 3, 2)])
@each_of("query", ["kinase", "TP53", "p53[all]"])
def test_a_cursor_continues_with_another_page_size_without_loss_or_repetition(starter, query, sizes):
    whole = {row.id for row in starter("search_genes", query=query, page_size=100).items}
    pages = pages_of(starter, "search_genes", sizes, query=query)
    ids = [row.id for page in pages for row in page.items]

    assert len(ids) == len(set(ids)) == pages[0].pagination.total_count
    assert set(ids) == whole
    assert len(whole) > 3


def test_links_continue_with_another_limit(starter):
    ids = [
        row.id
        for page in pages_of(starter, "get_pubmed_links", (3, 1, 9), entrez_id="NCBIGene:672")
        for row in page.items
    ]

    assert ids == [row.id for row in starter("get_pubmed_links", entrez_id="NCBIGene:672", limit=100).items]


def test_recovery_from_a_foreign_cursor_keeps_the_options(starter):
    foreign = starter("search_genes", query="kinase", page_size=1).pagination.cursor
    search = {"query": "protein", "organism": "human", "page_size": 3, "slim": True}
    links = {"entrez_id": "NCBIGene:672", "limit": 3}

    assert refusal_of(starter, "search_genes", **search, cursor=foreign).recovery == CallTool(SEARCH, search)
    assert refusal_of(starter, "get_pubmed_links", **links, cursor=foreign).recovery == CallTool(LINKS, links)


class GrowingDatabase(GeneDatabase):
    """A database that links a new article, the highest, each time that gene 1 is requested."""

    pmids = ("30", "20", "10")

    def links(self, uid, linkname):
        """The links, one more than last time."""
        if uid == "1":
            self.pmids = (str(int(self.pmids[0]) + 1), *self.pmids)
        return self.pmids


def test_links_stay_disjoint_when_new_articles_arrive_between_pages():
    async def run():
        genes = database(NcbiGeneFacts(gene_id="1", symbol="ONE"), kind=GrowingDatabase)
        async with open_entrez(genes) as entrez:
            pages = [await entrez.get_pubmed_links("NCBIGene:1", limit=2)]
            while pages[-1].pagination.cursor:
                await asyncio.sleep(3601)  # links are kept for an hour
                pages.append(await entrez.get_pubmed_links("NCBIGene:1", limit=2, cursor=pages[-1].pagination.cursor))
            return pages

    pages = virtual_time.run(run())

    assert [[row.id for row in page.items] for page in pages] == [["PMID:31", "PMID:30"], ["PMID:20", "PMID:10"]]
    assert [page.pagination.total_count for page in pages] == [4, 5]


class UnsummarisedDatabase(GeneDatabase):
    """A database that finds gene 2 but has no summary of it."""

    def docsum(self, uid):
        """The summary, except for gene 2."""
        return None if uid == "2" else super().docsum(uid)


@each_of("query", ["kinase", "kinase[title]"])
def test_a_row_without_a_summary_is_dropped_and_counted(query):
    genes = [NcbiGeneFacts(gene_id=number, symbol=f"GENE{number}", name=f"kinase {number}") for number in "123"]

    async def run():
        async with open_entrez(database(*genes, kind=UnsummarisedDatabase)) as entrez:
            return await entrez.search_genes(query)

    page = virtual_time.run(run())

    assert {row.id for row in page.items} == {"NCBIGene:1", "NCBIGene:3"}
    assert [notice.message for notice in page.notices if notice.code == "DROPPED"] == [
        "Rows left out because NCBI has no summary of them: 1."
    ]


def test_plain_words_find_no_region_that_is_named_after_a_gene():
    gene = NcbiGeneFacts(gene_id="1", symbol="ABC1", name="kinase")
    region = NcbiGeneFacts(gene_id="2", symbol="LOC2", aliases=("ABC1",), name="kinase enhancer", gene_type=REGION)

    async def run():
        async with open_entrez(database(gene, region)) as entrez:
            return [await entrez.search_genes(query) for query in ("ABC1", "kinase", "kinase[title]")]

    ids = [{row.id for row in page.items} for page in virtual_time.run(run())]

    assert ids == [{"NCBIGene:1"}, {"NCBIGene:1"}, {"NCBIGene:1", "NCBIGene:2"}]


# Spellings

LIVE = [g for g in starter_genes() if g.status == "live" and len(g.symbol) > 1 and g.gene_type != REGION]
SAMPLED_FROM = st.sampled_from(
    ["{}", '"{}"', "'{}'", "({})", "[{}]", "<{}>", "`{}`", "\u201c{}\u201d", "\u2018{}\u2019", " {} "]
)
AFTER = st.sampled_from(
    ["", ".", ",", "?", "!", ";", "...", " gene", " protein", " Gene", " gene?", " gene.", " (gene)"]
)


@st.composite
def misspellings(draw):
    """A symbol, and the same as another author writes it."""
    gene = draw(st.sampled_from(LIVE))
    symbol = gene.symbol
    if gene.taxon_id == 9606:
        symbol = "".join(draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in symbol)
    return gene.symbol, draw(SAMPLED_FROM).format(symbol) + draw(AFTER)


@given(spellings=misspellings())
@settings(max_examples=30, deadline=None, derandomize=True, database=None)
def test_quotes_brackets_marks_generic_words_and_case_keep_row_1(starter, spellings):
    assert_same_row_1(starter, *spellings)


@pytest.mark.sweep
@given(spellings=misspellings())
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
def test_quotes_brackets_marks_generic_words_and_case_keep_row_1_of_any_gene(starter, spellings):
    assert_same_row_1(starter, *spellings)


def assert_same_row_1(starter, symbol, text):
    first = starter("search_genes", query=symbol, page_size=1).items[0]
    item = starter("search_genes", query=text, page_size=1).items[0]
    assert (item.id, item.symbol) == (first.id, first.symbol)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.sweep)])
def test_every_human_symbol_leads_to_its_gene(starter, step):
    human = [gene for gene in LIVE if gene.taxon_id == 9606][::step]

    ids = {gene.symbol: starter("search_genes", query=gene.symbol, page_size=1).items[0].id for gene in human}

    assert ids == {gene.symbol: f"NCBIGene:{gene.gene_id}" for gene in human}
