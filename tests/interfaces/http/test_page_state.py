"""The state that the page shows: pauses, counts of services, and how often it is read."""

import functools

import pytest
from fastmcp import FastMCP
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from biofact.interfaces import every_source
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.page import routes
from biofact.interfaces.http.page.routes import STATE_SECONDS, State, service_metrics
from biofact.interfaces.mcp.offer import of_all
from tests import virtual_time
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

NCBI = next(service for service in every_source.client_class("entrez").services if service.name == "ncbi")


def exposition_of_counts():
    """The text of a gateway's metrics, with several priorities and kinds of answers."""
    registry = CollectorRegistry()
    waiting_gauge = Gauge("biofact_budget_waiting_requests", "", ["service", "lane"], registry=registry)
    waiting_gauge.labels("ncbi", "interactive").set(3)
    waiting_gauge.labels("ncbi", "bulk").set(4)
    requests = Counter("biofact_upstream_requests", "", ["service", "status"], registry=registry)
    requests.labels("ncbi", "2xx").inc(10)
    requests.labels("ncbi", "5xx").inc(2)
    requests.labels("chembl", "2xx").inc(1)
    Gauge("biofact_breaker_open", "", ["service"], registry=registry).labels("chembl").set(1)
    Gauge("biofact_upstream_requests_in_progress", "", ["service"], registry=registry).labels("ncbi").set(2)
    Counter("biofact_caller_calls", "", ["caller"], registry=registry).labels("0123456789abcdef").inc()
    return generate_latest(registry)


async def read_states(look, exposition=None):
    """The result of ``look`` for the state of a gateway on the sandbox and its transport."""
    async with machine() as (_, network, environment):
        offer = of_all(functools.partial(open_clients, environment, timing=LIFE, wire=network), every_source)
        try:
            return await look(State(lambda: offer, exposition), await offer.transport())
        finally:
            await offer.aclose()


def test_counts_of_a_service_are_summed_over_priorities_and_answers():
    assert service_metrics(exposition_of_counts()) == {
        "ncbi": {"waiting": 7, "requests": 12, "under_way": 2},
        "chembl": {"requests": 1, "down": 1},
    }


def test_counts_stand_beside_the_budget():
    async def look(state, _):
        return await state.body()

    services = virtual_time.run(read_states(look, exposition_of_counts))["services"]

    assert (services["ncbi"]["per_second"], services["ncbi"]["waiting"]) == (3.0, 7)
    assert services["chembl"]["down"] == 1
    assert (services["ensembl"]["waiting"], services["ensembl"]["requests"]) == (0, 0)


def test_a_pause_is_seen_at_the_next_look():
    async def look(state, transport):
        before = await state.body()
        transport.budgets.pause(NCBI, 30.0)
        at_once = await state.body()
        await LIFE.sleep(STATE_SECONDS)
        return before, at_once, await state.body()

    before, at_once, after = virtual_time.run(read_states(look))

    assert at_once is before
    assert "waiting" not in before["services"]["ncbi"]  # without metrics
    assert not before["services"]["ncbi"]["is_paused"]
    assert after["services"]["ncbi"]["is_paused"]
    assert 28.0 < after["services"]["ncbi"]["next_slot_seconds"] <= 30.0


def test_the_page_of_a_server_without_our_tools_is_empty():
    assert routes.protected(FastMCP("of others")) == {}
