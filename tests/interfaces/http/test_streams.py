"""Sessions, of which a caller has a share, and their standing streams: no calls under way, limited by themselves, and
ended where they say nothing.
"""

import asyncio
import json
from contextlib import asynccontextmanager, contextmanager

import pytest
from fastmcp import Context, FastMCP
from fastmcp.server.auth import AccessToken

from biofact.gateway.limits import Limits
from biofact.interfaces.http.serving import http_app
from tests import virtual_time
from tests.interfaces.http.protected import ACCEPT, carried
from tests.interfaces.http.running import LOCAL

pytestmark = pytest.mark.quick

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"sampling": {}},
    "clientInfo": {"name": "a client", "version": "1"},
}


class Answer:
    """An answer, as far as it was sent."""

    def __init__(self):
        self.status = None
        self.headers = {}
        self.body = b""
        self.task = None
        self.started = asyncio.Event()
        self.hung_up = asyncio.Event()

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            self.started.set()
        else:
            self.body += message.get("body", b"")

    @property
    def is_open(self):
        return not self.task.done()

    async def hang_up(self):
        self.hung_up.set()
        await self.task


class Host:
    """A server without a socket."""

    def __init__(self, app):
        self._app = app
        self.answers = []

    async def ask(self, http_method, session="", **message):
        """An answer that has begun."""
        answer = Answer()
        body = json.dumps({"jsonrpc": "2.0", **message}).encode() if message else b""
        headers = ACCEPT | {"host": "127.0.0.1", "content-type": "application/json"}
        headers |= {"mcp-session-id": session} if session else {}
        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive():
            if unread:
                return unread.pop()
            await answer.hung_up.wait()
            return {"type": "http.disconnect"}

        header_lines = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": http_method, "scheme": "http", "http_version": "1.1"}
        scope |= {"path": "/mcp", "raw_path": b"/mcp", "root_path": "", "query_string": b"", "headers": header_lines}
        scope |= {"server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1)}
        answer.task = asyncio.create_task(self._app(scope, receive, answer.send))
        self.answers.append(answer)
        started = asyncio.create_task(answer.started.wait())
        await asyncio.wait([started, answer.task], return_when=asyncio.FIRST_COMPLETED)
        started.cancel()
        return answer

    async def handshake(self):
        """The answer to a client that lends a model."""
        answer = await self.ask("POST", id=1, method="initialize", params=INITIALIZE)
        await answer.task
        return answer

    async def session(self):
        """The ID of a new session."""
        answer = await self.handshake()
        session = answer.headers["mcp-session-id"]
        await self.ask("POST", session, method="notifications/initialized")
        return session

    async def stream(self):
        """The standing stream of a new session, and its session."""
        session = await self.session()
        return await self.ask("GET", session), session

    async def status_of_a_call(self, session=""):
        answer = await self.ask("POST", session, id=2, method="tools/list")
        await answer.task
        return answer.status


@asynccontextmanager
async def host_of(server, limits):
    app = http_app(server, LOCAL, limits)
    steps = asyncio.Queue()
    done = asyncio.Queue()
    steps.put_nowait({"type": "lifespan.startup"})
    task = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}}, steps.get, done.put))
    assert (await done.get())["type"] == "lifespan.startup.complete"
    host = Host(app)
    try:
        yield host
    finally:
        for answer in host.answers:
            await answer.hang_up()
        steps.put_nowait({"type": "lifespan.shutdown"})
        await task


def run(act, limits=None, server=None):
    async def scenario():
        async with host_of(server or FastMCP("empty"), limits or Limits()) as host:
            return await act(host)

    return virtual_time.run(scenario())


@contextmanager
def tenant(name):
    with carried(AccessToken(token=name, client_id=name, scopes=[], subject=name, claims={"iss": "https://a.example"})):
        yield


async def streams_of(host, count):
    return [(await host.stream())[0] for _ in range(count)]


def open_of(streams):
    return [stream.is_open for stream in streams]


def test_streams_are_no_calls_under_way():
    async def act(host):
        streams = await streams_of(host, 5)
        return open_of(streams), await host.status_of_a_call(), [stream.status for stream in streams]

    assert run(act, Limits(requests=2)) == ([True] * 5, 200, [200] * 5)


def test_every_session_can_hold_a_stream():
    limits = Limits()

    assert limits.streams >= limits.sessions
    assert limits.connections >= limits.streams + limits.requests


def test_of_too_many_streams_the_longest_idle_one_gives_way():
    async def act(host):
        first, session = await host.stream()
        await asyncio.sleep(1)
        second, _ = await host.stream()
        await asyncio.sleep(1)
        await host.status_of_a_call(session)  # now the second has been idle for longer
        third, _ = await host.stream()
        await second.task
        return open_of([first, second, third]), second.status, await host.status_of_a_call()

    assert run(act, Limits(streams=2)) == ([True, False, True], 200, 200)


