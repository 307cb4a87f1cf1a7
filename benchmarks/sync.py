"""A thousand lookups from eight threads through ``biofact.sync``, beside the same lookups by ``asyncio``, in one run.

``python -m benchmarks.sync [--json FILE]``. The sandbox runs in a process of its own, and neither side is held to a
rate; every run begins with an empty cache. Eight tasks ask one after the other, as the threads do; ``gather`` asks all
at once. Needs no recordings.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from statistics import median

from benchmarks.on_sandbox import at_both_sizes, sandbox_process
from benchmarks.report import Result, at_most, run
from biofact import EntrezClient, EntrezGene, sync
from biofact.core.settings import Settings
from biofact.sandbox import SandboxProcess
from biofact.sandbox.services.entrez.corpus import starter_genes
from biofact.transport.background import wait_for
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

COUNT = 1000
THREADS = 8
RUNS = 5
UNTHROTTLED = Timing(rate_factor=10_000.0)


def lookups(count: int = COUNT, seed: int = 18) -> list[str]:
    """IDs of genes that there are, each several times, in no order."""
    live = [f"NCBIGene:{gene.gene_id}" for gene in starter_genes() if gene.status == "live"]
    ids = list(islice(cycle(live), count))
    random.Random(seed).shuffle(ids)
    return ids


def by_threads(transport: Transport, ids: list[str]) -> list[EntrezGene]:
    """Eight threads share a blocking client."""
    try:
        with sync.EntrezClient(transport) as entrez, ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(entrez.get_gene, ids))
    finally:
        wait_for(transport.aclose())


def by_tasks(transport: Transport, ids: list[str]) -> list[EntrezGene]:
    """Eight tasks share a client."""

    async def ask() -> list[EntrezGene]:
        entrez = EntrezClient(transport)
        turns = asyncio.Semaphore(THREADS)

        async def get_one(gene_id: str) -> EntrezGene:
            async with turns:
                return await entrez.get_gene(gene_id)

        try:
            return list(await asyncio.gather(*map(get_one, ids)))
        finally:
            await transport.aclose()

    return asyncio.run(ask())


def by_gather(transport: Transport, ids: list[str]) -> list[EntrezGene]:
    """All at once."""

    async def ask() -> list[EntrezGene]:
        try:
            return list(await asyncio.gather(*map(EntrezClient(transport).get_gene, ids)))
        finally:
            await transport.aclose()

    return asyncio.run(ask())


@contextmanager
def fresh(sandbox: SandboxProcess) -> Iterator[Transport]:
    """A transport with an empty cache, and a sandbox that counts from here."""
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder}), timing=UNTHROTTLED)
        sandbox.forget_requests()
        yield transport


def seconds_and_requests(
    sandbox: SandboxProcess, ask: Callable[[Transport, list[str]], list[EntrezGene]], ids: list[str]
) -> tuple[float, int]:
    """How long one way takes, and how many requests; every answer is the gene that was asked for."""
    with fresh(sandbox) as transport:
        start = time.perf_counter()
        genes = ask(transport, ids)
        duration = time.perf_counter() - start
        assert [gene.id for gene in genes] == ids
        return duration, len(sandbox.requests())


@at_both_sizes
def measure() -> list[Result]:
    """The medians of runs that take turns, so that a busy machine disturbs all alike."""
    ids = lookups()
    ways = {"threads": by_threads, "tasks": by_tasks, "gather": by_gather}
    with sandbox_process(rate_factor=10_000.0) as sandbox:
        for ask in ways.values():
            seconds_and_requests(sandbox, ask, ids[:50])
        runs = [{name: seconds_and_requests(sandbox, ask, ids) for name, ask in ways.items()} for _ in range(RUNS)]
    seconds = {name: median(run[name][0] for run in runs) for name in ways}
    requests = {name: median(run[name][1] for run in runs) for name in ways}
    note = ", ".join(f"{name} {seconds[name]:.2f} s, {requests[name]:g} requests" for name in ways)
    return [
        Result(
            "1,000 lookups from eight threads: time of eight tasks",
            seconds["threads"] / seconds["tasks"],
            2.0,
            "x",
            True,
            note,
        ),
        at_most(
            "1,000 lookups from eight threads: requests of eight tasks",
            requests["threads"] / requests["tasks"],
            1.5,
            "x",
        ),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
