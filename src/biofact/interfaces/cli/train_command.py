"""The command that trains a model: labels and features in, a model under a name out, and how good it is."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from biofact.core.errors import BiofactError
from biofact.core.extras import install_command
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.cli import output, progress
from biofact.interfaces.cli.forms import SummaryForm
from biofact.interfaces.cli.review_command import Unfinished, note
from biofact.interfaces.clients import opened
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.literature import step_input
from biofact.literature.extraction.extractor import ExtractionRequest, extract_features
from biofact.literature.extraction.schema import ExtractionSchema, nest_values
from biofact.literature.pipeline import Pipeline
from biofact.literature.review.defaults import SCHEMA
from biofact.literature.trained_models import ModelName, TrainedModels

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

Features = Mapping[str, Mapping[str, Any]]
"""By PMID."""

_LABELS_HINT = "Give --labels a CSV file with the columns pmid and label; labels are include or exclude."
_FEATURES_HINT = "Give --features the folder of a review, or the features.csv in one."
_FEATURE = "feature:"
_PMID = re.compile(r"(?:PMID:)?\s*([1-9][0-9]{0,8})", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?", re.ASCII)
_GUARD = re.compile("^'(?=[=+@-])")  # what keeps spreadsheets from reading a formula
_NAME = TypeAdapter(ModelName)


async def run(name: str, labels: Path, features: str | None, form: SummaryForm, *, sandbox: SandboxOption) -> int:
    """Train a model and keep it; returns the exit code.

    Raises:
        WrongUsage: the name, the labels or the features cannot be used.
        Unfinished: the articles cannot be read, or the extra is not installed.
    """
    _check(name)
    wanted = read_labels(labels)
    async with opened(sandbox=sandbox) as clients, progress.shown("training"):
        pipeline: Pipeline = clients.of(Pipeline)
        try:
            known = await _extracted(list(wanted), pipeline) if features is None else read_features(Path(features))
            path = TrainedModels(Settings()).path(name)  # the user's own, in the sandbox too
            trained_model = _learned(wanted, known)
        except BiofactError as error:
            raise Unfinished(error.message, hint=error.hint) from error
        finally:
            await pipeline.aclose()
    _keep(trained_model, path)
    _say(name, path, trained_model, [pmid for pmid in wanted if pmid not in known], form)
    return 0


def read_labels(file: Path) -> dict[str, str]:
    """Labels by PMID.

    Raises:
        WrongUsage: the file is not of that form, or labels an article twice and otherwise.
    """
    rows = _rows(file, _LABELS_HINT)
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
    rows = _rows(file, _FEATURES_HINT)
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
    articles, _ = await step_input.whole_articles([f"PMID:{pmid}" for pmid in pmids], pipeline.questions)
    request = ExtractionRequest(schema=ExtractionSchema.read(SCHEMA), mode="best_effort", keeps_articles=False)
    found = await extract_features(articles, request, model=pipeline.model)
    return {row.item_id.removeprefix("PMID:"): row.extraction for row in found.extractions}


def _learned(wanted: Mapping[str, str], known: Features) -> "TrainedModel":
    from biofact.literature.scoring import trained_model  # noqa: PLC0415  # numpy loads on first use

    pmids = [pmid for pmid in wanted if pmid in known]
    try:
        return trained_model.train([known[pmid] for pmid in pmids], [wanted[pmid] for pmid in pmids])
    except ModuleNotFoundError as error:
        hint = f"Install them: {install_command('ml')}"
        raise Unfinished("Training needs scikit-learn and skops.", hint=hint) from error
    except ValueError as error:
        raise WrongUsage(str(error), hint=_LABELS_HINT) from error


def _keep(trained_model: "TrainedModel", path: Path) -> None:
    part = path.with_name(f".part-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        trained_model.save(part)
        part.replace(path)
    except OSError as error:
        reason = str(error.strerror).lower()
        raise Unfinished(f"{str(path)!r} cannot be written: {reason}.", hint="Set BIOFACT_CACHE_DIR.") from error


def _check(name: str) -> None:
    try:
        _NAME.validate_python(name)
    except ValidationError as error:
        hint = "Use up to 40 letters, digits, hyphens and underscores."
        raise WrongUsage(f"{name!r:.60} cannot name a model.", hint=hint) from error


def _rows(file: Path, hint: str) -> list[dict[str, str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened_file:
            return list(csv.DictReader(opened_file))
    except OSError as error:
        raise WrongUsage(f"{str(file)!r} cannot be read: {str(error.strerror).lower()}.", hint=hint) from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise WrongUsage(f"{str(file)!r} is not a CSV table: {error}.", hint=hint) from error


def _say(name: str, path: Path, trained_model: "TrainedModel", without: Sequence[str], form: SummaryForm) -> None:
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
            output.write_line(f"{fact}: {', '.join(value) if isinstance(value, list) else value}")
    if without:
        named = ", ".join(without[:10])
        note([f"{len(without)} labelled articles have no features and were left out: {named}."])
