"""Many callers at once, at the services' real rates and in virtual time. The same in real time: benchmarks/many.py."""

from collections import Counter

import pytest
from benchmarks.many import DEADLINE_SECONDS, SYMBOLS, made_names, outcomes

from biofact import ChEMBLClient, EnsemblClient, EntrezClient, IGVFClient, PubMedClient
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


def asked(questions):
    """What callers get who all ask at once, and the requests that it took."""

    async def scenario():
        async with in_process() as (sandbox, network):
            timing = virtual_time.timing()
            found = await outcomes(sandbox.environment(), questions, timing=timing, wire=network)
            return found, list(sandbox.requests)

    return virtual_time.run(scenario())


def searches(source, names):
    return lambda transport: [(SEARCHES[source](transport), name) for name in names]


def test_fifty_names_at_three_requests_a_second_are_all_answered():
    found, requests = asked(searches("NCBI Gene", SYMBOLS))

    assert [one.error for one in found] == [None] * 50
    assert max(one.seconds for one in found) <= DEADLINE_SECONDS
    assert {one.status for one in requests} == {200}


def test_of_two_hundred_names_the_rate_is_used_up_and_the_rest_is_told_when_to_come_back():
    found, requests = asked(searches("NCBI Gene", [*SYMBOLS, *made_names(150, 1)]))
    away = [one for one in found if one.error is not None]

    assert len(requests) >= 75  # of 82 that 30 seconds allow
    assert all(one.is_turned_away for one in away)
    assert sorted(one.seconds for one in away)[len(away) // 2] == 0.0  # at once, most of them
    assert max(one.seconds for one in found) <= DEADLINE_SECONDS


@requirement("002 SC-004")
def test_of_a_hundred_unmatched_compounds_those_are_answered_that_can_be():
    found, requests = asked(searches("ChEMBL", made_names(100, 2)))
    answered = sum(one.error is None for one in found)

    assert answered >= 0.9 * len(requests) / 5  # each takes five
    assert len(requests) >= 250  # of 271 that 30 seconds allow
    assert max(one.seconds for one in found) <= DEADLINE_SECONDS


def many_searches(sources):
    """Each source is asked for sixty names, in turn as callers would come."""
    names = [*SYMBOLS, *made_names(10, 3)]
    return lambda transport: [(SEARCHES[one](transport), name) for name in names for one in sources]


@pytest.fixture(scope="module")
def all_together():
    return asked(many_searches(list(SEARCHES)))[0]


@pytest.mark.parametrize("source", SEARCHES)
def test_no_source_starves_another(all_together, source):
    rivals = ["NCBI Gene", "PubMed"] if source in {"NCBI Gene", "PubMed"} else [source]  # these two share a rate
    together = all_together[list(SEARCHES).index(source) :: len(SEARCHES)]
    alone = asked(many_searches(rivals))[0][rivals.index(source) :: len(rivals)]
    kinds = [Counter(one.is_turned_away for one in found) for found in (together, alone)]

    assert kinds[0][False] >= 0.9 * kinds[1][False] > 0
