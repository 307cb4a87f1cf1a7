"""The OpenAI-compatible endpoint: forms of requests, failures in our words, rate, and secrets."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import Any

import pytest

from biofact.core.settings import Settings, declared_settings
from biofact.literature.endpoint import ANSWER_SECONDS, AT_ONCE, ModelEndpoint, configured_endpoint
from biofact.literature.model import ModelAnswer, ModelFailed, ModelQuestion
from biofact.sandbox.faults import Fault
from biofact.sandbox.scripted_model import ScriptedModel, ScriptLine, broken, limited
from tests import virtual_time
from tests.each_of import each_of
from tests.in_process import InProcess, scripted_model
from tests.sandboxed import LIFE

pytestmark = pytest.mark.quick

KEY = "sk-nobodys-key"
SECRET_TEXT = "the text that nobody else may read"
OPEN = {"type": "object", "properties": {"a": {"type": "integer"}}}
CLOSED = {**OPEN, "required": ["a"], "additionalProperties": False}
QUESTION = ModelQuestion("Answer.", SECRET_TEXT, CLOSED, most_tokens=77)


def with_model(
    question: Callable[[ModelEndpoint, ScriptedModel], Coroutine[Any, Any, Any]], *script: ScriptLine, **options: Any
) -> Any:
    async def run() -> Any:
        async with scripted_model(*script, **options) as model_server, aclosing(endpoint_of(model_server)) as model:
            return await question(model, model_server)

    return virtual_time.run(run())


def endpoint_of(scripted_model: ScriptedModel, **settings: str) -> ModelEndpoint:
    environment = Settings({**scripted_model.environment(), **settings})
    return ModelEndpoint(environment, timing=LIFE, network=InProcess(scripted_model))


async def ask_once(model: ModelEndpoint, scripted_model: ScriptedModel) -> tuple[ModelAnswer, ScriptedModel]:
    return await model.answer(QUESTION), scripted_model


def failure(*script: ScriptLine, **options: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as failed:
        with_model(ask_once, *script, **options)
    return failed.value


def test_an_answer_is_json_with_the_tokens_it_took() -> None:
    answer, model_server = with_model(ask_once, {"a": 1}, api_key=KEY)

    assert answer == ModelAnswer({"a": 1}, model_server.tokens)
    (chat,) = model_server.chats
    assert (chat.model, chat.form, chat.answer_schema) == ("scripted", "json_schema", CLOSED)
    assert (chat.instructions, chat.text) == ("Answer.", SECRET_TEXT)
    assert chat.headers["authorization"] == f"Bearer {KEY}"
    assert not chat.is_streamed


@pytest.mark.parametrize("refusal", [["json_schema"], ["json_schema", "json_object"]])
def test_a_form_that_is_refused_gives_way_to_the_next_and_is_remembered(refusal: list[str]) -> None:
    async def ask_twice(model: ModelEndpoint, scripted_model: ScriptedModel) -> Any:
        return await model.answer(QUESTION), await model.answer(QUESTION), scripted_model.chats

    first, second, chats = with_model(ask_twice, {"a": 1}, refuses=refusal)

    assert first.value == second.value == {"a": 1}
    assert [chat.form for chat in chats] == [["json_object"], ["text"]][len(refusal) - 1] * 2
    assert '"additionalProperties": false' in chats[0].instructions


def test_the_other_name_for_the_longest_answer_is_tried() -> None:
    message = (
        b'{"error": {"message": "Use max_completion_tokens instead of max_tokens.", "code": "unsupported_parameter"}}'
    )
    answer, model_server = with_model(ask_once, Fault("status", status=400, body=message), {"a": 1})

    assert answer.value == {"a": 1}
    assert [chat.form for chat in model_server.chats] == ["json_schema", "json_schema"]


@pytest.mark.parametrize(
    "content", ['```json\n{"a": 1}\n```', '<think>{"b": 2}?</think>\n{"a": 1}', '\n {"a": 1}\n'], ids=repr
)
def test_fences_and_thinking_around_the_json_are_dropped(content: str) -> None:
    answer, _ = with_model(ask_once, content)

    assert answer.value == {"a": 1}


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        ("not JSON", "its answer is not JSON"),
        (limited(0.01), "it asked us to slow down"),
        (broken(), "it failed (HTTP 500)"),
        (Fault("html"), "it sent a web page in place of data (HTTP 200)"),
        (Fault("short", at=30), "it broke off the connection"),
        (Fault("truncate", at=30), "it sent something else than a chat completion"),
        (Fault("reset", at=30), "it broke off the connection"),
        (Fault("close"), "it broke off the connection"),
        (Fault("body", body=b'{"choices": []}'), "it sent something else than a chat completion"),
        (Fault("body", body=b"[]"), "it sent something else than a chat completion"),
        (Fault("status", status=408, body=b""), "it failed (HTTP 408)"),
    ],
    ids=str,
)
def test_a_passing_failure_may_pass(trouble: ScriptLine, reason: str) -> None:
    failed = failure(trouble)

    assert failed.may_pass
    assert failed.reason.startswith(reason)


def test_an_answer_that_is_not_json_costs_tokens_too() -> None:
    assert failure("not JSON").tokens > 0


def test_an_endpoint_that_hangs_did_not_answer_in_time() -> None:
    failed = failure(Fault("delay", seconds=ANSWER_SECONDS + 1))

    assert (failed.reason, failed.may_pass) == ("it did not answer in time", True)


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (Fault("status", status=403, body=b"no"), "it refused the question (HTTP 403)"),
        (
            Fault("status", status=400, body=b'{"error": {"code": "context_length_exceeded"}}'),
            "it refused the question (HTTP 400, context_length_exceeded)",
        ),
        (Fault("status", status=302, body=b""), "The language model answered HTTP 302: it has moved"),
        (limited(3600), "it asked us to wait 3600 seconds"),
    ],
    ids=str,
)
def test_a_lasting_failure_may_not_pass(trouble: ScriptLine, reason: str) -> None:
    failed = failure(trouble)

    assert (failed.reason, failed.may_pass) == (reason, False)


def test_a_wrong_key_is_refused_once() -> None:
    async def wrong(model: ModelEndpoint, scripted_model: ScriptedModel) -> Any:
        other = endpoint_of(scripted_model, BIOFACT_LLM_API_KEY="sk-wrong")
        with pytest.raises(ModelFailed, match=r"HTTP 401") as failed:
            await other.answer(QUESTION)
        await other.aclose()
        return failed.value

    failed = with_model(wrong, {"a": 1}, api_key=KEY)

    assert not failed.may_pass
    assert "sk-wrong" not in failed.reason


@each_of("key", ["sk-two\nlines", "sk-ключ", "sk-two words"])
def test_a_key_that_no_header_can_hold_is_not_quoted(key: str) -> None:
    async def ask(model: ModelEndpoint, scripted_model: ScriptedModel) -> Any:
        other = endpoint_of(scripted_model, BIOFACT_LLM_API_KEY=key)
        with pytest.raises(ModelFailed, match=r"BIOFACT_LLM_API_KEY holds") as failed:
            await other.answer(QUESTION)
        return failed.value

    failed = with_model(ask, {"a": 1})

    assert key not in failed.reason
    assert not failed.may_pass


def test_an_address_without_a_server_cannot_be_reached() -> None:
    async def run() -> None:
        settings = Settings({"BIOFACT_LLM_BASE_URL": "http://127.0.0.1:9/v1"})
        model = ModelEndpoint(settings, timing=LIFE, network=InProcess())
        try:
            await model.answer(QUESTION)
        finally:
            await model.aclose()

    with pytest.raises(ModelFailed, match=r"it cannot be reached") as failed:
        virtual_time.run(run())

    assert failed.value.may_pass


def test_a_reason_holds_neither_key_nor_question() -> None:
    echo = f'{{"error": {{"message": "{SECRET_TEXT} {KEY}", "code": "{KEY}"}}}}'.encode()

    for status in (400, 404, 429, 500):
        reason = failure(Fault("status", status=status, body=echo, times=None), api_key=KEY).reason
        assert SECRET_TEXT not in reason
        assert KEY not in reason


def test_at_most_four_questions_are_under_way() -> None:
    async def ask_many(model: ModelEndpoint, scripted_model: ScriptedModel) -> int:
        await asyncio.gather(*(model.answer(QUESTION) for _ in range(12)))
        return scripted_model.most_at_once

    assert with_model(ask_many, Fault("delay", seconds=20.0)) == AT_ONCE


def test_the_owner_may_have_more_under_way() -> None:
    async def ask_many(model: ModelEndpoint, scripted_model: ScriptedModel) -> int:
        wide = ModelEndpoint(
            Settings(scripted_model.environment()), timing=LIFE, network=InProcess(scripted_model), at_once=9
        )
        await asyncio.gather(*(wide.answer(QUESTION) for _ in range(12)))
        await wide.aclose()
        return scripted_model.most_at_once

    assert with_model(ask_many, Fault("delay", seconds=20.0, times=None)) == 9


@pytest.mark.parametrize(
    ("trouble", "is_of_endpoint"),
    [
        (limited(1), True),
        (limited(3600), True),
        (Fault("status", status=401, body=b"no"), True),
        (Fault("status", status=404, body=b"no"), True),
        (Fault("status", status=302, body=b""), True),
        (Fault("status", status=400, body=b"no"), False),
        (Fault("status", status=413, body=b"no"), False),
        (broken(), False),
        ("not JSON", False),
    ],
    ids=str,
)
def test_a_failure_says_whether_another_question_would_fare_better(trouble: ScriptLine, is_of_endpoint: bool) -> None:
    assert failure(trouble).is_of_endpoint is is_of_endpoint


def test_a_wish_for_a_pause_holds_for_the_next_question() -> None:
    async def ask_twice(model: ModelEndpoint, scripted_model: ScriptedModel) -> Any:
        with pytest.raises(ModelFailed):
            await model.answer(QUESTION)
        pause = virtual_time.now()
        await model.answer(QUESTION)
        return virtual_time.now() - pause

    assert with_model(ask_twice, limited(7), {"a": 1}) == 7.0


def test_without_an_address_or_offline_there_is_no_model() -> None:
    settings = {"BIOFACT_LLM_BASE_URL": "http://127.0.0.1:9/v1", "BIOFACT_LLM_MODEL": "m"}

    assert configured_endpoint(Settings({})) is None
    assert configured_endpoint(Settings({**settings, "BIOFACT_OFFLINE": "1"})) is None
    result = configured_endpoint(Settings(settings))
    assert result is not None
    assert (result.name, result.method) == ("m", "model")


def test_the_key_is_a_secret_setting() -> None:
    names = {setting.name: setting for setting in declared_settings()}

    assert names["BIOFACT_LLM_API_KEY"].is_secret
    assert {"BIOFACT_LLM_BASE_URL", "BIOFACT_LLM_MODEL"} <= names.keys()


@pytest.mark.processes
def test_the_http_library_is_loaded_with_the_first_question_only() -> None:
    program = "import sys, biofact.literature.endpoint; sys.exit('httpx2' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
