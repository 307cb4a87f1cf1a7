"""The sandbox in process behaves like the sandbox on loopback, fault for fault."""

import asyncio
import itertools
from typing import get_args
from urllib.parse import urlsplit

import pytest

from biofact.core.settings import Settings
from biofact.dialects.eutils import NCBI
from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.faults import Kind
from biofact.sandbox.standin import Reply
from biofact.transport.ask.wire import Wire
from biofact.transport.service import MIB, BodyTooLarge, Request, Transient
from biofact.transport.timing import Timing
from tests.in_process import in_process
from tests.sandbox.three_genes import ThreeGenes
from tests.virtual_time import run, timing

pytestmark = pytest.mark.quick

FETCH = Request(NCBI, "/efetch.fcgi", (("db", "gene"), ("id", "7157,22059"), ("retmode", "xml")))
FOR_EVER = 3600.0
PATIENT = {"connect_seconds": 300.0, "read_seconds": 300.0}
IMPATIENT = {"connect_seconds": 300.0, "read_seconds": 0.05}
"""Timing for requests that are never answered: real time is the same on both, on any machine."""

FAULTS = [
    Fault("status", status=429, headers={"Retry-After": "1"}, body=b'{"error":"slow down"}'),
    Fault("status", status=503),
    Fault("status", status=404, body=b"x" * 5000),
    Fault("body", body=b"<ERROR>proxy_stream() 502</ERROR>"),
    Fault("body", body=b""),
    Fault("html"),
    Fault("delay", seconds=0.01),
    Fault("delay", seconds=FOR_EVER),
    Fault("slow_body", size=500, seconds=0.001),
    Fault("slow_body", size=1, seconds=FOR_EVER),
    Fault("truncate", at=60),
    Fault("short", at=60),
    Fault("short", at=0),
    Fault("reset", at=0),
    Fault("reset", at=40),
    Fault("close"),
    Fault("oversize", at=200, size=MIB),
    Fault("bomb", at=200, size=MIB),
    Fault("entities"),
    Fault("external_entity"),
]


LARGE_FAULTS = [Fault("oversize", at=200, size=70 * MIB), Fault("bomb", at=200, size=70 * MIB)]


def named_fault(fault):
    return f"{fault.kind}-{fault.status}-{fault.at}-{fault.size}-{fault.seconds}"


async def exchange_body(wire):
    answer = await wire.exchange(FETCH)
    return answer.status, answer.headers, answer.body


async def streamed(wire):
    async with wire.stream(FETCH) as (answer, chunks):
        return answer.status, answer.headers, b"".join([chunk async for chunk in chunks])


async def outcome(exchange, wire):
    """An answer or its error; the number of requests left in this second depends on real time."""
    try:
        status, headers, body = await exchange(wire)
    except (Transient, BodyTooLarge) as failure:
        return str(failure)
    return status, {name: value for name, value in headers.items() if name != "x-ratelimit-remaining"}, body


async def outcomes(sandbox, network, fault, timing):
    """The behaviour of a wire at a fault between two sound answers, and the requests to the sandbox."""
    wire = Wire(Settings(sandbox.environment()), timing, network)
    results = []
    try:
        for exchange in (exchange_body, streamed):
            for faults in ([], [fault], []):
                sandbox.faults.set(*faults)
                results.append(await outcome(exchange, wire))
    finally:
        await wire.aclose()
    return results, [(request.path, request.params, request.status) for request in sandbox.requests]


@pytest.mark.parametrize(
    "fault", [*FAULTS, *(pytest.param(large, marks=pytest.mark.sweep) for large in LARGE_FAULTS)], ids=named_fault
)
def test_a_fault_looks_in_process_as_it_does_through_sockets(fault):
    seconds = IMPATIENT if fault.seconds == FOR_EVER else PATIENT
    options = {"stand_ins": [EutilsStandIn(ThreeGenes(), HistoryServer())], "rate_factor": 1000.0}

    async def through_sockets():
        async with Sandbox(**options) as sandbox:
            return await outcomes(sandbox, None, fault, Timing(**seconds)), urlsplit(sandbox.url).port

    async def in_this_process(port):
        async with in_process(**options, port=port) as (sandbox, network):
            return await outcomes(sandbox, network, fault, timing(**seconds))

    real, port = asyncio.run(through_sockets())
    virtual = run(in_this_process(port))

    assert virtual == real
    assert real[0][0][0] == 200


def test_every_kind_of_fault_is_compared():
    assert {fault.kind for fault in FAULTS} == set(get_args(Kind))


def test_a_sandbox_that_is_gone_cannot_be_reached():
    async def scenario():
        async with in_process(stand_ins=[EutilsStandIn(ThreeGenes(), HistoryServer())]) as (sandbox, network):
            wire = Wire(Settings(sandbox.environment()), timing(), network)
        with pytest.raises(Transient, match="cannot be reached"):
            await wire.exchange(FETCH)

    run(scenario())


def test_a_client_that_does_not_read_holds_the_server_back():
    counter = itertools.count()

    class Endless:
        service = NCBI

        def reply(self, ask):
            return Reply((bytes(MIB) for _ in counter), "text/xml")

    async def scenario():
        async with in_process(stand_ins=[Endless()]) as (sandbox, network):
            wire = Wire(Settings(sandbox.environment()), timing(), network)
            async with wire.stream(FETCH):
                await asyncio.sleep(60.0)
                start = next(counter)
            await wire.aclose()
            return start

    assert run(scenario()) < 100  # packed to 4.5 KB each; 64 KiB are read, and as many under way


def test_the_sandbox_counts_requests_by_the_loop_s_clock():
    async def scenario():
        async with in_process(stand_ins=[EutilsStandIn(ThreeGenes(), HistoryServer())]) as (sandbox, network):
            wire = Wire(Settings(sandbox.environment()), timing(), network)
            at_once = [(await wire.exchange(FETCH)).status for _ in range(4)]
            await asyncio.sleep(1.0)
            last_status = (await wire.exchange(FETCH)).status
            await wire.aclose()
            return at_once, last_status

    assert run(scenario()) == ([200, 200, 200, 429], 200)
