"""Files of a folder that another user may have prepared: no link in it is followed, and no foreign file is changed."""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

PART = ".part-"
"""The prefix of the name of an unfinished file."""
_USUAL = 0o666  # less what the umask takes away
_BY_DESCRIPTOR = {os.open, os.stat, os.mkdir, os.unlink, os.rename} <= os.supports_dir_fd  # Windows has no such calls


def _flags(*names: str) -> int:
    """The flags of ``os.open`` that this system has, as one number."""
    return sum(getattr(os, name, 0) for name in names)


_SAFE = _flags("O_CLOEXEC", "O_NOINHERIT", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK")
"""The last: to open a pipe without a writer would block."""
_FOLDER = os.O_RDONLY | _flags("O_CLOEXEC", "O_DIRECTORY")


_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT, which the module stat has on Windows only
_LINK, _NO_FILE = "it is a link", "it is no regular file"


class ForeignFile(OSError):
    """A name within the folder leads out of it: it is a link, a second name of a file, or a device."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file or folder within ``root``, or ``root`` itself.

    ``root`` may be a link, as its user has named it. All below it is opened part by part, from one descriptor to the
    next, so that no link leads elsewhere, whenever it was put there. Windows looks before it opens.
    """

    root: Path
    parts: tuple[str, ...] = ()

    @classmethod
    def at_path(cls, path: Path) -> "FolderFile":
        """The file at a path, in a folder that the user has named."""
        return cls(path.parent, (path.name,))

    def __truediv__(self, name: str) -> "FolderFile":
        return FolderFile(self.root, (*self.parts, *name.split("/")))

    def __str__(self) -> str:
        return str(self.path)

    @property
    def path(self) -> Path:
        """The path, for messages."""
        return self.root.joinpath(*self.parts)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.name

    @property
    def parent(self) -> "FolderFile":
        """The folder that holds it."""
        return FolderFile(self.root, self.parts[:-1])

    def stat(self) -> os.stat_result:
        """The status of the file, or of the link that has its name.

        Raises:
            OSError: there is none, or the folder cannot be read.
        """
        if not self.parts:
            return self.root.stat()
        with _open_folder(self.parent) as folder:
            return folder.stat(self.name)

    def exists(self) -> bool:
        """Whether the name is in use, be it by a link."""
        return self._mode() != 0

    def is_folder(self) -> bool:
        """Whether it is a folder, and no link to one."""
        return stat.S_ISDIR(self._mode())

    def is_file(self) -> bool:
        """Whether it is a regular file, and no link to one."""
        return stat.S_ISREG(self._mode())

    def entries(self) -> list["FolderFile"]:
        """The entries of a folder, by name; none where there is no folder.

        Raises:
            ForeignFile: it is a link.
            OSError: it cannot be read.
        """
        try:
            with _open_folder(self) as folder:
                return [self / name for name in folder.names()]
        except FileNotFoundError:
            return []

    def make_folder(self) -> None:
        """Create the folder with its parents, if there is none.

        Raises:
            ForeignFile: a link stands in its place.
            OSError: the system refuses it.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        for count in range(1, len(self.parts) + 1):
            folder = FolderFile(self.root, self.parts[:count])
            with _open_folder(folder.parent) as parent, suppress(FileExistsError):
                os.mkdir(parent.name(folder.name), dir_fd=parent.descriptor)
        with _open_folder(self):
            pass

    def open(self) -> BinaryIO:
        """The file for reading.

        Raises:
            ForeignFile: it is a link or a device.
            OSError: there is none, or it cannot be read.
        """
        with _open_folder(self.parent) as folder:
            return os.fdopen(folder.open(self.name, os.O_RDONLY), "rb")

    def read_bytes(self) -> bytes:
        """The content of the file; raises as ``open`` does."""
        with self.open() as stream:
            return stream.read()

    def create(self, mode: int = _USUAL, flags: int = os.O_RDWR) -> int:
        """The descriptor of a new file.

        Raises:
            FileExistsError: the name is in use, be it by a link.
            OSError: the system refuses it.
        """
        with _open_folder(self.parent) as folder:
            descriptor = folder.open(self.name, flags | os.O_CREAT | os.O_EXCL, mode)
            folder.settle()
            return descriptor

    def open_to_change(self, mode: int = _USUAL, flags: int = os.O_RDWR) -> int:
        """The descriptor of a file that is changed in its place; it is made, if there is none.

        Raises:
            ForeignFile: it is a link or a device, or has a second name elsewhere.
            OSError: the system refuses it.
        """
        with suppress(FileExistsError):
            return self.create(mode, flags)
        with _open_folder(self.parent) as folder:
            descriptor = folder.open(self.name, flags)
        try:
            _check_own(os.fstat(descriptor), self)
        except ForeignFile:
            os.close(descriptor)
            raise
        return descriptor

    def stat_to_change(self) -> os.stat_result:
        """The status of a file that others open by its path, such as SQLite, and change in its place.

        Raises:
            ForeignFile: it is a link or a device, or has a second name elsewhere.
            OSError: there is none.
        """
        status = self.stat()
        _check_own(status, self)
        return status

    def replace(self, content: bytes) -> None:
        """Replace the file by ``content``; it is on the disk when this returns. A link is replaced, not followed.

        Raises:
            ForeignFile: its folder is a link.
            OSError: the disk is full, or the system refuses it otherwise. The earlier file stays.
        """
        part = f"{PART}{secrets.token_hex(8)}"
        with _open_folder(self.parent) as folder:
            try:
                with os.fdopen(folder.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
                descriptor = folder.descriptor
                os.replace(folder.name(part), folder.name(self.name), src_dir_fd=descriptor, dst_dir_fd=descriptor)
                folder.settle()
            except OSError:
                with suppress(OSError):
                    folder.remove(part)
                raise

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Remove the file, or the link that has its name; raises OSError."""
        try:
            with _open_folder(self.parent) as folder:
                folder.remove(self.name)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def remove_folder(self) -> None:
        """Remove the folder with all that it holds; raises OSError."""
        with _open_folder(self.parent) as folder:
            shutil.rmtree(folder.name(self.name), dir_fd=folder.descriptor)

    def _mode(self) -> int:
        """The kind and rights of what has the name; 0 for nothing."""
        try:
            return self.stat().st_mode
        except (FileNotFoundError, NotADirectoryError, ForeignFile):
            return 0


@dataclass(frozen=True, slots=True)
class _Folder:
    """An opened folder, as system calls take it."""

    path: Path
    descriptor: int | None = None
    """None on Windows, where a path has to do."""

    def names(self) -> list[str]:
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as entries:
            return sorted(entry.name for entry in entries)

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)

    def name(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def stat(self, name: str) -> os.stat_result:
        return os.stat(self.name(name), dir_fd=self.descriptor, follow_symlinks=False)

    def stat_no_link(self, name: str) -> os.stat_result:
        status = self.stat(name)
        if _is_link(status):
            raise ForeignFile(errno.ELOOP, _LINK, str(self.path / name))
        return status

    def open(self, name: str, flags: int, mode: int = 0) -> int:
        """The descriptor of a regular file."""
        if not flags & os.O_CREAT:
            self.stat_no_link(name)
        descriptor = os.open(self.name(name), flags | _SAFE, mode or _USUAL, dir_fd=self.descriptor)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ForeignFile(errno.EINVAL, _NO_FILE, str(self.path / name))
        return descriptor

    def open_inner(self, name: str) -> int:
        """The descriptor of a folder within."""
        if not stat.S_ISDIR(self.stat_no_link(name).st_mode):
            raise ForeignFile(errno.ENOTDIR, "it is no folder", str(self.path / name))
        return os.open(name, _FOLDER | _flags("O_NOFOLLOW"), dir_fd=self.descriptor)

    def remove(self, name: str) -> None:
        os.unlink(self.name(name), dir_fd=self.descriptor)

    def settle(self) -> None:
        """Make a new name survive a power failure; Windows needs no call for that."""
        if self.descriptor is not None:
            os.fsync(self.descriptor)


def _check_own(status: os.stat_result, file: FolderFile) -> None:
    """Refuse a status that is not of a regular file with one name."""
    if _is_link(status):
        raise ForeignFile(errno.ELOOP, _LINK, str(file))
    if not stat.S_ISREG(status.st_mode):
        raise ForeignFile(errno.EINVAL, _NO_FILE, str(file))
    if status.st_nlink > 1:
        raise ForeignFile(errno.EMLINK, "it has a second name, a hard link", str(file))


def _is_link(status: os.stat_result) -> bool:
    """Whether it is a symbolic link, or a junction of Windows."""
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


@contextmanager
def _open_folder(folder: FolderFile) -> Iterator[_Folder]:
    """The folder, opened part by part."""
    if not _BY_DESCRIPTOR:
        for count, part in enumerate(folder.parts):
            _Folder(folder.root.joinpath(*folder.parts[:count])).stat_no_link(part)
        yield _Folder(folder.path)
        return
    inner = _Folder(folder.root, os.open(folder.root, _FOLDER))
    try:
        for part in folder.parts:
            outer, inner = inner, _Folder(inner.path / part, inner.open_inner(part))
            outer.close()
        yield inner
    finally:
        inner.close()
