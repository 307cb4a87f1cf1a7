"""The work that ``benchmarks.revisions`` times: public names alone, so that earlier revisions can do it, too.

``python -P benchmarks/revision_work.py SRC`` prints the processor seconds of each kind of work as JSON. It is run as a
file, with ``SRC`` first on the path, and imports nothing of the benchmarks.
"""

import asyncio
import itertools
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

import biofact
from biofact.sandbox import Sandbox

BIOFACT = (sys.executable, "-m", "biofact")
GENES = [f"NCBIGene:{number}" for number in (7157, 672, 675, 1956, 2064, 3845, 7422)]
COMPOUNDS = [f"CHEMBL:{number}" for number in (25, 941, 112, 113)]
WORDS = ("p53", "BRCA1", "insulin", "kinase", "tumor protein", "HER2")
NAMES = ("TP53", "BRCA1", "p53", "HER2", "aspirin", "imatinib", "insulin", "KRAS", "Her-2", "no such name")
LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
HTTP_CALLS = 400

seconds: dict[str, float] = {}


@contextmanager
def timed(kind: str) -> Iterator[None]:
    """Add the processor time of this process to a kind of work."""
    start = time.process_time()
    yield
    seconds[kind] = seconds.get(kind, 0.0) + time.process_time() - start


def main() -> None:
    """Do all work, and print what it took."""
    source_folder = Path(sys.argv[1]).resolve()
    assert source_folder in Path(biofact.__file__).resolve().parents, "another biofact was imported"
    for _ in range(3):
        _time_command("import", sys.executable, "-c", "from biofact import EntrezClient")
        _time_command("--version", *BIOFACT, "--version")
        _time_command("find", *BIOFACT, "find", "which drugs hit EGFR")
    asyncio.run(_time_calls())
    _time_http()
    _time_command("a corpus", *BIOFACT, "corpus", "plan", "run", "--sandbox")
    _time_command("a corpus", *BIOFACT, "corpus", "run", "run")
    print(json.dumps(seconds))


def _time_command(kind: str, *command: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds[kind] = seconds.get(kind, 0.0) + used


async def _time_calls() -> None:
    async with Sandbox() as sandbox, biofact.open({"BIOFACT_EMAIL": "bench@example.org"}, sandbox=sandbox) as clients:
        await _time_lookups(clients)
        await _time_searches(clients)
        await _time_extraction(clients)


async def _time_lookups(clients: Any) -> None:
    await clients.entrez.get_gene("NCBIGene:5594")  # imports what a lookup needs
    with timed("cold lookups"):
        await asyncio.gather(*map(clients.entrez.get_gene, GENES))
        await asyncio.gather(*map(clients.chembl.get_compound, COMPOUNDS))
        await asyncio.gather(*map(clients.ensembl.get_gene, ("ENSG00000141510", "ENSG00000012048")))
    with timed("kept lookups"):
        for gene in GENES * 100:
            await clients.entrez.get_gene(gene)
    with timed("resolve"):
        await clients.identity.resolve(list(NAMES))


async def _time_searches(clients: Any) -> None:
    searches = (clients.entrez.search_genes, clients.ensembl.search_genes, clients.chembl.search_compounds)
    calls = list(itertools.product(searches, WORDS))
    with timed("searches"):
        for search, words in calls:
            await search(words)
    with timed("kept searches"):
        for search, words in calls * 10:
            await search(words)
    await clients.igvf.get_entity("BRCA1")
    with timed("associations"):
        await clients.igvf.find_associations("lupus", "genetic")
        await clients.igvf.find_associations("ENSP00000264010", "structure")
        await clients.igvf.find_associations("BRCA1", "regulatory", filters={"method": "eQTL"})


async def _time_extraction(clients: Any) -> None:
    schema = {"sample_size": "integer", "p_value": "number", "study_design": "string", "effect_size": "number"}
    articles = await clients.pubmed.pubmed_search("asthma", max_results=20)
    with timed("extraction"):
        for _ in range(10):
            rows = await clients.literature.pubmed_extract_features(
                collection=articles.collection, extraction_schema=schema
            )
    assert rows.extractions


def _time_http() -> None:
    with _served() as server, httpx2.Client(timeout=60) as client:
        assert server.stderr is not None
        url = next(match[1] for line in server.stderr if (match := LISTENING_LINE.search(line)))
        _call(client, url)
        start = _processor_seconds(server.pid)
        for _ in range(HTTP_CALLS):
            _call(client, url)
        seconds["http"] = _processor_seconds(server.pid) - start


@contextmanager
def _served() -> Iterator[subprocess.Popen[str]]:
    command = (*BIOFACT, "serve", "--sandbox", "--http", "127.0.0.1:0")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.terminate()


def _call(client: httpx2.Client, url: str) -> None:
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    call = {"name": "entrez_get_gene", "arguments": {"entrez_id": "NCBIGene:672"}, "_meta": meta}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": "entrez_get_gene",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    answer = client.post(url, json=body, headers=headers)
    assert "BRCA1" in answer.text, answer.text


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
