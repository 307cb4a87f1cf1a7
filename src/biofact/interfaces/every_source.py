"""The sources there are, each with all the tools that stand beside its own: PubMed's with the literature pipeline's."""

from typing import TYPE_CHECKING

from biofact import sources

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.example import Example
    from biofact.transport.client import LifeSciencesClient

_WITH_PIPELINE = "pubmed"


def names() -> tuple[str, ...]:
    """The sources by name."""
    return sources.names()


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client that has a source's tools; imports that source and no other."""
    if name == _WITH_PIPELINE:
        from biofact.literature.pipeline import Pipeline  # noqa: PLC0415

        return Pipeline
    return sources.client_class(name)


def examples(name: str) -> "tuple[Example, ...]":
    """The calls that show a source's tools."""
    own = sources.examples(name)
    if name == _WITH_PIPELINE:
        from biofact.literature.examples import EXAMPLES  # noqa: PLC0415

        return (*own, *EXAMPLES)
    return own
