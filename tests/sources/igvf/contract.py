"""The service's contract (OpenAPI), as far as tests compare with it."""

import functools
import json
import re

from tests.recordings import recording

LISTED_VALUES = re.compile(
    r"(?:[Oo]ne of th[eo]se (?:fields|properties)|[Oo]ne variant identifier) (?:is required|must be defined): ([^.<]*)"
)
SIDE = re.compile(r"Either (\w+) or (\w+) (?:is|are) required")
LIMIT = re.compile(r"can not exceed (\d+)")
_WORDS = {"or", "and"}


@functools.cache
def operations():
    """Every operation of the contract, by path and method."""
    paths = json.loads(recording("igvf/openapi_spec_python_client.json"))["paths"]
    return {(path, method): value for path, methods in paths.items() for method, value in methods.items()}


def parameters(path):
    """The parameters of a path, by name."""
    return {parameter["name"]: parameter for parameter in operations()[path, "get"].get("parameters", ())}


def answer(path):
    """The schema of a path's answer."""
    return operations()[path, "get"]["responses"]["200"]["content"]["application/json"]["schema"]


def fields(schema):
    """The fields that a row may have, by name: for each the schemas that describe it."""
    if schema.get("type") == "array":
        return fields(schema["items"])
    result = {name: [value] for name, value in schema.get("properties", {}).items()}
    for variant in schema.get("anyOf", ()):
        for name, field in fields(variant).items():
            result.setdefault(name, []).extend(field)
    return result


def value_at(schema, dotted):
    """Whether a row may have a nested field such as ``protein_change.hgvsp``."""
    schemas = [schema]
    for name in dotted.split("."):
        schemas = [inner for schema in schemas for inner in fields(schema).get(name, ())]
    return bool(schemas)


def every_name(schema):
    """Every name in a schema, at any depth."""
    if isinstance(schema, list):
        return {name for item in schema for name in every_name(item)}
    if not isinstance(schema, dict):
        return set()
    deeper = {name for item in schema.values() for name in every_name(item)}
    return deeper | set(schema.get("properties", {}))


def page_limit(path):
    """Rows a page, by the description; 25, the service's default, if the limit of pages cannot be set."""
    match = LIMIT.search(operations()[path, "get"]["description"])
    if match:
        return int(match[1])
    return 25 if "page" in parameters(path) and "limit" not in parameters(path) else None


def needs(path):
    """The fields of which the description requires one, named as in the description."""
    description = operations()[path, "get"]["description"]
    if match := SIDE.search(description):
        return set(match.groups())
    listing = LISTED_VALUES.search(description)
    return set(re.findall(r"\w+", listing[1])) - _WORDS if listing else set()
