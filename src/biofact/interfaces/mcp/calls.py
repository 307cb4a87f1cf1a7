"""Calls of a server's tools and resources, answered by clients that the first call opens.

An answer is not longer than hosts read: a list without a cursor is cut, with a notice of how to get the rest. Lists
with a cursor are cut before, and batches are short (decision 0082).

A caller gets progress reports, may lend a model, and may send an NCBI key in a header, which is held as long as a call
with it is under way, and written nowhere. Up to the protocol of 2025-11-25 a server can ask the client's model while a
call runs. Since 2026-07-28 it cannot: the call ends with the questions, and the client calls again with the answers
(decision 0030).
"""

import asyncio
import copy
import functools
import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
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
from biofact.core.records import Body, Result, compact_json
from biofact.core.tool import Declaration, resources_of, specs_of
from biofact.dialects.eutils.service import API_KEY
from biofact.gateway.quotas import hold_callers
from biofact.interfaces.answer import PROVENANCE, AnswerFunction, ToolAnswer, failure_answer, tool_answer
from biofact.interfaces.clients import Clients, open_clients
from biofact.interfaces.mcp.subject import subject
from biofact.interfaces.spelling import Spelling
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion, json_answer
from biofact.literature.records import Method
from biofact.transport.quotas import CALLS
from biofact.transport.stack import Transport

Opener = Callable[[], AbstractAsyncContextManager[Clients]]
LENT_MODEL = "the calling agent's model"
MOST_CHARACTERS = 80_000
"""The limit of an answer as JSON, about 25,000 tokens; hosts cut a longer text, or refuse it."""
_TURNS = 5  # of the event loop, until the next question can be asked
HEADER = "X-NCBI-API-Key"
_KEY = re.compile(r"[0-9A-Za-z]{8,64}")
_ADVICE = {
    "max_results": "ask for fewer with a smaller `max_results`",
    "limit": "ask for fewer with a smaller `limit`",
    "slim": "ask for short rows with `slim`",
    "include": "ask for less with `include`",
    "fields": "ask for less with `fields`",
}
"""Ways to a shorter answer, by arguments that a tool may have."""
_NOTICE = 400
"""The maximum length of a notice, in characters."""


class Calls:
    """Calls of tools and resources by reference. A source is imported by the first call of one of its own."""

    def __init__(self, spelling: Spelling, opener: Opener | None) -> None:
        self._spelling = spelling
        self._opener = opener or functools.partial(open_clients, is_checked=False)
        self._clients: Clients | None = None
        self._caller_clients = CallerClients()
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()

    async def answer(self, ref: ToolRef, arguments: Mapping[str, object]) -> ToolAnswer:
        """The answer to one call; never raises."""
        return await tool_answer(self._result(ref, arguments), ref, self._spelling, arguments)

    async def transport(self) -> Transport:
        """The transport of the clients, opened if necessary."""
        return (await self._common_clients()).transport

    def refusal(self, error: BiofactError) -> ToolAnswer:
        """The answer to a call of an unknown tool."""
        return failure_answer(error, self._spelling)

    async def aclose(self) -> None:
        """Close the clients; the next call opens new ones."""
        self._clients = None
        await self._stack.aclose()

    async def _result(self, ref: ToolRef, arguments: Mapping[str, object]) -> Result:
        client_class = self._spelling.catalog.client_class(ref.source)
        common = await self._common_clients()
        await common.transport.quotas.use(CALLS)
        async with self._caller_clients.clients(common, caller_settings()) as clients:
            return await _declaration(client_class, ref).call(clients.of(client_class), arguments)

    async def _common_clients(self) -> Clients:
        async with self._opening:
            if self._clients is None:
                self._clients = await self._stack.enter_async_context(self._opener())
                hold_callers(self._clients.transport)
            return self._clients


@functools.cache
def _declaration(client_class: Any, ref: ToolRef) -> Declaration:
    """The declaration of a tool or resource."""
    declarations: tuple[Declaration, ...] = (*specs_of(client_class), *resources_of(client_class))
    return next(spec for spec in declarations if spec.ref == ref)


