"""Answers the calls of what a server offers, by clients that the first call opens."""

import asyncio
import functools
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, cast

from fastmcp.tools.base import ToolResult
from mcp_types import TextContent

from biofact.core.call import on_behalf_of
from biofact.core.errors import BiofactError, ToolRef
from biofact.core.records import Result
from biofact.core.tool import Declaration, resources_of, specs_of
from biofact.interfaces import result_json
from biofact.interfaces.answer import PROVENANCE, AnswerFunction, ToolAnswer, failure_answer, tool_answer
from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.mcp import sizes
from biofact.interfaces.mcp.caller import AnswersNeeded, RoundTripModel, calling
from biofact.interfaces.mcp.own_settings import OwnClients, brought_settings
from biofact.interfaces.spelling import Spelling
from biofact.transport.quotas import CALLS
from biofact.transport.stack import Transport

Opener = Callable[[], AbstractAsyncContextManager[Clients]]


class Calls:
    """Calls of tools and resources by reference. A source is imported by the first call of one of its own."""

    def __init__(self, spelling: Spelling, opener: Opener | None) -> None:
        self._spelling = spelling
        self._opener = opener or functools.partial(opened, is_checked=False)
        self._clients: Clients | None = None
        self._own = OwnClients()
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()

    async def answer(self, ref: ToolRef, arguments: Mapping[str, object]) -> ToolAnswer:
        """The answer to one call, whatever happens."""
        return await tool_answer(self._result(ref, arguments), ref, self._spelling, arguments)

    async def transport(self) -> Transport:
        """What its clients ask through, opened if need be."""
        return (await self._opened()).transport

    def refused(self, error: BiofactError) -> ToolAnswer:
        """The answer to a call that asks for nothing there is."""
        return failure_answer(error, self._spelling)

    async def aclose(self) -> None:
        """Close what calls have opened; the next call opens it again."""
        self._clients = None
        await self._stack.aclose()

    async def _result(self, ref: ToolRef, arguments: Mapping[str, object]) -> Result:
        client_class = self._spelling.catalog.client_class(ref.source)
        common = await self._opened()
        await common.transport.quotas.use(CALLS)
        async with self._own.clients(common, brought_settings()) as clients:
            return await _declaration(client_class, ref).call(clients.of(client_class), arguments)

    async def _opened(self) -> Clients:
        async with self._opening:
            if self._clients is None:
                self._clients = await self._stack.enter_async_context(self._opener())
            return self._clients


async def tool_result(
    answer: AnswerFunction, arguments: Mapping[str, object], parameters: Collection[str]
) -> ToolResult:
    """An answer as structured content and as one block of equal, compact JSON, a failure as the block alone; or what
    the caller has to answer before. ``parameters`` are the arguments that the tool takes.
    """
    caller = calling()
    try:
        with on_behalf_of(caller):
            reply = await answer(arguments)
    except AnswersNeeded:
        return await cast("RoundTripModel", caller.model).questions()
    body, text = reply.body, result_json.text(reply.body)
    if len(text) > caller.most_characters:
        body = sizes.readable(body, caller.most_characters, parameters)
        text = result_json.text(body)
    return ToolResult(
        content=[TextContent(type="text", text=text)],
        # Clients hold structured content to the output schema, that of a failure too (decision 0036).
        structured_content=None if reply.is_failure else body,
        meta={PROVENANCE: reply.provenance} if reply.provenance else None,
        is_error=reply.is_failure,
    )


@functools.cache
def _declaration(client_class: Any, ref: ToolRef) -> Declaration:
    """What is called so."""
    declared: tuple[Declaration, ...] = (*specs_of(client_class), *resources_of(client_class))
    return next(spec for spec in declared if spec.ref == ref)
