"""Files that a command writes: never half of one, and never over anything but a file."""

import itertools
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, ClassVar

from biofact.core.usage import WrongUsage

HINT = "Give --output the name of a file, new or to be overwritten, in a folder that you can write to."

_PRIVATE = 0o600
_USUAL = 0o666  # less what the umask takes away


class FileNotWritten(WrongUsage):
    """The command was understood; its answer has no place to go."""

    exit_code: ClassVar[int] = 1


def writable(path: str) -> Path:
    """The file to write, as far as can be told before there is anything to write: links are followed.

    Raises:
        FileNotWritten: it is a folder or a device, in a folder that is not there, or nobody lets us.
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
        raise _refused(path, error) from error
    if not is_ours:
        raise FileNotWritten(f"{path!r} cannot be written: permission denied.", hint=HINT)
    return target


def write(file: Path, content: bytes, *, is_private: bool = False) -> None:
    """Put ``content`` in the place of the file, all at once; a new one that ``is_private`` is its owner's alone.

    Raises:
        FileNotWritten: the disk is full, or whatever else the system says.
    """
    with replacing(file, is_private=is_private) as written:
        written.write(content)


def backup(file: Path, content: bytes) -> Path:
    """Keep what a file held beside it, as ``NAME.bak``, ``NAME.bak2`` and so on; returns where. None is overwritten.

    Raises:
        FileNotWritten: the disk is full, or whatever else the system says.
    """
    for number in itertools.count(1):
        place = file.with_name(f"{file.name}.bak{number if number > 1 else ''}")
        try:
            place.touch(_PRIVATE, exist_ok=False)
            place.write_bytes(content)
            shutil.copymode(file, place)
        except FileExistsError:
            continue
        except OSError as error:
            raise _refused(str(place), error) from error
        break
    return place


@contextmanager
def replacing(file: Path, *, is_private: bool = False) -> Iterator[BinaryIO]:
    """What is written to takes the place of the file at the end: what was there stays until all is written.

    It has the permissions of what was there; a new file that ``is_private`` can be read by its owner alone.

    Raises:
        FileNotWritten: the disk is full, or whatever else the system says.
    """
    part = file.with_name(f".biofact-{secrets.token_hex(8)}")
    try:
        part.touch(_PRIVATE if is_private else _USUAL, exist_ok=False)
        with part.open("wb") as written:
            yield written
        if file.exists():
            shutil.copymode(file, part)
        part.replace(file)
    except OSError as error:
        raise _refused(str(file), error) from error
    finally:
        with suppress(OSError):
            part.unlink()


def _refused(path: str, error: OSError) -> FileNotWritten:
    return FileNotWritten(f"{path!r} cannot be written: {str(error.strerror).lower()}.", hint=HINT)
