"""Queries that find more than PubMed lists, cut into windows of publication dates until each can be listed."""

import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

CEILING = 10_000
"""PubMed lists no more of a query."""
FIRST, LAST = dt.date(1500, 1, 1), dt.date(3000, 12, 31)  # PubMed wants both ends, and these are the farthest

_FEW_BEFORE = 1945

CountArticles = Callable[["DateWindow"], Awaitable[int]]
"""How many articles were published in a window."""


@dataclass(frozen=True, slots=True)
class DateWindow:
    """Days of publication, both included."""

    first: dt.date = FIRST
    last: dt.date = LAST

    @property
    def days(self) -> tuple[str, str]:
        """As E-utilities take them."""
        return f"{self.first:%Y/%m/%d}", f"{self.last:%Y/%m/%d}"

    def halves(self, this_year: int) -> "tuple[DateWindow, DateWindow] | None":
        """Cut between years, else between months, else between days; None for a single day.

        Most articles were published between 1945 and ``this_year``, so that is what is cut in the middle.
        """
        first, last = self.first, self.last
        if first == last:
            return None
        if first.year < last.year:
            low, high = max(first.year, _FEW_BEFORE), min(last.year - 1, this_year)
            year = (low + high) // 2 if low <= high else (first.year + last.year - 1) // 2
            begin = dt.date(year + 1, 1, 1)
        elif first.month < last.month:
            begin = dt.date(first.year, (first.month + last.month + 1) // 2, 1)
        else:
            begin = first + dt.timedelta(days=((last - first).days + 1) // 2)
        return DateWindow(first, begin - dt.timedelta(days=1)), DateWindow(begin, last)


@dataclass(frozen=True, slots=True)
class CountedWindow:
    """A window, and how many articles were published in it."""

    window: DateWindow
    count: int


async def split_windows(count: CountArticles, *, this_year: int, ceiling: int = CEILING) -> list[CountedWindow]:
    """Windows that hold at most ``ceiling`` articles each, by date; those without any are left out.

    A single day that holds more stays as it is: only its first articles can be listed.
    """
    results: list[CountedWindow] = []
    waiting = [DateWindow()]
    while waiting:
        window = waiting.pop()
        number = await count(window)
        halves = window.halves(this_year) if number > ceiling else None
        if halves:
            waiting += reversed(halves)
        elif number:
            results.append(CountedWindow(window, number))
    return results


def merge_ranked(lists: Sequence[Sequence[T]]) -> list[T]:
    """Lists that cannot be compared as one: each brings its share at every length, its best first."""
    placed = [
        ((place + 1) / len(one), number, value) for number, one in enumerate(lists) for place, value in enumerate(one)
    ]
    return [value for *_, value in sorted(placed, key=lambda each: each[:2])]
