"""A stand-in of NCBI's E-utilities in a process of its own, which keeps NCBI's limit and notes when each request came.

It knows a gene for every number: ``GW12[sym]`` finds the gene 12, whose symbol is GW12. So each answer can be held
against its question, and no two questions have to be the same.
"""

import asyncio
import json
import math
import multiprocessing
import random
import re
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal
from urllib.parse import parse_qs

from biofact.sandbox.server import HOST, Incoming, LoopbackServer, Outgoing

ANSWER_SECONDS = (0.05, 0.2)
SPAWN = multiprocessing.get_context("spawn")

_SEARCH_TERM = re.compile(r"GW(\d+)\[sym\]")
_WINDOW_SECONDS = 1.0

Command = Literal["arrivals", "down", "up", "end"]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The requests that came, and what was answered."""

    times: tuple[float, ...]
    """By ``time.monotonic``, which is the same in all processes of a machine."""
    refused_count: int
    """429s: those that came when there had been as many in the second before as the limit allows."""
    programs: Counter[str]

    def count_between(self, begin: float, end: float) -> int:
        """How many came within these times."""
        return sum(begin <= time < end for time in self.times)

    def most_in_a_second(self) -> int:
        """The most that came within any second."""
        first, most_arrivals = 0, 0
        for last, moment in enumerate(self.times):
            while moment - self.times[first] >= _WINDOW_SECONDS:
                first += 1
            most_arrivals = max(most_arrivals, last - first + 1)
        return most_arrivals

    def least_seconds(self, count: int) -> float:
        """The shortest time in which this many came one after the other; infinite where there were fewer."""
        spans = (last - first for first, last in zip(self.times, self.times[count - 1 :], strict=False))
        return min(spans, default=math.inf)


class Upstream:
    """The stand-in, as whoever started it steers it."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.url: str = pipe.recv()
        """As ``BIOFACT_NCBI_URL`` has it."""

    def arrivals(self) -> Arrivals:
        """The requests since its start."""
        counts: Arrivals = self._command("arrivals")
        return counts

    def go_down(self) -> None:
        """Drop all connections, and refuse new ones."""
        self._command("down")

    def come_up(self) -> None:
        """Listen again, at the same port."""
        self._command("up")

    def end(self) -> None:
        """Let the process end."""
        self._pipe.send("end")

    def _command(self, command: Command) -> Any:
        self._pipe.send(command)
        return self._pipe.recv()


@contextmanager
def upstream_process(per_second: int) -> Iterator[Upstream]:
    """An upstream that allows this many requests a second."""
    own_pipe, server_pipe = SPAWN.Pipe()
    process = SPAWN.Process(target=_serve, args=(per_second, server_pipe), daemon=True)
    process.start()
    server_pipe.close()  # so that a read ends with the process
    upstream = Upstream(own_pipe)
    try:
        yield upstream
    finally:
        upstream.end()
        process.join()


class _StandIn(LoopbackServer):
    """Counts, refuses and answers."""

    def __init__(self, per_second: int) -> None:
        super().__init__()
        self._times: list[float] = []
        self._refused = 0
        self._programs: Counter[str] = Counter()
        self._last: deque[float] = deque(maxlen=per_second)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}/entrez/eutils"

    def arrivals(self) -> Arrivals:
        return Arrivals(tuple(self._times), self._refused, self._programs)

    async def _respond(self, request: Incoming) -> Outgoing:
        """The answer to one request; one that is refused counts against the limit like any other."""
        now = time.monotonic()
        is_over = len(self._last) == self._last.maxlen and now - self._last[0] < _WINDOW_SECONDS
        self._last.append(now)
        self._times.append(now)
        self._refused += is_over
        path, _, query = request.target.partition("?")
        program = path.rpartition("/")[2].removesuffix(".fcgi")
        self._programs[program] += 1
        if is_over:
            return Outgoing(b'{"error":"API rate limit exceeded"}', "application/json", 429, {"Retry-After": "2"})
        await asyncio.sleep(random.uniform(*ANSWER_SECONDS))
        params = {name: values[-1] for name, values in parse_qs(query or request.body.decode()).items()}
        answers = {"esearch": _search_result, "esummary": _summaries}
        if program not in answers:
            return Outgoing(b"only esearch and esummary", status=400)
        return Outgoing(json.dumps(answers[program](params)).encode(), "application/json")


def _search_result(params: dict[str, str]) -> dict[str, Any]:
    term = params["term"]
    uids = _SEARCH_TERM.findall(term)
    search_result = {"count": str(len(uids)), "retmax": str(len(uids)), "retstart": "0", "idlist": uids}
    return {
        "header": {"type": "esearch"},
        "esearchresult": {**search_result, "translationset": [], "querytranslation": term},
    }


def _summaries(params: dict[str, str]) -> dict[str, Any]:
    uids = params["id"].split(",")
    return {"header": {"type": "esummary"}, "result": {"uids": uids, **{uid: _docsum(uid) for uid in uids}}}


def _docsum(uid: str) -> dict[str, Any]:
    return {
        "uid": uid,
        "name": f"GW{uid}",
        "description": f"made-up gene {uid}",
        "status": "",
        "currentid": "",
        "organism": {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606},
    }


def _serve(per_second: int, pipe: Connection) -> None:
    """The main function of the process."""

    async def serve() -> None:
        async with _StandIn(per_second) as stand_in:
            pipe.send(stand_in.url)
            while (command := await asyncio.to_thread(pipe.recv)) != "end":
                if command == "down":
                    await stand_in.aclose()
                elif command == "up":
                    await stand_in.__aenter__()  # at the same port
                pipe.send(stand_in.arrivals() if command == "arrivals" else None)

    asyncio.run(serve())
