"""Files that a command writes: never half of one, and never over anything but a file."""

import itertools
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, ClassVar

from biofact.core.folder_files import FolderFile
from biofact.core.usage import WrongUsage

HINT = "Give --output the name of a file, new or to be overwritten, in a folder that you can write to."

_BLOCK_BYTES = 1 << 20
_PRIVATE = 0o600
_USUAL = 0o666  # less what the umask takes away


class FileNotWritten(WrongUsage):
    """The answer of a command has no place to go."""

    exit_code: ClassVar[int] = 1


def writable(path: str) -> Path:
    """The file to write, checked before there is anything to write; links are followed.

    Raises:
        FileNotWritten: it is a folder or a device, in a folder that does not exist, or permission is denied.
    """
    file = Path(path)
    try:
        if file.is_dir() or path.endswith(os.sep):
            raise FileNotWritten(f"{path!r} is a folder.", hint=HINT)
        target = Path(os.path.realpath(file))
        if target.is_symlink() or (file.exists() and not file.is_file()):  # it is still one where links go in a circle
            raise FileNotWritten(f"{path!r} is not a regular file.", hint=HINT)
        if not target.parent.is_dir():
            raise FileNotWritten(f"There is no folder {str(file.parent)!r}.", hint=HINT)
        is_ours = all(os.access(place, os.W_OK) for place in (target.parent, *([target] if target.exists() else [])))
    except OSError as error:
        raise _not_written(path, error) from error
    if not is_ours:
        raise FileNotWritten(f"{path!r} cannot be written: permission denied.", hint=HINT)
    return target


def write(file: Path, content: bytes, *, is_private: bool = False) -> None:
    """Replace the file by ``content``, all at once; a new file that ``is_private`` is its owner's alone.

    Raises:
        FileNotWritten: the disk is full, or the system refuses the write otherwise.
    """
    with open_replacement(file, is_private=is_private) as replacement:
        replacement.write(content)


def write_private(file: Path, content: bytes) -> None:
    """Replace a file that is its owner's alone by ``content``; in its place where that is shorter and the disk is full.

    Raises:
        FileNotWritten: the disk is full and ``content`` longer, or the system refuses the write otherwise.
    """
    try:
        write(file, content, is_private=True)
    except FileNotWritten:
        place = Path(os.path.realpath(file))
        if not place.is_file() or place.stat().st_size < len(content):
            raise
        _shorten(place, content)


def backup(file: Path, content: bytes) -> Path:
    """Save the old content of a file next to it, as ``NAME.bak``, ``NAME.bak2`` and so on; returns where.

    Raises:
        FileNotWritten: the disk is full, or the system refuses the write otherwise.
    """
    for number in itertools.count(1):
        place = file.with_name(f"{file.name}.bak{number if number > 1 else ''}")
        try:
            with os.fdopen(FolderFile.at_path(place).create(_PRIVATE, os.O_WRONLY), "wb") as stream:
                stream.write(content)
            shutil.copymode(file, place)
        except FileExistsError:
            continue
        except OSError as error:
            raise _not_written(str(place), error) from error
        break
    return place


@contextmanager
def open_replacement(file: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """A file to write and read that takes the place of ``file`` at the end: the old one stays until all is written.

    It has the permissions of the old file; a new file that ``is_private`` can be read by its owner alone.

    Raises:
        FileNotWritten: the disk is full, or the system refuses the write otherwise.
    """
    part = file.with_name(f".biofact-{secrets.token_hex(8)}")
    try:
        new_file = FolderFile.at_path(part).create(_PRIVATE if is_private else _USUAL, os.O_RDWR)
        with os.fdopen(new_file, "w+b") as replacement:
            yield replacement
        if file.exists():
            shutil.copymode(file, part)
        part.replace(file)
    except OSError as error:
        raise _not_written(str(file), error) from error
    finally:
        with suppress(OSError):
            part.unlink()


def put_before(stream: BinaryIO, start: bytes) -> None:
    """Put ``start`` before the content of a file that is open."""
    end = stream.seek(0, os.SEEK_END)
    while end:
        place = max(0, end - _BLOCK_BYTES)
        stream.seek(place)
        block = stream.read(end - place)
        stream.seek(place + len(start))
        stream.write(block)
        end = place
    stream.seek(0)
    stream.write(start)


def _shorten(file: Path, content: bytes) -> None:
    """Overwrite a file by shorter content: one write of the old length, so that no reader finds half of it."""
    try:
        with os.fdopen(FolderFile.at_path(file).open_to_change(), "r+b", buffering=0) as stream:
            stream.write(content.ljust(os.fstat(stream.fileno()).st_size))
            stream.truncate(len(content))
            os.fsync(stream.fileno())
    except OSError as error:
        raise _not_written(str(file), error) from error


def _not_written(path: str, error: OSError) -> FileNotWritten:
    return FileNotWritten(f"{path!r} cannot be written: {str(error.strerror).lower()}.", hint=HINT)
