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
from biofact.interfaces.cli.literature_options import USUAL_AT_ONCE, CorpusRanking, PlanOptions
from biofact.interfaces.cli.options import SummaryForm
from biofact.interfaces.cli.review_commands import (
    Unfinished,
    as_typed,
    check_options,
    criteria_of,
    json_object,
    note,
    options_of,
)
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.literature import files
from biofact.literature.endpoint import BASE_URL, ModelEndpoint, configured_endpoint
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.processes import available_cores
from biofact.literature.ranking.request import ArticleFilters, RankingCriteria, RankRequest
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
    """The model that the settings name.

    Raises:
        WrongUsage: they name none.
    """
    found = configured_endpoint(Settings(), at_once=at_once)
    if found is None:
        raise WrongUsage("No model is configured.", hint=f"Set {BASE_URL.name}, or plan without --model: rules read.")
    return found


def run_model(folder: Path, plan: CorpusPlan, at_once: int, budget_tokens: int | None) -> ModelReadingEnd:
    """Have the model read what it has not read yet.

    Raises:
        WrongUsage: no model is configured.
        FolderRefused, WriteFailed: as the library says.
        KeyboardInterrupt: it was told to end.
    """
    if at_once < 1 or (budget_tokens is not None and budget_tokens < 1):
        raise WrongUsage("--at-once and --budget-tokens are 1 or more.", hint="See biofact corpus run --help.")
    model = configured_model(at_once)
    check_reader(folder, plan, model)
    terminal.write_messages(map("note: {}".format, _costs(estimate(folder), budget_tokens)))
    try:
        return asyncio.run(_read_articles(folder, model, at_once, budget_tokens))
    except asyncio.CancelledError as stopped:  # by SIGTERM: only an interrupt is made that by asyncio itself
        raise KeyboardInterrupt from stopped


async def _read_articles(
    folder: Path, model: ModelEndpoint, at_once: int, budget_tokens: int | None
) -> ModelReadingEnd:
    """What is under way when we are told to end is finished, so that nothing paid for is lost."""
    task = asyncio.current_task()
    if task is not None and sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        with progress.show_count("articles") as show:
            return await read_by_model(
                folder,
                model,
                limit=at_once,
                budget_tokens=budget_tokens,
                on_progress=lambda now: show(now.done, now.articles, _token_progress(now)),
            )
    finally:
        await model.aclose()


def _model_summary(end: ModelReadingEnd) -> dict[str, Any]:
    """How the reading ended, in a row."""
    progress = end.progress
    return {
        "shards": progress.shards,
        "done": progress.shards_done,
        "failed": len(end.failed),
        "articles_read": progress.answered,
        "tokens": progress.tokens,
        "tokens_paid_before": progress.tokens_paid,
    }


def _costs(found: ModelEstimate, budget: int | None) -> Iterator[str]:
    basis = "by what was answered" if found.is_measured else f"guessed from {found.sample} questions"
    yield (
        f"{found.to_ask:,} articles to ask about, some {found.tokens:,} tokens"
        f" ({found.tokens_an_article:,.0f} an article, {basis})."
    )
    if budget is not None and found.tokens > budget:
        yield f"The budget of {budget:,} tokens will stop it before its end; the same command goes on."


def _token_progress(now: ModelProgress) -> str:
    return f"{now.tokens_paid + now.tokens:,} of some {now.tokens_expected:,} tokens"


_PART = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")
_MOST_NAMED = 5
_LOCAL = "local"
"""In place of the address of a scheduler: workers of this machine."""


@dataclass(frozen=True, slots=True)
class How:
    """Who does the shards, and which."""

    jobs: int | None
    dask: str | None
    part: str | None
    budget_tokens: int | None
    at_once: int


