"""The catalog: all sources, each with the tools of its extensions, and the toolsets above them."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from biofact import sources
from biofact import toolsets as registry
from biofact.interfaces.listing import (
    COMMANDS_FILE,
    TOOLS_FILE,
    ListedCommand,
    SourceListing,
    commands_text,
    read_commands,
)

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.tool import Example
    from biofact.interfaces.journey import Journey
    from biofact.protocol.client import LifeSciencesClient


def names() -> tuple[str, ...]:
    """The names of the sources."""
    return sources.names()


def toolsets() -> tuple[str, ...]:
    """The names of all toolsets: those above the sources, then the sources."""
    return (*registry.above_sources(), *sources.names())


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client that has the tools of a toolset; imports what it needs and no more."""
    extensions = tuple(registry.extensions(name))
    return extensions[-1].client_class if extensions else registry.client_class(name)


@functools.cache
def listing(name: str) -> SourceListing:
    """The listing of a toolset, from generated files; imports no source."""
    whole, *extensions = [SourceListing.read(folder / TOOLS_FILE) for folder in _folders(name)]
    for extension in extensions:
        whole = extension.after(whole)
    return whole


def journeys() -> "tuple[Journey, ...]":
    """The journeys through several tools."""
    from biofact.interfaces import journey  # noqa: PLC0415  # most clients ask for tools only

    return journey.journeys()


@functools.cache
def commands(name: str) -> tuple[ListedCommand, ...]:
    """The commands of a toolset, from generated files; imports no source."""
    return tuple(command for folder in _folders(name) for command in read_commands(folder / COMMANDS_FILE))


def listings(*selected: str) -> dict[Path, SourceListing]:
    """The content of each ``tools.json`` by file, from the declarations of the toolsets named, or of all."""
    from biofact.interfaces import declarations  # noqa: PLC0415

    by_file: dict[Path, SourceListing] = {}
    for name in selected or toolsets():
        whole = by_file[_folders(name)[0] / TOOLS_FILE] = declarations.listing(registry.client_class(name))
        for extension in registry.extensions(name):
            base, whole = whole, declarations.listing(extension.client_class)
            by_file[extension.folder / TOOLS_FILE] = whole.without(base)
    return by_file


def files(*selected: str) -> dict[Path, str]:
    """The text of each ``tools.json`` and ``commands.json`` by file, of the toolsets named, or of all."""
    from biofact.interfaces import declarations  # noqa: PLC0415

    by_file = listings(*selected)
    all_commands = [
        command
        for name in selected or toolsets()
        for command in declarations.commands(client_class(name), examples(name))
    ]
    texts = {file: tools.text() for file, tools in by_file.items()}
    for file, tools in by_file.items():
        commands_of_file = tuple(command for command in all_commands if command.ref in tools.refs())
        texts[file.with_name(COMMANDS_FILE)] = commands_text(commands_of_file)
    return texts


def examples(name: str) -> "tuple[Example, ...]":
    """The example calls of a toolset's tools."""
    toolset = registry.find(name)
    base = sources.examples(name) if toolset is None else toolset.examples
    return (*base, *(example for extension in registry.extensions(name) for example in extension.examples))


def _folders(name: str) -> tuple[Path, ...]:
    """The folders of a toolset: its own first, then those of its extensions."""
    toolset = registry.find(name)
    base = sources.folder(name) if toolset is None else toolset.folder
    return (base, *(extension.folder for extension in registry.extensions(name)))
