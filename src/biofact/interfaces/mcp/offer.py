"""What a server offers: tools and resources made from listings, prompts from journeys.

What answers calls is loaded with the first of them.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
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
"""What of MCP a server can have."""
READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
WORKS_HERE = READS_ONLY.model_copy(update={"open_world_hint": False})


def of_all(opener: "Opener | None", catalog: Catalog) -> "Offer":
    """The tools and resources of every source, and of what asks all of them."""
    return Offer(catalog.toolsets(), Spelling(catalog, prefixed), opener)


def of_one(name: str, opener: "Opener | None", catalog: Catalog) -> "Offer":
    """The tools and resources of one source, under their bare names."""
    return Offer((name,), Spelling(catalog, bare, reaches=lambda ref: ref.source == name), opener)


class Offer:
    """The tools, resources and prompts of some sources under one spelling. Clients are opened by the first call."""

    def __init__(self, names: Sequence[str], spelling: Spelling, opener: "Opener | None") -> None:
        self._names = names
        self._spelling = spelling
        self._opener = opener

    @property
    def toolsets(self) -> tuple[str, ...]:
        """Whose tools these are."""
        return tuple(self._names)

    @property
    def spelling(self) -> Spelling:
        """How tools are named here."""
        return self._spelling

    def with_opener(self, opener: "Opener") -> "Offer":
        """The same, answered by other clients."""
        return Offer(self._names, self._spelling, opener)

    @functools.cached_property
    def tools(self) -> dict[str, Tool]:
        """The tools by the names they have here."""
        return {tool.name: tool for tool in map(self._tool, self._listed_tools())}

    @functools.cached_property
    def resources(self) -> tuple[Resource, ...]:
        """What is read under one URI."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415  # a client that asks for tools may never ask for these

        return tuple(
            resources.plain(listed, self._spelling, self._answering(listed.ref))
            for listed in self._listed_resources()
            if not listed.parameters
        )

    @functools.cached_property
    def templates(self) -> tuple[ResourceTemplate, ...]:
        """What is read under a URI for each ID."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415

        return tuple(
            resources.template(listed, self._spelling, self._answering(listed.ref))
            for listed in self._listed_resources()
            if listed.parameters
        )

    @functools.cached_property
    def prompts(self) -> dict[str, Prompt]:
        """The journeys all of whose tools are here, by name."""
        from biofact.interfaces.mcp import resources  # noqa: PLC0415  # most clients ask for tools only

        return {journey.name: resources.prompt(journey, self._spelling) for journey in self._journeys()}

    @functools.cached_property
    def capabilities(self) -> frozenset[Capability]:
        """What of MCP there is to ask for; makes none of it."""
        parts: dict[Capability, Iterator[object]] = {
            "tools": self._listed_tools(),
            "resources": self._listed_resources(),
            "prompts": self._journeys(),
        }
        return frozenset(name for name, entries in parts.items() if any(True for _ in entries))

    def named(self, name: str) -> Tool:
        """The tool of this name; for a name that is none, one in no list, whose answer says which there are."""
        return self.tools.get(name) or self._unknown(name)

    async def transport(self) -> "Transport":
        """What calls ask through, opened if need be."""
        return await self._calls.transport()

    async def aclose(self) -> None:
        """Close what calls have opened; the next call opens it again."""
        if "_calls" in vars(self):
            await self._calls.aclose()

    @functools.cached_property
    def _calls(self) -> "Calls":
        from biofact.interfaces.mcp.calls import Calls  # noqa: PLC0415

        return Calls(self._spelling, self._opener)

    def _listed_tools(self) -> Iterator[ListedTool]:
        for name in self._names:
            yield from self._spelling.catalog.listing(name).tools

    def _listed_resources(self) -> Iterator[ListedResource]:
        for name in self._names:
            yield from self._spelling.catalog.listing(name).resources

    def _journeys(self) -> "Iterator[Journey]":
        """Those all of whose tools are here."""
        catalog, reaches = self._spelling.catalog, self._spelling.reaches
        for journey in catalog.journeys():
            if all(map(reaches, journey.refs(catalog.toolsets()))):
                yield journey

    def _tool(self, listed: ListedTool) -> Tool:
        tool = AnsweringTool(
            name=self._spelling.name(listed.ref),
            title=self._spelling.title(listed.ref, listed.title),
            description=self._spelling.text(listed.description),
            parameters=listed.input_schema,
            output_schema=listed.output_schema,
            annotations=READS_ONLY if listed.asks_services else WORKS_HERE,
        )
        return tool.answering(self._answering(listed.ref))

    def _unknown(self, name: str) -> Tool:
        error = AmbiguousQuery(
            f"There is no tool {name!r:.80}.", hint=f"The tools are {', '.join(self.tools)}.", invalid_input=name
        )

        async def refuse(_: Mapping[str, object]) -> "ToolAnswer":
            return self._calls.refused(error)

        return AnsweringTool(name=name, parameters={"type": "object"}).answering(refuse)

    def _answering(self, ref: ToolRef) -> "AnswerFunction":
        async def answer(arguments: Mapping[str, object]) -> "ToolAnswer":
            return await self._calls.answer(ref, arguments)

        return answer


class AnsweringTool(Tool):
    """A tool that always answers: with its result, or with the envelope of what went wrong."""

    _answer: "AnswerFunction" = PrivateAttr()

    def answering(self, answer: "AnswerFunction") -> "AnsweringTool":
        """Itself, answering like this."""
        self._answer = answer
        return self

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """The answer as structured content and as one block of equal, compact JSON, a failure as the block alone; or
        what the caller has to answer before.
        """
        from biofact.interfaces.mcp.calls import tool_result  # noqa: PLC0415

        return await tool_result(self._answer, arguments, self.parameters.get("properties", {}))
