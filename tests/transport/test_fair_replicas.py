"""Fair shares across processes and replicas: all waiting callers get the same."""

import asyncio
import random
from pathlib import Path

import pytest

from biofact.core.settings import Settings
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.turns.ledgers import Ledgers, MemoryLedger, SlotReply, SlotRequest, SqliteLedger
from biofact.transport.turns.shares import Claim
from tests.transport.crowd import GAP, SERVICE_WITH_KEY, Crowd, most_in_a_window
from tests.transport.machines import EPOCH, Machine, gaps, now

pytestmark = pytest.mark.quick

NAME = f"{SERVICE_WITH_KEY.name}@example.org"


class LedgersElsewhere(Ledgers):
    """A ledger that others share."""

    def __init__(self, ledger: MemoryLedger, timing: Timing) -> None:
        super().__init__(Settings({}), timing, None)
        self._ledger = ledger

    async def take(self, request: SlotRequest) -> SlotReply:
        return await self._ledger.take(request)


class Replicas(Machine):
    """Machines that share only a ledger: each has another time of day."""

    def __init__(self) -> None:
        super().__init__(None)
        self.ledger = MemoryLedger(lambda: EPOCH + now())

    def process(self, **timing: object) -> Budgets:
        offset = 1000.0 * len(self.processes)
        processes = Timing(clock=now, wall_clock=lambda: offset + now(), **timing)
        budgets = Budgets(Settings({}), processes, None)
        budgets.ledgers = LedgersElsewhere(self.ledger, processes)
        self.processes.append(budgets)
        return budgets


async def never_reply(request: SlotRequest) -> SlotReply:
    """Never reply, as to a process that was killed."""
    return await asyncio.get_running_loop().create_future()


@pytest.fixture(params=[pytest.param("disk", marks=pytest.mark.sweep), "replicas"])
def machine(request, tmp_path: Path):
    return Machine(tmp_path) if request.param == "disk" else Replicas()


def late(seed: int, seconds: float):
    """A sleep that ends late, as on a busy machine."""
    lateness = random.Random(seed)
    return lambda duration: asyncio.sleep(duration + lateness.expovariate(1 / seconds))


