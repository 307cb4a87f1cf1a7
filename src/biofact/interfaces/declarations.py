"""Listings and commands of a client class, from its declarations. Imports the source; servers read generated files."""

import inspect
from collections.abc import Collection, Iterator
from typing import Any, get_args

from pydantic import BaseModel

from biofact.core.tool import Declaration, Example, Parameter, ResourceSpec, ToolSpec, resources_of, specs_of
from biofact.interfaces.listing import ListedArgument, ListedCommand, ListedResource, ListedTool, SourceListing
from biofact.interfaces.schemas import argument_schema, input_schema, output_schema

_DEEPEST = 2
"""Levels of records within records whose fields are listed."""


def listing(client_class: Any) -> SourceListing:
    """The tools and resources that a client class declares, in its order."""
    summary = " ".join((client_class.__doc__ or "").split("\n\n", 1)[0].split())
    tools, resources = specs_of(client_class), resources_of(client_class)
    return SourceListing(client_class.title, summary, tuple(map(_tool, tools)), tuple(map(_resource, resources)))


def _tool(spec: ToolSpec) -> ListedTool:
    schemas = input_schema(spec), output_schema(spec)
    return ListedTool(spec.ref, spec.title, spec.summary, *schemas, spec.asks_services, spec.is_heavy)


def _resource(spec: ResourceSpec) -> ListedResource:
    return ListedResource(spec.ref, spec.title, spec.summary, input_schema(spec), spec.uri, spec.mime_type)


def commands(client_class: Any, examples: Collection[Example] = ()) -> tuple[ListedCommand, ...]:
    """The commands of a client class, in its order: its tools, and its resources with parameters."""
    by_id = (spec for spec in resources_of(client_class) if spec.parameters)
    return tuple(_command(spec, examples) for spec in (*specs_of(client_class), *by_id))


def _command(spec: Declaration, examples: Collection[Example]) -> ListedCommand:
    return ListedCommand(
        ref=spec.ref,
        description=spec.description,
        is_tool=isinstance(spec, ToolSpec),
        parameters=tuple(map(_argument, spec.parameters)),
        examples=tuple(
            example.arguments for example in examples if example.tool == spec.ref.method and example.outcome == "found"
        ),
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
    """The fields of the models in an annotation, and of the models within these, in their order."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            yield name, field.description or ""
            if depth < _DEEPEST:
                yield from _facts(field.annotation, depth + 1)
    else:
        for argument in get_args(annotation):
            yield from _facts(argument, depth)
