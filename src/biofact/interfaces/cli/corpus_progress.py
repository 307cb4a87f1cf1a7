"""How far the work on a corpus is: a bar at a terminal, a line for each tenth in a log."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from biofact.interfaces import terminal

Show = Callable[[int, int, str], None]
"""Takes how much is done, of how much, and what else there is to say."""
_LINES = 10


@contextmanager
def shown(what: str) -> Iterator[Show]:
    """A callable that shows on stderr how far the work is; ``what`` is counted."""
    if not sys.stderr.isatty():
        yield _Lines(what).show
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


class _Lines:
    """A line whenever another tenth is done."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = -1

    def show(self, done: int, total: int, about: str) -> None:
        tenth = _LINES * done // total if total else _LINES
        if tenth != self._shown:
            self._shown = tenth
            terminal.write_messages([f"{self._what}: {done:,} of {total:,} done, {about}"])
