"""Shutdown on a signal: at once, with nothing left behind.

A server that reads standard input cannot be cancelled: the thread that reads does not wake. So a signal removes what
would outlive the process, and ends it; whatever else is open is safe to drop.
"""

import os
import shutil
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_folders: set[str] = set()


@contextmanager
def removed_at_exit(folder: str) -> Iterator[None]:
    """Remove the folder when the process ends, unless it is killed."""
    before = _exit_on(_ENDING)
    _folders.add(folder)
    try:
        yield
    finally:
        _folders.discard(folder)
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_at_once_on_signals() -> None:
    """End on SIGTERM, SIGHUP and SIGINT, with the status that shells expect."""
    _exit_on((*_ENDING, signal.SIGINT))


def _exit_on(numbers: Iterable[int]) -> dict[int, Any]:
    """Exit on these signals, except ignored ones (nohup); returns the handlers before, by signal."""
    if threading.current_thread() is not threading.main_thread():
        return {}  # only the main thread may set handlers
    before = {number: signal.getsignal(number) for number in numbers}
    earlier_handlers = {number: handler for number, handler in before.items() if handler in _DEFAULT_HANDLERS}
    for number in earlier_handlers:
        signal.signal(number, _exit)
    return earlier_handlers


def _exit(number: int, _frame: FrameType | None) -> None:
    for folder in _folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(128 + number)


_DEFAULT_HANDLERS = (signal.SIG_DFL, signal.default_int_handler)
