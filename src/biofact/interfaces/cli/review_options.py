"""The options of a review at the command line, in groups."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from cyclopts import Parameter as Option

from biofact.interfaces.sandbox_option import SandboxOption
from biofact.literature.choices import Domain, QueryStrategy, ScoringMethod, StudyType, TimeFrame


def option(help_: str, **more: Any) -> Option:
    """What the help says of an option, whose default says nothing."""
    return Option(help=help_, show_default=False, **more)


_List = list[str] | None


@dataclass(frozen=True)
class SearchOptions:
    """What is searched for."""

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
    """What is extracted, and how it is scored."""

    schema: Annotated[
        str | None,
        option('What to extract, as JSON such as {"sample_size": "integer"}, or @FILE; else what reviewers note.'),
    ] = None
    instructions: Annotated[str, option("What to tell the model about it.")] = ""
    rules: Annotated[bool, option("Read by rules, even where a model is configured.", negative="")] = False
    criteria: Annotated[
        str | None, option('How to score, as JSON such as {"weights": {"sample_size": 0.5}}, or @FILE.')
    ] = None
    score_function: Annotated[ScoringMethod, Option(help="How scores become one.")] = "weighted_sum"
    model: Annotated[str, option("For ml_model: what 'biofact literature train' was given as NAME.")] = "default"


@dataclass(frozen=True)
class RankingOptions:
    """Which articles stay, and what lifts them."""

    top: Annotated[int, Option(help="Articles in the report; ranking.csv has all.")] = 25
    min_score: Annotated[float | None, option("Leave out articles that score less, 0 to 1.")] = None
    boost_recent: Annotated[bool, option("Lift newer articles a little.", negative="")] = False
    boost_high_impact: Annotated[bool, option("Lift articles that are cited often for their field.", negative="")] = (
        False
    )
    prefer_review_articles: Annotated[bool, option("Lift reviews and meta-analyses a little.", negative="")] = False
    min_citation_count: Annotated[int | None, option("Leave out articles that are cited less.")] = None
    journal_whitelist: Annotated[_List, option("Only this journal, once for each.", negative="")] = None
    journal_blacklist: Annotated[_List, option("Not this journal, once for each.", negative="")] = None
    exclude_preprints: Annotated[bool, option("Leave out preprints.", negative="")] = False
    include_retracted: Annotated[bool, option("Keep retracted articles, flagged.", negative="")] = False
    from_year: Annotated[int | None, option("The earliest year of publication.")] = None
    to_year: Annotated[int | None, option("The latest year of publication.")] = None


@dataclass(frozen=True)
class ReviewOptions:
    """All options of a review."""

    goal: str
    search: SearchOptions = field(default_factory=SearchOptions)
    extraction: ExtractionOptions = field(default_factory=ExtractionOptions)
    ranking: RankingOptions = field(default_factory=RankingOptions)
    folder: str | None = None
    is_fresh: bool = False
    sandbox: SandboxOption = False
