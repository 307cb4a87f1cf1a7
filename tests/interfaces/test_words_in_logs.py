"""No field of any message of the protocol reaches the log of a server, in text or as JSON, over stdio or HTTP."""

import asyncio
import copy
import itertools
import json
import logging
import os
import threading
import warnings

import httpx2
import pytest

from biofact.core.settings import Settings
from biofact.interfaces import log_output
from biofact.interfaces.mcp import stdio
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.http.protected import ACCEPT, META, MODERN
from tests.interfaces.http.running import run_server
from tests.interfaces.toy import TOYS

pytestmark = pytest.mark.quick

PLAIN, NUMBER = "zebrafinchgene77", 7_392_847_561
"""A word and a number that only callers write."""
WORD = f"{PLAIN}\n\x1b[31mwarning: {PLAIN}\u2028\r\x85{PLAIN}"
CLIENT = {"name": "a client", "version": "1", "title": "A client"}
TOY = {"name": "toy_get_toy", "arguments": {"toy_id": "TOY:8"}}
REQUESTS = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": CLIENT},
    "ping": {},
    "tools/list": {"cursor": "a"},
    "tools/call": {**TOY, "_meta": {"progressToken": "a", "traceparent": "00-1-1-00", "a/b": [{"c": "d"}]}},
    "resources/list": {"cursor": "a"},
    "resources/read": {"uri": "toy://pictures/TOY:8"},
    "resources/templates/list": {"cursor": "a"},
    "resources/subscribe": {"uri": "toy://pictures/TOY:8"},
    "prompts/list": {"cursor": "a"},
    "prompts/get": {"name": "a", "arguments": {"b": "c"}},
    "completion/complete": {"ref": {"type": "ref/prompt", "name": "a"}, "argument": {"name": "b", "value": "c"}},
    "logging/setLevel": {"level": "info"},
    "server/discover": {"_meta": {"io.modelcontextprotocol/clientInfo": CLIENT}},
    "tasks/get": {"taskId": "a"},
}
NOTIFICATIONS = {
    "notifications/initialized": {"_meta": {"a": "b"}},
    "notifications/cancelled": {"requestId": "a", "reason": "b"},
    "notifications/progress": {"progressToken": "a", "progress": 1, "message": "b"},
    "notifications/roots/list_changed": {},
}
ANSWERS = (
    {"id": "a", "result": {"b": "c"}},
    {"id": "a", "error": {"code": 1, "message": "b", "data": {"c": "d"}}},
)


def messages():
    """A message of each kind, in both eras of the protocol."""
    for meta in ({}, META):
        for method, params in REQUESTS.items():
            whole = {**params, "_meta": {**params.get("_meta", {}), **meta}}
            yield {"jsonrpc": "2.0", "id": 1, "method": method, "params": whole}
    for method, params in NOTIFICATIONS.items():
        yield {"jsonrpc": "2.0", "method": method, "params": params}
    yield from ({"jsonrpc": "2.0", **answer} for answer in ANSWERS)


def places(value, path=()):
    """The paths to all parts of a message."""
    if path:
        yield path
    for name, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(part, (*path, name))


def planted(message, path, values):
    """The message with each of these values in place of the part at a path, and the word as its name."""
    for new in values:
        copied, holder = _copied(message, path)
        holder[path[-1]] = new
        yield copied
    copied, holder = _copied(message, path)
    if isinstance(holder, dict):
        holder[WORD] = holder.pop(path[-1])
        yield copied


def _copied(message, path):
    copied = copy.deepcopy(message)
    holder = copied
    for name in path[:-1]:
        holder = holder[name]
    return copied, holder


def bodies(*values):
    """Every planted message as JSON, with an ID of its own, and texts that are no message."""
    number = itertools.count(1)
    for message in messages():
        for path in places(message):
            for body in planted(message, path, values):
                yield json.dumps({**body, "id": next(number)} if body.get("id") == 1 else body)
    yield from (json.dumps([WORD]), json.dumps(WORD), f'{{"{PLAIN}', f"{PLAIN} {NUMBER}")


HEADERS = (
    *("user-agent", "accept", "content-type", "authorization", "cookie", "host", "origin", "referer"),
    *("mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-toy_id", "last-event-id"),
    *("x-forwarded-for", "traceparent", "x-ncbi-api-key", PLAIN),
)


def http_requests():
    """Each planted message in a request, then the word in every other place of one: method, path, query, headers."""
    modern = ACCEPT | {"content-type": "application/json", "mcp-protocol-version": MODERN}
    for text in bodies(WORD):  # numbers take the same way as over stdio
        message = json.loads(text) if text.startswith('{"j') else {}
        name = message.get("params", {}).get("name") if isinstance(message.get("params"), dict) else None
        era = {"mcp-method": str(message.get("method")), "mcp-name": str(name)}
        is_modern = MODERN in text and all(value.isprintable() for value in era.values())
        headers = modern | era if is_modern else ACCEPT | {"content-type": "application/json"}
        yield "POST", "/mcp", headers, text
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**TOY, "_meta": META}})
    headers = modern | {"mcp-method": "tools/call", "mcp-name": TOY["name"]}
    for name in HEADERS:
        yield "POST", "/mcp", headers | {name: PLAIN}, call
        yield "GET", "/mcp", headers | {name: PLAIN}, None
    for method in ("GET", "POST", "DELETE", "OPTIONS", PLAIN.upper()):
        yield method, f"/mcp?{PLAIN}={PLAIN}", headers, call
        yield method, f"/{PLAIN}%0a%1b", headers, call


