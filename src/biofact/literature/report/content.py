"""The content of a report, before it is a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from biofact.core.records import Notice
from biofact.literature.ranking.candidates import RankedRow, Ranking
from biofact.literature.records import Evidence
from biofact.literature.relevance import GoalConcept

Counts = tuple[tuple[str, int], ...]
"""What was counted, in words, and how often."""


PUBMED = "Databases: PubMed"


@dataclass(frozen=True, slots=True)
class Query:
    """A query and what PubMed made of it."""

    text: str
    found: int
    """Articles that match."""
    taken: int
    """Articles of which the pipeline read on."""
    translation: str | None = None
    """The query as PubMed understood it."""
    rationale: str | None = None
    """The reason for the query."""


@dataclass(frozen=True, slots=True)
class Flow:
    """How many articles each step left. The numbers have to add up."""

    identified: Counts
    """By query or file: all that match it or are in it."""
    duplicates: int
    excluded: Counts
    """By rule, in the order of the filters; a rule may have excluded none."""
    cut: int
    """Passed the filters, but ranked below the last that is listed."""
    ranked: int
    lost: Counts = ()
    """By another reason, such as more matches than were to be read."""
    origin: str = PUBMED
    """From where they are."""

    def __post_init__(self) -> None:
        if self.unique < 0 or self.passed != self.cut + self.ranked:
            raise ValueError(
                f"The flow does not add up: {self.found} found, less {self.found - self.unique} duplicates or lost and"
                f" {self.marked_ineligible} excluded, are not {self.ranked} ranked and {self.cut} behind them."
            )

    @property
    def found(self) -> int:
        """Of all of these together."""
        return sum(count for _, count in self.identified)

    @property
    def unique(self) -> int:
        """Without the duplicates and what was lost."""
        return self.found - self.duplicates - sum(count for _, count in self.lost)

    @property
    def passed(self) -> int:
        """Not excluded."""
        return self.unique - self.marked_ineligible

    @property
    def marked_ineligible(self) -> int:
        """Excluded by rules, for which PRISMA has this word."""
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
    lost: Counts = (),
    origin: str = PUBMED,
) -> Flow:
    """The flow from ``origin`` to a ranking; ``lost`` are articles that got lost on the way to it, by reason.

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
        lost=lost,
        origin=origin,
    )


@dataclass(frozen=True, slots=True)
class DataSource:
    """A service that supplied data, and when."""

    name: str
    content: str
    """What it supplied, in words."""
    retrieved: str
    """The day or days, as printed on the page."""
    licence: str | None = None
    url: str | None = None
    """Its own page, not the request."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything on the page."""

    title: str
    """The goal of a review; of a corpus what it is."""
    run_date: str
    """As printed on the page."""
    queries: Sequence[Query]
    flow: Flow
    rows: Sequence[RankedRow]
    scores: Mapping[float, int]
    """Totals of all articles that were scored, ranked or not, or the lower ends of thousandths; and how often each."""
    distribution: Mapping[str, float]
    """Of the totals: min, q1, median, q3, max, mean, std."""
    correlations: Mapping[str, Mapping[str, float]]
    """Between feature scores, by feature and feature."""
    evidence: Mapping[str, Mapping[str, Sequence[Evidence]]]
    """By item ID and field."""
    extraction_method: str
    """``rules``, or the name of the model."""
    scoring_method: str
    ranking_method: str
    concepts: Sequence[GoalConcept] = ()
    """What the goal is about; its words are marked."""
    relevance_share: float | None = None
    """Of the total; None where relevance was not weighed."""
    sources: Sequence[DataSource] = ()
    notices: Sequence[Notice] = field(default_factory=tuple)
