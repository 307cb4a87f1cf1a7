"""A model behind an OpenAI-compatible endpoint: chat completions, spoken over our own wire.

Paces itself (some questions at once, Retry-After, backoff); retries are up to the caller.
Why no SDK stands in docs/decisions.
"""

import asyncio
import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from biofact.core import events
from biofact.core.errors import BiofactError, RateLimited
from biofact.core.events import ModelAnswered
from biofact.core.records import estimated_tokens
from biofact.core.settings import Setting, Settings, declare
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion, json_answer
from biofact.literature.records import Method
from biofact.transport.ask.retry import OFFLINE, good_answer
from biofact.transport.quotas import MODEL_TOKENS, Quotas
from biofact.transport.service import (
    HOUR,
    Answer,
    BodyTooLarge,
    Refused,
    Request,
    Service,
    Transient,
    Unreachable,
    Verdict,
    redacted,
)
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.transport.ask.wire import Network, Wire

BASE_URL = declare(
    Setting(
        "BIOFACT_LLM_BASE_URL",
        "Where an OpenAI-compatible language model is, such as http://127.0.0.1:11434/v1; else rules do its work.",
        example="http://127.0.0.1:11434/v1",
    )
)
MODEL = declare(Setting("BIOFACT_LLM_MODEL", "Which language model to ask where it is.", default="default"))
API_KEY = declare(
    Setting("BIOFACT_LLM_API_KEY", "The key to the language model, if it needs one; shown nowhere.", is_secret=True)
)

AT_ONCE = 4
"""Questions, unless the owner says how many."""
ANSWER_SECONDS = 120.0
"""The timeout of one answer: models write some fifty tokens a second."""
LONGEST_PAUSE_SECONDS = 60.0
"""The longest Retry-After that a caller waits for."""

Form = Literal["json_schema", "json_object", "text"]
_FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
"""Response formats, the surest first; after a refusal the next one is tried."""
Limit = Literal["max_tokens", "max_completion_tokens"]
"""The parameter for the most tokens of an answer: OpenAI's newer models refuse the name that all others take."""
_SUCCESS = 2  # hundreds: HTTP 200 to 299
_LEAST_SHARE = 0.5  # of a backoff; the rest is random
_REFUSES_FORM = frozenset((400, 404, 415, 422, 501))
_REFUSES_QUESTION = frozenset((400, 413, 415, 422))
"""Statuses about one question; others, such as 401 and 404, would follow any question."""
_CODE = re.compile(r"[a-z][a-z0-9_]{2,39}")


def _verdict(answer: Answer) -> Verdict:
    return "good" if answer.status // 100 == _SUCCESS else "refused"


def _bearer(settings: Settings) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {settings[API_KEY]}"} if settings[API_KEY] else {}


LLM = Service(
    name="llm",
    title="The language model",
    base_url=BASE_URL,
    per_second=math.inf,
    judge=_verdict,
    key=API_KEY,
    sign_headers=_bearer,
    max_connections=AT_ONCE,
    longest_pause_seconds=HOUR,  # the owner's own Retry-After is reported unchanged
    probe_path="/models",
)
"""The model's service. Only its owner knows the rate limits; HTTP 429 signals them."""


def configured_endpoint(
    settings: Settings,
    *,
    timing: Timing | None = None,
    network: "Network | None" = None,
    quotas: Quotas | None = None,
    at_once: int = AT_ONCE,
) -> "ModelEndpoint | None":
    """The model in the settings; None if they have none, or in offline mode."""
    is_there = settings.is_set(BASE_URL) and not settings.is_on(OFFLINE)
    return ModelEndpoint(settings, timing=timing, network=network, quotas=quotas, at_once=at_once) if is_there else None


