"""Answers the calls of what a server offers, by clients that the first call opens.

Answers are as long as a host reads them: what has no cursor ends with a notice that says what to ask for. Lists with a
cursor come cut already, and batches short (decision 0082).
"""

import asyncio
import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from typing import Any, cast

from fastmcp.tools.base import ToolResult
from mcp_types import TextContent

from biofact.core.call import on_behalf_of
from biofact.core.errors import BiofactError, ToolRef
from biofact.core.records import Result
from biofact.core.tool import Declaration, resources_of, specs_of
from biofact.gateway.quotas import hold_callers
from biofact.interfaces import result_json
from biofact.interfaces.answer import PROVENANCE, AnswerFunction, ToolAnswer, failure_answer, tool_answer
from biofact.interfaces.clients import Clients, opened
from biofact.interfaces.mcp.caller import AnswersNeeded, OwnClients, RoundTripModel, brought_settings, calling
from biofact.interfaces.result_json import Body, text
from biofact.interfaces.spelling import Spelling
from biofact.transport.quotas import CALLS
from biofact.transport.stack import Transport

Opener = Callable[[], AbstractAsyncContextManager[Clients]]
_ADVICE = {
    "max_results": "ask for fewer with a smaller `max_results`",
    "limit": "ask for fewer with a smaller `limit`",
    "slim": "ask for short rows with `slim`",
    "include": "ask for less with `include`",
    "fields": "ask for less with `fields`",
}
"""What makes an answer shorter, by the arguments that a tool may have."""
_NOTICE = 400
"""Characters of one notice, at most."""


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
                hold_callers(self._clients.transport)
            return self._clients


@functools.cache
def _declaration(client_class: Any, ref: ToolRef) -> Declaration:
    """What is called so."""
    declared: tuple[Declaration, ...] = (*specs_of(client_class), *resources_of(client_class))
    return next(spec for spec in declared if spec.ref == ref)


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
        body = readable(body, caller.most_characters, parameters)
        text = result_json.text(body)
    return ToolResult(
        content=[TextContent(type="text", text=text)],
        # Clients hold structured content to the output schema, that of a failure too (decision 0036).
        structured_content=None if reply.is_failure else body,
        meta={PROVENANCE: reply.provenance} if reply.provenance else None,
        is_error=reply.is_failure,
    )


@dataclass(frozen=True, slots=True)
class _List:
    """A list somewhere in an answer."""

    name: str
    items: list[Any]
    count: int
    """Of its items before any was taken away."""
    characters: int


def readable(body: Body, most: float, arguments: Collection[str]) -> Body:
    """The answer with its longest lists cut until it has at most so many characters; ``arguments`` are the tool's.

    The rows of a page or batch stay, whatever their number: each belongs to its place.
    """
    shorter: Body = _copied(body)
    cut: dict[int, _List] = {}
    while (over := len(text(shorter)) + _NOTICE * (1 + len({one.name for one in cut.values()})) - most) > 0:
        lists = [one for one in _lists(shorter) if id(one.items) not in cut]
        if not lists:
            break
        longest = max(lists, key=lambda one: one.characters)
        cut[id(longest.items)] = longest
        _shorten(longest, over)
    if notices := _notices(list(cut.values()), _advice(body, arguments), most):
        shorter["notices"] = [*body.get("notices", ()), *notices]
    return shorter


def _notices(cut: Sequence[_List], advice: str, most: float) -> list[Body]:
    """One for each name of lists that were cut."""
    by_name: dict[str, list[_List]] = {}
    for one in cut:
        if len(one.items) < one.count:
            by_name.setdefault(one.name, []).append(one)
    return [
        {"code": "LIST_CUT", "message": f"`{name}` {_shown(lists)}: more would be over {most:,} characters.{advice}"}
        for name, lists in by_name.items()
    ]


def _shown(lists: Sequence[_List]) -> str:
    if len(lists) > 1:
        return f"is cut in {len(lists)} rows"
    return f"shows {len(lists[0].items)} of {lists[0].count}"


def _advice(body: Body, arguments: Collection[str]) -> str:
    """How to have what is cut."""
    ways = [words for name, words in _ADVICE.items() if name in arguments]
    if "collection" in body:
        ways.insert(0, "give its `collection` to the next step, which has all of them")
    return f" To have the others, {', or '.join(ways)}." if ways else ""


def _shorten(one: _List, over: float) -> None:
    """Take items from its end until ``over`` characters are gone; one item stays."""
    while over > 0 and len(one.items) > 1:
        over -= len(text(one.items.pop())) + 1


def _lists(value: object, name: str = "", *, is_top: bool = True) -> Iterator[_List]:
    """The lists that may be cut, at any depth."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "notices":
                continue
            is_page = is_top and key == "items" and "pagination" in value
            if isinstance(part, list) and part and not is_page:
                yield _List(key, part, len(part), len(text(part)))
            yield from _lists(part, key, is_top=False)
    elif isinstance(value, list):
        for part in value:
            yield from _lists(part, name, is_top=False)


def _copied(value: Any) -> Any:
    """A copy whose lists and objects are its own."""
    if isinstance(value, dict):
        return {name: _copied(part) for name, part in value.items()}
    return [_copied(part) for part in value] if isinstance(value, list) else value
