"""Points by category: study types by the usual hierarchy of evidence, grades in words. Pure.

Definitions in docs/scoring.md. The order is that of the evidence pyramid: syntheses of trials, trials, observational
studies with a comparison, those without, single cases, work without patients, opinion. The distances between the steps
are our choice.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from biofact.core.quoting import listed
from biofact.core.words import folded
from biofact.literature.scoring.criteria import CategoricalScore
from biofact.literature.scoring.values import Array, Unfit, by_distinct, stated_value, texts

_BY_POINTS: dict[float, tuple[str, ...]] = {
    1.0: (
        "meta analysis",
        "meta analyses",
        "network meta analysis",
        "individual participant data meta analysis",
        "systematic review",
        "systematic reviews",
        "systematic review and meta analysis",
        "systematic review of randomized controlled trials",
        "meta analysis of randomized controlled trials",
        "umbrella review",
        "cochrane review",
    ),
    0.9: (
        "randomized controlled trial",
        "randomized controlled trials",
        "randomized clinical trial",
        "randomized trial",
        "randomized controlled study",
        "randomized study",
        "cluster randomized trial",
        "randomized crossover trial",
        "pragmatic clinical trial",
        "equivalence trial",
        "adaptive clinical trial",
        "clinical trial phase iii",
        "phase iii clinical trial",
        "phase iii trial",
        "phase 3 trial",
        "randomized",
        "rct",
    ),
    0.7: (
        "clinical trial",
        "controlled clinical trial",
        "clinical trial phase i",
        "clinical trial phase ii",
        "clinical trial phase iv",
        "phase i trial",
        "phase ii trial",
        "phase iv trial",
        "phase 1 trial",
        "phase 2 trial",
        "phase 4 trial",
        "interventional study",
        "intervention study",
        "non randomized controlled trial",
        "non randomized clinical trial",
        "non randomized trial",
        "non randomized study",
        "nonrandomized controlled trial",
        "nonrandomized clinical trial",
        "nonrandomized trial",
        "quasi experimental study",
        "non randomized",
        "nonrandomized",
        "quasi randomized",
        "quasi randomized trial",
        "quasi randomized study",
        "pseudo randomized trial",
        "pseudo randomized study",
        "nonrandomized study",
        "single arm trial",
        "open label trial",
        "crossover trial",
        "trial",
        "trials",
        "mendelian randomization",
        "mendelian randomization study",
    ),
    0.6: (
        "cohort",
        "cohort study",
        "prospective study",
        "prospective cohort study",
        "retrospective study",
        "retrospective cohort study",
        "longitudinal study",
        "follow up study",
        "comparative study",
        "registry study",
        "population based study",
        "genome wide association study",
        "genetic association study",
        "gwas",
        "diagnostic study",
        "diagnostic accuracy study",
        "secondary analysis",
        "post hoc analysis",
        "subgroup analysis",
        "ancillary analysis",
        "secondary analysis of a randomized trial",
        "target trial emulation",
        "trial emulation",
        "emulation",
        "scoping review",
    ),
    0.5: (
        "case control",
        "case control study",
        "observational",
        "observational study",
        "validation study",
        "multicenter study",
    ),
    0.4: ("cross sectional", "cross sectional study", "survey", "prevalence study", "ecological study", "twin study"),
    0.3: (
        "case series",
        "qualitative study",
        "pilot study",
        "feasibility study",
        "guideline",
        "practice guideline",
        "consensus statement",
        "review",
        "reviews",
        "narrative review",
        "literature review",
    ),
    0.2: (
        "case report",
        "case reports",
        "case study",
        "animal study",
        "animal experiment",
        "animal",
        "in vivo",
        "preclinical study",
        "preclinical",
        "study protocol",
        "clinical trial protocol",
        "systematic review protocol",
        "trial protocol",
        "protocol",
    ),
    0.1: (
        "in vitro",
        "in vitro study",
        "cell line study",
        "in silico",
        "computational study",
        "simulation study",
        "modelling study",
    ),
    0.05: ("editorial", "comment", "commentary", "letter", "opinion", "viewpoint", "perspective", "news", "interview"),
}

POINTS: dict[str, float] = {name: points for points, names in _BY_POINTS.items() for name in names}
"""By study type: British and American spellings and hyphens are one (``categories.canonical``)."""

ABOUT_OTHERS = (
    "review", "reviews", "protocol", "emulation", "editorial", "comment", "commentary", "letter", "opinion",
    "viewpoint", "perspective", "news", "secondary analysis", "post hoc analysis",
)  # fmt: skip
"""What a category is by its last word, whatever it names before: a randomized trial protocol."""

GRADES: dict[str, float] = {
    "very high": 1.0,
    "high": 1.0,
    "excellent": 1.0,
    "strong": 1.0,
    "good": 0.8,
    "moderate": 0.6,
    "medium": 0.5,
    "fair": 0.5,
    "average": 0.5,
    "some concerns": 0.5,
    "unclear": 0.4,
    "low": 0.25,
    "weak": 0.25,
    "poor": 0.1,
    "very low": 0.0,
    "none": 0.0,
}
"""Read only where they are the whole value: "high-risk cohort" is a cohort."""


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
