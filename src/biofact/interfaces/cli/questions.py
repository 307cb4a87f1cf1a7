"""The calls that a command makes: one for a search, one for each entity of a column, or for each part of a batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.tool import BATCH_LIMIT, ToolSpec
from biofact.interfaces.cli.arguments import entities_parameter
from biofact.interfaces.schemas import argument_schema


@dataclass(frozen=True, slots=True)
class ToolQuestion:
    """One call of a tool, and the inputs that its rows answer; none for a search."""

    arguments: Mapping[str, Any]
    inputs: tuple[str, ...] = ()

    def at(self, cursor: str) -> "ToolQuestion":
        """The same question for the page that a cursor leads to."""
        return replace(self, arguments={**self.arguments, "cursor": cursor})


def questions(spec: ToolSpec, arguments: Mapping[str, Any]) -> list[ToolQuestion]:
    """The calls of a tool that these arguments ask for, in the order of the entities that were typed."""
    column = entities_parameter(spec)
    if column is None:
        return [ToolQuestion(arguments)]
    inputs: Sequence[str] = arguments[column.name]
    if column.is_list:
        parts = [tuple(inputs[start : start + BATCH_LIMIT]) for start in range(0, len(inputs), BATCH_LIMIT)]
        return [ToolQuestion({**arguments, column.name: list(part)}, part) for part in parts]
    return [ToolQuestion({**arguments, column.name: one}, (one,)) for one in inputs]


def with_largest_pages(spec: ToolSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments for a list that is to be read to its end: as few requests as can be, unless the caller chose."""
    sizes = {p.name: argument_schema(p).get("maximum") for p in spec.parameters if p.name in {"page_size", "limit"}}
    return {**sizes, **arguments}


def next_cursor(body: Mapping[str, Any]) -> str | None:
    """What leads to the page behind this one; None at the end."""
    cursor: str | None = body.get("pagination", body).get("cursor")
    return cursor
