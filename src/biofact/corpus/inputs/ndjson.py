"""Entries of a file with a JSON object per line."""

from collections.abc import Iterator
from typing import Any, BinaryIO

import orjson

from biofact.corpus.inputs.entries import Entry, Identifier, article_of, entry, pmid_of
from biofact.transport.service import MIB, Transient

LONGEST_LINE = 16 * MIB


def entries(stream: BinaryIO, first: int, count: int | None, *, at: int = 0) -> Iterator[Entry]:
    """Entries from number ``first`` on; ``at`` is the number of the one where the stream stands."""
    last = None if count is None else first + count
    for place, (_, text) in enumerate(_lines(stream), start=at):
        if place == last:
            return
        if place >= first:
            yield _entry(text, place)


def identifiers(stream: BinaryIO, *, can_seek: bool) -> Iterator[Identifier]:
    """The PMIDs of a file, and where their lines begin if it can be read from there."""
    for offset, text in _lines(stream):
        facts = _facts(text)
        yield Identifier(pmid_of(facts) if isinstance(facts, dict) else "", offset=offset if can_seek else 0)


def _entry(text: bytes, place: int) -> Entry:
    facts = _facts(text)
    if not isinstance(facts, dict):
        return Entry("", error=f"Entry {place + 1} of the file is no JSON object.")
    return entry(pmid_of(facts), lambda: article_of(facts))


def _facts(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Offset from here and text of each line that is not empty.

    Raises:
        Transient: a line is too long to be one article.
    """
    offset = 0
    while text := stream.readline(LONGEST_LINE + 1):
        if len(text) > LONGEST_LINE:
            raise Transient(f"the line at byte {offset:,} is longer than {LONGEST_LINE:,} bytes")
        if stripped := text.strip():
            yield offset, stripped
        offset += len(text)
