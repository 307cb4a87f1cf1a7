"""One process at a time at a piece of work: a lock that the system lets go of when its process ends, by whatever."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from biofact.literature.files import FolderRefused, WriteFailed


class Lock:
    """``with Lock(file, holder=…, hint=…)`` holds it. A file that a dead process left behind holds nothing."""

    def __init__(self, file: Path, *, holder: str, hint: str) -> None:
        """``holder`` says who else may hold it, such as "Another review", and ``hint`` what to do then; the folder
        is named as the one that holds the file's own.
        """
        self._file = file
        self._holder = holder
        self._hint = hint
        self._opened: BinaryIO | None = None

    def __enter__(self) -> Self:
        try:
            opened = self._file.open("a+b")
        except OSError as error:
            raise WriteFailed(str(self._file), error) from error
        try:
            _take(opened)
        except OSError as error:
            opened.seek(1)
            number = opened.read(20).decode("ascii", "replace").strip()
            opened.close()
            raise FolderRefused(
                f"{self._holder}{f' (process {number})' if number.isdigit() else ''} is at work in"
                f" {str(self._file.parent.parent)!r}.",
                hint=self._hint,
            ) from error
        opened.truncate(0)
        opened.write(f" {os.getpid()}\n".encode())  # the first byte is the one that Windows locks
        opened.flush()
        self._opened = opened
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            with suppress(OSError):
                self._opened.truncate(0)
            self._opened.close()
            self._opened = None


def _take(opened: BinaryIO) -> None:
    """Lock the file.

    Raises:
        OSError: somebody else has.
    """
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  # of this system only

        opened.seek(0)
        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415  # of the other systems only

        fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
