"""Many concurrent callers, at the services' real rates and in virtual time; in real time: benchmarks/many.py."""

import functools
from collections import Counter

import pytest
from benchmarks.many import DEADLINE_SECONDS, SYMBOLS, made_names, outcomes

from biofact import ChEMBLClient, EnsemblClient, EntrezClient, IGVFClient, PubMedClient
from biofact.dialects.eutils import NCBI
from biofact.sources.chembl.service import CHEMBL
from biofact.transport.turns.budget import GUARD
from tests import virtual_time
from tests.in_process import in_process
from tests.marks import requirement

pytestmark = pytest.mark.quick

SEARCHES = {
    "NCBI Gene": lambda transport: EntrezClient(transport).search_genes,
    "Ensembl": lambda transport: EnsemblClient(transport).search_genes,
    "ChEMBL": lambda transport: ChEMBLClient(transport).search_compounds,
    "IGVF": lambda transport: IGVFClient(transport).get_entity,
    "PubMed": lambda transport: PubMedClient(transport).pubmed_search,
}


BRIEF_SECONDS = 6.0
deadlines = pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(BRIEF_SECONDS, marks=pytest.mark.quick),
        pytest.param(DEADLINE_SECONDS, marks=pytest.mark.sweep),
    ],
)


def outcomes_of(questions, seconds=DEADLINE_SECONDS):
    """The answers to concurrent callers with this deadline, and the requests to the service."""

    async def scenario():
        async with in_process() as (sandbox, network):
            timing = virtual_time.timing(deadline_seconds=seconds)
            results = await outcomes(sandbox.environment(), questions, timing=timing, wire=network)
            return results, list(sandbox.requests)

    return virtual_time.run(scenario())


def allowed(service, seconds):
    """The number of requests that a rate allows in this time, except for the last second, in which calls give up."""
    return int((seconds - 1.0) / (GUARD / service.per_second)) + 1


def searches(source, names):
    return lambda transport: [(SEARCHES[source](transport), name) for name in names]


def test_fifty_names_at_three_requests_a_second_are_all_answered():
    results, requests = outcomes_of(searches("NCBI Gene", SYMBOLS))

    assert [result.error for result in results] == [None] * 50
    assert max(result.seconds for result in results) <= DEADLINE_SECONDS
    assert {request.status for request in requests} == {200}


@deadlines
def test_two_hundred_names_use_up_the_rate_and_the_rest_is_refused_with_a_wait(seconds):
    results, requests = outcomes_of(searches("NCBI Gene", [*SYMBOLS, *made_names(150, 1)]), seconds)
    failures = [result for result in results if result.error is not None]

    assert len(requests) >= allowed(NCBI, seconds)
    assert all(result.is_turned_away for result in failures)
    assert sorted(result.seconds for result in failures)[len(failures) // 2] == 0.0  # at once, most of them
    assert max(result.seconds for result in results) <= seconds


@requirement("002 SC-004")
@deadlines
def test_of_a_hundred_unmatched_compounds_those_are_answered_that_can_be(seconds):
    results, requests = outcomes_of(searches("ChEMBL", made_names(100, 2)), seconds)
    answer_count = sum(result.error is None for result in results)

    assert answer_count >= 0.9 * len(requests) / 5  # each takes five
    assert len(requests) >= allowed(CHEMBL, seconds)
    assert max(result.seconds for result in results) <= seconds


def many_searches(sources, seconds):
    """Each source is asked for two names for each second of a call's time, in turn as callers would come."""
    names = [*SYMBOLS, *made_names(10, 3)][-int(2 * seconds) :]
    return lambda transport: [(SEARCHES[rival](transport), name) for name in names for rival in sources]


@functools.cache
def all_together(seconds):
    return outcomes_of(many_searches(list(SEARCHES), seconds), seconds)[0]


@deadlines
@pytest.mark.parametrize("source", SEARCHES)
def test_no_source_starves_another(source, seconds):
    rivals = ["NCBI Gene", "PubMed"] if source in {"NCBI Gene", "PubMed"} else [source]  # these two share a rate
    shared_results = all_together(seconds)[list(SEARCHES).index(source) :: len(SEARCHES)]
    own_results = outcomes_of(many_searches(rivals, seconds), seconds)[0][rivals.index(source) :: len(rivals)]
    kinds = [Counter(result.is_turned_away for result in results) for results in (shared_results, own_results)]

    assert kinds[0][False] >= 0.9 * kinds[1][False] > 0
