"""The generated listings of a toolset: its tools and resources for servers, its commands for help and ``biofact find``.

A server lists its tools from them before any source is imported. ``make docs`` writes them from the declarations.
Texts name tools by reference, as ``entrez.search_genes``; each server spells them in its own way.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from biofact.core.errors import ToolRef
from biofact.core.json_schema import Schema

TOOLS_FILE = "tools.json"
COMMANDS_FILE = "commands.json"
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """The fields that all entries have."""

    ref: ToolRef
    title: str
    description: str
    input_schema: Schema

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Self:
        """The entry in a JSON object."""
        return cls(**{**entry, "ref": ToolRef(**entry["ref"])})


@dataclass(frozen=True, slots=True)
class ListedTool(ListedEntry):
    """A tool as a client sees it."""

    output_schema: Schema
    asks_services: bool
    is_heavy: bool


@dataclass(frozen=True, slots=True)
class ListedResource(ListedEntry):
    """A text or file under a URI, or under a URI for each ID."""

    uri: str
    mime_type: str

    @property
    def parameters(self) -> dict[str, Schema]:
        """The schemas of the URI's parameters, such as ``{chembl_id}``, by name."""
        properties: dict[str, Schema] = self.input_schema["properties"]
        return properties


@dataclass(frozen=True, slots=True)
class SourceListing:
    """The title and subject of a toolset, its tools and its resources."""

    title: str
    about: str
    tools: tuple[ListedTool, ...]
    resources: tuple[ListedResource, ...]

    @classmethod
    def read(cls, file: Path) -> Self:
        """The listing in a file."""
        whole = json.loads(file.read_text("utf-8"))
        return cls(
            whole["title"],
            whole["about"],
            tuple(map(ListedTool.read, whole["tools"])),
            tuple(map(ListedResource.read, whole["resources"])),
        )

    def text(self) -> str:
        """The text of the file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    def refs(self) -> frozenset[ToolRef]:
        """The references to all tools and resources."""
        return frozenset(entry.ref for entry in (*self.tools, *self.resources))

    def without(self, base: "SourceListing") -> "SourceListing":
        """The listing without the entries of ``base``."""
        base_refs = base.refs()
        return replace(
            self,
            tools=tuple(tool for tool in self.tools if tool.ref not in base_refs),
            resources=tuple(resource for resource in self.resources if resource.ref not in base_refs),
        )

    def after(self, base: "SourceListing") -> "SourceListing":
        """The listing with the entries of ``base`` in front."""
        return replace(self, tools=(*base.tools, *self.tools), resources=(*base.resources, *self.resources))


@dataclass(frozen=True, slots=True)
class ListedArgument:
    """One argument of a command."""

    name: str
    schema: Schema
    is_required: bool
    is_list: bool
    is_entity: bool
    """Whether it takes the ID or the name of an entity."""
    pattern: str | None
    """The regular expression of its IDs."""
    default: Any
    aliases: tuple[str, ...]
    """Other names of the argument."""


@dataclass(frozen=True, slots=True)
class ListedCommand:
    """The declaration of a tool, or of a resource with parameters, as a command."""

    ref: ToolRef
    description: str
    """The complete docstring."""
    is_tool: bool
    parameters: tuple[ListedArgument, ...]
    examples: tuple[Arguments, ...]
    """Arguments of calls that find something; help shows the first."""
    facts: Mapping[str, str]
    """The fields of its records, with their descriptions."""

    @property
    def entities(self) -> ListedArgument | None:
        """The argument that takes any number of IDs or names of entities; None where it asks one question."""
        required = (parameter for parameter in self.parameters if parameter.is_required and parameter.is_entity)
        return next(required, None) if self.is_tool else None

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Self:
        """An entry of a file."""
        parameters = (
            ListedArgument(**{**parameter, "aliases": tuple(parameter["aliases"])}) for parameter in entry["parameters"]
        )
        parsed = {"ref": ToolRef(**entry["ref"]), "parameters": tuple(parameters), "examples": tuple(entry["examples"])}
        return cls(**{**entry, **parsed})


def read_commands(file: Path) -> tuple[ListedCommand, ...]:
    """The commands in a file."""
    return tuple(map(ListedCommand.read, json.loads(file.read_text("utf-8"))))


def commands_text(commands: tuple[ListedCommand, ...]) -> str:
    """The text of a file of commands."""
    return json.dumps([asdict(command) for command in commands], indent=1, ensure_ascii=False) + "\n"
