"""The requests and answers of NCBI Gene's tools, on the sandbox's starter facts."""

import asyncio
import functools

import pytest

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, CallTool, EntityNotFound, ToolRef, UnresolvedEntity
from tests import sandboxed
from tests.each_of import each_of
from tests.marks import requirement
from tests.notices import codes

pytestmark = pytest.mark.quick

SEARCH = ToolRef("entrez", "search_genes")


on_sandbox = functools.partial(sandboxed.on_sandbox, "entrez")


def paths(sandbox):
    return [request.path.removesuffix(".fcgi").strip("/") for request in sandbox.requests]


async def all_pages(search, **arguments):
    pages = [await search(**arguments)]
    while pages[-1].pagination.cursor:
        pages.append(await search(**arguments, cursor=pages[-1].pagination.cursor))
    return pages


def assert_pages(query, organism, page_size):
    """The pages are disjoint and full, and their scores never rise."""

    async def scenario(entrez, _):
        return await all_pages(entrez.search_genes, query=query, organism=organism, page_size=page_size)

    pages = on_sandbox(scenario)
    ids = [row.id for page in pages for row in page.items]
    scores = [row.score for page in pages for row in page.items]

    assert len(ids) == len(set(ids)) == pages[0].pagination.total_count
    assert all(len(page.items) == page_size for page in pages[:-1])
    assert scores == sorted(scores, reverse=True)


@requirement("000 R2-cursor")
@each_of(
    ("query", "organism", "page_size"),
    [("TP53", None, 1), ("protein", None, 7), ("kinase", "human", 2), ("gene[all]", None, 50)],
)
def test_pages_are_disjoint_full_and_end(query, organism, page_size):
    assert_pages(query, organism, page_size)


@pytest.mark.sweep
@each_of("page_size", [1, 2, 3, 7, 50])
@each_of(("query", "organism"), [("TP53", None), ("protein", None), ("kinase", "human"), ("gene[all]", None)])
def test_pages_of_every_size_are_disjoint_full_and_end(query, organism, page_size):
    assert_pages(query, organism, page_size)


def test_pages_of_any_size_hold_the_same_genes():
    async def scenario(entrez, _):
        return [await all_pages(entrez.search_genes, query="kinase", page_size=size) for size in (1, 4, 100)]

    small, middle, large = ({row.id for page in pages for row in page.items} for pages in on_sandbox(scenario))

    assert small == middle == large
    assert small


@requirement("000 R1-esearch", "000 R2-flow")
def test_page_1_takes_two_esearch_and_one_esummary_and_later_pages_one_each():
    async def scenario(entrez, sandbox):
        first = await entrez.search_genes("protein", page_size=5)
        after_first = paths(sandbox)
        await entrez.search_genes("protein", page_size=5, cursor=first.pagination.cursor)
        return after_first, paths(sandbox)[len(after_first) :]

    first, second = on_sandbox(scenario)

    assert sorted(first) == ["esearch", "esearch", "esummary"]
    assert set(second) <= {"esearch", "esummary"}
    assert len(second) == len(set(second))


def test_entrez_syntax_passes_through_in_one_esearch():
    async def scenario(entrez, sandbox):
        page = await entrez.search_genes("BRCA1[sym] AND human[orgn]")
        return page, [dict(r.params).get("term") for r in sandbox.requests if "esearch" in r.path]

    page, terms = on_sandbox(scenario)

    assert terms == ["BRCA1[sym] AND human[orgn]"]
    assert page.items[0].id == "NCBIGene:672"
    assert "QUERY_UNDERSTOOD" in codes(page)


def test_an_unknown_field_becomes_a_notice():
    async def scenario(entrez, _):
        return await entrez.search_genes("BRCA1[nonsense]")

    assert "TERM_IGNORED" in codes(on_sandbox(scenario))


def test_a_word_that_ncbi_does_not_know_becomes_a_notice():
    async def scenario(entrez, _):
        return await entrez.search_genes("BRCA1 fleegleworp")

    page = on_sandbox(scenario)

    assert any("fleegleworp" in notice.message for notice in page.notices)