class CallerClients:
    """The clients of callers with settings of their own: one for all calls with the same, while any is under way."""

    def __init__(self) -> None:
        self._shared: dict[frozenset[tuple[str, str]], _Shared] = {}

    @asynccontextmanager
    async def clients(self, common: Clients, own_settings: Mapping[str, str]) -> AsyncIterator[Clients]:
        """The clients for one call: the common ones where its caller has no settings."""
        if not own_settings:
            yield common
            return
        key = frozenset(own_settings.items())
        shared = self._shared.setdefault(key, _Shared(common.beside(own_settings)))
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


def caller_settings() -> Mapping[str, str]:
    """The settings in the headers of the call under way; none for most callers, and for all over stdio.

    Raises:
        AmbiguousQuery: the header holds no key. Its value is not shown, as it may be a mistyped key.
    """
    try:
        key = get_http_request().headers.get(HEADER, "").strip()
    except RuntimeError:  # the call came over stdio
        return {}
    if not key:
        return {}
    if not _KEY.fullmatch(key):
        hint = "Send the key as NCBI shows it, letters and digits alone; or leave the header out."
        raise AmbiguousQuery(f"The header {HEADER} holds no NCBI key.", hint=hint)
    return {API_KEY.name: key}


async def tool_result(
    answer: AnswerFunction, arguments: Mapping[str, object], parameters: Collection[str]
) -> ToolResult:
    """An answer as structured content and as one block of equal, compact JSON, a failure as the block alone; or the
    questions that the caller has to answer first. ``parameters`` are the arguments of the tool.
    """
    caller = current_caller()
    try:
        with on_behalf_of(caller):
            reply = await answer(arguments)
    except AnswersNeeded:
        return await cast("RoundTripModel", caller.model).questions()
    body, text = reply.body, compact_json(reply.body)
    if len(text) > caller.most_characters:
        body = readable(body, caller.most_characters, parameters)
        text = compact_json(body)
    return ToolResult(
        content=[TextContent(type="text", text=text)],
        # Clients hold structured content to the output schema, that of a failure too (decision 0036).
        structured_content=None if reply.is_failure else body,
        meta={PROVENANCE: reply.provenance} if reply.provenance else None,
        is_error=reply.is_failure,
    )


def current_caller() -> Caller:
    """The caller of the call under way."""
    context = get_context()

    async def report(done: int, total: int, activity: str) -> None:
        with suppress(MCPError):  # a caller who has stopped listening still gets the result
            await context.report_progress(done, total, activity)

    return Caller(progress=report, model=_lent_model(context), most_characters=MOST_CHARACTERS, subject=subject())


@dataclass(frozen=True, slots=True)
class _List:
    """A list somewhere in an answer."""

    name: str
    items: list[Any]
    count: int
    """The number of items before the cut."""
    characters: int


def readable(body: Body, limit: float, arguments: Collection[str]) -> Body:
    """The answer with its longest lists cut to at most ``limit`` characters; ``arguments`` are the tool's.

    All rows of a page or batch stay: each belongs to its position.
    """
    shorter = copy.deepcopy(body)
    cut: dict[int, _List] = {}
    while (excess := _excess(shorter, cut.values(), limit)) > 0:
        lists = [item_list for item_list in _lists(shorter) if id(item_list.items) not in cut]
        if not lists:
            break
        longest = max(lists, key=lambda item_list: item_list.characters)
        cut[id(longest.items)] = longest  # by identity: equal lists in two rows are two lists
        _shorten(longest, excess)
    if notices := _notices(list(cut.values()), _advice(body, arguments), limit):
        shorter["notices"] = [*body.get("notices", ()), *notices]
    return shorter


def _excess(body: Body, cut: Collection[_List], limit: float) -> float:
    """The characters beyond the limit, with room for a notice of each cut list and one more."""
    return len(compact_json(body)) + _NOTICE * (1 + len({cut_list.name for cut_list in cut})) - limit


def _notices(cut: Sequence[_List], advice: str, limit: float) -> list[Body]:
    """The notices of cut lists, one for each name."""
    by_name: dict[str, list[_List]] = {}
    for item_list in cut:
        if len(item_list.items) < item_list.count:
            by_name.setdefault(item_list.name, []).append(item_list)
    return [
        {
            "code": "LIST_CUT",
            "message": f"`{name}` {_cut_text(lists)}: more would be over {limit:,} characters.{advice}",
        }
        for name, lists in by_name.items()
    ]


