"""The sources there are, each with all the tools that stand beside its own: PubMed's with the literature pipeline's.

Above them stands ``identity``, which asks all of them: its tools can be called, but it is no source.
"""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from biofact import identity, sources
from biofact.interfaces import listed_commands
from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.listing import FILE, SourceListing

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.example import Example
    from biofact.interfaces.journey import Journey
    from biofact.protocol.client import LifeSciencesClient

_WITH_PIPELINE = "pubmed"
_LITERATURE = Path(__file__).parents[1] / "literature"
_IDENTITY = Path(__file__).parents[1] / "identity"


def names() -> tuple[str, ...]:
    """The sources by name."""
    return sources.names()


def toolsets() -> tuple[str, ...]:
    """Whatever has tools, by name: what asks all sources, and the sources."""
    return (identity.TOOLSET, *sources.names())


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client that has the tools of a toolset; imports that source and no other."""
    if name == identity.TOOLSET:
        from biofact.identity.client import IdentityClient  # noqa: PLC0415

        return IdentityClient
    if name == _WITH_PIPELINE:
        from biofact.literature.pipeline import Pipeline  # noqa: PLC0415

        return Pipeline
    return sources.client_class(name)


@functools.cache
def listing(name: str) -> SourceListing:
    """What a toolset offers, from the files that hold it; imports no source."""
    if name == identity.TOOLSET:
        return SourceListing.read(_IDENTITY / FILE)
    own = SourceListing.read(sources.folder(name) / FILE)
    return SourceListing.read(_LITERATURE / FILE).after(own) if name == _WITH_PIPELINE else own


def journeys() -> "tuple[Journey, ...]":
    """What leads through several tools."""
    from biofact.interfaces import journey  # noqa: PLC0415  # most clients ask for tools only

    return journey.journeys()


@functools.cache
def commands(name: str) -> tuple[ListedCommand, ...]:
    """The commands of a toolset, from the files that hold them; imports no source."""
    if name == identity.TOOLSET:
        return listed_commands.read(_IDENTITY / listed_commands.FILE)
    own = listed_commands.read(sources.folder(name) / listed_commands.FILE)
    return (*own, *listed_commands.read(_LITERATURE / listed_commands.FILE)) if name == _WITH_PIPELINE else own


def listings(*chosen: str) -> dict[Path, SourceListing]:
    """What each of those files has to say, from the declarations; of the sources named, or else of all."""
    from biofact.interfaces.declarations import listing as declared  # noqa: PLC0415

    own = {name: declared(sources.client_class(name)) for name in chosen or names() if name != identity.TOOLSET}
    listed = {sources.folder(name) / FILE: source for name, source in own.items()}
    if _WITH_PIPELINE in own:
        listed[_LITERATURE / FILE] = declared(client_class(_WITH_PIPELINE)).beyond(own[_WITH_PIPELINE])
    if not chosen or identity.TOOLSET in chosen:
        listed[_IDENTITY / FILE] = declared(client_class(identity.TOOLSET))
    return listed


def examples(name: str) -> "tuple[Example, ...]":
    """The calls that show the tools of a toolset."""
    if name == identity.TOOLSET:
        from biofact.identity.examples import EXAMPLES as OF_ALL  # noqa: PLC0415

        return OF_ALL
    own = sources.examples(name)
    if name == _WITH_PIPELINE:
        from biofact.literature.examples import EXAMPLES  # noqa: PLC0415

        return (*own, *EXAMPLES)
    return own
