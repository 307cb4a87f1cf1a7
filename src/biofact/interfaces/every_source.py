"""The sources there are, each with all the tools that stand beside its own: PubMed's with the literature pipeline's."""

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from biofact import sources
from biofact.interfaces.listing import FILE, SourceListing

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.example import Example
    from biofact.protocol.client import LifeSciencesClient

_WITH_PIPELINE = "pubmed"
_LITERATURE = Path(__file__).parents[1] / "literature"


def names() -> tuple[str, ...]:
    """The sources by name."""
    return sources.names()


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client that has a source's tools; imports that source and no other."""
    if name == _WITH_PIPELINE:
        from biofact.literature.pipeline import Pipeline  # noqa: PLC0415

        return Pipeline
    return sources.client_class(name)


@functools.cache
def listing(name: str) -> SourceListing:
    """What a source offers, from the files that hold it; imports no source."""
    own = SourceListing.read(sources.folder(name) / FILE)
    return SourceListing.read(_LITERATURE / FILE).after(own) if name == _WITH_PIPELINE else own


def listings(*chosen: str) -> dict[Path, SourceListing]:
    """What each of those files has to say, from the declarations; of the sources named, or else of all."""
    from biofact.interfaces.declarations import listing as declared  # noqa: PLC0415

    own = {name: declared(sources.client_class(name)) for name in chosen or names()}
    listed = {sources.folder(name) / FILE: source for name, source in own.items()}
    if _WITH_PIPELINE in own:
        listed[_LITERATURE / FILE] = declared(client_class(_WITH_PIPELINE)).beyond(own[_WITH_PIPELINE])
    return listed


def examples(name: str) -> "tuple[Example, ...]":
    """The calls that show a source's tools."""
    own = sources.examples(name)
    if name == _WITH_PIPELINE:
        from biofact.literature.examples import EXAMPLES  # noqa: PLC0415

        return (*own, *EXAMPLES)
    return own
