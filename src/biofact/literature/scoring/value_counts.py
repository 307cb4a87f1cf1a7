"""The values of a feature over all articles, each with how often it occurs: what one article is compared with. Pure.

Counts of parts of the articles add up to those of all, in whatever order, and so does what is worked out from them.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biofact.literature.scoring.values import Array

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """Distinct values in rising order, and how often each occurs."""

    values: Array
    counts: Counts

    @classmethod
    def of(cls, values: Array) -> "ValueCounts":
        """Those of an array; NaN, which stands for nothing stated, is none."""
        return cls.of_ordered(np.sort(values[~np.isnan(values)]))

    @classmethod
    def of_ordered(cls, values: Array) -> "ValueCounts":
        """Those of an array in rising order, without NaN."""
        ends = np.flatnonzero(np.append(values[1:] != values[:-1], values.size > 0))  # the last of each run of equals
        return cls(values[ends], np.diff(ends, prepend=-1).astype(np.int64))

    @classmethod
    def merged(cls, parts: Iterable["ValueCounts"]) -> "ValueCounts":
        """Those of all parts together."""
        every = list(parts)
        values = np.concatenate([np.empty(0), *(part.values for part in every)])
        counts = np.concatenate([np.empty(0, np.int64), *(part.counts for part in every)])
        return _counted(values, counts)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def total(self) -> int:
        """How many values there are, equal ones included."""
        return int(self.counts.sum())

    def mapped(self, function: Callable[[Array], Array]) -> "ValueCounts":
        """What becomes of them where ``function`` turns each value into another."""
        return _counted(function(self.values.copy()), self.counts)

    def count(self, condition: Callable[[Array], NDArray[np.bool_]]) -> int:
        """How many values meet a condition."""
        return int(self.counts[condition(self.values)].sum())

    def at(self, places: Counts) -> Array:
        """The values at these places, from 0, if all stood in rising order."""
        return self.values[np.searchsorted(np.cumsum(self.counts), places, "right")]

    def mean(self) -> float:
        """The mean; the same counts give the same to the last bit, however they were come by."""
        return float(np.sum(self.values * self.counts)) / self.total

    def deviation(self) -> float:
        """The standard deviation, of the population."""
        squares = (self.values - self.mean()) ** 2
        return math.sqrt(float(np.sum(squares * self.counts)) / self.total)


class ValueCountsSum:
    """Adds up the values of many parts; holds no more than twice the distinct ones of all and one part."""

    def __init__(self) -> None:
        self._sum = ValueCounts.merged([])
        self._waiting: list[ValueCounts] = []

    def add(self, part: ValueCounts) -> None:
        """Take the values of another part."""
        self._waiting.append(part)
        if sum(map(len, self._waiting)) > max(len(self._sum), _FEWEST_WAITING):
            self._merge()

    def sum(self) -> ValueCounts:
        """The values of all parts so far."""
        self._merge()
        return self._sum

    def _merge(self) -> None:
        self._sum, self._waiting = ValueCounts.merged([self._sum, *self._waiting]), []


_FEWEST_WAITING = 100_000


def _counted(values: Array, counts: Counts) -> ValueCounts:
    """In order, equal ones together; NaN left out."""
    is_known = ~np.isnan(values)
    found, places = np.unique(values[is_known], return_inverse=True)
    together = np.zeros(len(found), np.int64)
    np.add.at(together, places, counts[is_known])
    return ValueCounts(found, together)
