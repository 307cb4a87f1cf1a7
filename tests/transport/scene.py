"""A toy service, a clock that only jumps, and a transport between the two."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx2

from biofact.core.call import Call
from biofact.core.settings import Setting, Settings
from biofact.transport.ask.batch import Batch
from biofact.transport.keep.cache import CACHE_DIR
from biofact.transport.service import (
    QUEUE_TOO_LONG,
    Answer,
    BatchCall,
    Batching,
    BodyTooLarge,
    Keep,
    Request,
    Service,
    Transient,
    Verdict,
)
from biofact.transport.stack import Lookups, Transport
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Callers
from tests.virtual_time import EPOCH, closed_at_end

SECRET = "k3y-of-nobody"
MAIL = "someone@example.org"
URL = Setting("BIOFACT_TOY_URL", "Where the toy is.", default="https://toy.example.org/api")
KEY = Setting("TOY_API_KEY", "Raises the limit.", is_secret=True)


def judge(answer: Answer) -> Verdict:
    if b"slow down" in answer.body:
        return "limited"
    if b"backend trouble" in answer.body:
        return "relayed" if answer.status == 400 else "transient"
    return "good" if answer.status == 200 else "refused"


def sign(settings: Settings) -> dict[str, str]:
    return {"tool": "biofact", "email": MAIL} | ({"api_key": settings[KEY]} if settings[KEY] else {})


TOY = Service("toy", "The Toy Database", URL, 1000.0, judge, key=KEY, sign=sign, licence="CC0-1.0")
KEEP = Keep("word/1", "a", 100.0)
ASK = Request(TOY, "/word", (("term", "a"),))


class Clock:
    """The time of day by the running loop's clock; ``now += seconds`` advances it at once.

    Without a running loop it is the time of the last access; a second loop continues from there.
    """

    def __init__(self) -> None:
        self.naps: list[float] = []
        self._start = EPOCH
        self._loop_time = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def now(self) -> float:
        with suppress(RuntimeError):
            loop = asyncio.get_running_loop()
            if loop is not self._loop:
                self._start, self._loop = self._start + self._loop_time, loop
            self._loop_time = loop.time()
        return self._start + self._loop_time

    @now.setter
    def now(self, seconds: float) -> None:
        self._start += seconds - self.now

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        await asyncio.sleep(seconds)


async def until(claim: Callable[[], bool]) -> None:
    """Let other tasks run until the condition is true."""
    async with asyncio.timeout(5):
        while not claim():  # noqa: ASYNC110  # a claim is no event
            await asyncio.sleep(0.0005)


async def no_wait() -> None: ...


class Budgets:
    """Grants every slot at once, and records the requests for them."""

    def __init__(self, clock: Clock) -> None:
        self.lanes: list[str] = []
        self.pauses: list[float] = []
        self.observed: list[str] = []
        self._clock = clock

    async def rest(self, service: Service, seconds: float, call: Call, callers: Callers) -> None:
        await self._clock.sleep(seconds)

    async def take(self, service: Service, lane: str) -> None:
        self.lanes.append(lane)

    @asynccontextmanager
    async def slot(
        self, service: Service, call: Call, callers: Callers = tuple
    ) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        await self.take(service, call.lane)
        yield no_wait

    def delay(self, service: Service) -> Transient:
        return Transient(QUEUE_TOO_LONG, is_rate_limit=True)

    def observe(self, service: Service, headers: dict[str, str]) -> None:
        self.observed.append(headers.get("x-ratelimit-remaining", ""))

    def pause(self, service: Service, seconds: float, *, is_rate_limit: bool = True) -> None:
        self.pauses.append(seconds)

    def abandon(self) -> None: ...

    async def aclose(self) -> None: ...


Reply = Callable[[httpx2.Request], httpx2.Response | Awaitable[httpx2.Response]]


class Scene:
    """A transport and its surroundings."""

    def __init__(self, folder: Path, *replies: Reply, timing: Timing | None = None, **environment: str) -> None:
        """Replies in turn, and then the last one for ever."""
        self.clock = Clock()
        self.budgets = Budgets(self.clock)
        self.requests: list[httpx2.Request] = []
        self.settings = Settings({CACHE_DIR.name: str(folder), **environment})
        defaults = {"clock": self.clock, "wall_clock": self.clock, "sleep": self.clock.sleep, "random": lambda: 1.0}
        self.timing = replace(timing or Timing(), **defaults)
        self._replies = list(replies)

    def transport(self) -> Transport:
        network = httpx2.MockTransport(self._reply)
        transport = Transport(self.settings, timing=self.timing, budgets=self.budgets, wire=network)
        closed_at_end(transport.cache)
        return transport

    async def _reply(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        response = reply(request)
        return response if isinstance(response, httpx2.Response) else await response


class Gate:
    """A reply that waits until it is released."""

    def __init__(self, reply: Callable[[httpx2.Request], httpx2.Response]) -> None:
        self.reply = reply
        self.is_asked = asyncio.Event()
        self.opens = asyncio.Event()

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.is_asked.set()
        await self.opens.wait()
        return self.reply(request)


class Body(httpx2.AsyncByteStream):
    """A body in pieces, possibly with a failure at its end."""

    def __init__(self, *pieces: bytes, error: Exception | None = None) -> None:
        self.sent_bytes = 0
        self._pieces = pieces
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            self.sent_bytes += len(piece)
            yield piece
        if self._error is not None:
            raise self._error


def good(body: bytes | Body = b"word", **headers: str) -> Reply:
    return failure_reply(200, body, **headers)


def failure_reply(status: int, body: bytes | Body = b"no", **headers: str) -> Reply:
    named_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: httpx2.Response(
        status, headers=named_headers, stream=body if isinstance(body, Body) else Body(body)
    )


def error_reply(error: Exception) -> Reply:
    def reply(request: httpx2.Request) -> httpx2.Response:
        raise error

    return reply


def engine(lookups: Lookups) -> Batch:
    """The batch of these lookups on the running loop."""
    return lookups._sessions.current.batch(lookups._batching)


HEAD = b"# an answer is looked at once its first kilobyte is there\n" + b"#" * 1024 + b"\n"


class Lines:
    """Splits ``id=body`` lines; a body without its ``end`` line was cut off."""

    def __init__(self, longest: int = 1000) -> None:
        self._rest = b""
        self._is_whole = False
        self._longest = longest

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        records = []
        for line in lines:
            name, _, body = line.partition(b"=")
            if name == b"end":
                self._is_whole = True
            elif line.startswith(b"#"):
                continue
            elif len(body) > self._longest:
                raise BodyTooLarge("sent a record that is too long")
            else:
                records.append((name.decode(), body))
        return records

    def close(self) -> None:
        if not self._is_whole:
            raise Transient("sent a body that is cut off")


def words(limit: int = 50) -> Batching:
    """Lookups that the toy answers with a line for each word."""
    return Batching("word/1", limit, lambda ids: BatchCall(Request(TOY, "/words", (("id", ",".join(ids)),)), Lines()))


def requested_ids(request: httpx2.Request) -> list[str]:
    """The IDs in a batched request."""
    params = httpx2.QueryParams(request.content.decode()) if request.method == "POST" else request.url.params
    return params["id"].split(",")


def lines(ids: Iterable[str], *, error: Exception | None = None) -> httpx2.Response:
    """The toy's answer for some words; with an error it is cut off before its end."""
    text = "".join(f"{word}=body of {word}\n" for word in ids)
    return httpx2.Response(200, stream=Body(HEAD + text.encode(), b"" if error else b"end=\n", error=error))
