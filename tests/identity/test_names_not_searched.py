"""A name that was searched nowhere is not reported as unknown."""

import pytest

from biofact.clients import open_clients
from tests import virtual_time
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

DISEASE = "phenylketonuria"


def last_of(names):
    """The row of the last name, and the number of requests."""

    async def ask():
        async with (
            machine() as (sandbox, network, settings),
            open_clients(settings, timing=LIFE, wire=network) as clients,
        ):
            page = await clients.identity.resolve(names, kind="disease")
            return page.items[-1], len(sandbox.requests)

    return virtual_time.run(ask())


@pytest.mark.parametrize("name", [DISEASE, "no such disease"])
def test_too_many_names_for_a_search_by_words_are_reported_as_not_searched(name):
    row, requests = last_of([*(f"disease number {number}" for number in range(199)), name])

    assert requests == 0
    assert row.entities == []
    assert "is called so" not in row.reason
    assert "not searched" in row.reason
    assert "ask for this one alone" in row.reason


def test_the_way_on_leads_there():
    single, _ = last_of([DISEASE])
    unknown, requests = last_of(["no such disease"])

    assert single.entities[0].id == "MONDO:0009861"
    assert requests > 0
    assert unknown.reason == "No disease is called so."
