"""The offer of a server: tools and resources from listings, prompts from journeys.

The modules that answer calls are imported with the first call.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from fastmcp.prompts.base import Prompt
from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from fastmcp.tools.base import Tool, ToolResult
from mcp_types import ToolAnnotations
from pydantic import PrivateAttr

from biofact.core.errors import AmbiguousQuery, ToolRef
from biofact.interfaces.listing import ListedResource, ListedTool
from biofact.interfaces.spelling import Catalog, Spelling, bare, prefixed

if TYPE_CHECKING:  # a server lists its tools before it needs any of these
    from biofact.interfaces.answer import AnswerFunction, ToolAnswer
    from biofact.interfaces.journey import Journey
    from biofact.interfaces.mcp.calls import Calls, Opener
    from biofact.transport.stack import Transport

Capability = Literal["tools", "resources", "prompts", "logging"]
"""The capabilities of MCP that a server can have."""
READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
WORKS_HERE = READS_ONLY.model_copy(update={"open_world_hint": False})


def of_all(opener: "Opener | None", catalog: Catalog) -> "Offer":
    """The tools and resources of every toolset."""
    return Offer(catalog.toolsets(), Spelling(catalog, prefixed), opener)


def of_one(name: str, opener: "Opener | None", catalog: Catalog) -> "Offer":
    """The tools and resources of one source, under their bare names."""
    return Offer((name,), Spelling(catalog, bare, reaches=lambda ref: ref.source == name), opener)


class Offer:
    """The tools, resources and prompts of some sources under one spelling. Clients are opened by the first call."""

    def __init__(self, names: tuple[str, ...], spelling: Spelling, opener: "Opener | None") -> None:
        self.toolsets = names
        """The toolsets whose tools these are."""
        self.spelling = spelling
        """The names of tools here."""
        self._opener = opener

    def with_opener(self, opener: "Opener") -> "Offer":
        """The same offer, answered by other clients."""
        return Offer(self.toolsets, self.spelling, opener)

    @functools.cached_property
    def tools(self) -> dict[str, Tool]:
        """The tools by the names they have here."""
        return {tool.name: tool for tool in map(self._tool, self._listed_tools())}

    @functools.cached_property
    def heavy_tools(self) -> frozenset[str]:
        """The names of the tools that may take long work; creates no entry."""
        return frozenset(self.spelling.name(tool.ref) for tool in self._listed_tools() if tool.is_heavy)

    @functools.cached_property
    def resources(self) -> tuple[Resource, ...]:
        """The resources under one URI."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415  # few clients ask for these

        return tuple(
            resources.plain(entry, self.spelling, self._answer_function(entry.ref))
            for entry in self._listed_resources()
            if not entry.parameters
        )

    @functools.cached_property
    def templates(self) -> tuple[ResourceTemplate, ...]:
        """The resources under a URI for each ID."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415

        return tuple(
            resources.template(entry, self.spelling, self._answer_function(entry.ref))
            for entry in self._listed_resources()
            if entry.parameters
        )

    @functools.cached_property
    def prompts(self) -> dict[str, Prompt]:
        """The prompts of the journeys whose tools are all here, by name."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415  # most clients ask for tools only

        return {journey.name: resources.prompt(journey, self.spelling) for journey in self._journeys()}

    @functools.cached_property
    def capabilities(self) -> frozenset[Capability]:
        """The capabilities with any entries; creates no entry."""
        parts: dict[Capability, Iterator[object]] = {
            "tools": self._listed_tools(),
            "resources": self._listed_resources(),
            "prompts": self._journeys(),
        }
        return frozenset(name for name, entries in parts.items() if any(True for _ in entries))

    def tool_named(self, name: str) -> Tool:
        """The tool of this name; for an unknown name an unlisted tool, whose answer names the existing ones."""
        return self.tools.get(name) or self._unknown(name)

    async def transport(self) -> "Transport":
        """The transport of the calls, opened if necessary."""
        return await self._calls.transport()

    async def aclose(self) -> None:
        """Close the clients of calls; the next call opens new ones."""
        if "_calls" in vars(self):
            await self._calls.aclose()

    @functools.cached_property
    def _calls(self) -> "Calls":
        from biofact.interfaces.mcp.calls import Calls  # noqa: PLC0415

        return Calls(self.spelling, self._opener)

    def _listed_tools(self) -> Iterator[ListedTool]:
        for name in self.toolsets:
            yield from self.spelling.catalog.listing(name).tools

    def _listed_resources(self) -> Iterator[ListedResource]:
        for name in self.toolsets:
            yield from self.spelling.catalog.listing(name).resources

    def _journeys(self) -> "Iterator[Journey]":
        """The journeys whose tools are all here."""
        catalog, reaches = self.spelling.catalog, self.spelling.reaches
        for journey in catalog.journeys():
            if all(map(reaches, journey.refs(catalog.toolsets()))):
                yield journey

    def _tool(self, entry: ListedTool) -> Tool:
        tool = AnsweringTool(
            name=self.spelling.name(entry.ref),
            title=self.spelling.title(entry.ref, entry.title),
            description=self.spelling.text(entry.description),
            parameters=entry.input_schema,
            output_schema=entry.output_schema,
            annotations=READS_ONLY if entry.asks_services else WORKS_HERE,
        )
        return tool.with_answer(self._answer_function(entry.ref))

    def _unknown(self, name: str) -> Tool:
        error = AmbiguousQuery(
            f"There is no tool {name!r:.80}.", hint=f"The tools are {', '.join(self.tools)}.", invalid_input=name
        )

        async def refuse(_: Mapping[str, object]) -> "ToolAnswer":
            return self._calls.refusal(error)

        # FastMCP would log each name that is not of the form of names, and a caller may send any
        return AnsweringTool(name="unknown", parameters={"type": "object"}).with_answer(refuse)

    def _answer_function(self, ref: ToolRef) -> "AnswerFunction":
        async def answer(arguments: Mapping[str, object]) -> "ToolAnswer":
            return await self._calls.answer(ref, arguments)

        return answer


class AnsweringTool(Tool):
    """A tool that always answers: with its result, or with the envelope of an error."""

    _answer: "AnswerFunction" = PrivateAttr()

    def with_answer(self, answer: "AnswerFunction") -> "AnsweringTool":
        """The tool, with the function that answers its calls."""
        self._answer = answer
        return self

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """The answer as structured content and as one block of equal, compact JSON, a failure as the block alone; or
        the questions that the caller has to answer first.
        """
        from biofact.interfaces.mcp.calls import tool_result  # noqa: PLC0415

        return await tool_result(self._answer, arguments, self.parameters.get("properties", {}))
