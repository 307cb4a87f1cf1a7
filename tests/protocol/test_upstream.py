"""Refusals of a source's services, in the services' own words if there are any."""

import asyncio
import dataclasses

import pytest

from biofact.core.errors import EntityNotFound, UpstreamError
from biofact.core.settings import Setting
from biofact.dialects import json_values
from biofact.protocol.lookup import Upstream, request_key
from biofact.transport.service import Answer, Refused, Request, Service

pytestmark = pytest.mark.quick

TOY = Service("toy", "The Toy", Setting("TEST_TOY_URL", ""), 1.0, json_values.judge)


def outcome(upstream, body):
    async def refuse():
        raise Refused(Answer(400, {}, body, "http://toy"))

    return asyncio.run(upstream.accepted(TOY, refuse()))


@pytest.mark.parametrize(
    ("body", "words"),
    [(b'{"error": "bad query"}', "bad query"), (b'{"detail": "bad query"}', "bad query"), (b"<html>", "HTTP 400")],
)
def test_a_refusal_repeats_the_words_of_the_service(body, words):
    with pytest.raises(UpstreamError) as failure:
        outcome(Upstream(None, "The Toy"), body)

    assert failure.value.message == f"The Toy refused the request: {words}."


def test_a_refusal_is_read_under_the_names_of_the_judge():
    service = dataclasses.replace(TOY, judge=json_values.Judge("messages"))
    refused = Refused(Answer(400, {}, b'{"messages": ["bad query"], "error": "E7"}', "http://toy"))

    async def refuse():
        raise refused

    with pytest.raises(UpstreamError, match="bad query"):
        asyncio.run(Upstream(None, "The Toy").accepted(service, refuse()))


def test_a_source_may_say_what_a_refusal_means():
    absent = EntityNotFound("none", hint="")

    with pytest.raises(EntityNotFound):
        outcome(Upstream(None, "The Toy", lambda service, refusal: absent), b"")


def test_an_answer_is_kept_under_its_whole_request():
    requests = (
        Request(TOY, "/search"),
        Request(TOY, ("search",)),
        Request(TOY, "/search", (("query", "a&b"), ("offset", "2"))),
        Request(TOY, "/search", (("query", "a"), ("b", ""), ("offset", "2"))),
        Request(TOY, "/search", (("query", "a&b=&offset=2"),)),
        Request(TOY, "/search", method="POST", json={"query": "a&b"}),
        Request(TOY, "/search", text="a&b"),
    )

    assert len({*map(request_key, requests)}) == len(requests)


def test_long_requests_that_differ_at_their_end_are_kept_apart():
    first, second = (request_key(Request(TOY, "/lookup", json={"ids": ["x" * 300, end]})) for end in "ab")

    assert first != second
    assert len(first) == len(second) == 64
