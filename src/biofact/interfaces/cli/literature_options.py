"""The options of the commands around the literature pipeline, in groups."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from cyclopts import Parameter as Option

from biofact.corpus.choices import PARTS, SHARD_SIZE, Total
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.literature.choices import Domain, QueryStrategy, ScoringMethod, StudyType, TimeFrame


def option(help_: str, **settings: Any) -> Option:
    """An option with a help text and without a default in help."""
    return Option(help=help_, show_default=False, **settings)


_List = list[str] | None
SCHEMA = Annotated[
    str | None,
    option('What to extract, as JSON such as {"sample_size": "integer"}, or @FILE; else what reviewers note.'),
]
CRITERIA = Annotated[str | None, option('How to score, as JSON such as {"weights": {"sample_size": 0.5}}, or @FILE.')]
INSTRUCTIONS = Annotated[str, option("What to tell the model about it.")]
MIN_SCORE = Annotated[float | None, option("Leave out articles that score less, 0 to 1.")]
BOOST_RECENT = Annotated[bool, option("Lift newer articles a little.", negative="")]
PREFER_REVIEWS = Annotated[bool, option("Lift reviews and meta-analyses a little.", negative="")]
EXCLUDE_PREPRINTS = Annotated[bool, option("Leave out preprints.", negative="")]
INCLUDE_RETRACTED = Annotated[bool, option("Keep retracted articles, flagged.", negative="")]
FROM_YEAR = Annotated[int | None, option("The earliest year of publication.")]
TO_YEAR = Annotated[int | None, option("The latest year of publication.")]


@dataclass(frozen=True)
class SearchOptions:
    """Options of the search."""

    domain: Annotated[Domain | None, option("How words are read that mean different things in different fields.")] = (
        None
    )
    time_frame: Annotated[TimeFrame | None, option("When articles were published.")] = None
    study_types: Annotated[
        list[StudyType] | None, option("A study type to search for, once for each.", negative="")
    ] = None
    keywords: Annotated[_List, option("A word that has to be there, once for each.", negative="")] = None
    exclude_terms: Annotated[_List, option("A word that must not be there, once for each.", negative="")] = None
    query_strategy: Annotated[QueryStrategy, Option(help="How widely to search.", show_default=True)] = "comprehensive"
    max_queries: Annotated[int, Option(help="Queries to make, 1 to 10.")] = 3
    max_results: Annotated[int, Option(help="Articles to read, of all queries together; 1 to 50,000.")] = 200


@dataclass(frozen=True)
class ExtractionOptions:
    """Options of extraction and scoring."""

    schema: SCHEMA = None
    instructions: INSTRUCTIONS = ""
    rules: Annotated[bool, option("Read by rules, even where a model is configured.", negative="")] = False
    criteria: CRITERIA = None
    score_function: Annotated[ScoringMethod, Option(help="How scores become one.")] = "weighted_sum"
    model: Annotated[str, option("For ml_model: what 'biofact literature train' was given as NAME.")] = "default"


@dataclass(frozen=True)
class ReviewRanking:
    """Which articles stay, and what lifts them."""

    top: Annotated[int, Option(help="Articles in the report; ranking.csv has all.")] = 25
    min_score: MIN_SCORE = None
    boost_recent: BOOST_RECENT = False
    boost_high_impact: Annotated[bool, option("Lift articles that are cited often for their field.", negative="")] = (
        False
    )
    prefer_review_articles: PREFER_REVIEWS = False
    min_citation_count: Annotated[int | None, option("Leave out articles that are cited less.")] = None
    journal_whitelist: Annotated[_List, option("Only this journal, once for each.", negative="")] = None
    journal_blacklist: Annotated[_List, option("Not this journal, once for each.", negative="")] = None
    exclude_preprints: EXCLUDE_PREPRINTS = False
    include_retracted: INCLUDE_RETRACTED = False
    from_year: FROM_YEAR = None
    to_year: TO_YEAR = None


@dataclass(frozen=True)
class ReviewOptions:
    """All options of a review."""

    goal: str
    search: SearchOptions = field(default_factory=SearchOptions)
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    ranking: ReviewRanking = field(default_factory=ReviewRanking)
    folder: str | None = None
    is_fresh: bool = False
    sandbox: SandboxOption = False


DIR = Annotated[str, option("The folder of the run.", required=True, name="DIR")]
INPUTS = Annotated[
    list[str] | None,
    option(
        "Files with articles, any number: PubMed XML, NDJSON or Parquet.",
        name=("--input", "-i"),
        metavar="FILE",
        negative="",
        consume_multiple=True,
    ),
]
JOBS = Annotated[int | None, option("Processes side by side; by default one for each core.")]
DASK = Annotated[
    str | None,
    option("Workers of Dask in place of processes: the address of a scheduler, or local.", metavar="ADDRESS"),
]
PART = Annotated[
    str | None,
    option("One part of an array of jobs: I from 1 to N, N as the plan says.", metavar="I/N"),
]
BUDGET = Annotated[
    int | None, option("Where a model reads: ask it no more before this run takes more tokens.", metavar="TOKENS")
]
AT_ONCE = Annotated[int, Option(help="Where a model reads: questions at a time.", show_default=True)]
DEFAULT_AT_ONCE = 8
TOP = Annotated[int, Option(help="Articles to rank.")]
LISTED_ARTICLES = Annotated[int, Option(help="Articles on the page; 200 at most.")]
PARTIAL = Annotated[bool, option("Rank what is done, though shards are missing.", negative="")]


@dataclass(frozen=True)
class PlanOptions:
    """Options of extraction and scoring, and of the division into shards."""

    schema: SCHEMA = None
    criteria: CRITERIA = None
    score_function: Annotated[Total, Option(help="How scores become one.")] = "weighted_sum"
    model: Annotated[
        bool, option("Have the model read that BIOFACT_LLM_BASE_URL names, in place of rules.", negative="")
    ] = False
    instructions: INSTRUCTIONS = ""
    shard_size: Annotated[int, Option(help="Articles in a shard, the unit of work.")] = SHARD_SIZE
    parts: Annotated[int, Option(help="Parts of an array of jobs; at most one for each shard.")] = PARTS
    skip_damaged: Annotated[bool, option("Leave out files that cannot be read, and name them.", negative="")] = False


@dataclass(frozen=True)
class CorpusRanking:
    """Which articles stay, and what lifts them."""

    min_score: MIN_SCORE = None
    boost_recent: BOOST_RECENT = False
    prefer_review_articles: PREFER_REVIEWS = False
    exclude_preprints: EXCLUDE_PREPRINTS = False
    include_retracted: INCLUDE_RETRACTED = False
    from_year: FROM_YEAR = None
    to_year: TO_YEAR = None
