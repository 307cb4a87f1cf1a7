"""Values parsed from cached answers: parsed once while they are in memory, never of another answer, never changed."""

import asyncio
import functools
from dataclasses import dataclass
from pathlib import Path

import pytest

from biofact.transport.keep.cache import RecentEntries
from biofact.transport.keep.store import Entry, ParsedValues
from tests.transport.scene import ASK, KEEP, Scene, good, lines, words
from tests.transport.test_cache import Shelf

pytestmark = pytest.mark.quick

PARSED_BODIES: list[bytes] = []
"""The bodies that were parsed."""


@dataclass(frozen=True)
class Word:
    text: str
    letters: tuple[str, ...] = ()


@pytest.fixture(autouse=True)
def _nothing_read_yet():
    PARSED_BODIES.clear()


def word(body: bytes) -> Word:
    PARSED_BODIES.append(body)
    return Word(body.decode(), tuple(body.decode()))


def letters(body: bytes, most: object = None) -> list[str]:
    PARSED_BODIES.append(body)
    return list(body.decode())[:most]


def document(body: bytes) -> dict[str, list[int]]:
    PARSED_BODIES.append(body)
    return {"codes": list(body)}


def entry_of(body: bytes = b"abc") -> Entry:
    return Entry(body, "", 0.0, 100.0)


def test_an_immutable_value_is_parsed_once_and_shared():
    entry = entry_of()

    assert entry.value(word) is entry.value(word)
    assert PARSED_BODIES == [b"abc"]


def test_a_mutable_value_is_parsed_once_and_copied():
    entry = entry_of()
    first, second = entry.value(letters), entry.value(letters)
    first.append("spoilt")
    second.append("spoilt")

    assert entry.value(letters) == ["a", "b", "c"]
    assert PARSED_BODIES == [b"abc"]


def test_bare_json_is_read_from_its_bytes_each_time():
    entry = entry_of()

    assert entry.value(document) == entry.value(document) == {"codes": [97, 98, 99]}
    assert PARSED_BODIES == [b"abc", b"abc"]


def test_readings_with_other_arguments_are_others():
    entry = entry_of()
    counts = (1, 2, True, 1, None)

    assert [len(entry.value(functools.partial(letters, most=count))) for count in counts] == [1, 2, 1, 1, 3]
    assert len(PARSED_BODIES) == 4  # True is not 1


def test_values_that_depend_on_more_than_their_arguments_are_never_cached():
    entry = entry_of()
    longest = [1]

    def cut(body):
        return letters(body, longest[0])

    short = entry.value(cut), entry.value(functools.partial(letters, most=slice(1).stop))
    longest[0] = 2

    assert (short, entry.value(cut)) == ((["a"], ["a"]), ["a", "b"])


def test_endless_readings_of_one_answer_do_not_pile_up():
    readings = ParsedValues()
    for number in range(100):
        readings.value(functools.partial(letters, most=number), b"abc")

    assert len(readings._values) == 8


def test_a_failed_parse_is_repeated():
    entry = entry_of(b"\xff")

    for _ in range(2):
        with pytest.raises(UnicodeDecodeError):
            entry.value(word)
    assert PARSED_BODIES == [b"\xff", b"\xff"]


def test_recent_entries_are_limited_in_number_and_bytes():
    two_entries, small = RecentEntries(limit=2, limit_bytes=100), RecentEntries(limit=100, limit_bytes=5)
    entries = {name.encode(): entry_of(name.encode() * 2) for name in "abc"}
    for name, entry in entries.items():
        entry.value(word)
        two_entries.add(name, entry)
        small.add(name, entry)
    small.add(b"d", entry_of(b"too long"))

    assert [name for name in entries if two_entries.get(name)] == [b"b", b"c"]
    assert [name for name in (*entries, b"d") if small.get(name)] == [b"b", b"c"]
    assert entries[b"a"].parsed._values == {}


