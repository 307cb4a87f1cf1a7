"""Every state of a waiting call times every event at its service: its outcome, the time, the requests sent."""

import asyncio
import contextvars
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest

from biofact import EnsemblClient
from biofact.core import call
from biofact.core.errors import BiofactError, RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.gateway.ledger import ReplicaLedger
from biofact.gateway.membership import Membership, SharedMembership
from biofact.sandbox import Fault
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.service import BatchCall, Batching, Request
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing
from biofact.transport.turns import ledgers
from biofact.transport.turns.budget import Budgets
from tests import virtual_time
from tests.each_of import check_each, each_of
from tests.gateway.redis_stand_in import Link, Server
from tests.in_process import in_process
from tests.transport.scene import TOY, Lines, lines, requested_ids
from tests.virtual_time import now, wall_now

pytestmark = pytest.mark.quick

SLOW = replace(TOY, per_second=3.0, max_connections=3)
WORDS = Batching("word/1", 10, lambda ids: BatchCall(Request(SLOW, "/words", (("id", ",".join(ids)),)), Lines()))
BLOCK_SECONDS = 1.9
"""A first pause, in which calls come to wait."""
EVENT, GATE_OPENS, SHORTEST, SHORT, LONG = 1.0, 3.0, 0.5, 10.0, 40.0
USUAL_SECONDS, FEW_SECONDS = 29.5, 4.0
"""The time of a call, and that of a call whose deadline is the event."""
REDIS_SETTLES_SECONDS = 4.0
NEW_REPLICA = "redis, of which nobody knows how many share it"


class Line(httpx2.AsyncHTTPTransport):
    """A network whose connections and answers may be held up; ``sent`` has the time of each request."""

    def __init__(self) -> None:
        super().__init__(verify=False)
        self.sent: list[tuple[str, float]] = []
        self.connects = asyncio.Event()
        self.answers = asyncio.Event()
        self.failures = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await self.connects.wait()
        await request.extensions["trace"](
            "http11.send_request_headers.started", {"request": SimpleNamespace(method=b"GET")}
        )
        self.sent.append((request.url.query.decode(), now()))
        if self.failures:
            self.failures -= 1
            return httpx2.Response(500)
        await self.answers.wait()
        if request.url.path.endswith("/words"):
            return lines(requested_ids(request))
        return httpx2.Response(200, content=b"word")


