"""Cuts the JSON answer to a batched lookup into records once all of it is there, for records that are small. Pure."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import orjson

from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import loaded


class JsonRecords(WholeAnswer):
    """A splitter. ``read`` takes what the body says to IDs, as the lookup writes them, and their records."""

    def __init__(self, read: Callable[[Any], Iterable[tuple[str, Any]]]) -> None:
        def records(body: bytes) -> Iterator[tuple[str, bytes]]:
            yield from ((record_id, orjson.dumps(record)) for record_id, record in read(loaded(body)))

        super().__init__(records, ends=(b"}", b"]"))
