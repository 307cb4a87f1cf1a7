"""The tokens that genes and transcripts cost an agent, counted by a real tokenizer."""

import asyncio

import pytest
from rs_bpe.bpe import openai

from biofact.sandbox.services.ensembl.corpus import rows_of_starter
from tests import virtual_time
from tests.sandboxed import on_sandbox, sandboxed

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
GENES = [row["id"] for row in rows_of_starter()["gene"]]
TRANSCRIPTS = [row["id"] for row in rows_of_starter()["transcript"]]
MOST_SLIM = 35
MOST_FULL = 250
MOST_EXON = 30


def cost(record):
    return TOKENS.count(record.model_dump_json())


@pytest.fixture(scope="module", params=[4, pytest.param(1, marks=pytest.mark.sweep)])
def records(request):
    """Every fourth record of the starter, or all; and hits."""
    step = request.param

    async def ask(ensembl, _):
        genes = await asyncio.gather(*(ensembl.get_gene(gene_id) for gene_id in GENES[::step]))
        transcripts = await asyncio.gather(*(ensembl.get_transcript(t) for t in TRANSCRIPTS[::step]))
        pages = [await ensembl.search_genes(query) for query in ("protein", "tumor protein", "BRCA1", "receptor")]
        return genes, transcripts, [row for page in pages for row in page.items]

    return on_sandbox("ensembl", ask)


def test_every_short_form_stays_within_its_budget(records):
    genes, transcripts, rows = records
    hits = [row for row in rows if "pseudogene" not in row.biotype]

    assert max(cost(record.slim()) for record in (*genes, *transcripts, *hits)) <= MOST_SLIM


def test_a_hit_with_one_of_the_long_biotypes_exceeds_it_by_little(records):
    """``transcribed_unprocessed_pseudogene`` alone is six tokens more than ``lncRNA``."""
    _, _, rows = records

    assert max(cost(row.slim()) for row in rows) <= MOST_SLIM + 5


def test_a_whole_gene_stays_within_its_budget(records):
    genes, _, _ = records
    costs = sorted(map(cost, genes))
    print(f"whole genes cost {costs[0]}-{costs[-1]} tokens, half of them {costs[len(costs) // 2]} at most")  # noqa: T201

    assert costs[-1] <= MOST_FULL


def test_a_transcript_costs_little_but_for_its_exons(records):
    _, transcripts, _ = records

    assert max(cost(t) - MOST_EXON * len(t.exons) for t in transcripts) <= 250


def test_the_answers_of_the_newer_tools_keep_to_their_budgets():
    async def ask():
        async with sandboxed("ensembl") as (ensembl, _):
            return {
                "2,000 letters of a gene": (await ensembl.get_sequence("ENSG00000141510"), 1600),
                "a protein": (await ensembl.get_sequence("ENSP00000269305"), 400),
                "a region": (await ensembl.get_sequence("17:7661779-7661800"), 110),
                "a mapped region": (await ensembl.map_region("17:7577000-7579000", "GRCh37", "GRCh38"), 110),
                "homologues": (await ensembl.get_homologues("ENSG00000141510"), 5 * 70 + 40),
            }

    answers = virtual_time.run(ask())
    costs = {name: cost(answer) for name, (answer, _) in answers.items()}
    print(costs)  # noqa: T201

    assert {name: limit for name, (_, limit) in answers.items() if costs[name] > limit} == {}, costs
