"""A sign of life on stderr for whatever takes more than a second."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from biofact.interfaces import terminal

PATIENCE_SECONDS = 1.0


@asynccontextmanager
async def shown(what: str, done: int = 0, total: int | None = None) -> AsyncIterator[None]:
    """Say what is going on, and for how long already, if it takes longer than a second at a terminal; of how much how
    much is done, where there is a ``total``.
    """
    if not sys.stderr.isatty():
        yield
        return
    showing = asyncio.create_task(_show_later(what, done, total))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _show_later(what: str, done: int, total: int | None) -> None:
    await asyncio.sleep(PATIENCE_SECONDS)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}", markup=False), BarColumn(pulse_style="cyan"), TimeElapsedColumn())
    with Progress(*columns, console=terminal.console(stderr=True), transient=True) as progress:
        progress.add_task(what, completed=done, total=total)
        await asyncio.Event().wait()  # until cancelled
