"""Entries of PubMed's baseline and update files."""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from biofact.corpus.inputs.entries import LONGEST_PMID, Entry, Identifier, described, entry
from biofact.sources.pubmed.parse import article
from biofact.sources.pubmed.parse.split import ArticleSplitter
from biofact.transport.service import MIB

_DAMAGED = "damaged"
"""The ID of what stands for a damaged record; no PMID is one."""
_LARGEST_RECORD = 32 * MIB
"""A hundred times the largest of PubMed's. To read one takes several times its size in memory."""
_PMID = re.compile(rb"<PMID(?:\s[^>]*)?>\s*([0-9]{1,18})\s*</PMID>")
_VERSION = re.compile(rb"""<PMID\s[^>]*\bVersion\s*=\s*["']([0-9]{1,9})["']""")


class _EntrySplitter(ArticleSplitter):
    """Goes on behind a record that cannot be read: what stands for it is its error and PMID."""

    def _damaged(self, record: bytes, error: Exception) -> Iterable[tuple[str, bytes]]:
        return [(_DAMAGED, _pmid(record).encode() + b" " + described(error).encode())]


def entries(stream: BinaryIO, first: int, count: int | None) -> Iterator[Entry]:
    """Entries from number ``first`` on; to the end of the file, and with it, unless a count is given."""
    last = None if count is None else first + count
    articles = ((pmid, record) for pmid, record in _records(stream) if record)  # a deletion has no record
    for place, (pmid, record) in enumerate(articles):
        if place == last:
            return
        if place >= first:
            yield _entry(pmid, record)


def identifiers(stream: BinaryIO) -> Iterator[Identifier]:
    """The PMIDs of a file, and those that it deletes."""
    for pmid, record in _records(stream):
        yield Identifier(_parts(record)[0] if pmid == _DAMAGED else _known(pmid), is_deletion=not record)


def _records(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    splitter = _EntrySplitter(largest_record=_LARGEST_RECORD)
    while chunk := stream.read(MIB):
        yield from splitter.feed(chunk)
    splitter.close()


def _entry(pmid: str, record: bytes) -> Entry:
    if pmid == _DAMAGED:
        known, error = _parts(record)
        return Entry(known, error=error)
    version = _VERSION.search(record)
    return entry(_known(pmid), lambda: article(record), int(version[1]) if version else 1)


def _known(pmid: str) -> str:
    """A PMID, unless it has more digits than any can have: then none can be told."""
    return pmid if len(pmid) <= LONGEST_PMID else ""


def _parts(damaged: bytes) -> tuple[str, str]:
    pmid, _, error = damaged.decode().partition(" ")
    return pmid, error


def _pmid(record: bytes) -> str:
    found = _PMID.search(record)
    return found[1].decode() if found else ""