async def ask_over_http():
    """The number of answers."""
    async with (
        run_server(gateway(catalog=TOYS)) as host,
        httpx2.AsyncClient(base_url=host.url.removesuffix("/mcp")) as client,
    ):
        return len([await _status(client, *request) for request in http_requests()])


async def _status(client, method, path, headers, text):
    """The status of an answer; a stream is not read to its end."""
    async with client.stream(method, path, headers=headers, content=text) as response:
        if response.headers.get("content-type", "").startswith("application/json"):
            await response.aread()
        return response.status_code


async def ask_over_stdio():
    """The number of answers."""
    (source, typed), (shown, sink) = os.pipe(), os.pipe()
    answers = []
    reader = threading.Thread(target=lambda: _read(shown, answers))
    writer = threading.Thread(target=lambda: _write(typed))
    reader.start()
    writer.start()
    server = gateway(catalog=TOYS)
    async with server._lifespan_manager():
        await stdio._run_session(server, source, sink)
    os.close(sink)
    os.close(source)
    await asyncio.to_thread(reader.join)
    return len(answers)


def _read(pipe, answers):
    with os.fdopen(pipe, "rb") as file:
        answers.extend(file)


def _write(pipe):
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": REQUESTS["initialize"]}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with os.fdopen(pipe, "w") as file:
        file.write("\n".join([json.dumps(first), json.dumps(ready), *bodies(WORD, NUMBER, [WORD, NUMBER])]) + "\n")


def log_of(capsys, act, **settings):
    settings = Settings({"BIOFACT_LOG": "debug", **settings})
    with log_output.on_stderr(settings), log_output.of_a_server(settings):
        result = act()
    return result, capsys.readouterr().err


@pytest.mark.parametrize(
    ("ask", "log_format"),
    [(ask_over_http, "text"), pytest.param(ask_over_stdio, "text", marks=pytest.mark.sweep), (ask_over_stdio, "json")],
)
def test_no_field_of_a_message_is_logged(capsys, ask, log_format):
    count, text = log_of(capsys, lambda: asyncio.run(ask()), BIOFACT_LOG_FORMAT=log_format)

    assert count > 400
    assert text.count("tools/call") + text.count("toy_get_toy") > 10
    for planted_text in (PLAIN, PLAIN.upper(), str(NUMBER)):
        assert [line for line in text.splitlines() if planted_text in line] == []


def test_the_same_messages_are_found_where_the_host_asks_for_them(capsys):
    _, text = log_of(capsys, lambda: asyncio.run(ask_over_stdio()), BIOFACT_LOG_QUERIES="1")

    assert PLAIN in text
    assert not any(line.startswith((PLAIN, "warning: ", "\\x1b")) for line in text.split("\n"))
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


# Lines of libraries


def log_a_name(name):
    logger = logging.getLogger("mcp.shared.names")
    logger.warning(f'Name "{name}":')  # noqa: G004  # as libraries do
    logger.warning("  - %s is %r of %d, %.1f %%", name, NUMBER, 7, 0.25)
    logger.warning("named %(name)s, %(count)d times", {"name": name, "count": 3})
    logger.warning(name)
    logger.warning("Nothing is new.")


def test_a_line_of_a_library_keeps_what_stands_in_its_code(capsys):
    _, text = log_of(capsys, lambda: log_a_name(WORD), BIOFACT_LOG="warning")

    assert text.splitlines() == [
        'Name "[hidden]',
        "  - [hidden] is [hidden] of 7, 0.2 %",
        "named [hidden], 3 times",
        "[hidden]",
        "Nothing is new.",
    ]


def test_a_message_of_a_library_is_one_line_of_text(capsys):
    _, text = log_of(capsys, lambda: log_a_name(WORD), BIOFACT_LOG="warning", BIOFACT_LOG_QUERIES="1")

    assert len(text.splitlines()) == 5
    assert text.startswith(f'Name "{PLAIN}\\n\\x1b[31mwarning: {PLAIN}\\u2028\\r\\x85{PLAIN}":\n')


def test_a_warning_keeps_its_place_and_category(capsys):
    def warn():
        warnings.warn(f"old value {WORD}", UserWarning, stacklevel=1)

    def act():
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warn()

    _, text = log_of(capsys, act, BIOFACT_LOG="warning")

    (line,) = text.splitlines()
    assert line.endswith(": UserWarning: [hidden]")
    assert "test_words_in_logs.py:" in line
