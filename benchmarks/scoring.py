"""100,000 articles to a top 10, against plain Python that does the same work on the same articles.

``python -m benchmarks.scoring [--json FILE]``. The articles have the five features of the medical template with its
weights; a tenth to a third of each is missing. The work is all that the tool answers: totals, percentiles,
distribution and correlations, what was missing, and the ten best with their breakdown. The plain version goes column
by column, too, and reads each distinct text once; both answers are compared, and the two take turns.
"""

import argparse
import bisect
import functools
import gc
import heapq
import math
import random
import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Result, write_report
from biofact.literature.scoring import ScoringCriteria, score
from biofact.literature.scoring.texts import POINTS, canonical

COUNT = 100_000
TOP = 10
RUNS = 7
WEIGHTS = {"study_type": 0.3, "participant_count": 0.25, "statistical_significance": 0.25, "effect_size": 0.2}
STUDY_TYPES = (
    "Randomized Controlled Trial",
    "randomised controlled trial",
    "double-blind randomized controlled trial",
    "Systematic review and meta-analysis",
    "Meta-Analysis",
    "Cohort study",
    "prospective cohort study",
    "Case-control study",
    "Cross-sectional study",
    "Case Reports",
    "Review",
    "in vitro",
    "Editorial",
)
OUTCOMES = ("overall survival", "all-cause mortality", "HbA1c", "change in blood pressure", "relapse", "pain score")
_LONGEST_FIRST = sorted(POINTS, key=len, reverse=True)
_WITHIN = re.compile(rf"\b(?:{'|'.join(map(re.escape, _LONGEST_FIRST))})\b")

_LOG_OF_TEN = math.log(10)

