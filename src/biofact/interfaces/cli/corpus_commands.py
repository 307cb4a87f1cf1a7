"""The commands over a corpus: options become calls of the library, and their outcome a summary."""

import asyncio
import contextlib
import gzip
import re
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.corpus import planning, ranking
from biofact.corpus.dask_engine import DaskEngine
from biofact.corpus.folder import CorpusFolder, Status
from biofact.corpus.folder import status as folder_status
from biofact.corpus.model_questions import ModelEstimate, estimate
from biofact.corpus.model_reading import ModelProgress, ModelReadingEnd, check_reader, read_by_model
from biofact.corpus.planning import InputsRefused, write_array_script
from biofact.corpus.ranking_files import TABLE, RankingRefused
from biofact.corpus.records import CRITERIA, CorpusPlan
from biofact.corpus.records import Settings as CorpusSettings
from biofact.corpus.report_page import report as write_report
from biofact.corpus.runs import Engine, EngineUnavailable, ProcessEngine, RunEnd, RunProgress
from biofact.corpus.runs import retry as forget_failures
from biofact.corpus.runs import run as run_shards
from biofact.interfaces import terminal
from biofact.interfaces.cli import progress, writers
from biofact.interfaces.cli.literature_options import DEFAULT_AT_ONCE, CorpusRanking, PlanOptions
from biofact.interfaces.cli.options import SummaryForm
from biofact.interfaces.cli.review_commands import (
    UnfinishedCommand,
    as_typed,
    check_options,
    criteria_of,
    json_object,
    note,
    rank_request,
)
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.literature import files
from biofact.literature.endpoint import BASE_URL, ModelEndpoint, configured_endpoint
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.processes import available_cores
from biofact.literature.ranking.request import RankRequest
from biofact.literature.review.plan import RULES, SCHEMA
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus

_FILES = 2


def write_sample(folder: Path) -> list[Path]:
    """Write the input files into a folder, with the same bytes each time; returns their paths.

    Raises:
        WriteFailed: the system refuses a write.
    """
    database = PubMedDatabase(starter_corpus())
    pmids = sorted(database.all_uids(), key=int)
    files.make_folder(folder)
    paths = [folder / f"sandbox-n{number:04}.xml.gz" for number in range(1, _FILES + 1)]
    for number, path in enumerate(paths):
        content = b"".join(database.fetch(pmids[number::_FILES]))
        files.write(path, gzip.compress(content, mtime=0))
    return paths


def configured_model(at_once: int) -> ModelEndpoint:
    """The model of the settings.

    Raises:
        WrongUsage: no model is configured.
    """
    model = configured_endpoint(Settings(), at_once=at_once)
    if model is None:
        raise WrongUsage("No model is configured.", hint=f"Set {BASE_URL.name}, or plan without --model: rules read.")
    return model


def run_model(folder: Path, plan: CorpusPlan, at_once: int, budget_tokens: int | None) -> ModelReadingEnd:
    """Let the model read the articles that it has not read yet.

    Raises:
        WrongUsage: no model is configured.
        FolderRefused, WriteFailed: as in the library.
        KeyboardInterrupt: a signal ended it.
    """
    if at_once < 1 or (budget_tokens is not None and budget_tokens < 1):
        raise WrongUsage("--at-once and --budget-tokens are 1 or more.", hint="See biofact corpus run --help.")
    model = configured_model(at_once)
    check_reader(folder, plan, model)
    terminal.write_messages(map("note: {}".format, _cost_notes(estimate(folder), budget_tokens)))
    try:
        return asyncio.run(_read_articles(folder, model, at_once, budget_tokens))
    except asyncio.CancelledError as stopped:  # by SIGTERM; asyncio itself turns only SIGINT into KeyboardInterrupt
        raise KeyboardInterrupt from stopped


async def _read_articles(
    folder: Path, model: ModelEndpoint, at_once: int, budget_tokens: int | None
) -> ModelReadingEnd:
    """Read the articles; on SIGTERM open questions are finished, so that nothing paid for is lost."""
    task = asyncio.current_task()
    if task is not None and sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        with progress.show_count("articles") as show:

            def on_progress(now: ModelProgress) -> None:
                tokens = f"{now.tokens_paid + now.tokens:,} of some {now.tokens_expected:,} tokens"
                show(now.done, now.articles, tokens)

            return await read_by_model(
                folder, model, limit=at_once, budget_tokens=budget_tokens, on_progress=on_progress
            )
    finally:
        await model.aclose()


