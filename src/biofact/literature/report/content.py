"""The content of a report, before it is a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biofact.core.records import Notice
from biofact.literature.ranking.candidates import RankedRow, Ranking
from biofact.literature.records import Evidence
from biofact.literature.relevance import GoalConcept

Counts = tuple[tuple[str, int], ...]
"""Labels with their counts."""


PUBMED = "Databases: PubMed"


@dataclass(frozen=True, slots=True)
class Query:
    """A query and its result at PubMed."""

    text: str
    match_count: int
    """Articles that match."""
    read_count: int
    """Articles that the pipeline read."""
    translation: str | None = None
    """The query as PubMed understood it."""
    rationale: str | None = None
    """The reason for the query."""


@dataclass(frozen=True, slots=True)
class Flow:
    """How many articles each step left. The numbers have to add up."""

    identified: Counts
    """Articles by query or file: all that match it or are in it."""
    duplicates: int
    excluded: Counts
    """Articles by rule, in the order of the filters; a count may be 0."""
    cut: int
    """Articles that passed the filters, but rank below the last in the list."""
    ranked: int
    other_removals: Counts = ()
    """Articles by another reason, such as a limit on articles to read."""
    origin: str = PUBMED
    """The origin of the articles."""

    def __post_init__(self) -> None:
        if self.unique < 0 or self.passed_count != self.cut + self.ranked:
            raise ValueError(
                f"The flow does not add up: {self.found} found, less {self.found - self.unique} duplicates or lost and"
                f" {self.marked_ineligible} excluded, are not {self.ranked} ranked and {self.cut} behind them."
            )

    @property
    def found(self) -> int:
        """All identified articles."""
        return sum(count for _, count in self.identified)

    @property
    def unique(self) -> int:
        """Identified articles without duplicates and other removals."""
        return self.found - self.duplicates - sum(count for _, count in self.other_removals)

    @property
    def passed_count(self) -> int:
        """Articles that no rule excluded."""
        return self.unique - self.marked_ineligible

    @property
    def marked_ineligible(self) -> int:
        """Articles excluded by rules; the word is PRISMA's."""
        return sum(count for _, count in self.excluded)


_REASONS = {
    "retracted": "Retracted",
    "min_score_threshold": "Score below",
    "from_year": "Published before",
    "to_year": "Published after",
    "exclude_preprints": "Preprints",
    "journal_whitelist": "In other journals than asked for",
    "journal_blacklist": "In journals to leave out",
    "min_citation_count": "Fewer citations than",
}


def flow_of(
    identified: Counts,
    ranking: Ranking,
    *,
    duplicates: int,
    other_removals: Counts = (),
    origin: str = PUBMED,
) -> Flow:
    """The flow from ``origin`` to a ranking; ``other_removals`` are articles removed before it, by reason.

    Raises:
        ValueError: the numbers do not add up.
    """
    removed = {step.name: step.removed for step in ranking.steps}
    by_filter = tuple(
        (f"{_REASONS[step.name]} {step.setting if step.setting[:1].isdigit() else ''}".strip(), step.removed)
        for step in ranking.steps
        if step.name in _REASONS
    )
    return Flow(
        identified=identified,
        duplicates=duplicates + removed.get("duplicates", 0),
        excluded=by_filter,
        cut=removed.get("max_results", 0),
        ranked=len(ranking.rows),
        other_removals=other_removals,
        origin=origin,
    )


@dataclass(frozen=True, slots=True)
class DataSource:
    """A service that supplied data, and when."""

    name: str
    content: str
    """The data that it supplied, in words."""
    retrieved: str
    """The day or days, as printed on the page."""
    licence: str | None = None
    url: str | None = None
    """The page of the service, not the request."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything on the page."""

    title: str
    """The goal of a review, or the title of a corpus."""
    run_date: str
    """As printed on the page."""
    queries: Sequence[Query]
    flow: Flow
    rows: Sequence[RankedRow]
    scores: Mapping[float, int]
    """Totals of all articles that were scored, ranked or not, or the lower ends of thousandths; and how often each."""
    distribution: Mapping[str, float]
    """Distribution of the totals: min, q1, median, q3, max, mean, std."""
    correlations: Mapping[str, Mapping[str, float]]
    """Correlations between feature scores, by feature and feature."""
    evidence: Mapping[str, Mapping[str, Sequence[Evidence]]]
    """By item ID and field."""
    extraction_method: str
    """``rules``, or the name of the model."""
    scoring_method: str
    ranking_method: str
    concepts: Sequence[GoalConcept] = ()
    """The concepts of the goal, whose words are marked."""
    relevance_share: float | None = None
    """The share of relevance in the total; None without a weight."""
    sources: Sequence[DataSource] = ()
    notices: Sequence[Notice] = field(default_factory=tuple)
