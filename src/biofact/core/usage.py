"""Errors with a hint, that of a command among them which cannot be run as it was written."""

import functools
import os
from collections.abc import Callable, Sequence
from typing import ClassVar, Self

PORTS = range(65_536)


class HintedError(Exception):
    """An error with the next step. It may come from another process, and is pickled for that."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[str]]:
        return functools.partial(type(self), hint=self.hint), (str(self),)


class WrongUsage(HintedError, ValueError):
    """The mistake, and how to ask instead."""

    exit_code: ClassVar[int] = 2


def no_source(name: str, names: Sequence[str]) -> WrongUsage:
    """What to say of a source that there is not."""
    return WrongUsage(f"There is no source {name!r:.80}.", hint=f"The sources are {', '.join(names)}.")


def cannot_listen(address: str, error: OSError) -> WrongUsage:
    """What to say when the system refuses ``address``."""
    reason = os.strerror(error.errno).lower() if error.errno else str(error)
    return WrongUsage(f"Cannot listen at {address}: {reason}.", hint="Choose another port; 0 picks a free one.")
