"""How far a run over a corpus is: a bar at a terminal, a line for each tenth in a log."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from biofact.corpus.run import OnProgress, RunProgress
from biofact.interfaces import terminal

_LINES = 10


@contextmanager
def shown() -> Iterator[OnProgress]:
    """A callable that shows on stderr how far the run is."""
    if not sys.stderr.isatty():
        yield _Lines().show
        return
    from rich.progress import (  # noqa: PLC0415  # only a terminal needs it
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("shards"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    about = TextColumn("{task.fields[about]}", markup=False)
    with Progress(*columns, about, console=terminal.console(stderr=True)) as progress:
        task = progress.add_task("shards", total=None, about="")

        def update(now: RunProgress) -> None:
            progress.update(task, total=now.shards, completed=now.done, about=_about(now))

        yield update


class _Lines:
    """A line whenever another tenth is done."""

    def __init__(self) -> None:
        self._shown = -1

    def show(self, now: RunProgress) -> None:
        tenth = _LINES * now.done // now.shards if now.shards else _LINES
        if tenth != self._shown:
            self._shown = tenth
            terminal.write_messages([f"shards: {now.done} of {now.shards} done, {_about(now)}"])


def _about(now: RunProgress) -> str:
    failures = f", {now.failures} failures" if now.failures else ""
    return f"{now.read:,} articles{failures}"
