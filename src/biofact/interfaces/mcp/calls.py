"""Answers the calls of what a server offers, by clients that the first call opens.

Answers are as long as a host reads them: what has no cursor ends with a notice that says what to ask for. Lists with a
cursor come cut already, and batches short (decision 0082).

A caller gets progress reports, may lend a model, and may send an NCBI key in a header, which is held as long as a call
with it is under way, and written nowhere. Up to the protocol of 2025-11-25 a server can ask the client's model while a
call runs. Since 2026-07-28 it cannot: the call ends with the questions, and the client calls again with the answers
(decision 0030).
"""

import asyncio
import functools
import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from fastmcp.exceptions import FastMCPError
from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context, get_http_request
from fastmcp.tools.base import InputRequiredToolResult, ToolResult
from mcp import MCPError
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    InputRequiredResult,
    InputResponse,
    SamplingMessage,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import AmbiguousQuery, BiofactError, ToolRef
from biofact.core.records import Result
from biofact.core.tool import Declaration, resources_of, specs_of
from biofact.dialects.eutils.service import API_KEY
from biofact.gateway.quotas import hold_callers
from biofact.interfaces import result_json
from biofact.interfaces.answer import PROVENANCE, AnswerFunction, ToolAnswer, failure_answer, tool_answer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.mcp.subject import subject
from biofact.interfaces.result_json import Body, text
from biofact.interfaces.spelling import Spelling
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion, json_answer
from biofact.literature.records import Method
from biofact.transport.quotas import CALLS
from biofact.transport.stack import Transport

Opener = Callable[[], AbstractAsyncContextManager[Clients]]
LENT = "the calling agent's model"
MOST_CHARACTERS = 80_000
"""Of an answer as JSON, some 25,000 tokens; beyond it hosts cut the text, or refuse it."""
_TURNS = 5  # of the event loop, for the next question to be asked
HEADER = "X-NCBI-API-Key"
_KEY = re.compile(r"[0-9A-Za-z]{8,64}")
_NOTHING: Mapping[str, str] = MappingProxyType({})
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
        self._opener = opener or functools.partial(open_clients, is_checked=False)
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


class OwnClients:
    """The clients of callers who bring settings: one for all calls of the same, while any of them is under way."""

    def __init__(self) -> None:
        self._shared: dict[frozenset[tuple[str, str]], _Shared] = {}

    @asynccontextmanager
    async def clients(self, common: Clients, own_settings: Mapping[str, str]) -> AsyncIterator[Clients]:
        """The clients for one call: the common ones where its caller brings nothing."""
        if not own_settings:
            yield common
            return
        key = frozenset(own_settings.items())
        shared = self._shared.setdefault(key, _Shared(common.with_settings(own_settings)))
        shared.calls += 1
        try:
            yield shared.clients
        finally:
            shared.calls -= 1
            if not shared.calls:
                del self._shared[key]
                await shared.clients.aclose()


@dataclass(slots=True)
class _Shared:
    clients: Clients
    calls: int = 0


def brought_settings() -> Mapping[str, str]:
    """What the caller of the call under way brings; nothing for most, and for none who is not there by HTTP.

    Raises:
        AmbiguousQuery: the header holds no key. It is not shown, for it may be one that was mistyped.
    """
    try:
        key = get_http_request().headers.get(HEADER, "").strip()
    except RuntimeError:  # the call came another way
        return _NOTHING
    if not key:
        return _NOTHING
    if not _KEY.fullmatch(key):
        hint = "Send the key as NCBI shows it, letters and digits alone; or leave the header out."
        raise AmbiguousQuery(f"The header {HEADER} holds no NCBI key.", hint=hint)
    return {API_KEY.name: key}


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


def calling() -> Caller:
    """Who makes the call under way."""
    context = get_context()

    async def report(done: int, total: int, what: str) -> None:
        with suppress(MCPError):  # a caller who no longer listens still gets the result
            await context.report_progress(done, total, what)

    return Caller(progress=report, model=_lent(context), most_characters=MOST_CHARACTERS, subject=subject())


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


class AnswersNeeded(BaseException):
    """The call cannot go on before the client has answered. No failure: it passes all that handles those."""


@dataclass
class PushedModel:
    """The client's model, asked while the call runs."""

    context: Context
    name: str = LENT
    method: Method = "sampling"

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: the client declined, or its model answered no JSON.
        """
        asked = _asked(question)
        try:
            with warnings.catch_warnings():  # the newest protocol does it otherwise; this client speaks an older one
                warnings.simplefilter("ignore", MCPDeprecationWarning)
                sampling = self.context.session.create_message(
                    asked.messages,
                    max_tokens=asked.max_tokens,
                    system_prompt=asked.system_prompt,
                    related_request_id=self.context.request_id,
                )
            return json_answer(_response_text(await sampling))
        except (MCPError, FastMCPError) as error:
            raise ModelFailed("the calling agent's client did not let its model answer", may_pass=False) from error


@dataclass
class RoundTripModel:
    """The client's model, asked between two rounds of a call."""

    answers: dict[str, str]
    """Its answers in earlier rounds, by question."""
    name: str = LENT
    method: Method = "sampling"
    needed: dict[str, CreateMessageRequest] = field(default_factory=dict)
    """What has to be answered before the call can go on."""
    _asked: Counter[str] = field(default_factory=Counter)

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question, which an earlier round has brought.

        Raises:
            ModelFailed: its model answered no JSON.
            AnswersNeeded: no round has brought it yet.
        """
        asked = _asked(question)
        key = hashlib.blake2b(asked.model_dump_json().encode(), digest_size=12).hexdigest()
        self._asked[key] += 1
        key = f"{key}-{self._asked[key]}"  # a second attempt is another question
        if key in self.answers:
            return json_answer(self.answers[key])
        self.needed[key] = CreateMessageRequest(params=asked)
        raise AnswersNeeded

    async def questions(self) -> InputRequiredToolResult:
        """What the client is to answer, when all that is under way has come to its question."""
        count = -1
        while count < len(self.needed):
            count = len(self.needed)
            for _ in range(_TURNS):
                await asyncio.sleep(0)
        return InputRequiredToolResult(
            InputRequiredResult(input_requests=dict(self.needed), request_state=json.dumps(self.answers))
        )


def _lent(context: Context) -> PushedModel | RoundTripModel | None:
    request = context.request_context
    capabilities = context.session.client_capabilities if request else None
    if request is None or capabilities is None or capabilities.sampling is None:
        return None
    if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return RoundTripModel(_earlier(context))
    return PushedModel(context)


def _earlier(context: Context) -> dict[str, str]:
    """What the client has answered so far. The state was sealed by us."""
    answers: dict[str, str] = json.loads(context.request_state) if context.request_state else {}
    return answers | {key: _response_text(response) for key, response in (context.input_responses or {}).items()}


def _asked(question: ModelQuestion) -> CreateMessageRequestParams:
    return CreateMessageRequestParams(
        messages=[SamplingMessage(role="user", content=TextContent(type="text", text=question.text))],
        system_prompt=question.instructions_for_json,
        max_tokens=question.most_tokens,
    )


def _response_text(response: InputResponse) -> str:
    """The text of an answer; empty where it is something else."""
    if not isinstance(response, CreateMessageResult):
        return ""
    blocks = response.content if isinstance(response.content, list) else [response.content]
    return "".join(block.text for block in blocks if isinstance(block, TextContent))
