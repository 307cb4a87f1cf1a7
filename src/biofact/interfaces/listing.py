"""What a source offers, as a client is shown it: ready-made, so that a server lists its tools before any is imported.

``make docs`` writes it from the declarations into a file beside them. Its words name tools by reference, as
``entrez.search_genes``; each server spells them in its own way.
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
    """What every entry has."""

    ref: ToolRef
    title: str
    description: str
    input_schema: Schema

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Self:
        """An entry of a file."""
        return cls(**{**entry, "ref": ToolRef(**entry["ref"])})


@dataclass(frozen=True, slots=True)
class ListedTool(ListedEntry):
    """A tool."""

    output_schema: Schema
    asks_services: bool


@dataclass(frozen=True, slots=True)
class ListedResource(ListedEntry):
    """A text or file under a URI, or one for each ID that the URI can hold."""

    uri: str
    mime_type: str

    @property
    def parameters(self) -> dict[str, Schema]:
        """What stands in the URI as ``{chembl_id}``, by name."""
        named: dict[str, Schema] = self.input_schema["properties"]
        return named


@dataclass(frozen=True, slots=True)
class SourceListing:
    """A source by its title, what it is about, and what can be asked of it."""

    title: str
    about: str
    tools: tuple[ListedTool, ...]
    resources: tuple[ListedResource, ...]

    @classmethod
    def read(cls, file: Path) -> Self:
        """What a file says."""
        whole = json.loads(file.read_text("utf-8"))
        return cls(
            whole["title"],
            whole["about"],
            tuple(map(ListedTool.read, whole["tools"])),
            tuple(map(ListedResource.read, whole["resources"])),
        )

    def text(self) -> str:
        """What a file says that holds this."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    def refs(self) -> frozenset[ToolRef]:
        """The tools and resources that can be named."""
        return frozenset(entry.ref for entry in (*self.tools, *self.resources))

    def beyond(self, base: "SourceListing") -> "SourceListing":
        """Its entries without what ``base`` has already."""
        known = base.refs()
        return replace(
            self,
            tools=tuple(tool for tool in self.tools if tool.ref not in known),
            resources=tuple(resource for resource in self.resources if resource.ref not in known),
        )

    def after(self, base: "SourceListing") -> "SourceListing":
        """Its entries behind those of ``base``."""
        return replace(self, tools=(*base.tools, *self.tools), resources=(*base.resources, *self.resources))


@dataclass(frozen=True, slots=True)
class ListedArgument:
    """One argument of a command."""

    name: str
    schema: Schema
    is_required: bool
    is_list: bool
    is_entity: bool
    """It takes the ID of an entity, or its name."""
    pattern: str | None
    """Of the IDs that it takes."""
    default: Any
    aliases: tuple[str, ...]
    """Other names that it is taken by."""


@dataclass(frozen=True, slots=True)
class ListedCommand:
    """What a tool, or a resource with parameters, declares."""

    ref: ToolRef
    description: str
    """The whole docstring."""
    is_tool: bool
    parameters: tuple[ListedArgument, ...]
    examples: tuple[Arguments, ...]
    """Arguments of calls that find something, the first one shown in help."""
    facts: Mapping[str, str]
    """The fields of its records, with what is said of them."""

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Self:
        """An entry of a file."""
        listed = (ListedArgument(**{**one, "aliases": tuple(one["aliases"])}) for one in entry["parameters"])
        further = {"ref": ToolRef(**entry["ref"]), "parameters": tuple(listed), "examples": tuple(entry["examples"])}
        return cls(**{**entry, **further})


def read_commands(file: Path) -> tuple[ListedCommand, ...]:
    """The commands that a file holds."""
    return tuple(map(ListedCommand.read, json.loads(file.read_text("utf-8"))))


def commands_text(commands: tuple[ListedCommand, ...]) -> str:
    """What a file says that holds them."""
    return json.dumps([asdict(command) for command in commands], indent=1, ensure_ascii=False) + "\n"
