"""The file of an audit log, and the settings that name it."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biofact.core.settings import Setting, declare
from biofact.transport.private_files import identity

FILE = declare(Setting("BIOFACT_AUDIT_LOG", "File to which a gateway adds who asked what, a line of JSON a call."))
REQUIRED = declare(
    Setting(
        "BIOFACT_AUDIT_REQUIRED",
        "Withhold the answers of calls that the audit log does not take.",
        is_switch=True,
    )
)


class AuditFile:
    """A file that takes lines from several processes; only its owner can read it.

    A line is one write at the end of the file (``O_APPEND``), so that lines of several workers do not mix. Where the
    file was moved or deleted, as by logrotate, the next line begins a new file under the old name.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            OSError: it cannot be opened, or others could read or write it.
        """
        self._path = path
        self._descriptor = -1
        self._identity: tuple[int, int] | None = None
        self._open()

    def add(self, line: Mapping[str, Any]) -> None:
        """Add a line.

        Raises:
            OSError: the file did not take the whole line.
        """
        if self._descriptor < 0 or self._identity != identity(self._path):
            self.close()
            self._open()
        text = json.dumps(line, default=str).encode() + b"\n"
        size = os.write(self._descriptor, text)
        if size < len(text):
            os.write(self._descriptor, b"\n")  # so that the next line does not follow half of this one
            raise OSError(f"only {size} of {len(text)} bytes were written")

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor, self._identity = -1, None

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):  # the last: opening a pipe without a reader would block
            flags |= getattr(os, name, 0)
        self._descriptor = os.open(self._path, flags, 0o600)
        status = os.fstat(self._descriptor)
        if os.name == "posix" and (not stat.S_ISREG(status.st_mode) or stat.S_IMODE(status.st_mode) & 0o077):
            self.close()
            raise PermissionError("it is no file that only its owner can read and write")
        self._identity = status.st_dev, status.st_ino
