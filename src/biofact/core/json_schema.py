"""JSON schemas of pydantic, with what our answers and arguments never have taken out: null, titles, defaults."""

from collections.abc import Iterable, Mapping
from typing import Any

Schema = dict[str, Any]


def without_keys(schema: Schema, *names: str) -> Schema:
    """A schema without some of its keywords."""
    return {name: value for name, value in schema.items() if name not in names}


def not_null(definition: Schema) -> Schema:
    """A definition without null: an unknown fact is left out."""
    options = [option for option in definition.get("anyOf", ()) if option.get("type") != "null"]
    single = options[0] if len(options) == 1 else {"anyOf": options} if options else {}
    return without_keys(definition, "anyOf") | single


def plain(definition: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A definition with its references replaced by what they refer to, without titles and defaults."""
    schema = without_keys(not_null(definition), "title", "default")
    if "$ref" in schema:
        target = plain(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
        schema = target | without_keys(schema, "$ref")
    if "items" in schema:
        schema["items"] = plain(schema["items"], definitions)
    if "properties" in schema:
        schema["properties"] = {name: plain(value, definitions) for name, value in schema["properties"].items()}
    return schema


def options(schemas: Iterable[Schema], definitions: Mapping[str, Schema]) -> list[Schema]:
    """The schemas that a value may follow, references followed, null left out."""
    choices = []
    for schema in schemas:
        if "$ref" in schema:
            choices += options([definitions[schema["$ref"].rsplit("/", 1)[-1]]], definitions)
        elif "anyOf" in schema:
            choices += options(schema["anyOf"], definitions)
        elif schema.get("type") != "null":
            choices.append(schema)
    return choices
