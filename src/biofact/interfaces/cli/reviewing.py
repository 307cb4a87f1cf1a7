"""A review at the command line: what was typed becomes a plan, and what came of it is said."""

import asyncio
import hashlib
import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from biofact import __version__
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.settings import Settings
from biofact.interfaces import every_source, terminal
from biofact.interfaces.cli import output, steps_shown
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.review_options import Given
from biofact.interfaces.clients import opened
from biofact.interfaces.spelling import command
from biofact.interfaces.usage import WrongUsage
from biofact.literature.model import Model
from biofact.literature.pipeline import Pipeline
from biofact.literature.query import QueryRequest
from biofact.literature.ranking import Filters, RankedRow, RankingCriteria, RankRequest
from biofact.literature.review import CRITERIA, RULES, SCHEMA, NotWritten, Plan, Refused, Reviewed, review
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.trained import Models

T = TypeVar("T")

_TOP = 3
_LONGEST_NAME = 60


class Unfinished(WrongUsage):
    """The command was understood; it could not be brought to its end."""

    exit_code = 1


async def reviewed(given: Given, form: output.Form) -> int:
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
            raise Unfinished(_spelt(error.message), hint=_spelt(error.hint)) from error
        except Refused as refusal:
            raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
        except NotWritten as refusal:
            raise Unfinished(str(refusal), hint=refusal.hint) from refusal
        finally:
            await pipeline.aclose()
    _say(found, form)
    return 0


async def _run(given: Given, pipeline: Pipeline) -> Reviewed:
    folder = Path(given.folder or folder_name(given.goal))
    models = Models(Settings())  # the user's own, in the sandbox too
    is_learned = given.reading.score_function == "ml_model"
    learned = models.load(given.reading.model) if is_learned else None
    model = None if given.reading.rules else pipeline.model
    plan = planned(given, model, _named(models, given.reading.model) if is_learned else "")
    going_on = f"What is done is kept; go on with: {plan.command()} --output {shlex.quote(str(folder))}"
    try:
        with steps_shown.shown() as tell:
            return await review(
                plan,
                folder,
                pipeline.transport,
                version=__version__,
                model=model,
                learned=learned,
                fresh=given.is_fresh,
                tell=tell,
            )
    except (RateLimited, UpstreamError) as error:
        raise Unfinished(_spelt(error.message), hint=f"{_spelt(error.hint)} {going_on}") from error
    except asyncio.CancelledError:
        terminal.tell(("error: The review was stopped.", f"hint: {going_on}"))
        raise


def planned(given: Given, model: Model | None, trained: str = "") -> Plan:
    """The plan that the words make.

    Raises:
        WrongUsage: they make none.
    """
    ranking = asdict(given.ranking)
    asking = asdict(given.asking)
    most = asking.pop("max_results")
    schema = _json("--schema", given.reading.schema)
    return _checked(
        lambda: Plan(
            request=QueryRequest(
                research_goal=given.goal, **{name: value for name, value in asking.items() if value is not None}
            ),
            max_results=most,
            extraction_schema=dict(SCHEMA) if schema is None else schema,
            instructions=given.reading.instructions,
            reader=model.name if model else RULES,
            criteria=_criteria(given.reading.criteria, schema),
            score_function=given.reading.score_function,
            trained=trained,
            ranking=RankRequest(
                max_results=ranking["top"],
                min_score_threshold=ranking["min_score"],
                ranking_criteria=RankingCriteria(**_of(RankingCriteria, ranking)),
                filters=Filters(**_of(Filters, ranking)),
            ),
            is_sandbox=bool(given.sandbox),
        )
    )


def folder_name(goal: str) -> str:
    """Where a review goes that was given no folder: the same goal leads to the same place."""
    words = "-".join(re.findall(r"[a-z0-9]+", goal.lower()))[:_LONGEST_NAME].strip("-")
    return f"review-{words or hashlib.blake2b(goal.encode(), digest_size=6).hexdigest()}"


def _of(kind: type[BaseModel], options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in kind.model_fields if options.get(name) is not None}


