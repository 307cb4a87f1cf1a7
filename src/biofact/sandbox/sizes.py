"""Answers as large as the real services': records padded, by ID, to the sizes that recordings and contracts state."""

import hashlib
import itertools
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from statistics import NormalDist
from typing import Any, Literal, Protocol, runtime_checkable

import orjson

from biofact.sandbox.standin import Reply, ServiceRequest

Sizes = Literal["starter", "real"]
"""Records as the starter facts make them, or as large as those of the services."""

_TAIL = 3.0
"""Standard deviations from the median to the largest record: one in 740 is as large."""
_BLOCK_BYTES = 64 * 1024
Record = Any
"""An object or a list of a JSON answer."""


@dataclass(frozen=True, slots=True)
class RecordSize:
    """The bytes of one record of a kind, before gzip: log-normal between records, the same each time for one ID."""

    median: int
    largest: int
    source: str
    """The recordings or the contract that it follows, with their date."""

    def of(self, record_id: str) -> int:
        """The bytes of the record with this ID."""
        digest = int.from_bytes(hashlib.blake2b(record_id.encode(), digest_size=6).digest())
        deviation = NormalDist().inv_cdf((digest + 0.5) / (1 << 48))
        factor: float = (self.largest / self.median) ** (deviation / _TAIL)
        return min(self.largest, round(self.median * factor))


def scattered(number: int, below: int) -> int:
    """The n-th of numbers that look drawn by lot: without a pattern that gzip could use."""
    return (number * 2_654_435_761 % (1 << 32)) * below >> 32  # Knuth's multiplicative hash


class Padding(Protocol):
    """A kind of record in the answers of one endpoint, and a way to make it as large as the service's."""

    @property
    def size(self) -> RecordSize:
        """The sizes of the records."""

    def applies(self, request: ServiceRequest, reply: Reply) -> bool:
        """Whether the reply holds records of this kind."""

    def padded(self, reply: Reply) -> Reply:
        """The reply with these records as large as the service's; larger ones stay as they are."""


@runtime_checkable
class Padded(Protocol):
    """A stand-in, or a database behind one, that knows how large the records of its service are."""

    paddings: Sequence[Padding]


def real_size(stand_in: object, request: ServiceRequest, reply: Reply) -> Reply:
    """The reply at the size of the real service's, as far as its stand-in knows it; refusals stay as they are."""
    if isinstance(stand_in, Padded) and reply.status == HTTPStatus.OK:
        for padding in stand_in.paddings:
            if padding.applies(request, reply):
                reply = padding.padded(reply)
    return reply


@dataclass(frozen=True, slots=True)
class XmlPadding:
    """Further elements in the records of an XML answer, whose pieces are a record each.

    ``uid`` finds a record's ID, ``place`` is the tag that they stand before. Records without either stay as they are.
    """

    path: str
    size: RecordSize
    uid: re.Pattern[bytes]
    place: bytes
    elements: Callable[[], Sequence[bytes]]
    """Different ones of about the same size, so that gzip packs them as it packs the real ones."""
    wrapper: tuple[bytes, bytes]
    """Start and end of the element that holds them."""

    def applies(self, request: ServiceRequest, reply: Reply) -> bool:
        """Whether the answer is of this endpoint and in XML."""
        return request.path == self.path and reply.content_type.startswith("text/xml")

    def padded(self, reply: Reply) -> Reply:
        """The answer record by record, never whole in memory."""
        pieces = [reply.body] if isinstance(reply.body, bytes) else reply.body
        return replace(reply, body=itertools.chain.from_iterable(map(self.pieces, pieces)))

    def pieces(self, record: bytes) -> Iterator[bytes]:
        """A record piece by piece."""
        uid, place = self.uid.search(record), record.rfind(self.place)
        missing_bytes = self.size.of(uid[1].decode()) - len(record) - sum(map(len, self.wrapper)) if uid else 0
        if place < 0 or missing_bytes <= 0:
            yield record
            return
        yield record[:place] + self.wrapper[0]
        yield from self._filler(missing_bytes)
        yield self.wrapper[1] + record[place:]

    def _filler(self, max_bytes: int) -> Iterator[bytes]:
        elements = self.elements()
        block = b"".join(elements)
        count = max_bytes // len(block)
        yield from itertools.repeat(block, count)
        rest = max_bytes - count * len(block)
        whole = itertools.takewhile(
            lambda end: end[1] <= rest, zip(elements, itertools.accumulate(map(len, elements)), strict=True)
        )
        yield b"".join(element for element, _ in whole)


@dataclass(frozen=True, slots=True)
class JsonPadding:
    """Further values in the records of a JSON answer."""

    path: re.Pattern[str]
    """A pattern that matches the whole path."""
    size: RecordSize
    records: Callable[[Any], Iterable[tuple[str, Record]]]
    """The records of an answer, each with its ID."""
    grow: Callable[[Record, int], None]
    """Adds a number of bytes to a record."""

    def applies(self, request: ServiceRequest, reply: Reply) -> bool:
        """Whether the answer is of this endpoint and in JSON."""
        return bool(self.path.fullmatch(request.path)) and reply.content_type.startswith("application/json")

    def padded(self, reply: Reply) -> Reply:
        """The answer written again: those in JSON are small enough to be whole in memory."""
        document = orjson.loads(reply.body if isinstance(reply.body, bytes) else b"".join(reply.body))
        for uid, record in self.records(document):
            missing_bytes = self.size.of(uid) - len(orjson.dumps(record))
            if missing_bytes > 0:
                self.grow(record, missing_bytes)
        return replace(reply, body=orjson.dumps(document))


def first_number(record: Record) -> int:
    """The number from which the values added to a record count: no two records get the same, which gzip would use."""
    return zlib.crc32(orjson.dumps(record)) % 1_000_000


def further_rows(row: Callable[[int], Any], rows_of: Callable[[Record], list[Any]]) -> Callable[[Record, int], None]:
    """A function that adds rows to a list in a record; ``row`` makes the n-th."""

    def grow(record: Record, max_bytes: int) -> None:
        start, rows = first_number(record), rows_of(record)
        row_bytes = len(orjson.dumps(row(start))) + 1
        rows += [row(start + number) for number in range(max_bytes // row_bytes)]

    return grow
