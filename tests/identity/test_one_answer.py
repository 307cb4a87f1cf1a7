"""Names of all kinds that the recorded gene files have: ``resolve``, ``search_genes`` and a plain dictionary agree, and
neighbours change no row. ``benchmarks.names`` asks for thousands.
"""

import functools
import gzip
import random

import pytest
from benchmarks.gene_dictionary import KINDS, GeneDictionary, GeneName
from benchmarks.names import COLUMN_SIZES, Answer, Trial, _sample, drawn_names, resolved_answer, searched_answer
from benchmarks.symbols import HUMAN, MOUSE, SEED, ZEBRAFISH, corpus

from biofact.identity.resolver import Resolver
from biofact.sandbox.dialects.gene_info import FOLDER, PLACEHOLDER, gene_row
from biofact.sources import clients
from tests import virtual_time
from tests.recordings import needs_recordings
from tests.sandbox.few_genes import few_genes
from tests.sandboxed import WHOLE, transported

pytestmark = [pytest.mark.quick, needs_recordings]

FILES = {
    HUMAN: "Homo_sapiens.gene_info.gz",
    MOUSE: "igvfsample_Mus_musculus.gene_info.gz",
    ZEBRAFISH: "Danio_rerio.gene_info.gz",
}
BY_KIND = 3
SIZES = (9, 10)


@functools.cache
def few_rows(taxon_id):
    """The genes of an organism among the few."""
    with gzip.open(few_genes() / FOLDER / FILES[taxon_id], "rt", encoding="utf-8") as lines:
        rows = [gene_row(line.rstrip("\n")) for line in lines if not line.startswith("#")]
    return [
        row
        for row in rows
        if row.taxon_id == taxon_id and row.gene_type != "biological-region" and row.symbol != PLACEHOLDER
    ]


def sample(taxon_id):
    """As many names of each kind."""
    draw = random.Random(f"{SEED} {taxon_id}")
    names = []
    for kind, names_of in KINDS.items():
        genes = [row for row in few_rows(taxon_id) if any(len(name) > 1 for name in names_of(row))]
        for row in draw.sample(genes, BY_KIND):
            name = draw.choice([name for name in names_of(row) if len(name) > 1])
            names.append(GeneName(name, kind, taxon_id, row.gene_id))
    draw.shuffle(names)
    return names


def asked(scenario, recordings=None):
    """The result of a scenario with a resolver and NCBI Gene."""

    async def ask():
        async with transported(timing=WHOLE, recordings=recordings or few_genes()) as (transport, _):
            sources = clients(transport)
            return await scenario(Resolver(sources, transport.afresh), sources["entrez"])

    return virtual_time.run(ask())


async def rows_of(resolver, column):
    """The whole rows of genes with these names of one organism."""
    answer = await resolver.resolve([name.name for name in column], "gene", column[0].organism, is_whole=True)
    return dict(zip(column, answer.rows, strict=True))


@pytest.mark.parametrize(
    "taxon_id", [HUMAN, *(pytest.param(file, marks=pytest.mark.sweep) for file in (MOUSE, ZEBRAFISH))]
)
def test_a_name_has_one_answer_wherever_it_is_asked(taxon_id):
    names = sample(taxon_id)
    dictionary = GeneDictionary(few_rows(taxon_id))

    async def ask(resolver, entrez):
        rows = await rows_of(resolver, names)
        return [
            Trial(name, {"resolve": resolved_answer(rows[name]), "search": await searched_answer(entrez, name)})
            for name in names
        ]

    trials = asked(ask)

    meanings = {trial.name: dictionary.meaning(trial.name.name) for trial in trials}
    assert [trial for trial in trials if trial.is_silent] == []
    assert [trial for trial in trials if trial.answers["resolve"].is_unmarked(meanings[trial.name])] == []
    for way in ("resolve", "search"):
        assert [trial for trial in trials if trial.answers[way].first not in meanings[trial.name].gene_ids] == []


@pytest.mark.parametrize("taxon_id", [pytest.param(HUMAN, marks=pytest.mark.sweep), ZEBRAFISH])
def test_neighbours_change_no_row(taxon_id):
    names = sample(taxon_id)[: max(SIZES)]

    async def ask(resolver, _):
        alone = {name: (await rows_of(resolver, [name]))[name] for name in names[::3]}
        return alone, [await rows_of(resolver, names[:size]) for size in SIZES]

    alone, in_company = asked(ask)

    for rows in in_company:
        assert {name: row for name, row in rows.items() if name in alone} == {
            name: row for name, row in alone.items() if name in rows
        }


def test_a_silent_difference_is_one_that_the_row_does_not_explain():
    name = GeneName("p21", "alias", HUMAN, "1026")
    searched = Answer(("1026", "9338"))

    def is_silent(*gene_ids, reason=""):
        return Trial(name, {"resolve": Answer(gene_ids, reason), "search": searched}).is_silent

    assert is_silent("9338")
    assert is_silent(reason="No gene is called so.")
    assert is_silent(reason="To be confirmed: NCBIGene:10261.")
    assert not is_silent("1026")
    assert not is_silent("9338", "1026")
    assert not is_silent(reason="To be confirmed: CDKN1A (NCBIGene:1026).")


@pytest.mark.sweep
@pytest.mark.parametrize("taxon_id", FILES)
def test_neighbours_change_no_row_of_a_whole_file(taxon_id):
    names = [name for name in drawn_names(72) if name.taxon_id == taxon_id]
    company = _sample(taxon_id, "symbol", max(COLUMN_SIZES))

    async def ask(resolver, _):
        return [
            [await rows_of(resolver, column[start : start + size]) for start in range(0, len(names), size)]
            for size in (9, *COLUMN_SIZES)
            for column in [[*names, *company]]
        ]

    by_size = [{name: row for rows in columns for name, row in rows.items()} for columns in asked(ask, corpus())]

    assert [name for name in names if any(rows[name] != by_size[0][name] for rows in by_size)] == []
