"""What there is to try, as JSON: the tools of each toolset with their arguments and an example. Asks no service."""

from collections.abc import Iterator, Mapping
from typing import Any

from biofact.core.errors import ToolRef
from biofact.interfaces import every_source
from biofact.interfaces.listing import ListedTool
from biofact.interfaces.mcp.offer import Offer

Json = dict[str, Any]


def catalog(offer: Offer) -> list[Json]:
    """The toolsets of an offer in its order, each with its tools under the names that they have there."""
    return [_toolset(offer, name) for name in offer.toolsets]


def _toolset(offer: Offer, name: str) -> Json:
    listing = offer.spelling.catalog.listing(name)
    tools = [_tool(offer, tool) for tool in listing.tools]
    return {"name": name, "title": listing.title, "about": listing.about, "tools": tools}


def _tool(offer: Offer, listed: ListedTool) -> Json:
    tool = offer.tools[offer.spelling.name(listed.ref)]
    return {
        "name": tool.name,
        "title": f"{listed.title[:1].upper()}{listed.title[1:]}",
        "description": tool.description,
        "input_schema": tool.parameters,
        "example": next(_examples(listed.ref), {}),
    }


def _examples(ref: ToolRef) -> Iterator[Mapping[str, Any]]:
    """The arguments of calls of a tool that find something, as declared beside it."""
    declared = every_source.examples(ref.source) if ref.source in every_source.toolsets() else ()
    return (example.arguments for example in declared if example.tool == ref.method and example.outcome == "found")
