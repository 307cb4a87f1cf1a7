"""Callers of several gateways over MCP, who never ask the same thing twice, hold each answer against its question, and
go to another gateway when one is gone, as a load balancer would send them.

They search for a gene by its exact symbol, in Entrez's syntax: an esearch that no other caller can share, then an
esummary that those share who ask at the same time. A lookup by ID would not do: 50 of these make one request, and the
budget would never be short.
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult

from benchmarks.http_load import request

TOOL = "entrez_search_genes"
LONGEST_SECONDS = 45.0
"""For an answer: a call's own deadline of 30 s, and time for a busy machine."""

ANSWER, WRONG, LOSS, SILENT, NO_ROOM = "answered", "wrong", "lost", "silent", "no room"
"""The outcomes of a call; else the code of an envelope, or a status of HTTP."""

_AGAIN_SECONDS = 1.0
_ANY_SECONDS = 0.5  # a caller that comes back at a time given in whole seconds comes some time within the next
_RETRY_AFTER = re.compile(rb"\r\nretry-after: *(\d+)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one call."""

    kind: str
    subject: int
    gateway: int
    start: float
    """By ``time.monotonic``."""
    seconds: float
    detail: str = ""

    @property
    def is_answered_or_refused(self) -> bool:
        """The answer, an envelope, or HTTP's word that there is no room."""
        return self.kind in {ANSWER, WRONG, NO_ROOM} or self.kind.isupper()

    @property
    def end(self) -> float:
        """When the caller knew."""
        return self.start + self.seconds


class Crowd:
    """All callers, and the outcomes of their calls."""

    def __init__(self, gateways: Sequence[SplitResult], tokens: Sequence[str]) -> None:
        self.outcomes: list[Outcome] = []
        self._gateways = gateways
        self._tokens = tokens
        self._numbers = itertools.count(1)
        self._callers: list[asyncio.Task[None]] = []
        self._is_over = asyncio.Event()

    def add(self, count: int, subject: int) -> None:
        """Let this many callers of one subject begin, one at each gateway in turn."""
        for place in range(count):
            era = "new" if place % 2 else "old"
            caller = _Caller(self._gateways, (subject + place) % len(self._gateways), era, self._tokens[subject])
            self._callers.append(asyncio.create_task(self._ask(caller, subject)))

    async def end(self) -> None:
        """Begin nothing more, and return when all that was asked has come to something."""
        self._is_over.set()
        await asyncio.gather(*self._callers)

    async def _ask(self, caller: "_Caller", subject: int) -> None:
        while not self._is_over.is_set():
            outcome, pause = await caller.call(subject, next(self._numbers))
            if outcome is not None:
                self.outcomes.append(outcome)
            if pause:
                await self._rest(pause)
        caller.close()

    async def _rest(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_over.wait()


class _Caller:
    """Asks each gateway in turn, on a connection that stays, as a load balancer would send it round."""

    def __init__(self, gateways: Sequence[SplitResult], first: int, era: str, token: str) -> None:
        self._gateways = gateways
        self._places: Iterator[int] = itertools.cycle([*range(first, len(gateways)), *range(first)])
        self._era = era
        self._token = token
        self._streams: dict[int, Stream] = {}

    async def call(self, subject: int, number: int) -> tuple[Outcome | None, float]:
        """The outcome of one question, and the seconds to wait before the next; None where no gateway could be had."""
        place = await self._connected()
        if place is None:
            return None, _AGAIN_SECONDS
        start = time.monotonic()
        arguments: dict[str, object] = {"query": f"GW{number}[sym]", "slim": True}
        message = request(self._gateways[place], self._era, TOOL, arguments, token=self._token)
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                head, body = await _exchange(self._streams[place], message)
        except (OSError, EOFError) as error:
            kind, detail, pause = (SILENT if isinstance(error, TimeoutError) else LOSS), repr(error), 0.0
            self._hang_up(place)
        else:
            kind, detail, pause = _read(head, body, number)
        return Outcome(kind, subject, place, start, time.monotonic() - start, detail), pause

    def close(self) -> None:
        """Hang up everywhere."""
        for place in list(self._streams):
            self._hang_up(place)

    def _hang_up(self, place: int) -> None:
        _, writer = self._streams.pop(place)
        writer.close()

    async def _connected(self) -> int | None:
        """The next gateway that takes connections."""
        for place in itertools.islice(self._places, len(self._gateways)):
            if place in self._streams and self._streams[place][0].at_eof():
                self._hang_up(place)
            if place in self._streams:
                return place
            url = self._gateways[place]
            with contextlib.suppress(OSError):
                self._streams[place] = await asyncio.open_connection(url.hostname, url.port)
                return place
        return None


async def _exchange(stream: Stream, message: bytes) -> tuple[bytes, bytes]:
    """Head and body of the answer to a message."""
    reader, writer = stream
    writer.write(message)
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head, await reader.readexactly(int(length[1])) if length else b""


def _read(head: bytes, body: bytes, number: int) -> tuple[str, str, float]:
    """The kind of the answer to the question of that number, more of it if it is not right, and when to ask again."""
    status = head.split(b" ", 2)[1].decode()
    if status != "200":
        wish = _RETRY_AFTER.search(head)
        if status == "503" and wish:
            return NO_ROOM, body[:200].decode(), float(wish[1])
        return f"status {status}", body[:200].decode(), _AGAIN_SECONDS
    result = json.loads(body).get("result")
    if result is None:
        return "error of the protocol", body[:200].decode(), _AGAIN_SECONDS
    if result.get("isError"):
        return _envelope(json.loads(result["content"][0]["text"]))
    rows = [(row["id"], row["symbol"]) for row in result["structuredContent"]["items"]]
    if rows == [(f"NCBIGene:{number}", f"GW{number}")]:
        return ANSWER, "", 0.0
    return WRONG, f"{number} was answered with {rows}", 0.0


def _envelope(envelope: dict[str, Any]) -> tuple[str, str, float]:
    error = envelope["error"]
    seconds = (error.get("recovery") or {}).get("retry_after_seconds")
    pause = _AGAIN_SECONDS if seconds is None else seconds
    return error["code"], error["message"], pause + random.uniform(0.0, _ANY_SECONDS)


def counts(outcomes: Iterable[Outcome]) -> str:
    """How many calls came to what, the most frequent first."""
    return ", ".join(f"{count} {kind}" for kind, count in Counter(outcome.kind for outcome in outcomes).most_common())


def percentile(outcomes: Iterable[Outcome], part: float) -> float:
    """The seconds within which that part of the calls that were answered were; 0 where none was."""
    seconds = sorted(outcome.seconds for outcome in outcomes if outcome.kind == ANSWER)
    return seconds[min(len(seconds) - 1, int(part * len(seconds)))] if seconds else 0.0