def test_a_kept_record_is_read_once_and_says_the_same(tmp_path):
    async def scenario():
        scene = Scene(tmp_path, lambda request: lines(["a", "b"]))
        transport = scene.transport()
        batch = transport.batched(words())
        results = [await batch.get("a", word) for _ in range(4)]
        results += [(await batch.get_many(["a", "b"], word))["a"]]
        await transport.aclose()
        return results

    assert asyncio.run(scenario()) == [Word("body of a", tuple("body of a"))] * 5
    assert PARSED_BODIES.count(b"body of a") == 1


def test_new_records_of_a_bulk_request_are_parsed_again_when_they_are_needed(tmp_path):
    async def scenario():
        transport = Scene(tmp_path, lambda request: lines(["a", "b"])).transport()
        batch = transport.batched(words(1))
        await batch.get_many(["a", "b"], word)
        words_again = [await batch.get("a", word) for _ in range(3)]
        await transport.aclose()
        return words_again

    assert asyncio.run(scenario()) == [Word("body of a", tuple("body of a"))] * 3
    assert PARSED_BODIES.count(b"body of a") == 2


def test_a_kept_payload_is_read_once(tmp_path):
    async def scenario():
        transport = Scene(tmp_path, good(b"abc")).transport()
        results = [await transport.fetch(ASK, word, keep=KEEP) for _ in range(4)]
        await transport.aclose()
        return results

    assert asyncio.run(scenario()) == [Word("abc", tuple("abc"))] * 4
    assert PARSED_BODIES == [b"abc", b"abc"]


async def read_twice(shelf: Shelf) -> None:
    """Bring "a" from the file, not from the queue, into memory with the value parsed from it."""
    await shelf.cache.flush()
    for _ in range(2):
        (await shelf.find("a")).value(word)


def test_a_body_that_another_process_replaced_is_parsed_again(tmp_path):
    async def scenario():
        first, second = Shelf(tmp_path), Shelf(tmp_path)
        await first.keep("a", b"old")
        await read_twice(first)
        await second.keep("a", b"new")  # at the same time by the clock
        await second.cache.flush()
        result = (await first.find("a")).value(word)
        for reader in (first, second):
            await reader.cache.aclose()
        return result

    assert asyncio.run(scenario()).text == "new"
    assert PARSED_BODIES == [b"old", b"new"]


@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_cleared_entry_is_not_returned(tmp_path: Path, is_same_process):
    async def scenario():
        first, second = Shelf(tmp_path), Shelf(tmp_path)
        await first.keep("a")
        await read_twice(first)
        cleared_count = await (first if is_same_process else second).cache.clear()
        result = await first.find("a")
        rest = len(first.cache._recent)
        for reader in (first, second):
            await reader.cache.aclose()
        return cleared_count, result, rest

    assert asyncio.run(scenario()) == (1, None, 0)


def test_an_expired_entry_is_parsed_again_and_is_stale(tmp_path):
    async def scenario():
        shelf = Shelf(tmp_path)
        await shelf.keep("a", seconds=100)
        await read_twice(shelf)
        shelf.clock.now += 100
        result = await shelf.find("a")
        text = result.value(word).text
        await shelf.cache.aclose()
        return result.origin, text, len(shelf.cache._recent)

    assert asyncio.run(scenario()) == ("stale", "body", 0)
    assert PARSED_BODIES == [b"body", b"body"]


def test_in_memory_too_a_parsed_value_lasts_as_long_as_its_entry(tmp_path):
    (tmp_path / "file").write_text("in the way")

    async def scenario():
        shelf = Shelf(tmp_path / "file" / "cache")
        await shelf.keep("a")
        results = [(await shelf.find("a")).value(word) for _ in range(3)]
        await shelf.cache.clear()
        return results, await shelf.find("a")

    results, cleared_count = asyncio.run(scenario())

    assert results[0] is results[1] is results[2]
    assert (PARSED_BODIES, cleared_count) == ([b"body"], None)


def test_a_record_that_is_absent_is_not_read(tmp_path):
    async def scenario():
        transport = Scene(tmp_path, lambda request: lines([])).transport()
        batch = transport.batched(words())
        results = [await batch.get("a", word), await batch.get("a", word), await batch.get_many(["a"], word)]
        await transport.aclose()
        return results

    assert asyncio.run(scenario()) == [None, None, {"a": None}]
    assert PARSED_BODIES == []
