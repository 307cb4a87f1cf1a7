"""Among equal aliases the one in the query's letter case comes first; a notice names the others."""

import gzip

import pytest
from benchmarks.symbols import corpus

from biofact.core.words import forms
from biofact.protocol.ranking import Names, Ranked, ranked
from biofact.sandbox.dialects.gene_info import FILES, FOLDER, gene_row
from biofact.sandbox.services.ensembl import standin as ensembl
from biofact.sandbox.services.entrez import standin as entrez
from tests.recordings import needs_recordings, recorded_genes
from tests.sandboxed import on_sandbox
from tests.sources.alias_ties import ORGANISMS, AliasTie, alias_ties, ties_among

pytestmark = [pytest.mark.sweep, needs_recordings]

TIED_GENES = frozenset(("28234", "57732", "18814", "19122", "19131", "21672", "100134935", "100190920", "100270759"))
"""GeneIDs of man, mouse and zebrafish that have an alias of another one in another letter case."""
STAND_INS = {"entrez": entrez.stand_ins, "ensembl": ensembl.stand_ins}
PARAMETER = {"entrez": "organism", "ensembl": "species"}


def gene_id(source, row):
    return f"NCBIGene:{row.gene_id}" if source == "entrez" else row.first_id("Ensembl")


def names(tie: AliasTie):
    rows = sorted((tie.gene, *tie.gene_rows), key=lambda row: int(row.gene_id))
    return [
        Names(row.gene_id, row.symbol, row.synonyms, (row.description,), taxon_id=row.taxon_id, tie=int(row.gene_id))
        for row in rows
    ]


def without_case(answer: Ranked[Names]):
    """The order as it was before letter case counted among aliases."""
    return (-answer.match.score, answer.place, answer.gene.is_minor, -answer.gene.weight, answer.gene.tie)


def first_with_and_without_case(ties):
    """For each tie whether its gene comes first, and whether it did before letter case counted among aliases."""
    answers = [(tie.gene.gene_id, ranked(names(tie), forms(tie.alias))) for tie in ties]

    assert {result[0].match.kind for _, result in answers} == {"alias"}
    return [
        (result[0].gene.id == expected, min(result, key=without_case).gene.id == expected)
        for expected, result in answers
    ]


def not_first(source, genes, ties, **options):
    """Ties whose gene does not come first, or comes without the others of the tie."""

    async def first_pages(client, _):
        return [await client.search_genes(tie.alias, **{PARAMETER[source]: ORGANISMS[tie.taxon_id]}) for tie in ties]

    pages = on_sandbox(source, first_pages, stand_ins=STAND_INS[source](genes), **options)
    wrong = {}
    for tie, page in zip(ties, pages, strict=True):
        shared = next((notice.message for notice in page.notices if notice.code == "SHARED_MATCH"), "")
        first = page.items[0]
        if (first.id, first.match) != (gene_id(source, tie.gene), "alias") or first.id not in shared:
            wrong[tie.alias] = (first.id, first.symbol, first.match, shared)
    return wrong


# A few


def few_ties():
    rows = [gene_row(line) for line in recorded_genes(TIED_GENES)]
    return [tie for taxon_id in ORGANISMS for tie in ties_among(rows, taxon_id)]


@pytest.fixture
def few_genes(tmp_path):
    """A folder of recordings with the genes of a few ties and no others."""
    (tmp_path / FOLDER).mkdir()
    text = "".join(f"{row}\n" for row in recorded_genes(TIED_GENES))
    (tmp_path / FOLDER / FILES[0]).write_bytes(gzip.compress(text.encode(), mtime=0))
    return tmp_path


@pytest.mark.quick
def test_letter_case_decides_between_equal_aliases():
    ties = few_ties()
    firsts = first_with_and_without_case(ties)

    assert {tie.alias for tie in ties} == {"LST-2", "lst-2", "PrP", "Prp", "Gcs", "Gcsf", "gcsf"}
    assert [tie.alias for tie, (is_first, _) in zip(ties, firsts, strict=True) if not is_first] == []
    assert not all(was_first for _, was_first in firsts)


@pytest.mark.quick
@pytest.mark.parametrize("source", STAND_INS)
def test_an_alias_leads_to_the_gene_that_has_it_as_written(source, few_genes):
    assert not_first(source, few_genes, few_ties()) == {}


# Sixty


def test_letter_case_decides_between_sixty_aliases():
    ties = alias_ties()
    firsts = first_with_and_without_case(ties)
    after, before = (sum(item) for item in zip(*firsts, strict=True))
    print(f"{before} of {len(ties)} first without letter case, {after} with it")  # noqa: T201

    assert after == len(ties) == 60
    assert before < 0.7 * len(ties)


@pytest.mark.parametrize("source", STAND_INS)
def test_sixty_aliases_lead_to_the_gene_that_has_them_as_written(source):
    assert not_first(source, corpus(), alias_ties(), recordings=corpus()) == {}
