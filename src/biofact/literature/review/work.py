"""Answers that a run has received so far, a file each, so that no request is made twice."""

import hashlib
from pathlib import Path

from biofact.literature import files

_DIGEST_BYTES = 16


def digest(*parts: str) -> str:
    """A name for a question: the same question has the same."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_DIGEST_BYTES).hexdigest()


class Work:
    """Files by name under one folder. Each begins with a checksum line."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        """Names of files whose checksum is wrong; their content is requested again."""
        for inner in (folder, *(one for one in folder.iterdir() if one.is_dir())):
            files.sweep(inner)

    def find(self, name: str) -> bytes | None:
        """What was kept under a name; None if there is nothing, or nothing that can be trusted."""
        try:
            mark, _, content = (self._folder / name).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError:
            mark, content = b"", b""
        if mark == _mark(name, content):
            return content
        self.damaged.append(name)
        return None

    def keep(self, name: str, content: bytes) -> bytes:
        """Keep something; it is on the disk when this returns.

        Raises:
            WriteFailed: the system refuses the write.
        """
        file = self._folder / name
        if not file.parent.is_dir():
            files.make_folder(file.parent)
        files.write(file, _mark(name, content) + b"\n" + content)
        return content


def _mark(name: str, content: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + b"\0" + content, digest_size=_DIGEST_BYTES).hexdigest().encode()
