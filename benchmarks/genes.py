"""Whole genes by the hundred, ours against the rival, on a sandbox that is as slow and as strict as NCBI.

``python -m benchmarks.genes [--json FILE]``. The sandbox runs in a process of its own with NCBI's everyday latency
(esearch 100, esummary 150, efetch 300 ms, 10-40 ms jitter) at 3 requests a second. Needs the recorded gene_info files
(``BIOFACT_RECORDINGS``) for 500 distinct genes.
"""

import argparse
import asyncio
import gzip
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.results import Result, told
from benchmarks.rival import Rival
from biofact.core.settings import Settings
from biofact.sandbox import EVERYDAY, SandboxProcess
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.stack import Transport

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
PER_SECOND = 3.0
ALONE_RUNS = 15
QUIET_SECONDS = 1.5  # between parts, so that one does not pay for the requests of another


def measured() -> list[Result]:
    """Every figure, in one run."""
    with SandboxProcess(recordings=RECORDINGS, latency=EVERYDAY) as sandbox:
        return asyncio.run(_measured(sandbox))


async def _measured(sandbox: SandboxProcess) -> list[Result]:
    genes = _gene_ids(500)
    results = []
    for count, bar in ((100, 40.0), (500, 60.0)):
        ours = await _ours(sandbox, genes[:count])
        rival = await _rival(sandbox, genes[:count])
        note = f"{ours:.2f} s against {rival:.1f} s"
        results.append(Result(f"{count} distinct genes at once, times faster", rival / ours, bar, "x", note=note))
    alone = [(await _ours(sandbox, [gene]), await _rival(sandbox, [gene])) for gene in genes[:ALONE_RUNS]]
    ours, rival = (statistics.median(seconds) for seconds in zip(*alone, strict=True))
    note = f"medians of {ALONE_RUNS}: {ours:.3f} s beside {rival:.3f} s; the jitter alone is 0.03 s"
    results.append(Result("one gene alone, ours over the rival's", ours / rival, 1.05, "x", is_at_most=True, note=note))
    results += await _repeats(sandbox, genes)
    return results


def _gene_ids(count: int) -> list[str]:
    """Human protein-coding GeneIDs from the recorded gene_info, the lowest first."""
    with gzip.open(RECORDINGS / "bulk" / "Homo_sapiens.gene_info.gz", "rt") as lines:
        rows = (line.split("\t", 10) for line in lines)
        coding = [row[1] for row in rows if row[0] == "9606" and row[9] == "protein-coding"]
    return coding[:count]


@asynccontextmanager
async def _client(sandbox: SandboxProcess) -> AsyncIterator[EntrezClient]:
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder}))
        try:
            yield EntrezClient(transport)
        finally:
            await transport.aclose()


async def _ours(sandbox: SandboxProcess, genes: list[str]) -> float:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()
    async with _client(sandbox) as entrez:
        found = await asyncio.gather(*(entrez.get_gene(f"NCBIGene:{gene}") for gene in genes))
        seconds = time.perf_counter() - start
    _check({gene.id for gene in found}, genes)
    return seconds


async def _rival(sandbox: SandboxProcess, genes: list[str]) -> float:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()  # from nothing, as ours: client and connection included
    rival = Rival(sandbox.environment()["BIOFACT_NCBI_URL"], per_second=PER_SECOND)
    found = await asyncio.gather(*(rival.get_gene(gene) for gene in genes))
    seconds = time.perf_counter() - start
    await rival.aclose()
    _check({f"NCBIGene:{gene['gene_id']}" for gene in found}, genes)
    return seconds


def _check(found: set[str], genes: list[str]) -> None:
    if found != {f"NCBIGene:{gene}" for gene in genes}:
        raise ValueError("not the genes that were asked for")


async def _repeats(sandbox: SandboxProcess, genes: list[str]) -> list[Result]:
    async with _client(sandbox) as entrez:
        one = f"NCBIGene:{genes[0]}"
        same = await _requests(sandbox, lambda: asyncio.gather(*(entrez.get_gene(one) for _ in range(10))))
        again = await _requests(sandbox, lambda: entrez.get_gene(one))
        batch = [f"NCBIGene:{gene}" for gene in genes[:40]]
        await entrez.get_genes_batch(batch, slim=False)
        after_batch = await _requests(sandbox, lambda: entrez.get_gene(batch[-1]))
    return [
        Result("requests of ten identical calls", same, 1, "requests", is_at_most=True),
        Result("requests of a repeat", again, 0, "requests", is_at_most=True),
        Result("requests of a repeat after a batch", after_batch, 0, "requests", is_at_most=True),
    ]


async def _requests(sandbox: SandboxProcess, ask: Callable[[], Awaitable[object]]) -> int:
    sandbox.forget_requests()
    await ask()
    return len(sandbox.requests())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    raise SystemExit(told(measured(), parser.parse_args().json))
