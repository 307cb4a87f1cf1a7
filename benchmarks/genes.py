"""Whole genes by the hundred, ours against the rival, on a sandbox that is as slow and as strict as NCBI.

``python -m benchmarks.genes [--json FILE]``. The sandbox runs in a process of its own with NCBI's everyday latency
(esearch 100, esummary 150, efetch 300 ms, 10-40 ms jitter) at 3 requests a second. Needs the recorded gene_info files
(``BIOFACT_RECORDINGS``) for 500 distinct genes.

There are two rivals: the pattern that specification 000 prints, one request per gene, and one that batches. The second
is asked with each of several batch sizes and keeps its best; the facts that both have of each gene are compared. Genes
are some kilobytes here; ``benchmarks.large_genes`` has records of the sizes that NCBI sends.
"""

import asyncio
import gzip
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.on_sandbox import count_requests, open_client
from benchmarks.report import Result, at_most, run
from benchmarks.rival import BatchingRival, Rival
from biofact.sandbox import EVERYDAY, SandboxProcess
from biofact.sources.entrez.client import EntrezClient
from biofact.sources.entrez.records import EntrezGene

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
PER_SECOND = 3.0
ALONE_RUNS = 15
BATCHES, BATCH_RUNS = (50, 100, 200), 5
WITHIN_FACTOR = 1.1
QUIET_SECONDS = 1.5  # between parts, so that one does not pay for the requests of another


def measure() -> list[Result]:
    """Every figure, in one run."""
    with SandboxProcess(recordings=RECORDINGS, latency=EVERYDAY) as sandbox:
        return asyncio.run(_measure(sandbox))


async def _measure(sandbox: SandboxProcess) -> list[Result]:
    genes = gene_ids(500)
    results = []
    for count, bar in ((100, 40.0), (500, 60.0)):
        own_seconds, _ = await _own_genes(sandbox, genes[:count])
        rival = await _rival(sandbox, genes[:count])
        note = f"{own_seconds:.2f} s against {rival:.1f} s"
        results.append(
            Result(f"{count} distinct genes at once, times faster", rival / own_seconds, bar, "x", note=note)
        )
    results += [await _beside_batches(sandbox, genes[:count]) for count in (100, 500)]
    single_runs = [
        ((await _own_genes(sandbox, [gene]))[0], await _rival(sandbox, [gene])) for gene in genes[:ALONE_RUNS]
    ]
    own_seconds, rival = (statistics.median(seconds) for seconds in zip(*single_runs, strict=True))
    note = f"medians of {ALONE_RUNS}: {own_seconds:.3f} s beside {rival:.3f} s; the jitter alone is 0.03 s"
    results.append(at_most("one gene alone, ours over the rival's", own_seconds / rival, 1.05, "x", note=note))
    results += await _repeats(sandbox, genes)
    return results


def gene_ids(count: int) -> list[str]:
    """Human protein-coding GeneIDs from the recorded gene_info, the lowest first."""
    with gzip.open(RECORDINGS / "bulk" / "Homo_sapiens.gene_info.gz", "rt") as lines:
        rows = (line.split("\t", 10) for line in lines)
        coding = [row[1] for row in rows if row[0] == "9606" and row[9] == "protein-coding"]
    return coding[:count]


async def _own_genes(sandbox: SandboxProcess, genes: list[str]) -> tuple[float, list[EntrezGene]]:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()
    async with open_client(EntrezClient, sandbox) as entrez:
        genes_found = await asyncio.gather(*(entrez.get_gene(f"NCBIGene:{gene}") for gene in genes))
        seconds = time.perf_counter() - start
    _check({gene.id for gene in genes_found}, genes)
    return seconds, genes_found


async def _beside_batches(sandbox: SandboxProcess, genes: list[str]) -> Result:
    """Ours over the rival that batches."""
    own_seconds, rival, size = await _batched(sandbox, genes)
    note = f"medians of {BATCH_RUNS}: {own_seconds:.2f} s beside {rival:.2f} s with {size} genes a request, its best"
    promise = f"{len(genes)} distinct genes at once, ours over a rival that batches"
    return at_most(promise, own_seconds / rival, WITHIN_FACTOR, "x", note=note)


