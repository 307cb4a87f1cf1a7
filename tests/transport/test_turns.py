"""The order of requests: the oldest call goes first, and no call waits in vain."""

import asyncio
from dataclasses import replace

import pytest

from biofact.core.call import Call
from biofact.transport.service import SlotTooLate
from biofact.transport.turns.budget import Budgets
from tests.marks import requirement
from tests.transport.machines import GAP, NCBI, TOLERANCE, Machine, moments, now

pytestmark = pytest.mark.quick


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


async def ask(budgets: Budgets, call: Call, log: list, name: object = None, *, answer_seconds: float = 0.0):
    """One request of ``call``: its slot is logged, or the wait in its refusal."""
    try:
        async with budgets.slot(NCBI, call) as ready:
            await ready()
            log.append((name, now()))
            await asyncio.sleep(answer_seconds)
    except SlotTooLate as late:
        log.append((name, late))


def call_within(seconds: float, **options) -> Call:
    return Call(deadline=now() + seconds, **options)


def test_requests_of_an_older_call_go_before_those_of_a_younger(machine):
    async def test():
        budgets = machine.process()
        old, young = call_within(60.0), call_within(60.0)
        log = []
        async with asyncio.TaskGroup() as group:
            for _ in range(5):
                group.create_task(ask(budgets, young, log, "young"))
            await asyncio.sleep(GAP)  # two of the young have a connection by now
            for _ in range(5):
                group.create_task(ask(budgets, old, log, "old"))

        assert [name for name, _ in log] == ["young"] * 3 + ["old"] * 5 + ["young"] * 2

    machine.run(test())


def test_a_call_that_asks_again_keeps_its_place(machine):
    async def test():
        budgets = machine.process()
        log = []

        async def call(name: str) -> None:
            own = call_within(60.0)
            for _ in range(3):
                await ask(budgets, own, log, name)

        await asyncio.gather(*(call(name) for name in "abcd"))
        ends = {name: max(number for number, (owner, _) in enumerate(log) if owner == name) for name in "abcd"}

        assert ends["a"] < ends["b"] < ends["c"] < ends["d"]
        assert ends["a"] <= 4  # and not after the first requests of all the others and the second, as by turns

    machine.run(test())


def test_a_joinable_request_lets_the_others_pass_for_two_seconds(machine):
    async def test():
        budgets = machine.process()
        joinable = call_within(60.0, yields_until=2.0)
        log = []
        async with asyncio.TaskGroup() as group:
            group.create_task(ask(budgets, joinable, log, "joinable"))
            for number in range(10):
                group.create_task(ask(budgets, call_within(60.0), log, number))
        times = dict(log)

        assert times["joinable"] == pytest.approx(6 * GAP, abs=TOLERANCE)  # the first slot after two seconds
        assert sorted(log, key=lambda row: row[1])[6][0] == "joinable"

    machine.run(test())


def test_a_joinable_request_goes_at_once_if_no_other_waits(machine):
    async def test():
        log = []
        await ask(machine.process(), call_within(60.0, yields_until=2.0), log)

        assert log == [(None, 0.0)]

    machine.run(test())


def test_a_turn_after_the_deadline_is_refused_at_once(machine):
    async def test():
        budgets = machine.process()
        log = []
        async with asyncio.TaskGroup() as group:
            for number in range(200):
                group.create_task(ask(budgets, call_within(30.0), log, number))
            await moments()
            refused = [name for name, outcome in log if isinstance(outcome, SlotTooLate)]
            assert now() == 0.0
            assert refused == list(range(82, 200))  # 81 gaps are 29.97 seconds

        assert len([name for name, outcome in log if isinstance(outcome, float)]) == 82

    machine.run(test())


def test_a_caller_who_returns_after_the_reported_wait_is_served_within_the_deadline(machine):
    async def test():
        budgets = machine.process()
        log = []

        async def caller(number: int) -> int:
            for tries in range(1, 3):
                await ask(budgets, call_within(30.0), log, number)
                outcome = next(outcome for name, outcome in reversed(log) if name == number)
                if isinstance(outcome, float):
                    return tries
                await asyncio.sleep(outcome.retry_after_seconds)
            return 0

        tries = await asyncio.gather(*map(caller, range(200)))

        assert set(tries) == {1, 2}

    machine.run(test())


def test_further_requests_of_older_calls_are_counted_with(machine):
    async def test():
        budgets = machine.process()
        log = []

        async def call(number: int) -> None:
            own = call_within(30.0)
            for _ in range(4):
                await ask(budgets, own, log, number)

        await asyncio.gather(*(call(number) for number in range(60)))
        slots = [name for name, outcome in log if isinstance(outcome, float)]
        answered_names = {name for name in slots if slots.count(name) == 4}

        assert len(slots) >= 80
        assert len(answered_names) >= 19  # of 20 that the rate allows

    machine.run(test())


