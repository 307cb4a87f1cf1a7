"""The options of the commands over a corpus."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter as Option

from biofact.corpus.records import PARTS, SHARD_SIZE, Total
from biofact.interfaces.cli.review_options import option

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
USUAL_AT_ONCE = 8
TOP = Annotated[int, Option(help="Articles to rank.")]
SHOWN = Annotated[int, Option(help="Articles on the page; 200 at most.")]
PARTIAL = Annotated[bool, option("Rank what is done, though shards are missing.", negative="")]


@dataclass(frozen=True)
class PlanOptions:
    """How articles are read and scored, and how the work is cut."""

    schema: Annotated[
        str | None,
        option('What to extract, as JSON such as {"sample_size": "integer"}, or @FILE; else what reviewers note.'),
    ] = None
    criteria: Annotated[
        str | None, option('How to score, as JSON such as {"weights": {"sample_size": 0.5}}, or @FILE.')
    ] = None
    score_function: Annotated[Total, Option(help="How scores become one.")] = "weighted_sum"
    model: Annotated[
        bool, option("Have the model read that BIOFACT_LLM_BASE_URL names, in place of rules.", negative="")
    ] = False
    instructions: Annotated[str, option("What to tell the model about it.")] = ""
    shard_size: Annotated[int, Option(help="Articles in a shard, the unit of work.")] = SHARD_SIZE
    parts: Annotated[int, Option(help="Parts of an array of jobs; at most one for each shard.")] = PARTS
    skip_damaged: Annotated[bool, option("Leave out files that cannot be read, and name them.", negative="")] = False


@dataclass(frozen=True)
class RankOptions:
    """Which articles stay, and what lifts them."""

    min_score: Annotated[float | None, option("Leave out articles that score less, 0 to 1.")] = None
    boost_recent: Annotated[bool, option("Lift newer articles a little.", negative="")] = False
    prefer_review_articles: Annotated[bool, option("Lift reviews and meta-analyses a little.", negative="")] = False
    exclude_preprints: Annotated[bool, option("Leave out preprints.", negative="")] = False
    include_retracted: Annotated[bool, option("Keep retracted articles, flagged.", negative="")] = False
    from_year: Annotated[int | None, option("The earliest year of publication.")] = None
    to_year: Annotated[int | None, option("The latest year of publication.")] = None
