"""Cuts JSON answers for many IDs into records. Pure.

``WholeAnswer`` reads an answer when all of it is there; ``KeyedRecords`` reads an object of objects as it arrives.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import orjson

from biofact.dialects.json_values import loaded
from biofact.dialects.readable_rows import ReadableRows
from biofact.transport.service import MIB, WHOLE_CAP, BodyTooLarge, Transient

LARGEST = 64 * MIB
"""Bytes of one record of a streamed answer."""

_CUT_SHORT = "sent an answer that is cut short"
_END = 64  # bytes in which the last sign stands, before blanks
_KEY = re.compile(rb'"(?<!\\")([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*(?=[{n])')
"""A key with an object or null: a requested ID is such a key only where its record begins."""
_LONGEST_KEY = 200


class WholeAnswer:
    """IDs and their records, read when the last chunk is there.

    ``parse`` yields them. It raises ``Transient`` before the first record for a body that is damaged or not whole yet,
    and after the last when something is lacking, which is reported once the body has ended. A whole body ends with one
    of ``ends``.
    """

    def __init__(
        self,
        parse: Callable[[bytes], Iterable[tuple[str, bytes]]],
        *,
        ends: tuple[bytes, ...] = (b"}",),
        largest: int = WHOLE_CAP,
    ) -> None:
        self._parse = parse
        self._ends = ends
        self._largest = largest
        self._body = bytearray()
        self._has_ended = False
        self._trouble: Transient | None = Transient(_CUT_SHORT)

    @classmethod
    def of_rows(
        cls, read: Callable[[bytes], Iterable[dict[str, Any]]], id_of: Callable[[dict[str, Any]], str]
    ) -> "WholeAnswer":
        """The splitter of rows, which ``read`` reads, by the ID that each names; one without a row is absent, unless
        a row names none.
        """

        def parse(body: bytes) -> Iterator[tuple[str, bytes]]:
            found = ReadableRows.of(read(body), lambda row: (id_of(row), orjson.dumps(row)), is_whole=False)
            yield from found.items
            if found.failure:
                raise Transient(f"sent a record without {found.failure.name!r}")

        return cls(parse, ends=(b"}", b"]"))

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """All records when this chunk completes the answer, else none.

        Raises:
            Transient: something follows the end of the answer.
            BodyTooLarge: the answer is beyond the cap.
        """
        if self._has_ended and chunk.strip():
            raise Transient("sent something after the end of its answer")
        self._body += chunk
        if len(self._body) > self._largest:
            raise BodyTooLarge(f"sent an answer of more than {self._largest // MIB} MiB")
        if self._has_ended:
            return []
        if not self._body[-_END:].rstrip().endswith(self._ends):
            self._trouble = Transient(_CUT_SHORT)
            return []
        records: list[tuple[str, bytes]] = []
        try:
            records.extend(self._parse(bytes(self._body)))
            self._trouble = None
        except Transient as trouble:  # not whole yet, or damaged, or something is lacking: close says which
            self._trouble = trouble
        self._has_ended = bool(records) or self._trouble is None
        return records

    def close(self) -> None:
        """Finish: the body has ended.

        Raises:
            Transient: it ended before its end, is damaged, or something is lacking.
        """
        if self._trouble is not None:
            raise self._trouble


class KeyedRecords:
    """Records by requested ID, of one object keyed by ID, with null for an ID that does not exist.

    A hundred records may be tens of megabytes: no more than one is held at a time. IDs with null are left out, so that
    they count as absent. ``refuse`` reads a body that has no record at all, and raises what it says; ``trim`` leaves
    out unused parts of a record.
    """

    def __init__(
        self,
        ids: Sequence[str],
        refuse: Callable[[bytes], object],
        trim: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    ) -> None:
        self._ids = frozenset(ids)
        self._missing = set(ids)
        self._refuse = refuse
        self._trim = trim
        self._open: str | None = None
        self._buffer = bytearray()
        self._scan_start = 0
        self._has_ended = False

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """The records that this chunk completes.

        Raises:
            Transient: the body is damaged.
            BodyTooLarge: one record is beyond the cap.
        """
        is_first = not self._buffer and self._open is None
        self._buffer += chunk
        records = self._all_at_once() if is_first else []
        while key := self._next_key():
            records += self._closed(bytes(self._buffer[: key.start()]).rstrip().removesuffix(b","))
            self._open = _text(key)
            self._missing.discard(self._open)
            del self._buffer[: key.end()]
            self._scan_start = 0
        if len(self._buffer) > LARGEST:
            raise BodyTooLarge(f"sent a record of more than {LARGEST // MIB} MiB")
        return [*records, *self._last()]

    def close(self) -> None:
        """Finish: the body has ended.

        Raises:
            Transient: it ended before its end, says that something failed, or leaves IDs out.
        """
        if self._open is None:
            self._refuse(bytes(self._buffer))
            raise Transient("sent something other than what was looked up")
        if not self._has_ended:
            raise Transient(_CUT_SHORT)
        if self._missing:
            raise Transient(f"left out {len(self._missing)} of the IDs that were looked up")

    def _all_at_once(self) -> list[tuple[str, bytes]]:
        """All records, when the whole answer came in one piece, as small ones do: no need to look for their seams."""
        if not self._buffer.rstrip().endswith(b"}"):
            return []
        try:
            answer = loaded(self._buffer)
        except Transient:  # the brace was a record's own
            return []
        records = {key: values for key, values in answer.items() if key in self._ids}
        if not records:
            return []
        self._open, self._has_ended = next(iter(records)), True
        self._missing -= records.keys()
        self._buffer.clear()
        return [(key, orjson.dumps(self._trim(values))) for key, values in records.items() if isinstance(values, dict)]

    def _next_key(self) -> "re.Match[bytes] | None":
        while match := _KEY.search(self._buffer, self._scan_start):
            if _text(match) in self._ids:
                return match
            self._scan_start = match.end()
        self._scan_start = max(self._scan_start, len(self._buffer) - _LONGEST_KEY)
        return None

    def _last(self) -> list[tuple[str, bytes]]:
        """The last record, when the whole answer ends with this chunk."""
        if self._open is None or self._has_ended or not self._buffer[-_END:].rstrip().endswith(b"}"):
            return []
        record = bytes(self._buffer).rstrip()[:-1].rstrip()
        if not record.endswith((b"}", b"null")):
            return []
        try:
            loaded(record)
        except Transient:  # the brace was the record's own
            return []
        self._has_ended = True
        return self._closed(record)

    def _closed(self, record: bytes) -> list[tuple[str, bytes]]:
        if self._open is None:
            return []
        values = loaded(record)
        return [(self._open, orjson.dumps(self._trim(values)))] if isinstance(values, dict) else []


def _text(key: re.Match[bytes]) -> str:
    if b"\\" not in key[1]:
        return key[1].decode(errors="replace")
    try:
        return str(orjson.loads(b'"%s"' % key[1]))
    except orjson.JSONDecodeError:  # no key after all, or one that was not requested
        return ""