@each_of("organism", ["human", "Homo sapiens", "9606", "HUMAN", "txid9606", "taxon:9606"])
def test_an_organism_is_known_by_common_name_name_and_taxon_id(organism):
    async def scenario(entrez, _):
        return await entrez.search_genes("TP53", organism=organism)

    page = on_sandbox(scenario)

    assert page.items[0].id == "NCBIGene:7157"
    assert {row.taxon_id for row in page.items} == {9606}


def test_an_organism_in_the_query_is_used_and_reported():
    async def scenario(entrez, _):
        return await entrez.search_genes("TP53 zebrafish")

    page = on_sandbox(scenario)

    assert {row.organism for row in page.items} == {"Danio rerio"}
    assert "ASSUMED" in codes(page)


def test_without_an_organism_human_comes_first_and_others_follow():
    async def scenario(entrez, _):
        return await entrez.search_genes("TP53")

    organisms = [row.organism for row in on_sandbox(scenario).items]

    assert organisms[0] == "Homo sapiens"
    assert {"Mus musculus", "Danio rerio"} <= set(organisms)


def test_an_unknown_organism_is_refused_with_the_known_ones():
    async def scenario(entrez, _):
        return await entrez.search_genes("TP53", organism="unicorn")

    with pytest.raises(AmbiguousQuery) as raises:
        on_sandbox(scenario)

    assert "zebrafish" in raises.value.hint
    assert raises.value.invalid_input == "unicorn"
    assert raises.value.recovery is None  # without the filter it would be another question


@each_of("query", ["!!", "...", "()()", "--"])
def test_a_query_without_words_finds_nothing_and_asks_nothing(query):
    async def scenario(entrez, sandbox):
        return await entrez.search_genes(query), paths(sandbox)

    page, request = on_sandbox(scenario)

    assert (page.items, page.pagination.total_count, codes(page), request) == ([], 0, ["UNMATCHED"], [])


@requirement("000 R2-empty")
def test_a_miss_says_what_to_try():
    async def scenario(entrez, _):
        return await entrez.search_genes("zzzzqqqq")

    page = on_sandbox(scenario)

    assert (page.items, page.pagination.cursor, page.pagination.total_count) == ([], None, 0)
    assert "UNMATCHED" in codes(page)


def test_genes_that_share_an_alias_are_all_named():
    async def scenario(entrez, _):
        return await entrez.search_genes("MLL2", organism="human")

    page = on_sandbox(scenario)
    (notice,) = [notice for notice in page.notices if notice.code == "SHARED_MATCH"]

    assert {row.symbol for row in page.items[:2]} == {"KMT2D", "KMT2B"}
    assert "KMT2D (NCBIGene:8085)" in notice.message
    assert "KMT2B (NCBIGene:9757)" in notice.message


@requirement("000 R2-id")
@each_of("query", ["7157", "NCBIGene:7157", "GeneID:7157"])
def test_a_gene_id_is_found_by_one_summary(query):
    async def scenario(entrez, sandbox):
        return await entrez.search_genes(query), paths(sandbox)

    page, request = on_sandbox(scenario)

    assert [(row.id, row.match, row.score) for row in page.items] == [("NCBIGene:7157", "id", 1.0)]
    assert request == ["esummary"]


def test_slim_rows_hold_identity_score_and_match_alone():
    async def scenario(entrez, _):
        return await entrez.search_genes("BRCA1", slim=True)

    row = on_sandbox(scenario).items[0].model_dump()

    assert set(row) == {"id", "symbol", "organism", "score", "match"}


def test_a_replaced_gene_leads_to_the_current_one():
    async def scenario(entrez, _):
        return [await entrez.get_gene("NCBIGene:9606", slim=slim) for slim in (False, True)]

    whole, slim = on_sandbox(scenario)

    assert (whole.id, whole.symbol, whole.replaces, codes(whole)[0]) == (
        "NCBIGene:8666",
        "EIF3G",
        "NCBIGene:9606",
        "REPLACED",
    )
    assert (slim.id, slim.replaces, codes(slim)) == ("NCBIGene:8666", "NCBIGene:9606", ["REPLACED"])


def test_a_withdrawn_gene_is_not_found_and_says_when():
    async def scenario(entrez, _):
        return await entrez.get_gene("NCBIGene:544580")

    with pytest.raises(EntityNotFound) as missing:
        on_sandbox(scenario)

    assert "2019-05-03" in missing.value.message
    assert missing.value.recovery == CallTool(SEARCH, {"query": "AASTH23"})


