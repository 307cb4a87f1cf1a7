"""The cost of a kept answer, and a cache at its cap under sixteen writers: who has to wait, and what is lost.

``python -m benchmarks.cache [--json FILE]``. Kept answers are measured in this process, on the recorded corpora, by the
processor time of the event loop's thread: other work on the machine counts for little then. The
writers are processes of their own that start together on one cache, full to its cap; each keeps 500 answers, asks for
each at once, and watches how long its event loop stands still, less the time for which one of its threads was ready to
go on and the machine had no processor for it: many processes share few processors. Of several rounds the least counts:
what the cache does to a loop it does in each.
"""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.on_sandbox import at_both_sizes, open_client, sandbox_process
from benchmarks.report import Result, at_most, run
from biofact.core.settings import Settings
from biofact.sandbox import SandboxProcess
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.keep.cache import Cache
from biofact.transport.keep.store import Entry
from biofact.transport.service import DAY, MIB
from biofact.transport.timing import Timing

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
GENE = "NCBIGene:672"
SEARCHES = (("BRCA1", None), ("p53", "human"), ("kinase", None), ("tumor protein", "human"))

WRITERS, ANSWERS, AT_ONCE = 16, 500, 5
CAP_BYTES = 256 * MIB
BODY_BYTES = 5_000
PAUSE_SECONDS = 0.1  # between answers: together 800 a second, more than all services allow
PROBE_SECONDS = 0.005
ROUNDS = 3
SERVICE = EntrezClient.services[0]


def measure() -> list[Result]:
    """Every figure."""
    return [*_measure_kept(), *_shared()]


@at_both_sizes
def _measure_kept() -> list[Result]:
    with sandbox_process(recordings=RECORDINGS) as sandbox:
        return asyncio.run(_of_kept_answers(sandbox))


async def _of_kept_answers(sandbox: SandboxProcess) -> list[Result]:
    async with open_client(EntrezClient, sandbox) as entrez:
        gene = await _median_seconds(lambda: entrez.get_gene(GENE), 500)
        searches = {
            query: await _median_seconds(lambda q=query, o=organism: entrez.search_genes(q, organism=o), 50)  # type: ignore[misc]
            for query, organism in SEARCHES
        }
    note = ", ".join(f"{query} {1e3 * seconds:.1f}" for query, seconds in searches.items())
    return [
        at_most("a kept gene", 1e6 * gene, 60, "us", note="median of 500"),
        at_most("a kept search of 50, the slowest", 1e3 * max(searches.values()), 3.6, "ms", note=note),
    ]


async def _median_seconds(ask: Callable[[], Awaitable[Any]], times: int) -> float:
    await ask()
    durations = []
    for _ in range(times):
        start = time.thread_time()
        await ask()
        durations.append(time.thread_time() - start)
    return statistics.median(durations)


def _shared() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_fill(folder))
        rounds = [_round(folder, number) for number in range(ROUNDS)]
    stalls = [figures["stall"] for figures in rounds]
    lags = ", ".join(f"{1e3 * figures['stall']:.0f} ({1e3 * figures['lag']:.0f})" for figures in rounds)
    note = f"the least of {ROUNDS} rounds: {lags} with the wait for a processor"
    count = ROUNDS * WRITERS * ANSWERS
    missed_count, lost_count = (int(sum(figures[name] for figures in rounds)) for name in ("missed", "lost"))
    share = 100 * max(figures["bytes"] for figures in rounds) / CAP_BYTES
    return [
        at_most("longest stall of 16 writers at the cap", 1e3 * min(stalls), 50, "ms", note=note),
        at_most(f"of {count} answers, lost", lost_count, 0, "answers"),
        at_most(f"of {count} answers, not found at once", missed_count, 0, "answers"),
        at_most("the cache afterwards, of its cap", share, 100, "%"),
    ]


