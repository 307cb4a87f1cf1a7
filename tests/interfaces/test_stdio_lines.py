"""Lines that hosts and people send, and clients that do not read."""

import asyncio
import json
import os
import pty
import select
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

from biofact.interfaces.mcp import stdio
from tests.interfaces.test_stdio import INITIALIZE, ROOT, SERVE_TOYS, call_line

pytestmark = pytest.mark.quick

PING = '"jsonrpc":"2.0","method":"ping"'
BOM = b"\xef\xbb\xbf"
DEEP = "[" * 100_000 + "]" * 100_000
INVALID, UNPARSED_LINES = -32600, -32700

BAD = [
    ("not json", [(UNPARSED_LINES, None)]),
    (f'{{{PING},"id":7', [(UNPARSED_LINES, 7)]),
    (f'{{{PING},"id":"a\\"b"]', [(UNPARSED_LINES, 'a"b')]),
    (f'{{"id":8,{PING},"params":{{"a":"\\ud800"}}}}', [(UNPARSED_LINES, 8)]),
    (f'{{{PING},"params":{{"id":1,"a":"\\udc00 \\"id\\":2"}},"id":"nine"}}', [(UNPARSED_LINES, "nine")]),
    (f'{{{PING},"params":{{"a":{DEEP}}},"id":10}}', [(UNPARSED_LINES, 10)]),
    (f'{{{PING},"params":{{"a":"\udcff"}},"id":11}}', [(UNPARSED_LINES, 11)]),  # a byte that is not UTF-8
    (f'{{{PING},"id":"\\ud800"}}', [(UNPARSED_LINES, None)]),
    (f'{{{PING},"id":{"1" * 5000},"params":{DEEP}}}', [(UNPARSED_LINES, None)]),
    (f'{{{PING},"a":"id","b":1,"c":"\\ud800"}}', [(UNPARSED_LINES, None)]),
    (DEEP, [(UNPARSED_LINES, None)]),
    ("42", [(INVALID, None)]),
    ("null", [(INVALID, None)]),
    ("{}", [(INVALID, None)]),
    (f'{{{PING},"id":12,"params":[]}}', [(INVALID, 12)]),
    (f'{{{PING},"params":[]}}', [(INVALID, None)]),
    ('{"jsonrpc":"2.0","id":13,"method":5}', [(INVALID, 13)]),
    ('{"jsonrpc":"1.0","id":14,"method":"ping"}', [(INVALID, 14)]),
    ('{"id":15,"method":"ping"}', [(INVALID, 15)]),
    ('{"jsonrpc":"2.0","id":16}', [(INVALID, 16)]),
    (f'{{{PING},"id":null}}', [(INVALID, None)]),
    (f'{{{PING},"id":1.5}}', [(INVALID, None)]),
    (f'{{{PING},"id":true}}', [(INVALID, None)]),
    (f'{{{PING},"id":{{"id":1}}}}', [(INVALID, None)]),
    ('{"jsonrpc":"2.0","id":1,"result":[]}', [(INVALID, None)]),  # its ID is one of the server's own
    ("[]", [(INVALID, None)]),
    (f'[{{{PING},"id":17}},{{{PING},"id":"eighteen"}}]', [(INVALID, 17), (INVALID, "eighteen")]),
    (f"[{{{PING}}},1]", [(INVALID, None), (INVALID, None)]),
]


def as_bytes(line):
    return line.encode(errors="surrogateescape")


def test_a_line_that_is_no_message_is_answered_under_its_id():
    errors_by_line = [
        (line, [(error.error.code, error.id) for error in stdio.answers(as_bytes(line))]) for line, _ in BAD
    ]

    differences = [
        (ascii(line)[:60], session_messages, errors)
        for (line, session_messages), (_, errors) in zip(errors_by_line, BAD, strict=True)
        if session_messages != errors
    ]
    assert differences == []


@given(st.binary(max_size=60) | st.text('{}[]":,\\id01e.-', max_size=60).map(str.encode))
def test_every_line_has_an_answer(line):
    for error in stdio.answers(line):
        assert error.error.code in {INVALID, UNPARSED_LINES}
        error.model_dump_json()


@given(
    st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"").lstrip(BOM)), min_size=1),
    st.integers(1, 12),
)
def test_lines_are_the_same_from_chunks_of_any_size(lines, size):
    whole = b"\n".join(lines)
    splitter = stdio.Lines()
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]

    assert [line for piece in pieces for line in splitter.split(piece)] + splitter.rest() == lines


def test_a_line_that_is_too_long_is_not_kept(monkeypatch):
    monkeypatch.setattr(stdio, "LONGEST_LINE_BYTES", 8)
    splitter = stdio.Lines()

    lines = [line for piece in (b"\xef\xbb\xbfa\n12345678\n123", b"456", b"789\nb") for line in splitter.split(piece)]

    assert [*lines, *splitter.rest()] == [b"a", b"12345678", None, b"b"]


