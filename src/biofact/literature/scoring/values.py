"""Values of a feature: numbers, truths, years, counts, texts; and how often each occurs over all articles. Pure.

Counts of parts of the articles add up to those of all, in whatever order, and so do results computed from them.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biofact.literature.scoring.measures import SIGNS

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_NUMBER = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:(?<=\d)[.,]\d+|\.\d+)?(?<=\d)"
    r"(?:[eE][-+]?\d+)?(?:\s?%)?(?!\d|[.,]\d)"
)
_THIN = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d|21\d\d)(?!\d)")
_TRUE = frozenset({"true", "yes", "y", "t", "1", "significant", "statistically significant", "available", "positive"})
_FALSE = frozenset(
    {"false", "no", "n", "f", "0", "not significant", "non-significant", "nonsignificant", "not available", "negative"}
)
_FIRST_YEAR, _LAST_YEAR = 1800, 2200
_MOST_SHOWN = 3


@dataclass(slots=True)
class Unfit:
    """Values that do not fit the function, by their text; they count as missing."""

    counts_by_text: Counter[str] = field(default_factory=Counter)

    def add(self, value: Any, count: int = 1) -> float:
        """Remember a value; returns its replacement, NaN."""
        self.counts_by_text[f"{value!r:.40}"] += count
        return math.nan

    def sentence(self, feature: str, expected: str) -> str | None:
        """A sentence with their number and the first of them; None if there are none."""
        if not self.counts_by_text:
            return None
        examples = ", ".join(list(self.counts_by_text)[:_MOST_SHOWN])
        ellipsis = ", ..." if len(self.counts_by_text) > _MOST_SHOWN else ""
        count = self.counts_by_text.total()
        values = "1 value is" if count == 1 else f"{count} values are"
        return f"{feature}: {values} not {expected} ({examples}{ellipsis}) and counted as missing."


def stated_value(value: Any) -> Any:
    """The stated value, which for an object is its ``value``; None for an empty one."""
    if isinstance(value, Mapping):
        value = value.get("value", value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return None if isinstance(value, str) and not value.strip() else value


def numbers(values: Sequence[Any], unfit: Unfit) -> Array:
    """Each value as a number; NaN for none."""
    result = at_once(values)
    if result is None:
        return _mapped_stated(values, lambda value: number(value, unfit))
    for place in np.flatnonzero(np.isinf(result)).tolist():
        result[place] = unfit.add(float(result[place]))
    return result


def at_once(values: Sequence[Any]) -> Array | None:
    """The values as numpy reads them, None as NaN; None where one of them is no number."""
    if isinstance(values, np.ndarray):  # numbers from the choice of the function
        return values
    try:
        return np.fromiter(values, np.float64, len(values))
    except (TypeError, ValueError, OverflowError):
        return None


def number(value: Any, unfit: Unfit) -> float:
    """The number that a stated value says, in a text the only one; "45%" is 0.45, "1,200" is 1200."""
    try:
        parsed = float(value)
    except (TypeError, ValueError, OverflowError):
        parts = _NUMBER.findall(_THIN.sub("", value.translate(SIGNS))) if isinstance(value, str) else []
        parsed = _decimal(parts[0]) if len(parts) == 1 else math.inf
    return parsed if math.isfinite(parsed) else unfit.add(value)


def _decimal(text: str) -> float:
    """A written number: groups of three are thousands, another comma is a decimal one."""
    bare = re.sub(r",(?=\d{3}(?!\d))", "", text.rstrip("% ")).replace(",", ".")
    return float(bare) / 100 if text.endswith("%") else float(bare)


def truths(values: Sequence[Any], unfit: Unfit) -> Array:
    """1 for yes, 0 for no, NaN for neither."""
    result = at_once(values)
    if result is not None and ((result == 0) | (result == 1) | np.isnan(result)).all():
        return result
    return _mapped_stated(values, lambda value: truth(value, unfit))


def truth(value: Any, unfit: Unfit) -> float:
    """Whether a stated value says yes: true, 1, or a word for it."""
    if isinstance(value, str):
        word = " ".join(value.casefold().split())
        return 1.0 if word in _TRUE else 0.0 if word in _FALSE else unfit.add(value)
    return float(value) if isinstance(value, int | float) and value in {0, 1} else unfit.add(value)


def years(values: Sequence[Any], unfit: Unfit) -> Array:
    """The year of each value: a number, or the first of a date; NaN for none."""
    return _mapped_stated(values, lambda value: _year(value, unfit))


def _year(value: Any, unfit: Unfit) -> float:
    if isinstance(value, str):
        match = _YEAR.search(value)
        return float(match[0]) if match else unfit.add(value)
    parsed = number(getattr(value, "year", value), Unfit())
    return parsed if _FIRST_YEAR <= parsed <= _LAST_YEAR else unfit.add(value)


def counts(values: Sequence[Any], unfit: Unfit) -> Array:
    """How many entries each list has; a text counts what its commas or semicolons part, a number is a count."""
    return _mapped_stated(values, lambda value: _count(value, unfit))


def _count(value: Any, unfit: Unfit) -> float:
    if isinstance(value, list | tuple | set | frozenset):
        return float(sum(stated_value(entry) is not None for entry in value))
    if isinstance(value, str):
        return float(sum(bool(part.strip()) for part in re.split(r"[;,\n]", value)))
    parsed = number(value, Unfit())
    return parsed if parsed >= 0 and not isinstance(value, bool) else unfit.add(value)


def texts(values: Sequence[Any], unfit: Unfit) -> list[str | None]:
    """The text of each value, the entries of a list joined by semicolons; None for none."""
    if set(map(type, values)) <= {str, type(None)}:
        return [value if value and not value.isspace() else None for value in values]
    return [_text(value, unfit) for value in values]


def _text(value: Any, unfit: Unfit) -> str | None:
    value = stated_value(value)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        parts = [part for part in (_text(entry, unfit) for entry in value) if part]
        return "; ".join(sorted(parts) if isinstance(value, set | frozenset) else parts) or None
    if isinstance(value, Mapping):
        unfit.add(value)
        return None
    return str(value)


class _MeasuredValues(dict[Any, float]):
    """Measures by value, each computed at its first lookup."""

    def __init__(self, measure: Callable[[Any], float]) -> None:
        super().__init__({None: math.nan})
        self.measure = measure

    def __missing__(self, value: Any) -> float:
        result = self[value] = self.measure(value)
        return result


def by_distinct(values: Sequence[Hashable], measure: Callable[[Any], float]) -> Array:
    """``measure`` of each value, computed once for equal values; NaN for None."""
    return _mapped(values, _MeasuredValues(measure).__getitem__)


def by_text(values: Sequence[Any], unfit: Unfit, measure: Callable[[str], float]) -> Array:
    """``measure`` of the text of each value; NaN for none."""

    def measure_text(value: Any) -> float:
        if not isinstance(value, str):
            raise TypeError
        return measure(value) if value.strip() else math.nan

    try:
        return by_distinct(values, measure_text)  # only texts: the most common case
    except TypeError:  # other values among them, or unhashable ones
        return by_distinct(texts(values, unfit), measure)


def _mapped(values: Sequence[Any], measure: Callable[[Any], float]) -> Array:
    return np.fromiter(map(measure, values), np.float64, len(values))


def _mapped_stated(values: Sequence[Any], measure: Callable[[Any], float]) -> Array:
    """``measure`` of each stated value; NaN for none."""
    return _mapped(
        values, lambda value: math.nan if (stated_number := stated_value(value)) is None else measure(stated_number)
    )


Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """Distinct values in rising order, and how often each occurs."""

    values: Array
    counts: Counts

    @classmethod
    def of(cls, values: Array) -> "ValueCounts":
        """The counts of an array without NaN, which stands for no stated value."""
        return cls.of_ordered(np.sort(values[~np.isnan(values)]))

    @classmethod
    def of_ordered(cls, values: Array) -> "ValueCounts":
        """The counts of an array in rising order, without NaN."""
        ends = np.flatnonzero(np.append(values[1:] != values[:-1], values.size > 0))  # the last of each run of equals
        return cls(values[ends], np.diff(ends, prepend=-1).astype(np.int64))

    @classmethod
    def merged(cls, parts: Iterable["ValueCounts"]) -> "ValueCounts":
        """The counts of all parts together."""
        all_parts = list(parts)
        values = np.concatenate([np.empty(0), *(part.values for part in all_parts)])
        counts = np.concatenate([np.empty(0, np.int64), *(part.counts for part in all_parts)])
        return _merged_counts(values, counts)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def total(self) -> int:
        """The number of values, equal ones included."""
        return int(self.counts.sum())

    def mapped(self, function: Callable[[Array], Array]) -> "ValueCounts":
        """The counts after ``function`` has mapped each value to another."""
        return _merged_counts(function(self.values.copy()), self.counts)

    def count(self, condition: Callable[[Array], NDArray[np.bool_]]) -> int:
        """The number of values that meet a condition."""
        return int(self.counts[condition(self.values)].sum())

    def at(self, places: Counts) -> Array:
        """The values at these places, from 0, in rising order of all values."""
        return self.values[np.searchsorted(np.cumsum(self.counts), places, "right")]

    def mean(self) -> float:
        """The mean; the same counts give the same mean to the last bit."""
        return float(np.sum(self.values * self.counts)) / self.total

    def deviation(self) -> float:
        """The standard deviation, of the population."""
        squares = (self.values - self.mean()) ** 2
        return math.sqrt(float(np.sum(squares * self.counts)) / self.total)


class ValueCountsSum:
    """Adds up the values of many parts; holds no more than twice the distinct ones of all and one part."""

    def __init__(self) -> None:
        self._sum = ValueCounts.merged([])
        self._pending: list[ValueCounts] = []

    def add(self, part: ValueCounts) -> None:
        """Take the values of another part."""
        self._pending.append(part)
        if sum(map(len, self._pending)) > max(len(self._sum), _FEWEST_PENDING):
            self._merge()

    def sum(self) -> ValueCounts:
        """The values of all parts so far."""
        self._merge()
        return self._sum

    def _merge(self) -> None:
        self._sum, self._pending = ValueCounts.merged([self._sum, *self._pending]), []


_FEWEST_PENDING = 100_000


def _merged_counts(values: Array, counts: Counts) -> ValueCounts:
    """Values in rising order, equal ones merged, without NaN."""
    is_known = ~np.isnan(values)
    distinct, places = np.unique(values[is_known], return_inverse=True)
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, places, counts[is_known])
    return ValueCounts(distinct, sums)
