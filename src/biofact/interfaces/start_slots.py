"""Slots for processes of one user that start at once: a start is a second of a processor, and hundreds side by side
leave none of them the time to answer within its deadline. A process waits for a slot before it loads its libraries, and
gives it up before it asks anything. Those that wait hold tickets, files named by the time of their arrival: only the
oldest few look for slots, so that a flood of later starts overtakes none of them.
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
"""Behind hundreds of others, a process starts then."""
TICKET_SECONDS = 10.0
"""A ticket that its process has not touched for longer does not count: the process has ended, or was stopped."""
_POLL_SECONDS = (0.05, 0.2, 4.0)
"""Between two looks: at the head of the queue, for as many before it as there are slots, and at most. Hundreds that
look often take the processors' time.
"""
_MOST_SLOTS = 1000
_TICKET = "ticket-"
_held: list[tuple[int, Path]] = []
"""The open file of this process's slot, and its path."""


def take() -> None:
    """Return when this process holds a slot, or has waited for one as long as it may; at once where the system has no
    locks, or no folder for them, or the last process to give up its slot is just removing it.
    """
    name = f"{_TICKET}{time.monotonic_ns():020}-{os.getpid()}"
    with suppress(OSError):
        ticket = _folder() / name
        try:
            _wait_with(ticket)
        finally:
            ticket.unlink(missing_ok=True)


def _wait_with(ticket: Path) -> None:
    """Take a slot when it is this ticket's turn, or wait as long as a process may.

    Raises:
        OSError: the folder cannot be used.
    """
    least, per_slots, most = _POLL_SECONDS
    end = time.monotonic() + LONGEST_WAIT_SECONDS
    while not _held and time.monotonic() < end:
        count = _count_before(ticket)
        if count < _limit() and _take_free(ticket.parent):
            return
        seconds = min(most, least + per_slots * count / _limit())
        time.sleep(seconds * (1 + os.getpid() % 10 / 10))  # or all would look at the same moment


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


def _limit() -> int:
    """The number of slots that may be held at once."""
    return SLOTS_PER_PROCESSOR * (os.cpu_count() or 1)


def _count_before(ticket: Path) -> int:
    """Touch a ticket; the number of processes that came before and still wait. Removes tickets of some that have ended.

    Raises:
        OSError: the folder cannot be used.
    """
    ticket.touch(0o600)
    waiting = 0
    names = os.listdir(ticket.parent)  # noqa: PTH208  # paths take ten times as long, and there may be hundreds
    earlier = sorted(name for name in names if _TICKET <= name < ticket.name)
    for place, name in enumerate(earlier):
        path = ticket.parent / name
        with suppress(FileNotFoundError):
            if 0.0 <= time.time() - path.stat().st_mtime <= TICKET_SECONDS:
                waiting += 1
            else:
                path.unlink()
        if waiting == _limit():  # it is not this one's turn
            return waiting + len(earlier) - place - 1
    return waiting


def _take_free(folder: Path) -> bool:
    """Take the first free slot, unless all that may be held at once are.

    Raises:
        OSError: a file cannot be opened.
    """
    if sys.platform == "win32":
        return False
    counted = 0
    for number in range(_MOST_SLOTS):
        path = folder / str(number)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        if _lock(file) and _is_at(path, file):
            _held.append((file, path))
            return True
        counted += 0.0 <= time.time() - os.fstat(file).st_mtime <= LONGEST_START_SECONDS
        os.close(file)
        if counted >= _limit():
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
