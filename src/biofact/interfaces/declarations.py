"""From the declarations of a client class to its listing. Imports the source; servers read the file that holds it."""

from typing import Any

from biofact.core.tool import ResourceSpec, ToolSpec, resources_of, specs_of
from biofact.interfaces.listing import ListedResource, ListedTool, SourceListing
from biofact.interfaces.schemas import input_schema, output_schema


def listing(client_class: Any) -> SourceListing:
    """What the methods of a client class declare, in the order it defines them."""
    about = _first_paragraph(client_class.__doc__)
    tools, resources = specs_of(client_class), resources_of(client_class)
    return SourceListing(client_class.title, about, tuple(map(_tool, tools)), tuple(map(_resource, resources)))


def _tool(spec: ToolSpec) -> ListedTool:
    schemas = input_schema(spec), output_schema(spec)
    return ListedTool(spec.ref, spec.title, spec.summary, *schemas, spec.asks_services)


def _resource(spec: ResourceSpec) -> ListedResource:
    return ListedResource(spec.ref, spec.title, spec.summary, input_schema(spec), spec.uri, spec.mime_type)


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").split("\n\n", 1)[0].split())
