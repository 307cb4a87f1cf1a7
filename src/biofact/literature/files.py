"""Files that are complete or absent, whenever the process or the machine stops, and the errors of a run's folder.

The errors may come from other processes, and are pickled for that.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from biofact.core.folder_files import PART, FolderFile, ForeignFile
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


def write(file: FolderFile | Path, content: bytes) -> None:
    """Replace a file by ``content``; it is on the disk when this returns. A link is replaced, not followed.

    Raises:
        FolderRefused: its folder is a link.
        WriteFailed: the disk is full, or another error of the system. The earlier file stays.
    """
    file = file if isinstance(file, FolderFile) else FolderFile.at_path(file)
    with user_errors(file):
        file.replace(content)


def make_folder(folder: FolderFile | Path) -> None:
    """Create a folder with its parents.

    Raises:
        FolderRefused: a link stands in its place.
        WriteFailed: the system refuses the write.
    """
    folder = folder if isinstance(folder, FolderFile) else FolderFile(folder)
    with user_errors(folder):
        folder.make_folder()


@contextmanager
def user_errors(file: FolderFile) -> Iterator[None]:
    """Turn an error of the system about a file into one for the user.

    Raises:
        FolderRefused: it is a link, a second name of another file, or a device.
        WriteFailed: another error of the system.
    """
    try:
        yield
    except ForeignFile as error:
        raise FolderRefused(
            f"{error.filename!r} is not used: {error.strerror}.",
            hint="Look what it is and remove it, or give another folder. Nothing was changed.",
        ) from error
    except OSError as error:
        raise WriteFailed(str(file), error) from error


def sweep(folder: FolderFile, *, older_than: float | None = None) -> None:
    """Remove unfinished files of killed processes: all of them, or those unchanged for ``older_than`` seconds while
    other processes may be writing.

    Raises:
        FolderRefused: the folder is a link.
        WriteFailed: it cannot be read.
    """
    with user_errors(folder):
        parts = [entry for entry in folder.entries() if entry.name.startswith(PART)]
    for part in parts:
        with suppress(OSError):
            if older_than is None or part.stat().st_mtime < time.time() - older_than:
                part.unlink()