async def _batched(sandbox: SandboxProcess, genes: list[str]) -> tuple[float, float, int]:
    """Median seconds of ours and of the rival in turns, with the batch size that is best for it."""
    own_runs: list[float] = []
    rival: dict[int, list[float]] = {size: [] for size in BATCHES}
    for _ in range(BATCH_RUNS):
        seconds, genes_found = await _own_genes(sandbox, genes)
        own_runs.append(seconds)
        for size, size_runs in rival.items():
            seconds, facts = await _batching(sandbox, genes, size)
            _check_facts(genes_found, facts)
            size_runs.append(seconds)
    size, best = min(
        ((size, statistics.median(size_runs)) for size, size_runs in rival.items()), key=lambda pair: pair[1]
    )
    return statistics.median(own_runs), best, size


async def _batching(sandbox: SandboxProcess, genes: list[str], size: int) -> tuple[float, list[dict[str, Any]]]:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()
    rival = BatchingRival(sandbox.environment()["BIOFACT_NCBI_URL"], per_second=PER_SECOND, batch=size)
    answers = await rival.get_genes(genes)
    seconds = time.perf_counter() - start
    await rival.aclose()
    return seconds, answers


def _check_facts(own_genes: list[EntrezGene], rival: list[dict[str, Any]]) -> None:
    """The facts that both have of each gene; the rival's xrefs are wrong, and it has no coordinates. Ours has as many
    aliases as its budget allows, and a notice where that is not all.
    """
    names = ("symbol", "name", "map_location", "summary", "organism")
    by_id = {gene.id: gene for gene in own_genes}
    _check(set(by_id), [str(gene["gene_id"]) for gene in rival])
    for rival_gene in rival:
        gene = by_id[f"NCBIGene:{rival_gene['gene_id']}"]
        is_cut = any(notice.code == "LIST_CUT" for notice in gene.notices)
        aliases = rival_gene["aliases"][: len(gene.aliases)] if is_cut else rival_gene["aliases"]
        wrong = [name for name in names if getattr(gene, name) != rival_gene[name]]
        if wrong or gene.aliases != aliases:
            raise ValueError(f"{gene.id}: not the same {', '.join(wrong or ['aliases'])}")


async def _rival(sandbox: SandboxProcess, genes: list[str]) -> float:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()  # from nothing, as ours: client and connection included
    rival = Rival(sandbox.environment()["BIOFACT_NCBI_URL"], per_second=PER_SECOND)
    answers = await asyncio.gather(*(rival.get_gene(gene) for gene in genes))
    seconds = time.perf_counter() - start
    await rival.aclose()
    _check({f"NCBIGene:{gene['gene_id']}" for gene in answers}, genes)
    return seconds


def _check(gene_ids: set[str], genes: list[str]) -> None:
    if gene_ids != {f"NCBIGene:{gene}" for gene in genes}:
        raise ValueError("not the genes that were asked for")


async def _repeats(sandbox: SandboxProcess, genes: list[str]) -> list[Result]:
    async with open_client(EntrezClient, sandbox) as entrez:
        gene_id = f"NCBIGene:{genes[0]}"
        identical_requests = await count_requests(
            sandbox, lambda: asyncio.gather(*(entrez.get_gene(gene_id) for _ in range(10)))
        )
        repeat_requests = await count_requests(sandbox, lambda: entrez.get_gene(gene_id))
        batch = [f"NCBIGene:{gene}" for gene in genes[:40]]
        await entrez.get_genes_batch(batch, slim=False)
        after_batch = await count_requests(sandbox, lambda: entrez.get_gene(batch[-1]))
    return [
        at_most("requests of ten identical calls", identical_requests, 2, "requests", note="a summary and a report"),
        at_most("requests of a repeat", repeat_requests, 0, "requests"),
        at_most("requests of a repeat after a batch", after_batch, 0, "requests"),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
