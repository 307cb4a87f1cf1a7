"""The sources there are, each with all the tools that stand beside its own, and the toolsets above them."""

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
    """The sources by name."""
    return sources.names()


def toolsets() -> tuple[str, ...]:
    """Whatever has tools, by name: the toolsets above the sources, and the sources."""
    return (*registry.above_sources(), *sources.names())


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client that has the tools of a toolset; imports what it needs and no more."""
    extensions = tuple(registry.extensions(name))
    return extensions[-1].client_class if extensions else registry.client_class(name)


@functools.cache
def listing(name: str) -> SourceListing:
    """What a toolset offers, from the files that hold it; imports no source."""
    whole, *extensions = [SourceListing.read(folder / TOOLS_FILE) for folder in _folders(name)]
    for extension in extensions:
        whole = extension.after(whole)
    return whole


def journeys() -> "tuple[Journey, ...]":
    """What leads through several tools."""
    from biofact.interfaces import journey  # noqa: PLC0415  # most clients ask for tools only

    return journey.journeys()


@functools.cache
def commands(name: str) -> tuple[ListedCommand, ...]:
    """The commands of a toolset, from the files that hold them; imports no source."""
    return tuple(command for folder in _folders(name) for command in read_commands(folder / COMMANDS_FILE))


def listings(*chosen: str) -> dict[Path, SourceListing]:
    """The content of each ``tools.json``, from the declarations; of the toolsets named, or else of all."""
    from biofact.interfaces import declarations  # noqa: PLC0415

    by_file: dict[Path, SourceListing] = {}
    for name in chosen or toolsets():
        whole = by_file[_folders(name)[0] / TOOLS_FILE] = declarations.listing(registry.client_class(name))
        for extension in registry.extensions(name):
            base, whole = whole, declarations.listing(extension.client_class)
            by_file[extension.folder / TOOLS_FILE] = whole.beyond(base)
    return by_file


def files(*chosen: str) -> dict[Path, str]:
    """The text of each ``tools.json`` and ``commands.json``; of the toolsets named, or else of all."""
    from biofact.interfaces import declarations  # noqa: PLC0415

    by_file = listings(*chosen)
    declared = [
        command
        for name in chosen or toolsets()
        for command in declarations.commands(client_class(name), examples(name))
    ]
    texts = {file: tools.text() for file, tools in by_file.items()}
    for file, tools in by_file.items():
        own = tuple(command for command in declared if command.ref in tools.refs())
        texts[file.with_name(COMMANDS_FILE)] = commands_text(own)
    return texts


def examples(name: str) -> "tuple[Example, ...]":
    """The calls that show the tools of a toolset."""
    toolset = registry.named(name)
    own = sources.examples(name) if toolset is None else toolset.examples
    return (*own, *(example for extension in registry.extensions(name) for example in extension.examples))


def _folders(name: str) -> tuple[Path, ...]:
    """The folders of a toolset: its own first, then those of its extensions."""
    toolset = registry.named(name)
    own = sources.folder(name) if toolset is None else toolset.folder
    return (own, *(extension.folder for extension in registry.extensions(name)))