class ReplicaBudgets(Budgets):
    """The budgets of a replica, one of two that share a Redis."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path, server: Server, *, count: int) -> None:
        super().__init__(settings, timing, folder)
        link = Link(server)
        shared = SharedMembership(link, Membership(link, timing, folder.name, configured_count=count))
        self.ledgers._shared = ReplicaLedger(link, timing, shared=lambda: shared, local=self.ledgers._take_here)


@dataclass
class Surroundings:
    """A process with the calls that wait, and another one that shares its ledger."""

    folder: Path
    ledger: str = "disk"
    line: Line = field(default_factory=Line)
    wall_offset: float = 0.0
    others: list = field(default_factory=list)
    gates: list = field(default_factory=list)
    start_time: float = 0.0
    locker: sqlite3.Connection | None = None

    def __post_init__(self) -> None:
        self.timing = virtual_time.timing(
            backoff_seconds=4.0, batch_window_seconds=1.5, wall_clock=lambda: wall_now() + self.wall_offset
        )
        self.redis = Server()
        self.redis.hset("biofact:replicas", "since", "1.0 before")
        self.transport, self.other_process = self.process("a"), self.process("b")
        self.lookups = self.transport.batched(WORDS)

    def process(self, name: str) -> Transport:
        settings = Settings({CACHE_DIR.name: str(self.folder)})
        if self.ledger == "disk":
            return Transport(settings, timing=self.timing, wire=self.line)
        count = 0 if self.ledger == NEW_REPLICA else 2
        budgets = ReplicaBudgets(settings, self.timing, self.folder / name, self.redis, count=count)
        return Transport(settings, timing=self.timing, wire=self.line, budgets=budgets)

    async def settle(self) -> None:
        """Let replicas get to know each other."""
        if self.ledger == "redis":
            await asyncio.gather(self.transport.join(), self.other_process.join())
            await asyncio.sleep(REDIS_SETTLES_SECONDS)
        self.start_time = now()

    def lose_ledger(self) -> None:
        self.redis.is_up = False
        path = self.folder / "budgets.sqlite"
        path.unlink(missing_ok=True)
        path.mkdir()

    def stall_ledger(self) -> None:
        """Hold the lock of the file; without Redis a replica waits until its lease is over."""
        self.redis.is_up = False
        self.locker = sqlite3.connect(self.folder / "budgets.sqlite", isolation_level=None)
        self.locker.execute("BEGIN IMMEDIATE")

    def empty_ledger(self) -> None:
        self.redis.empty()
        (self.folder / "budgets.sqlite").unlink(missing_ok=True)

    async def fetch(self, term: str) -> object:
        return await self.transport.fetch(Request(SLOW, "/word", (("term", term),)), bytes.decode)

    async def aclose(self) -> None:
        for pending in (*self.others, *self.gates):
            pending.cancel()
        await asyncio.gather(*self.others, return_exceptions=True)
        await self.transport.aclose()
        await self.other_process.aclose()
        if self.locker is not None:
            self.locker.close()

    def beside(self, question: Awaitable[object], seconds: float = USUAL_SECONDS) -> None:
        """Another call, with this much time."""
        loop, context = asyncio.get_running_loop(), contextvars.Context()
        self.others.append(loop.create_task(call_within(seconds, question), context=context))

    async def block(self, seconds: float = BLOCK_SECONDS) -> None:
        self.transport.budgets.pause(SLOW, seconds)
        await asyncio.sleep(0.01)


async def call_within(seconds: float, question: Awaitable[object]) -> object:
    with call.session() as current:
        current.deadline = now() + seconds
        return await question


async def connected(scene: Surroundings) -> object:
    await scene.block()
    return await scene.fetch("a")


async def behind_others(scene: Surroundings) -> object:
    await scene.block()
    for number in range(4):
        scene.beside(scene.fetch(f"other {number}"))
    await asyncio.sleep(0.01)
    return await scene.fetch("a")


async def queued_for_a_connection(scene: Surroundings) -> object:
    scene.line.answers.clear()
    for number in range(SLOW.max_connections):
        scene.beside(scene.fetch(f"other {number}"))
    await asyncio.sleep(0.9)  # all of them are sent
    return await scene.fetch("a")


async def connecting(scene: Surroundings) -> object:
    scene.line.connects.clear()
    return await scene.fetch("a")


async def sent(scene: Surroundings) -> object:
    scene.line.answers.clear()
    return await scene.fetch("a")


async def between_attempts(scene: Surroundings) -> object:
    scene.line.failures = 1
    return await scene.fetch("a")


async def joined_a_patient_call(scene: Surroundings) -> object:
    await scene.block()
    scene.beside(scene.fetch("a"), 300.0)
    await asyncio.sleep(0.01)
    return await scene.fetch("a")


async def in_the_batch_window(scene: Surroundings) -> object:
    scene.line.answers.clear()
    scene.beside(scene.lookups.get("first"))
    await asyncio.sleep(0.01)
    return await scene.lookups.get("a")


async def in_a_queued_batch(scene: Surroundings) -> object:
    await scene.block()
    return await scene.lookups.get("a")


async def in_the_batch_of_a_patient_call(scene: Surroundings) -> object:
    await scene.block()
    scene.beside(scene.lookups.get("patient"), 300.0)
    return await scene.lookups.get("a")


async def in_a_side_request(scene: Surroundings) -> object:
    await scene.block()
    return await scene.transport.side_leg(scene.fetch("a"))


State = Callable[[Surroundings], Awaitable[object]]
STATES: tuple[State, ...] = (
    connected,
    behind_others,
    queued_for_a_connection,
    connecting,
    sent,
    between_attempts,
    joined_a_patient_call,
    in_the_batch_window,
    in_a_queued_batch,
    in_the_batch_of_a_patient_call,
    in_a_side_request,
)


async def short_pause(scene: Surroundings, _: asyncio.Task) -> None:
    scene.transport.budgets.pause(SLOW, SHORT)


async def long_pause(scene: Surroundings, _: asyncio.Task) -> None:
    scene.transport.budgets.pause(SLOW, LONG)


async def long_pause_elsewhere(scene: Surroundings, _: asyncio.Task) -> None:
    scene.other_process.budgets.pause(SLOW, LONG)


async def breaker_opens(scene: Surroundings, _: asyncio.Task) -> None:
    retry = scene.transport._sessions.current.retry
    breaker = retry._breaker(SimpleNamespace(service=SLOW, part=""))
    for number in range(scene.timing.breaker_failures):
        breaker.add_failure(number, now())
    assert breaker._down_until


async def ledger_is_lost(scene: Surroundings, _: asyncio.Task) -> None:
    scene.lose_ledger()


async def ledger_is_lost_in_a_pause(scene: Surroundings, _: asyncio.Task) -> None:
    scene.transport.budgets.pause(SLOW, SHORT)
    await asyncio.sleep(0.01)
    scene.lose_ledger()


async def ledger_is_emptied(scene: Surroundings, _: asyncio.Task) -> None:
    scene.empty_ledger()


async def short_pauses(scene: Surroundings, _: asyncio.Task) -> None:
    async def pause_again_and_again() -> None:
        while True:
            scene.transport.budgets.pause(SLOW, SHORTEST)
            await asyncio.sleep(SHORTEST - 0.05)

    scene.others.append(asyncio.create_task(pause_again_and_again()))


async def deadline(scene: Surroundings, _: asyncio.Task) -> None:
    scene.line.connects.clear()
    scene.line.answers.clear()
    scene.stall_ledger()


async def clock_set_back(scene: Surroundings, _: asyncio.Task) -> None:
    scene.wall_offset -= 3600.0


async def clock_set_forward(scene: Surroundings, _: asyncio.Task) -> None:
    scene.wall_offset += 3600.0


async def cancelled(_: Surroundings, waiter: asyncio.Task) -> None:
    waiter.cancel()


async def client_closed(scene: Surroundings, _: asyncio.Task) -> None:
    await scene.transport.aclose()


Event = Callable[[Surroundings, asyncio.Task], Awaitable[None]]


@dataclass(frozen=True)
class Outcome:
    """The answer or error of a call between two times; nothing is sent in the pause."""

    words: str = ""
    """Words of the error; none for an answer."""
    earliest: float = 0.0
    latest: float = 8.0
    wait: float | None = None
    paused_until: float = 0.0


AT_ONCE = EVENT + 0.02
ANSWERED = Outcome()
AT_DEADLINE = Outcome("did not answer in time", FEW_SECONDS, FEW_SECONDS + 0.02)
NO_ANSWER_COMES = Outcome("No answer of", FEW_SECONDS, FEW_SECONDS + 0.52)
SIDE_REQUEST_ENDS = Outcome("no answer within 2 seconds", 2.0, 2.02)
PAUSED = Outcome("asked us to slow down", EVENT, AT_ONCE, LONG, EVENT + LONG)
PAUSED_AGAIN = Outcome("asked us to slow down", FEW_SECONDS - SHORTEST, FEW_SECONDS + 0.02, paused_until=FEW_SECONDS)

Row = tuple[Outcome, dict[State, Outcome]]
"""The usual outcome of an event, and those of some states."""
AFTER_THE_PAUSE: Row = (
    Outcome(earliest=EVENT + SHORT, latest=EVENT + SHORT + 4.0, paused_until=EVENT + SHORT),
    {
        sent: ANSWERED,
        in_a_side_request: replace(PAUSED, wait=SHORT, paused_until=EVENT + SHORT),
    },
)
AFTER_THE_BLOCK: Row = (
    replace(ANSWERED, paused_until=BLOCK_SECONDS),
    dict.fromkeys((connecting, sent, in_the_batch_window, queued_for_a_connection), ANSWERED),
)

TABLE: dict[Event, Row] = {
    short_pause: AFTER_THE_PAUSE,
    long_pause: (
        PAUSED,
        {
            sent: ANSWERED,
            between_attempts: replace(PAUSED, words="failed (HTTP 500)"),
        },
    ),
    long_pause_elsewhere: (
        replace(PAUSED, latest=EVENT + 1.02),
        {
            sent: ANSWERED,
            between_attempts: replace(PAUSED, words="failed (HTTP 500)", latest=EVENT + 1.02),
        },
    ),
    # Requests that are queued or sent go on: they may be the first that the service answers again.
    breaker_opens: (ANSWERED, {in_the_batch_window: Outcome("is down", EVENT, EVENT + 1.0, 10.0)}),
    ledger_is_lost: AFTER_THE_BLOCK,
    # The ledger then counts a pause from when its row was last written: this one outlasts the side request.
    clock_set_back: (ANSWERED, {in_a_side_request: replace(PAUSED, wait=None, paused_until=BLOCK_SECONDS)}),
    clock_set_forward: (ANSWERED, {}),
    cancelled: (Outcome("CancelledError", EVENT, AT_ONCE), {}),
    client_closed: (Outcome("closed", EVENT, AT_ONCE), {}),
    ledger_is_lost_in_a_pause: AFTER_THE_PAUSE,
    ledger_is_emptied: AFTER_THE_BLOCK,
    short_pauses: (
        PAUSED_AGAIN,
        {
            sent: ANSWERED,
            between_attempts: replace(PAUSED_AGAIN, words="failed (HTTP 500)"),
            in_a_side_request: replace(PAUSED_AGAIN, earliest=2.0 - SHORTEST, latest=2.02),
        },
    ),
    deadline: (
        replace(AT_DEADLINE, words="could not be read in time"),
        {
            queued_for_a_connection: AT_DEADLINE,
            connecting: AT_DEADLINE,
            sent: AT_DEADLINE,
            between_attempts: replace(AT_DEADLINE, words="failed (HTTP 500)"),
            **dict.fromkeys((joined_a_patient_call, in_the_batch_of_a_patient_call), NO_ANSWER_COMES),
            in_a_side_request: SIDE_REQUEST_ENDS,
        },
    ),
}

REDIS_LOST = Outcome("is not asked: Redis", EVENT, FEW_SECONDS)
UNUSUAL_WITH_REDIS: dict[Event, dict[State, Outcome]] = {
    # The replica waits until its lease is over, then takes its share of the slots.
    ledger_is_lost: {behind_others: Outcome(latest=12.0), in_a_side_request: SIDE_REQUEST_ENDS},
    clock_set_back: {in_a_side_request: ANSWERED},
    # Some slots may be in no row: a window has to pass.
    ledger_is_emptied: {in_a_side_request: SIDE_REQUEST_ENDS},
    deadline: {between_attempts: replace(REDIS_LOST, words="failed (HTTP 500)")}
    | dict.fromkeys(
        (connected, behind_others, queued_for_a_connection, connecting, in_the_batch_window, in_a_queued_batch),
        REDIS_LOST,
    ),
}
"""The outcomes that are others than with the ledger on the disk."""
LASTING_LOSS = replace(REDIS_LOST, latest=EVENT + 4.0)


async def heard(folder: Path, ledger: str, state: State, event: Event) -> tuple[object, float, list[float]]:
    """The answer or error of a call in this state, the seconds until it came, and the times of all requests."""
    scene = Surroundings(folder, ledger)
    scene.line.connects.set()
    scene.line.answers.set()
    await scene.settle()
    seconds = FEW_SECONDS if event in {deadline, short_pauses} else USUAL_SECONDS
    waiter = asyncio.ensure_future(call_within(seconds, state(scene)))
    await asyncio.sleep(EVENT)
    assert not waiter.done()
    await event(scene, waiter)
    if event is not deadline:
        for gate in (scene.line.connects, scene.line.answers):
            scene.gates.append(asyncio.get_running_loop().call_at(scene.start_time + GATE_OPENS, gate.set))
    (outcome,) = await asyncio.gather(waiter, return_exceptions=True)
    time = now() - scene.start_time
    await scene.aclose()
    return outcome, time, [moment - scene.start_time for _, moment in scene.line.sent]


def expected_outcome(ledger: str, state: State, event: Event) -> Outcome:
    usual, unusual = TABLE[event]
    with_redis = UNUSUAL_WITH_REDIS.get(event, {}) if ledger == "redis" else {}
    return {state: usual, **unusual, **with_redis}[state]


def check(folder: Path, ledger: str, state: State, event: Event, expected: Outcome) -> None:
    outcome, time, sent_at = virtual_time.run(heard(folder, ledger, state, event))
    message = f"{type(outcome).__name__}: {outcome}"

    assert isinstance(outcome, BaseException) == bool(expected.words), message
    assert not expected.words or expected.words in message, (message, time)
    assert expected.earliest - 0.01 <= time <= expected.latest, (message, time)
    if expected.wait is not None:
        assert isinstance(outcome, BiofactError)
        assert isinstance(outcome.recovery, RetryAfter)
        assert expected.wait - (time - EVENT) <= outcome.recovery.seconds <= expected.wait - (time - EVENT) + 1.0
    assert [moment for moment in sent_at if EVENT < moment < expected.paused_until] == []


@pytest.mark.parametrize(
    ("ledger", "event"),
    [
        *(("disk", event) for event in TABLE),
        *(("redis", event) for event in UNUSUAL_WITH_REDIS),
        *(pytest.param("redis", event, marks=pytest.mark.sweep) for event in TABLE if event not in UNUSUAL_WITH_REDIS),
    ],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_a_waiting_call_in_any_state_hears_the_truth_in_time(tmp_path, monkeypatch, ledger, event):
    monkeypatch.setattr(ledgers, "_LOCK_POLL_SECONDS", 0.1)

    def check_state(state: State) -> None:
        folder = tmp_path / state.__name__
        folder.mkdir()
        check(folder, ledger, state, event, expected_outcome(ledger, state, event))
        shutil.rmtree(folder)

    check_each(STATES, check_state)


@each_of(
    ("state", "expected"),
    {
        connected: LASTING_LOSS,
        behind_others: LASTING_LOSS,
        queued_for_a_connection: LASTING_LOSS,
        connecting: LASTING_LOSS,
        sent: ANSWERED,
        between_attempts: replace(LASTING_LOSS, words="failed (HTTP 500)"),
        joined_a_patient_call: LASTING_LOSS,
        in_the_batch_window: LASTING_LOSS,
        in_a_queued_batch: LASTING_LOSS,
        in_the_batch_of_a_patient_call: LASTING_LOSS,
        in_a_side_request: SIDE_REQUEST_ENDS,
    }.items(),
)
def test_a_waiting_call_hears_that_there_will_be_no_slot_without_redis(tmp_path, state, expected):
    folder = tmp_path / state.__name__
    folder.mkdir()

    check(folder, NEW_REPLICA, state, ledger_is_lost, expected)


@pytest.mark.parametrize("connect_seconds", [0.0, 3.0])
def test_a_gene_whose_parallel_request_is_limited_is_refused_with_the_pause(tmp_path, connect_seconds):
    async def test():
        async with in_process() as (sandbox, network):
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path)})
            async with Transport(settings, timing=virtual_time.timing(), wire=network) as transport:
                sandbox.faults.set(
                    Fault("status", service="ensembl", status=429, headers={"Retry-After": "40"}, times=1)
                )
                network.set_connect_seconds(lambda: connect_seconds)
                with pytest.raises(RateLimited) as refusal:
                    await EnsemblClient(transport).get_gene("ENSG00000141510")
                return now(), refusal.value, len(sandbox.requests)

    seconds, error, count = virtual_time.run(test())

    assert (error.message, error.recovery) == ("Ensembl REST asked us to slow down.", RetryAfter(40))
    assert (seconds, count) == (connect_seconds, 1)


def test_a_request_without_a_slot_reports_an_earlier_failure_of_its_call(tmp_path):
    """The service failed, then its queue got too long for what the call has left."""

    async def test():
        scene = Surroundings(tmp_path)
        scene.line.connects.set()
        scene.line.answers.set()
        scene.line.failures = 100
        with call.session() as current:
            current.deadline = now() + 3.0
            first = asyncio.create_task(scene.fetch("fails"))
            await asyncio.sleep(0.1)
            scene.line.connects.clear()
            second = asyncio.create_task(scene.fetch("never sent"))
            outcomes = await asyncio.gather(first, second, return_exceptions=True)
            scene.line.connects.set()
            scene.transport.budgets.pause(SLOW, LONG)
            outcomes += await asyncio.gather(scene.fetch("later"), return_exceptions=True)
        await scene.transport.aclose()
        return [error.message for error in outcomes]

    assert virtual_time.run(test()) == ["The Toy Database failed (HTTP 500)."] * 3


@each_of("is_batched", [True, False])
def test_a_call_that_joined_a_patient_one_reports_how_the_service_failed_until_its_deadline(tmp_path, is_batched):
    async def test():
        scene = Surroundings(tmp_path)
        scene.line.connects.set()
        scene.line.answers.set()
        scene.line.failures = 100

        def question() -> Awaitable[object]:
            return scene.lookups.get("a") if is_batched else scene.fetch("a")

        scene.beside(question(), 300.0)
        await asyncio.sleep(0)
        with pytest.raises(UpstreamError) as failure:
            await call_within(FEW_SECONDS, question())
        await scene.aclose()
        return failure.value.message, now()

    message, seconds = virtual_time.run(test())

    assert message == "The Toy Database failed (HTTP 500)."
    assert FEW_SECONDS <= seconds <= FEW_SECONDS + 0.52


def test_a_connection_that_does_not_stand_by_the_deadline_is_not_blamed_on_the_rate(tmp_path):
    async def test():
        scene = Surroundings(tmp_path)
        with pytest.raises(UpstreamError, match="did not answer in time"):
            await call_within(5.0, scene.fetch("a"))
        await scene.transport.aclose()
        return now()

    assert virtual_time.run(test()) == pytest.approx(5.0, abs=0.01)
