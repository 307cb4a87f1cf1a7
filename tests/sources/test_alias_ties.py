"""Among equal aliases the one in the query's letter case comes first; the others are named beside it."""

import pytest
from benchmarks.symbols import corpus

from biofact.core.words import forms
from biofact.protocol.ranking import Names, Ranked, ranked
from biofact.sandbox.services import ensembl, entrez
from tests import virtual_time
from tests.recordings import needs_recordings
from tests.sandboxed import sandboxed
from tests.sources.alias_ties import ORGANISMS, AliasTie, alias_ties

pytestmark = [pytest.mark.quick, needs_recordings]

STAND_INS = {"entrez": entrez.stand_ins, "ensembl": ensembl.stand_ins}
PARAMETER = {"entrez": "organism", "ensembl": "species"}


def gene_id(source, row):
    return f"NCBIGene:{row.gene_id}" if source == "entrez" else row.first_id("Ensembl")


def names(tie: AliasTie):
    rows = sorted((tie.gene, *tie.others), key=lambda row: int(row.gene_id))
    return [
        Names(row.gene_id, row.symbol, row.synonyms, (row.description,), row.taxon_id, tie=int(row.gene_id))
        for row in rows
    ]


def without_case(answer: Ranked[Names]):
    """The order as it was before letter case counted among aliases."""
    return (-answer.match.score, answer.place, answer.gene.is_minor, -answer.gene.weight, answer.gene.tie)


def test_letter_case_decides_between_equal_aliases():
    ties = alias_ties()
    after = [ranked(names(tie), forms(tie.alias)) for tie in ties]
    right = [answers[0].gene.id == tie.gene.gene_id for tie, answers in zip(ties, after, strict=True)]
    before = [
        min(answers, key=without_case).gene.id == tie.gene.gene_id for tie, answers in zip(ties, after, strict=True)
    ]
    print(f"{sum(before)} of {len(ties)} first without letter case, {sum(right)} with it")  # noqa: T201

    assert len(ties) == 60
    assert {answers[0].match.kind for answers in after} == {"alias"}
    assert all(right)
    assert sum(before) < 0.7 * len(ties)


@pytest.mark.parametrize("source", STAND_INS)
def test_sixty_aliases_lead_to_the_gene_that_has_them_as_written(source):
    async def first_pages():
        stand_ins = STAND_INS[source](corpus())
        async with sandboxed(source, recordings=corpus(), stand_ins=stand_ins) as (client, _):
            return [
                await client.search_genes(tie.alias, **{PARAMETER[source]: ORGANISMS[tie.taxon_id]})
                for tie in alias_ties()
            ]

    wrong = {}
    for tie, page in zip(alias_ties(), virtual_time.run(first_pages()), strict=True):
        shared = next((notice.message for notice in page.notices if notice.code == "SHARED_MATCH"), "")
        first = page.items[0]
        if (first.id, first.match) != (gene_id(source, tie.gene), "alias") or first.id not in shared:
            wrong[tie.alias] = (first.id, first.symbol, first.match, shared)

    assert wrong == {}
