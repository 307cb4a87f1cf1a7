"""JSON schemas of tools, from their declarations: input and output."""

import functools
import inspect
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel

from biofact.core.json_schema import Schema, not_null, plain, without_keys
from biofact.core.records import Metadata, Record
from biofact.core.tool import BATCH_LIMIT, Declaration, Parameter, ToolSpec
from biofact.tables import hints_of


def input_schema(spec: Declaration) -> Schema:
    """The schema of a tool's or resource's arguments; no others are accepted."""
    required = [parameter.name for parameter in spec.parameters if parameter.is_required]
    return {
        "type": "object",
        "properties": {parameter.name: argument_schema(parameter) for parameter in spec.parameters},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


@functools.cache
def argument_schema(parameter: Parameter) -> Schema:
    """One argument: its type, its limits, an example of an ID, and the default if there is one.

    An ID has no pattern: a client that checks one would keep a name from reaching the tool, whose refusal
    says how to resolve it.
    """
    if parameter.id_kind is not None:
        schema: Schema = {"type": "string"}
        if parameter.is_list:
            schema = {"type": "array", "items": schema, "maxItems": BATCH_LIMIT}
        return schema | {"description": f"like {parameter.id_kind.example}"}
    definition = parameter.check.json_schema()
    schema = plain(without_keys(definition, "$defs"), definition.get("$defs", {}))
    if schema.get("additionalProperties") is True:
        del schema["additionalProperties"]  # that is the default
    return schema if parameter.default is None else schema | {"default": parameter.default}


def output_schema(spec: ToolSpec) -> Schema:
    """The result of a tool: every key of the record, at least those of its slim form.

    Nested objects are left open, but for metadata beside a list, which has its keys.
    """
    schema = _record(spec.returns)
    name = spec.returns.listed
    if name is None:
        return schema
    items = {"type": "array", "items": _entry(spec.returns.model_fields[name].annotation)}
    annotations = {key: field.annotation for key, field in spec.returns.model_fields.items()}
    metadata = {
        key: _record(annotation)
        for key, annotation in annotations.items()
        if inspect.isclass(annotation) and issubclass(annotation, Metadata)
    }
    return {**schema, "properties": {**schema["properties"], **metadata, name: items}}


def leading_fields(row_model: type[BaseModel]) -> tuple[str, ...]:
    """The keys that a table shows first; none where the record's order is kept."""
    return hints_of(row_model).first or getattr(row_model, "slim_fields", ())


def row_model(spec: ToolSpec) -> type[BaseModel]:
    """The model of a tool's record, or of the items of its list; of a batch that of the items that did not fail."""
    name = spec.returns.listed
    models = _full_models(_models_in(spec.returns if name is None else spec.returns.model_fields[name].annotation))
    # the first of these: a record is its own only row
    whole: tuple[type[BaseModel], ...] = (*getattr(spec.returns, "row_types", ()), *models, spec.returns)
    return whole[0]


def _entry(annotation: Any) -> Schema:
    """One item of a list; in a batch it may be a failure object instead of a record."""
    options = [_record(model) for model in _full_models(_models_in(annotation))] or [{"type": "object"}]
    return options[0] if len(options) == 1 else {"anyOf": options}


def _full_models(models: list[type[BaseModel]]) -> list[type[BaseModel]]:
    """The models without the slim forms of other models among them, which have no further fields."""
    return [model for model in models if not any(issubclass(other, model) for other in models if other is not model)]


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation such as ``list[EntrezGene | ErrorEnvelope]`` names."""
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models_in(argument)]


@functools.cache  # takes milliseconds, and tests create many servers; schemas are not changed
def _record(model: type[BaseModel]) -> Schema:
    definition = model.model_json_schema(mode="validation")  # the other mode shows what a serializer declares: nothing
    definitions = definition.get("$defs", {})
    properties = definition["properties"]
    if issubclass(model, Record) and model.standard_fields:
        properties = {name: properties[name] for name in properties if name in {"notices", *model.standard_fields}}
    return {
        "type": "object",
        "properties": {name: _fact(value, definitions) for name, value in properties.items()},
        "required": _required(model),
    }


def _required(model: type[BaseModel]) -> list[str]:
    """The fields that are never left out, even in the short form; a compound's formula may be."""
    names = model.slim_fields if issubclass(model, Record) else model.model_fields
    return [name for name in names if model.model_fields[name].exclude_if is None]


def _fact(definition: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """The schema of one key of a record: its type, without what its name says."""
    schema = not_null(definition)
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[-1]]
    if schema.get("type") == "object":
        return {"type": "object"}
    if "items" in schema:
        items = _fact(schema["items"], definitions)
        return {"type": "array"} if items == {"type": "object"} else {"type": "array", "items": items}
    is_listed = "enum" in schema or "const" in schema
    return without_keys(schema, "title", "default", "description", *(["type"] if is_listed else []))
