"""100,000 articles to a top 10, against plain Python that does the same work on the same articles.

``python -m benchmarks.scoring [--json FILE]``. The articles have the five features of the medical template with its
weights; a tenth to a third of each is missing. The work is all that the tool answers: totals, percentiles,
distribution and correlations, what was missing, and the ten best with their breakdown. The plain version goes column
by column, too, and reads each distinct text once; both answers are compared, and the two take turns.
"""

import bisect
import functools
import gc
import heapq
import math
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Result, run
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
_POINT_WORDS = re.compile(rf"\b(?:{'|'.join(map(re.escape, _LONGEST_FIRST))})\b")

_LOG_OF_TEN = math.log(10)

Features = Sequence[dict[str, Any]]
Functions = dict[str, str | dict[str, Any]]
Column = list[float | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """The results that both versions have to agree on."""

    total: Sequence[float] | NDArray[np.float64]
    percentiles: Sequence[float] | NDArray[np.float64]
    distribution: dict[str, float]
    correlations: dict[tuple[str, str], float]
    missing: dict[str, int]
    top: list[tuple[int, dict[str, float]]]


def measure() -> list[Result]:
    """Every figure, in one run."""
    features = articles(COUNT)
    by_points: Functions = {"study_type": "categorical_score"}
    words = {**WEIGHTS, "primary_outcome": 0.2}
    return [
        _compare("100,000 articles to a top 10, study types by points, times faster", 10, features, WEIGHTS, by_points),
        _compare("the same by the default functions, times faster", 10, features, WEIGHTS, {}),
        _compare("the same with 100,000 different outcome texts as well, times faster", 1.5, features, words, {}),
    ]


def articles(count: int) -> list[dict[str, Any]]:
    """Extractions as the medical template asks for them, the same at each run."""
    chance = random.Random(20260101)
    return [_article(chance, number) for number in range(count)]


def _article(chance: random.Random, number: int) -> dict[str, Any]:
    stated_fields: dict[str, Any] = {
        "primary_outcome": f"{chance.choice(OUTCOMES)} at {number % 997} weeks in group {number}"
    }
    if chance.random() < 0.9:
        stated_fields["study_type"] = chance.choice(STUDY_TYPES)
    if chance.random() < 0.85:
        stated_fields["participant_count"] = round(math.exp(chance.gauss(5, 1.5)))
    if chance.random() < 0.8:
        stated_fields["statistical_significance"] = chance.random() < 0.6
    if chance.random() < 0.67:
        stated_fields["effect_size"] = round(chance.gauss(0.4, 0.5), 2)
    return stated_fields


def _compare(promise: str, bar: float, features: Features, weights: dict[str, float], functions: Functions) -> Result:
    criteria = ScoringCriteria(weights=weights, scoring_functions=functions)
    _check(_own_answer(features, criteria), _plain(features, weights, functions))
    own_seconds, plain = [], []
    for _ in range(RUNS):
        own_seconds.append(_seconds(lambda: _own_answer(features, criteria)))
        plain.append(_seconds(lambda: _plain(features, weights, functions)))
    quick, slow = statistics.median(own_seconds), statistics.median(plain)
    note = f"medians of {RUNS}: {quick * 1000:.0f} ms against {slow * 1000:.0f} ms, same answer"
    return Result(promise, slow / quick, bar, "x", note=note)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _own_answer(features: Features, criteria: ScoringCriteria) -> Answer:
    scores = score(features, criteria)
    matrix = scores.correlations
    top = [
        (place, {name: name_score.score or 0.0 for name, name_score in scores.breakdown(place).items()})
        for place in scores.top(TOP)
    ]
    return Answer(
        total=scores.total,
        percentiles=scores.percentiles(),
        distribution=scores.distribution(),
        correlations={(row_name, other): matrix[row_name][other] for row_name, other in combinations(matrix, 2)},
        missing={name: int(mask.sum()) for name, mask in scores.missing.items()},
        top=top,
    )


def _plain(features: Features, weights: dict[str, float], functions: Functions) -> Answer:
    """The same without numpy: lists, column by column."""
    columns = {name: _scaled(_score(name, features, functions)) for name in weights}
    whole = sum(weights.values())
    shares = [weight / whole for weight in weights.values()]
    filled = {name: [0.0 if value is None else value for value in column] for name, column in columns.items()}
    total = [
        round(sum([share * value for share, value in zip(shares, row, strict=True)]), 12)
        for row in zip(*filled.values(), strict=True)
    ]
    ascending = sorted(total)
    rank = {value: bisect.bisect_right(ascending, value) * 100 / len(total) for value in set(total)}
    best = heapq.nsmallest(TOP, range(len(total)), key=lambda place: (-total[place], place))
    return Answer(
        total=total,
        percentiles=[rank[value] for value in total],
        distribution=_distribution(total, ascending),
        correlations={
            (row_name, other): _pearson(columns[row_name], columns[other])
            for row_name, other in combinations(columns, 2)
        },
        missing={name: column.count(None) for name, column in columns.items()},
        top=[(place, {name: round(column[place], 6) for name, column in filled.items()}) for place in best],
    )


def _score(name: str, features: Features, functions: Functions) -> Column:
    """One feature by its function; as ours it takes nothing on trust, but looks at the type of each value."""
    values = [feature.get(name) for feature in features]
    kinds = set(map(type, values)) - {type(None)}
    if name in functions or kinds == {str}:
        measure = functools.cache(_points if name in functions else _quality)
        return [measure(value) if isinstance(value, str) else None for value in values]
    convert = float if kinds == {bool} else _magnitude
    return [convert(value) if isinstance(value, (int, float)) else None for value in values]


def _magnitude(value: float) -> float | None:
    return math.copysign(math.log1p(abs(value)) / _LOG_OF_TEN, value) if math.isfinite(value) else None


def _points(category: str) -> float:
    name = canonical(category)
    if name in POINTS:
        return POINTS[name]
    return POINTS[max(_POINT_WORDS.findall(name), key=len)]


def _quality(text: str) -> float:
    words = re.findall(r"\w+", text.lower())
    variety = min(len(set(words)) / (0.6 * len(words)), 1.0)
    numbers = sum(word[0].isdigit() for word in words)
    return (1 - math.exp(-len(words) / 15)) * variety * (0.7 + 0.3 * (1 - math.pow(0.5, numbers)))


def _scaled(column: Column) -> Column:
    known_values = [value for value in column if value is not None]
    low, high = min(known_values), max(known_values)
    width = high - low
    return [None if value is None else (value - low) / width for value in column]


def _distribution(total: list[float], ascending: list[float]) -> dict[str, float]:
    mean = math.fsum(total) / len(total)
    spread = math.sqrt(math.fsum([(value - mean) ** 2 for value in total]) / len(total))
    names = {"min": 0.0, "q1": 0.25, "median": 0.5, "q3": 0.75, "max": 1.0}
    quantiles = {name: _quantile(ascending, share) for name, share in names.items()} | {"mean": mean, "std": spread}
    return {name: round(value, 6) for name, value in quantiles.items()}


def _quantile(ascending: list[float], share: float) -> float:
    place = share * (len(ascending) - 1)
    lower = math.floor(place)
    upper = min(lower + 1, len(ascending) - 1)
    return ascending[lower] + (ascending[upper] - ascending[lower]) * (place - lower)


def _pearson(column: Column, other: Column) -> float:
    pairs = [(a, b) for a, b in zip(column, other, strict=True) if a is not None and b is not None]
    first = [a for a, _ in pairs]
    second = [b for _, b in pairs]
    mean_a, mean_b = sum(first) / len(pairs), sum(second) / len(pairs)
    first, second = [a - mean_a for a in first], [b - mean_b for b in second]
    covariance = sum([a * b for a, b in zip(first, second, strict=True)])
    return round(covariance / math.sqrt(sum([a * a for a in first]) * sum([b * b for b in second])), 6)


def _check(own_answer: Answer, plain: Answer) -> None:
    """Both results are equal: to the ninth digit, or to the sixth where that is the precision."""
    if [place for place, _ in own_answer.top] != [
        place for place, _ in plain.top
    ] or own_answer.missing != plain.missing:
        raise ValueError("the ten best, or what is missing, are not the same")
    close = functools.partial(math.isclose, rel_tol=0.0)
    exact = [(own_answer.total, plain.total), (own_answer.percentiles, plain.percentiles)]
    is_same = all(close(a, b, abs_tol=1e-9) for own, other in exact for a, b in zip(own, other, strict=True))
    is_same = (
        is_same
        and _is_close(own_answer.distribution, plain.distribution)
        and _is_close(own_answer.correlations, plain.correlations)
    )
    if not is_same or not all(_is_close(a, b) for (_, a), (_, b) in zip(own_answer.top, plain.top, strict=True)):
        raise ValueError("the two versions do not tell the same")


def _is_close(own_scores: Mapping[Any, float], plain: Mapping[Any, float]) -> bool:
    """The same names, and values that differ in the sixth digit at most."""
    return own_scores.keys() == plain.keys() and all(abs(own_scores[name] - plain[name]) <= 2e-6 for name in own_scores)


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
