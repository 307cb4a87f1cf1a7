"""The input and the output of a ranking, and the flags of an article. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biofact.core.records import Notice
from biofact.literature.records import GOAL_RELEVANCE, FeatureScore
from biofact.sources.pubmed.parse.split import Citations
from biofact.sources.pubmed.records import CanonicalPubMedArticle, StatusKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scored article."""

    item_id: str
    """Such as PMID:32087273."""
    article: CanonicalPubMedArticle | None
    """None where only its score was passed on."""
    extraction: Mapping[str, Any]
    total_score: float
    """0-1."""
    breakdown: Mapping[str, FeatureScore] = field(default_factory=dict)
    relevance: float | None = None
    """To the goal of a review, 0-1; None where there is no goal."""

    def __post_init__(self) -> None:
        if not 0 <= self.total_score <= 1:
            raise ValueError(f"The total score of {self.item_id} is {self.total_score!r}; scores run from 0 to 1.")

    @property
    def completeness(self) -> float | None:
        """The share of all weights whose features the article states; None where nothing was weighed."""
        return self._stated_share(self.breakdown)

    @property
    def not_stated(self) -> list[str]:
        """The features that weigh something and that the article does not state."""
        return [name for name, one in self.breakdown.items() if one.is_missing and one.weight]

    @property
    def evidence_strength(self) -> float | None:
        """The weighted mean of its features without its relevance, 0-1; what is not stated adds nothing."""
        of_evidence = [one for name, one in self.breakdown.items() if name != GOAL_RELEVANCE]
        whole = math.fsum(one.weight for one in of_evidence)
        return math.fsum(one.weight * (one.score or 0.0) for one in of_evidence) / whole if whole else None

    @property
    def evidence_completeness(self) -> float | None:
        """The share of the weights behind ``evidence_strength`` whose features the article states."""
        return self._stated_share({name: one for name, one in self.breakdown.items() if name != GOAL_RELEVANCE})

    @staticmethod
    def _stated_share(breakdown: Mapping[str, FeatureScore]) -> float | None:
        whole = math.fsum(one.weight for one in breakdown.values())
        stated = math.fsum(one.weight for one in breakdown.values() if not one.is_missing)
        return stated / whole if whole else None


@dataclass(frozen=True, slots=True)
class Flag:
    """What a reader should know before citing the article."""

    kind: str
    """``retracted``, ``partially_retracted``, ``expression_of_concern``, ``corrected``, ``preprint`` and so on."""
    points_to: tuple[str, ...] = ()
    """The notices or articles that say so, such as PMID:20137807."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """An article at its place."""

    rank: int
    """From 1."""
    candidate: Candidate
    final_score: float
    """0-1: the total and its boosts."""
    boosts: dict[str, float]
    """What each boost that was asked for added; a boost that could not be judged is not there."""
    flags: tuple[Flag, ...]
    citations: Citations | None

    @property
    def flag_kinds(self) -> list[str]:
        """The kinds alone, gravest first."""
        return [flag.kind for flag in self.flags]


@dataclass(frozen=True, slots=True)
class FilterStep:
    """A filter and what it removed."""

    name: str
    """As the caller names it: ``min_citation_count``."""
    setting: str
    """Such as ``10``; empty for one that is on or off."""
    removed: int
    unknown: int = 0
    """How many of those for want of knowledge."""

    def __str__(self) -> str:
        """Such as ``min_citation_count 10: removed 4 (1 unknown)``."""
        named = f"{self.name} {self.setting}".strip()
        return f"{named}: removed {self.removed}" + (f" ({self.unknown} unknown)" if self.unknown else "")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order of what passed the filters, and how it came about."""

    rows: tuple[RankedRow, ...]
    initial_count: int
    filtered_count: int
    """How many passed all filters; more than there are rows if ``max_results`` cut the list."""
    steps: tuple[FilterStep, ...]
    """Every filter that was on, in the order in which they worked, and the cut of ``max_results``."""
    method: str
    notices: tuple[Notice, ...]


_GRAVEST_FIRST: tuple[StatusKind, ...] = (
    "retracted",
    "partially_retracted",
    "expression_of_concern",
    "corrected",
    "republished",
    "updated",
    "preprint",
    "retraction_notice",
    "expression_of_concern_notice",
    "correction_notice",
    "update",
    "published_preprint",
)
_BY_TYPE: dict[str, StatusKind] = {"Retracted Publication": "retracted", "Preprint": "preprint"}


def article_flags(article: CanonicalPubMedArticle | None) -> tuple[Flag, ...]:
    """What became of the article, gravest first, each kind once with all that it points to."""
    if article is None:
        return ()
    results: dict[str, dict[str, None]] = {}
    for status in article.status:
        points_to = results.setdefault(status.kind, {})
        if status.points_to:
            points_to[status.points_to] = None
    silent = [kind for name, kind in _BY_TYPE.items() if name in article.publication_types]
    for kind in (*silent, *(["retracted"] if article.retracted else [])):
        if not (kind == "retracted" and "partially_retracted" in results):
            results.setdefault(kind, {})
    return tuple(Flag(kind, tuple(results[kind])) for kind in _GRAVEST_FIRST if kind in results)


def is_retracted(marked: tuple[Flag, ...]) -> bool:
    """Whether it was retracted, wholly or in part."""
    return any(flag.kind in {"retracted", "partially_retracted"} for flag in marked)


def is_preprint(marked: tuple[Flag, ...]) -> bool:
    """Whether it is a preprint, which no peer has reviewed."""
    return any(flag.kind == "preprint" for flag in marked)
