"""What a server offers: tools and resources made from their declarations, and the clients that answer them."""

import asyncio
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, cast

from fastmcp.resources.base import Resource
from fastmcp.resources.template import ResourceTemplate
from fastmcp.tools.base import Tool, ToolResult
from mcp_types import TextContent, ToolAnnotations
from pydantic import PrivateAttr

from biofact.core.call import made_by
from biofact.core.errors import AmbiguousQuery
from biofact.core.provenance import Result
from biofact.core.resource import ResourceSpec, resources_of
from biofact.core.tool import Declaration, specs_of
from biofact.interfaces import resources, wire
from biofact.interfaces.answer import PROVENANCE, Answer, Answering, answered, failed
from biofact.interfaces.caller import AnswersNeeded, RoundTripModel, calling
from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.schemas import input_schema, output_schema
from biofact.interfaces.spelling import Catalog, Spelling, bare, prefixed

Opener = Callable[[], AbstractAsyncContextManager[Clients]]

READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)


def of_all(opener: Opener | None, catalog: Catalog) -> "Offer":
    """The tools and resources of every source."""
    return Offer(catalog.names(), Spelling(catalog, prefixed), opener or opened)


def of_one(name: str, opener: Opener | None, catalog: Catalog) -> "Offer":
    """The tools and resources of one source, under their bare names."""
    return Offer((name,), Spelling(catalog, bare, reaches=lambda ref: ref.source == name), opener or opened)


class Offer:
    """The tools and resources of some sources under one spelling. Clients are opened by the first call."""

    def __init__(self, names: Sequence[str], spelling: Spelling, opener: Opener) -> None:
        self._names = names
        self._spelling = spelling
        self._opener = opener
        self._clients: Clients | None = None
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()

    @functools.cached_property
    def tools(self) -> dict[str, Tool]:
        """The tools by the names they have here."""
        return {tool.name: tool for tool in self._made()}

    @functools.cached_property
    def resources(self) -> tuple[Resource, ...]:
        """What is read under one URI."""
        return tuple(
            resources.plain(spec, self._spelling, self._answering(spec, client_class))
            for client_class, spec in self._declared_resources()
            if not spec.parameters
        )

    @functools.cached_property
    def templates(self) -> tuple[ResourceTemplate, ...]:
        """What is read under a URI for each ID."""
        return tuple(
            resources.template(spec, self._spelling, self._answering(spec, client_class))
            for client_class, spec in self._declared_resources()
            if spec.parameters
        )

    def named(self, name: str) -> Tool:
        """The tool of this name; for a name that is none, one in no list, whose answer says which there are."""
        return self.tools.get(name) or self._unknown(name)

    async def aclose(self) -> None:
        """Close what calls have opened; the next call opens it again."""
        self._clients = None
        await self._stack.aclose()

    def _made(self) -> Iterator[Tool]:
        for name in self._names:
            client_class = self._spelling.catalog.client_class(name)
            for spec in specs_of(client_class):
                tool = AnsweringTool(
                    name=self._spelling.name(spec.ref),
                    description=self._spelling.text(spec.summary),
                    parameters=input_schema(spec),
                    output_schema=output_schema(spec),
                    annotations=READS_ONLY,
                )
                yield tool.answering(self._answering(spec, client_class))

    def _declared_resources(self) -> Iterator[tuple[type, ResourceSpec]]:
        for name in self._names:
            client_class = self._spelling.catalog.client_class(name)
            yield from ((client_class, spec) for spec in resources_of(client_class))

    def _unknown(self, name: str) -> Tool:
        error = AmbiguousQuery(
            f"There is no tool {name!r:.80}.", hint=f"The tools are {', '.join(self.tools)}.", invalid_input=name
        )

        async def refuse(_: Mapping[str, object]) -> Answer:
            return failed(error, self._spelling)

        return AnsweringTool(name=name, parameters={"type": "object"}).answering(refuse)

    def _answering(self, spec: Declaration, client_class: type) -> Answering:
        return functools.partial(self._answer, spec, client_class)

    async def _answer(self, spec: Declaration, client_class: type, arguments: Mapping[str, object]) -> Answer:
        return await answered(self._call(spec, client_class, arguments), spec.ref, self._spelling, arguments)

    async def _call(self, spec: Declaration, client_class: type, arguments: Mapping[str, object]) -> Result:
        clients = await self._opened()
        return await spec.call(clients.of(client_class), arguments)

    async def _opened(self) -> Clients:
        async with self._opening:
            if self._clients is None:
                self._clients = await self._stack.enter_async_context(self._opener())
            return self._clients


class AnsweringTool(Tool):
    """A tool that always answers: with its result, or with the envelope of what went wrong."""

    _answer: Answering = PrivateAttr()

    def answering(self, answer: Answering) -> "AnsweringTool":
        """Itself, answering like this."""
        self._answer = answer
        return self

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """The answer as structured content and as one block of equal, compact JSON, a failure as the block alone; or
        what the caller has to answer before.
        """
        caller = calling()
        try:
            with made_by(caller):
                answer = await self._answer(arguments)
        except AnswersNeeded:
            return await cast("RoundTripModel", caller.model).questions()
        return ToolResult(
            content=[TextContent(type="text", text=wire.text(answer.body))],
            # Clients hold structured content to the output schema, that of a failure too (decision 0036).
            structured_content=None if answer.is_failure else answer.body,
            meta={PROVENANCE: answer.provenance} if answer.provenance else None,
            is_error=answer.is_failure,
        )
