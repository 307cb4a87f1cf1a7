"""Declares the commands around the literature pipeline: ``literature`` and ``corpus``, each with its options."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import App
from cyclopts import Parameter as Option

from biofact.interfaces.cli.example_lines import command_help
from biofact.interfaces.cli.literature_options import (
    AT_ONCE,
    BUDGET,
    DASK,
    DEFAULT_AT_ONCE,
    DIR,
    INPUTS,
    JOBS,
    LISTED_ARTICLES,
    PART,
    PARTIAL,
    TOP,
    CorpusRanking,
    ExtractionOptions,
    PlanOptions,
    ReviewOptions,
    ReviewRanking,
    SearchOptions,
    option,
)
from biofact.interfaces.cli.options import CHOICES, SANDBOX, SUMMARY_FORMAT, summary_form

GOAL = Annotated[str, option("What the review is about, in a sentence.", required=True)]
_FLAT = Option(name="*")  # the options of a group stand among the command's own
_SEARCH, _EXTRACTION, _REVIEW_RANKING = SearchOptions(), ExtractionOptions(), ReviewRanking()  # frozen
_PLAN, _CORPUS_RANKING = PlanOptions(), CorpusRanking()  # frozen
FOLDER = Annotated[
    str | None,
    option("Folder of the run; by default one named after the goal, here.", name=("--output", "-o"), metavar="DIR"),
]
FRESH = Annotated[bool, option("Discard what an earlier run wrote into the folder.", negative="")]
NAME = Annotated[str, option("What to call the model: letters, digits, hyphens, underscores.")]
LABELS = Annotated[str, option("CSV with the columns pmid and label; labels are include or exclude.", metavar="FILE")]
FEATURES = Annotated[
    str | None,
    option("Folder of a review, or its features.csv; by default the articles are fetched and read.", metavar="PATH"),
]


def literature_app(help_text: str) -> App:
    """The group ``biofact literature``."""
    app = App(name="literature", help=help_text, group_parameters=CHOICES)
    app.command(_review, name="review", sort_key=0, **command_help("literature review", "GOAL..."))
    app.command(_train, name="train", sort_key=1, **command_help("literature train", "NAME --labels FILE"))
    return app


def _review(  # noqa: PLR0913  # the options, in groups
    *goal: GOAL,
    search: Annotated[SearchOptions, _FLAT] = _SEARCH,
    extraction: Annotated[ExtractionOptions, _FLAT] = _EXTRACTION,
    ranking: Annotated[ReviewRanking, _FLAT] = _REVIEW_RANKING,
    output: FOLDER = None,
    fresh: FRESH = False,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Search PubMed for a goal, read what it finds, score and rank it, and write a folder with a report.

    The folder holds report.html, ranking.csv, features.csv, articles.jsonl, references.ris, references.bib and
    manifest.json. A run that was stopped goes on with the same command, and asks for nothing twice.
    """
    import asyncio  # noqa: PLC0415  # help has nothing to wait for

    from biofact.interfaces.cli import review_commands  # noqa: PLC0415  # the overview needs none of it

    form = summary_form(format)
    options = ReviewOptions(" ".join(goal), search, extraction, ranking, folder=output, is_fresh=fresh, sandbox=sandbox)
    return asyncio.run(review_commands.run_review(options, form))


def _train(
    name: NAME,
    /,
    *,
    labels: LABELS,
    features: FEATURES = None,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Train a model that scores articles on include and exclude labels; needs biofact[ml].

    Prints how well the model separates labelled articles that it was not trained on. Reviews and
    pubmed_score_articles use it with ml_model.
    """
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import review_commands  # noqa: PLC0415

    form = summary_form(format)
    return asyncio.run(review_commands.run_training(name, Path(labels), features, form, sandbox=sandbox))


def corpus_app(help_text: str) -> App:
    """The group ``biofact corpus``, its commands in the order of their use."""
    commands: dict[str, Callable[..., int]] = {
        "plan": _plan,
        "run": _run,
        "status": _status,
        "rank": _rank,
        "report": _report,
        "retry": _retry,
    }
    app = App(name="corpus", help=help_text, group_parameters=CHOICES)
    for place, (name, function) in enumerate(commands.items()):
        arguments = "DIR --input FILE..." if name == "plan" else "DIR"
        app.command(function, name=name, sort_key=place, **command_help(f"corpus {name}", arguments))
    return app


def _plan(  # its options
    folder: DIR,
    /,
    *,
    input: INPUTS = None,  # noqa: A002  # as it is typed
    settings: Annotated[PlanOptions, _FLAT] = _PLAN,
    jobs: JOBS = None,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Survey the input files, and bind a new folder to what is to be done with them.

    Says how many articles and shards there are, what they take on the disk, and how long they should take. Where
    several files have an article, the last one counts, in the natural order of their names, as PubMed's baseline and
    update files are numbered; deleted articles are left out. With --sandbox the input is a small baseline of its own.
    """
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    return corpus_commands.plan(folder, input or [], settings, jobs, summary_form(format), sandbox=sandbox)


def _run(  # noqa: PLR0913  # its options
    folder: DIR,
    /,
    *,
    jobs: JOBS = None,
    dask: DASK = None,
    part: PART = None,
    budget_tokens: BUDGET = None,
    at_once: AT_ONCE = DEFAULT_AT_ONCE,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Do the shards that are not done: by processes, by Dask workers, or one part of an array of jobs.

    A finished shard is not done again: after an interruption the same command goes on. A shard that fails three times
    is listed, and the rest goes on. Exits with 1 while shards are missing.
    """
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    options = corpus_commands.RunOptions(jobs, dask, part, budget_tokens, at_once)
    return corpus_commands.run(folder, options, summary_form(format))


def _status(folder: DIR, /, *, format: SUMMARY_FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Show how far a run is, how fast, for how long still, and what has failed."""
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    return corpus_commands.status(folder, summary_form(format))


def _rank(
    folder: DIR,
    /,
    *,
    top: TOP = 1000,
    ranking: Annotated[CorpusRanking, _FLAT] = _CORPUS_RANKING,
    partial: PARTIAL = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Rank all articles by their scores, and write the best to ranking.csv and ranking.jsonl; reads no text again."""
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    return corpus_commands.rank(folder, top, ranking, summary_form(format), is_partial=partial)


def _report(folder: DIR, /, *, top: LISTED_ARTICLES = 25, format: SUMMARY_FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Write the page of a ranked run, report.html: its best articles with what they say, and how they were chosen."""
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    return corpus_commands.report(folder, top, summary_form(format))


def _retry(folder: DIR, /) -> int:
    """Put failed shards back into the next run, as when an input file is back."""
    from biofact.interfaces.cli import corpus_commands  # noqa: PLC0415  # help needs none of it

    return corpus_commands.retry(folder)
