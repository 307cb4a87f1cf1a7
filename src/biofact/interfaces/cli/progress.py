"""A sign of life on stderr for whatever takes more than a second."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
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
async def shown(what: str, total: int | None = None, *, is_hidden: bool = False) -> AsyncIterator[Advance]:
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
