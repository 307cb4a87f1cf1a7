"""A disk that is full or dying, a clock that is set back, a service that is down for days: no answer is lost."""

import asyncio
import resource
from contextlib import contextmanager
from dataclasses import replace

import pytest

from biofact import sources
from biofact.sandbox import Fault
from tests import virtual_time
from tests.sandboxed import LIFE
from tests.served import served
from tests.test_faults import calls, each_source, timeless, undisturbed_replies

pytestmark = pytest.mark.quick


def each_source_in_a_sweep(quick):
    """As ``each_source``, for features that sources share: one source is quick."""
    tiers = {name: pytest.mark.quick if name == quick else pytest.mark.sweep for name in sources.names()}
    return pytest.mark.parametrize("source", [pytest.param(name, marks=tier) for name, tier in tiers.items()])


def corrupt(folder):
    """Overwrite all cached entries, as a dying disk does."""
    for name in {"answers-1.sqlite", "budgets.sqlite"} | {path.name for path in folder.iterdir()}:
        (folder / name).write_bytes(b"\x13not a database" * 500)


@contextmanager
def room_for(size):
    """Let no file grow beyond ``size`` bytes: for a writer this is a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def all_answers(source, folder, before_each=lambda: None):
    replies = {}
    for tool, arguments in calls(source):
        before_each()
        async with served(settings={"BIOFACT_CACHE_DIR": str(folder)}) as gateway:
            replies[tool] = await gateway.call(tool, arguments)
    return replies


def facts(replies):
    return {
        tool: {k: v for k, v in timeless(answer.body).items() if k != "notices"} for tool, answer in replies.items()
    }


@each_source_in_a_sweep(quick="ensembl")
def test_a_corrupted_cache_costs_no_answer(source, tmp_path):
    replies = virtual_time.run(all_answers(source, tmp_path, before_each=lambda: corrupt(tmp_path)))

    assert facts(replies) == facts(undisturbed_replies(source))


@each_source_in_a_sweep(quick="pubmed")
def test_an_unusable_cache_folder_costs_no_answer(source, tmp_path):
    (tmp_path / "file").write_text("not a folder")

    replies = virtual_time.run(all_answers(source, tmp_path / "file"))

    assert facts(replies) == facts(undisturbed_replies(source))


@pytest.mark.parametrize("size", [0, 8192, 40_000])
@each_source_in_a_sweep(quick="entrez")
def test_a_full_disk_costs_no_answer(source, tmp_path, size):
    with room_for(size):
        replies = virtual_time.run(all_answers(source, tmp_path))

    assert facts(replies) == facts(undisturbed_replies(source))


@each_source_in_a_sweep(quick="igvf")
def test_a_clock_set_back_an_hour_neither_blocks_nor_keeps_records_longer(source):
    shift = {"seconds": 0.0}
    timing = replace(LIFE, wall_clock=lambda: virtual_time.wall_now() - shift["seconds"])

    async def scenario():
        async with served(timing=timing) as gateway:
            before = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            shift["seconds"] = 3600.0
            after = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            return before, after

    before, after = virtual_time.run(scenario())

    for tool, reply in after.items():
        assert timeless(reply.body) == timeless(before[tool].body) == timeless(undisturbed_replies(source)[tool].body)


@each_source
def test_a_service_that_dies_leaves_stale_answers_marked_as_such(source):
    async def scenario():
        async with served() as gateway:
            fresh = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            await asyncio.sleep(8 * 86_400.0)
            gateway.sandbox.faults.set(Fault("status", status=503, times=None))
            stale = {tool: await gateway.call(tool, arguments) for tool, arguments in calls(source)}
            return fresh, stale

    fresh, stale = virtual_time.run(scenario())

    assert facts(stale) == facts(fresh)
    for reply in stale.values():
        assert not reply.is_failure, reply.text
        assert reply.meta["biofact/provenance"]["from"] == "stale"
        assert "STALE" in [notice["code"] for notice in reply.body["notices"]]
