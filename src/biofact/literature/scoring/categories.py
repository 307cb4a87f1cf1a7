"""Points by category. Pure; definitions in docs/scoring.md."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from biofact.core.quoting import listed
from biofact.core.words import folded
from biofact.literature.scoring.options import CategoricalScore
from biofact.literature.scoring.study_types import ABOUT_OTHERS, GRADES, POINTS
from biofact.literature.scoring.values import Array, Unfit, by_distinct, stated_value, texts

_SHOWN = 3
_NEGATED = re.compile(r"^not (?:(?:a|an|the|truly|properly) )?(?=randomiz)|\bun(?=randomiz)")
"""What makes a trial a non-randomized one: not a randomised trial."""
_TURNED = re.compile(r"\b(?:of|in|from|within|nested|for|on|about|to|among|using|with|without|before|not|no)\b")
"""Behind these the category says what it is of, in or not."""
_NEGATION = re.compile(r"(?:not|no)\b")
"""What a category is not says nothing of what it is: not a systematic review."""
_BETWEEN = re.compile(r"(?<=randomized )(?:(?!of |in |for |and )\w+ ){1,8}?(?=(?:trials?|study|studies)\b)")
"""Further properties of a trial: randomised, double-blind, placebo-controlled."""


def canonical(category: str) -> str:
    """One form for all spellings of a category: case, hyphens, blanks, British "randomised" and "centre"."""
    plain = " ".join(re.sub(r"[^\w]+|_", " ", folded(category)).split())
    return re.sub(r"\brandomis", "randomiz", plain).replace("modeling", "modelling").replace("centre", "center")


class _PointsTable:
    """Points by category as ``canonical``."""

    def __init__(self, points: Mapping[str, float] | None, other: float | None) -> None:
        self.points = {canonical(name): value for name, value in (POINTS if points is None else points).items()}
        self.grades = GRADES if points is None else {}
        every = [*self.points.values(), *self.grades.values()]
        self.other = min(every) / 2 + max(every) / 2 if other is None else other
        longest_first = sorted(filter(None, self.points), key=len, reverse=True)
        self.contained = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b") if longest_first else None
        self.has_hierarchy = points is None
        self.unknown: Counter[str] = Counter()

    def points_of(self, category: str) -> float | None:
        """The points of a category: of its whole name, else of the longest known one in its head, else anywhere."""
        name = canonical(category)
        whole = self.points.get(name, self.grades.get(name))
        if whole is not None or self.contained is None:
            return whole
        readings = self._readings(name) if self.has_hierarchy else (name,)
        return next((points for reading in readings if (points := self._longest(reading)) is not None), None)

    def _longest(self, name: str) -> float | None:
        """The points of the longest known name that a category contains."""
        result = max(self.contained.findall(name), key=len, default=None) if self.contained else None
        return None if result is None else self.points[result]

    def _readings(self, name: str) -> tuple[str, ...]:
        """What a study type says, the surest first: a review of trials is a review, a trial's protocol a protocol."""
        plain = _BETWEEN.sub("", _NEGATED.sub("non ", name))
        head = _TURNED.split(plain, maxsplit=1)[0].strip()
        last = next((word for word in ABOUT_OTHERS if head.endswith(f" {word}")), None)
        whole = "" if _NEGATION.match(plain) else plain
        return tuple(filter(None, (last if last and head not in self.points else "", head, whole)))

    def points_or_other(self, category: str) -> float:
        """The points of a category; those of an unknown one, which is remembered."""
        points = self.points_of(category)
        if points is None:
            self.unknown[category] += 1
            return self.other
        return points


def categorical_score(values: Sequence[Any], options: CategoricalScore, unfit: Unfit, messages: list[str]) -> Array:
    """The points of each category; of a list the highest."""
    table = _PointsTable(options.points, options.other)

    def measure(category: Any) -> float:
        if not isinstance(category, str):
            raise TypeError
        return table.points_or_other(category) if category.strip() else math.nan

    try:
        scored = by_distinct(values, measure)  # texts and nothing else: by far the most common
    except TypeError:  # something else among them, or what cannot be hashed
        table.unknown.clear()
        scored = by_distinct([_entries(value, unfit) for value in values], lambda entries: _best(entries, table))
    if table.unknown:
        shown = listed([f"{category!r:.60}" for category in table.unknown], _SHOWN)
        messages.append(f"no points are known for {shown}; each scored {table.other:g}, halfway or as given.")
    return scored


def _entries(value: Any, unfit: Unfit) -> tuple[str, ...] | None:
    value = stated_value(value)
    each = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(text for text in texts(list(each), unfit) if text) or None


def _best(entries: tuple[str, ...], table: _PointsTable) -> float:
    """The highest points; entries without any, such as "Journal Article", count only where no other has."""
    known = [points for points in map(table.points_of, entries) if points is not None]
    if not known:
        table.unknown["; ".join(entries)] += 1
    return max(known, default=table.other) if entries else math.nan
