"""The registry of toolsets above the sources, with an entry for each. Sources are found by their folders.

An entry costs no import: its client is named by reference. Its package holds ``client``'s module, ``examples.py``, and
what ``make docs`` writes, ``tools.json`` and ``commands.json``; ``PUBLIC_NAMES`` lists what ``biofact`` offers of it.
"""

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biofact import sources

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.tool import Example
    from biofact.protocol.client import LifeSciencesClient


@dataclass(frozen=True, slots=True)
class Toolset:
    """A client whose tools go beyond one source's own."""

    name: str
    """The attribute of ``Clients``, and the prefix of references to its tools, as in ``identity.resolve``."""
    client: str
    """The class, as ``package.module:Class``."""
    extends: str | None = None
    """The source whose client this one extends: its tools have that source's prefix, on the gateway and the source's
    own server. The tools of a toolset without one have bare names, and are on the gateway alone.
    """
    advice: str = ""
    """A sentence for the gateway's instructions to agents."""

    @property
    def package(self) -> str:
        """The package of the client."""
        return self.client.partition(":")[0].rpartition(".")[0]

    @property
    def folder(self) -> Path:
        """The package's folder; found without importing it."""
        spec = importlib.util.find_spec(self.package)
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError(f"There is no package {self.package}.", name=self.package)
        return Path(next(iter(spec.submodule_search_locations)))

    @property
    def client_class(self) -> "type[LifeSciencesClient]":
        """The class, imported."""
        module, _, name = self.client.partition(":")
        client: type[LifeSciencesClient] = getattr(importlib.import_module(module), name)
        return client

    @property
    def examples(self) -> "tuple[Example, ...]":
        """The calls that show its tools."""
        examples: tuple[Example, ...] = importlib.import_module(f"{self.package}.examples").EXAMPLES
        return examples


REGISTERED: tuple[Toolset, ...] = (
    Toolset(
        "identity",
        "biofact.identity.client:IdentityClient",
        advice=(
            "A column of names, or a name of unknown kind: `resolve` takes 200 and gives their IDs in all databases."
        ),
    ),
    Toolset("literature", "biofact.literature.pipeline:Pipeline", extends="pubmed"),
)


def find(name: str) -> Toolset | None:
    """The registered toolset of this name; None for a source."""
    return next((toolset for toolset in REGISTERED if toolset.name == name), None)


def extensions(source: str) -> Iterator[Toolset]:
    """The toolsets that extend a source, each after the one that it builds upon."""
    return (toolset for toolset in REGISTERED if toolset.extends == source)


def is_above_sources(name: str) -> bool:
    """Whether references of this name are to a toolset of its own, which asks all sources."""
    toolset = find(name)
    return toolset is not None and toolset.extends is None


def above_sources() -> tuple[str, ...]:
    """The toolsets with tools of their own, which extend no source."""
    return tuple(toolset.name for toolset in REGISTERED if toolset.extends is None)


def client_names() -> tuple[str, ...]:
    """The attributes of ``Clients``: the sources and the registered toolsets."""
    return tuple(sorted((*sources.names(), *(toolset.name for toolset in REGISTERED))))


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The class of a client by its attribute; imports what it needs and no more."""
    toolset = find(name)
    return sources.client_class(name) if toolset is None else toolset.client_class
