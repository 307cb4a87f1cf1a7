"""Tools as an MCP server offers them: read from their declarations when first listed, answered by their clients."""

import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.providers.base import Provider
from fastmcp.tools.base import Tool, ToolResult
from fastmcp.utilities.components import FastMCPComponent
from fastmcp.utilities.versions import VersionSpec
from mcp_types import TextContent, ToolAnnotations
from pydantic import PrivateAttr

from biofact import __version__, sources
from biofact.core.errors import AmbiguousQuery
from biofact.core.tool import ToolSpec, specs_of
from biofact.interfaces import wire
from biofact.interfaces.answer import Answer, answered, failed
from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.schemas import input_schema, output_schema
from biofact.interfaces.spelling import Catalog, Spelling, bare

PROVENANCE = "biofact/provenance"
READS_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
PROTOCOL = """\
Names first: a search tool turns a name into an ID; every other tool takes the ID exactly as it was given.
A list has `items` and `pagination`; pass `cursor` on unchanged for the next page, null is the end. `slim` saves tokens.
A failure has `error`: make the call in `error.recovery` if there is one (or wait), else read `error.recovery_hint`.
`notices` say what an expert would want to know; `_meta` says where and when each fact was read."""

Opener = Callable[[], AbstractAsyncContextManager[Clients]]


def source_server(name: str, opener: Opener = opened, catalog: Catalog = sources) -> FastMCP[Any]:
    """The server of one source, whose tools have their bare names."""
    spelling = Spelling(catalog, bare, reaches=lambda ref: ref.source == name)
    return server(f"biofact {name}", Tools((name,), spelling, opener))


def server(name: str, tools: "Tools") -> FastMCP[Any]:
    """A server that has these tools and nothing else."""
    made: FastMCP[Any] = FastMCP(
        name, instructions=PROTOCOL, version=__version__, providers=[tools], dereference_schemas=False
    )
    made.provider_error_strategy = "raise"  # a source that cannot be imported must not look like no tools
    return made


class Tools(Provider):
    """The tools of some sources under one spelling. Sources are imported when tools are listed or called."""

    def __init__(self, names: Sequence[str], spelling: Spelling, opener: Opener) -> None:
        super().__init__()
        self._names = names
        self._spelling = spelling
        self._opener = opener
        self._clients: Clients

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Close at the end what calls have opened."""
        async with self._opener() as self._clients:
            yield

    async def get_tasks(self) -> Sequence[FastMCPComponent]:
        """None; asked at start-up, when no source should be imported yet."""
        return ()

    async def _list_tools(self) -> Sequence[Tool]:
        return tuple(self._tools.values())

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:  # noqa: ARG002
        return self._tools.get(name) or self._unknown(name)

    @functools.cached_property
    def _tools(self) -> dict[str, Tool]:
        tools: dict[str, Tool] = {}
        for name in self._names:
            client_class = self._spelling.catalog.client_class(name)
            for spec in specs_of(client_class):
                tools[self._spelling.write(spec.ref)] = self._tool(spec, client_class)
        return tools

    def _tool(self, spec: ToolSpec, client_class: type) -> Tool:
        async def answer(arguments: Mapping[str, object]) -> Answer:
            return await answered(spec, self._clients.of(client_class), arguments, self._spelling)

        return AnsweringTool(
            name=self._spelling.write(spec.ref),
            description=self._spelling.text(spec.summary),
            parameters=input_schema(spec),
            output_schema=output_schema(spec),
            annotations=READS_ONLY,
        ).answering(answer)

    def _unknown(self, name: str) -> Tool:
        """A tool that is in no list, so that a wrong name too is told in an envelope."""
        error = AmbiguousQuery(
            f"There is no tool {name!r:.80}.", hint=f"The tools are {', '.join(self._tools)}.", invalid_input=name
        )

        async def answer(_: Mapping[str, object]) -> Answer:
            return failed(error, self._spelling)

        return AnsweringTool(name=name, parameters={"type": "object"}).answering(answer)


class AnsweringTool(Tool):
    """A tool that always answers: with its result or with the envelope of what went wrong."""

    _answer: Callable[[Mapping[str, object]], Coroutine[Any, Any, Answer]] = PrivateAttr()

    def answering(self, answer: Callable[[Mapping[str, object]], Coroutine[Any, Any, Answer]]) -> "AnsweringTool":
        """Itself, answering like this."""
        self._answer = answer
        return self

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """The answer as structured content and as one block of equal, compact JSON."""
        answer = await self._answer(arguments)
        return ToolResult(
            content=[TextContent(type="text", text=wire.text(answer.body))],
            structured_content=answer.body,
            meta={PROVENANCE: answer.provenance} if answer.provenance else None,
            is_error=answer.is_failure,
        )
