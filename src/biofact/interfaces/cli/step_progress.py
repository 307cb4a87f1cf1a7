"""How far a long command is: a bar for each step at a terminal, a line for each step that ended in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from biofact.interfaces import terminal

StepProgress = Callable[[str, int, int], None]
"""Takes the step, how much of it is done, and of how much."""


@contextmanager
def shown() -> Iterator[StepProgress]:
    """A callable that shows on stderr how far the steps are."""
    if not sys.stderr.isatty():
        yield _line
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


def _line(step: str, done: int, total: int) -> None:
    if done == total:
        terminal.write_messages([f"{step}: {total}"])
