"""Signs of life on stderr: a wait of more than a second, the steps of a review, the shards of a corpus."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from biofact.interfaces import terminal

PATIENCE_SECONDS = 1.0
Advance = Callable[[int], None]
"""Takes how much more is done."""


@dataclass(slots=True)
class _Count:
    done: int = 0

    def add(self, more: int) -> None:
        self.done += more


@asynccontextmanager
async def show_activity(what: str, total: int | None = None, *, is_hidden: bool = False) -> AsyncIterator[Advance]:
    """Say what is going on, and for how long already, if it takes longer than a second at a terminal; of how much how
    much is done, where there is a ``total``.
    """
    count = _Count()
    if is_hidden or not sys.stderr.isatty() or terminal.console(stderr=True).is_dumb_terminal:
        yield count.add
        return
    showing = asyncio.create_task(_show_later(what, count, total))
    try:
        yield count.add
    finally:
        showing.cancel()
        await asyncio.wait({showing})


async def _show_later(what: str, count: _Count, total: int | None) -> None:
    await asyncio.sleep(PATIENCE_SECONDS)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    counted = () if total is None else (MofNCompleteColumn(),)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(pulse_style="cyan"),
        *counted,
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=terminal.console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, completed=count.done, total=total)
        while True:  # until cancelled
            progress.update(task, completed=count.done)
            await asyncio.sleep(_REFRESH_SECONDS)


_REFRESH_SECONDS = 0.2


StepProgress = Callable[[str, int, int], None]
"""Takes the step, how much of it is done, and of how much."""


@contextmanager
def show_steps() -> Iterator[StepProgress]:
    """A callable that shows on stderr how far the steps are."""
    if not sys.stderr.isatty():
        yield _write_step
        return
    from rich.progress import (  # noqa: PLC0415  # only a terminal needs it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description:<9}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=terminal.console(stderr=True)) as progress:
        bars = {}

        def update(step: str, done: int, total: int) -> None:
            if step not in bars:
                bars[step] = progress.add_task(step, total=total)
            progress.update(bars[step], completed=done, total=total)

        yield update


def _write_step(step: str, done: int, total: int) -> None:
    if done == total:
        terminal.write_messages([f"{step}: {total}"])


ShowCount = Callable[[int, int, str], None]
"""Takes how much is done, of how much, and what else there is to say."""
_TENTHS = 10


@contextmanager
def show_count(what: str) -> Iterator[ShowCount]:
    """A callable that shows on stderr how far the work is; ``what`` is counted."""
    if not sys.stderr.isatty():
        yield _CountLines(what).show
        return
    from rich.progress import (  # noqa: PLC0415  # only a terminal needs it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    about = TextColumn("{task.fields[about]}", markup=False)
    with Progress(*columns, about, console=terminal.console(stderr=True)) as progress:
        task = progress.add_task(what, total=None, about="")
        yield lambda done, total, about: progress.update(task, completed=done, total=total, about=about)


class _CountLines:
    """A line whenever another tenth is done."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = -1

    def show(self, done: int, total: int, about: str) -> None:
        tenth = _TENTHS * done // total if total else _TENTHS
        if tenth != self._shown:
            self._shown = tenth
            terminal.write_messages([f"{self._what}: {done:,} of {total:,} done, {about}"])