@pytest.mark.parametrize(
    ("callers", "flood", "seconds"), [(8, 20, 16.0), pytest.param(20, 50, 40.0, marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("is_spread", [True, False], ids=["anywhere", "each on one"])
def test_of_one_flood_and_others_on_three_replicas_every_caller_gets_as_much(
    machine, is_spread, callers, flood, seconds
):
    async def test():
        replicas = [machine.process(sleep=late(seed, 0.008)) for seed in range(3)]
        crowd = Crowd()
        for number in range(callers):
            processes = replicas if is_spread else replicas[number % 3 : number % 3 + 1]
            crowd.ask(f"caller {number}", 1 + number % 2 if number else flood, *processes)
        await asyncio.sleep(seconds)
        await crowd.end()
        counts = crowd.counts()

        assert len(counts) == callers
        assert min(counts.values()) >= 0.9 * len(crowd.slots) / callers
        assert counts["caller 0"] <= 1.1 * len(crowd.slots) / callers
        assert len(crowd.slots) >= 0.88 * 10 * seconds
        assert most_in_a_window(crowd.slots) == 10
        assert {subject for subject, *_ in crowd.refusals} <= {"caller 0"}

    machine.run(test())


@pytest.mark.parametrize(("others", "seconds"), [(9, 20.0), pytest.param(19, 40.0, marks=pytest.mark.sweep)])
def test_one_caller_here_and_others_there_get_as_much_each(machine, others, seconds):
    async def test():
        busy, quiet = machine.process(), machine.process()
        crowd = Crowd()
        crowd.ask("here", 10, busy)
        for number in range(others):
            crowd.ask(f"caller {number}", 1, quiet)
        await asyncio.sleep(seconds)
        await crowd.end()
        counts = crowd.counts()

        assert counts["here"] == pytest.approx(len(crowd.slots) / (others + 1), rel=0.1)
        assert len(crowd.slots) >= 0.88 * 10 * seconds

    machine.run(test())


def test_a_replica_with_little_to_do_leaves_its_slots_to_the_others(machine):
    async def test():
        busy, quiet = machine.process(), machine.process()
        crowd = Crowd()
        crowd.ask("flood", 20, busy)
        crowd.ask("seldom", 1, quiet)
        await asyncio.sleep(20.0)
        await crowd.end()

        assert len(crowd.slots) >= 0.88 * 10 * 20
        assert crowd.longest_wait(but="flood") < 4 * GAP

    machine.run(test())


def test_a_replica_that_dies_while_its_caller_is_the_neediest_costs_half_a_gap(machine):
    async def test():
        alive, dead = machine.process(), machine.process()
        crowd = Crowd()
        crowd.ask("flood", 20, alive)
        crowd.ask("needy", 5, dead)
        crowd.ask("needy, too", 5, dead)
        await asyncio.sleep(10.0)
        dead.ledgers.take = never_reply
        end = now()
        await asyncio.sleep(10.0)
        await crowd.end()
        times = [time for time, _ in crowd.slots if time > end - GAP]

        assert crowd.counts(since=end + 0.01).keys() == {"flood"}
        assert max(gaps(times)) < 1.6 * GAP
        assert len(times) >= 10.0 / GAP - 1

    machine.run(test())


def test_callers_who_give_up_cost_nothing(machine):
    async def test():
        busy, quiet = machine.process(), machine.process()
        crowd, cancelled_crowd = Crowd(), Crowd()
        crowd.ask("flood", 20, busy)
        for _ in range(20):
            cancelled_crowd.ask("gone", 3, quiet)
            await asyncio.sleep(0.05)
            await cancelled_crowd.end()
            await asyncio.sleep(0.45)
        await crowd.end()

        assert len(crowd.slots) + len(cancelled_crowd.slots) >= 0.88 * 10 * 10

    machine.run(test())


@pytest.mark.parametrize(
    ("own", "others", "seconds", "longest"),
    [(10, 4, 20.0, 10.0), pytest.param(30, 9, 60.0, 30.0, marks=pytest.mark.sweep)],
)
def test_the_older_of_one_caller_s_requests_goes_first_wherever_it_waits(machine, own, others, seconds, longest):
    async def test():
        fast, slow = machine.process(), machine.process(sleep=lambda seconds: asyncio.sleep(seconds + 0.005))
        crowd = Crowd()
        crowd.ask("caller", own, fast)
        crowd.ask("caller", 3, slow)
        for number in range(others):
            crowd.ask(f"other {number}", 1, fast)
        await asyncio.sleep(seconds)
        waits = [seconds for subject, seconds in crowd.waits if subject == "caller"]
        await crowd.end()

        assert max(waits) < longest
        assert len(waits) == pytest.approx(len(crowd.slots) / (others + 1), rel=0.2)

    machine.run(test())


def test_callers_with_names_and_those_without_share_too(machine):
    async def test():
        with_names, without_names = machine.process(), machine.process()
        crowd = Crowd()
        for number in range(4):
            crowd.ask(f"caller {number}", 5, with_names)
        crowd.ask("", 20, without_names)
        await asyncio.sleep(12.0)
        await crowd.end()

        assert crowd.counts()[""] == pytest.approx(len(crowd.slots) / 5, rel=0.1)

    machine.run(test())


def test_a_row_that_one_caller_without_a_name_uses_is_as_small_as_before(tmp_path):
    machine = Machine(tmp_path)

    async def test():
        processes = [machine.process() for _ in range(3)]
        crowd = Crowd()
        for budgets in processes:
            crowd.ask("", 10, budgets)
        await asyncio.sleep(5.0)
        await crowd.end()
        ledger = SqliteLedger(tmp_path / "budgets.sqlite", Timing())
        (text,) = ledger._open().execute("SELECT row FROM budget").fetchone()
        ledger.close()

        assert len(text) < 300

    machine.run(test())


def test_a_row_that_many_callers_use_stays_small(tmp_path):
    machine = Machine(tmp_path)

    async def test():
        timing = Timing(clock=now, wall_clock=lambda: EPOCH + now())
        ledger = SqliteLedger(tmp_path / "budgets.sqlite", timing)
        for turn in range(200):
            owner, subjects = f"{turn % 40:016x}", [f"{(turn * 7 + number) % 5000:016x}" for number in range(200)]
            claims = tuple(Claim((subject,)) for subject in subjects[:10])
            demand = dict.fromkeys(subjects, 30)
            await ledger.take(SlotRequest(NAME, owner, GAP, 10, lane="interactive", demand=demand, claims=claims))
            await asyncio.sleep(GAP / 4)
        (text,) = ledger._open().execute("SELECT row FROM budget").fetchone()
        ledger.close()

        assert 10_000 < len(text) < 50_000

    machine.run(test())
