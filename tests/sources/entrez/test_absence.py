"""IDs that lead to another gene, and IDs of none."""

import pytest
from rs_bpe.bpe import openai

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import CallTool, EntityNotFound, ToolRef, UpstreamError
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import NcbiGeneFacts, starter_genes
from biofact.sandbox.services.entrez.standin import GeneDatabase, docsum
from biofact.sources.entrez import questions
from biofact.sources.entrez.parse import ParsedGene
from biofact.sources.entrez.records import EntrezGene
from tests import virtual_time
from tests.each_of import each_of
from tests.sources.entrez.made_genes import database, open_entrez, replaced_gene, withdrawn

pytestmark = pytest.mark.quick

SEARCH = ToolRef("entrez", "search_genes")
BATCH = ToolRef("entrez", "get_genes_batch")
TP53 = next(gene for gene in starter_genes() if gene.gene_id == "7157")
LIVE = NcbiGeneFacts(gene_id="99", symbol="NEW99", aliases=("OLD1",), pmids=("5", "7"))


def gene_of(genes, number, **options):
    async def run():
        async with open_entrez(genes) as entrez:
            return await entrez.get_gene(f"NCBIGene:{number}", **options)

    return virtual_time.run(run())


def missing(genes, number, **options):
    with pytest.raises(EntityNotFound) as raises:
        gene_of(genes, number, **options)
    assert raises.value.invalid_input == f"NCBIGene:{number}"
    return raises.value


both_forms = each_of("slim", [False, True])


@both_forms
@each_of("length", [1, 2, 5])
def test_a_chain_of_replacements_leads_to_the_live_gene_with_one_notice(length, slim):
    chain = [replaced_gene(number, number + 1 if number < length else 99) for number in range(1, length + 1)]

    gene = gene_of([*chain, LIVE], 1, slim=slim)

    assert (gene.id, gene.symbol, gene.replaces) == ("NCBIGene:99", "NEW99", "NCBIGene:1")
    assert [(notice.code, notice.message) for notice in gene.notices] == [
        ("REPLACED", "NCBIGene:1 was replaced by NCBIGene:99."),
        *([] if slim else [("NOT_COVERED", "refseq: by include.")]),
    ]


def test_a_gene_of_many_names_stays_short_at_the_end_of_a_chain():
    gene = gene_of([replaced_gene(1, 2), replaced_gene(2, 7157), TP53], 1)

    assert gene.replaces == "NCBIGene:1"
    assert openai.o200k_base().count(gene.model_dump_json(exclude={"summary"})) <= 250


@both_forms
def test_replacements_that_run_in_a_circle_are_listed_step_by_step(slim):
    error = missing([replaced_gene(1, 2), replaced_gene(2, 3), replaced_gene(3, 2)], 1, slim=slim)

    assert "circle" in error.message
    assert "NCBIGene:1 > NCBIGene:2 > NCBIGene:3" in error.message
    assert "OLD3" in error.hint


def test_a_gene_that_replaced_itself_is_not_asked_for_again():
    assert "circle" in missing([replaced_gene(1, 1)], 1).message


def test_a_chain_is_not_followed_for_ever():
    chain = [replaced_gene(number, number + 1) for number in range(1, 20)]

    error = missing([*chain, NcbiGeneFacts(gene_id="20", symbol="NEW")], 1)

    assert "too far" in error.message
    assert "NCBIGene:20" not in error.message


@both_forms
def test_a_chain_to_a_withdrawn_gene_ends_there_and_says_when(slim):
    error = missing([replaced_gene(1, 2), withdrawn(2, "GONE2")], 1, slim=slim)

    assert "NCBI withdrew NCBIGene:2 (GONE2) on 2019-05-03" in error.message
    assert "NCBIGene:1 > NCBIGene:2" in error.message
    assert error.recovery == CallTool(SEARCH, {"query": "GONE2"})


@both_forms
def test_a_chain_to_a_gene_that_there_is_not_names_both(slim):
    error = missing([replaced_gene(1, 2)], 1, slim=slim)

    assert error.message == "NCBIGene:1 was replaced by NCBIGene:2, of which NCBI Gene has no record."


def test_a_gene_that_there_is_not_has_no_recovery():
    error = missing([LIVE], 1)

    assert error.message == "NCBI Gene has no record NCBIGene:1."
    assert error.recovery is None


def test_the_symbol_of_a_withdrawn_gene_leads_on():
    error = missing([withdrawn(1, "GONE1"), LIVE], 1)

    assert "on 2019-05-03" in error.message
    assert error.recovery == CallTool(SEARCH, {"query": "GONE1"})


