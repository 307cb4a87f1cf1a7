"""The type of a setting, and the collection of those that parts declare. All are optional."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from biofact.core import secret_files

SettingForm = Literal["text", "url", "redis", "switch", "count"]
ON = frozenset(("1", "true", "yes", "on"))
OFF = frozenset(("0", "false", "no", "off"))


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
        """What its value is: the default or the example shows it."""
        if self.is_switch:
            return "switch"
        if self.example.isdecimal():
            return "count"
        scheme = (self.default or self.example).partition("://")[0]
        return "url" if scheme in {"http", "https"} else "redis" if scheme == "redis" else "text"


_declared: dict[str, Setting] = {}


def declare(setting: Setting) -> Setting:
    """Add a part's setting to the collection; returns it, so that a declaration is one line."""
    _declared[setting.name] = setting
    return setting


def declared() -> tuple[Setting, ...]:
    """All settings of the parts imported so far."""
    return tuple(_declared.values())


declare(
    Setting(
        "BIOFACT_SECRETS_DIR",
        "Folder with a file for each setting that is secret, named as the setting; by default systemd's credentials.",
    )
)


class Settings:
    """Settings as read from an environment; values are stripped, empty means not set.

    Of this process' own environment what is not set may stand in a file.

    Raises:
        SecretNotRead: a file that is there cannot be read.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(os.environ if environment is None else environment)
        self._in_files: frozenset[str] = frozenset()
        if environment is None:
            files = secret_files.settings_in_files(os.environ)
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

    def replaced(self, changes: Mapping[str, str]) -> "Settings":
        """A copy with some variables changed."""
        return Settings({**self._environment, **changes})

    def secrets(self) -> tuple[str, ...]:
        """The values that no log, error, cache key or provenance may show."""
        return tuple(self[s] for s in declared() if s.is_secret and self[s])
