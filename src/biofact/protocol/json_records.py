"""Cuts the JSON answer to a batched lookup into records once all of it is there, for records that are small. Pure."""

from collections.abc import Callable, Iterable
from typing import Any

import orjson

from biofact.transport.service import MIB, BodyTooLarge, Transient

LARGEST_ANSWER = 64 * MIB


class JsonRecords:
    """A splitter. ``read`` takes what the body says to IDs, as the lookup writes them, and their records."""

    def __init__(self, read: Callable[[Any], Iterable[tuple[str, Any]]]) -> None:
        self._read = read
        self._buffer = bytearray()
        self._has_ended = False

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """The records, once the last chunk is there.

        Raises:
            Transient: the body is damaged, or ``read`` says so.
            BodyTooLarge: it is beyond the cap.
        """
        if self._has_ended and chunk.strip():
            raise Transient("sent something after the end of its answer")
        self._buffer += chunk
        if len(self._buffer) > LARGEST_ANSWER:
            raise BodyTooLarge(f"sent an answer of more than {LARGEST_ANSWER // MIB} MiB")
        if not chunk.rstrip().endswith((b"}", b"]")):
            return []
        try:
            body = orjson.loads(self._buffer)
        except orjson.JSONDecodeError:  # the bracket was a record's own
            return []
        self._has_ended = True
        return [(record_id, orjson.dumps(record)) for record_id, record in self._read(body)]

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end.
        """
        if not self._has_ended:
            raise Transient("sent an answer that is cut short, or no JSON")