def test_the_caller_with_most_streams_gives_way():
    async def act(host):
        with tenant("ann"):
            (quiet,) = await streams_of(host, 1)
        await asyncio.sleep(1)
        with tenant("ben"):
            many = await streams_of(host, 5)
        await many[1].task
        return open_of([quiet, *many])

    assert run(act, Limits(streams=4)) == [True, False, False, True, True, True]


def test_a_caller_has_streams_of_its_own_number():
    async def act(host):
        with tenant("ann"):
            (quiet,) = await streams_of(host, 1)
        with tenant("ben"):
            many = await streams_of(host, 20)
            await many[-4].task
        with tenant("cleo"):
            status = await host.status_of_a_call()
        return open_of([quiet]), sum(open_of(many)), status

    assert run(act, Limits(streams=10, streams_of_a_caller=3, requests=2)) == ([True], 3, 200)


def test_callers_that_are_not_known_share_all_streams():
    assert sum(run(lambda host: _opened(host, 5), Limits(streams_of_a_caller=1))) == 5


async def _opened(host, count):
    return open_of(await streams_of(host, count))


def test_a_stream_that_says_nothing_ends_and_its_session_can_open_another():
    async def act(host):
        stream, session = await host.stream()
        start = virtual_time.now()
        await stream.task
        seconds = virtual_time.now() - start
        again = await host.ask("GET", session)
        return stream.status, seconds, again.status, again.is_open, await host.status_of_a_call(session)

    assert run(act, Limits(stream_seconds=120)) == (200, 120, 200, True, 200)


def test_a_stream_lasts_as_long_as_there_are_calls():
    async def act(host):
        stream, session = await host.stream()
        start = virtual_time.now()
        for _ in range(5):
            await asyncio.sleep(100)
            await host.status_of_a_call(session)
        await stream.task
        return virtual_time.now() - start

    assert run(act, Limits(stream_seconds=120)) == 620


def test_a_stream_beside_a_call_under_way_is_not_idle():
    release = asyncio.Event()
    server = FastMCP("slow")

    @server.tool
    async def slow(context: Context) -> str:
        await release.wait()
        return "done"

    async def act(host):
        stream, session = await host.stream()
        slow_call = await host.ask("POST", session, id=3, method="tools/call", params={"name": "slow", "arguments": {}})
        session_of_another = await host.session()
        refusal = await host.ask("GET", session_of_another)
        await asyncio.sleep(500)
        is_open = stream.is_open
        release.set()
        await slow_call.task
        allowed = await host.ask("GET", session_of_another)
        await stream.task
        return is_open, refusal.status, refusal.headers["retry-after"], allowed.status

    assert run(act, Limits(streams=1, stream_seconds=120), server) == (True, 503, "1", 200)


def test_a_stream_that_is_refused_ends_none():
    async def act(host):
        first, session = await host.stream()
        statuses = [(await host.ask("GET", name)).status for name in (session, "unknown")]
        return statuses, first.is_open, (await streams_of(host, 1))[0].status

    assert run(act, Limits(streams=1)) == ([409, 404], True, 200)


def test_a_stream_whose_caller_hangs_up_makes_room():
    async def act(host):
        (first,) = await streams_of(host, 1)
        await first.hang_up()
        return open_of([*await streams_of(host, 2)])

    assert run(act, Limits(streams=2)) == [True, True]


def sessions_of(handshakes):
    assert [answer.status for answer in handshakes] == [200] * len(handshakes)
    return [answer.headers["mcp-session-id"] for answer in handshakes if "mcp-session-id" in answer.headers]


async def handshakes_at_once(host, count):
    return sessions_of(await asyncio.gather(*(host.handshake() for _ in range(count))))


def test_a_caller_has_sessions_of_its_own_number():
    async def act(host):
        with tenant("ben"):
            many = await handshakes_at_once(host, 20)
        with tenant("ann"):
            another = await handshakes_at_once(host, 2)
        return len(many), len(another)

    assert run(act, Limits(sessions=10, sessions_of_a_caller=3)) == (3, 2)


@pytest.mark.parametrize("end", ["closed", "idle"])
def test_a_session_that_ends_makes_room_for_its_caller(end):
    async def act(host):
        with tenant("ben"):
            (session,) = sessions_of([await host.handshake()])
            second = await host.handshake()
            if end == "closed":
                await (await host.ask("DELETE", session)).task
            else:
                await asyncio.sleep(121)
            return sessions_of([second]), len(sessions_of([await host.handshake()]))

    assert run(act, Limits(sessions_of_a_caller=1, session_seconds=120)) == ([], 1)


def test_handshakes_that_come_at_once_get_no_more_sessions_than_there_may_be():
    assert len(run(lambda host: handshakes_at_once(host, 20), Limits(sessions=3, sessions_of_a_caller=1))) == 3


def test_a_handshake_that_is_refused_takes_no_session():
    async def act(host):
        refusal = await host.ask("POST", id={}, method="initialize", params=INITIALIZE)  # an ID is no object
        await refusal.task
        return refusal.status, len(sessions_of([await host.handshake()]))

    assert run(act, Limits(sessions=1)) == (400, 1)