@requirement("000 R2-notfound")
@each_of("slim", [False, True])
def test_an_unknown_gene_is_not_found_by_the_evidence_of_its_summary(slim):
    async def scenario(entrez, sandbox):
        with pytest.raises(EntityNotFound):
            await entrez.get_gene("NCBIGene:999999999", slim=slim)
        return paths(sandbox)

    assert "esummary" in on_sandbox(scenario)


@requirement("000 R2-get_gene", "000 R6-ex-7157", "000 R6-ex-NCBI:7157", "000 R6-ex-NCBIGene:TP53")
@each_of("form", ["7157", "TP53", "NCBI:7157", "NCBIGene:TP53", "ncbigene:7157", "NCBIGene:07157", " NCBIGene:7157"])
def test_any_other_spelling_of_an_id_is_refused(form):
    async def scenario(entrez, sandbox):
        with pytest.raises(UnresolvedEntity) as raises:
            await entrez.get_gene(form)
        return raises.value, paths(sandbox)

    error, request = on_sandbox(scenario)

    assert error.invalid_input == form
    assert request == []


def test_the_hint_shows_the_right_spelling_of_a_bare_number():
    async def scenario(entrez, _):
        await entrez.get_gene("7157")

    with pytest.raises(UnresolvedEntity) as raises:
        on_sandbox(scenario)

    assert "NCBIGene:7157" in raises.value.hint


def test_a_batch_keeps_order_duplicates_and_failures_in_their_places():
    request = ["NCBIGene:7157", "TP53", "NCBIGene:999999999", "NCBIGene:7157", "NCBIGene:9606", 7, "NCBIGene:544580"]

    async def scenario(entrez, sandbox):
        return await entrez.get_genes_batch(request), paths(sandbox)

    page, requests = on_sandbox(scenario)
    codes = [item.error.code if isinstance(item, ErrorEnvelope) else item.id for item in page.items]

    assert codes == [
        "NCBIGene:7157",
        "UNRESOLVED_ENTITY",
        "ENTITY_NOT_FOUND",
        "NCBIGene:7157",
        "NCBIGene:8666",
        "UNRESOLVED_ENTITY",
        "ENTITY_NOT_FOUND",
    ]
    assert [item.error.invalid_input for item in page.items if isinstance(item, ErrorEnvelope)] == [
        "TP53",
        "NCBIGene:999999999",
        7,
        "NCBIGene:544580",
    ]
    assert len(requests) <= 3


def test_a_slim_batch_takes_one_request_and_a_whole_one_another():
    ids = ["NCBIGene:672", "NCBIGene:675", "NCBIGene:7157", "NCBIGene:1956"]

    async def scenario(entrez, sandbox):
        slim = await entrez.get_genes_batch(ids)
        whole = await entrez.get_genes_batch(ids, slim=False)
        return slim, whole, paths(sandbox)

    slim, whole, request = on_sandbox(scenario)

    assert sorted(request) == ["esummary", "gene/dataset_report"]
    assert [set(item.model_dump()) for item in slim.items] == [{"id", "symbol", "organism"}] * 4
    assert [item.id for item in whole.items] == ids
    assert all(item.category == "biolink:Gene" for item in whole.items)


def test_ten_identical_calls_are_one_request_a_service_and_a_repeat_is_none():
    async def scenario(entrez, sandbox):
        genes = await asyncio.gather(*(entrez.get_gene("NCBIGene:672") for _ in range(10)))
        await entrez.get_gene("NCBIGene:672")
        return genes, paths(sandbox)

    genes, request = on_sandbox(scenario)

    assert sorted(request) == ["esummary", "gene/dataset_report"]
    assert len({gene.model_dump_json() for gene in genes}) == 1


def test_a_gene_of_a_batch_is_not_fetched_again():
    async def scenario(entrez, sandbox):
        await entrez.get_genes_batch(["NCBIGene:672", "NCBIGene:7157"], slim=False)
        gene = await entrez.get_gene("NCBIGene:672")
        return gene, paths(sandbox)

    gene, request = on_sandbox(scenario)

    assert sorted(request) == ["esummary", "gene/dataset_report"]
    assert gene.provenance.origin == "cache"
