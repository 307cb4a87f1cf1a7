"""The command that starts this very biofact from anywhere, without PATH: what a client's entry holds. Pure."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

PACKAGE = "biofact"
_UV_CACHE = re.compile(r"(archive|builds|environments)-v\d+")
_PIPX_CACHE = ".cache"


class NoLastingCommand(ValueError):
    """Nothing can start the biofact that runs from another folder, or at another time."""


@dataclass(frozen=True, slots=True)
class Installation:
    """What is known of the biofact that runs."""

    executable: PurePath
    """Of Python."""
    prefix: PurePath
    """The folder of the environment."""
    platform: str
    is_installed: bool
    """Else Python finds it in a folder of sources, by a variable or by the folder that it was started in."""
    origin: str | None
    """``direct_url.json`` of the distribution (PEP 610): what was installed, where that was no package of an index."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """Words that start the server, the first a file; and why these, where that is not obvious."""

    words: tuple[str, ...]
    reason: str = ""

    def serving(self, *arguments: str) -> "ServerCommand":
        """The same with ``serve`` and its arguments behind it."""
        return ServerCommand((*self.words, "serve", *arguments), self.reason)


def server_command(
    installation: Installation,
    exists: Callable[[PurePath], bool],
    find: Callable[[str], str | None],
    environment: Mapping[str, str],
) -> ServerCommand:
    """How to start biofact again; ``find`` looks for a program on the PATH.

    Raises:
        NoLastingCommand: it is not installed, or only in a temporary environment whose maker is not to be found.
    """
    suffix = ".exe" if installation.platform == "win32" else ""
    if any(_UV_CACHE.fullmatch(part) for part in installation.prefix.parts):
        beside = type(installation.executable)(environment.get("UV", "uv")).with_name(f"uvx{suffix}")
        return _made_anew("uvx", str(beside) if exists(beside) else find("uvx"), ("--from",), installation)
    if installation.prefix.parent.name == _PIPX_CACHE and exists(installation.prefix / "pipx_metadata.json"):
        return _made_anew("pipx", find("pipx"), ("run", "--spec"), installation)
    script = installation.executable.with_name(f"{PACKAGE}{suffix}")
    if exists(script):
        return ServerCommand((str(script),))
    if not installation.is_installed:
        raise NoLastingCommand(f"This biofact is not installed for {installation.executable}.")
    reason = f"there is no {script.name} beside {installation.executable}"
    return ServerCommand(
        (str(installation.executable), "-P", "-m", PACKAGE), reason
    )  # -P: no module of a client's folder


def _made_anew(runner: str, path: str | None, words: tuple[str, ...], installation: Installation) -> ServerCommand:
    if path is None:
        raise NoLastingCommand(f"This biofact is a temporary one, and {runner}, which made it, is not to be found.")
    *before, option = words
    requirement = _requirement(installation.origin)
    chosen = (option, requirement) if requirement else ()
    reason = f"this biofact lies in a cache that is emptied now and then; {runner} makes it anew at each start"
    return ServerCommand((path, *before, *chosen, PACKAGE), reason)


def _requirement(origin: str | None) -> str:
    """What was installed, as pip writes it; empty for the package of an index."""
    if origin is None:
        return ""
    source: dict[str, Any] = json.loads(origin)
    vcs = source.get("vcs_info")
    url = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
    return f"{PACKAGE} @ {url}"
