"""The memory that a batch of 200 whole genes takes at real sizes: in XML a median of 1.3 MB each, at most 10.

``python -m benchmarks.memory [--json FILE]``. Sandbox and client run in a process of their own each; the client reads
its own peak (``VmHWM``) when it has the genes, above what it held (``VmRSS``) after one gene. The figure of
``getrusage`` would include the peak of the process that started it, too. Then 42 answers of 60 MiB at once, as from a
broken service, in a process with 1 GiB.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

from benchmarks.report import Result, at_most, run
from biofact import IGVFClient
from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.entrez import render
from biofact.sandbox.services.entrez.corpus import GeneCorpus, starter_genes
from biofact.sandbox.services.entrez.datasets import DatasetsStandIn
from biofact.sandbox.services.entrez.standin import GeneDatabase
from biofact.sources.entrez.client import EntrezClient
from biofact.transport.ask import in_flight
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

GENES = 200
LARGE_ANSWERS, LARGE_BYTES = 42, 60 * (1 << 20)
MIB = 1 << 20
FACTOR = 100.0  # the rate is not what is measured here


def measure() -> list[Result]:
    """The figures, from clients in processes of their own."""
    return [_of_a_batch(), _of_large_answers()]


def _peak(serve: str, ask: str) -> tuple[int, int]:
    """The bytes of a client before it asks a server, and at its peak."""
    with subprocess.Popen(_command(serve), stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        environment = server.stdout.readline()
        try:
            answer = subprocess.run(_command(ask, environment), stdout=subprocess.PIPE, text=True, check=True).stdout
        finally:
            server.terminate()
    before, peak = json.loads(answer)
    return before, peak


def _of_large_answers() -> Result:
    before, peak = _peak("serve-large", "ask-large")
    note = (
        f"{LARGE_ANSWERS * LARGE_BYTES / 1e9:.1f} GB sent; {before / MIB:.0f} MiB before, {peak / MIB:.0f} at the peak"
    )
    promise = f"{LARGE_ANSWERS} answers of {LARGE_BYTES // MIB} MiB at once in a process with 1 GiB, peak"
    return at_most(promise, peak / MIB, 1024, "MiB", note=note)


def _of_a_batch() -> Result:
    before, peak = _peak("serve", "ask")
    received = sum(render.GENE_PADDING.size.of(str(number)) for number in range(1, GENES + 1))
    note = f"{received / 1e6:.0f} MB as XML; {before / MIB:.0f} MiB after one gene, {peak / MIB:.0f} at the peak"
    promise = f"a whole batch of {GENES} genes, peak above idle (real sizes)"
    return at_most(promise, (peak - before) / MIB, 40, "MiB", note=note)


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.memory", *words]


async def _serve() -> None:
    model = next(gene for gene in starter_genes() if gene.gene_id == "7157")
    genes = [replace(model, gene_id=str(number)) for number in range(1, GENES + 2)]
    corpus = GeneCorpus(genes)
    stand_ins = (EutilsStandIn(GeneDatabase(corpus)), DatasetsStandIn(corpus))
    async with Sandbox(stand_ins=stand_ins, rate_factor=FACTOR * 1.2, sizes="real") as sandbox:
        print(json.dumps(sandbox.environment()), flush=True)
        await asyncio.Event().wait()


async def _ask(environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings({**environment, "BIOFACT_CACHE_DIR": folder})
        transport = Transport(settings, timing=Timing(rate_factor=FACTOR))
        entrez = EntrezClient(transport)
        await entrez.get_gene(f"NCBIGene:{GENES + 1}")
        before = status_bytes("VmRSS")
        page = await entrez.get_genes_batch([f"NCBIGene:{n}" for n in range(1, GENES + 1)], slim=False)
        peak = status_bytes("VmHWM")
        await transport.aclose()
    if [item.id for item in page.items] != [f"NCBIGene:{n}" for n in range(1, GENES + 1)]:  # type: ignore[union-attr]
        raise ValueError("not the genes that were asked for")
    print(json.dumps([before, peak]))


async def _serve_large() -> None:
    body = b'[{"_id": "%s"}]' % (b"x" * LARGE_BYTES)
    async with Sandbox(rate_factor=FACTOR * 1.2) as sandbox:
        sandbox.faults.set(Fault("body", service="igvf", body=body, times=None))
        print(json.dumps(sandbox.environment()), flush=True)
        await asyncio.Event().wait()


async def _ask_large(environment: dict[str, str]) -> None:
    in_flight.use_memory(1 << 30)  # as much as the shipped unit allows
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(Settings({**environment, "BIOFACT_CACHE_DIR": folder}), timing=Timing(rate_factor=FACTOR))
        igvf = IGVFClient(transport)
        before = status_bytes("VmRSS")
        codes = await asyncio.gather(*(_code(igvf.get_entity(f"ENSG{n:011}")) for n in range(LARGE_ANSWERS)))
        peak = status_bytes("VmHWM")
        await transport.aclose()
    if {*codes} - {"UPSTREAM_ERROR", "RATE_LIMITED"}:
        raise ValueError(f"calls ended in {codes}")
    print(json.dumps([before, peak]))


async def _code(call: Awaitable[object]) -> str:
    """The outcome of a call, without the error, whose traceback would hold the answer."""
    try:
        await call
    except BiofactError as error:
        return error.code
    return "found"


def status_bytes(name: str, process: str = "self") -> int:
    """A size of a process, as the kernel counts it for that process alone."""
    line = next(
        line
        for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
        if line.startswith(f"{name}:")
    )
    return int(line.split()[1]) << 10


def main() -> int:
    """Measure, or be one of the two processes that are measured."""
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(_serve())
        case ["ask", environment]:
            asyncio.run(_ask(json.loads(environment)))
        case ["serve-large"]:
            asyncio.run(_serve_large())
        case ["ask-large", environment]:
            asyncio.run(_ask_large(json.loads(environment)))
        case _:
            return run(measure, __doc__)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
