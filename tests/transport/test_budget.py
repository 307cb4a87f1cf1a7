"""The limiter in one process: spacing, priorities, clocks, rate headers, and cancelled callers."""

import asyncio
import itertools
import random
from dataclasses import replace

import pytest

from biofact.core.settings import Setting, Settings
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import GUARD, Budgets
from biofact.transport.turns.ledgers import Row, SlotRequest, take_slot
from tests import virtual_time
from tests.marks import requirement
from tests.transport.machines import EPOCH, GAP, NCBI, TOLERANCE, Machine, gaps, moments, now, times_of

pytestmark = pytest.mark.quick


@pytest.fixture(params=["disk", "memory"])
def machine(request, tmp_path):
    return Machine(tmp_path if request.param == "disk" else None)


def test_slots_are_evenly_spaced_with_the_guard(machine):
    async def test():
        times = await times_of(machine.process(), 10)

        assert times[0] == 0.0
        assert gaps(times) == pytest.approx([0.37] * 9, abs=1e-4)

    machine.run(test())


def test_idle_time_is_not_saved_up_for_a_burst(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        await asyncio.sleep(100.0)

        assert min(gaps(await times_of(budgets, 5))) > 0.36

    machine.run(test())


def test_a_little_lateness_is_caught_up(machine):
    async def test():
        lateness = itertools.cycle([0.03, 0.0, 0.0, 0.0])
        budgets = machine.process(sleep=lambda seconds: asyncio.sleep(seconds + next(lateness)))
        times = await times_of(budgets, 4)

        assert times == pytest.approx([0.0, 0.40, 0.74, 1.11], abs=1e-4)

    machine.run(test())


@pytest.mark.parametrize(
    ("rate", "latest", "count"),
    [
        (3, 0.4, 60),
        (10, 0.05, 60),
        *(pytest.param(*case, 200, marks=pytest.mark.sweep) for case in itertools.product((3, 10), (0.004, 0.05, 0.4))),
    ],
)
def test_no_window_of_a_second_and_the_jitter_holds_more_than_the_rate(machine, rate, latest, count):
    async def test():
        lateness = random.Random(rate)
        budgets = machine.process(sleep=lambda seconds: asyncio.sleep(seconds + lateness.uniform(0.0, latest)))
        times = await times_of(budgets, count, service=replace(NCBI, per_second=float(rate)))

        assert min(after - before for before, after in zip(times, times[rate:], strict=False)) > 1.11 - 1e-6
        assert min(gaps(times)) > GUARD / rate / 2 - 1e-6

    machine.run(test())


def test_a_row_remembers_one_window_only():
    row = Row()
    for second in range(10):
        row, _ = take_slot(row, SlotRequest("ncbi", "me", gap=GAP, limit=3, lane="bulk"), EPOCH + second)

    assert row.slot_times == (EPOCH + 7, EPOCH + 8, EPOCH + 9)


@pytest.mark.parametrize("count", [100, pytest.param(500, marks=pytest.mark.sweep)])
def test_a_busy_machine_still_uses_88_percent_of_the_limit(machine, count):
    async def test():
        lateness = random.Random(1)
        budgets = machine.process(sleep=lambda seconds: asyncio.sleep(seconds + lateness.expovariate(1 / 0.008)))
        times = await times_of(budgets, count, service=replace(NCBI, per_second=10.0))

        assert (count - 1) / (times[-1] - times[0]) > 8.8

    machine.run(test())


def test_a_faster_life_has_narrower_slots(machine):
    async def test():
        times = await times_of(machine.process(rate_factor=50.0), 4)

        assert gaps(times) == pytest.approx([0.37 / 50] * 3, abs=TOLERANCE / 50)

    machine.run(test())


def test_each_service_has_a_budget_of_its_own(machine):
    async def test():
        budgets = machine.process()
        await asyncio.gather(times_of(budgets, 1), times_of(budgets, 1, service=replace(NCBI, name="ensembl")))

        assert now() == 0.0

    machine.run(test())


@requirement("000 R4-10rps")
def test_a_key_that_allows_more_is_used():
    key = Setting("TEST_KEY", "Nothing.", is_secret=True)
    service = replace(NCBI, key=key, per_second_with_key=10.0)

    assert asyncio.run(Budgets(Settings({"TEST_KEY": "abc"}), Timing(), None).stats(service)).per_second == 10.0
    assert asyncio.run(Budgets(Settings({}), Timing(), None).stats(service)).per_second == 3.0


def test_an_interactive_call_goes_before_bulk_of_its_own_process(machine):
    async def test():
        budgets = machine.process()
        bulk = asyncio.create_task(times_of(budgets, 60))
        await asyncio.sleep(10.0)
        start = now()
        (slot_time,) = await times_of(budgets, 1, "interactive")

        assert slot_time - start <= GAP
        bulk.cancel()

    machine.run(test())


@pytest.mark.parametrize("seconds", [-3600.0, -5.0, -0.1, 3600.0])
def test_setting_the_clock_blocks_no_caller_and_permits_no_burst(machine, seconds):
    async def test():
        budgets = machine.process()
        before = await times_of(budgets, 4)
        machine.wall_offset += seconds
        after = await times_of(budgets, 3)

        assert after[0] - before[-1] <= GAP + 1e-3
        assert min(gaps(after)) > 0.36
        assert seconds > 0 or after[0] - before[-1] > 0.36

    machine.run(test())


def test_a_pause_survives_a_clock_that_is_set_back(machine):
    async def test():
        budgets = machine.process()
        budgets.pause(NCBI, 60.0)
        await moments()
        machine.wall_offset -= 3600.0

        assert await times_of(budgets, 1) == pytest.approx([60.0], abs=0.01)

    machine.run(test())


@requirement("001 FR-019")
def test_a_pause_counts_for_callers_who_wait_already(machine):
    async def test():
        budgets = machine.process()
        waiters = asyncio.create_task(times_of(budgets, 3))
        await asyncio.sleep(0.1)
        budgets.pause(NCBI, 5.0)

        assert await waiters == pytest.approx([0.0, 5.1, 5.1 + GAP], abs=TOLERANCE)

    machine.run(test())


def test_a_pause_never_shortens_another_and_ends_within_the_service_s_window(machine):
    async def test():
        budgets = machine.process()
        budgets.pause(NCBI, 20.0)
        budgets.pause(NCBI, 5.0)
        await moments()
        assert (await budgets.stats(NCBI)).next_slot_seconds == pytest.approx(20.0)
        budgets.pause(NCBI, 1e9)
        await moments()

        assert (await budgets.stats(NCBI)).next_slot_seconds == NCBI.longest_pause_seconds == 300.0

    machine.run(test())


def test_a_lower_limit_a_second_slows_us_down_until_it_is_lifted(machine):
    async def test():
        budgets = machine.process()
        budgets.observe(NCBI, {"x-ratelimit-limit": "2", "x-ratelimit-remaining": "1"})
        assert gaps(await times_of(budgets, 3))[1] == pytest.approx(GUARD / 2, abs=1e-3)
        budgets.observe(NCBI, {"x-ratelimit-limit": "10"})

        assert (await budgets.stats(NCBI)).per_second == 3.0

    machine.run(test())


def test_ensembl_s_hourly_limit_is_read_as_a_rate(machine):
    async def test():
        budgets = machine.process()
        ensembl = replace(NCBI, name="ensembl", per_second=15.0)
        budgets.observe(ensembl, {"x-ratelimit-limit": "55000", "x-ratelimit-period": "3600"})
        assert (await budgets.stats(ensembl)).per_second == 15.0
        budgets.observe(ensembl, {"x-ratelimit-limit": "36000", "x-ratelimit-period": "3600"})

        assert (await budgets.stats(ensembl)).per_second == 10.0

    machine.run(test())


def test_nothing_remaining_waits_for_the_reset(machine):
    async def test():
        budgets = machine.process()
        budgets.observe(NCBI, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "292"})

        assert await times_of(budgets, 1) == pytest.approx([292.0], abs=0.001)

    machine.run(test())


