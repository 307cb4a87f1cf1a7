"""Commands over a corpus: plan, run, look, rank, report, try again."""

from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import App
from cyclopts import Parameter as Option

from biofact.interfaces.cli import example_lines, forms
from biofact.interfaces.cli.commands import CHOICES, SANDBOX
from biofact.interfaces.cli.corpus_options import (
    AT_ONCE,
    BUDGET,
    DASK,
    DIR,
    INPUTS,
    JOBS,
    PART,
    PARTIAL,
    SHOWN,
    TOP,
    USUAL_AT_ONCE,
    PlanOptions,
    RankOptions,
)
from biofact.interfaces.cli.forms import SUMMARY_FORMAT
from biofact.interfaces.cli.own_examples import EXAMPLES

_FLAT = Option(name="*")
_PLAN, _RANK = PlanOptions(), RankOptions()  # frozen


def corpus_app(about: str) -> App:
    """The commands, which are ``about`` this."""
    app = App(name="corpus", help=about, group_parameters=CHOICES)
    for place, (name, function) in enumerate(_commands().items()):
        app.command(function, name=name, sort_key=place, **_help(name))
    return app


def _commands() -> dict[str, Callable[..., int]]:
    """In the order in which they are used."""
    return {"plan": _plan, "run": _run, "status": _status, "rank": _rank, "report": _report, "retry": _retry}


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
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    return corpus_command.plan(folder, input or [], settings, jobs, forms.summary(format), sandbox=sandbox)


def _run(  # noqa: PLR0913  # its options
    folder: DIR,
    /,
    *,
    jobs: JOBS = None,
    dask: DASK = None,
    part: PART = None,
    budget_tokens: BUDGET = None,
    at_once: AT_ONCE = USUAL_AT_ONCE,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Do the shards that are not done: by processes, by Dask workers, or one part of an array of jobs.

    What is done stays done, whoever did it: the same command goes on after whatever stopped it. A shard that fails
    three times is listed, and the others go on. Exits with 1 while shards are missing.
    """
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    how = corpus_command.How(jobs, dask, part, budget_tokens, at_once)
    return corpus_command.run(folder, how, forms.summary(format))


def _status(folder: DIR, /, *, format: SUMMARY_FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Show how far a run is, how fast, for how long still, and what has failed."""
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    return corpus_command.status(folder, forms.summary(format))


def _rank(
    folder: DIR,
    /,
    *,
    top: TOP = 1000,
    ranking: Annotated[RankOptions, _FLAT] = _RANK,
    partial: PARTIAL = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Rank all articles by their scores, and write the best to ranking.csv and ranking.jsonl; reads no text again."""
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    return corpus_command.rank(folder, top, ranking, forms.summary(format), is_partial=partial)


def _report(folder: DIR, /, *, top: SHOWN = 25, format: SUMMARY_FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Write the page of a ranked run, report.html: its best articles with what they say, and how they were chosen."""
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    return corpus_command.report(folder, top, forms.summary(format))


def _retry(folder: DIR, /) -> int:
    """Have shards that failed tried again by the next run, as when an input file is back."""
    from biofact.interfaces.cli import corpus_command  # noqa: PLC0415  # help needs none of it

    return corpus_command.retry(folder)


def _help(name: str) -> dict[str, Any]:
    """What help says besides the docstring."""
    usage = f"Usage: biofact corpus {name} DIR{' --input FILE...' if name == 'plan' else ''} [OPTIONS]"
    return {"usage": usage, "help_epilogue": example_lines.epilogue(EXAMPLES[f"corpus {name}"])}
