"""Progress of a run, for display."""

from collections.abc import Callable
from typing import Literal

ReviewStep = Literal["queries", "search", "articles", "features", "scores", "ranking", "files"]

OnProgress = Callable[[ReviewStep, int, int], None]
"""Takes the step, how much of it is done, and of how much; done equals all exactly once, when the step ends."""


class ProgressTally:
    """Counts what is done of a step, and reports it."""

    def __init__(self, on_progress: OnProgress, step: ReviewStep, total: int) -> None:
        self._on_progress = on_progress
        self._step = step
        self._total = total
        self._done = 0
        if total:
            on_progress(step, 0, total)

    def add(self, count: int = 1) -> None:
        """So many more are done; the last ones are reported by ``end``."""
        self._done += count
        if self._done < self._total:
            self._on_progress(self._step, self._done, self._total)

    def end(self) -> None:
        """All of it is done."""
        self._on_progress(self._step, self._total, self._total)
