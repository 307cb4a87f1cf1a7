"""``biofact literature review`` and ``train``: options become a plan or a model, and the outcome a summary."""

import asyncio
import csv
import hashlib
import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from biofact import __version__
from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.extras import install_command
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source, terminal
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.literature_options import ReviewOptions
from biofact.interfaces.cli.options import SummaryForm
from biofact.interfaces.clients import open_clients
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import command
from biofact.literature import steps
from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.schema import ExtractionSchema, nest_values
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.model import LanguageModel
from biofact.literature.pipeline import Pipeline
from biofact.literature.query.records import QueryRequest
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.ranking.request import ArticleFilters, RankingCriteria, RankRequest
from biofact.literature.review.plan import CRITERIA, RULES, SCHEMA, ReviewPlan
from biofact.literature.review.run import ReviewResult, review
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.trained_models import ModelName, TrainedModels

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel


T = TypeVar("T")

_WRONG = {"extra_forbidden": "no part of it", "missing": "missing"}
_OPTIONS = {"extraction_schema": "--schema", "min_score_threshold": "--min-score"} | dict.fromkeys(
    ("criteria", "weights", "scoring_functions"), "--criteria"
)
"""Of fields that have another name than their option."""


def options_of(kind: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that a request of this kind has, and that were given."""
    return {name: given[name] for name in kind.model_fields if given.get(name) is not None}


def check_options(make: Callable[[], T], command: str, options: Mapping[str, str] = MappingProxyType({})) -> T:
    """What is made of the options of a command; ``options`` are further ones by field.

    Raises:
        WrongUsage: the library refuses one, which is named where it is one alone.
    """
    try:
        return make()
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")  # a misspelt name explains most
        *_, place = [part for part in first["loc"] if isinstance(part, str)] or [""]
        named = (_OPTIONS | dict(options)).get(place, f"--{place.replace('_', '-')}")
        problem = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        given = "" if isinstance(first["input"], dict | list) else f" (given {first['input']!r:.60})"
        if first["type"] in {"extra_forbidden", "missing"}:
            named, problem, given = "--criteria", f"{place!r} is {_WRONG[first['type']]}", ""
        message = f"{named}: {problem}{given}" if place else problem
        raise WrongUsage(f"{message}.", hint=f"See {command} --help.") from error


_JSON_HINT = "Write a JSON object, or @FILE for one that holds it."


def json_object(option: str, given: str | None) -> dict[str, Any] | None:
    """What an option holds that is an object, written out or in a file; None where it is not given.

    Raises:
        WrongUsage: it is no object, or the file cannot be read.
    """
    if given is None:
        return None
    try:
        text = Path(given[1:]).read_text("utf-8-sig") if given.startswith("@") else given
        value = json.loads(text)
    except OSError as error:
        raise WrongUsage(f"{given[1:]!r} cannot be read: {str(error.strerror).lower()}.", hint=_JSON_HINT) from error
    except ValueError as error:
        raise WrongUsage(f"{option} is not JSON: {error}.", hint=_JSON_HINT) from error
    if not isinstance(value, dict):
        raise WrongUsage(f"{option} is not an object.", hint=_JSON_HINT)
    return value


def criteria_of(given: str | None, schema: Mapping[str, Any] | None, usual: ScoringCriteria) -> ScoringCriteria:
    """The criteria of ``--criteria``; else the usual ones, as far as the schema has their features; else all that it
    has, weighted alike.

    Raises:
        WrongUsage: what is given is no JSON object.
        ValueError: it makes no criteria.
    """
    criteria = json_object("--criteria", given)
    if criteria is not None:
        return ScoringCriteria.model_validate(criteria)
    if schema is None:
        return usual
    names = schema.get("properties", schema) if isinstance(schema.get("properties"), Mapping) else schema
    weights = {name: weight for name, weight in usual.weights.items() if name in names}
    functions = {name: usual.scoring_functions[name] for name in weights}
    if weights:
        return ScoringCriteria(weights=weights, scoring_functions=functions, normalization_method="none")
    return ScoringCriteria(weights=dict.fromkeys(names, 1.0))


_TOP = 3
_LONGEST_NAME = 60


class Unfinished(WrongUsage):
    """The command was understood; it could not be brought to its end."""

    exit_code = 1


async def run_review(given: ReviewOptions, form: SummaryForm) -> int:
    """Make the review, or go on with it; returns the exit code.

    Raises:
        WrongUsage: the words make no plan, or the folder is not to be had.
        Unfinished: the run stopped; the hint says how it goes on.
    """
    async with open_clients(sandbox=given.sandbox) as clients:
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            found = await _run_review(given, pipeline)
        except BiofactError as error:
            raise Unfinished(as_typed(error.message), hint=as_typed(error.hint)) from error
        except FolderRefused as refusal:
            raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
        except WriteFailed as refusal:
            raise Unfinished(str(refusal), hint=refusal.hint) from refusal
        finally:
            await pipeline.aclose()
    _write_review(found, form)
    return 0


async def _run_review(given: ReviewOptions, pipeline: Pipeline) -> ReviewResult:
    folder = Path(given.folder or folder_name(given.goal))
    models = TrainedModels(Settings())  # the user's own, in the sandbox too
    is_learned = given.extraction.score_function == "ml_model"
    learned = models.load(given.extraction.model) if is_learned else None
    model = None if given.extraction.rules else pipeline.model
    plan = planned(given, model, _named(models, given.extraction.model) if is_learned else "")
    command = plan.command(given.sandbox if isinstance(given.sandbox, Path) else None)
    going_on = f"What is done is kept; continue with: {command} --output {shlex.quote(str(folder))}"
    try:
        with progress.show_steps() as on_progress:
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
    return check_options(
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


def _write_review(found: ReviewResult, form: SummaryForm) -> None:
    rows = [_review_row(row) for row in found.top[:_TOP]]
    notes = [notice.message for notice in found.notices]
    if form == "json":
        summary = {"report": str(found.report), "folder": str(found.folder), "counts": found.counts, "top": rows}
        terminal.write_json(summary | ({"notices": [one.model_dump() for one in found.notices]} if notes else {}))
    else:
        if rows:
            writers.write_rows(rows)
        ranked, read = found.counts["ranked"], found.counts["articles"]
        writers.write_line(f"{read} article{'' if read == 1 else 's'} read, {ranked} ranked. Report: {found.report}")
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


def _review_row(row: RankedRow) -> dict[str, Any]:
    article = row.candidate.article
    candidate = row.candidate
    parts = {"score": row.final_score, "relevance": candidate.relevance, "strength": candidate.evidence_strength}
    scores = {name: round(value, 3) for name, value in parts.items() if value is not None}
    row_summary: dict[str, Any] = {"rank": row.rank, **scores, "id": candidate.item_id}
    if article is not None:
        row_summary |= {**({"year": article.year} if article.year else {}), "title": article.title}
    return row_summary


Features = Mapping[str, Mapping[str, Any]]
"""By PMID."""

_LABELS_HINT = "Give --labels a CSV file with the columns pmid and label; labels are include or exclude."
_FEATURES_HINT = "Give --features the folder of a review, or the features.csv in one."
_FEATURE = "feature:"
_PMID = re.compile(r"(?:PMID:)?\s*([1-9][0-9]{0,8})", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?", re.ASCII)
_GUARD = re.compile("^'(?=[=+@-])")  # what keeps spreadsheets from reading a formula
_NAME = TypeAdapter(ModelName)


async def run_training(
    name: str, labels: Path, features: str | None, form: SummaryForm, *, sandbox: SandboxOption
) -> int:
    """Train a model and keep it; returns the exit code.

    Raises:
        WrongUsage: the name, the labels or the features cannot be used.
        Unfinished: the articles cannot be read, or the extra is not installed.
    """
    _check_name(name)
    wanted = read_labels(labels)
    async with open_clients(sandbox=sandbox) as clients, progress.show_activity("training"):
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            known = await _extracted(list(wanted), pipeline) if features is None else read_features(Path(features))
            path = TrainedModels(Settings()).path(name)  # the user's own, in the sandbox too
            trained_model = _train(wanted, known)
        except BiofactError as error:
            raise Unfinished(error.message, hint=error.hint) from error
        finally:
            await pipeline.aclose()
    _save_model(trained_model, path)
    _write_training(name, path, trained_model, [pmid for pmid in wanted if pmid not in known], form)
    return 0


def read_labels(file: Path) -> dict[str, str]:
    """Labels by PMID.

    Raises:
        WrongUsage: the file is not of that form, or labels an article twice and otherwise.
    """
    rows = _read_table(file, _LABELS_HINT)
    names = {(name or "").strip().lower(): name for name in (rows[0] if rows else {})}
    pmid_column = next((names[name] for name in ("pmid", "item_id", "id") if name in names), None)
    if pmid_column is None or "label" not in names:
        raise WrongUsage(f"{str(file)!r} has no columns pmid and label.", hint=_LABELS_HINT)
    found: dict[str, str] = {}
    for line, row in enumerate(rows, start=2):
        pmid = _PMID.fullmatch((row[pmid_column] or "").strip())
        label = (row[names["label"]] or "").strip().lower()
        if not label:
            continue  # not judged yet
        if pmid is None:
            raise WrongUsage(f"Line {line} of {str(file)!r} has no PMID: {row[pmid_column]!r:.40}.", hint=_LABELS_HINT)
        if found.setdefault(pmid[1], label) != label:
            raise WrongUsage(f"PMID {pmid[1]} has two labels in {str(file)!r}.", hint=_LABELS_HINT)
    return found


def read_features(path: Path) -> dict[str, dict[str, Any]]:
    """Features by PMID, of a table that a review has written.

    Raises:
        WrongUsage: it is none.
    """
    file = path / "features.csv" if path.is_dir() else path
    rows = _read_table(file, _FEATURES_HINT)
    if rows and "item_id" not in rows[0]:
        raise WrongUsage(f"{str(file)!r} has no column item_id.", hint=_FEATURES_HINT)
    schema = _schema(file.parent)
    return {str(row["item_id"]).removeprefix("PMID:"): _features(row, schema) for row in rows}


def _schema(folder: Path) -> ExtractionSchema | None:
    """By what the features were extracted, where the manifest stands beside them."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        return ExtractionSchema.read(manifest["plan"]["extraction_schema"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _features(row: Mapping[str, str], schema: ExtractionSchema | None) -> dict[str, Any]:
    kinds = {leaf.path: leaf.kind for leaf in schema.leaves} if schema else {}
    named = ((name.removeprefix(_FEATURE), text) for name, text in row.items() if str(name).startswith(_FEATURE))
    return nest_values({name: _value(_GUARD.sub("", text), kinds.get(name)) for name, text in named if text})


def _value(text: str, kind: str | None) -> Any:
    """The value that a cell was written from."""
    if kind == "array":
        return text.split("; ")
    if kind in {"string", "date"}:
        return text
    if text in {"true", "false"}:
        return text == "true"
    return json.loads(text) if _NUMBER.fullmatch(text) else text


async def _extracted(pmids: Sequence[str], pipeline: Pipeline) -> Features:
    articles, _ = await steps.whole_articles([f"PMID:{pmid}" for pmid in pmids], pipeline.questions)
    request = ExtractionRequest(schema=ExtractionSchema.read(SCHEMA), mode="best_effort", keeps_articles=False)
    found = await extract_features(articles, request, model=pipeline.model)
    return {row.item_id.removeprefix("PMID:"): row.extraction for row in found.extractions}


def _train(wanted: Mapping[str, str], known: Features) -> "TrainedModel":
    from biofact.literature.scoring import trained_model  # noqa: PLC0415  # numpy loads on first use

    pmids = [pmid for pmid in wanted if pmid in known]
    try:
        return trained_model.train([known[pmid] for pmid in pmids], [wanted[pmid] for pmid in pmids])
    except ModuleNotFoundError as error:
        hint = f"Install them: {install_command('ml')}"
        raise Unfinished("Training needs scikit-learn and skops.", hint=hint) from error
    except ValueError as error:
        raise WrongUsage(str(error), hint=_LABELS_HINT) from error


def _save_model(trained_model: "TrainedModel", path: Path) -> None:
    part = path.with_name(f".part-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        trained_model.save(part)
        part.replace(path)
    except OSError as error:
        reason = str(error.strerror).lower()
        raise Unfinished(f"{str(path)!r} cannot be written: {reason}.", hint="Set BIOFACT_CACHE_DIR.") from error


def _check_name(name: str) -> None:
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        hint = "Use up to 40 letters, digits, hyphens and underscores."
        raise WrongUsage(f"{name!r:.60} cannot name a model.", hint=hint) from error


def _read_table(file: Path, hint: str) -> list[dict[str, str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened_file:
            return list(csv.DictReader(opened_file))
    except OSError as error:
        raise WrongUsage(f"{str(file)!r} cannot be read: {str(error.strerror).lower()}.", hint=hint) from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise WrongUsage(f"{str(file)!r} is not a CSV table: {error}.", hint=hint) from error


def _write_training(
    name: str, path: Path, trained_model: "TrainedModel", without: Sequence[str], form: SummaryForm
) -> None:
    report = {
        "model": name,
        **asdict(trained_model.report),
        "features": list(trained_model.report.features),
        "file": str(path),
    }
    if form == "json":
        terminal.write_json(report)
    else:
        for fact, value in report.items():
            writers.write_line(f"{fact}: {', '.join(value) if isinstance(value, list) else value}")
    if without:
        named = ", ".join(without[:10])
        note([f"{len(without)} labelled articles have no features and were left out: {named}."])