@requirement("000 R4-long-RA", "004 S-err-net")
def test_a_pause_is_reported_at_once_to_all_callers_with_less_time(machine):
    async def test():
        budgets = machine.process()
        log = []
        async with asyncio.TaskGroup() as group:
            for number in range(3):
                group.create_task(ask(budgets, call_within(30.0), log, f"waits {number}"))
            patient = group.create_task(ask(budgets, call_within(120.0), log, "patient"))
            await asyncio.sleep(0.1)
            budgets.pause(NCBI, 60.0)
            await moments()
            waits_by_name = {
                name: outcome.retry_after_seconds for name, outcome in log if isinstance(outcome, SlotTooLate)
            }
            assert waits_by_name == {"waits 1": pytest.approx(60.0), "waits 2": pytest.approx(60.0)}
            await asyncio.sleep(20.0)
            await ask(budgets, call_within(30.0), log, "comes later")
            assert log[-1][1].retry_after_seconds == pytest.approx(40.0)
            assert log[-1][1].is_rate_limit
            await patient

        assert log[-1] == ("patient", pytest.approx(60.1, abs=0.01))

    machine.run(test())


@requirement("001 FR-019")
def test_a_pause_is_reported_to_callers_between_two_attempts(machine):
    async def test():
        budgets = machine.process()
        retries = [asyncio.create_task(budgets.rest(NCBI, 8.0, call_within(seconds))) for seconds in (30.0, 120.0)]
        await asyncio.sleep(1.0)
        budgets.pause(NCBI, 60.0)
        await moments()
        assert retries[0].done()
        with pytest.raises(SlotTooLate, match="slow down"):
            await retries[0]
        await retries[1]

        assert now() == 8.0

    machine.run(test())


def test_a_pause_requested_of_another_process_is_reported_without_a_connection(machine):
    async def test():
        first, second = machine.process(), machine.process()
        first.pause(NCBI, 60.0)
        await moments()
        with pytest.raises(SlotTooLate, match="slow down"):
            async with second.slot(NCBI, call_within(30.0)):
                pytest.fail("there is no turn for it")

    machine.run(test())


def test_a_pause_for_another_reason_than_the_rate_is_reported_as_such(machine):
    async def test():
        budgets = machine.process()
        budgets.pause(NCBI, 60.0, is_rate_limit=False)
        log = []
        await moments()
        await ask(budgets, call_within(30.0), log)

        assert not log[0][1].is_rate_limit

    machine.run(test())


def test_a_lifted_pause_releases_every_caller(machine):
    async def test():
        first, second = machine.process(), machine.process()
        first.pause(NCBI, 60.0)
        await moments()
        log = []
        waiters = asyncio.create_task(ask(first, call_within(120.0), log))
        await asyncio.sleep(1.0)
        assert (await first.stats(NCBI)).is_paused
        await second.lift(NCBI)
        await waiters

        assert log[0][1] <= 6.0  # a waiting request looks again every five seconds
        assert not (await second.stats(NCBI)).is_paused

    machine.run(test())


def test_after_a_lift_no_caller_is_refused_for_the_former_pause(machine):
    async def test():
        budgets = machine.process()
        log = []
        patient = asyncio.create_task(ask(budgets, call_within(120.0), log, "patient"))
        await moments()
        await patient
        budgets.pause(NCBI, 60.0)
        await moments()
        waiters = asyncio.create_task(ask(budgets, call_within(120.0), log, "waiting"))
        await moments()
        await budgets.lift(NCBI)
        await ask(budgets, call_within(30.0), log, "next")
        await waiters

        assert all(isinstance(outcome, float) and outcome <= 6.0 for _, outcome in log)

    machine.run(test())


def test_a_slot_is_taken_when_the_connection_is_ready(machine):
    async def test():
        budgets = machine.process()
        times = []

        async def request(connect_seconds: float) -> None:
            async with budgets.slot(NCBI, call_within(30.0)) as ready:
                await asyncio.sleep(connect_seconds)
                await ready()
                times.append(now())

        await asyncio.gather(*(request(seconds) for seconds in (2.0, 0.1, 0.1, 0.1)))

        assert times == pytest.approx([0.1, 0.1 + GAP, 0.1 + 2 * GAP, 2.0], abs=TOLERANCE)

    machine.run(test())


@requirement("002 FR-004")
def test_no_more_requests_are_under_way_than_the_service_takes(machine):
    async def test():
        small_service = replace(NCBI, max_connections=4, per_second=1000.0)
        budgets = machine.process()
        open_slots, let_go = [], asyncio.Event()

        async def hold(lane: str) -> None:
            async with budgets.slot(small_service, call_within(30.0, lane=lane)) as ready:
                await ready()
                open_slots.append(lane)
                await let_go.wait()

        async with asyncio.TaskGroup() as group:
            for lane in ["bulk"] * 5 + ["interactive"] * 3:
                group.create_task(hold(lane))
            await asyncio.sleep(1.0)
            under_way = sorted(open_slots)
            let_go.set()

        assert len(under_way) == 4
        assert under_way.count("bulk") <= 2  # bulk work leaves connections to the urgent
        assert len(open_slots) == 8

    machine.run(test())
