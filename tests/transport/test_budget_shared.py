"""The limiter between processes: one budget, intents, and ledgers that are damaged, lost or locked."""

import asyncio
import itertools
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from biofact.core import call
from biofact.core.settings import Settings
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.turns.ledgers import LOST_SECONDS, Row, SlotRequest, SqliteLedger
from tests.each_of import each_of
from tests.transport.machines import EPOCH, GAP, NCBI, TOLERANCE, Machine, gaps, moments, now, times_of

pytestmark = pytest.mark.quick

NAME = "ncbi@example.org"


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_processes_share_one_budget(machine):
    async def test():
        times = await asyncio.gather(*(times_of(machine.process(), 5) for _ in range(4)))

        assert gaps(list(itertools.chain(*times))) == pytest.approx([0.37] * 19, abs=TOLERANCE)

    machine.run(test())


def test_a_mirror_has_a_budget_of_its_own(machine):
    async def test():
        mirror = Budgets(
            Settings({"TEST_URL": "http://127.0.0.1:8000/api"}), Timing(wall_clock=lambda: EPOCH), machine.folder
        )
        await times_of(machine.process(), 1)

        assert (await mirror.stats(NCBI)).next_slot_seconds == 0.0
        await mirror.aclose()

    machine.run(test())


_CHILD = """
import asyncio, sys
from pathlib import Path
from biofact.transport.turns.ledgers import SlotRequest, Row
from biofact.transport.turns.ledgers import SqliteLedger
from biofact.transport.timing import Timing

async def main():
    ledger = SqliteLedger(Path(sys.argv[1]), Timing())
    reply = await ledger.take(SlotRequest("ncbi", sys.argv[2], gap=1000.0, limit=3, lane="bulk"))
    print(reply.is_taken)
    ledger.close()

asyncio.run(main())
"""


@pytest.mark.processes
def test_only_one_of_two_real_processes_gets_a_slot(tmp_path):
    command = [sys.executable, "-c", _CHILD, str(tmp_path / "budgets.sqlite")]
    children = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("one", "two")]

    assert sorted(child.communicate(timeout=120)[0].strip() for child in children) == ["False", "True"]
    assert [child.returncode for child in children] == [0, 0]


def test_an_interactive_call_goes_before_bulk_of_another_process(machine):
    async def test():
        busy = [machine.process() for _ in range(3)]
        bulk = [asyncio.create_task(times_of(budgets, 40)) for budgets in busy]
        urgent = machine.process()
        for moment in (10.0, 10.1, 10.37, 10.5):
            await asyncio.sleep(moment - now())
            start = now()
            (slot_time,) = await times_of(urgent, 1, "interactive")

            assert slot_time - start <= GAP + 0.005
        for task in bulk:
            task.cancel()

    machine.run(test())


def test_an_interactive_call_overtakes_all_others_while_its_own_process_sleeps(machine):
    async def test():
        busy = machine.process()
        other = machine.process(sleep=lambda seconds: asyncio.sleep(seconds + 0.002))
        bulk = [asyncio.create_task(times_of(budgets, 40)) for budgets in (busy, other, machine.process())]
        for moment in range(10, 20):
            await asyncio.sleep(moment - now())
            start = now()
            (slot_time,) = await times_of(other, 1, "interactive")

            assert slot_time - start <= GAP + 0.005
        for task in bulk:
            task.cancel()

    machine.run(test())


def test_no_bulk_slips_in_between_the_interactive_calls_of_another_process(machine):
    async def test():
        bulk = [asyncio.create_task(times_of(machine.process(), 50)) for _ in range(3)]
        await asyncio.sleep(5.0)
        wakes_last = machine.process(sleep=lambda seconds: asyncio.sleep(seconds + 0.002))
        urgent = await times_of(wakes_last, 10, "interactive")

        assert gaps(urgent) == pytest.approx([GAP] * 9, abs=0.01)
        for task in bulk:
            task.cancel()

    machine.run(test())


