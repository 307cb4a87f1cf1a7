"""An OpenAI-compatible server on loopback that answers from a script, rightly or wrongly. For tests and demos."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.extraction.model_reading import question_articles
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.records import Evidence
from biofact.sandbox.faults import Fault, apply_fault
from biofact.sandbox.server import HOST, Incoming, LoopbackServer, Outgoing
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_LETTERS_A_TOKEN = 4  # of English text, about
_PIECE = 40  # letters of an answer in one event of a stream
_UNSUPPORTED = {"message": "This model does not support the response_format that was asked for.", "code": "unsupported"}


@dataclass(frozen=True, slots=True)
class Chat:
    """One question as it came in."""

    model: str
    messages: tuple[Mapping[str, Any], ...]
    form: str
    """``json_schema``, ``json_object`` or ``text``."""
    answer_schema: Mapping[str, Any] | None
    is_streamed: bool
    headers: Mapping[str, str]
    """Names in lower case."""

    @property
    def instructions(self) -> str:
        """Text of the system messages."""
        return "\n".join(str(message["content"]) for message in self.messages if message.get("role") == "system")

    @property
    def text(self) -> str:
        """Text of the user messages."""
        return "\n".join(str(message["content"]) for message in self.messages if message.get("role") == "user")


ModelAnswer = str | Mapping[str, Any] | Sequence[Any]
"""An answer word by word, or the JSON of one."""
ScriptLine = ModelAnswer | Fault | Callable[[Chat], "ModelAnswer | Fault"]
"""A line of a script: an answer, a fault, or a function of the chat that returns either."""


class ScriptedModel(LoopbackServer):
    """``async with ScriptedModel(line, line) as model``: one line for each question, the last one again and again.

    Without entering it, it listens on no port and serves the connections passed to ``accept`` until ``aclose``.
    """

    def __init__(self, *script: ScriptLine, api_key: str = "", refuses: Sequence[str] = (), port: int = 0) -> None:
        """``refuses`` lists the forms of ``response_format`` to refuse."""
        super().__init__(port=port)
        self.chats: list[Chat] = []
        self.tokens = 0
        """Tokens in answers so far."""
        self.most_at_once = 0
        self._script = list(script)
        self._api_key = api_key
        self._refuses = frozenset(refuses)
        self._at_once = 0

    @property
    def url(self) -> str:
        """The base URL, for ``BIOFACT_LLM_BASE_URL``."""
        return f"http://{HOST}:{self._port}/v1"

    def environment(self) -> dict[str, str]:
        """The settings that point at it."""
        settings = {"BIOFACT_LLM_BASE_URL": self.url, "BIOFACT_LLM_MODEL": "scripted"}
        return settings | ({"BIOFACT_LLM_API_KEY": self._api_key} if self._api_key else {})

    async def _respond(self, incoming: Incoming) -> Outgoing:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._route_reply(incoming)
        finally:
            self._at_once -= 1

    async def _route_reply(self, incoming: Incoming) -> Outgoing:
        if self._api_key and incoming.headers.get("authorization") != f"Bearer {self._api_key}":
            return _json({"error": {"message": "Incorrect API key provided."}}, status=401)
        match incoming.method, incoming.target.partition("?")[0]:
            case "GET", "/v1/models":
                return _json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
            case "POST", "/v1/chat/completions":
                return await self._completed(incoming)
            case _:
                return _json({"error": {"message": "There is nothing here."}}, status=404)

    async def _completed(self, incoming: Incoming) -> Outgoing:
        chat = _chat(incoming)
        if chat is None:
            return _json({"error": {"message": "A chat has a model and messages."}}, status=400)
        if chat.form in self._refuses:
            return _json({"error": _UNSUPPORTED}, status=400)
        self.chats.append(chat)
        line = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        answer = line(chat) if callable(line) else line
        if not isinstance(answer, Fault):
            return self._outgoing(chat, answer, counts=True)
        if answer.kind == "delay":
            await asyncio.sleep(answer.seconds)
        return apply_fault(self._outgoing(chat, {}, counts=False), answer, url=self.url)

    def _outgoing(self, chat: Chat, answer: ModelAnswer, *, counts: bool) -> Outgoing:
        content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        prompt_tokens = sum(len(str(message["content"])) for message in chat.messages) // _LETTERS_A_TOKEN + 1
        completion_tokens = len(content) // _LETTERS_A_TOKEN + 1
        usage = {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        }
        self.tokens += prompt_tokens + completion_tokens if counts else 0
        head = {"id": f"chatcmpl-{len(self.chats)}", "created": 0, "model": chat.model}
        if chat.is_streamed:
            return _streamed(head, content, usage)
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return _json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})


def _chat(incoming: Incoming) -> Chat | None:
    try:
        body = json.loads(incoming.body)
        form = body.get("response_format") or {"type": "text"}
        return Chat(
            model=str(body["model"]),
            messages=tuple({**message, "content": message["content"]} for message in body["messages"]),
            form=form["type"],
            answer_schema=form.get("json_schema", {}).get("schema"),
            is_streamed=body.get("stream") is True,
            headers=incoming.headers,
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _json(value: object, *, status: int = 200) -> Outgoing:
    return Outgoing(json.dumps(value).encode(), content_type="application/json", status=status)


def _streamed(head: Mapping[str, Any], content: str, usage: Mapping[str, int]) -> Outgoing:
    """The answer in server-sent events, as ``stream: true`` wants it."""
    chunk = {**head, "object": "chat.completion.chunk"}
    pieces = [content[start : start + _PIECE] for start in range(0, len(content), _PIECE)]
    events: list[dict[str, Any]] = [
        {**chunk, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces
    ]
    events.append({**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    events.append({**chunk, "choices": [], "usage": dict(usage)})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
    return Outgoing(body.encode(), content_type="text/event-stream", is_zipped=False)


def honest(schema: ExtractionSchema) -> Callable[[Chat], ModelAnswer]:
    """A model that answers about the articles in a question as the rules do, with their quotes."""
    reader = RuleReader(schema)

    def line(chat: Chat) -> ModelAnswer:
        entries = []
        for values in question_articles(chat.text):
            article = CanonicalPubMedArticle(**{name: value for name, value in values.items() if value})
            outcome = reader.read(article)
            fields = {field.name: _claims_of(field, outcome) for field in schema.fields}
            entries.append({"id": article.id, "fields": fields})
        return {"articles": entries}

    return line


def _claims_of(field: SchemaField, outcome: ArticleFeatures) -> Any:
    """The claims about a field: a value with its quote, for each entry of a list and each part of an object."""
    if field.is_group:
        return {part.name: _claims_of(part, outcome) for part in field.fields}
    if field.path not in outcome.values:
        return [] if field.kind == "array" else None
    value, evidence = outcome.values[field.path], outcome.evidence[field.path]
    is_derived = field.path in outcome.derived
    if not isinstance(value, list):
        return _claim(value, evidence, is_derived=is_derived)
    evidence_lists = [[item] for item in evidence] if len(evidence) == len(value) else [evidence] * len(value)
    return [
        _entry(item, item_evidence, is_derived=is_derived)
        for item, item_evidence in zip(value, evidence_lists, strict=True)
    ]


def _entry(value: Any, evidence: Sequence[Evidence], *, is_derived: bool) -> Any:
    if isinstance(value, dict):
        return {name: _entry(part, evidence, is_derived=is_derived) for name, part in value.items()}
    return _claim(value, evidence, is_derived=is_derived)


def _claim(value: Any, evidence: Sequence[Evidence], *, is_derived: bool) -> dict[str, Any]:
    quote = " ... ".join(item.quote for item in evidence)
    return {"value": value, "quote": quote, "where": evidence[0].where, "derived": is_derived}


def limited(seconds: float) -> Fault:
    """A 429 that asks for a pause."""
    return _error(429, "Rate limit reached.", **{"Retry-After": f"{seconds:g}"})


def broken() -> Fault:
    """A 500."""
    return _error(500, "The server had an error.")


def _error(status: int, message: str, **headers: str) -> Fault:
    body = json.dumps({"error": {"message": message}}).encode()
    return Fault("status", status=status, body=body, headers=headers)