def _model_summary(end: ModelReadingEnd) -> dict[str, Any]:
    """The end of the reading as a row."""
    progress = end.progress
    return {
        "shards": progress.shards,
        "done": progress.shards_done,
        "failed": len(end.failed),
        "articles_read": progress.answered,
        "tokens": progress.tokens,
        "tokens_paid_before": progress.tokens_paid,
    }


def _cost_notes(cost: ModelEstimate, budget: int | None) -> Iterator[str]:
    basis = "by what was answered" if cost.is_measured else f"guessed from {cost.sample} questions"
    yield (
        f"{cost.to_ask:,} articles to ask about, some {cost.tokens:,} tokens"
        f" ({cost.tokens_an_article:,.0f} an article, {basis})."
    )
    if budget is not None and cost.tokens > budget:
        yield f"The budget of {budget:,} tokens will stop it before its end; the same command goes on."


_PART = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")
_MOST_NAMED = 5
_LOCAL = "local"
"""The word for workers of this machine, in place of a scheduler's address."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The workers of a run, and its share of the shards."""

    jobs: int | None
    dask: str | None
    part: str | None
    budget_tokens: int | None
    at_once: int


def plan(  # its options
    folder: str,
    inputs: Sequence[str],
    options: PlanOptions,
    jobs: int | None,
    form: SummaryForm,
    *,
    sandbox: SandboxOption,
) -> int:
    """Plan a run; returns the exit code."""
    with _refusals():
        settings = _settings(options)
        paths = [Path(path) for path in inputs]
        if sandbox:
            paths += write_sample(Path(folder).with_name(f"{Path(folder).name}-input"))
        with progress.show_steps() as on_progress:
            new_plan, faults = asyncio.run(
                planning.plan(
                    Path(folder),
                    paths,
                    settings,
                    jobs=_jobs(jobs),
                    shard_size=_at_least_one("--shard-size", options.shard_size),
                    parts=_at_least_one("--parts", options.parts),
                    skips_damaged=options.skip_damaged,
                    on_progress=on_progress,
                )
            )
        if new_plan.settings.reader == RULES:
            write_array_script(Path(folder), new_plan, command=(sys.executable, "-m", "biofact"))
    _write_summary(_plan_row(new_plan, _jobs(jobs)), form)
    note([*(f"Left out: {fault}" for fault in faults[:_MOST_NAMED]), _next_step(folder, new_plan)])
    return 0


def run(folder: str, options: RunOptions, form: SummaryForm) -> int:
    """Run the missing shards; returns the exit code."""
    with _refusals():
        try:
            end = _run(Path(folder), CorpusFolder(Path(folder)).plan(), options)
        except KeyboardInterrupt:
            hint = f"hint: What is done is kept; continue with: {_command(folder, options)}"
            terminal.write_messages(("error: The run was stopped.", hint))
            raise
    if isinstance(end, ModelReadingEnd):
        _write_summary(_model_summary(end), form)
        note([end.message] if end.message else [])
    else:
        _write_summary(_end_row(end), form)
    note(_failures(end.failed, folder))
    return 0 if end.is_complete else 1


def _run(folder: Path, plan: CorpusPlan, options: RunOptions) -> RunEnd | ModelReadingEnd:
    """Run the missing shards with the reader of the plan, rules or a model."""
    if plan.settings.reader != RULES:
        engine_options = [name for name, value in _engine_options(options) if value is not None]
        if engine_options:
            hint = "One process asks it, --at-once questions at a time."
            raise WrongUsage(f"{engine_options[0]} is not for a corpus that a model reads.", hint=hint)
        return run_model(folder, plan, options.at_once, options.budget_tokens)
    if options.budget_tokens is not None:
        raise WrongUsage("--budget-tokens is for a corpus that a model reads.", hint="Rules take no tokens.")
    part, engine = _part(options.part, plan), _engine(options)
    with progress.show_count("shards") as show:

        def on_progress(now: RunProgress) -> None:
            failures = f", {now.failures} failures" if now.failures else ""
            show(now.done, now.shards, f"{now.read:,} articles{failures}")

        return asyncio.run(run_shards(folder, engine, part=part, on_progress=on_progress))


