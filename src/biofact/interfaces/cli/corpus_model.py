"""The command over a corpus that a model reads: what it costs, said before and while it runs."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.corpus.model_cost import ModelEstimate, estimate
from biofact.corpus.model_reading import ModelProgress, ModelReadingEnd, check_reader, read_by_model
from biofact.corpus.records import CorpusPlan
from biofact.interfaces import terminal
from biofact.interfaces.cli import corpus_progress
from biofact.literature.endpoint import BASE_URL, ModelEndpoint, configured_endpoint


def endpoint(at_once: int) -> ModelEndpoint:
    """The model that the settings name.

    Raises:
        WrongUsage: they name none.
    """
    found = configured_endpoint(Settings(), at_once=at_once)
    if found is None:
        raise WrongUsage("No model is configured.", hint=f"Set {BASE_URL.name}, or plan without --model: rules read.")
    return found


def run(folder: Path, plan: CorpusPlan, at_once: int, budget_tokens: int | None) -> ModelReadingEnd:
    """Have the model read what it has not read yet.

    Raises:
        WrongUsage: no model is configured.
        FolderRefused, WriteFailed: as the library says.
        KeyboardInterrupt: it was told to end.
    """
    if at_once < 1 or (budget_tokens is not None and budget_tokens < 1):
        raise WrongUsage("--at-once and --budget-tokens are 1 or more.", hint="See biofact corpus run --help.")
    model = endpoint(at_once)
    check_reader(folder, plan, model)
    terminal.write_messages(map("note: {}".format, _costs(estimate(folder), budget_tokens)))
    try:
        return asyncio.run(_read(folder, model, at_once, budget_tokens))
    except asyncio.CancelledError as stopped:  # by SIGTERM: only an interrupt is made that by asyncio itself
        raise KeyboardInterrupt from stopped


async def _read(folder: Path, model: ModelEndpoint, at_once: int, budget_tokens: int | None) -> ModelReadingEnd:
    """What is under way when we are told to end is finished, so that nothing paid for is lost."""
    task = asyncio.current_task()
    if task is not None and sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        with corpus_progress.shown("articles") as show:
            return await read_by_model(
                folder,
                model,
                limit=at_once,
                budget_tokens=budget_tokens,
                on_progress=lambda now: show(now.done, now.articles, _about(now)),
            )
    finally:
        await model.aclose()


def summary(end: ModelReadingEnd) -> dict[str, Any]:
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


def _about(now: ModelProgress) -> str:
    return f"{now.tokens_paid + now.tokens:,} of some {now.tokens_expected:,} tokens"
