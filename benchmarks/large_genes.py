"""Whole genes as large as NCBI's, over lines of 5 MB/s: ours beside a rival that reads XML and one that reads reports.

``python -m benchmarks.large_genes [--json FILE]``. The sandbox runs in a process of its own with real sizes (a gene in
XML: median 1.3 MB, at most 10), NCBI's everyday latency, its rates, and 5 MB/s for each service, counted after gzip.
Datasets begins an answer after 300 ms, as efetch does; no recording says how long it takes.
Needs the recorded gene_info files (``BIOFACT_RECORDINGS``) for 500 distinct genes.

The XML rival asks efetch for batches and reads them as they arrive, record by record. It does so twice: packed with
gzip, as httpx and requests ask, and plain, as Biopython's Entrez asks (urllib). The rival of reports asks Datasets and
esummary side by side. Each has the batch size that was best for it with 100 genes; the facts that all have of each gene
are compared.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.genes import QUIET_SECONDS, RECORDINGS, gene_ids
from benchmarks.on_sandbox import SIZES, open_client
from benchmarks.report import Result, at_most, run
from benchmarks.rival import LineRival, ReportRival, StreamingRival
from biofact.sandbox import EVERYDAY, SandboxProcess
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.timing import Timing

LABEL = "real sizes, 5 MB/s"
FIRST_BYTE_SECONDS = {"ncbi-datasets": 0.3}
XML_BATCHES, REPORT_BATCHES = (20, 50, 100), (50, 100, 200, 500)
RUNS, ALONE_RUNS = 3, 9
Facts = dict[str, dict[str, Any]]
Ask = Callable[[Sequence[str]], Awaitable[Facts]]


def measure() -> list[Result]:
    """Every figure, in one run."""
    options = {**SIZES[LABEL], "first_byte_seconds": FIRST_BYTE_SECONDS}
    with SandboxProcess(recordings=RECORDINGS, latency=EVERYDAY, **options) as sandbox:
        results = asyncio.run(_measure(sandbox))
    return [replace(result, promise=f"{result.promise} ({LABEL})") for result in results]


async def _measure(sandbox: SandboxProcess) -> list[Result]:
    genes = gene_ids(500)
    packed = await _best(sandbox, genes[:100], StreamingRival, XML_BATCHES)
    results = []
    for count in (100, 500):
        reports = await _best(sandbox, genes[:count], ReportRival, [size for size in REPORT_BATCHES if size <= count])
        results += await _beside(sandbox, genes[:count], packed, reports)
    return [*results, await _alone(sandbox, genes), await _batch(sandbox, genes[:200])]


async def _best(
    sandbox: SandboxProcess, genes: Sequence[str], rival_class: type[LineRival], batches: Sequence[int]
) -> int:
    """The batch size with which a rival is fastest."""
    seconds = {size: await _timed(sandbox, genes, _rival(sandbox, rival_class, size)) for size in batches}
    return min(seconds, key=lambda size: seconds[size][0])


def _rival(sandbox: SandboxProcess, rival_class: type[LineRival], batch: int, **options: Any) -> Ask:
    async def ask(genes: Sequence[str]) -> Facts:
        rival = rival_class(sandbox.environment(), batch=batch, **options)
        try:
            return await rival.get_genes(genes)
        finally:
            await rival.aclose()

    return ask


def _own(sandbox: SandboxProcess) -> Ask:
    async def ask(genes: Sequence[str]) -> Facts:
        async with open_client(EntrezClient, sandbox) as entrez:
            records = await asyncio.gather(*(entrez.get_gene(f"NCBIGene:{gene}") for gene in genes))
        return {record.id.removeprefix("NCBIGene:"): record.model_dump() for record in records}

    return ask


async def _timed(sandbox: SandboxProcess, genes: Sequence[str], ask: Ask) -> tuple[float, int, Facts]:
    """Seconds from nothing, bytes on the wire, and the facts of these genes."""
    await asyncio.sleep(QUIET_SECONDS)
    sandbox.forget_requests()
    start = time.perf_counter()
    facts = await ask(genes)
    seconds = time.perf_counter() - start
    if facts.keys() != set(genes):
        raise ValueError("not the genes that were asked for")
    return seconds, sum(sandbox.sent_bytes().values()), facts


async def _median(sandbox: SandboxProcess, genes: Sequence[str], *asks: Ask) -> list[tuple[float, int, Facts]]:
    """The run of median time of each, in turns."""
    runs = [[await _timed(sandbox, genes, ask) for ask in asks] for _ in range(RUNS)]
    return [sorted(own_runs, key=lambda timed: timed[0])[RUNS // 2] for own_runs in zip(*runs, strict=True)]


async def _beside(sandbox: SandboxProcess, genes: Sequence[str], packed: int, reports: int) -> list[Result]:
    """Ours over each rival; the plain XML, which takes minutes, is read once."""
    asks = (_own(sandbox), _rival(sandbox, ReportRival, reports))
    (own_seconds, sent_bytes, facts), (report_seconds, report_bytes, report_facts) = await _median(
        sandbox, genes, *asks
    )
    xml = await _timed(sandbox, genes, _rival(sandbox, StreamingRival, packed))
    plain = await _timed(sandbox, genes, _rival(sandbox, StreamingRival, packed, is_packed=False))
    for rival_facts in (report_facts, xml[2], plain[2]):
        _check_facts(facts, rival_facts)

    def note(seconds: float, count: int, batch: int) -> str:
        kilobytes = count / 1000 / len(genes)
        return f"{own_seconds:.2f} s beside {seconds:.2f} s; it has {kilobytes:.0f} kB a gene, {batch} genes a request"

    label = f"{len(genes)} genes at once"
    return [
        Result(f"{label}: times faster than plain XML", plain[0] / own_seconds, 20, "x", note=note(*plain[:2], packed)),
        # gzip packs XML to a sixteenth: what takes its time is reading it
        Result(f"{label}: times faster than packed XML", xml[0] / own_seconds, 10, "x", note=note(*xml[:2], packed)),
        at_most(
            f"{label}: ours over a rival of reports",
            own_seconds / report_seconds,
            1.1,
            "x",
            note=note(report_seconds, report_bytes, reports),
        ),
        at_most(f"{label}: on the wire, a gene", sent_bytes / 1000 / len(genes), 25, "kB"),
    ]


def _check_facts(own: Facts, rival: Facts) -> None:
    """The facts that both have of each gene."""
    for gene_id, facts in rival.items():
        wrong = [
            name for name in ("symbol", "name", "map_location", "summary") if own[gene_id].get(name) != facts[name]
        ]
        if wrong:
            raise ValueError(f"{gene_id}: not the same {', '.join(wrong)}")


async def _alone(sandbox: SandboxProcess, genes: Sequence[str]) -> Result:
    """One gene over the slower one of a report and a summary, each asked for by itself."""
    ratios, notes = [], []
    for gene in genes[:ALONE_RUNS]:
        own_seconds, _, _ = await _timed(sandbox, [gene], _own(sandbox))
        rival = ReportRival(sandbox.environment(), batch=1)
        slower = 0.0
        for ask in (rival.reports, rival.summaries):
            await asyncio.sleep(QUIET_SECONDS)
            start = time.perf_counter()
            await ask([gene])
            slower = max(slower, time.perf_counter() - start)
        await rival.aclose()
        ratios.append(own_seconds / slower)
        notes.append((own_seconds, slower))
    own_median, slower_median = (statistics.median(seconds) for seconds in zip(*notes, strict=True))
    note = f"medians of {ALONE_RUNS}: {own_median:.3f} s beside {slower_median:.3f} s"
    promise = "one gene alone: ours over the slower of a report and a summary"
    return at_most(promise, own_median / slower_median, 1.1, "x", note=note)


async def _batch(sandbox: SandboxProcess, genes: Sequence[str]) -> Result:
    """The seconds of a batch as a tool gives it: whole or not at all."""
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()
    async with open_client(EntrezClient, sandbox) as entrez:
        page = await entrez.get_genes_batch([f"NCBIGene:{gene}" for gene in genes], slim=False)
        seconds = time.perf_counter() - start
    failed = [item for item in page.items if getattr(item, "symbol", None) is None]
    note = f"{len(failed)} of {len(genes)} without a record" if failed else ""
    seconds = float("inf") if failed else seconds
    return at_most(f"a batch of {len(genes)} genes: it takes", seconds, Timing().deadline_seconds, "s", note=note)


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
