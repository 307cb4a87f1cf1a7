"""The row of a name does not depend on the names beside it."""

import itertools

import pytest

from biofact.clients import open_clients
from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope
from biofact.sources.entrez.search import LEAD_LIMIT
from tests import virtual_time
from tests.identity.test_resolve_many import SYMBOLS
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import LIFE, machine

NAMES = {
    "BRCA1": "gene",  # a symbol
    "p53": "gene",  # an alias
    "brca2": "gene",
    "tumor protein p53": "gene",
    "protein tumor p53": "gene",
    "BRKA1": "gene",  # a letter away
    "no such gene": "gene",
    "NOGENE1": "gene",
    "phenylketonuria": "disease",
    "no such disease": "disease",
    "COPD": None,
    "imatinib": "compound",
    "imatinib mesylat": "compound",
    "ENSG00000129675": "gene",  # retired
    "P04637": "protein",
    "rs334": "variant",
}
"""Names that are found together, by words, in spellings, or not at all, with the kind asked for."""


def rows_of(names, kind, organism="human", **options):
    """The rows of names, with those of a call that goes on until everything has been asked."""

    async def ask():
        async with (
            machine(**options) as (_, network, settings),
            open_clients(settings, timing=LIFE, wire=network) as clients,
        ):
            answers = clients.identity.resolve_many(names, kind=kind, organism=organism)
            return [row async for answer in answers for row in answer.items]

    return virtual_time.run(ask())


def neighbours(count, kind):
    """``count`` names that are known together, and those of the table with that kind."""
    others = [name for name, own_kind in NAMES.items() if own_kind == kind]
    return list(itertools.islice(itertools.cycle([*SYMBOLS, *others]), count))


@pytest.mark.parametrize(
    "company",
    [
        pytest.param(8, marks=pytest.mark.quick),
        pytest.param(9, marks=pytest.mark.sweep),
        pytest.param(499, marks=pytest.mark.sweep),
    ],
)
def test_a_name_has_the_same_row_in_any_company(company):
    for kind in dict.fromkeys(NAMES.values()):
        names = [name for name, own_kind in NAMES.items() if own_kind == kind]
        beside = rows_of([*neighbours(company, kind), *names], kind)[company:]
        assert not any(isinstance(row, ErrorEnvelope) for row in beside)
        assert beside == [rows_of([name], kind)[0] for name in names]


COMMON = {"human": (9606, "seven transmembrane helix receptor"), "zebrafish": (7955, "trnaa-agc")}
"""A name of more genes than a search lists, by organism: a designation, and a symbol."""


@needs_recordings
@pytest.mark.parametrize(
    "organism", [pytest.param("human", marks=pytest.mark.quick), pytest.param("zebrafish", marks=pytest.mark.sweep)]
)
def test_a_name_of_more_genes_than_a_search_lists_has_the_same_row_in_any_company(organism):
    taxon_id, name = COMMON[organism]
    carriers = [cells for cells in gene_table(taxon_id) if name in {cells[2], *cells[13].split("|")}]
    others = [cells for cells in gene_table(taxon_id) if cells[9] == "protein-coding" and cells[2] != name][:90]
    assert len(carriers) > LEAD_LIMIT

    with folder_of_genes({"\t".join(cells): None for cells in (*carriers, *others)}) as folder:
        names = [name, *(cells[2] for cells in others)]
        alone, in_company = (rows_of(column, "gene", organism, recordings=folder) for column in ([name], names))

    assert alone[0].ambiguous_with
    assert in_company[0] == alone[0]


@pytest.mark.quick
def test_a_column_too_long_for_a_call_goes_on_where_it_ended():
    """Six requests a name, five a second: a call has time for some of them."""
    names = [*(f"disease number {number}" for number in range(30)), "phenylketonuria"]

    async def ask():
        async with (
            machine() as (sandbox, network, settings),
            open_clients(settings, timing=LIFE, wire=network) as clients,
        ):
            calls = []
            while not calls or any(isinstance(row, ErrorEnvelope) for row in calls[-1][0]):
                start = virtual_time.now()
                page = await clients.identity.resolve(names, kind="disease")
                calls.append((page.items, virtual_time.now() - start))
            return calls, len(sandbox.requests)

    calls, request_count = virtual_time.run(ask())

    assert len(calls) == 2
    assert all(seconds <= LIFE.deadline_seconds for _, seconds in calls)
    assert {"turn comes after the end of the call" in row.error.message for row in calls[0][0][-5:]} == {True}
    assert calls[-1][0][-1].entities[0].id == "MONDO:0009861"
    assert request_count <= 6 * len(names) + 6


@pytest.mark.quick
def test_names_that_are_searched_one_by_one_are_counted_one_by_one():
    reports = []

    async def report(done, total, work):
        reports.append((done, total, work))

    with call.on_behalf_of(call.Caller(progress=report)):
        rows_of(["no such disease", "no such syndrome", "phenylketonuria"], "disease")

    assert [(done, work) for done, _, work in reports] == [(count, "names looked up") for count in (1, 2, 3)]
