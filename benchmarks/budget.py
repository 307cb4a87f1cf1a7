"""The shared limiter's promises, measured: no 429 from a strict server, 88 % of the limit used, urgent calls first.

    python -m benchmarks.budget [--seconds 60] [--runs 3] [--json FILE]

Four processes ask one server on loopback. The server is a process of its own; it delays each request by a random
jitter, as the network would, and answers 429 when more than the limit arrived within any one second.
The rival, in the same run and on a server of its own, is the limiter that spec 000 prints: each process
keeps 1/rate seconds between its own requests, under a lock held during the request, and knows nothing of the others.
"""

import argparse
import asyncio
import json
import multiprocessing
import random
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.report import Result, at_most
from biofact.core.call import Lane
from biofact.core.settings import Setting, Settings
from biofact.transport.service import Service
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import GUARD, Budgets

PROCESSES = 4
CALLERS = 8  # that wait at once in each process
WARM_UP_SECONDS = 2.0
BULK_LOOKUPS = 200
URGENT_CALLS = 10
CONDITIONS = ((3, 0.030), (3, 0.100), (10, 0.030), (10, 0.100))  # requests a second, jitter in seconds

Request = Callable[[], Awaitable[None]]
SPAWN = multiprocessing.get_context("spawn")


class StrictServer:
    """Allows ``rate`` requests within any one second, and counts what is beyond."""

    def __init__(self, rate: int, jitter: float) -> None:
        self.arrived = 0
        self.refused = 0
        self._jitter = jitter
        self._last: deque[float] = deque(maxlen=rate)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One line in, one status out, until the client leaves."""
        while await reader.readline():
            await asyncio.sleep(random.uniform(0.0, self._jitter))
            writer.write(b"%d\n" % self._status(time.monotonic()))
            await writer.drain()
        writer.close()

    def _status(self, now: float) -> int:
        is_over = len(self._last) == self._last.maxlen and now - self._last[0] < 1.0
        self._last.append(now)  # a refused request counts towards the window like any other
        self.arrived += 1
        self.refused += is_over
        return 429 if is_over else 200


def serve(rate: int, jitter: float, pipe: Connection) -> None:
    """Send the port, serve until stopped, send how many requests arrived and were refused."""

    async def serve_until_stopped() -> None:
        strict = StrictServer(rate, jitter)
        server = await asyncio.start_server(strict.answer, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await asyncio.to_thread(pipe.recv)
        server.close()
        pipe.send((strict.arrived, strict.refused))

    asyncio.run(serve_until_stopped())


class Spec000:
    """The limiter that spec 000 prints, without its retries."""

    def __init__(self, rate: int) -> None:
        self._delay = 1 / rate
        self._lock = asyncio.Lock()
        self._last = 0.0

    async def call(self, request: Request) -> None:
        """Make one request."""
        async with self._lock:
            elapsed = time.monotonic() - self._last
            if elapsed < self._delay:
                await asyncio.sleep(self._delay - elapsed)
            await request()
            self._last = time.monotonic()

    async def aclose(self) -> None:
        """Nothing to close."""


class OurLimiter:
    """The shared budget, for a service for this benchmark alone."""

    def __init__(self, rate: int, folder: str) -> None:
        url = Setting("BENCHMARK_URL", "Nothing.", default="http://127.0.0.1")
        self._service = Service("benchmark", "Benchmark", url, per_second=rate, judge=lambda answer: "good")
        self._budgets = Budgets(Settings({}), Timing(), Path(folder))

    async def call(self, request: Request, lane: Lane = "bulk") -> None:
        """Make one request."""
        await self._budgets.take(self._service, lane)
        await request()

    async def aclose(self) -> None:
        """Close the budgets."""
        await self._budgets.aclose()


def ask_for(port: int, rate: int, folder: str | None, start: float, seconds: float) -> int:
    """Ask as often as the limiter allows, ours with a folder and spec 000's without; returns the requests sent."""

    async def one_caller(limiter: OurLimiter | Spec000) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(start - time.time())
        sent_count = 0

        async def request() -> None:
            nonlocal sent_count
            if time.time() < start + seconds:
                sent_count += 1
                writer.write(b"GET\n")
                await reader.readline()

        while time.time() < start + seconds:
            await limiter.call(request)
        writer.close()
        return sent_count

    async def all_callers() -> int:
        limiter = OurLimiter(rate, folder) if folder is not None else Spec000(rate)
        sent_counts = await asyncio.gather(*(one_caller(limiter) for _ in range(CALLERS)))
        await limiter.aclose()
        return sum(sent_counts)

    return asyncio.run(all_callers())


