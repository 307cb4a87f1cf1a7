"""The log of requests, waits and the cache, without questions and secrets."""

import asyncio
import itertools
import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import httpx2
import pytest

from biofact.core import call, events
from biofact.core.errors import ToolRef, UpstreamError
from biofact.interfaces import every_source
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.served import served
from tests.transport.scene import ASK, KEEP, Scene, error_reply, failure_reply, good, lines, words

pytestmark = pytest.mark.quick

KEY, EMAIL = "SECRET0123456789abcdef", "someone@example.org"


class Lines(logging.Handler):
    """Collects the records of the log, with the logger's name."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.name}: {record.getMessage()}")

    def take(self):
        lines, self.lines = self.lines, []
        return lines


@pytest.fixture
def log_reader():
    """The log of biofact, from debug up."""
    handler, before = Lines(), events.ROOT.level
    events.ROOT.setLevel(logging.DEBUG)
    events.ROOT.addHandler(handler)
    yield handler
    events.ROOT.removeHandler(handler)
    events.ROOT.setLevel(before)


def texts(value):
    """Every text within arguments."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [*itertools.chain.from_iterable(map(texts, inner))]


def values_of(example, listing):
    """The words of an example's arguments that a caller wrote, and did not choose from the schema."""
    schemas = {tool.ref.method: json.dumps(tool.input_schema) for tool in listing.tools}
    return [text for text in texts(example.arguments) if text and json.dumps(text) not in schemas[example.tool]]


def one_of_a_kind(examples):
    """The first example of each tool and outcome."""
    return {(example.tool, example.outcome): example for example in reversed(examples)}.values()


@pytest.mark.parametrize(
    "choose", [pytest.param(one_of_a_kind, id="one of a kind"), pytest.param(list, id="all", marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("toolset", every_source.toolsets())
def test_no_example_leaves_its_question_or_a_secret_in_the_log(toolset, choose, log_reader):
    listing = every_source.listing(toolset)

    async def scenario():
        leaks, count = [], 0
        async with served(settings={"NCBI_API_KEY": KEY, "BIOFACT_EMAIL": EMAIL}) as gateway:
            for example in choose(every_source.examples(toolset)):
                await gateway.call(prefixed(ToolRef(toolset, example.tool)), example.arguments)
                text = "\n".join(log_reader.take())
                count += len(text)
                secrets = [KEY, EMAIL, *values_of(example, listing)]
                leaks += [s for s in secrets if re.search(rf"(?<!\w){re.escape(s)}(?!\w)", text)]
        return leaks, count

    leaks, count = virtual_time.run(scenario())

    assert leaks == []
    assert count > 100  # and something was logged


def log_of(log_reader, scene, *moves):
    """The log while each of these runs on a transport in turn."""

    async def scenario():
        transport = scene.transport()
        for move in moves:
            with call.session(), suppress(UpstreamError):
                await move(transport)
        await transport.aclose()
        return log_reader.take()

    return virtual_time.run(scenario())


def fetched(transport):
    return transport.fetch(ASK, bytes.decode, keep=KEEP)


def test_a_request_a_failed_attempt_and_the_cache_are_logged(tmp_path, log_reader):
    scene = Scene(tmp_path, failure_reply(500), error_reply(httpx2.ConnectTimeout("")), good())

    assert log_of(log_reader, scene, fetched, fetched) == [
        "biofact.cache: toy word/1: 0 found, 0 stale, 1 missing",
        "biofact.requests: GET toy /word: 500, 2 bytes in 0.00 s, attempt 1",
        "biofact.waits: toy: 0.50 s until attempt 2",
        "biofact.requests: GET toy /word: no answer, ConnectTimeout, 0 bytes in 0.00 s, attempt 2",
        "biofact.waits: toy: 1.00 s until attempt 3",
        "biofact.requests: GET toy /word: 200, 4 bytes in 0.00 s, attempt 3",
        "biofact.cache: toy word/1: 1 stored",
        "biofact.cache: toy word/1: 1 found, 0 stale, 0 missing",
    ]


def test_joined_questions_are_logged(tmp_path, log_reader):
    async def ask_twice(transport):
        lookups = transport.batched(words())
        await asyncio.gather(fetched(transport), fetched(transport), *(lookups.get(word) for word in "bcd"))

    def reply(request):
        return lines("bcd") if request.url.path.endswith("words") else good()(request)

    log = log_of(log_reader, Scene(tmp_path, reply), ask_twice)

    assert "biofact.requests: toy: joined a request under way" in log
    assert "biofact.requests: toy: 3 of word/1 in one request" in log


def test_a_service_that_is_down_is_logged(tmp_path, log_reader):
    questions = [replace(ASK, params=(("term", str(number)),)) for number in range(6)]

    async def ask(transport, question):
        call.current().deadline = transport.timing.clock() + 0.1
        await transport.fetch(question, bytes.decode)

    moves = [lambda transport, question=question: ask(transport, question) for question in questions]

    assert log_of(log_reader, Scene(tmp_path, failure_reply(500)), *moves)[-1] == (
        "biofact.waits: toy: known to be down for 10.00 s more"
    )


def test_a_turn_and_a_pause_are_logged(log_reader):
    async def scenario():
        async with served() as gateway:
            await gateway.call("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
            return log_reader.take()

    log = virtual_time.run(scenario())

    assert any(re.fullmatch(r"biofact\.waits: ncbi: connected, and its turn, after 0\.\d\d s", line) for line in log)


def test_no_handler_gets_records_by_default():
    assert any(isinstance(handler, logging.NullHandler) for handler in events.ROOT.handlers)
    assert not events.REQUESTS.isEnabledFor(logging.DEBUG)
    assert {logger.name for logger in events.LOGGERS} == {
        "biofact.requests",
        "biofact.waits",
        "biofact.cache",
        "biofact.calls",
        "biofact.redis",
    }