@pytest.fixture
def toys():
    """A server of toys, after its handshake."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-c", SERVE_TOYS], **pipes, cwd=ROOT) as server:
        send(server, json.dumps({"jsonrpc": "2.0", "id": 0, **INITIALIZE}))
        answer(server)
        send(server, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        yield server
        server.kill()


def send(server, *lines):
    server.stdin.write(as_bytes("\n".join((*lines, ""))))
    server.stdin.flush()


def answer(server):
    return json.loads(server.stdout.readline())


@pytest.mark.processes
def test_the_server_answers_every_such_line_and_continues(toys):
    before, after = call_line(100, '"TOY:8"'), call_line(101, '"TOY:8"') + "\r"
    expected_errors = [error for _, errors in BAD for error in errors]

    send(toys, "", before, "  ", *(line for line, _ in BAD), "\r", after)
    answers = [answer(toys) for _ in range(len(expected_errors) + 2)]
    rest, complaints = toys.communicate()

    errors_written = [(reply["error"]["code"], reply["id"]) for reply in answers if "error" in reply]
    assert errors_written == expected_errors
    assert [reply["id"] for reply in answers if "result" in reply] == [100, 101]
    assert (rest, complaints) == (b"", b"")


@pytest.mark.processes
def test_a_client_that_does_not_read_is_waited_for_and_then_gets_every_answer(toys):
    count = 6_000
    lines = [as_bytes(call_line(place, '"TOY:8"') + "\n") for place in range(1, count + 1)]
    send(toys, call_line(0, '"TOY:8"'))
    answer(toys)
    started = peak_kib(toys)

    rest = lines_not_passed_on(toys, b"".join(lines))
    held_lines = peak_kib(toys) - started
    write_task = threading.Thread(target=lambda: (os.set_blocking(toys.stdin.fileno(), True), send_bytes(toys, rest)))
    write_task.start()
    ids = {answer(toys)["id"] for _ in range(count)}
    write_task.join()

    assert rest, "the server took everything"
    assert ids == set(range(1, count + 1))
    assert held_lines < 40_000
    assert peak_kib(toys) - started < 60_000


@pytest.mark.processes
def test_a_client_that_goes_with_requests_waiting_ends_the_server(toys):
    send(toys, *(call_line(place, '"TOY:8"') for place in range(1, 4 * stdio.MOST_UNDER_WAY)))

    _, complaints = toys.communicate(timeout=120)

    assert (toys.returncode, complaints) == (0, b"")


def lines_not_passed_on(server, content):
    """Write until the server accepts no more, and a second longer; the bytes that it did not accept."""
    os.set_blocking(server.stdin.fileno(), False)
    while content and select.select([], [server.stdin], [], 1.0)[1]:
        content = content[os.write(server.stdin.fileno(), content[:4096]) :]
    return content


def send_bytes(server, content):
    server.stdin.write(content)
    server.stdin.flush()


def peak_kib(server):
    """The server's peak memory, by Linux's count."""
    status = Path(f"/proc/{server.pid}/status")
    if not status.exists():
        pytest.skip("no /proc: the memory of another process is not to be had")
    return int(
        next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM")).split()[1]
    )


@pytest.fixture
def pipes():
    """Two pipes, as pairs of a reading and a writing end."""
    ends = (*os.pipe(), *os.pipe())
    yield ends[:2], ends[2:]
    # The first reading end stays open: a thread of the reader may be about to read from it, and would read from the
    # next pipe that gets its number.
    for end in ends[1:]:
        os.close(end)


def test_answers_of_the_client_overtake_waiting_requests(pipes):
    (source, typed), (_, sink) = pipes
    requests = [f'{{"id":{place},{PING}}}\n' for place in range(stdio.MOST_UNDER_WAY + 3)]
    reply = '{"jsonrpc":"2.0","id":1,"result":{}}\n'

    async def read():
        session, incoming = anyio.create_memory_object_stream()
        writer = stdio.Writer(sink)
        reader = stdio.Reader(session, writer)
        tasks = [asyncio.create_task(reader.read(source)), asyncio.create_task(reader.admit())]
        os.write(typed, "".join((*requests, reply)).encode())
        lines_taken = [(await incoming.receive()).message for _ in range(stdio.MOST_UNDER_WAY + 1)]
        for message in lines_taken[:2]:
            await writer.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=message.id, result={})))
        lines_taken += [(await incoming.receive()).message for _ in range(2)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        incoming.close()
        return lines_taken

    *first, reply_taken, one_more, second_line = asyncio.run(read())

    assert [message.id for message in first] == [*range(stdio.MOST_UNDER_WAY)]
    assert isinstance(reply_taken, JSONRPCResponse)
    assert [one_more.id, second_line.id] == [stdio.MOST_UNDER_WAY, stdio.MOST_UNDER_WAY + 1]


def test_a_terminal_that_has_gone_is_the_end_of_the_input(pipes):
    _, (_, sink) = pipes
    our_end, their_end = pty.openpty()
    os.close(their_end)
    with pytest.raises(OSError, match="Input/output error"):
        os.read(our_end, 1)

    async def read():
        session, incoming = anyio.create_memory_object_stream()
        async with asyncio.timeout(120):
            await stdio.Reader(session, stdio.Writer(sink)).read(our_end)
        incoming.close()

    asyncio.run(read())
    os.close(our_end)


def test_a_request_that_is_taken_back_makes_room(pipes):
    (source, typed), (_, sink) = pipes
    requests = [f'{{"id":{place},{PING}}}\n' for place in range(stdio.MOST_UNDER_WAY + 1)]

    async def read():
        session, incoming = anyio.create_memory_object_stream()
        reader = stdio.Reader(session, stdio.Writer(sink))
        tasks = [asyncio.create_task(reader.read(source)), asyncio.create_task(reader.admit())]
        os.write(typed, "".join(requests).encode())
        lines_taken = [await incoming.receive() for _ in range(stdio.MOST_UNDER_WAY)]
        await lines_taken[0].metadata.on_request_unanswered()
        last = await incoming.receive()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        incoming.close()
        return last

    assert asyncio.run(read()).message.id == stdio.MOST_UNDER_WAY
