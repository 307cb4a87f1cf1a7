"""Many callers at once, at the services' real rates and in virtual time. The same in real time: benchmarks/many.py."""

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


def asked(questions, seconds=DEADLINE_SECONDS):
    """What callers with this deadline get who all ask at once, and the requests that it took."""

    async def scenario():
        async with in_process() as (sandbox, network):
            timing = virtual_time.timing(deadline_seconds=seconds)
            found = await outcomes(sandbox.environment(), questions, timing=timing, wire=network)
            return found, list(sandbox.requests)

    return virtual_time.run(scenario())


def allowed(service, seconds):
    """How many requests its rate allows in this time, but for the last second, in which a call gives up."""
    return int((seconds - 1.0) / (GUARD / service.per_second)) + 1


def searches(source, names):
    return lambda transport: [(SEARCHES[source](transport), name) for name in names]


def test_fifty_names_at_three_requests_a_second_are_all_answered():
    found, requests = asked(searches("NCBI Gene", SYMBOLS))

    assert [one.error for one in found] == [None] * 50
    assert max(one.seconds for one in found) <= DEADLINE_SECONDS
    assert {one.status for one in requests} == {200}


@deadlines
def test_of_two_hundred_names_the_rate_is_used_up_and_the_rest_is_told_when_to_come_back(seconds):
    found, requests = asked(searches("NCBI Gene", [*SYMBOLS, *made_names(150, 1)]), seconds)
    away = [one for one in found if one.error is not None]

    assert len(requests) >= allowed(NCBI, seconds)
    assert all(one.is_turned_away for one in away)
    assert sorted(one.seconds for one in away)[len(away) // 2] == 0.0  # at once, most of them
    assert max(one.seconds for one in found) <= seconds


@requirement("002 SC-004")
@deadlines
def test_of_a_hundred_unmatched_compounds_those_are_answered_that_can_be(seconds):
    found, requests = asked(searches("ChEMBL", made_names(100, 2)), seconds)
    answered = sum(one.error is None for one in found)

    assert answered >= 0.9 * len(requests) / 5  # each takes five
    assert len(requests) >= allowed(CHEMBL, seconds)
    assert max(one.seconds for one in found) <= seconds


def many_searches(sources, seconds):
    """Each source is asked for two names for each second that a call may take, in turn as callers would come."""
    names = [*SYMBOLS, *made_names(10, 3)][-int(2 * seconds) :]
    return lambda transport: [(SEARCHES[one](transport), name) for name in names for one in sources]


@functools.cache
def all_together(seconds):
    return asked(many_searches(list(SEARCHES), seconds), seconds)[0]


@deadlines
@pytest.mark.parametrize("source", SEARCHES)
def test_no_source_starves_another(source, seconds):
    rivals = ["NCBI Gene", "PubMed"] if source in {"NCBI Gene", "PubMed"} else [source]  # these two share a rate
    together = all_together(seconds)[list(SEARCHES).index(source) :: len(SEARCHES)]
    alone = asked(many_searches(rivals, seconds), seconds)[0][rivals.index(source) :: len(rivals)]
    kinds = [Counter(one.is_turned_away for one in found) for found in (together, alone)]

    assert kinds[0][False] >= 0.9 * kinds[1][False] > 0
