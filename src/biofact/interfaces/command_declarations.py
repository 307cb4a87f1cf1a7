"""From the declarations and examples of a source to its listed commands. Imports the source; help and find do not."""

import inspect
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from biofact.core.errors import ToolRef
from biofact.core.tool import Declaration, Example, Parameter, ToolSpec, resources_of, specs_of
from biofact.interfaces import every_source, listed_commands
from biofact.interfaces.listed_commands import ListedArgument, ListedCommand
from biofact.interfaces.schemas import argument_schema

_DEEPEST = 2
"""Levels of records within records whose fields are listed."""


def files(*chosen: str) -> dict[Path, str]:
    """What each file of commands has to say; of the sources named, or else of all."""
    listings = every_source.listings(*chosen)
    return {
        file.with_name(listed_commands.FILE): listed_commands.text(_listed(listing.refs()))
        for file, listing in listings.items()
    }


def commands(client_class: Any, examples: Collection[Example] = ()) -> tuple[ListedCommand, ...]:
    """The tools of a client class and its resources for each ID, in the order it defines them."""
    by_id = (spec for spec in resources_of(client_class) if spec.parameters)
    return tuple(_command(spec, examples) for spec in (*specs_of(client_class), *by_id))


def _listed(refs: Collection[ToolRef]) -> tuple[ListedCommand, ...]:
    toolsets = dict.fromkeys(ref.source for ref in refs)
    return tuple(
        command
        for name in toolsets
        for command in commands(every_source.client_class(name), every_source.examples(name))
        if command.ref in refs
    )


def _command(spec: Declaration, examples: Collection[Example]) -> ListedCommand:
    return ListedCommand(
        ref=spec.ref,
        description=spec.description,
        is_tool=isinstance(spec, ToolSpec),
        parameters=tuple(map(_argument, spec.parameters)),
        examples=tuple(one.arguments for one in examples if one.tool == spec.ref.method and one.outcome == "found"),
        facts=dict(_facts(spec.returns)) if isinstance(spec, ToolSpec) else {},
    )


def _argument(parameter: Parameter) -> ListedArgument:
    kind = parameter.id_kind
    return ListedArgument(
        name=parameter.name,
        schema=argument_schema(parameter),
        is_required=parameter.is_required,
        is_list=parameter.is_list,
        is_entity=parameter.is_entity,
        pattern=None if kind is None else kind.pattern,
        default=parameter.default,
        aliases=parameter.aliases,
    )


def _facts(annotation: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The fields of the models that an annotation names, and of those within, in their order."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            yield name, field.description or ""
            if depth < _DEEPEST:
                yield from _facts(field.annotation, depth + 1)
    else:
        for argument in get_args(annotation):
            yield from _facts(argument, depth)