Features = Sequence[dict[str, Any]]
Functions = dict[str, str | dict[str, Any]]
Column = list[float | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What both versions have to tell alike."""

    total: Sequence[float] | NDArray[np.float64]
    percentiles: Sequence[float] | NDArray[np.float64]
    distribution: dict[str, float]
    correlations: dict[tuple[str, str], float]
    missing: dict[str, int]
    top: list[tuple[int, dict[str, float]]]


def measured() -> list[Result]:
    """Every figure, in one run."""
    features = articles(COUNT)
    by_points: Functions = {"study_type": "categorical_score"}
    words = {**WEIGHTS, "primary_outcome": 0.2}
    return [
        _compared(
            "100,000 articles to a top 10, study types by points, times faster", 10, features, WEIGHTS, by_points
        ),
        _compared("the same by the default functions, times faster", 10, features, WEIGHTS, {}),
        _compared("the same with 100,000 different outcome texts as well, times faster", 1.5, features, words, {}),
    ]


def articles(count: int) -> list[dict[str, Any]]:
    """Extractions as the medical template asks for them, the same at each run."""
    chance = random.Random(20260101)
    return [_article(chance, number) for number in range(count)]


def _article(chance: random.Random, number: int) -> dict[str, Any]:
    stated: dict[str, Any] = {"primary_outcome": f"{chance.choice(OUTCOMES)} at {number % 997} weeks in group {number}"}
    if chance.random() < 0.9:
        stated["study_type"] = chance.choice(STUDY_TYPES)
    if chance.random() < 0.85:
        stated["participant_count"] = round(math.exp(chance.gauss(5, 1.5)))
    if chance.random() < 0.8:
        stated["statistical_significance"] = chance.random() < 0.6
    if chance.random() < 0.67:
        stated["effect_size"] = round(chance.gauss(0.4, 0.5), 2)
    return stated


def _compared(promise: str, bar: float, features: Features, weights: dict[str, float], functions: Functions) -> Result:
    criteria = ScoringCriteria(weights=weights, scoring_functions=functions)
    _check(_ours(features, criteria), _plain(features, weights, functions))
    ours, plain = [], []
    for _ in range(RUNS):
        ours.append(_seconds(lambda: _ours(features, criteria)))
        plain.append(_seconds(lambda: _plain(features, weights, functions)))
    quick, slow = statistics.median(ours), statistics.median(plain)
    note = f"medians of {RUNS}: {quick * 1000:.0f} ms against {slow * 1000:.0f} ms, same answer"
    return Result(promise, slow / quick, bar, "x", note=note)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _ours(features: Features, criteria: ScoringCriteria) -> Answer:
    scores = score(features, criteria)
    matrix = scores.correlations()
    top = [
        (place, {name: one.score or 0.0 for name, one in scores.breakdown(place).items()}) for place in scores.top(TOP)
    ]
    return Answer(
        total=scores.total,
        percentiles=scores.percentiles(),
        distribution=scores.distribution(),
        correlations={(one, other): matrix[one][other] for one, other in combinations(matrix, 2)},
        missing={name: int(mask.sum()) for name, mask in scores.missing.items()},
        top=top,
    )


def _plain(features: Features, weights: dict[str, float], functions: Functions) -> Answer:
    """The same without numpy: lists, column by column."""
    columns = {name: _scaled(_scored(name, features, functions)) for name in weights}
    whole = sum(weights.values())
    shares = [weight / whole for weight in weights.values()]
    zeroed = {name: [0.0 if value is None else value for value in column] for name, column in columns.items()}
    total = [
        round(sum([share * value for share, value in zip(shares, row, strict=True)]), 12)
        for row in zip(*zeroed.values(), strict=True)
    ]
    ordered = sorted(total)
    rank = {value: bisect.bisect_right(ordered, value) * 100 / len(total) for value in set(total)}
    best = heapq.nsmallest(TOP, range(len(total)), key=lambda place: (-total[place], place))
    return Answer(
        total=total,
        percentiles=[rank[value] for value in total],
        distribution=_distribution(total, ordered),
        correlations={(one, other): _pearson(columns[one], columns[other]) for one, other in combinations(columns, 2)},
        missing={name: column.count(None) for name, column in columns.items()},
        top=[(place, {name: round(column[place], 6) for name, column in zeroed.items()}) for place in best],
    )


def _scored(name: str, features: Features, functions: Functions) -> Column:
    """One feature by its function; as ours it takes nothing on trust, but looks at the type of each value."""
    values = [one.get(name) for one in features]
    kinds = set(map(type, values)) - {type(None)}
    if name in functions or kinds == {str}:
        measure = functools.cache(_points if name in functions else _quality)
        return [measure(value) if isinstance(value, str) else None for value in values]
    read = float if kinds == {bool} else _magnitude
    return [read(value) if isinstance(value, (int, float)) else None for value in values]


def _magnitude(value: float) -> float | None:
    return math.copysign(math.log1p(abs(value)) / _LOG_OF_TEN, value) if math.isfinite(value) else None


def _points(category: str) -> float:
    name = canonical(category)
    if name in POINTS:
        return POINTS[name]
    return POINTS[max(_WITHIN.findall(name), key=len)]


def _quality(text: str) -> float:
    words = re.findall(r"\w+", text.lower())
    variety = min(len(set(words)) / (0.6 * len(words)), 1.0)
    numbers = sum(word[0].isdigit() for word in words)
    return (1 - math.exp(-len(words) / 15)) * variety * (0.7 + 0.3 * (1 - math.pow(0.5, numbers)))


def _scaled(column: Column) -> Column:
    known = [value for value in column if value is not None]
    low, high = min(known), max(known)
    width = high - low
    return [None if value is None else (value - low) / width for value in column]


def _distribution(total: list[float], ordered: list[float]) -> dict[str, float]:
    mean = math.fsum(total) / len(total)
    spread = math.sqrt(math.fsum([(value - mean) ** 2 for value in total]) / len(total))
    names = {"min": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1.0}
    found = {name: _quantile(ordered, share) for name, share in names.items()} | {"mean": mean, "std": spread}
    return {name: round(value, 6) for name, value in found.items()}


def _quantile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _pearson(one: Column, other: Column) -> float:
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    first = [a for a, _ in pairs]
    second = [b for _, b in pairs]
    mean_a, mean_b = sum(first) / len(pairs), sum(second) / len(pairs)
    first, second = [a - mean_a for a in first], [b - mean_b for b in second]
    across = sum([a * b for a, b in zip(first, second, strict=True)])
    return round(across / math.sqrt(sum([a * a for a in first]) * sum([b * b for b in second])), 6)


def _check(ours: Answer, plain: Answer) -> None:
    """Both tell the same: to the ninth digit, or to the sixth where that is what is told."""
    if [place for place, _ in ours.top] != [place for place, _ in plain.top] or ours.missing != plain.missing:
        raise ValueError("the ten best, or what is missing, are not the same")
    close = functools.partial(math.isclose, rel_tol=0.0)
    exact = [(ours.total, plain.total), (ours.percentiles, plain.percentiles)]
    same = all(close(a, b, abs_tol=1e-9) for mine, other in exact for a, b in zip(mine, other, strict=True))
    same = same and _alike(ours.distribution, plain.distribution) and _alike(ours.correlations, plain.correlations)
    if not same or not all(_alike(a, b) for (_, a), (_, b) in zip(ours.top, plain.top, strict=True)):
        raise ValueError("the two versions do not tell the same")


def _alike(ours: Mapping[Any, float], plain: Mapping[Any, float]) -> bool:
    """The same names, and values that differ in the sixth digit at most."""
    return ours.keys() == plain.keys() and all(abs(ours[name] - plain[name]) <= 2e-6 for name in ours)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    raise SystemExit(write_report(measured(), parser.parse_args().json))
