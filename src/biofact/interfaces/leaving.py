"""Leaving at once when told to, with nothing left behind.

A server that reads standard input cannot be cancelled: the thread that reads does not wake. So a signal removes what
would outlive the process, and ends it; whatever else is open is safe to drop.
"""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_folders: set[str] = set()


@contextmanager
def removed_at_exit(folder: str) -> Iterator[None]:
    """See to it that the folder goes with the process, however that ends."""
    _folders.add(folder)
    try:
        yield
    finally:
        _folders.discard(folder)


def at_once_on_signals() -> None:
    """End on SIGTERM and SIGINT, with the status that shells expect."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    for folder in _folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(128 + number)
