"""One process at a time at a piece of work: a lock that the system lets go of when its process ends, by whatever."""

import os
import sys
from contextlib import suppress
from typing import BinaryIO, Self

from biofact.core.folder_files import FolderFile
from biofact.literature.files import FolderRefused, user_errors


class Lock:
    """``with Lock(file, holder=…, hint=…)`` holds it. A file that a dead process left behind holds nothing."""

    def __init__(self, file: FolderFile, *, holder: str, hint: str) -> None:
        """``holder`` says who else may hold it, such as "Another review", and ``hint`` what to do then; the folder
        is named as the one that holds the file's own.
        """
        self._file = file
        self._holder = holder
        self._hint = hint
        self._stream: BinaryIO | None = None

    def __enter__(self) -> Self:
        with user_errors(self._file):
            stream = os.fdopen(self._file.open_to_change(flags=os.O_RDWR | os.O_APPEND), "a+b")
        try:
            _take(stream)
        except OSError as error:
            stream.seek(1)
            number = stream.read(20).decode("ascii", "replace").strip()
            stream.close()
            raise FolderRefused(
                f"{self._holder}{f' (process {number})' if number.isdigit() else ''} is at work in"
                f" {str(self._file.parent.parent)!r}.",
                hint=self._hint,
            ) from error
        stream.truncate(0)
        stream.write(f" {os.getpid()}\n".encode())  # the first byte is the one that Windows locks
        stream.flush()
        self._stream = stream
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            with suppress(OSError):
                self._stream.truncate(0)
            self._stream.close()
            self._stream = None


def _take(stream: BinaryIO) -> None:
    """Lock the file.

    Raises:
        OSError: another process holds it.
    """
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  # of this system only

        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415  # of the other systems only

        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
