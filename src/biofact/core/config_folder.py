"""Where programs keep what a user has configured, on each system. Pure."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import TypeVar

PathType = TypeVar("PathType", bound=PurePath)


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
