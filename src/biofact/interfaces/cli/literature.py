"""Commands around a whole review: make one, or train a model on the labels of one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App
from cyclopts import Parameter as Option

from biofact.interfaces.cli import example_lines, forms
from biofact.interfaces.cli.commands import CHOICES, SANDBOX
from biofact.interfaces.cli.forms import SUMMARY_FORMAT
from biofact.interfaces.cli.own_examples import EXAMPLES
from biofact.interfaces.cli.review_options import (
    ExtractionOptions,
    RankingOptions,
    ReviewOptions,
    SearchOptions,
    option,
)

if TYPE_CHECKING:  # help writes no answer
    pass

GOAL = Annotated[str, option("What the review is about, in a sentence.", required=True)]


_FLAT = Option(name="*")
_SEARCH, _EXTRACTION, _RANKING = SearchOptions(), ExtractionOptions(), RankingOptions()  # frozen
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


def literature_app(about: str) -> App:
    """The commands, which are ``about`` this."""
    app = App(name="literature", help=about, group_parameters=CHOICES)
    app.command(_review, name="review", sort_key=0, **_help("literature review", "GOAL..."))
    app.command(_train, name="train", sort_key=1, **_help("literature train", "NAME --labels FILE"))
    return app


def _review(  # noqa: PLR0913  # the options, in groups
    *goal: GOAL,
    search: Annotated[SearchOptions, _FLAT] = _SEARCH,
    extraction: Annotated[ExtractionOptions, _FLAT] = _EXTRACTION,
    ranking: Annotated[RankingOptions, _FLAT] = _RANKING,
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

    from biofact.interfaces.cli import review_command  # noqa: PLC0415  # the overview needs none of it

    form = forms.summary(format)
    given = ReviewOptions(" ".join(goal), search, extraction, ranking, folder=output, is_fresh=fresh, sandbox=sandbox)
    return asyncio.run(review_command.run(given, form))


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

    from biofact.interfaces.cli import train_command  # noqa: PLC0415

    form = forms.summary(format)
    return asyncio.run(train_command.run(name, Path(labels), features, form, sandbox=sandbox))


def _help(name: str, arguments: str) -> dict[str, Any]:
    """What help says besides the docstring."""
    usage = f"Usage: biofact {name} {arguments} [OPTIONS]"
    return {"usage": usage, "help_epilogue": example_lines.epilogue(EXAMPLES[name])}
