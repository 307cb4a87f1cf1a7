"""What is wrong with the values of settings, as far as their form tells. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from biofact.core.settings import OFF, ON, Setting, Settings

_WEB = ("http", "https")
_REDIS = ("redis", "rediss", "unix")


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