def _round(folder: str, number: int) -> dict[str, float]:
    """The figures of all writers together, and of their entries."""
    writers = _watch_writers(folder, f"{number}")
    found_count, size = asyncio.run(_count_entries(folder, f"{number}"))
    return {
        "stall": max(writer["stall"] for writer in writers),
        "lag": max(writer["lag"] for writer in writers),
        "missed": sum(writer["missed"] for writer in writers),
        "lost": WRITERS * ANSWERS - found_count,
        "bytes": size,
    }


async def _fill(folder: str) -> None:
    """Fill a cache to its cap with answers that were used long ago."""
    cache = _cache(folder, lambda: time.time() - DAY)
    room = CAP_BYTES - (await cache.stats()).bytes
    for number in range(0, room // (BODY_BYTES + 300), 100):
        await cache.keep_all(SERVICE, "old/1", {str(number + offset): _entry() for offset in range(100)})
    await cache.aclose()


def _watch_writers(folder: str, name: str) -> list[dict[str, float]]:
    """The figures of each writer; they start together."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.cache", "--writer", f"{name}:{number}", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    for writer in started:
        assert writer.stdout is not None
        writer.stdout.readline()
    for writer in started:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    return [json.loads(writer.communicate()[0]) for writer in started]


async def _count_entries(folder: str, name: str) -> tuple[int, int]:
    """How many of the answers are there, and how many bytes."""
    cache = _cache(folder)
    ids = [f"{name}:{writer}:{number}" for writer in range(WRITERS) for number in range(ANSWERS)]
    entries = await cache.find_many(SERVICE, "new/1", ids)
    size = (await cache.stats()).bytes
    await cache.aclose()
    return len(entries), size


def _write(name: str, folder: str) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(asyncio.run(_find_entries(name, folder))))


async def _find_entries(name: str, folder: str) -> dict[str, float]:
    lags: list[tuple[float, float]] = []
    watch_task = asyncio.create_task(_watch(lags))
    cache = _cache(folder)
    missed_count = 0
    for first in range(0, ANSWERS, AT_ONCE):
        ids = [f"{name}:{number}" for number in range(first, first + AT_ONCE)]
        await cache.keep_all(SERVICE, "new/1", {id: _entry() for id in ids})  # noqa: A001
        missed_count += AT_ONCE - len(await cache.find_many(SERVICE, "new/1", ids))
        await asyncio.sleep(PAUSE_SECONDS)
    await cache.aclose()
    watch_task.cancel()
    return {"stall": max(lag - wait for lag, wait in lags), "lag": max(lags)[0], "missed": missed_count}


async def _watch(lags: list[tuple[float, float]]) -> None:
    """Note how much later than it should this task goes on, and for how much of that there was no processor."""
    while True:
        start, before = time.perf_counter(), _waits_for_processor()
        await asyncio.sleep(PROBE_SECONDS)
        lag = time.perf_counter() - start - PROBE_SECONDS
        waits = {thread: wait - before.get(thread, 0.0) for thread, wait in _waits_for_processor().items()}
        own_wait = waits.pop(str(threading.get_native_id()), 0.0)
        other_wait = max(waits.values(), default=0.0)  # one of them may hold the interpreter meanwhile
        lags.append((lag, min(lag, own_wait + other_wait)))


def _waits_for_processor() -> dict[str, float]:
    """Seconds for which each thread of this process was ready and did not run, as Linux counts them."""
    waits = {}
    for counts in Path("/proc/self/task").glob("*/schedstat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that ends
            waits[counts.parent.name] = int(counts.read_text().split()[1]) / 1e9
    return waits


def _cache(folder: str, clock: Callable[[], float] = time.time) -> Cache:
    return Cache(Settings({"BIOFACT_CACHE_DIR": folder}), Timing(wall_clock=clock), cap_bytes=CAP_BYTES)


def _entry() -> Entry:
    now = time.time()
    return Entry(os.urandom(BODY_BYTES), "https://example.org", now, now + DAY, "live")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--writer", *arguments]:
            _write(*arguments)
        case _:
            sys.exit(run(measure, __doc__))
