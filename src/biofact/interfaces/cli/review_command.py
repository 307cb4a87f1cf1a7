"""The command that makes a review: options become a plan, and its outcome a summary."""

import asyncio
import hashlib
import re
import shlex
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from biofact import __version__
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source, terminal
from biofact.interfaces.cli import output, step_progress
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.checked_options import checked, options_of
from biofact.interfaces.cli.forms import SummaryForm
from biofact.interfaces.cli.json_options import criteria_of, json_object
from biofact.interfaces.cli.review_options import ReviewOptions
from biofact.interfaces.clients import opened
from biofact.interfaces.spelling import command
from biofact.literature.folder_errors import FolderRefused, WriteFailed
from biofact.literature.model import LanguageModel
from biofact.literature.pipeline import Pipeline
from biofact.literature.query.records import QueryRequest
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.ranking.request import ArticleFilters, RankingCriteria, RankRequest
from biofact.literature.review.defaults import CRITERIA, SCHEMA
from biofact.literature.review.plan import RULES, ReviewPlan
from biofact.literature.review.run import ReviewResult, review
from biofact.literature.trained_models import TrainedModels

T = TypeVar("T")

_TOP = 3
_LONGEST_NAME = 60


class Unfinished(WrongUsage):
    """The command was understood; it could not be brought to its end."""

    exit_code = 1


async def run(given: ReviewOptions, form: SummaryForm) -> int:
    """Make the review, or go on with it; returns the exit code.

    Raises:
        WrongUsage: the words make no plan, or the folder is not to be had.
        Unfinished: the run stopped; the hint says how it goes on.
    """
    async with opened(sandbox=given.sandbox) as clients:
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            found = await _run(given, pipeline)
        except BiofactError as error:
            raise Unfinished(as_typed(error.message), hint=as_typed(error.hint)) from error
        except FolderRefused as refusal:
            raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
        except WriteFailed as refusal:
            raise Unfinished(str(refusal), hint=refusal.hint) from refusal
        finally:
            await pipeline.aclose()
    _say(found, form)
    return 0


async def _run(given: ReviewOptions, pipeline: Pipeline) -> ReviewResult:
    folder = Path(given.folder or folder_name(given.goal))
    models = TrainedModels(Settings())  # the user's own, in the sandbox too
    is_learned = given.extraction.score_function == "ml_model"
    learned = models.load(given.extraction.model) if is_learned else None
    model = None if given.extraction.rules else pipeline.model
    plan = planned(given, model, _named(models, given.extraction.model) if is_learned else "")
    command = plan.command(given.sandbox if isinstance(given.sandbox, Path) else None)
    going_on = f"What is done is kept; continue with: {command} --output {shlex.quote(str(folder))}"
    try:
        with step_progress.shown() as on_progress:
            return await review(
                plan,
                folder,
                pipeline.transport,
                version=__version__,
                model=model,
                learned=learned,
                fresh=given.is_fresh,
                on_progress=on_progress,
            )
    except (RateLimited, UpstreamError) as error:
        raise Unfinished(as_typed(error.message), hint=f"{as_typed(error.hint)} {going_on}") from error
    except asyncio.CancelledError:
        terminal.write_messages(("error: The review was stopped.", f"hint: {going_on}"))
        raise


def planned(given: ReviewOptions, model: LanguageModel | None, trained: str = "") -> ReviewPlan:
    """The plan that the words make.

    Raises:
        WrongUsage: they make none.
    """
    ranking = asdict(given.ranking)
    search = asdict(given.search)
    most = search.pop("max_results")
    schema = json_object("--schema", given.extraction.schema)
    return checked(
        lambda: ReviewPlan(
            request=QueryRequest(
                research_goal=given.goal, **{name: value for name, value in search.items() if value is not None}
            ),
            max_results=most,
            extraction_schema=dict(SCHEMA) if schema is None else schema,
            instructions=given.extraction.instructions,
            reader=model.name if model else RULES,
            criteria=criteria_of(given.extraction.criteria, schema, CRITERIA),
            score_function=given.extraction.score_function,
            trained=trained,
            ranking=RankRequest(
                max_results=ranking["top"],
                min_score_threshold=ranking["min_score"],
                ranking_criteria=RankingCriteria(**options_of(RankingCriteria, ranking)),
                filters=ArticleFilters(**options_of(ArticleFilters, ranking)),
            ),
            is_sandbox=bool(given.sandbox),
        ),
        "biofact literature review",
        {"research_goal": "GOAL"},
    )


def folder_name(goal: str) -> str:
    """Where a review goes that was given no folder: the same goal leads to the same place."""
    words = "-".join(re.findall(r"[a-z0-9]+", goal.lower()))[:_LONGEST_NAME].strip("-")
    return f"review-{words or hashlib.blake2b(goal.encode(), digest_size=6).hexdigest()}"


def _named(models: TrainedModels, name: str) -> str:
    """A trained model by its name and what is in its file, for another of that name is another."""
    return f"{name} {hashlib.sha256(models.path(name).read_bytes()).hexdigest()[:16]}"


def as_typed(text: str) -> str:
    """A message of the library in the words of the command line."""
    return TypedSpelling(every_source, command).text(text)


def _say(found: ReviewResult, form: SummaryForm) -> None:
    rows = [_row(row) for row in found.top[:_TOP]]
    notes = [notice.message for notice in found.notices]
    if form == "json":
        summary = {"report": str(found.report), "folder": str(found.folder), "counts": found.counts, "top": rows}
        terminal.write_json(summary | ({"notices": [one.model_dump() for one in found.notices]} if notes else {}))
    else:
        if rows:
            output.write_rows(rows)
        ranked, read = found.counts["ranked"], found.counts["articles"]
        output.write_line(f"{read} article{'' if read == 1 else 's'} read, {ranked} ranked. Report: {found.report}")
        note(notes)
    if found.damaged:
        count = len(found.damaged)
        files = "1 file was" if count == 1 else f"{count} files were"
        note([f"{files} damaged in {found.folder / '.work'}; what was lost was asked for again."])
    if found.was_finished:
        note(["This review is finished already; its files stay as they are. --fresh starts over."])


def note(messages: Iterable[str]) -> None:
    """Say something beside the answer, on stderr."""
    terminal.write_messages(f"note: {message}" for message in messages)


def _row(row: RankedRow) -> dict[str, Any]:
    article = row.candidate.article
    candidate = row.candidate
    parts = {"score": row.final_score, "relevance": candidate.relevance, "strength": candidate.evidence_strength}
    scores = {name: round(value, 3) for name, value in parts.items() if value is not None}
    row_summary: dict[str, Any] = {"rank": row.rank, **scores, "id": candidate.item_id}
    if article is not None:
        row_summary |= {**({"year": article.year} if article.year else {}), "title": article.title}
    return row_summary