class ModelEndpoint:
    """Asks one endpoint. Belongs to the event loop that first uses it."""

    method: Method = "model"

    def __init__(
        self,
        settings: Settings,
        *,
        timing: Timing | None = None,
        network: "Network | None" = None,
        answer_seconds: float = ANSWER_SECONDS,
        quotas: Quotas | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        """``network`` takes the place of the network; ``quotas`` are those of its callers; ``at_once`` questions are
        under way at a time.
        """
        self.name = settings[MODEL]
        self._settings = settings
        self._timing = replace(timing or Timing(), read_seconds=answer_seconds)
        self._network = network
        self._quotas = quotas
        self._opened_wire: Wire | None = None
        self._service = replace(LLM, max_connections=at_once)
        self._slots = asyncio.Semaphore(at_once)
        self._form: Form = "json_schema"
        self._limit: Limit = "max_tokens"
        self._failures = 0
        self._next_at = 0.0

    async def answer(self, question: ModelQuestion) -> ModelAnswer:
        """The JSON that the model writes, and the tokens that it took.

        Raises:
            ModelFailed: there is none. The reason holds neither key nor question.
        """
        async with self._slots:
            await self._check_quota()
            await self._wait()
            started_at = self._timing.clock()
            try:
                answer = await self._answer(question)
            except ModelFailed as failure:
                self._report(failure.tokens, started_at, is_failure=True)
                await self._count(failure.tokens)
                raise
            self._report(answer.tokens, started_at)
            texts = (question.instructions, question.text, json.dumps(answer.value))
            # an estimate for an endpoint that does not report its tokens
            await self._count(answer.tokens or sum(map(estimated_tokens, texts)))
            return answer

    async def aclose(self) -> None:
        """Close all connections."""
        if self._opened_wire is not None:
            await self._opened_wire.aclose()
            self._opened_wire = None

    async def _answer(self, question: ModelQuestion) -> ModelAnswer:
        try:
            model_answer = _model_answer(await self._exchange_in_forms(question))
        except Transient as failure:
            raise self._passing_failure(failure) from None
        except BodyTooLarge as error:
            raise ModelFailed(f"it {error}", may_pass=False) from None
        except BiofactError as error:
            reason = redacted(error.message.rstrip("."), self._settings)
            raise ModelFailed(reason, may_pass=False, is_of_endpoint=True) from None
        self._failures = 0
        return model_answer

    def _report(self, count: int, started_at: float, *, is_failure: bool = False) -> None:
        events.emit(ModelAnswered(self.name, count, self._timing.clock() - started_at, is_failure))

    async def _count(self, count: int) -> None:
        """Count tokens towards the caller's quota."""
        if self._quotas is not None:
            await self._quotas.count(MODEL_TOKENS, count)

    async def _check_quota(self) -> None:
        """Do nothing while the caller has tokens left.

        Raises:
            ModelFailed: they have none.
        """
        try:
            if self._quotas is not None:
                await self._quotas.use(MODEL_TOKENS, 0)
        except RateLimited as limit:
            words = f"{limit.message} {limit.hint}"
            raise ModelFailed(f"{words[0].lower()}{words[1:].rstrip('.')}", may_pass=False, limit=limit) from None

    async def _exchange_in_forms(self, question: ModelQuestion) -> Answer:
        """The answer, in the surest form that the endpoint takes.

        Raises:
            ModelFailed: it refuses the question in every form.
            Transient: it failed.
        """
        key = self._settings[API_KEY]
        # the errors about a header that cannot hold the key would contain it
        if not (key.isascii() and key.isprintable() and " " not in key):
            reason = f"{API_KEY.name} holds something else than letters, digits and signs"
            raise ModelFailed(reason, may_pass=False, is_of_endpoint=True)
        form, limit, first = self._form, self._limit, None
        while True:
            try:
                answer = await self._exchange(_body(self.name, question, form, limit))
            except Refused as refusal:
                first = first or refusal
                next_form = _next_way(refusal.answer, form, limit)
                if next_form is None:
                    raise self._refusal(first.answer) from None
                form, limit = next_form
            else:
                self._form, self._limit = form, limit
                return answer

    def _refusal(self, answer: Answer) -> ModelFailed:
        code = redacted(_error_code(answer.body), self._settings)
        reason = f"it refused the question (HTTP {answer.status}{code})"
        return ModelFailed(reason, may_pass=False, is_of_endpoint=answer.status not in _REFUSES_QUESTION)

    async def _exchange(self, body: Mapping[str, Any]) -> Answer:
        request = Request(self._service, "/chat/completions", method="POST", json=body, accept="application/json")
        try:
            async with asyncio.timeout(self._timing.read_seconds):
                answer = await self._wire().exchange(request)
        except TimeoutError:
            raise Transient("did not answer in time") from None
        return good_answer(answer, self._service, self._settings, self._timing)

    async def _wait(self) -> None:
        """Wait for the pause that the endpoint requested, or that its last failures suggest."""
        if (seconds := self._next_at - self._timing.clock()) > 0:
            await self._timing.sleep(seconds)

    def _passing_failure(self, failure: Transient) -> ModelFailed:
        """The failure for the caller; sets the pause that it asks for, else a backoff that grows with each in a row."""
        wish = failure.retry_after_seconds
        if wish is not None and wish > LONGEST_PAUSE_SECONDS:
            reason = f"it asked us to wait {math.ceil(wish)} seconds"
            return ModelFailed(reason, may_pass=False, is_of_endpoint=True)
        backoff = min(self._timing.backoff_seconds * 2.0**self._failures, self._timing.backoff_cap_seconds)
        seconds = backoff * (_LEAST_SHARE + (1 - _LEAST_SHARE) * self._timing.random()) if wish is None else wish
        self._next_at = max(self._next_at, self._timing.clock() + seconds)
        self._failures += 1
        is_of_endpoint = failure.is_rate_limit or isinstance(failure, Unreachable)
        reason = f"it {redacted(failure.reason, self._settings)}"
        return ModelFailed(reason, may_pass=True, is_of_endpoint=is_of_endpoint)

    def _wire(self) -> "Wire":
        if self._opened_wire is None:
            from biofact.transport.ask.wire import Wire  # noqa: PLC0415  # loads the HTTP library: only when needed

            self._opened_wire = Wire(self._settings, self._timing, self._network)
        return self._opened_wire


def _next_way(answer: Answer, form: Form, limit: Limit) -> tuple[Form, Limit] | None:
    """The next form to try after a refusal; None where that would not help."""
    # a question that is too long is too long in every form
    if answer.status not in _REFUSES_FORM or b"context_length" in answer.body:
        return None
    if limit == "max_tokens" and b"max_completion_tokens" in answer.body:
        return form, "max_completion_tokens"
    further_forms = _FORMS[_FORMS.index(form) + 1 :]
    return (further_forms[0], limit) if further_forms else None


def _error_code(body: bytes) -> str:
    """The code of an error, such as ``invalid_api_key``. Its words are left out: they may quote the question."""
    try:
        error = json.loads(body)["error"]
        codes = [error.get("code"), error.get("type")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    return next((f", {code}" for code in codes if isinstance(code, str) and _CODE.fullmatch(code)), "")


def _body(model: str, question: ModelQuestion, form: Form, limit: Limit) -> dict[str, Any]:
    """The question as chat completions want it. No temperature: some models refuse any but their own."""
    instructions = question.instructions if form == "json_schema" else question.instructions_for_json
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": question.text}],
        "stream": False,
        limit: question.most_tokens,
    }
    if form == "json_schema":
        schema = question.answer_schema
        json_schema = {"name": "answer", "schema": dict(schema), "strict": _is_closed(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": json_schema}
    elif form == "json_object":
        body["response_format"] = {"type": "json_object"}
    return body


def _is_closed(schema: Any) -> bool:
    """Whether every object in a schema names all its parts, as OpenAI's strict mode wants."""
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object":
        is_named = set(schema.get("required", ())) == set(schema.get("properties", {}))
        if schema.get("additionalProperties") is not False or not is_named:
            return False
    return all(_is_closed(value) for value in schema.values())


def _model_answer(answer: Answer) -> ModelAnswer:
    """The answer in the model's completion.

    Raises:
        ModelFailed: the body is no chat completion, or what it says is no JSON.
    """
    try:
        completion = json.loads(answer.body)
        choice = completion["choices"][0]
        message = choice["message"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ModelFailed("it sent something else than a chat completion", may_pass=True) from None
    used = _tokens(completion.get("usage"))
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(message, dict) and message.get("refusal"):
        raise ModelFailed("it declined to answer", may_pass=False, tokens=used)
    if choice.get("finish_reason") == "length":
        raise ModelFailed("its answer was cut off for its length", may_pass=False, tokens=used)
    return json_answer(content if isinstance(content, str) else "", used)


def _tokens(usage: Any) -> int:
    """The tokens of question and answer; 0 if the endpoint reports none."""
    if not isinstance(usage, Mapping):
        return 0
    total = usage.get("total_tokens")
    parts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    counts = [total] if isinstance(total, int) else [part for part in parts if isinstance(part, int)]
    return max(0, sum(counts))
