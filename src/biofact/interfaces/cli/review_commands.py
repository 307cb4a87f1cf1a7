"""``biofact literature review`` and ``train``: options become a plan or a model, and the outcome a summary."""

import asyncio
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
from biofact.core.folder_files import FolderFile
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source, terminal
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.inputs import NAME_HEADER
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
from biofact.tables.input_file import Choice, read_file
from biofact.tables.spreadsheet import text

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel


T = TypeVar("T")

_SCHEMA_FAULTS = {"extra_forbidden": "no part of it", "missing": "missing"}
_OPTIONS = {"extraction_schema": "--schema", "min_score_threshold": "--min-score"} | dict.fromkeys(
    ("criteria", "weights", "scoring_functions"), "--criteria"
)
"""Options of fields with another name."""


def options_of(kind: type[BaseModel], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with a value that are fields of a request."""
    return {name: options[name] for name in kind.model_fields if options.get(name) is not None}


def rank_request(options: Mapping[str, Any]) -> RankRequest:
    """The request for a ranking with these options."""
    return RankRequest(
        max_results=options["top"],
        min_score_threshold=options["min_score"],
        ranking_criteria=RankingCriteria(**options_of(RankingCriteria, options)),
        filters=ArticleFilters(**options_of(ArticleFilters, options)),
    )


def check_options(make: Callable[[], T], command: str, options: Mapping[str, str] = MappingProxyType({})) -> T:
    """The request that ``make`` builds from a command's options; ``options`` are their names by field.

    Raises:
        WrongUsage: the library refuses an option, or a combination of options.
    """
    try:
        return make()
    except ValidationError as error:
        # A misspelled name explains the other errors.
        first = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
        *_, name = [part for part in first["loc"] if isinstance(part, str)] or [""]
        option = (_OPTIONS | dict(options)).get(name, f"--{name.replace('_', '-')}")
        problem = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        value = "" if isinstance(first["input"], dict | list) else f" (given {first['input']!r:.60})"
        if first["type"] in {"extra_forbidden", "missing"}:
            option, problem, value = "--criteria", f"{name!r} is {_SCHEMA_FAULTS[first['type']]}", ""
        message = f"{option}: {problem}{value}" if name else problem
        raise WrongUsage(f"{message}.", hint=f"See {command} --help.") from error


_JSON_HINT = "Write a JSON object, or @FILE for one that holds it."


def json_object(option: str, word: str | None) -> dict[str, Any] | None:
    """The JSON object of an option, written out or in a file; None without the option.

    Raises:
        WrongUsage: the value is no object, or the file cannot be read.
    """
    if word is None:
        return None
    try:
        text = Path(word[1:]).read_text("utf-8-sig") if word.startswith("@") else word
        value = json.loads(text)
    except OSError as error:
        raise WrongUsage(f"{word[1:]!r} cannot be read: {str(error.strerror).lower()}.", hint=_JSON_HINT) from error
    except ValueError as error:
        raise WrongUsage(f"{option} is not JSON: {error}.", hint=_JSON_HINT) from error
    if not isinstance(value, dict):
        raise WrongUsage(f"{option} is not an object.", hint=_JSON_HINT)
    return value


def criteria_of(word: str | None, schema: Mapping[str, Any] | None, default: ScoringCriteria) -> ScoringCriteria:
    """The criteria of ``--criteria``; else the default ones for features in the schema; else equal weights for all.

    Raises:
        WrongUsage: ``--criteria`` is no JSON object.
        ValueError: the object is no criteria.
    """
    criteria = json_object("--criteria", word)
    if criteria is not None:
        return ScoringCriteria.model_validate(criteria)
    if schema is None:
        return default
    names = schema.get("properties", schema) if isinstance(schema.get("properties"), Mapping) else schema
    weights = {name: weight for name, weight in default.weights.items() if name in names}
    functions = {name: default.scoring_functions[name] for name in weights}
    if weights:
        return ScoringCriteria(weights=weights, scoring_functions=functions, normalization_method="none")
    return ScoringCriteria(weights=dict.fromkeys(names, 1.0))


_TOP_ROWS = 3
_LONGEST_NAME = 60


class UnfinishedCommand(WrongUsage):
    """A command could not be completed."""

    exit_code = 1


async def run_review(options: ReviewOptions, form: SummaryForm) -> int:
    """Make the review, or go on with it; returns the exit code.

    Raises:
        WrongUsage: the options make no plan, or the folder cannot be used.
        UnfinishedCommand: the run stopped; the hint says how it goes on.
    """
    async with open_clients(sandbox=options.sandbox) as clients:
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            result = await _run_review(options, pipeline)
        except BiofactError as error:
            raise UnfinishedCommand(as_typed(error.message), hint=as_typed(error.hint)) from error
        except FolderRefused as refusal:
            raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
        except WriteFailed as refusal:
            raise UnfinishedCommand(str(refusal), hint=refusal.hint) from refusal
        finally:
            await pipeline.aclose()
    _write_review(result, form)
    return 0


async def _run_review(options: ReviewOptions, pipeline: Pipeline) -> ReviewResult:
    folder = Path(options.folder or folder_name(options.goal))
    models = TrainedModels(Settings())  # the user's own, in the sandbox too
    is_learned = options.extraction.score_function == "ml_model"
    trained_model = models.load(options.extraction.model) if is_learned else None
    model = None if options.extraction.rules else pipeline.model
    plan = review_plan(options, model, _model_version(models, options.extraction.model) if is_learned else "")
    command = plan.command(options.sandbox if isinstance(options.sandbox, Path) else None)
    advice = f"What is done is kept; continue with: {command} --output {shlex.quote(str(folder))}"
    try:
        with progress.show_steps() as on_progress:
            return await review(
                plan,
                folder,
                pipeline.transport,
                version=__version__,
                model=model,
                trained_model=trained_model,
                fresh=options.is_fresh,
                on_progress=on_progress,
            )
    except (RateLimited, UpstreamError) as error:
        raise UnfinishedCommand(as_typed(error.message), hint=f"{as_typed(error.hint)} {advice}") from error
    except asyncio.CancelledError:
        terminal.write_messages(("error: The review was stopped.", f"hint: {advice}"))
        raise


def review_plan(options: ReviewOptions, model: LanguageModel | None, trained: str = "") -> ReviewPlan:
    """The plan of a review with these options.

    Raises:
        WrongUsage: the options make no plan.
    """
    search = asdict(options.search)
    max_results = search.pop("max_results")
    schema = json_object("--schema", options.extraction.schema)
    return check_options(
        lambda: ReviewPlan(
            request=QueryRequest(
                research_goal=options.goal, **{name: value for name, value in search.items() if value is not None}
            ),
            max_results=max_results,
            extraction_schema=dict(SCHEMA) if schema is None else schema,
            instructions=options.extraction.instructions,
            reader=model.name if model else RULES,
            criteria=criteria_of(options.extraction.criteria, schema, CRITERIA),
            score_function=options.extraction.score_function,
            trained=trained,
            ranking=rank_request(asdict(options.ranking)),
            is_sandbox=bool(options.sandbox),
        ),
        "biofact literature review",
        {"research_goal": "GOAL"},
    )


def folder_name(goal: str) -> str:
    """The default folder of a review; the same goal leads to the same folder."""
    words = "-".join(re.findall(r"[a-z0-9]+", goal.lower()))[:_LONGEST_NAME].strip("-")
    return f"review-{words or hashlib.blake2b(goal.encode(), digest_size=6).hexdigest()}"


def _model_version(models: TrainedModels, name: str) -> str:
    """The name of a trained model with a hash of its file: a model trained again is another one."""
    return f"{name} {hashlib.sha256(models.path(name).read_bytes()).hexdigest()[:16]}"


def as_typed(text: str) -> str:
    """A message of the library in the words of the command line."""
    return TypedSpelling(every_source, command).text(text)


def _write_review(result: ReviewResult, form: SummaryForm) -> None:
    rows = [_review_row(row) for row in result.top[:_TOP_ROWS]]
    notes = [notice.message for notice in result.notices]
    if form == "json":
        summary = {"report": str(result.report), "folder": str(result.folder), "counts": result.counts, "top": rows}
        terminal.write_json(
            summary | ({"notices": [notice.model_dump() for notice in result.notices]} if notes else {})
        )
    else:
        if rows:
            writers.write_rows(rows)
        ranked, articles = result.counts["ranked"], result.counts["articles"]
        plural = "" if articles == 1 else "s"
        writers.write_line(f"{articles} article{plural} read, {ranked} ranked. Report: {result.report}")
        note(notes)
    if result.damaged:
        count = len(result.damaged)
        files = "1 file was" if count == 1 else f"{count} files were"
        note([f"{files} damaged in {result.folder / '.work'}; what was lost was asked for again."])
    if result.was_finished:
        note(["This review is finished already; its files stay as they are. --fresh starts over."])


def note(messages: Iterable[str]) -> None:
    """Write notes on stderr."""
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
"""Features by PMID."""

_LABELS_HINT = "Give --labels a CSV file with the columns pmid and label; labels are include or exclude."
_FEATURES_HINT = "Give --features the folder of a review, or the features.csv in one."
_FEATURE = "feature:"
_PMID = re.compile(r"(?:PMID:)?\s*([1-9][0-9]{0,8})", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?", re.ASCII)
_NAME = TypeAdapter(ModelName)


async def run_training(
    name: str, labels: Path, features: str | None, form: SummaryForm, *, sandbox: SandboxOption
) -> int:
    """Train a model and save it; returns the exit code.

    Raises:
        WrongUsage: the name, the labels or the features cannot be used.
        UnfinishedCommand: the articles cannot be read, or the extra is not installed.
    """
    _check_name(name)
    labels_by_pmid = read_labels(labels)
    async with open_clients(sandbox=sandbox) as clients, progress.show_activity("training"):
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            features_by_pmid = (
                await _extract(list(labels_by_pmid), pipeline) if features is None else read_features(Path(features))
            )
            path = TrainedModels(Settings()).path(name)  # the user's own, in the sandbox too
            trained_model = _train(labels_by_pmid, features_by_pmid)
        except BiofactError as error:
            raise UnfinishedCommand(error.message, hint=error.hint) from error
        finally:
            await pipeline.aclose()
    _save_model(trained_model, path)
    _write_training(name, path, trained_model, [pmid for pmid in labels_by_pmid if pmid not in features_by_pmid], form)
    return 0


def read_labels(file: Path) -> dict[str, str]:
    """Labels by PMID.

    Raises:
        WrongUsage: the file has another form, or two labels for an article.
    """
    rows = _read_table(file, _LABELS_HINT)
    names = {(name or "").strip().lower(): name for name in (rows[0] if rows else {})}
    pmid_column = next((names[name] for name in ("pmid", "item_id", "id") if name in names), None)
    if pmid_column is None or "label" not in names:
        raise WrongUsage(f"{str(file)!r} has no columns pmid and label.", hint=_LABELS_HINT)
    labels: dict[str, str] = {}
    for line, row in enumerate(rows, start=2):
        pmid = _PMID.fullmatch((row[pmid_column] or "").strip())
        label = (row[names["label"]] or "").strip().lower()
        if not label:
            continue  # not judged yet
        if pmid is None:
            raise WrongUsage(f"Line {line} of {str(file)!r} has no PMID: {row[pmid_column]!r:.40}.", hint=_LABELS_HINT)
        if labels.setdefault(pmid[1], label) != label:
            raise WrongUsage(f"PMID {pmid[1]} has two labels in {str(file)!r}.", hint=_LABELS_HINT)
    return labels


def read_features(path: Path) -> dict[str, dict[str, Any]]:
    """Features by PMID, from the table of a review.

    Raises:
        WrongUsage: the file is no such table.
    """
    file = path / "features.csv" if path.is_dir() else path
    rows = _read_table(file, _FEATURES_HINT)
    if rows and "item_id" not in rows[0]:
        raise WrongUsage(f"{str(file)!r} has no column item_id.", hint=_FEATURES_HINT)
    schema = _schema(file.parent)
    return {str(row["item_id"]).removeprefix("PMID:"): _features(row, schema) for row in rows}


def _schema(folder: Path) -> ExtractionSchema | None:
    """The schema of the extraction, where the folder has a manifest."""
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        return ExtractionSchema.read(manifest["plan"]["extraction_schema"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _features(row: Mapping[str, str], schema: ExtractionSchema | None) -> dict[str, Any]:
    kinds = {leaf.path: leaf.kind for leaf in schema.leaves} if schema else {}
    texts = ((name.removeprefix(_FEATURE), text) for name, text in row.items() if str(name).startswith(_FEATURE))
    return nest_values({name: _value(text, kinds.get(name)) for name, text in texts if text})


def _value(text: str, kind: str | None) -> Any:
    """The value of a cell."""
    if kind == "array":
        return text.split("; ")
    if kind in {"string", "date"}:
        return text
    if text in {"true", "false"}:
        return text == "true"
    return json.loads(text) if _NUMBER.fullmatch(text) else text


async def _extract(pmids: Sequence[str], pipeline: Pipeline) -> Features:
    articles, _ = await steps.whole_articles([f"PMID:{pmid}" for pmid in pmids], pipeline.questions)
    request = ExtractionRequest(schema=ExtractionSchema.read(SCHEMA), mode="best_effort", keeps_articles=False)
    result = await extract_features(articles, request, model=pipeline.model)
    return {row.item_id.removeprefix("PMID:"): row.extraction for row in result.extractions}


def _train(labels: Mapping[str, str], features: Features) -> "TrainedModel":
    from biofact.literature.scoring import trained_model  # noqa: PLC0415  # numpy loads on first use

    pmids = [pmid for pmid in labels if pmid in features]
    try:
        return trained_model.train([features[pmid] for pmid in pmids], [labels[pmid] for pmid in pmids])
    except ModuleNotFoundError as error:
        hint = f"Install them: {install_command('ml')}"
        raise UnfinishedCommand("Training needs scikit-learn and skops.", hint=hint) from error
    except ValueError as error:
        raise WrongUsage(str(error), hint=_LABELS_HINT) from error


def _save_model(trained_model: "TrainedModel", path: Path) -> None:
    file = FolderFile(path.parent.parent) / f"{path.parent.name}/{path.name}"
    try:
        file.parent.make_folder()
        file.replace(trained_model.content())
    except OSError as error:
        reason = str(error.strerror).lower()
        raise UnfinishedCommand(f"{str(path)!r} cannot be written: {reason}.", hint="Set BIOFACT_CACHE_DIR.") from error


def _check_name(name: str) -> None:
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        hint = "Use up to 40 letters, digits, hyphens and underscores."
        raise WrongUsage(f"{name!r:.60} cannot name a model.", hint=hint) from error


def _read_table(file: Path, hint: str) -> list[dict[str, str]]:
    """The rows of a table that has a header, whatever wrote it."""
    try:
        stream = file.open("rb")
    except OSError as error:
        raise WrongUsage(f"{str(file)!r} cannot be read: {str(error.strerror).lower()}.", hint=hint) from error
    with stream:
        table = read_file(stream, str(file), Choice(NAME_HEADER, column="1"))
        rows = [row for row in table.rows() if any(row.cells)]
    if problem := next((row.problem for row in rows if row.problem), None):
        raise WrongUsage(f"{str(file)!r} is no table. {problem}", hint=hint)
    return [dict(zip(table.header, map(text, row.cells), strict=True)) for row in rows]


def _write_training(
    name: str, path: Path, trained_model: "TrainedModel", missing: Sequence[str], form: SummaryForm
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
    if missing:
        pmids = ", ".join(missing[:10])
        note([f"{len(missing)} labelled articles have no features and were left out: {pmids}."])