def status(folder: str, form: SummaryForm) -> int:
    """Report the progress of a run; returns the exit code."""
    with _refusals():
        run_status = folder_status(Path(folder))
    _write_summary(_status_row(run_status), form)
    note([*(f"{count} times: {reason}" for reason, count in run_status.failing.most_common(_MOST_NAMED))])
    note(_failures(run_status.failed, folder))
    return 0


def rank(folder: str, top: int, options: CorpusRanking, form: SummaryForm, *, is_partial: bool) -> int:
    """Rank the articles that were read; returns the exit code."""
    with _refusals(), progress.show_steps() as on_progress:
        result = ranking.rank(Path(folder), _request(top, options), is_partial=is_partial, on_progress=on_progress)
    summary = {"articles": result.articles, "passed": result.passed, "ranked": result.rows}
    _write_summary({**summary, "best": str(Path(folder, TABLE))}, form)
    note(map(as_typed, result.messages))
    return 0


def report(folder: str, top: int, form: SummaryForm) -> int:
    """Write the page of a ranked run; returns the exit code."""
    with _refusals(), progress.show_steps() as on_progress:
        try:
            page = asyncio.run(write_report(Path(folder), listed=top, jobs=_jobs(None), on_progress=on_progress))
        except ValueError as error:
            raise WrongUsage(str(error), hint="Give --top 1 to 200.") from error
    _write_summary({"report": str(page)}, form)
    return 0


def retry(folder: str) -> int:
    """Let the next run try failed shards again; returns the exit code."""
    with _refusals():
        count = forget_failures(Path(folder))
    shards = "1 shard" if count == 1 else f"{count} shards"
    message = f"{shards} will be tried again by: biofact corpus run {shlex.quote(folder)}"
    writers.write_line(message if count else "No shard was given up.")
    return 0


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """Turn refusals of the library into messages with hints."""
    try:
        yield
    except (FolderRefused, InputsRefused, RankingRefused) as refusal:
        raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
    except (EngineUnavailable, WriteFailed) as failure:
        raise UnfinishedCommand(str(failure), hint=failure.hint) from failure


def _settings(options: PlanOptions) -> CorpusSettings:
    """The settings for reading and scoring the articles.

    Raises:
        WrongUsage: the options make no settings.
    """
    schema = json_object("--schema", options.schema)
    settings = check_options(
        lambda: CorpusSettings(
            criteria=criteria_of(options.criteria, schema, CRITERIA),
            score_function=options.score_function,
            instructions=options.instructions,
            reader=configured_model(1).name if options.model else RULES,
            extraction_schema=dict(SCHEMA) if schema is None else schema,
        ),
        "biofact corpus plan",
    )
    try:
        return settings.fixed()
    except ValueError as error:
        raise WrongUsage(str(error), hint="See biofact corpus plan --help.") from error


def _request(top: int, options: CorpusRanking) -> RankRequest:
    """The request for a ranking of the corpus.

    Raises:
        WrongUsage: the options make no request.
    """
    return check_options(
        lambda: rank_request({**asdict(options), "top": top}), "biofact corpus rank", {"max_results": "--top"}
    )


def _engine(options: RunOptions) -> Engine:
    if options.dask is None:
        return ProcessEngine(_jobs(options.jobs))
    return DaskEngine(None if options.dask == _LOCAL else options.dask, workers=_jobs(options.jobs))


def _jobs(count: int | None) -> int:
    return available_cores() if count is None else _at_least_one("--jobs", count)


def _at_least_one(option: str, count: int) -> int:
    if count < 1:
        raise WrongUsage(f"{option} is {count}.", hint="Give 1 or more.")
    return count


