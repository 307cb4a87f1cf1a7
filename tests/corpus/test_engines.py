"""The errors of an engine that cannot do shards, and the files that remain."""

import asyncio
import logging
import sys

import pytest

from biofact.corpus.dask_engine import DaskEngine
from biofact.corpus.runs import IN_FLIGHT, EngineUnavailable, ProcessEngine, in_flight, run
from biofact.corpus.shards import ShardEnd
from biofact.literature.files import FolderRefused
from tests.corpus.made_corpora import lines, make_plan

pytestmark = pytest.mark.quick


def test_dask_that_is_not_installed_is_asked_for(tmp_path, monkeypatch):
    make_plan(tmp_path / "corpus", lines(tmp_path / "articles.jsonl", range(1, 9)))
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(EngineUnavailable, match="Dask is not installed") as refusal:
        asyncio.run(run(tmp_path / "corpus", DaskEngine()))

    assert refusal.value.hint == "Install it: pip install 'distributed>=2026.1' 'pyarrow>=20'"


@pytest.mark.processes
def test_a_folder_whose_plan_is_gone_stops_processes_in_plain_words(tmp_path):
    async def ends():
        async for _ in ProcessEngine(1).ends(tmp_path, [0]):
            pass

    with pytest.raises(FolderRefused, match="holds no plan of a corpus"):
        asyncio.run(ends())


def test_no_more_shards_are_under_way_than_the_workers_need():
    most_waiting = under_way = 0
    workers = 1

    async def end(number):
        nonlocal most_waiting, under_way, workers
        under_way += 1
        most_waiting = max(most_waiting, under_way - IN_FLIGHT * workers)
        await asyncio.sleep(0)
        under_way -= 1
        workers = 1 + number // 10  # more of them join
        return ShardEnd(number)

    async def numbers():
        return sorted([end_of_shard.number async for end_of_shard in in_flight(range(50), end, lambda: workers)])

    assert asyncio.run(numbers()) == list(range(50))
    assert most_waiting <= 0


def test_the_first_failure_is_raised_and_the_others_are_retrieved(caplog):
    async def end(number):
        await asyncio.sleep(0)
        raise LookupError(number)

    async def ends():
        async for _ in in_flight(range(4), end, lambda: 2):
            pass

    with pytest.raises(LookupError), caplog.at_level(logging.ERROR, "asyncio"):
        asyncio.run(ends())
    assert not caplog.records
