"""A clock that is set while several machines use it: Redis's, whose time all share, and that of workers of Dask."""

import asyncio
import itertools

import pytest
from benchmarks.redis_server import server

from biofact.corpus.dask_engine import DaskEngine
from tests.corpus.made_corpora import contents_of, done, lines, make_plan
from tests.extras.changed_clock import ChangedClock
from tests.extras.needs import dask, redis_server
from tests.extras.redis_scene import MOST_SLOTS, SECOND, machine, observed
from tests.extras.test_corpus_dask import WORKER, by_dask, cluster
from tests.extras.test_redis_loss import MACHINES, Phase, phase, settle, show

pytestmark = pytest.mark.extras

dask()
redis_server()

DAY = 86_400
CHANGES = {"an hour ahead": 3600, "a second back": -1, "400 days back": -400 * DAY}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_the_clock_of_redis_lets_one_slot_be_early_at_most_and_none_late(change, tmp_path, capsys):
    clock = ChangedClock(tmp_path)

    async def scenario(redis):
        machines = [machine(redis.url, tmp_path / str(number)) for number in range(MACHINES)]

        async def course(slots):
            await phase(machines, slots, "redis")
            await settle(machines)
            phases = []
            for seconds in (CHANGES[change], 0):
                clock.set(seconds)
                phases.append(await phase(machines, slots, "redis"))
            return phases

        return await observed(machines, course)

    with server(tmp_path, environment=clock.environment) as redis:
        slots, phases = asyncio.run(scenario(redis))

    show(capsys, f"{change}: {slots}")
    times = sorted(moment for moment, _ in slots.taken)
    # the clock is set as soon as slots come at the full rate again, so that there may be two changes in one second
    assert all(later - first >= SECOND for first, later in zip(times, times[MOST_SLOTS + 2 :], strict=False))
    assert phases == [Phase(["redis"] * MACHINES, is_full=True)] * 2


def test_workers_of_dask_whose_clocks_differ_write_the_same_bytes(tmp_path):
    source = lines(tmp_path / "articles.jsonl", range(1, 801))
    for name in ("undisturbed", "disturbed"):
        make_plan(tmp_path / name, source, shard_size=50)
    assert done(tmp_path / "undisturbed", jobs=1).is_complete
    clocks = [ChangedClock(tmp_path / str(number)) for number in range(2)]
    for clock, seconds in zip(clocks, (400 * DAY, -400 * DAY), strict=True):
        clock.set(seconds)
    changes = itertools.cycle((400 * DAY, -3600, 0, -400 * DAY))

    def set_clocks(_):
        for clock in clocks:
            clock.set(next(changes))

    workers = [["env", *(f"{name}={value}" for name, value in clock.environment.items()), *WORKER] for clock in clocks]
    with cluster(tmp_path, *workers) as dask_cluster:
        end = by_dask(tmp_path / "disturbed", DaskEngine(dask_cluster.address), on_progress=set_clocks)

    assert end.is_complete
    assert contents_of(tmp_path / "disturbed") == contents_of(tmp_path / "undisturbed")
