"""The caller of a tool over MCP: their progress reports, the model that they lend, and the NCBI key that they send.

The key stands in a header. It is held as long as a call with it is under way, and written nowhere.

Up to the protocol of 2025-11-25 a server can ask the client's model while a call runs. Since 2026-07-28 it cannot: the
call ends with the questions, and the client calls again with the answers (decision 0030).
"""

import asyncio
import hashlib
import json
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import MappingProxyType

from fastmcp.exceptions import FastMCPError
from fastmcp.server.context import Context
from fastmcp.server.dependencies import get_context, get_http_request
from fastmcp.tools.base import InputRequiredToolResult
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

from biofact.core.call import Caller
from biofact.core.errors import AmbiguousQuery
from biofact.dialects.eutils.service import API_KEY
from biofact.interfaces.clients import Clients
from biofact.interfaces.mcp.subject import subject
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion, json_answer
from biofact.literature.records import Method

LENT = "the calling agent's model"
MOST_CHARACTERS = 80_000
"""Of an answer as JSON, some 25,000 tokens; beyond it hosts cut the text, or refuse it."""
_TURNS = 5  # of the event loop, for the next question to be asked
HEADER = "X-NCBI-API-Key"
_KEY = re.compile(r"[0-9A-Za-z]{8,64}")
_NOTHING: Mapping[str, str] = MappingProxyType({})


def calling() -> Caller:
    """Who makes the call under way."""
    context = get_context()

    async def report(done: int, total: int, what: str) -> None:
        with suppress(MCPError):  # a caller who no longer listens still gets the result
            await context.report_progress(done, total, what)

    return Caller(progress=report, model=_lent(context), most_characters=MOST_CHARACTERS, subject=subject())


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


@dataclass(slots=True)
class _Shared:
    clients: Clients
    calls: int = 0


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
        shared = self._shared.setdefault(key, _Shared(common.beside(own_settings)))
        shared.calls += 1
        try:
            yield shared.clients
        finally:
            shared.calls -= 1
            if not shared.calls:
                del self._shared[key]
                await shared.clients.aclose()
