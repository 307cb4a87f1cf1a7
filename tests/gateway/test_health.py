"""/healthz and /readyz: an immediate answer in any state, once a second at most, without requests or place names."""

import asyncio
from contextlib import aclosing

import pytest
from starlette.applications import Starlette

from biofact import __version__
from biofact.gateway import health
from biofact.gateway.health import PartState, Readiness, ShutdownPart, kept_parts
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.interfaces.http.pages import fetch
from tests.sandboxed import LIFE, machine

pytestmark = pytest.mark.quick

OK = PartState("ok")


class Part:
    """A part that answers after some seconds."""

    def __init__(self, name="redis", state=OK, seconds=0.0):
        self.name = name
        self.answer = state
        self.seconds = seconds
        self.looks = 0

    async def state(self):
        self.looks += 1
        await asyncio.sleep(self.seconds)
        return self.answer


def app(*parts):
    return Starlette(routes=health.routes(Readiness(parts)))


def get_response(path, *parts):
    return virtual_time.run(fetch(app(*parts), path))


def test_a_process_that_answers_is_healthy_in_any_state_of_its_parts():
    answer = get_response("/healthz", Part(state=PartState("failed")))

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "version": __version__})


@pytest.mark.parametrize(
    ("state", "status", "word"),
    [("ok", 200, "ready"), ("degraded", 200, "ready"), ("failed", 503, "not ready")],
)
def test_a_part_that_has_failed_makes_it_not_ready(state, status, word):
    answer = get_response("/readyz", Part("cache"), Part("redis", PartState(state, "a reason")))

    assert answer.status_code == status
    assert answer.json() == {
        "status": word,
        "parts": {"cache": {"state": "ok"}, "redis": {"state": state, "reason": "a reason"}},
    }


def test_a_server_that_shuts_down_is_not_ready():
    flags = []

    async def scenario():
        application = app(ShutdownPart(lambda: bool(flags)))
        before = await fetch(application, "/readyz")
        flags.append(1)
        await asyncio.sleep(health.LOOK_SECONDS)
        return before, await fetch(application, "/readyz")

    before, after = virtual_time.run(scenario())

    assert (before.status_code, after.status_code) == (200, 503)
    assert after.json()["parts"]["server"] == {"state": "failed", "reason": "shutting down"}


def test_a_part_is_checked_once_a_second_for_any_number_of_requests():
    part = Part(seconds=0.01)

    async def scenario():
        readiness = Readiness([part])
        for _ in range(3):
            await asyncio.gather(*(readiness.states() for _ in range(200)))
            await asyncio.sleep(health.LOOK_SECONDS / 4)
        return part.looks

    assert virtual_time.run(scenario()) == 1


def test_a_part_that_stalls_is_shown_as_it_was_and_then_as_silent():
    part = Part()

    async def timed(readiness):
        start_seconds = virtual_time.now()
        (state,) = (await readiness.states()).values()
        return state.state, virtual_time.now() - start_seconds

    async def scenario():
        readiness = Readiness([part])
        first = await timed(readiness)
        part.seconds = 30.0
        answers = []
        for _ in range(15):
            await asyncio.sleep(health.LOOK_SECONDS)
            answers.append(await timed(readiness))
        part.seconds = 0.0
        await asyncio.sleep(30)
        return first, answers, await timed(readiness), part.looks

    first, answers, last, looks = virtual_time.run(scenario())

    assert (first[0], last[0]) == ("ok", "ok")
    assert [state for state, _ in answers] == ["ok"] * 9 + ["failed"] * 6
    assert max(seconds for _, seconds in answers) < 0.05
    assert looks == 3  # the one that hung was asked once


def test_a_part_is_starting_until_it_answers_and_failed_if_it_does_not():
    async def scenario(seconds):
        application = app(Part(seconds=seconds))
        answers = []
        for _ in range(13):
            answers.append(await fetch(application, "/readyz"))
            await asyncio.sleep(health.LOOK_SECONDS)
        return answers

    late, silent = (virtual_time.run(scenario(seconds)) for seconds in (5.0, 60.0))

    assert (late[0].status_code, late[0].json()) == (
        503,
        {
            "status": "not ready",
            "parts": {"redis": {"state": "starting", "reason": "its first answer is awaited"}},
        },
    )
    assert [answer.status_code for answer in late] == [503] * 5 + [200] * 8
    states = [answer.json()["parts"]["redis"] for answer in silent]
    assert [state["state"] for state in states] == ["starting"] * 10 + ["failed"] * 3
    assert states[-1]["reason"] == "does not answer"


def test_the_first_answers_are_awaited_for_a_limited_time():
    async def scenario(seconds):
        part = Part(seconds=seconds)
        (state,) = (await Readiness([part]).states(health.START_SECONDS)).values()
        return state.state, virtual_time.now()

    assert virtual_time.run(scenario(3.0)) == ("ok", 3.0)
    assert virtual_time.run(scenario(60.0)) == ("starting", health.START_SECONDS)


def parts_of(settings=None, break_it=None):
    """The parts of /readyz for a transport's cache and ledger, and the requests to the sandbox meanwhile."""

    async def scenario():
        async with (
            machine(settings) as (sandbox, network, environment),
            aclosing(Transport(environment, timing=LIFE, wire=network)) as transport,
        ):

            async def open_transport():
                return transport

            application = app(*kept_parts(open_transport))
            answer = await fetch(application, "/readyz")
            if break_it:
                await break_it(transport, environment)
                await asyncio.sleep(health.LOOK_SECONDS)
                answer = await fetch(application, "/readyz")
            return answer, list(sandbox.requests)

    return virtual_time.run(scenario())


def test_cache_and_ledger_are_looked_at_and_no_service_is():
    answer, requests = parts_of()

    assert answer.status_code == 200
    assert answer.json()["parts"] == {
        "cache": {"state": "ok", "reason": "sqlite"},
        "ledger": {"state": "ok", "reason": "sqlite"},
    }
    assert requests == []


def test_a_folder_that_cannot_be_used_is_reported_without_its_name(tmp_path):
    blocked = tmp_path / "a-file"
    blocked.write_text("no folder")

    answer, _ = parts_of({"BIOFACT_CACHE_DIR": str(blocked)})

    assert answer.status_code == 200  # calls are answered all the same
    assert answer.json()["parts"] == {
        "cache": {"state": "degraded", "reason": "memory in place of sqlite"},
        "ledger": {"state": "degraded", "reason": "memory in place of sqlite"},
    }
    assert "a-file" not in answer.text
