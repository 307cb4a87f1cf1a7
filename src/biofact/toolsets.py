"""The registry of toolsets above the sources, with an entry for each. Sources are found by their folders.

An entry costs no import: its client and its commands are named by reference. Its package holds ``client``'s module,
``examples.py``, and what ``make docs`` writes, ``tools.json`` and ``commands.json``; ``PUBLIC_NAMES`` lists what
``biofact`` offers of it.
"""

import importlib
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact import sources

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.tool import Example
    from biofact.protocol.client import LifeSciencesClient


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands around a toolset that are no tool's, such as those of ``biofact corpus``."""

    name: str
    section: str
    """The heading above it in the overview of all commands."""
    help: str
    app: str
    """The function that makes the group out of its help text, as ``package.module:function``."""

    def make_app(self) -> Any:
        """The group with its commands, imported."""
        return _imported(self.app)(self.help)


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
    groups: tuple[CommandGroup, ...] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    """Commands that do more than their tool, by their word: each a function, as ``package.module:function``."""

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
        client: type[LifeSciencesClient] = _imported(self.client)
        return client

    @property
    def examples(self) -> "tuple[Example, ...]":
        """The calls that show its tools."""
        examples: tuple[Example, ...] = importlib.import_module(f"{self.package}.examples").EXAMPLES
        return examples


def _imported(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


REGISTERED: tuple[Toolset, ...] = (
    Toolset(
        "identity",
        "biofact.identity.client:IdentityClient",
        advice=(
            "A column of names, or a name of unknown kind: `resolve` takes 200 and gives their IDs in all databases."
        ),
        commands={"resolve": "biofact.interfaces.cli.builtin_commands:resolve"},  # the tool takes 200 names at most
    ),
    Toolset(
        "literature",
        "biofact.literature.pipeline:Pipeline",
        extends="pubmed",
        groups=(
            CommandGroup(
                "literature",
                "Reviewing",
                "Literature reviews from a goal to a report, and models trained on the labels of reviewers.",
                "biofact.interfaces.cli.literature:literature_app",
            ),
            CommandGroup(
                "corpus",
                "Reviewing",
                "The literature pipeline over millions of articles in files: "
                "by processes, on Dask, as an array of jobs.",
                "biofact.interfaces.cli.literature:corpus_app",
            ),
        ),
    ),
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


def command_groups() -> dict[str, CommandGroup]:
    """The groups of commands of all toolsets, by name."""
    return {group.name: group for toolset in REGISTERED for group in toolset.groups}


def command_function(word: str) -> Any:
    """The function of a command that does more than its tool, imported; None for every other command."""
    references = {name: reference for toolset in REGISTERED for name, reference in toolset.commands.items()}
    return _imported(references[word]) if word in references else None


def client_names() -> tuple[str, ...]:
    """The attributes of ``Clients``: the sources and the registered toolsets."""
    return tuple(sorted((*sources.names(), *(toolset.name for toolset in REGISTERED))))


def client_class(name: str) -> "type[LifeSciencesClient]":
    """The class of a client by its attribute; imports what it needs and no more."""
    toolset = find(name)
    return sources.client_class(name) if toolset is None else toolset.client_class