def _part(word: str | None, plan: CorpusPlan) -> int | None:
    """The number of the part in ``I/N``; None without the option.

    Raises:
        WrongUsage: the word has another form, or the plan another number of parts.
    """
    if word is None:
        return None
    match = _PART.fullmatch(word)
    if match is None or int(match[1]) > int(match[2]):
        raise WrongUsage(f"--part is {word!r:.40}.", hint="Give I/N, such as 1/200: I from 1 to N.")
    if int(match[2]) != plan.parts:
        hint = f"Give --part {match[1]}/{plan.parts}: parts of another number would leave shards out."
        raise WrongUsage(f"The plan has {plan.parts} parts, not {match[2]}.", hint=hint)
    return int(match[1])


def _command(folder: str, options: RunOptions) -> str:
    at_once = None if options.at_once == DEFAULT_AT_ONCE else options.at_once
    values = (*_engine_options(options), ("--budget-tokens", options.budget_tokens), ("--at-once", at_once))
    words = ["biofact", "corpus", "run", folder]
    for name, value in values:
        words += [] if value is None else [name, str(value)]
    return shlex.join(words)


def _engine_options(options: RunOptions) -> Sequence[tuple[str, object]]:
    """The options of the workers and their share, by name."""
    return ("--jobs", options.jobs), ("--dask", options.dask), ("--part", options.part)


def _plan_row(plan: CorpusPlan, jobs: int) -> dict[str, Any]:
    """A plan as a row."""
    row: dict[str, Any] = {
        "files": len(plan.files),
        "articles": plan.articles,
        "superseded": sum(file.superseded for file in plan.files),
        "shards": len(plan.shards),
        "parts": plan.parts,
        "disk_mb": round(plan.articles * _BYTES_A_ROW / 1e6, 1),
    }
    if plan.settings.reader == RULES:
        row |= {"jobs": jobs, "expected_seconds": round(plan.articles * plan.milliseconds / 1000 / jobs, 1)}
    return row


_BYTES_A_ROW = 200  # compressed, with its columns: 172 on the benchmark's abstracts, 216 on the sandbox's


def _end_row(end: RunEnd) -> dict[str, Any]:
    progress = end.progress
    return {
        "shards": progress.shards,
        "done": progress.done,
        "failed": len(end.failed),
        "articles_read": progress.read,
        "unreadable": progress.errors,
    }


def _status_row(run_status: Status) -> dict[str, Any]:
    row: dict[str, Any] = {
        "shards": run_status.shards,
        "done": run_status.done,
        "failed": len(run_status.failed),
        "articles": run_status.articles,
        "read": run_status.read,
        "unreadable": run_status.errors,
    }
    if run_status.rate is not None and run_status.remaining_seconds is not None:
        row |= {"per_second": round(run_status.rate, 1), "remaining_seconds": round(run_status.remaining_seconds, 1)}
    return row


def _failures(failed: dict[int, str], folder: str) -> list[str]:
    lines = [f"Shard {number} has failed: {reason}" for number, reason in list(failed.items())[:_MOST_NAMED]]
    if len(failed) > _MOST_NAMED:
        lines.append(f"{len(failed) - _MOST_NAMED} more have failed.")
    if failed:
        lines.append(f"Once the cause is mended: biofact corpus retry {shlex.quote(folder)}")
    return lines


def _next_step(folder: str, plan: CorpusPlan) -> str:
    name = shlex.quote(folder)
    array = f", or as an array of {plan.parts} jobs: sbatch {shlex.quote(str(Path(folder, 'array.sbatch')))}"
    is_array = plan.parts > 1 and plan.settings.reader == RULES
    return f"Next: biofact corpus run {name}{array if is_array else ''}"


def _write_summary(row: dict[str, Any], form: SummaryForm) -> None:
    """Write a summary; JSON has seconds, a table for people minutes and hours."""
    if form == "json":
        terminal.write_json(row)
    else:
        writers.write_rows([{name: _readable(name, value) for name, value in row.items()}])


def _readable(name: str, value: Any) -> Any:
    if "seconds" not in name or value < _MINUTE:
        return value
    return f"{value / _MINUTE:.0f} min" if value < 2 * _HOUR else f"{value / _HOUR:.1f} h"


_MINUTE, _HOUR = 60, 3600
