"""The commands of a source as they stand ready: what help shows and what ``biofact find`` searches. Imports no source.

``make docs`` writes them from the declarations and the examples, into a file beside ``tools.json``.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from biofact.core.errors import ToolRef
from biofact.core.json_schema import Schema

FILE = "commands.json"
Arguments = Mapping[str, Any]


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


def read(file: Path) -> tuple[ListedCommand, ...]:
    """The commands that a file holds."""
    return tuple(map(ListedCommand.read, json.loads(file.read_text("utf-8"))))


def text(commands: tuple[ListedCommand, ...]) -> str:
    """What a file says that holds them."""
    return json.dumps([asdict(command) for command in commands], indent=1, ensure_ascii=False) + "\n"
