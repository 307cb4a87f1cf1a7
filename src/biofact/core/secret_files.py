"""Settings that stand in files: a folder with a file for each, named as the setting, as Docker and systemd hand them.

What stands in the environment can be read by whoever may look at the process; a file has an owner.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = "BIOFACT_SECRETS_DIR"
_SYSTEMD_FOLDER = "CREDENTIALS_DIRECTORY"
_NAME = re.compile(r"(BIOFACT|NCBI|OTEL)_[A-Z0-9_]+")


class SecretNotRead(OSError):
    """A file of the folder cannot be read, or the folder that a setting names is not there."""


def settings_in_files(environment: Mapping[str, str]) -> dict[str, str]:
    """The value of each setting that has a file, by its name; empty without a folder.

    Raises:
        SecretNotRead: the folder is not there, or a file is no text that we may read.
    """
    folder = _folder(environment)
    return {file.name: _text(file) for file in _files(folder)} if folder else {}


def _folder(environment: Mapping[str, str]) -> Path | None:
    if chosen := environment.get(FOLDER, "").strip():
        return Path(chosen)
    credentials = Path(environment.get(_SYSTEMD_FOLDER, "").strip() or os.devnull)
    return credentials if credentials.is_dir() else None  # a shell may have outlived the service that it came from


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if _NAME.fullmatch(file.name))
    except OSError as error:
        raise _not_read(f"The folder of secrets {str(folder)!r}", error) from error


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except OSError as error:
        raise _not_read(f"The secret {str(file)!r}", error) from error
    except UnicodeDecodeError:  # it quotes what it found
        raise SecretNotRead(f"The secret {str(file)!r} is not text") from None


def _not_read(what: str, error: OSError) -> SecretNotRead:
    return SecretNotRead(f"{what} cannot be read: {(error.strerror or str(error)).lower()}")