def _criteria(given: str | None, schema: Mapping[str, Any] | None) -> ScoringCriteria:
    """The usual criteria, as far as the schema has their features; else all that it has, weighted alike."""
    told = _json("--criteria", given)
    if told is not None:
        return ScoringCriteria.model_validate(told)
    if schema is None:
        return CRITERIA
    names = schema.get("properties", schema) if isinstance(schema.get("properties"), Mapping) else schema
    weights = {name: weight for name, weight in CRITERIA.weights.items() if name in names}
    functions = {name: CRITERIA.scoring_functions[name] for name in weights}
    if weights:
        return ScoringCriteria(weights=weights, scoring_functions=functions, normalization_method="none")
    return ScoringCriteria(weights=dict.fromkeys(names, 1.0))


def _json(option: str, given: str | None) -> dict[str, Any] | None:
    """What an option holds that is an object, written out or in a file."""
    if given is None:
        return None
    try:
        text = Path(given[1:]).read_text("utf-8-sig") if given.startswith("@") else given
        told = json.loads(text)
    except OSError as error:
        raise WrongUsage(f"{given[1:]!r} cannot be read: {str(error.strerror).lower()}.", hint=_JSON_HINT) from error
    except ValueError as error:
        raise WrongUsage(f"{option} is no JSON: {error}.", hint=_JSON_HINT) from error
    if not isinstance(told, dict):
        raise WrongUsage(f"{option} is no object.", hint=_JSON_HINT)
    return told


def _checked(make: Callable[[], T]) -> T:
    try:
        return make()
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")  # a misspelt name explains most
        *_, place = [part for part in first["loc"] if isinstance(part, str)] or [""]
        named = _OPTIONS.get(place, f"--{place.replace('_', '-')}")
        said = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        given = "" if isinstance(first["input"], dict | list) else f" (given {first['input']!r:.60})"
        if first["type"] in {"extra_forbidden", "missing"}:
            named, said, given = "--criteria", f"{place!r} is {_WRONG[first['type']]}", ""
        raise WrongUsage(f"{named}: {said}{given}.", hint="See biofact literature review --help.") from error


def _named(models: Models, name: str) -> str:
    """A trained model by its name and what is in its file, for another of that name is another."""
    return f"{name} {hashlib.sha256(models.path(name).read_bytes()).hexdigest()[:16]}"


def _spelt(text: str) -> str:
    return TypedSpelling(every_source, command).text(text)


def _say(found: Reviewed, form: output.Form) -> None:
    rows = [_row(row) for row in found.top[:_TOP]]
    notes = [notice.message for notice in found.notices]
    if form == "json":
        told = {"report": str(found.report), "folder": str(found.folder), "counts": found.counts, "top": rows}
        output.write_json(told | ({"notices": [one.model_dump() for one in found.notices]} if notes else {}))
    else:
        if rows:
            output.write_rows(rows, "table")
        ranked, read = found.counts["ranked"], found.counts["articles"]
        output.write_line(f"{read} article{'' if read == 1 else 's'} read, {ranked} ranked. Report: {found.report}")
        note(notes)
    if found.damaged:
        count = len(found.damaged)
        files = "1 file was" if count == 1 else f"{count} files were"
        note([f"{files} damaged in {found.folder / '.work'}; what was lost was asked for again."])
    if found.was_finished:
        note(["This review was finished before; its files stay as they are. --fresh begins anew."])


def note(messages: Iterable[str]) -> None:
    """Say something beside the answer, on stderr."""
    terminal.tell(f"note: {message}" for message in messages)


def _row(row: RankedRow) -> dict[str, Any]:
    article = row.candidate.article
    told: dict[str, Any] = {"rank": row.rank, "score": round(row.final_score, 3), "id": row.candidate.item_id}
    if article is not None:
        told |= {**({"year": article.year} if article.year else {}), "title": article.title}
    return told


_WRONG = {"extra_forbidden": "no part of it", "missing": "missing"}
_JSON_HINT = "Write a JSON object, or @FILE for one that holds it."
_OPTIONS = {"research_goal": "GOAL", "extraction_schema": "--schema", "weights": "--criteria"} | {
    "min_score_threshold": "--min-score",
    "scoring_functions": "--criteria",
}
