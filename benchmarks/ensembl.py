"""Ensembl genes by the hundred against the rival, and the requests that a search costs, on a sandbox that takes 50 ms.

``python -m benchmarks.ensembl [--json FILE]``. The sandbox runs in a process of its own and takes 50 ms for each
request on every path, without jitter; what it counts is what was sent. It counts Ensembl's hour, not its second: that
15 a second are kept is the client's doing, which ``benchmarks.budget`` measures. Every figure begins with an empty
cache and the client still to be made. Needs the recorded gene_info files (``BIOFACT_RECORDINGS``).
"""

import asyncio
import gzip
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.on_sandbox import answered_requests, at_both_sizes, count_requests, open_client, sandbox_process
from benchmarks.report import Result, at_most, run
from benchmarks.rival import EnsemblRival
from biofact.core.envelopes import PaginationEnvelope
from biofact.sandbox import SandboxProcess
from biofact.sandbox.faults import Latency
from biofact.sources.ensembl.client import EnsemblClient
from biofact.sources.ensembl.records import EnsemblGeneCandidate, Gene, SlimGene
from biofact.sources.ensembl.service import ENSEMBL

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
LATENCY = Latency({"": 0.050})
COUNT = 100
SLIM_RUNS = 15
QUIET_SECONDS = 0.5  # between timed parts
SPECIES_LIST = "/info/species"
RELEASE = "/info/data"  # asked for once a day, beside whole records: counted apart

GenePage = PaginationEnvelope[EnsemblGeneCandidate]


@dataclass(frozen=True, slots=True)
class Search:
    """One search whose requests are promised."""

    label: str
    query: str
    species: str | None
    most_requests: int
    """Requests, the species list apart."""
    gene: str | None
    """Which has to be found; None for nothing at all. IDs are those of the recorded gene_info."""

    @property
    def promise(self) -> str:
        """The name of the search in the report."""
        return f"requests of a search: {self.label} ({self.query!r})"


SEARCHES = (
    Search("free text in one species", "tumor protein", "human", 2, "ENSG00000141510"),
    Search("free text in all species", "tumor protein", None, 2, "ENSG00000141510"),
    Search("a symbol that is one", "BRCA1", None, 2, "ENSG00000012048"),
    Search("a synonym", "HER2", None, 3, "ENSG00000141736"),
    Search("a synonym", "p53", None, 3, "ENSG00000141510"),
    Search("a miss, like a symbol of letters", "XYZZYQ", None, 4, None),
    Search("a miss, like a symbol with digits", "XYZZY99", None, 4, None),
    Search("a miss in words", "frobnicated quuxin", None, 4, None),
    Search("a typo in a symbol with digits", "BRAC1", None, 4, "ENSG00000012048"),
    Search("a typo in a symbol of letters", "EGRF", None, 4, "ENSG00000146648"),
    Search("a typo in a word", "insluin", None, 4, "ENSG00000254647"),
)
PAGE_2 = (("in one species", "human", 10), ("in all species", None, 50))
"""Pages of the free text; the second begins with the other species."""


@at_both_sizes
def measure() -> list[Result]:
    """Every figure, in one run."""
    with sandbox_process(recordings=RECORDINGS, latency=LATENCY) as sandbox:
        return asyncio.run(_measure(sandbox))


async def _measure(sandbox: SandboxProcess) -> list[Result]:
    genes = _gene_symbols(COUNT)
    results = await _slim(sandbox, genes) + await _full(sandbox, genes)
    results += [await _search(sandbox, search) for search in SEARCHES]
    results += [await _page_2(sandbox, *page) for page in PAGE_2]
    return [*results, *await _species_list(sandbox), *await _repeats(sandbox, list(genes))]


def _gene_symbols(count: int) -> dict[str, str]:
    """Human protein-coding Ensembl IDs, those of the lowest GeneIDs first, with their symbols, from gene_info."""
    symbols: dict[str, str] = {}
    with gzip.open(RECORDINGS / "bulk" / "Homo_sapiens.gene_info.gz", "rt") as lines:
        for row in (line.split("\t") for line in lines):
            ids = [xref.removeprefix("Ensembl:") for xref in row[5].split("|") if xref.startswith("Ensembl:ENSG")]
            if row[0] == "9606" and row[9] == "protein-coding" and len(ids) == 1:
                symbols.setdefault(ids[0], row[2])
            if len(symbols) == count:
                return symbols
    raise ValueError(f"the recorded gene_info has {len(symbols)} such genes only; expected {count}")


async def _slim(sandbox: SandboxProcess, genes: dict[str, str]) -> list[Result]:
    """Against the rival; a first run of ours loads the modules, which the rival's have been, and is not counted."""
    runs = [await _batch(sandbox, genes, slim=True) for _ in range(SLIM_RUNS + 1)][1:]
    own_seconds, request_count = statistics.median(seconds for seconds, _ in runs), max(count for _, count in runs)
    rival = await _rival(sandbox, genes)
    note = f"{own_seconds:.4f} s, the median of {SLIM_RUNS}, against {rival:.1f} s"
    return [
        at_most("100 slim genes at once, requests", request_count, 1, "requests"),
        Result("100 slim genes at once, times faster", rival / own_seconds, 150, "x", note=note),
    ]


