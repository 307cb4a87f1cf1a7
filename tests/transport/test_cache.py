"""Cached answers, and all the ways in which caching can fail."""

import asyncio
import resource
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from biofact.core import call
from biofact.core.settings import Settings
from biofact.transport.keep.cache import CACHE_DIR, Cache, cache_folder
from biofact.transport.keep.store import Entry, MemoryStore
from biofact.transport.service import DAY, HOUR, Keep
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.transport.scene import TOY, URL, Clock
from tests.virtual_time import closed_at_end

pytestmark = pytest.mark.quick

RECORD = bytes(range(256)) * 200  # 51,200 bytes, over the size from which bodies are packed


class Shelf:
    """A cache on a folder, and its clock."""

    def __init__(self, folder: Path, clock: Clock | None = None, *, cap_bytes: int = 1 << 30, **environment: str):
        self.clock = clock or Clock()
        settings = Settings({CACHE_DIR.name: str(folder), **environment})
        self.cache = closed_at_end(Cache(settings, Timing(wall_clock=self.clock), cap_bytes=cap_bytes))

    async def keep(self, name: str, body: bytes | None = b"body", seconds: float = 100.0) -> None:
        entry = Entry(body, f"https://toy/{name}", self.clock.now, self.clock.now + seconds, "live")
        await self.cache.keep(TOY, Keep("word/1", name, seconds), entry)

    async def find(self, name: str) -> Entry | None:
        return await self.cache.find(TOY, "word/1", name)

    def notices(self) -> list[str]:
        with call.session() as current:
            self.cache.hand_up(TOY, Entry(b"", "", self.clock.now, self.clock.now))
        return [notice.code for notice in current.notices]


def the_file(folder: Path) -> Path:
    (file,) = folder.glob("*.sqlite")
    return file


@pytest.mark.parametrize("body", [b"", b"body", RECORD, None])
def test_an_entry_is_found_unchanged_by_the_next_process_too(tmp_path, body):
    async def scenario():
        first = Shelf(tmp_path)
        await first.keep("a", body)
        await first.cache.aclose()
        second = Shelf(tmp_path, first.clock)
        entry = await second.find("a")
        await second.cache.aclose()
        return first, entry

    shelf, entry = virtual_time.run(scenario())

    assert entry == Entry(body, "https://toy/a", shelf.clock.now, shelf.clock.now + 100, "cache")


def test_an_entry_that_was_never_stored_is_not_found(tmp_path):
    assert virtual_time.run(Shelf(tmp_path).find("a")) is None


