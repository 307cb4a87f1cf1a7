"""HTTP as it comes from real sockets, and responses that have to be refused."""

import asyncio
import gzip
import tracemalloc
import zlib
from contextlib import asynccontextmanager, suppress

import httpx2
import pytest

from biofact.core.errors import UpstreamError
from biofact.core.settings import Settings
from biofact.transport.ask.wire import Wire
from biofact.transport.service import MIB, WHOLE_CAP, BodyTooLarge, Request, SlotTooLate, Transient
from biofact.transport.timing import Timing
from tests.transport.scene import ASK, KEY, MAIL, SECRET, TOY, URL, Body

pytestmark = pytest.mark.quick

PATIENT = Timing(connect_seconds=300.0, read_seconds=300.0)
IMPATIENT = Timing(connect_seconds=300.0, read_seconds=0.05)  # for what never comes, however long one waits
WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nword"


class Server:
    """Writes the same bytes to every client that sends a request, then closes, resets, falls silent or goes on."""

    def __init__(self, writes: tuple[bytes, ...], then: str) -> None:
        self.requests: list[str] = []
        self._writes = writes
        self._then = then
        self._is_over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.requests.append(head.decode())
                for part in self._writes:
                    writer.write(part)
                    await writer.drain()
                if self._then == "go on":
                    continue
                if self._then == "reset":
                    await asyncio.sleep(0.01)
                    writer.transport.abort()
                elif self._then == "silence":
                    await self._is_over.wait()
                break
        writer.close()

    async def end(self) -> None:
        self._is_over.set()
        await asyncio.gather(*self._tasks)


@asynccontextmanager
async def serve_writes(*writes, then="close"):
    """A wire to a server on a real socket, and the server."""
    server = Server(writes, then)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    wire = Wire(Settings({URL.name: f"http://127.0.0.1:{port}/api"}), IMPATIENT if then == "silence" else PATIENT)
    try:
        yield wire, server.requests
    finally:
        await wire.aclose()
        await server.end()
        listener.close()
        await listener.wait_closed()


def exchange_with(*writes, then="close", request=ASK):
    async def scenario():
        async with serve_writes(*writes, then=then) as (wire, _):
            return await wire.exchange(request)

    return asyncio.run(scenario())


def mocked(reply, **environment):
    """A wire whose network is a function."""
    return Wire(Settings(environment), PATIENT, httpx2.MockTransport(reply))


def sent_request(request, **environment):
    """The request on the wire."""
    requests = []

    def reply(request):
        requests.append(request)
        return httpx2.Response(200, stream=Body(b"word"))

    asyncio.run(mocked(reply, **environment).exchange(request))
    return requests[0]


def test_a_whole_answer_comes_with_status_and_headers():
    answer = exchange_with(b"HTTP/1.1 404 Not Found\r\nX-RateLimit-Remaining: 2\r\nContent-Length: 4\r\n\r\n", b"word")

    assert (answer.status, answer.body) == (404, b"word")
    assert answer.headers["x-ratelimit-remaining"] == "2"


