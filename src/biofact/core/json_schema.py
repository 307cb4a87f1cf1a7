"""JSON schemas of pydantic, with what our answers and arguments never have taken out: null, titles, defaults."""

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]


def without(schema: Schema, *names: str) -> Schema:
    """A schema without some of its keywords."""
    return {name: value for name, value in schema.items() if name not in names}


def not_null(definition: Schema) -> Schema:
    """A definition that leaves out null: a fact that is not known is not there."""
    options = [option for option in definition.get("anyOf", ()) if option.get("type") != "null"]
    alone = options[0] if len(options) == 1 else {"anyOf": options} if options else {}
    return without(definition, "anyOf") | alone


def plain(definition: Schema, named: Mapping[str, Schema]) -> Schema:
    """A definition as a reader wants it, its parts written out; ``named`` are those that it refers to."""
    schema = without(not_null(definition), "title", "default")
    if "$ref" in schema:
        target = plain(named[schema["$ref"].rsplit("/", 1)[-1]], named)
        schema = target | without(schema, "$ref")
    if "items" in schema:
        schema["items"] = plain(schema["items"], named)
    if "properties" in schema:
        schema["properties"] = {name: plain(value, named) for name, value in schema["properties"].items()}
    return schema


def options(schemas: Iterable[Schema], named: Mapping[str, Schema]) -> list[Schema]:
    """The schemas that a value may follow, references followed, null left out; ``named`` are those referred to."""
    found = []
    for schema in schemas:
        if "$ref" in schema:
            found += options([named[schema["$ref"].rsplit("/", 1)[-1]]], named)
        elif "anyOf" in schema:
            found += options(schema["anyOf"], named)
        elif schema.get("type") != "null":
            found.append(schema)
    return found
