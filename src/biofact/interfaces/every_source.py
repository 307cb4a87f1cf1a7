"""The sources there are, each with all the tools that stand beside its own, and the toolsets above them."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from biofact import sources
from biofact import toolsets as registry
from biofact.interfaces import listed_commands
from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.listing import FILE, SourceListing

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
    whole, *extensions = [SourceListing.read(folder / FILE) for folder in _folders(name)]
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
    return tuple(
        command for folder in _folders(name) for command in listed_commands.read(folder / listed_commands.FILE)
    )


def listings(*chosen: str) -> dict[Path, SourceListing]:
    """What each of those files has to say, from the declarations; of the toolsets named, or else of all."""
    from biofact.interfaces.declarations import listing as declared  # noqa: PLC0415

    texts: dict[Path, SourceListing] = {}
    for name in chosen or toolsets():
        whole = texts[_folders(name)[0] / FILE] = declared(registry.client_class(name))
        for extension in registry.extensions(name):
            base, whole = whole, declared(extension.client_class)
            texts[extension.folder / FILE] = whole.beyond(base)
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