def test_malformed_headers_change_nothing(machine, subtests):
    async def observed(value):
        budgets = machine.process()
        budgets.observe(NCBI, {"x-ratelimit-limit": value})
        budgets.observe(NCBI, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": value})
        budgets.observe(NCBI, {"x-ratelimit-remaining": value, "x-ratelimit-reset": "1767225600"})
        await moments()
        return await budgets.stats(NCBI)

    async def test():
        for value in ("", "many", "-1", "nan", "inf", "0", "3, 3;w=1"):
            stats = await observed(value)
            with subtests.test(value=value):
                assert stats.per_second == 3.0
                assert stats.next_slot_seconds == 0.0

    machine.run(test())


def test_a_cancelled_caller_takes_no_slot(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        cancelled = asyncio.create_task(times_of(budgets, 20))
        await asyncio.sleep(0.1)
        cancelled.cancel()

        assert await times_of(budgets, 2) == pytest.approx([GAP, 2 * GAP], abs=TOLERANCE)

    machine.run(test())


def test_a_timeout_leaves_the_slot_to_others(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await budgets.take(NCBI, "interactive")
        await asyncio.sleep(1.0)

        assert (await budgets.stats(NCBI)).next_slot_seconds == 0.0

    machine.run(test())


def test_closing_cancels_who_still_waits(machine):
    async def test():
        budgets = machine.process()
        waiters = asyncio.create_task(times_of(budgets, 3))
        await asyncio.sleep(0.1)
        await budgets.aclose()
        with pytest.raises(asyncio.CancelledError):
            await waiters

        assert asyncio.all_tasks() == {asyncio.current_task()}

    machine.run(test())


def test_the_pump_ends_when_no_request_waits(machine):
    async def test():
        await times_of(machine.process(), 3)
        await moments()

        assert asyncio.all_tasks() == {asyncio.current_task()}

    machine.run(test())


def test_callers_learn_why_a_pump_failed(machine):
    async def test():
        async def broken(seconds: float) -> None:
            raise RuntimeError("no sleep tonight")

        budgets = machine.process(sleep=broken)
        results = await asyncio.gather(*(budgets.take(NCBI, "bulk") for _ in range(3)), return_exceptions=True)

        assert [type(result) for result in results[1:]] == [RuntimeError, RuntimeError]

    machine.run(test())


def test_budgets_serve_one_event_loop_after_another(tmp_path):
    budgets = Budgets(Settings({}), virtual_time.timing(), tmp_path)
    for _ in range(2):

        async def cancel_first() -> None:
            await budgets.take(NCBI, "bulk")
            async with asyncio.TaskGroup() as group:
                cancelled = group.create_task(budgets.take(NCBI, "bulk"))
                await asyncio.sleep(0)
                cancelled.cancel()

        virtual_time.run(cancel_first())

    virtual_time.run(budgets.aclose())