def many_processes(rate: int, jitter: float, seconds: float, *, is_shared: bool) -> dict[str, Any]:
    """Four processes against one strict server: what it saw."""
    own_pipe, server_pipe = SPAWN.Pipe()
    server = SPAWN.Process(target=serve, args=(rate, jitter, server_pipe))
    server.start()
    port = own_pipe.recv()
    start = time.time() + WARM_UP_SECONDS
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(PROCESSES, SPAWN) as pool:
        client_folder = folder if is_shared else None
        clients = [pool.submit(ask_for, port, rate, client_folder, start, seconds) for _ in range(PROCESSES)]
        sent_counts = [future.result() for future in clients]
    own_pipe.send("stop")
    arrived_count, refused_count = own_pipe.recv()
    server.join()
    return {
        "benchmark": "budget",
        "limiter": "biofact" if is_shared else "spec 000",
        "rate": rate,
        "jitter_ms": round(jitter * 1000),
        "seconds": seconds,
        "requests": arrived_count,
        "refused": refused_count,
        "of_limit": round((arrived_count - refused_count) / (rate * seconds), 3),
        "least_and_most_of_a_process": [min(sent_counts), max(sent_counts)],
    }


async def _no_request() -> None:
    return


def lookups(rate: int, folder: str, start: float, bulk: int, urgent: int) -> list[float]:
    """Queue ``bulk`` lookups and make ``urgent`` calls at random moments; returns the slots that each waited."""

    async def all_lookups() -> list[float]:
        limiter, waits = OurLimiter(rate, folder), []
        await asyncio.sleep(start - time.time())
        queued = [asyncio.create_task(limiter.call(_no_request)) for _ in range(bulk)]
        for _ in range(urgent):
            await asyncio.sleep(random.uniform(0.5, 2.5) * GUARD / rate)
            asked = time.monotonic()
            await limiter.call(_no_request, "interactive")
            waits.append((time.monotonic() - asked) * rate / GUARD)
        if not urgent:
            await asyncio.sleep(URGENT_CALLS * 5 * GUARD / rate)
        for task in queued:
            task.cancel()
        await limiter.aclose()
        return waits

    return asyncio.run(all_lookups())


def urgent_calls(rate: int, *, in_own_process: bool) -> dict[str, Any]:
    """Urgent calls behind 200 bulk lookups: the slots that they waited."""
    start = time.time() + WARM_UP_SECONDS
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2, SPAWN) as pool:
        if not in_own_process:
            pool.submit(lookups, rate, folder, start - 0.5, BULK_LOOKUPS, 0)
        bulk = BULK_LOOKUPS if in_own_process else 0
        waits = pool.submit(lookups, rate, folder, start, bulk, URGENT_CALLS).result()
    return {
        "benchmark": "urgent behind 200 bulk lookups",
        "process": "own" if in_own_process else "another",
        "rate": rate,
        "calls": len(waits),
        "slots_mean": round(sum(waits) / len(waits), 2),
        "slots_most": round(max(waits), 2),
    }


def measure(seconds: float = 60.0, runs: int = 3) -> list[dict[str, Any]]:
    """All figures, one dict a measurement; prints each as it comes."""
    figures = []
    for run in range(1, runs + 1):
        for rate, jitter in CONDITIONS:
            with ThreadPoolExecutor() as pool:
                started = [
                    pool.submit(many_processes, rate, jitter, seconds, is_shared=is_shared)
                    for is_shared in (True, False)
                ]
            figures += [{**future.result(), "run": run} for future in started]
            _print(figures[-2:])
        for rate in (3, 10):
            figures += [
                {**urgent_calls(rate, in_own_process=in_own_process), "run": run} for in_own_process in (True, False)
            ]
            _print(figures[-2:])
    return figures


def results(seconds: float = 60.0, runs: int = 3) -> list[Result]:
    """The promises: the worst of all runs, with the rival's refusals beside it."""
    figures = measure(seconds, runs)
    all_results = []
    for rate, jitter in CONDITIONS:
        milliseconds = round(jitter * 1000)
        same_figures = [f for f in figures if f.get("jitter_ms") == milliseconds and f["rate"] == rate]
        own_figures, rival = (
            [f for f in same_figures if (f["limiter"] == "biofact") is is_ours] for is_ours in (True, False)
        )
        label = f"four processes at {rate}/s, {milliseconds} ms jitter"
        note = f"the rival: {sum(f['refused'] for f in rival)} of {sum(f['requests'] for f in rival)}"
        refused_count = sum(f["refused"] for f in own_figures)
        all_results.append(at_most(f"{label}: refusals", refused_count, 0, "429s", note=note))
        all_results.append(Result(f"{label}: least share", 100 * min(f["of_limit"] for f in own_figures), 88, "%"))
    waits = [f["slots_most"] for f in figures if f["benchmark"] != "budget"]
    all_results.append(at_most("an urgent call behind 200 bulk lookups waits", max(waits), 2, "slots"))
    return all_results


def _print(figures: list[dict[str, Any]]) -> None:
    for figure in figures:
        label = f"run {figure['run']}  {figure['rate']:>2}/s"
        if figure["benchmark"] == "budget":
            requests = f"{figure['requests']:>5} requests  {figure['refused']:>4} times 429  {figure['of_limit']:.1%}"
            print(
                f"{label}  {figure['jitter_ms']:>3} ms jitter  {figure['limiter']:<8} {requests} of the limit",
                flush=True,
            )
        else:
            slots = f"{figure['slots_mean']:.2f} slots on average, {figure['slots_most']:.2f} at most"
            print(
                f"{label}  urgent call behind 200 bulk lookups of {figure['process']:<7} process waits {slots}",
                flush=True,
            )


def main() -> None:
    """Measure, print, and write JSON if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.seconds, options.runs)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