def test_an_expired_answer_is_stale_and_after_thirty_days_gone(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a", seconds=100)
        origins = []
        for seconds in (99.0, 1.0, 29 * DAY, DAY):
            shelf.clock.now += seconds
            entry = await shelf.find("a")
            origins.append(entry and entry.origin)
        return origins

    assert virtual_time.run(scenario()) == ["cache", "stale", "stale", None]


def test_an_answer_from_the_future_is_stale_because_the_clock_was_set_back(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a", seconds=DAY)
        shelf.clock.now -= HOUR
        stale = await shelf.find("a")
        await shelf.keep("a", b"newer", seconds=DAY)
        fresh = await shelf.find("a")
        return stale, fresh

    stale, fresh = virtual_time.run(scenario())

    assert stale.origin == "stale"
    assert (fresh.origin, fresh.body) == ("cache", b"newer")


def test_another_base_url_or_kind_is_another_answer(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        mirror_shelf = Shelf(tmp_path, shelf.clock, **{URL.name: "http://127.0.0.1:1/api"})
        other_service = replace(TOY, name="other")
        return [
            await mirror_shelf.find("a"),
            await shelf.cache.find(TOY, "word/2", "a"),
            await shelf.cache.find(other_service, "word/1", "a"),
        ]

    assert virtual_time.run(scenario()) == [None, None, None]


def test_the_least_recently_used_goes_first_and_a_tenth_stays_free(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path, cap_bytes=10_000)
        for name in "abcdefgh":  # 1,200 bytes each with what holds them together: eight are 9,600
            await shelf.keep(name, name.encode() * 1000)
            shelf.clock.now += 1
        shelf.clock.now += 100
        await shelf.find("a")
        await shelf.keep("i", b"i" * 1000)  # 10,800: two go to be below 9,000, and "a" is in use
        await shelf.cache.flush()
        return [name for name in "abcdefghi" if await shelf.find(name)], await shelf.cache.stats()

    names, stats = virtual_time.run(scenario())

    assert names == list("adefghi")
    assert (stats.entries, stats.bytes) == (7, 8400)


def test_answers_that_change_size_and_go_are_counted_right(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a", b"x" * 1000)
        await shelf.keep("a", b"x" * 10)
        await shelf.keep("b", None)
        before = await shelf.cache.stats()
        cleared_count = await shelf.cache.clear()
        return before, cleared_count, await shelf.cache.stats(), await shelf.find("a")

    before, cleared_count, after, entries = virtual_time.run(scenario())

    assert (before.entries, before.bytes, before.kind) == (2, 410, "sqlite")
    assert before.location == str(the_file(tmp_path))
    assert (cleared_count, after.entries, after.bytes, entries) == (2, 0, 0, None)


def test_clearing_gives_the_space_back(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        for number in range(40):
            await shelf.keep(str(number), b"%d" % number * 8000)
        await shelf.cache.flush()
        full = sum(file.stat().st_size for file in tmp_path.iterdir())
        await shelf.cache.clear()
        return full, sum(file.stat().st_size for file in tmp_path.iterdir())

    full, empty = virtual_time.run(scenario())

    assert full > 300_000
    assert empty < 100_000


def test_a_file_that_is_no_database_is_replaced(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        await shelf.cache.aclose()
        the_file(tmp_path).write_bytes(b"this is not a database at all" * 1000)
        shelf = Shelf(tmp_path, shelf.clock)
        before_repair = await shelf.find("a")
        await shelf.keep("b")
        entry = await shelf.find("b")
        await shelf.cache.aclose()
        return before_repair, entry, shelf.notices()

    before_repair, entry, notices = virtual_time.run(scenario())

    assert before_repair is None
    assert entry.body == b"body"
    assert notices == []
    assert the_file(tmp_path).read_bytes().startswith(b"SQLite format 3")


def test_a_damaged_page_never_changes_an_answer(tmp_path):
    async def damage(folder, offset):
        shelf = Shelf(folder)
        for name in "abcdefghij":
            await shelf.keep(name, name.encode() * 10_000)
        await shelf.cache.aclose()
        with the_file(folder).open("r+b") as file:
            file.seek(offset)
            file.write(b"\xa5" * 600)
        shelf = Shelf(folder, shelf.clock)
        bodies = {name: entry.body for name in "abcdefghij" if (entry := await shelf.find(name))}
        await shelf.keep("z")
        entry = await shelf.find("z")
        await shelf.cache.aclose()
        return bodies, entry

    outcomes = [virtual_time.run(damage(tmp_path / str(offset), offset)) for offset in range(4096, 90_000, 7000)]

    assert all(body == name.encode() * 10_000 for bodies, _ in outcomes for name, body in bodies.items())
    assert all(entry.body == b"body" for _, entry in outcomes)
    assert min(len(bodies) for bodies, _ in outcomes) == 0  # some of the damage was where it hurts


def test_a_folder_that_cannot_be_made_means_memory_and_one_notice(tmp_path):
    (tmp_path / "file").write_text("in the way")

    async def scenario():
        shelf = Shelf(tmp_path / "file" / "cache")
        await shelf.keep("a")
        entry = await shelf.find("a")
        first, second = shelf.notices(), shelf.notices()
        third = Shelf(tmp_path / "file" / "cache")
        await third.keep("a")
        return entry, first, second, third.notices(), await shelf.cache.stats()

    entry, first, second, third, stats = virtual_time.run(scenario())

    assert entry.body == b"body"
    assert (first, second, third) == (["CACHE_IN_MEMORY"], [], [])
    assert stats.kind == "memory"


def test_a_full_disk_means_memory_and_one_notice(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        await shelf.cache.flush()
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, hard))
        try:
            for number in range(30):
                await shelf.keep(str(number), b"x" * 15_000)
            await shelf.cache.flush()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        entries = [await shelf.find(name) for name in ("a", "0", "29")]
        await shelf.cache.aclose()
        return entries, shelf.notices()

    entries, notices = virtual_time.run(scenario())

    assert [entry.body for entry in entries] == [
        b"body",
        b"x" * 15_000,
        b"x" * 15_000,
    ]  # entries on the disk can still be read
    assert notices == ["CACHE_IN_MEMORY"]


def test_a_file_that_sqlite_will_not_write_is_read(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        await shelf.cache.aclose()
        with the_file(tmp_path).open("r+b") as file:
            file.seek(18)  # the version of SQLite that may write: a later one than there is
            file.write(b"\x03")
        shelf = Shelf(tmp_path, shelf.clock)
        await shelf.keep("b")
        await shelf.cache.flush()
        entries = [await shelf.find(name) for name in ("a", "b")]
        notices = shelf.notices(), shelf.notices()
        stats = await shelf.cache.stats()
        await shelf.cache.aclose()
        return [reader.body for reader in entries], notices, stats

    entries, notices, stats = virtual_time.run(scenario())

    assert entries == [b"body", b"body"]
    assert notices == (["CACHE_IN_MEMORY"], [])
    assert (stats.kind, stats.entries) == ("sqlite, read only", 2)


def test_an_answer_waits_for_the_holder_of_the_file_and_the_loop_does_not(tmp_path):
    async def scenario():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        shelf, neighbour = Shelf(tmp_path), Shelf(tmp_path)
        await shelf.keep("a")
        await shelf.cache.flush()
        with closing(sqlite3.connect(the_file(tmp_path), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            await shelf.keep("b")
            while_locked = [await reader.find(name) for reader in (shelf, neighbour) for name in ("a", "b")]
        await shelf.cache.flush()
        when_unlocked = [await neighbour.find(name) for name in ("a", "b")]
        for reader in (shelf, neighbour):
            await reader.cache.aclose()
        return (
            [entries and entries.body for entries in while_locked],
            [entries.body for entries in when_unlocked],
            shelf.notices(),
        )

    while_locked, when_unlocked, notices = virtual_time.run(scenario())

    assert while_locked == [b"body", b"body", b"body", None]
    assert when_unlocked == [b"body", b"body"]
    assert notices == []


def test_a_file_that_was_deleted_under_us_does_not_matter(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a")
        for file in tmp_path.iterdir():
            file.unlink()
        await shelf.keep("b")
        return await shelf.find("b")

    assert virtual_time.run(scenario()).body == b"body"


def test_folder_and_file_are_the_users_alone(tmp_path):
    virtual_time.run(Shelf(tmp_path / "new" / "cache").keep("a"))

    assert (tmp_path / "new" / "cache").stat().st_mode & 0o777 == 0o700
    assert the_file(tmp_path / "new" / "cache").stat().st_mode & 0o777 == 0o600


def test_the_folder_is_the_set_one_else_the_users(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert cache_folder(Settings({})) == tmp_path / "biofact"
    assert cache_folder(Settings({CACHE_DIR.name: "/elsewhere"})) == Path("/elsewhere")


def test_memory_is_bounded_too():
    async def scenario():
        store = MemoryStore(cap_bytes=3_700)
        for name in (b"a", b"b", b"c"):  # 1,200 bytes each
            await store.put({name: Entry(b"x" * 1000, "", 0, 0)}, 0)
        await store.get({b"a": None}, 0)
        await store.put({b"d": Entry(b"x" * 1000, "", 0, 0)}, 0)
        return list(await store.get(dict.fromkeys((b"a", b"b", b"c", b"d")), 0)), await store.size()

    entry, size = virtual_time.run(scenario())

    assert entry == [b"a", b"c", b"d"]
    assert size == (3, 3600)


def test_a_record_is_kept_and_found_within_a_millisecond(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("first")
        durations = []
        for number in range(20):
            started = time.process_time()
            await shelf.keep(str(number), RECORD)
            await shelf.find(str(number))
            durations.append(time.process_time() - started)
        return sorted(durations)[10]

    assert virtual_time.run(scenario()) < 0.005  # of work: 0.6 ms for both where this was written