@pytest.mark.parametrize(
    ("writes", "then", "reason"),
    [
        ([], "close", "broke off"),
        ([], "reset", "broke off"),
        ([], "silence", "did not answer in time"),
        ([b"nonsense\r\n\r\n"], "close", "broke off"),
        ([WHOLE[:-2]], "close", "broke off"),
        ([WHOLE[:-2]], "reset", "broke off"),
        ([WHOLE[:-2]], "silence", "did not answer in time"),
        ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nword\r\n"], "close", "broke off"),
        ([b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nword"], "close", "unpacked"),
    ],
)
def test_a_break_on_the_way_is_transient(writes, then, reason):
    with pytest.raises(Transient, match=reason):
        exchange_with(*writes, then=then)


def test_a_refused_connection_is_transient():
    wire = Wire(Settings({URL.name: "http://127.0.0.1:9/api"}), PATIENT)

    with pytest.raises(Transient, match="cannot be reached"):
        asyncio.run(wire.exchange(ASK))


async def received(wire):
    """The chunks of a stream before it failed, and the reason."""
    parts = []
    try:
        async with wire.stream(ASK) as (_, chunks):
            async for chunk in chunks:
                parts.append(chunk)  # noqa: PERF401  # those that came before the failure count
    except (Transient, BodyTooLarge) as failure:
        return b"".join(parts), str(failure)
    return b"".join(parts), ""


def test_a_stream_returns_the_bytes_before_it_broke():
    async def scenario():
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"
        async with serve_writes(head, b"x" * 2000, then="reset") as (wire, _):
            return await received(wire)

    body, reason = asyncio.run(scenario())

    assert body == b"x" * 2000
    assert reason.startswith("broke off the connection")


def test_the_connection_is_kept_for_the_next_request():
    async def scenario():
        async with serve_writes(WHOLE, then="go on") as (wire, requests):
            await wire.exchange(ASK)
            async with wire.stream(ASK) as (_, chunks):
                body = b"".join([chunk async for chunk in chunks])
            return body, requests, len(wire._client(TOY)._transport._pool.connections)

    body, requests, connections = asyncio.run(scenario())

    assert body == b"word"
    assert (len(requests), connections) == (2, 1)


def test_no_cookie_is_kept_and_no_redirect_followed():
    reply = b"HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: /api/elsewhere\r\nContent-Length: 0\r\n\r\n"

    async def scenario():
        async with serve_writes(reply, then="go on") as (wire, requests):
            answers = [await wire.exchange(ASK) for _ in range(2)]
            return [answer.status for answer in answers], requests

    statuses, requests = asyncio.run(scenario())

    assert statuses == [302, 302]
    assert len(requests) == 2
    assert not any("cookie" in request.lower() for request in requests)


def bomb(mebibytes: int) -> bytes:
    """Gzip of some MiB of zeros: a thousandth of that in bytes. Only the end and its checksum are missing."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08" + bytes(7) + block * mebibytes


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip"])
def test_a_decompression_bomb_is_stopped_at_the_cap(encoding):
    packed = bomb(1024)
    body = Body(gzip.compress(packed) if "," in encoding else packed)
    wire = mocked(lambda request: httpx2.Response(200, headers={"Content-Encoding": encoding}, stream=body))
    tracemalloc.start()

    with pytest.raises(BodyTooLarge, match="more than 16 MiB"):
        asyncio.run(wire.exchange(ASK))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < WHOLE_CAP + 8 * MIB


def test_a_large_body_is_stopped_at_the_cap_and_not_read_to_its_end():
    body = Body(*[bytes(MIB)] * 100)
    wire = mocked(lambda request: httpx2.Response(200, stream=body))

    with pytest.raises(BodyTooLarge):
        asyncio.run(wire.exchange(ASK))

    assert body.sent_bytes == WHOLE_CAP + MIB


def test_a_stream_has_a_cap_of_its_own(monkeypatch):
    monkeypatch.setattr("biofact.transport.ask.wire.STREAM_CAP", 3 * MIB)
    wire = mocked(lambda request: httpx2.Response(200, stream=Body(*[bytes(MIB)] * 5)))

    body, reason = asyncio.run(received(wire))

    assert (len(body), reason) == (3 * MIB, "sent more than 3 MiB")


def test_a_stream_is_unpacked_in_small_pieces():
    wire = mocked(lambda request: httpx2.Response(200, headers={"Content-Encoding": "gzip"}, stream=Body(bomb(16))))

    async def scenario():
        async with wire.stream(ASK) as (_, chunks):
            return [len(chunk) async for chunk in chunks]

    sizes = asyncio.run(scenario())

    assert sum(sizes) == 16 * MIB
    assert max(sizes) <= MIB


def test_the_head_of_a_refusal_is_the_whole_of_it():
    async def scenario(status):
        wire = mocked(lambda request: httpx2.Response(status, stream=Body(*[b"x" * 500] * 10)))
        async with wire.stream(ASK) as (answer, _):
            return len(answer.body)

    assert asyncio.run(scenario(400)) == 5000
    assert asyncio.run(scenario(200)) == 1500


def test_a_get_carries_parameters_signature_and_our_name():
    request = sent_request(Request(TOY, "word", (("term", "a b"), ("id", "1"), ("id", "2"))), **{KEY.name: SECRET})

    assert request.method == "GET"
    assert request.url.copy_with(query=None) == httpx2.URL("https://toy.example.org/api/word")
    assert request.url.params.multi_items() == [
        ("term", "a b"),
        ("id", "1"),
        ("id", "2"),
        ("tool", "biofact"),
        ("email", MAIL),
        ("api_key", SECRET),
    ]
    assert request.headers["user-agent"].startswith("biofact/")
    assert request.headers["accept-encoding"] == "gzip, deflate"
    assert request.headers["accept"] == "*/*"


def test_a_form_is_sent_as_one():
    request = sent_request(Request(TOY, "word", (("term", "é&"),), method="POST"))

    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.content == b"term=%C3%A9%26&tool=biofact&email=someone%40example.org"
    assert not request.url.query


def test_json_is_sent_as_the_body_and_the_rest_in_the_address():
    request = sent_request(
        Request(TOY, "word", (("a", "1"),), method="POST", json={"ids": ["x"]}, accept="application/json")
    )

    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept"] == "application/json"
    assert request.content == b'{"ids":["x"]}'
    assert request.url.params["a"] == "1"


def test_text_is_sent_unchanged_as_the_body():
    request = sent_request(Request(TOY, "word", (("a", "1"),), text="x,é"))

    assert (request.method, request.headers["content-type"]) == ("POST", "text/plain; charset=utf-8")
    assert request.content == "x,é".encode()
    assert request.url.params["a"] == "1"


@pytest.mark.parametrize("address", ["toy.example.org", "ftp://toy.example.org", "http://:99999999"])
def test_an_address_that_makes_no_sense_names_the_setting(address):
    wire = Wire(Settings({URL.name: address}), PATIENT)

    with pytest.raises(UpstreamError, match="The address of The Toy Database cannot be understood") as error:
        asyncio.run(wire.exchange(ASK))

    assert error.value.hint.startswith("Set BIOFACT_TOY_URL")


def test_a_proxy_is_used_but_not_to_reach_this_machine(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    far = Wire(Settings({URL.name: "http://toy.example.org/api"}), PATIENT)

    with pytest.raises(Transient, match="cannot be reached"):
        asyncio.run(far.exchange(ASK))
    assert exchange_with(WHOLE).body == b"word"


@pytest.mark.parametrize(("name", "value"), [("SSL_CERT_FILE", "/nowhere/at/all"), ("HTTPS_PROXY", "gopher://proxy")])
def test_proxy_and_certificate_settings_that_make_no_sense_are_named(monkeypatch, name, value):
    monkeypatch.setenv(name, value)

    with pytest.raises(UpstreamError, match="proxy or certificate settings") as error:
        asyncio.run(Wire(Settings({}), PATIENT).exchange(ASK))

    assert name in error.value.hint


@pytest.mark.parametrize("way", ["exchange", "stream"])
def test_a_request_is_ready_once_its_connection_stands_and_leaves_at_once(way):
    async def scenario():
        connections, requests = [], []

        async def serve(reader, writer):
            connections.append(writer)
            await reader.readuntil(b"\r\n\r\n")
            requests.append("request")
            writer.write(WHOLE)
            await writer.drain()
            writer.close()

        async def ready():
            while not connections:  # noqa: ASYNC110  # accepted, on the other side, a moment after it is made
                await asyncio.sleep(0)
            requests.append("ready")

        listener = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        wire = Wire(Settings({URL.name: f"http://127.0.0.1:{port}/api"}), Timing())
        if way == "exchange":
            body = (await wire.exchange(ASK, ready)).body
        else:
            async with wire.stream(ASK, ready) as (_, chunks):
                body = b"".join([chunk async for chunk in chunks])
        await wire.aclose()
        listener.close()
        await listener.wait_closed()
        return requests, body

    assert asyncio.run(scenario()) == (["ready", "request"], b"word")


def test_a_request_that_gets_no_slot_is_never_sent():
    async def scenario():
        async with serve_writes(WHOLE) as (wire, requests):

            async def refused():
                raise SlotTooLate("has more requests waiting than its rate allows", retry_after_seconds=5.0)

            with pytest.raises(SlotTooLate):
                await wire.exchange(ASK, refused)
            return list(requests)

    assert asyncio.run(scenario()) == []


def test_a_network_that_a_test_makes_up_is_ready_before_it_is_asked():
    requests = []

    async def ready():
        requests.append("ready")

    def reply(request):
        requests.append("request")
        return httpx2.Response(200, stream=Body(b"word"))

    asyncio.run(mocked(reply).exchange(ASK, ready))

    assert requests == ["ready", "request"]