def plan(  # its options
    folder: str,
    given: Sequence[str],
    options: PlanOptions,
    jobs: int | None,
    form: SummaryForm,
    *,
    sandbox: SandboxOption,
) -> int:
    """Plan a run; returns the exit code."""
    with _refusals():
        settings = _settings(options)
        paths = [Path(path) for path in given]
        if sandbox:
            paths += write_sample(Path(folder).with_name(f"{Path(folder).name}-input"))
        with progress.show_steps() as on_progress:
            made, faults = asyncio.run(
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
        if made.settings.reader == RULES:
            write_array_script(Path(folder), made, command=(sys.executable, "-m", "biofact"))
    _say(_plan_row(made, _jobs(jobs)), form)
    note([*(f"Left out: {fault}" for fault in faults[:_MOST_NAMED]), _next(folder, made)])
    return 0


def run(folder: str, how: How, form: SummaryForm) -> int:
    """Do what is missing; returns the exit code."""
    with _refusals():
        made = CorpusFolder(Path(folder)).plan()
        try:
            end = _run(Path(folder), made, how)
        except KeyboardInterrupt:
            going_on = f"hint: What is done is kept; continue with: {_command(folder, how)}"
            terminal.write_messages(("error: The run was stopped.", going_on))
            raise
    if isinstance(end, ModelReadingEnd):
        _say(_model_summary(end), form)
        note([end.message] if end.message else [])
    else:
        _say(_ended(end), form)
    note(_failures(end.failed, folder))
    return 0 if end.is_complete else 1


def _run(folder: Path, made: CorpusPlan, how: How) -> RunEnd | ModelReadingEnd:
    """By the reader that was planned."""
    if made.settings.reader != RULES:
        given = [name for name, value in _engine_options(how) if value is not None]
        if given:
            hint = "One process asks it, --at-once questions at a time."
            raise WrongUsage(f"{given[0]} is not for a corpus that a model reads.", hint=hint)
        return run_model(folder, made, how.at_once, how.budget_tokens)
    if how.budget_tokens is not None:
        raise WrongUsage("--budget-tokens is for a corpus that a model reads.", hint="Rules take no tokens.")
    part, engine = _part(how.part, made), _engine(how)
    with progress.show_count("shards") as show:

        def on_progress(now: RunProgress) -> None:
            failures = f", {now.failures} failures" if now.failures else ""
            show(now.done, now.shards, f"{now.read:,} articles{failures}")

        return asyncio.run(run_shards(folder, engine, part=part, on_progress=on_progress))


def status(folder: str, form: SummaryForm) -> int:
    """Say how far a run is; returns the exit code."""
    with _refusals():
        found = folder_status(Path(folder))
    _say(_standing(found), form)
    note([*(f"{count} times: {reason}" for reason, count in found.failing.most_common(_MOST_NAMED))])
    note(_failures(found.failed, folder))
    return 0


def rank(folder: str, top: int, options: CorpusRanking, form: SummaryForm, *, is_partial: bool) -> int:
    """Rank what was read; returns the exit code."""
    with _refusals(), progress.show_steps() as on_progress:
        found = ranking.rank(Path(folder), _request(top, options), is_partial=is_partial, on_progress=on_progress)
    summary = {"articles": found.articles, "passed": found.passed, "ranked": found.rows}
    _say({**summary, "best": str(Path(folder, TABLE))}, form)
    note(map(as_typed, found.messages))
    return 0


def report(folder: str, top: int, form: SummaryForm) -> int:
    """Write the page of a ranked run; returns the exit code."""
    with _refusals(), progress.show_steps() as on_progress:
        try:
            page = asyncio.run(write_report(Path(folder), listed=top, jobs=_jobs(None), on_progress=on_progress))
        except ValueError as error:
            raise WrongUsage(str(error), hint="Give --top 1 to 200.") from error
    _say({"report": str(page)}, form)
    return 0


def retry(folder: str) -> int:
    """Have failed shards tried again; returns the exit code."""
    with _refusals():
        count = forget_failures(Path(folder))
    shards = "1 shard" if count == 1 else f"{count} shards"
    again = f"{shards} will be tried again by: biofact corpus run {shlex.quote(folder)}"
    writers.write_line(again if count else "No shard was given up.")
    return 0


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """Whatever the library refuses becomes a message with a hint."""
    try:
        yield
    except (FolderRefused, InputsRefused, RankingRefused) as refusal:
        raise WrongUsage(str(refusal), hint=refusal.hint) from refusal
    except (EngineUnavailable, WriteFailed) as failure:
        raise Unfinished(str(failure), hint=failure.hint) from failure


def _settings(options: PlanOptions) -> CorpusSettings:
    """How articles are to be read and scored.

    Raises:
        WrongUsage: the words make no settings.
    """
    schema = json_object("--schema", options.schema)
    made = check_options(
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
        return made.fixed()
    except ValueError as error:
        raise WrongUsage(str(error), hint="See biofact corpus plan --help.") from error


def _request(top: int, options: CorpusRanking) -> RankRequest:
    """Which articles stay, and what lifts them.

    Raises:
        WrongUsage: the words make no request.
    """
    given = asdict(options)
    return check_options(
        lambda: RankRequest(
            max_results=top,
            min_score_threshold=options.min_score,
            ranking_criteria=RankingCriteria(**options_of(RankingCriteria, given)),
            filters=ArticleFilters(**options_of(ArticleFilters, given)),
        ),
        "biofact corpus rank",
        {"max_results": "--top"},
    )


def _engine(how: How) -> Engine:
    if how.dask is None:
        return ProcessEngine(_jobs(how.jobs))
    return DaskEngine(None if how.dask == _LOCAL else how.dask, workers=_jobs(how.jobs))


def _jobs(given: int | None) -> int:
    return available_cores() if given is None else _at_least_one("--jobs", given)


def _at_least_one(option: str, given: int) -> int:
    if given < 1:
        raise WrongUsage(f"{option} is {given}.", hint="Give 1 or more.")
    return given


def _part(given: str | None, plan: CorpusPlan) -> int | None:
    """The number of a part.

    Raises:
        WrongUsage: it is none, or one of another number of parts than were planned.
    """
    if given is None:
        return None
    found = _PART.fullmatch(given)
    if found is None or int(found[1]) > int(found[2]):
        raise WrongUsage(f"--part is {given!r:.40}.", hint="Give I/N, such as 1/200: I from 1 to N.")
    if int(found[2]) != plan.parts:
        hint = f"Give --part {found[1]}/{plan.parts}: parts of another number would leave shards out."
        raise WrongUsage(f"The plan has {plan.parts} parts, not {found[2]}.", hint=hint)
    return int(found[1])


def _command(folder: str, how: How) -> str:
    at_once = None if how.at_once == USUAL_AT_ONCE else how.at_once
    given = (*_engine_options(how), ("--budget-tokens", how.budget_tokens), ("--at-once", at_once))
    words = ["biofact", "corpus", "run", folder]
    for name, value in given:
        words += [] if value is None else [name, str(value)]
    return shlex.join(words)


def _engine_options(how: How) -> Sequence[tuple[str, object]]:
    """By name what was said of who does the shards, and which."""
    return ("--jobs", how.jobs), ("--dask", how.dask), ("--part", how.part)


def _plan_row(made: CorpusPlan, jobs: int) -> dict[str, Any]:
    """A plan in a row."""
    row: dict[str, Any] = {
        "files": len(made.files),
        "articles": made.articles,
        "superseded": sum(file.superseded for file in made.files),
        "shards": len(made.shards),
        "parts": made.parts,
        "disk_mb": round(made.articles * _BYTES_A_ROW / 1e6, 1),
    }
    if made.settings.reader == RULES:
        row |= {"jobs": jobs, "expected_seconds": round(made.articles * made.milliseconds / 1000 / jobs, 1)}
    return row


_BYTES_A_ROW = 200  # compressed, with its columns: 172 on the benchmark's abstracts, 216 on the sandbox's


def _ended(end: RunEnd) -> dict[str, Any]:
    progress = end.progress
    return {
        "shards": progress.shards,
        "done": progress.done,
        "failed": len(end.failed),
        "articles_read": progress.read,
        "unreadable": progress.errors,
    }


def _standing(found: Status) -> dict[str, Any]:
    row: dict[str, Any] = {
        "shards": found.shards,
        "done": found.done,
        "failed": len(found.failed),
        "articles": found.articles,
        "read": found.read,
        "unreadable": found.errors,
    }
    if found.rate is not None and found.remaining_seconds is not None:
        row |= {"per_second": round(found.rate, 1), "remaining_seconds": round(found.remaining_seconds, 1)}
    return row


def _failures(failed: dict[int, str], folder: str) -> list[str]:
    lines = [f"Shard {number} has failed: {reason}" for number, reason in list(failed.items())[:_MOST_NAMED]]
    if len(failed) > _MOST_NAMED:
        lines.append(f"{len(failed) - _MOST_NAMED} more have failed.")
    if failed:
        lines.append(f"Once the cause is mended: biofact corpus retry {shlex.quote(folder)}")
    return lines


def _next(folder: str, made: CorpusPlan) -> str:
    name = shlex.quote(folder)
    array = f", or as an array of {made.parts} jobs: sbatch {shlex.quote(str(Path(folder, 'array.sbatch')))}"
    is_array = made.parts > 1 and made.settings.reader == RULES
    return f"Next: biofact corpus run {name}{array if is_array else ''}"


def _say(row: dict[str, Any], form: SummaryForm) -> None:
    """Write a summary; seconds are for programs, people read minutes and hours."""
    if form == "json":
        terminal.write_json(row)
    else:
        writers.write_rows([{name: _shown(name, value) for name, value in row.items()}])


def _shown(name: str, value: Any) -> Any:
    if "seconds" not in name or value < _MINUTE:
        return value
    return f"{value / _MINUTE:.0f} min" if value < 2 * _HOUR else f"{value / _HOUR:.1f} h"


_MINUTE, _HOUR = 60, 3600
