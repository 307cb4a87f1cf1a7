"""Files that only their owner reads and writes, such as those of the cache folder. No asyncio."""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from biofact.core.folder_files import FolderFile

_BESIDE_SQLITE = ("-wal", "-shm", "-journal")
"""The ends of the names of files that SQLite makes beside one of its own, and writes to where they are there."""


class SharedFolder(OSError):
    """Other users can write to the folder, and so put answers and budgets of their own there."""


def make_private(path: Path) -> None:
    """Make a file and its folder for their owner alone; one that exists already is closed to other users.

    The file is not opened: to close it again would release the locks that SQLite holds in this process.

    Raises:
        SharedFolder: other users can write to the folder.
        ForeignFile: the file is a link or a device, or has a second name elsewhere.
        OSError: the folder or the file cannot be made, or belongs to another user.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    refuse_shared(path.parent)
    file = FolderFile.at_path(path)
    with suppress(FileExistsError):
        os.close(file.create(0o600))
    status = file.stat_to_change()
    if not os.access(path, os.W_OK):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
    for suffix in _BESIDE_SQLITE:
        with suppress(FileNotFoundError):
            (file.parent / f"{file.name}{suffix}").stat_to_change()
    if sys.platform != "win32" and stat.S_IMODE(status.st_mode) & 0o077:
        path.chmod(0o600)


def refuse_shared(folder: Path) -> None:
    """Do nothing where only this user, or root, can write to a folder, or where there is none yet.

    Raises:
        SharedFolder: other users can.
    """
    if reason := shared_reason(folder):
        raise SharedFolder(f"{reason}: {folder}")


def shared_reason(folder: Path) -> str:
    """The reason why other users can write to a folder; empty if they cannot, or if there is none yet."""
    if sys.platform == "win32":  # it has lists of access, and a user's folders are private there
        return ""
    if not folder.exists():
        return ""
    status = folder.stat()
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others can write to it"
    return "" if status.st_uid in {0, os.geteuid()} else "it belongs to another user"


def identity(path: Path) -> tuple[int, int] | None:
    """Device and number of the file at a path; None for none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
