"""The rows of a shard on the disk: JSON lines, compressed in blocks that can be read one by one."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

BLOCK = 100
"""Rows; a reader of one row reads so many."""
_LEVEL = 6


def block(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a member of a gzip file; the same rows are the same bytes, whenever they are written."""
    lines = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    return gzip.compress(lines, _LEVEL, mtime=0)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """All rows of a shard."""
    with gzip.open(path, "rb") as stream:
        yield from map(orjson.loads, stream)


def rows_at(path: Path, places: Sequence[int], offsets: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows by their places in the shard, whose blocks begin at these offsets."""
    wanted: dict[int, list[int]] = {}
    for place in places:
        wanted.setdefault(place // BLOCK, []).append(place)
    with path.open("rb") as stream:
        for number, within in sorted(wanted.items()):
            stream.seek(offsets[number])
            end = offsets[number + 1] if number + 1 < len(offsets) else None
            lines = gzip.decompress(stream.read(-1 if end is None else end - offsets[number])).splitlines()
            yield from ((place, orjson.loads(lines[place % BLOCK])) for place in within)
