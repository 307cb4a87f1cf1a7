"""One cache for many: writers at the cap, threads, event loops that end, a process that forks."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from biofact.transport.keep import disk
from biofact.transport.keep.store import Entry
from biofact.transport.service import MIB
from tests.transport.scene import Clock
from tests.transport.test_cache import Shelf, the_file

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]


def names(writer: int, count: int) -> list[str]:
    return [f"{writer}:{number}" for number in range(count)]


def test_sixteen_writers_at_the_cap_lose_no_answer(tmp_path):
    """The last entries fit under the cap, and are there; older ones were dropped as far as needed."""
    body = b"x" * 1000
    cap = 1000 * 1200

    async def scenario():
        clock = Clock()
        filler = Shelf(tmp_path, clock, cap_bytes=cap)
        for name in names(99, 1000):
            await filler.keep(name, body)
        await filler.cache.aclose()
        clock.now += 1
        writers = [Shelf(tmp_path, clock, cap_bytes=cap) for _ in range(16)]

        async def write(number):
            for name in names(number, 40):
                await writers[number].keep(name, body)
                await asyncio.sleep(0)

        await asyncio.gather(*map(write, range(16)))
        for writer in writers:
            await writer.cache.aclose()
        reader = Shelf(tmp_path, clock, cap_bytes=cap)
        entries = [await reader.find(name) for number in range(16) for name in names(number, 40)]
        stats = await reader.cache.stats()
        await reader.cache.aclose()
        return entries, stats

    entries, stats = asyncio.run(scenario())

    assert [entry.body for entry in entries] == [body] * 640
    assert 640 * 1200 <= stats.bytes <= cap


def test_room_is_made_in_small_steps(tmp_path):
    file = disk.open_writer(tmp_path / disk.FILE_NAME)
    rows = [disk.row_of(b"%d" % number, Entry(b"x" * 1000, "", 0.0, 0.0), number) for number in range(300)]
    disk.store_rows(file, rows, uses={b"0": 1000.0})
    steps = []
    while disk.drop_oldest(file, room_bytes=120_000):
        steps.append(disk.totals(file))
    with closing(file):
        remaining = {key for (key,) in file.execute("SELECT key FROM answers")}

    assert [before[0] - after[0] for before, after in zip([(300, 0), *steps], steps)] == [64, 64, 64]  # noqa: B905
    assert remaining == {b"0", *(b"%d" % number for number in range(201, 300))}  # "0" was used since


def test_only_the_writer_of_more_than_there_is_room_for_waits(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        await shelf.cache.flush()
        with closing(sqlite3.connect(the_file(tmp_path), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for number in range(32):
                await shelf.keep(str(number), bytes(MIB))
            late = asyncio.create_task(shelf.keep("late", bytes(MIB)))
            for _ in range(20):
                await asyncio.sleep(0)
            was_waiting = not late.done()
            found_meanwhile = [await shelf.find(name) for name in ("a", "0", "31")]
        await late
        await shelf.cache.aclose()
        reader = Shelf(tmp_path)
        entries = [await reader.find(name) for name in (*map(str, range(32)), "late")]
        await reader.cache.aclose()
        return was_waiting, found_meanwhile, entries

    was_waiting, found_meanwhile, entries = asyncio.run(scenario())

    assert was_waiting
    assert [len(entry.body) for entry in found_meanwhile] == [4, MIB, MIB]
    assert {len(entry.body) for entry in entries} == {MIB}


def test_a_loop_that_ends_leaves_the_store_to_the_next(tmp_path):
    shelf = Shelf(tmp_path)

    async def visit(name, other):
        await shelf.keep(name)
        return await shelf.find(other)

    entries = [asyncio.run(visit(*pair)) for pair in ("ab", "ba", "cb")]
    asyncio.run(shelf.cache.aclose())

    assert [entry and entry.body for entry in entries] == [None, b"body", b"body"]


def test_loops_of_several_threads_share_a_store(tmp_path):
    shelf = Shelf(tmp_path)
    missing = []

    async def visit(writer):
        for name in names(writer, 30):
            await shelf.keep(name)
            if await shelf.find(name) is None:
                missing.append(name)
        await shelf.cache.flush()

    threads = [threading.Thread(target=asyncio.run, args=(visit(number),)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = asyncio.run(shelf.cache.stats())
    asyncio.run(shelf.cache.aclose())

    assert (missing, stats.entries) == ([], 120)


FORK = """
import asyncio, os, sys
from pathlib import Path
from tests.transport.test_cache import Shelf

shelf = Shelf(Path(sys.argv[1]))

async def visit(kept, asked):
    await shelf.keep(kept)
    await shelf.cache.flush()
    return (await shelf.find(asked)).body

asyncio.run(visit("of both", "of both"))
child = os.fork()
if child == 0:
    is_found = asyncio.run(visit("of the child", "of both")) == b"body"
    asyncio.run(shelf.cache.aclose())
    os._exit(0 if is_found else 1)
_, status = os.waitpid(child, 0)
found = asyncio.run(visit("of the parent", "of the child"))
asyncio.run(shelf.cache.aclose())
print(status, found.decode())
"""


@pytest.mark.processes
def test_a_child_of_a_fork_begins_afresh(tmp_path):
    child = subprocess.run(
        [sys.executable, "-c", FORK, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((".", *filter(None, [os.environ.get("PYTHONPATH")])))},
        timeout=60,
    )

    assert (child.stdout, child.returncode) == ("0 body\n", 0), child.stderr


def test_entries_of_a_process_that_ends_without_closing_are_written(tmp_path):
    shelf = Shelf(tmp_path)

    async def visit():
        for name in names(0, 100):
            await shelf.keep(name)

    asyncio.run(visit())  # the end of the loop waits for the writer

    async def look():
        reader = Shelf(tmp_path)
        entries = [await reader.find(name) for name in names(0, 100)]
        await reader.cache.aclose()
        return entries

    entries = asyncio.run(look())
    asyncio.run(shelf.cache.aclose())

    assert None not in entries