@each_of("symbol", ["LOC1", "x"])
def test_a_symbol_that_is_only_the_number_or_too_short_leads_nowhere(symbol):
    error = missing([withdrawn(1, symbol)], 1)

    assert "withdrew" in error.message
    assert (error.hint, error.recovery) == ("Nothing leads on.", None)


def absence_error(status, *current_ids, symbol="OLD1"):
    constant_fields = {"organism": "Homo sapiens", "taxon_id": 9606, "gene_type": "unknown", "cross_references": {}}
    record = EntrezGene(id="NCBIGene:1", symbol=symbol, status=status, **constant_fields)
    return questions.withdrawn("NCBIGene:1", ["1"], ParsedGene(record, status, current_ids=current_ids))


def test_several_replacements_are_all_listed_and_none_is_chosen():
    error = absence_error("secondary", "2", "3")

    assert "NCBIGene:2, NCBIGene:3" in error.message
    assert error.recovery == CallTool(BATCH, {"entrez_ids": ["NCBIGene:2", "NCBIGene:3"]})


def test_a_record_of_ncbis_own_is_no_gene():
    assert "is no gene" in absence_error("other").message
    assert absence_error("other").recovery is None


def test_a_withdrawal_without_a_date_has_none_in_its_message():
    assert absence_error("discontinued").message == "NCBI withdrew NCBIGene:1 (OLD1); nothing replaced it."


class ReplacedBySeveral(GeneDatabase):
    """A database in which gene 1 was replaced by genes 2 and 3."""

    def fetch(self, uids):
        """The usual record, with one more current ID."""
        body = b"".join(super().fetch(uids))
        start, end = body.find(b"<Gene-track_current-id>"), body.find(b"</Gene-track_current-id>")
        removeprefix = body[start:end].removeprefix(b"<Gene-track_current-id>")
        yield body[:end] + removeprefix.replace(b">2<", b">3<") + body[end:] if start > 0 else body


def test_following_the_recovery_from_several_replacements_shows_them():
    two, three = (NcbiGeneFacts(gene_id=number, symbol=f"NEW{number}") for number in "23")

    async def run():
        async with open_entrez(database(replaced_gene(1, 2), two, three, kind=ReplacedBySeveral)) as entrez:
            with pytest.raises(EntityNotFound) as raises:
                await entrez.get_gene("NCBIGene:1")
            return await entrez.get_genes_batch(**raises.value.recovery.arguments)

    assert [gene.symbol for gene in virtual_time.run(run()).items] == ["NEW2", "NEW3"]


class ConfusedDatabase(GeneDatabase):
    """A database that answers every query with gene 99."""

    def docsum(self, uid):
        """The summary of gene 99."""
        return docsum(LIVE)

    def fetch(self, uids):
        """The record of gene 99."""
        yield render.PROLOG + render.gene_xml(LIVE) + render.END


@both_forms
def test_an_answer_about_another_gene_is_never_returned(slim):
    with pytest.raises(UpstreamError) as nonsense:
        gene_of(database(NcbiGeneFacts(gene_id="1", symbol="ONE"), LIVE, kind=ConfusedDatabase), 1, slim=slim)

    assert "NCBIGene:1" in nonsense.value.message


class Silent(GeneDatabase):
    """A database that lists its genes but does not send their records."""

    def fetch(self, uids):
        """An empty set."""
        yield render.PROLOG + render.END


def test_a_gene_that_is_listed_but_not_sent_is_not_called_unknown():
    with pytest.raises(UpstreamError) as raises:
        gene_of(database(LIVE, kind=Silent), 99, include=["phenotypes"])

    assert "did not send" in raises.value.message


def test_a_batch_has_each_outcome_in_its_place():
    genes = [replaced_gene(1, 2), replaced_gene(2, 99), replaced_gene(3, 4), withdrawn(5, "GONE5"), LIVE]

    async def run():
        async with open_entrez(genes) as entrez:
            return await entrez.get_genes_batch([f"NCBIGene:{number}" for number in (1, 3, 5, 99, 2)])

    items = virtual_time.run(run()).items

    assert [item.error.code if isinstance(item, ErrorEnvelope) else (item.id, item.replaces) for item in items] == [
        ("NCBIGene:99", "NCBIGene:1"),
        "ENTITY_NOT_FOUND",
        "ENTITY_NOT_FOUND",
        ("NCBIGene:99", None),
        ("NCBIGene:99", "NCBIGene:2"),
    ]


def test_papers_of_a_chain_are_those_of_its_end():
    async def run():
        async with open_entrez([replaced_gene(1, 2), replaced_gene(2, 99), LIVE]) as entrez:
            return await entrez.get_pubmed_links("NCBIGene:1")

    page = virtual_time.run(run())

    assert [link.id for link in page.items] == ["PMID:7", "PMID:5"]
    assert [notice.code for notice in page.notices] == ["REPLACED", "ORDER"]