async def _full(sandbox: SandboxProcess, genes: dict[str, str]) -> list[Result]:
    seconds, request_count = await _batch(sandbox, genes, slim=False)
    per_second = request_count / seconds
    note = f"{seconds:.2f} s, {per_second:.2f} requests a second of {ENSEMBL.per_second:g}"
    return [
        at_most("100 full genes at once, requests", request_count, COUNT + 1, "requests"),
        Result("100 full genes at once, share of the limit", per_second / ENSEMBL.per_second, 0.88, "", note=note),
    ]


async def _batch(sandbox: SandboxProcess, genes: dict[str, str], *, slim: bool) -> tuple[float, int]:
    """Seconds and requests of one batch."""
    await asyncio.sleep(QUIET_SECONDS)
    sandbox.forget_requests()
    start = time.perf_counter()
    async with open_client(EnsemblClient, sandbox) as ensembl:
        batch = await ensembl.get_genes_batch(list(genes), slim=slim)
        seconds = time.perf_counter() - start
    genes_found = [gene for gene in batch.items if isinstance(gene, SlimGene)]
    _check([(gene.id, gene.symbol) for gene in genes_found], genes)
    if not slim and not all(isinstance(gene, Gene) for gene in genes_found):
        raise ValueError("not whole genes")
    return seconds, sum(request["path"] != RELEASE for request in answered_requests(sandbox))


async def _rival(sandbox: SandboxProcess, genes: dict[str, str]) -> float:
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()  # from nothing, as ours: client and connection included
    rival = EnsemblRival(sandbox.environment()[ENSEMBL.base_url.name], per_second=ENSEMBL.per_second)
    answers = await asyncio.gather(*(rival.get_gene(gene) for gene in genes))
    seconds = time.perf_counter() - start
    await rival.aclose()
    _check([(gene["id"], gene["symbol"]) for gene in answers], genes)
    return seconds


def _check(pairs: Sequence[tuple[str, str]], genes: dict[str, str]) -> None:
    if list(pairs) != list(genes.items()):
        raise ValueError("not the genes that were asked for")


async def _search(sandbox: SandboxProcess, search: Search) -> Result:
    page, request_count = await _page(sandbox, search.query, search.species)
    ids = [gene.id for gene in page.items]
    if (search.gene is None and ids) or (search.gene is not None and search.gene not in ids):
        raise ValueError(f"{search.query!r} found {ids[:5]}; expected {search.gene}")
    return at_most(search.promise, request_count, search.most_requests, "requests")


async def _page_2(sandbox: SandboxProcess, label: str, species: str | None, size: int) -> Result:
    """With a cache that has nothing of page 1."""
    query = "tumor protein"
    first, _ = await _page(sandbox, query, species, page_size=size)
    second, request_count = await _page(sandbox, query, species, page_size=size, cursor=first.pagination.cursor)
    if not second.items or {gene.id for gene in first.items} & {gene.id for gene in second.items}:
        raise ValueError("not a second page")
    return at_most(f"requests of a search: page 2 of free text {label}", request_count, 2, "requests")


async def _page(sandbox: SandboxProcess, query: str, species: str | None, **options: Any) -> tuple[GenePage, int]:
    """One page on an empty cache, and its requests without that for the species list."""
    sandbox.forget_requests()
    async with open_client(EnsemblClient, sandbox) as ensembl:
        page = await ensembl.search_genes(query, species=species, **options)
    return page, sum(request["path"] != SPECIES_LIST for request in answered_requests(sandbox))


async def _species_list(sandbox: SandboxProcess) -> list[Result]:
    """The request that those searches leave out: once for all searches in species that are not known without asking."""
    sandbox.forget_requests()
    async with open_client(EnsemblClient, sandbox) as ensembl:
        for query, species in (("TP53", "alpaca"), ("BRCA1", "alpaca"), ("insulin", "goat")):
            await ensembl.search_genes(query, species=species)
    request_count = sum(request["path"] == SPECIES_LIST for request in answered_requests(sandbox))
    note = "in a day, apart from the searches above; the model organisms are known without"
    promise = "requests for the species list, of three searches"
    return [at_most(promise, request_count, 1, "requests", note=note)]


async def _repeats(sandbox: SandboxProcess, genes: list[str]) -> list[Result]:
    async with open_client(EnsemblClient, sandbox) as ensembl:
        sandbox.forget_requests()
        await asyncio.gather(*(ensembl.get_gene(genes[0]) for _ in range(10)))
        paths = [request["path"] for request in answered_requests(sandbox)]
        repeat_requests = await count_requests(sandbox, lambda: ensembl.get_gene(genes[0]))
        await ensembl.get_genes_batch(genes[1:])
        after_batch = await count_requests(sandbox, lambda: ensembl.get_gene(genes[-1], slim=True))
    return [
        at_most("requests of ten identical calls", len(paths) - paths.count(RELEASE), 2, "requests"),
        at_most("requests for the release, of ten identical calls", paths.count(RELEASE), 1, "requests"),
        at_most("requests of a repeat", repeat_requests, 0, "requests"),
        at_most("requests of a slim gene after a batch", after_batch, 0, "requests"),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
