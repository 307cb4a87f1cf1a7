"""The service's contract (OpenAPI), as far as tests compare with it."""

import functools
import json
import re

from tests.recordings import recording

_LISTED = re.compile(
    r"(?:[Oo]ne of th[eo]se (?:fields|properties)|[Oo]ne variant identifier) (?:is required|must be defined): ([^.<]*)"
)
_EITHER = re.compile(r"Either (\w+) or (\w+) (?:is|are) required")
_MOST = re.compile(r"can not exceed (\d+)")
_WORDS = {"or", "and"}


@functools.cache
def operations():
    """Every operation of the contract, by path and method."""
    paths = json.loads(recording("igvf/openapi_spec_python_client.json"))["paths"]
    return {(path, method): told for path, methods in paths.items() for method, told in methods.items()}


def parameters(path):
    """The parameters of a path, by name."""
    return {one["name"]: one for one in operations()[path, "get"].get("parameters", ())}


def answer(path):
    """The schema of what a path answers."""
    return operations()[path, "get"]["responses"]["200"]["content"]["application/json"]["schema"]


def fields(schema):
    """What a row may have: its names, each with the schemas that are told of it."""
    if schema.get("type") == "array":
        return fields(schema["items"])
    found = {name: [one] for name, one in schema.get("properties", {}).items()}
    for variant in schema.get("anyOf", ()):
        for name, told in fields(variant).items():
            found.setdefault(name, []).extend(told)
    return found


def at(schema, dotted):
    """Whether a row may have what stands at ``protein_change.hgvsp``."""
    schemas = [schema]
    for name in dotted.split("."):
        schemas = [inner for one in schemas for inner in fields(one).get(name, ())]
    return bool(schemas)


def every_name(schema):
    """Every name in a schema, however deep."""
    if isinstance(schema, list):
        return {name for one in schema for name in every_name(one)}
    if not isinstance(schema, dict):
        return set()
    deeper = {name for one in schema.values() for name in every_name(one)}
    return deeper | set(schema.get("properties", {}))


def most(path):
    """Rows a page, as the description says; 25, the service's default, where pages have no limit to set."""
    found = _MOST.search(operations()[path, "get"]["description"])
    if found:
        return int(found[1])
    return 25 if "page" in parameters(path) and "limit" not in parameters(path) else None


def needs(path):
    """The fields one of which the description says is required, spelt as it spells them."""
    description = operations()[path, "get"]["description"]
    if either := _EITHER.search(description):
        return set(either.groups())
    found = _LISTED.search(description)
    return set(re.findall(r"\w+", found[1])) - _WORDS if found else set()
