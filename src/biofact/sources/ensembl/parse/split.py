"""Cuts the answer to a POST lookup into records as it arrives, each trimmed to what is read of it. Pure.

The answer is one object of objects, keyed by the IDs that were asked for, with null for an ID that does not exist.
A hundred expanded genes are tens of megabytes; no more than one record is held at a time.
"""

import re
from collections.abc import Sequence
from typing import Any

import orjson

from biofact.sources.ensembl.parse.documents import document
from biofact.transport.service import MIB, BodyTooLarge, Transient

LARGEST_RECORD = 64 * MIB

_KEY = re.compile(rb'"(?<!\\")([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*(?=[{n])')
"""A key with an object or null: an asked ID is one only where its record begins."""
_LONGEST_KEY = 200
_OF_A_TRANSCRIPT = ("id", "version", "biotype", "is_canonical", "MANE")


class LookupSplitter:
    """Asked IDs and their records. IDs with null are left out, so that they count as absent."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._unseen = set(ids)
        self._asked = frozenset(ids)
        self._open: str | None = None
        self._buffer = bytearray()
        self._scanned = 0
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
            self._unseen.discard(self._open)
            del self._buffer[: key.end()]
            self._scanned = 0
        if len(self._buffer) > LARGEST_RECORD:
            raise BodyTooLarge(f"sent a record of more than {LARGEST_RECORD // MIB} MiB")
        return [*records, *self._last()]

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end, says that something failed, or leaves IDs out.
        """
        if self._open is None:
            document(bytes(self._buffer))
            raise Transient("sent something other than what was looked up")
        if not self._has_ended:
            raise Transient("sent an answer that is cut short")
        if self._unseen:
            raise Transient(f"left out {len(self._unseen)} of the IDs that were looked up")

    def _all_at_once(self) -> list[tuple[str, bytes]]:
        """All records, when the whole answer came in one piece, as small ones do: no need to look for their seams."""
        if not self._buffer.rstrip().endswith(b"}"):
            return []
        try:
            answer = orjson.loads(self._buffer)
        except orjson.JSONDecodeError:  # the brace was a record's own
            return []
        records = {key: values for key, values in answer.items() if key in self._asked}
        if not records:
            return []
        self._open, self._has_ended = next(iter(records)), True
        self._unseen -= records.keys()
        self._buffer.clear()
        return [(key, orjson.dumps(trimmed(values))) for key, values in records.items() if isinstance(values, dict)]

    def _next_key(self) -> "re.Match[bytes] | None":
        while found := _KEY.search(self._buffer, self._scanned):
            if _text(found) in self._asked:
                return found
            self._scanned = found.end()
        self._scanned = max(self._scanned, len(self._buffer) - _LONGEST_KEY)
        return None

    def _last(self) -> list[tuple[str, bytes]]:
        """The last record, when the whole answer ends with this chunk."""
        end = bytes(self._buffer[-16:]).rstrip()
        if self._open is None or self._has_ended or not end.endswith(b"}"):
            return []
        record = bytes(self._buffer).rstrip()[:-1].rstrip()
        if not record.endswith((b"}", b"null")):
            return []
        try:
            orjson.loads(record)
        except orjson.JSONDecodeError:  # the brace was the record's own
            return []
        self._has_ended = True
        return self._closed(record)

    def _closed(self, record: bytes) -> list[tuple[str, bytes]]:
        if self._open is None:
            return []
        try:
            values = orjson.loads(record)
        except orjson.JSONDecodeError as error:
            raise Transient("sent a record that is no JSON") from error
        return [(self._open, orjson.dumps(trimmed(values)))] if isinstance(values, dict) else []


def _text(key: re.Match[bytes]) -> str:
    if b"\\" not in key[1]:
        return key[1].decode(errors="replace")
    try:
        return str(orjson.loads(b'"%s"' % key[1]))
    except orjson.JSONDecodeError:  # no key after all, or one that nobody asked for
        return ""


def trimmed(values: dict[str, Any]) -> dict[str, Any]:
    """A record without what nobody reads: the exons of a gene's transcripts, which are most of its bytes."""
    listed = values.get("Transcript")
    if not isinstance(listed, list):
        return values
    return {**values, "Transcript": [_brief(transcript) for transcript in listed if isinstance(transcript, dict)]}


def _brief(transcript: dict[str, Any]) -> dict[str, Any]:
    kept = {name: transcript[name] for name in _OF_A_TRANSCRIPT if name in transcript}
    protein = transcript.get("Translation")
    return {**kept, "Translation": {"length": protein.get("length")}} if isinstance(protein, dict) else kept
