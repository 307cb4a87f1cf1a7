"""Fair shares within one process: no caller's flood keeps another from its turn."""

import asyncio

import pytest

from biofact.core.call import Call
from biofact.transport.turns.budget import Budgets
from tests.transport.crowd import GAP, SERVICE_WITH_KEY, Crowd, most_in_a_window
from tests.transport.machines import Machine, moments, now

pytestmark = pytest.mark.quick


@pytest.fixture
def machine():
    return Machine(None)


async def flood(budgets: Budgets, count: int = 60, **options: object) -> Crowd:
    """A crowd of one caller who has asked far too much for a while."""
    crowd = Crowd()
    crowd.ask("flood", count, budgets, **options)
    await asyncio.sleep(5.0)
    return crowd


def test_a_caller_who_comes_late_goes_before_a_flood(machine):
    async def test():
        budgets = machine.process()
        crowd = await flood(budgets, 300)
        for _ in range(5):
            await crowd.ask_once(budgets, "late")
        await crowd.end()

        assert crowd.counts()["late"] == 5
        assert max(seconds for subject, seconds in crowd.waits if subject == "late") < 3.5 * GAP  # two are prepared

    machine.run(test())


def test_two_callers_who_ask_without_end_get_half_each(machine):
    async def test():
        budgets = machine.process()
        crowd = await flood(budgets)
        crowd.ask("other", 20, budgets)
        start = now()
        await asyncio.sleep(20.0)
        counts = crowd.counts(since=start)
        await crowd.end()

        assert abs(counts["flood"] - counts["other"]) <= 3

    machine.run(test())


@pytest.mark.parametrize(("callers", "seconds"), [(10, 20.0), pytest.param(20, 60.0, marks=pytest.mark.sweep)])
def test_of_one_flood_and_others_every_caller_gets_as_much(machine, callers, seconds):
    async def test():
        budgets = machine.process()
        crowd = Crowd()
        crowd.ask("flood", 50, budgets)
        for number in range(1, callers):
            crowd.ask(f"caller {number}", 1 + number % 2, budgets)
        await asyncio.sleep(seconds)
        await crowd.end()
        counts = crowd.counts()

        assert len(counts) == callers
        assert min(counts.values()) >= 0.95 * len(crowd.slots) / callers
        assert len(crowd.slots) >= 0.88 * 10 * seconds
        assert most_in_a_window(crowd.slots) == 10
        assert {subject for subject, *_ in crowd.refusals} == {"flood"}

    machine.run(test())


def test_an_idle_caller_gets_no_credit(machine):
    async def test():
        budgets = machine.process()
        crowd = Crowd()
        await crowd.ask_once(budgets, "idle")
        crowd.ask("busy", 20, budgets)
        await asyncio.sleep(20.0)
        crowd.ask("idle", 20, budgets)
        start = now()
        await asyncio.sleep(20 * GAP)
        counts = crowd.counts(since=start)
        await crowd.end()

        assert counts["busy"] >= 8

    machine.run(test())


def test_of_callers_who_have_had_as_much_the_oldest_call_goes_first(machine):
    async def test():
        budgets = machine.process()
        crowd = Crowd()
        await crowd.ask_once(budgets, "first")
        calls = [(subject, Call(subject=subject, deadline=now() + 60.0)) for subject in "abcdef"]
        order = []

        async def request(subject: str, call: Call) -> None:
            async with budgets.slot(SERVICE_WITH_KEY, call) as ready:
                await ready()
                order.append(subject)

        await asyncio.gather(*(request(*details) for details in reversed(calls)))

        assert order == list("eabcdf")  # the last two had connections before the others came

    machine.run(test())


def test_an_interactive_call_goes_before_the_bulk_of_others(machine):
    async def test():
        budgets = machine.process()
        crowd = await flood(budgets, lane="bulk")
        crowd.ask("other", 20, budgets, lane="bulk")
        await asyncio.sleep(5.0)
        start = now()
        await asyncio.gather(*(crowd.ask_once(budgets, "urgent") for _ in range(5)))
        counts = crowd.counts(since=start)
        await crowd.end()

        assert max(seconds for subject, seconds in crowd.waits if subject == "urgent") < 6.5 * GAP
        assert counts["urgent"] == 5

    machine.run(test())


def test_an_interactive_flood_does_not_starve_the_bulk_of_another_caller(machine):
    async def test():
        budgets = machine.process()
        crowd = await flood(budgets)
        crowd.ask("bulk", 5, budgets, lane="bulk")
        start = now()
        await asyncio.sleep(10.0)
        await crowd.end()
        bulk = [time for time, subject in crowd.slots if subject == "bulk"]

        assert 5 * GAP < bulk[0] - start < 15 * GAP
        assert crowd.counts(since=bulk[0])["bulk"] >= 0.45 * sum(crowd.counts(since=bulk[0]).values())

    machine.run(test())


def test_a_caller_with_a_name_is_served_as_one_without(machine):
    async def test():
        orders = {}
        for name in ("", "0123456789abcdef"):
            budgets, began, orders[name] = machine.process(), now(), []

            async def request(number: int, budgets=budgets, log=orders[name], began=began, name=name) -> None:
                lane = "bulk" if number % 3 == 0 else "interactive"
                call = Call(lane, number=1000 - number, subject=name, deadline=began + 60.0)
                async with budgets.slot(SERVICE_WITH_KEY, call) as ready:
                    await ready()
                    log.append((number, round(now() - began, 2)))

            await asyncio.gather(*map(request, range(40)))
            await asyncio.sleep(1.0)

        assert len(orders[""]) == 40
        assert orders[""] == orders["0123456789abcdef"]

    machine.run(test())


def test_only_callers_of_a_flood_are_refused_early(machine):
    async def test():
        budgets = machine.process()
        crowd = Crowd()
        for number in range(19):
            crowd.ask(f"caller {number}", 1, budgets)
        await asyncio.sleep(20.0)
        crowd.ask("flood", 100, budgets)
        await moments()
        at_once = len(crowd.refusals)
        await crowd.ask_once(budgets, "new")
        await asyncio.sleep(15.0)
        await crowd.end()

        assert at_once >= 80  # of 100, as its share is 13 within the deadline
        assert {subject for subject, *_ in crowd.refusals} == {"flood"}
        assert crowd.counts()["new"] == 1

    machine.run(test())


@pytest.mark.parametrize("flood", [40, pytest.param(60, marks=pytest.mark.sweep)])
def test_a_flood_s_callers_are_served_after_the_reported_wait(machine, flood):
    async def test():
        budgets = machine.process()
        crowd = Crowd()
        for number in range(9):
            crowd.ask(f"caller {number}", 1, budgets)
        await asyncio.sleep(20.0)
        tries = []

        async def caller() -> None:
            for count in range(1, 6):
                if await crowd.ask_once(budgets, "flood"):
                    tries.append(count)
                    return
                await asyncio.sleep(crowd.refusals[-1][2])

        await asyncio.gather(*(caller() for _ in range(flood)))
        await crowd.end()

        assert len(tries) == flood
        assert sum(count <= 2 for count in tries) >= 0.75 * flood

    machine.run(test())
