"""Slots for processes of one user that start at once: a start is a second of a processor, and hundreds side by side
leave none of them the time to answer within its deadline. A process waits for a slot before it loads its libraries, and
gives it up before it asks anything.
"""

import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path

SLOTS_PER_PROCESSOR = 2
"""One start loads while another waits for the disk."""
LONGEST_START_SECONDS = 10.0
"""A slot held for longer does not count: its process was stopped, or serves without a client."""
LONGEST_WAIT_SECONDS = 300.0
"""Slots are given out in no order: behind hundreds of others that come again and again, a process starts then."""
_POLL_SECONDS = (0.05, 0.5)
"""At first, and later: hundreds that look often take the processors' time."""
_MOST_SLOTS = 1000
_held: list[tuple[int, Path]] = []
"""The open file of this process's slot, and its path."""


def take() -> None:
    """Return when this process holds a slot, or has waited for one as long as it may; at once where the system has no
    locks, or no folder for them.
    """
    seconds, most = _POLL_SECONDS
    end = time.monotonic() + LONGEST_WAIT_SECONDS
    with suppress(OSError):
        while not _held and time.monotonic() < end and not _take_free(_folder()):
            time.sleep(seconds * (1 + os.getpid() % 10 / 10))  # or all would look at the same moment
            seconds = min(most, 1.5 * seconds)


def give_up() -> None:
    """Let the next process start, and leave no file behind; do nothing without a slot."""
    while _held:
        file, path = _held.pop()
        with suppress(OSError):
            path.unlink()
            path.parent.rmdir()  # unless others hold slots
        os.close(file)


def _folder() -> Path:
    """The folder of this user's slots, to which no other user can write.

    Raises:
        OSError: there can be none.
    """
    if sys.platform == "win32":
        raise NotADirectoryError("There are no such locks.")
    base = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR") or "/tmp"  # noqa: S108  # checked below
    folder = Path(base, f"biofact-starts-{os.geteuid()}")
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise PermissionError(f"{folder} is not this user's own folder.")
    return folder


def _take_free(folder: Path) -> bool:
    """Take the first free slot, unless all that may be held at once are.

    Raises:
        OSError: a file cannot be opened.
    """
    if sys.platform == "win32":
        return False
    counted, limit = 0, SLOTS_PER_PROCESSOR * (os.cpu_count() or 1)
    for number in range(_MOST_SLOTS):
        path = folder / str(number)
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:  # the last process to give up its slot has removed the folder
            return False
        if _lock(file) and _is_at(path, file):
            _held.append((file, path))
            return True
        counted += 0.0 <= time.time() - os.fstat(file).st_mtime <= LONGEST_START_SECONDS
        os.close(file)
        if counted >= limit:
            return False
    return False


def _is_at(path: Path, file: int) -> bool:
    """Whether the file is still the one at its path: the process that held it before has removed it, perhaps."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.lstat())
    return False


def _lock(file: int) -> bool:
    """Whether the file is locked now; another process may hold it, until it ends."""
    if sys.platform != "win32":
        import fcntl  # noqa: PLC0415  # not on every system

        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False
