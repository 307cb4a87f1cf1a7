"""Cuts bodies into records, as chunks of them arrive."""

from typing import Any


def records_of(splitter: Any, body: bytes, size: int | None = None) -> list[tuple[str, bytes]]:
    """The records of a body that arrives in chunks of this size, or at once."""
    size = size or len(body) or 1
    chunks = (body[position : position + size] for position in range(0, len(body), size))
    records = [record for chunk in chunks for record in splitter.feed(chunk)]
    splitter.close()
    return records