def _cut_text(lists: Sequence[_List]) -> str:
    if len(lists) > 1:
        return f"is cut in {len(lists)} rows"
    return f"shows {len(lists[0].items)} of {lists[0].count}"


def _advice(body: Body, arguments: Collection[str]) -> str:
    """Ways to get the items that were cut."""
    ways = [words for name, words in _ADVICE.items() if name in arguments]
    if "collection" in body:
        ways.insert(0, "give its `collection` to the next step, which has all of them")
    return f" To have the others, {', or '.join(ways)}." if ways else ""


def _shorten(item_list: _List, excess: float) -> None:
    """Take items from its end until ``excess`` characters are gone; one item stays."""
    while excess > 0 and len(item_list.items) > 1:
        excess -= len(compact_json(item_list.items.pop())) + 1  # and its comma


def _lists(value: object, *, is_top: bool = True) -> Iterator[_List]:
    """The lists that may be cut, at all depths."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "notices":
                continue
            is_page = is_top and key == "items" and "pagination" in value
            if isinstance(part, list) and part and not is_page:
                yield _List(key, part, len(part), len(compact_json(part)))
            yield from _lists(part, is_top=False)
    elif isinstance(value, list):
        for part in value:
            yield from _lists(part, is_top=False)


class AnswersNeeded(BaseException):
    """The call needs answers of the client first. A BaseException, because handlers of failures must not catch it."""


@dataclass
class PushedModel:
    """The client's model, asked during the call."""

    context: Context
    name: str = LENT_MODEL
    method: Method = "sampling"

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question.

        Raises:
            ModelFailed: the client declined, or its model answered no JSON.
        """
        params = _request_params(question)
        try:
            with warnings.catch_warnings():  # deprecated in the newest protocol; this client speaks an older one
                warnings.simplefilter("ignore", MCPDeprecationWarning)
                sampling = self.context.session.create_message(
                    params.messages,
                    max_tokens=params.max_tokens,
                    system_prompt=params.system_prompt,
                    related_request_id=self.context.request_id,
                )
            return json_answer(_response_text(await sampling))
        except (MCPError, FastMCPError) as error:
            raise ModelFailed("the calling agent's client did not let its model answer", may_pass=False) from error


@dataclass
class RoundTripModel:
    """The client's model, asked between two rounds of the call."""

    answers: dict[str, str]
    """The model's answers in earlier rounds, by question."""
    name: str = LENT_MODEL
    method: Method = "sampling"
    open_questions: dict[str, CreateMessageRequest] = field(default_factory=dict)
    """The questions that need an answer before the call can continue."""
    _attempts: Counter[str] = field(default_factory=Counter)

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The answer to one question, from an earlier round.

        Raises:
            ModelFailed: the model answered no JSON.
            AnswersNeeded: no round has answered it yet.
        """
        params = _request_params(question)
        key = hashlib.blake2b(params.model_dump_json().encode(), digest_size=12).hexdigest()
        self._attempts[key] += 1
        key = f"{key}-{self._attempts[key]}"  # a second attempt is another question
        if key in self.answers:
            return json_answer(self.answers[key])
        self.open_questions[key] = CreateMessageRequest(params=params)
        raise AnswersNeeded

    async def questions(self) -> InputRequiredToolResult:
        """The questions to the client, when all tasks of the call have come to theirs."""
        count = -1
        while count < len(self.open_questions):  # a task may ask as soon as another has: until no new question comes
            count = len(self.open_questions)
            for _ in range(_TURNS):
                await asyncio.sleep(0)
        return InputRequiredToolResult(
            InputRequiredResult(input_requests=dict(self.open_questions), request_state=json.dumps(self.answers))
        )


def _lent_model(context: Context) -> PushedModel | RoundTripModel | None:
    request = context.request_context
    capabilities = context.session.client_capabilities if request else None
    if request is None or capabilities is None or capabilities.sampling is None:
        return None
    if request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return RoundTripModel(_earlier_answers(context))
    return PushedModel(context)


def _earlier_answers(context: Context) -> dict[str, str]:
    """The client's answers so far. The state is sealed by this server."""
    answers: dict[str, str] = json.loads(context.request_state) if context.request_state else {}
    return answers | {key: _response_text(response) for key, response in (context.input_responses or {}).items()}


def _request_params(question: ModelQuestion) -> CreateMessageRequestParams:
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
