"""Rows by where they lie: 0-based and half-open, as the service counts."""

import bisect
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from biofact.sandbox.tables import Row


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a chromosome."""

    organism: str
    """In Latin."""
    chromosome: str
    """With ``chr``."""
    start: int
    end: int


class PlacedRows:
    """Rows of one collection by organism, chromosome and span; a variant spans the base at its position."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows:
            self._rows[row["organism"], row["chr"]].append(row)
        self._starts: dict[tuple[str, str], list[int]] = {}
        self._longest: dict[tuple[str, str], int] = {}
        for where, several in self._rows.items():
            several.sort(key=_start)
            self._starts[where] = [_start(row) for row in several]
            self._longest[where] = max(_end(row) - _start(row) for row in several)

    def over(self, region: Region) -> list[Row]:
        """Those with a base in common with a region."""
        where = (region.organism, region.chromosome)
        starts = self._starts.get(where, [])
        low = bisect.bisect_left(starts, region.start - self._longest.get(where, 0))
        high = bisect.bisect_left(starts, region.end)
        return [row for row in self._rows.get(where, [])[low:high] if _end(row) > region.start]

    def beside(self, region: Region) -> list[Row]:
        """The last one before a region and the first one after it."""
        several = self._rows.get((region.organism, region.chromosome), [])
        before = [row for row in several if _end(row) < region.start]
        after = [row for row in several if _start(row) > region.end]
        return [*sorted(before, key=_end)[-1:], *after[:1]]


def _start(row: Row) -> int:
    return int(row["pos"] if "pos" in row else row["start"])


def _end(row: Row) -> int:
    return int(row["pos"] + 1 if "pos" in row else row["end"])
