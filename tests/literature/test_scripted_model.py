"""The scripted model itself, over plain HTTP."""

import asyncio
import json
from typing import Any

import httpx2
import pytest

from biofact.sandbox.faults import Fault
from biofact.sandbox.scripted_model import Chat, ModelAnswer, ScriptedModel, ScriptLine, limited

pytestmark = pytest.mark.quick

HELLO = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def post_replies(
    *script: ScriptLine, body: Any = HELLO, count: int = 1, **options: Any
) -> tuple[list[httpx2.Response], ScriptedModel]:
    async def run() -> tuple[list[httpx2.Response], ScriptedModel]:
        async with ScriptedModel(*script, **options) as model, httpx2.AsyncClient() as client:
            answers = [await client.post(f"{model.url}/chat/completions", json=body) for _ in range(count)]
            return answers, model

    return asyncio.run(run())


def test_scripted_lines_are_returned_in_turn_and_the_last_one_again() -> None:
    answers, model = post_replies({"a": 1}, "plain", count=3)

    contents = [answer.json()["choices"][0]["message"]["content"] for answer in answers]
    assert contents == ['{"a": 1}', "plain", "plain"]
    assert len(model.chats) == 3
    assert sum(answer.json()["usage"]["total_tokens"] for answer in answers) == model.tokens


def test_a_line_can_depend_on_the_question() -> None:
    def line(chat: Chat) -> ModelAnswer:
        return chat.text.upper()

    (answer,), _ = post_replies(line)

    assert answer.json()["choices"][0]["message"]["content"] == "HELLO"


def test_a_stream_comes_in_events_with_its_usage_at_the_end() -> None:
    (answer,), model = post_replies("x" * 100, body={**HELLO, "stream": True})

    events = [line.removeprefix("data: ") for line in answer.text.splitlines() if line]
    assert answer.headers["content-type"] == "text/event-stream"
    assert events[-1] == "[DONE]"
    chunks = [json.loads(event) for event in events[:-1]]
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]) == "x" * 100
    assert chunks[-1]["usage"]["total_tokens"] == model.tokens


def test_the_model_misbehaves_on_request() -> None:
    (first, second), model = post_replies(limited(3), Fault("html"), count=2)

    assert (first.status_code, first.headers["retry-after"]) == (429, "3")
    assert second.text.startswith("<!DOCTYPE html>")
    assert model.tokens == 0


def test_a_key_a_form_and_a_path_can_be_refused() -> None:
    (locked,), _ = post_replies("x", api_key="k")
    (formed_reply,), _ = post_replies(
        "x", body={**HELLO, "response_format": {"type": "json_object"}}, refuses=["json_object"]
    )
    (empty,), _ = post_replies("x", body=[])

    assert (locked.status_code, formed_reply.status_code, empty.status_code) == (401, 400, 400)


def test_the_model_is_listed() -> None:
    async def run() -> list[httpx2.Response]:
        async with ScriptedModel("x") as model, httpx2.AsyncClient() as client:
            return [await client.get(f"{model.url}/{path}") for path in ("models", "nothing")]

    listed_values, missing = asyncio.run(run())

    assert listed_values.json()["data"][0]["id"] == "scripted"
    assert missing.status_code == 404
