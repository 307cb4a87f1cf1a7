"""From the body that NCBI sends to a gene: our reader beside the walk that spec 000 prints, in turns on one body.

    python -m benchmarks.parse [--runs 40] [--json FILE]

The body is a recorded one of 1.15 MB, or a made-up one of that size where there are no recordings.
The memory is that of an answer of 200 such genes, taken in chunks as the network gives them.
"""

import gzip
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.report import Result, at_most, run
from benchmarks.rival import walk
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import starter_genes
from biofact.sandbox.sizes import RecordSize
from biofact.sources.entrez import parse
from biofact.sources.entrez.parse.trim import GeneSplitter
from biofact.sources.entrez.records import EntrezGene

FOLDER = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
RECORDED_GENES = FOLDER / "entrez" / "efetch_gene_test_entrezgeneset_0.xml.gz"
RECORD_BYTES = 1_150_000
GENES = 200
CHUNK_BYTES = 64 << 10


def measure(runs: int = 40) -> list[Result]:
    """Ratio of the two medians, and the peak of memory."""
    body = gzip.decompress(RECORDED_GENES.read_bytes()) if RECORDED_GENES.is_file() else made_up_body()
    assert read(body).symbol == walk(body)["symbol"]
    rival, own_seconds = medians(runs, lambda: walk(body), lambda: read(body))
    note = f"medians of {runs}: {own_seconds * 1000:.2f} ms beside {rival * 1000:.1f} ms"
    megabytes = peak_bytes() / 1e6
    return [
        Result("whole-record parse, times the spec's walk", rival / own_seconds, 15, "x", note=note),
        at_most(f"memory of a {GENES}-gene answer", megabytes, 80, "MB", note="trimmed records held"),
    ]


def read(body: bytes) -> EntrezGene:
    """The gene in an answer of one, by the way that it takes in the client."""
    splitter = GeneSplitter()
    ((_, record),) = splitter.feed(body)
    splitter.close()
    return parse.gene(record).gene.selected()


def medians(runs: int, *readers: Callable[[], object]) -> list[float]:
    """Median seconds of processor time of each reader, called in turns; the first call of each is not counted."""
    times: list[list[float]] = [[] for _ in readers]
    for _ in range(runs + 1):
        for reader, seconds in zip(readers, times, strict=True):
            start = time.process_time()
            reader()
            seconds.append(time.process_time() - start)
    return [statistics.median(seconds[1:]) for seconds in times]


def peak_bytes() -> int:
    """The most memory that a long answer takes while it is split, with the records that come out of it."""
    record = _large_record()
    splitter = GeneSplitter()
    splitter.feed(render.PROLOG)
    records: list[tuple[str, bytes]] = []
    tracemalloc.start()
    for _ in range(GENES):
        for offset in range(0, len(record), CHUNK_BYTES):
            records += splitter.feed(record[offset : offset + CHUNK_BYTES])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(records) == GENES
    return peak


def _large_record() -> bytes:
    """A made-up record as long as the recorded one."""
    padding = replace(render.GENE_PADDING, size=RecordSize(RECORD_BYTES, RECORD_BYTES, "the recorded one"))
    return b"".join(padding.pieces(render.gene_xml(starter_genes()[0])))


def made_up_body() -> bytes:
    """An answer as long as the recorded one."""
    return render.PROLOG + _large_record() + render.END


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
