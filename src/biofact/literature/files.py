"""Files that are complete or absent, whenever the process or the machine stops, and the errors of a run's folder.

The errors may come from other processes, and are pickled for that.
"""

import os
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path

from biofact.core.usage import HintedError


class FolderRefused(HintedError):
    """The folder belongs to something else or to another run; nothing in it has changed."""


class WriteFailed(Exception):
    """The system refuses a write; earlier files stay."""

    def __init__(self, path: str, error: OSError) -> None:
        reason = (error.strerror or type(error).__name__).lower()
        super().__init__(f"{path!r} cannot be written: {reason}.")
        self.hint = "Make room, or give a folder that you can write to. What is done so far is kept."
        self._arguments = path, error

    def __reduce__(self) -> tuple[type["WriteFailed"], tuple[str, OSError]]:
        return WriteFailed, self._arguments


PART = ".part-"
"""The prefix of the name of an unfinished file."""


def write(file: Path, content: bytes) -> None:
    """Replace a file by ``content``; it is on the disk when this returns.

    Raises:
        WriteFailed: the disk is full, or another error of the system. The earlier file stays.
    """
    part = file.with_name(f"{PART}{secrets.token_hex(8)}")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
        settle(file.parent)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise WriteFailed(str(file), error) from error


def make_folder(folder: Path) -> None:
    """Create a folder with its parents.

    Raises:
        WriteFailed: the system refuses the write.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteFailed(str(folder), error) from error


def sweep(folder: Path, *, older_than: float | None = None) -> None:
    """Remove unfinished files of killed processes: all of them, or those unchanged for ``older_than`` seconds while
    other processes may be writing.
    """
    for part in folder.glob(f"{PART}*"):
        with suppress(OSError):
            if older_than is None or part.stat().st_mtime < time.time() - older_than:
                part.unlink()


def settle(folder: Path) -> None:
    """Make a new name in a folder survive a power failure; Windows needs no call for that."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
