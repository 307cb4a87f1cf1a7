"""From the declarations of a client class to its listing. Imports the source; servers read the file that holds it."""

from typing import Any

from biofact.core.resource import resources_of
from biofact.core.tool import specs_of
from biofact.interfaces.listing import ListedResource, ListedTool, SourceListing
from biofact.interfaces.schemas import input_schema, output_schema


def listing(client_class: Any) -> SourceListing:
    """What the methods of a client class declare, in the order it defines them."""
    tools = (
        ListedTool(spec.ref, spec.summary, input_schema(spec), output_schema(spec)) for spec in specs_of(client_class)
    )
    resources = (
        ListedResource(spec.ref, spec.summary, input_schema(spec), spec.uri, spec.mime_type)
        for spec in resources_of(client_class)
    )
    return SourceListing(client_class.title, _first_paragraph(client_class.__doc__), tuple(tools), tuple(resources))


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").split("\n\n", 1)[0].split())