@pytest.mark.parametrize("head_start", [0.0, 0.1])
def test_interactive_calls_of_two_processes_take_turns(machine, head_start):
    async def test():
        first = asyncio.create_task(times_of(machine.process(), 12, "interactive"))
        await asyncio.sleep(head_start)
        second = await times_of(machine.process(), 8, "interactive")
        order = [process for _, process in sorted([(time, 1) for time in await first] + [(time, 2) for time in second])]

        assert order[1:16] in ([1, 2] * 7 + [1], [2, 1] * 7 + [2])

    machine.run(test())


def test_a_dead_process_s_intent_costs_one_slot(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        timing = Timing(clock=now, wall_clock=lambda: EPOCH + now())
        dead = SqliteLedger(machine.folder / "budgets.sqlite", timing)
        await dead.take(SlotRequest(NAME, "dead", gap=GAP, limit=3, lane="interactive"))
        dead.close()

        assert await times_of(budgets, 1) == pytest.approx([2 * GAP], abs=GAP / 10)

    machine.run(test())


def test_a_pause_moves_the_next_slot_for_every_process(machine):
    async def test():
        first, other = machine.process(), machine.process()
        first.pause(NCBI, 7.0)
        await moments()

        assert (await other.stats(NCBI)).next_slot_seconds == pytest.approx(7.0)
        assert await times_of(other, 1) == pytest.approx([7.0], abs=0.001)

    machine.run(test())


def test_a_corrupted_ledger_is_replaced(machine):
    async def test():
        ledger = machine.folder / "budgets.sqlite"
        ledger.write_bytes(b"not a database, " * 1000)
        first, second = machine.process(), machine.process()
        await asyncio.gather(times_of(first, 2), times_of(second, 2))
        ledger.write_bytes(b"damaged in use, " * 1000)
        times = await asyncio.gather(times_of(first, 3), times_of(second, 3))

        assert min(gaps(list(itertools.chain(*times)))) > 0.36
        assert (await first.stats(NCBI)).kept == (await second.stats(NCBI)).kept == "sqlite"

    machine.run(test())


def test_a_ledger_that_is_deleted_in_use_is_recreated_and_shared(machine):
    async def test():
        first, second = machine.process(), machine.process()
        await asyncio.gather(times_of(first, 1), times_of(second, 1))
        (machine.folder / "budgets.sqlite").unlink()
        await asyncio.sleep(1.0)
        times = await asyncio.gather(*(times_of(process, 3) for process in (first, second, machine.process())))

        assert min(gaps(list(itertools.chain(*times)))) > 0.36

    machine.run(test())


def test_a_folder_that_cannot_be_used_is_reported_once_and_the_limit_still_holds(tmp_path):
    unusable = Machine(tmp_path / "file" / "folder")
    (tmp_path / "file").touch()

    async def test():
        budgets = unusable.process()
        with call.session() as session:
            times = await times_of(budgets, 4)
            await times_of(unusable.process(), 1)

        assert gaps(times) == pytest.approx([0.37] * 3, abs=TOLERANCE)
        assert [notice.code for notice in session.notices] == ["CACHE_IN_MEMORY"]
        assert (await budgets.stats(NCBI)).kept == "memory"

    unusable.run(test())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_falls_back_on_memory(machine):
    async def test():
        machine.folder.chmod(0o500)
        budgets = machine.process()
        await times_of(budgets, 1)

        assert (await budgets.stats(NCBI)).kept == "memory"

    machine.run(test())


def test_a_lost_ledger_is_tried_again(machine):
    async def test():
        ledger = machine.folder / "budgets.sqlite"
        ledger.mkdir()
        budgets = machine.process()
        await times_of(budgets, 1)
        ledger.rmdir()
        await asyncio.sleep(LOST_SECONDS - 1.0)
        assert (await budgets.stats(NCBI)).kept == "memory"
        await asyncio.sleep(1.1)

        assert (await budgets.stats(NCBI)).kept == "sqlite"

    machine.run(test())


def test_a_locked_ledger_is_waited_for_while_the_loop_continues(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        await asyncio.sleep(1.0)
        with closing(sqlite3.connect(machine.folder / "budgets.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            waiters = asyncio.create_task(times_of(budgets, 1))
            await asyncio.sleep(0.5)
            assert not waiters.done()

        assert await waiters == pytest.approx([1.5], abs=0.01)
        assert (await budgets.stats(NCBI)).kept == "sqlite"

    machine.run(test())


def test_a_ledger_that_stays_locked_is_given_up(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        with closing(sqlite3.connect(machine.folder / "budgets.sqlite", isolation_level=None)) as locker:
            locker.execute("BEGIN IMMEDIATE")
            await times_of(budgets, 1)

        assert 5.0 < now() < 5.5
        assert (await budgets.stats(NCBI)).kept == "memory"

    machine.run(test())


@pytest.mark.parametrize("text", ["[1,2,3]", '[0,null,[],0,"of another release"]', "garbage", '["x",null,[],0]', "{}"])
def test_a_row_that_cannot_be_read_counts_as_none(text):
    assert Row.read(text) == Row()


def test_a_row_is_read_as_it_was_written():
    assert Row.read(str(Row(5.0, "me", (1.0, 2.0), 3.0))) == Row(5.0, "me", (1.0, 2.0), 3.0)


def lose(ledger):
    ledger.unlink()
    ledger.mkdir()


def delete(ledger):
    ledger.unlink()


def damage(ledger):
    ledger.write_bytes(b"damaged in use, " * 1000)


@each_of("event", [lose, delete, damage])
@each_of("is_paused_here", [True, False])
def test_a_pause_outlasts_the_ledger_that_it_was_written_to(tmp_path, event, is_paused_here):
    folder = tmp_path / f"{event.__name__} {is_paused_here}"
    folder.mkdir()
    machine = Machine(folder)

    async def test():
        paused, other = machine.process(), machine.process()
        (paused if is_paused_here else other).pause(NCBI, 70.0)
        await moments()
        await paused.stats(NCBI)
        event(folder / "budgets.sqlite")
        waits = [(await paused.stats(NCBI)).next_slot_seconds]
        await asyncio.sleep(LOST_SECONDS / 2)
        waits.append((await paused.stats(NCBI)).next_slot_seconds)
        if event is lose:
            (folder / "budgets.sqlite").rmdir()
        await asyncio.sleep(LOST_SECONDS)
        waits += [(await process.stats(NCBI)).next_slot_seconds for process in (paused, machine.process())]

        assert waits == pytest.approx([70.0, 55.0, 25.0, 25.0], abs=0.1)
        assert await times_of(paused, 1) == pytest.approx([70.0], abs=0.1)

    machine.run(test())


def test_a_pause_that_another_process_lifts_is_forgotten_here(machine):
    async def test():
        paused, other = machine.process(), machine.process()
        paused.pause(NCBI, 70.0)
        await moments()
        await other.lift(NCBI)
        await paused.stats(NCBI)
        lose(machine.folder / "budgets.sqlite")

        assert (await paused.stats(NCBI)).next_slot_seconds == 0.0

    machine.run(test())


def test_a_pause_whose_writer_is_cancelled_is_written_by_the_next(machine):
    async def test():
        budgets = machine.process()
        await times_of(budgets, 1)
        with closing(sqlite3.connect(machine.folder / "budgets.sqlite", isolation_level=None)) as locker:
            locker.execute("BEGIN IMMEDIATE")
            writer = asyncio.create_task(budgets.ledgers.take(SlotRequest(NAME, "me", GAP, 3, hold=70.0)))
            await asyncio.sleep(1.0)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

        assert (await budgets.stats(NCBI)).next_slot_seconds == pytest.approx(69.0, abs=0.1)

    machine.run(test())
