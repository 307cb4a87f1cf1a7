"""Signs of life on stderr: a wait of more than a second, the steps of a review, the shards of a corpus."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from biofact.core import call
from biofact.interfaces import terminal

PATIENCE_SECONDS = 1.0
_REFRESH_SECONDS = 0.2
Advance = Callable[[int], None]
"""Takes the number of items that are done in addition."""


@dataclass(slots=True)
class _Count:
    done: int = 0
    remark: str = ""
    """The work of the call under way that is done."""

    def add(self, increment: int) -> None:
        self.done += increment
        self.remark = ""

    async def report(self, done: int, total: int, work: str) -> None:
        self.remark = f": {done:,} of {total:,} {work}"


@asynccontextmanager
async def show_activity(activity: str, total: int | None = None, *, is_hidden: bool = False) -> AsyncIterator[Advance]:
    """Show an activity and its time at a terminal, if it takes longer than a second, with the work that calls within
    report; with a ``total``, a count too.
    """
    count = _Count()
    if is_hidden or not sys.stderr.isatty() or terminal.console(stderr=True).is_dumb_terminal:
        yield count.add
        return
    display = asyncio.create_task(_show_later(activity, count, total))
    try:
        with call.on_behalf_of(replace(call.caller(), progress=count.report)):
            yield count.add
    finally:
        display.cancel()
        await asyncio.wait({display})


async def _show_later(activity: str, count: _Count, total: int | None) -> None:
    await asyncio.sleep(PATIENCE_SECONDS)
    from rich import progress as rich_progress  # noqa: PLC0415

    count_columns = () if total is None else (rich_progress.MofNCompleteColumn(), rich_progress.TimeRemainingColumn())
    columns = (
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(pulse_style="cyan"),
        *count_columns,
        rich_progress.TimeElapsedColumn(),
    )
    with rich_progress.Progress(*columns, console=terminal.console(stderr=True), transient=True) as progress:
        task = progress.add_task(activity, completed=count.done, total=total)
        while True:  # until cancelled
            progress.update(task, completed=count.done, description=activity + count.remark)
            await asyncio.sleep(_REFRESH_SECONDS)


StepProgress = Callable[[str, int, int], None]
"""Takes the step, the number of items that are done, and their total."""


@contextmanager
def show_steps() -> Iterator[StepProgress]:
    """Show the progress of steps on stderr: a bar each at a terminal, a line for each finished step in a log."""
    if not sys.stderr.isatty():
        yield _write_step
        return
    from rich import progress as rich_progress  # noqa: PLC0415  # only a terminal needs it

    columns = (
        rich_progress.TextColumn("{task.description:<9}", markup=False),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeElapsedColumn(),
    )
    with rich_progress.Progress(*columns, console=terminal.console(stderr=True)) as progress:
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
"""Takes the number of items that are done, their total, and a remark."""
_TENTHS = 10


@contextmanager
def show_count(items: str) -> Iterator[ShowCount]:
    """Show the progress of one long job on stderr: a bar at a terminal, a line for each tenth in a log."""
    if not sys.stderr.isatty():
        yield _CountLines(items).show
        return
    from rich import progress as rich_progress  # noqa: PLC0415  # only a terminal needs it

    columns = (
        rich_progress.TextColumn(items),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeElapsedColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    remark_column = rich_progress.TextColumn("{task.fields[remark]}", markup=False)
    with rich_progress.Progress(*columns, remark_column, console=terminal.console(stderr=True)) as progress:
        task = progress.add_task(items, total=None, remark="")
        yield lambda done, total, remark: progress.update(task, completed=done, total=total, remark=remark)


class _CountLines:
    """Writes a line whenever another tenth is done."""

    def __init__(self, items: str) -> None:
        self._items = items
        self._last_tenth = -1

    def show(self, done: int, total: int, remark: str) -> None:
        tenth = _TENTHS * done // total if total else _TENTHS
        if tenth != self._last_tenth:
            self._last_tenth = tenth
            terminal.write_messages([f"{self._items}: {done:,} of {total:,} done, {remark}"])
