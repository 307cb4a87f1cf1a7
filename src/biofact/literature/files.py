"""Files that are complete or absent, whenever the process or the machine stops, and the errors of a run's folder.

The errors may come from other processes, and are pickled for that.
"""

import functools
import os
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class FolderRefused(Exception):
    """The folder is another's, or another run's; nothing in it was touched."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[Callable[..., "FolderRefused"], tuple[str]]:
        return functools.partial(FolderRefused, hint=self.hint), (str(self),)


class WriteFailed(Exception):
    """The system does not let us write; what was written before stays."""

    def __init__(self, path: str, error: OSError) -> None:
        reason = (error.strerror or type(error).__name__).lower()
        super().__init__(f"{path!r} cannot be written: {reason}.")
        self.hint = "Make room, or give a folder that you can write to. What is done so far is kept."
        self._given = path, error

    def __reduce__(self) -> tuple[type["WriteFailed"], tuple[str, OSError]]:
        return WriteFailed, self._given


PART = ".part-"
"""How the name of a file begins while it is being written."""


def write(file: Path, content: bytes) -> None:
    """Put ``content`` in the place of a file; it is on the disk when this returns.

    Raises:
        WriteFailed: the disk is full, or whatever else the system says. What was there before still is.
    """
    part = file.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        with part.open("xb") as written:
            written.write(content)
            written.flush()
            os.fsync(written.fileno())
        part.replace(file)
        settle(file.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise WriteFailed(str(file), error) from error


def make_folder(folder: Path) -> None:
    """A folder, with those that it is to lie in.

    Raises:
        WriteFailed: the system refuses the write.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error) from error


def sweep(folder: Path, *, older_than: float | None = None) -> None:
    """Remove what a process that was killed had begun to write; where others may be writing, what has not changed for
    so many seconds.
    """
    for part in folder.glob(f"{PART}*"):
        with suppress(OSError):
            if older_than is None or part.stat().st_mtime < time.time() - older_than:
                part.unlink()


def settle(folder: Path) -> None:
    """Have the folder remember a new name after a power failure; Windows has no such call, and does it by itself."""
    if sys.platform == "win32":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
