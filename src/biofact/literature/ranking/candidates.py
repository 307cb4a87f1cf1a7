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
    """None if only the score is known."""
    extraction: Mapping[str, Any]
    total_score: float
    """0-1."""
    breakdown: Mapping[str, FeatureScore] = field(default_factory=dict)
    relevance: float | None = None
    """Relevance to the goal of a review, 0-1; None without a goal."""

    def __post_init__(self) -> None:
        if not 0 <= self.total_score <= 1:
            raise ValueError(f"The total score of {self.item_id} is {self.total_score!r}; scores run from 0 to 1.")

    @property
    def completeness(self) -> float | None:
        """The share of all weights whose features the article states; None without weights."""
        return self._stated_share(self.breakdown)

    @property
    def not_stated(self) -> list[str]:
        """The features with a weight that the article does not state."""
        return [name for name, feature in self.breakdown.items() if feature.is_missing and feature.weight]

    @property
    def evidence_strength(self) -> float | None:
        """The weighted mean of its features without relevance, 0-1; a feature that is not stated adds nothing."""
        evidence = [feature for name, feature in self.breakdown.items() if name != GOAL_RELEVANCE]
        total_weight = math.fsum(feature.weight for feature in evidence)
        weighted_sum = math.fsum(feature.weight * (feature.score or 0.0) for feature in evidence)
        return weighted_sum / total_weight if total_weight else None

    @property
    def strength_beside_relevance(self) -> float | None:
        """``evidence_strength``; None without relevance, where the total is nothing else."""
        return None if self.relevance is None else self.evidence_strength

    @property
    def evidence_completeness(self) -> float | None:
        """The share of the weights behind ``evidence_strength`` whose features the article states."""
        return self._stated_share({name: feature for name, feature in self.breakdown.items() if name != GOAL_RELEVANCE})

    @staticmethod
    def _stated_share(breakdown: Mapping[str, FeatureScore]) -> float | None:
        total_weight = math.fsum(feature.weight for feature in breakdown.values())
        stated_weight = math.fsum(feature.weight for feature in breakdown.values() if not feature.is_missing)
        return stated_weight / total_weight if total_weight else None


@dataclass(frozen=True, slots=True)
class Flag:
    """A warning before a citation of the article."""

    kind: str
    """``retracted``, ``partially_retracted``, ``expression_of_concern``, ``corrected``, ``preprint`` and so on."""
    points_to: tuple[str, ...] = ()
    """The notices or articles behind it, such as PMID:20137807."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A ranked article."""

    rank: int
    """From 1."""
    candidate: Candidate
    final_score: float
    """The total plus the boosts, 0-1."""
    boosts: dict[str, float]
    """The additions by boost; a boost that could not be computed is absent."""
    flags: tuple[Flag, ...]
    citations: Citations | None

    @property
    def flag_kinds(self) -> list[str]:
        """The kinds of the flags, gravest first."""
        return [flag.kind for flag in self.flags]


@dataclass(frozen=True, slots=True)
class FilterStep:
    """A filter, and how many articles it removed."""

    name: str
    """As the caller names it: ``min_citation_count``."""
    setting: str
    """A value such as ``10``; empty for a filter that is on or off."""
    removed: int
    unknown: int = 0
    """Articles removed because the fact is unknown."""

    def __str__(self) -> str:
        """Such as ``min_citation_count 10: removed 4 (1 unknown)``."""
        label = f"{self.name} {self.setting}".strip()
        return f"{label}: removed {self.removed}" + (f" ({self.unknown} unknown)" if self.unknown else "")


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranked articles that passed the filters, and the steps behind the ranking."""

    rows: tuple[RankedRow, ...]
    initial_count: int
    filtered_count: int
    """Articles that passed all filters; more than the rows if ``max_results`` cut the list."""
    steps: tuple[FilterStep, ...]
    """Every active filter, in order, and the cut by ``max_results``."""
    method: str
    notices: tuple[Notice, ...]


_GRAVEST_FIRST: tuple[StatusKind, ...] = (
    "retracted", "partially_retracted", "expression_of_concern", "corrected", "republished", "updated", "preprint",
    "retraction_notice", "expression_of_concern_notice", "correction_notice", "update", "published_preprint",
)  # fmt: skip
_BY_TYPE: dict[str, StatusKind] = {"Retracted Publication": "retracted", "Preprint": "preprint"}


def article_flags(article: CanonicalPubMedArticle | None) -> tuple[Flag, ...]:
    """The flags of an article, gravest first, each kind once with all its notices."""
    if article is None:
        return ()
    results: dict[str, dict[str, None]] = {}
    for status in article.status:
        points_to = results.setdefault(status.kind, {})
        if status.points_to:
            points_to[status.points_to] = None
    # types name no notice that they point to
    silent = [kind for name, kind in _BY_TYPE.items() if name in article.publication_types]
    for kind in (*silent, *(["retracted"] if article.retracted else [])):
        if not (kind == "retracted" and "partially_retracted" in results):
            results.setdefault(kind, {})
    return tuple(Flag(kind, tuple(results[kind])) for kind in _GRAVEST_FIRST if kind in results)


def is_retracted(flags: tuple[Flag, ...]) -> bool:
    """Whether an article was retracted, wholly or in part."""
    return any(flag.kind in {"retracted", "partially_retracted"} for flag in flags)


def is_preprint(flags: tuple[Flag, ...]) -> bool:
    """Whether an article is a preprint, without peer review."""
    return any(flag.kind == "preprint" for flag in flags)
