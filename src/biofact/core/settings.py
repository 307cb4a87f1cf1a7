"""Settings: their type, their registry, their values from environment and files, and faults in these values.

A secret may stand in a file of its own, as Docker and systemd hand them over: a folder with a file for each setting,
named as the setting. The environment can be read by whoever may look at the process; a file has an owner.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, TypeVar
from urllib.parse import urlsplit

PathType = TypeVar("PathType", bound=PurePath)
SettingForm = Literal["text", "url", "redis", "switch", "count"]
ON = frozenset(("1", "true", "yes", "on"))
OFF = frozenset(("0", "false", "no", "off"))
FOLDER = "BIOFACT_SECRETS_DIR"
_SYSTEMD_FOLDER = "CREDENTIALS_DIRECTORY"
_NAME = re.compile(r"(BIOFACT|NCBI|OTEL)_[A-Z0-9_]+")
_WEB = ("http", "https")
_REDIS = ("redis", "rediss", "unix")


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable: what it changes, and what holds without it."""

    name: str
    meaning: str
    default: str = ""
    is_secret: bool = False
    example: str = ""
    """A value, where there is no default."""
    is_switch: bool = False

    @property
    def form(self) -> SettingForm:
        """The form of its value, as the default or the example shows it."""
        if self.is_switch:
            return "switch"
        if self.example.isdecimal():
            return "count"
        scheme = (self.default or self.example).partition("://")[0]
        return "url" if scheme in {"http", "https"} else "redis" if scheme == "redis" else "text"


_registry: dict[str, Setting] = {}


def declare(setting: Setting) -> Setting:
    """Add a setting to the collection; returns it, so that a declaration is one line."""
    _registry[setting.name] = setting
    return setting


def declared_settings() -> tuple[Setting, ...]:
    """All settings of the parts imported so far."""
    return tuple(_registry.values())


declare(
    Setting(
        FOLDER,
        "Folder with a file for each setting that is secret, named as the setting; by default systemd's credentials.",
    )
)


class Settings:
    """Settings as read from an environment; values are stripped, empty means not set.

    A setting that this process' own environment lacks may stand in a file.

    Raises:
        SecretNotRead: a file that is there cannot be read.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(os.environ if environment is None else environment)
        self._in_files: frozenset[str] = frozenset()
        if environment is None:
            # only for the process' own environment: a test's or caller's is complete
            files = settings_in_files(os.environ)
            self._in_files = frozenset(name for name in files if not os.environ.get(name, "").strip())
            self._environment |= {name: files[name] for name in self._in_files}

    def __getitem__(self, setting: Setting) -> str:
        return self._environment.get(setting.name, "").strip() or setting.default

    def is_set(self, setting: Setting) -> bool:
        """Whether the environment or a file gives it."""
        return bool(self._environment.get(setting.name, "").strip())

    def is_in_file(self, setting: Setting) -> bool:
        """Whether its value is from a file, not from the environment."""
        return setting.name in self._in_files and self.is_set(setting)

    def is_on(self, setting: Setting) -> bool:
        """Whether it reads as yes."""
        return self[setting].lower() in ON

    def with_changes(self, changes: Mapping[str, str]) -> "Settings":
        """A copy with some variables changed."""
        return Settings({**self._environment, **changes})

    def secrets(self) -> tuple[str, ...]:
        """The values that no log, error, cache key or provenance may show."""
        return tuple(self[s] for s in declared_settings() if s.is_secret and self[s])


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
    if path := environment.get(FOLDER, "").strip():
        return Path(path)
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


def _not_read(place: str, error: OSError) -> SecretNotRead:
    return SecretNotRead(f"{place} cannot be read: {(error.strerror or str(error)).lower()}")


@dataclass(frozen=True, slots=True)
class SettingFault:
    """A setting whose value cannot be read, and what its value looks like."""

    setting: Setting
    expected: str


def setting_faults(settings: Settings, declared: Iterable[Setting]) -> Iterator[SettingFault]:
    """The settings that have a value of another form than their own."""
    for setting in declared:
        value = settings[setting]
        if value and not _fits(setting.form, value):
            expected = setting.default or setting.example
            yield SettingFault(setting, f"a value like {expected}" if expected else "yes or no")


def _fits(form: str, value: str) -> bool:
    match form:
        case "url":
            return _is_url(value, _WEB)
        case "redis":
            return _is_url(value, _REDIS)
        case "count":
            return value.isascii() and value.isdecimal() and int(value) > 0
        case "switch":
            return value.lower() in ON | OFF
    return True


def _is_url(value: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(value)
        has_place = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return parts.scheme in schemes and (has_place or parts.scheme == "unix") and not any(map(str.isspace, value))


def config_folder(platform: str, environment: Mapping[str, str], home: PathType) -> PathType:
    """The folder of all programs; ``platform`` is written as in ``sys.platform``, the path of the kind of ``home``."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return folder_of(environment, "APPDATA", home / "AppData" / "Roaming")
    return folder_of(environment, "XDG_CONFIG_HOME", home / ".config")


def folder_of(environment: Mapping[str, str], variable: str, default: PathType) -> PathType:
    """The folder that a variable names, else the default."""
    folder = environment.get(variable, "").strip()
    return type(default)(folder) if folder else default
