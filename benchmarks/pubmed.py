"""PubMed: reading articles beside its rivals, two processes, memory, long searches, and what an agent pays.

``python -m benchmarks.pubmed [--runs 15] [--json FILE]``. Files like the baseline's are the recorded articles again
and again with new PMIDs. The sandbox of the searches runs in a process of its own, at NCBI's rates. The pipeline's
tokens are those of all arguments and answers of its five steps through an MCP client. Needs the recordings.
"""

import argparse
import asyncio
import functools
import importlib
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from fastmcp import Client

from benchmarks import pubmed_parsing
from benchmarks.memory import status_bytes
from benchmarks.pubmed_parsing import END, PMID, PROLOG, RECORDINGS, parsed, read, recorded
from benchmarks.report import Result, write_report
from biofact.core.settings import Settings
from biofact.interfaces.clients import open_clients
from biofact.interfaces.mcp.server import gateway
from biofact.sandbox import Sandbox
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed import render
from biofact.sandbox.services.pubmed.corpus import (
    ArticleCorpus,
    recorded_articles,
    starter_citations,
    starter_descriptors,
)
from biofact.sandbox.services.pubmed.mesh import MeshDatabase, MeshTree
from biofact.sandbox.services.pubmed.standin import IciteStandIn, PubMedDatabase
from biofact.sandbox.standin import StandIn
from biofact.sources.pubmed.client import PubMedClient
from biofact.sources.pubmed.questions import ARTICLES
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

STREAMED_BYTES, FILE_BYTES = 200_000_000, 25_000_000
FILE_RUNS = 12
SEARCHED, WORD = 1000, "benchmarked"
SEARCH_RUNS = 5
QUIET_SECONDS = 1.5
PASSED = 50
SPEED = 50.0  # of the sandbox where only tokens are counted

GOAL = "What is known of cells and genes in human disease?"
QUERY = "humans[mesh]"  # as an agent would narrow or widen it: that many of the recorded articles match
SCHEMA = {"study_type": "string", "sample_size": "number", "p_value": "number", "outcome": "string"}
CRITERIA = {"weights": {"study_type": 0.4, "sample_size": 0.3, "p_value": 0.3}}


def measured(runs: int = 15) -> list[Result]:
    """Every figure, in one run."""
    results = pubmed_parsing.measured(runs)
    with tempfile.TemporaryDirectory() as folder:
        results += [*_two_processes(Path(folder)), _streaming(Path(folder))]
    return [*results, *asyncio.run(_searches()), *_tokens(), asyncio.run(_pipeline())]


def _run(*words: str) -> str:
    """What a process of this module prints."""
    command = (sys.executable, "-m", "benchmarks.pubmed", *words)
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def _written(path: Path, size: int) -> Path:
    """A file like the baseline's: the recorded articles again and again, with PMIDs from 1."""
    articles = [PMID.split(article, maxsplit=1) for article in recorded().values()]
    with path.open("wb") as file:
        file.write(PROLOG)
        for pmid, (before, tag, _, after) in zip(count(1), cycle(articles), strict=False):
            file.write(b"%b%b%d%b\n" % (before, tag, pmid, after))
            if file.tell() >= size:
                break
        file.write(END)
    return path


def _read_file(path: Path) -> int:
    with path.open("rb") as stream:
        return read(stream)


def _two_processes(folder: Path) -> list[Result]:
    files = [_written(folder / f"baseline{number}.xml", FILE_BYTES) for number in (1, 2)]
    spawned = multiprocessing.get_context("spawn")
    seconds: dict[int, list[float]] = {1: [], 2: []}
    with ProcessPoolExecutor(1, spawned) as one, ProcessPoolExecutor(2, spawned) as two:
        for _ in range(FILE_RUNS + 1):
            for processes, pool in ((1, one), (2, two)):
                start = time.perf_counter()
                list(pool.map(_read_file, files))
                seconds[processes].append(time.perf_counter() - start)
    alone, both = (min(several[1:]) for several in seconds.values())  # the first run starts the processes
    note = f"two files of {FILE_BYTES / 1e6:.0f} MB, best of {FILE_RUNS}: {both:.2f} s beside {alone:.2f} s"
    return [Result("two processes, times one", alone / both, 1.7, "x", note=note)]


def _streaming(folder: Path) -> Result:
    read, megabytes = json.loads(_run("stream", str(_written(folder / "large.xml", STREAMED_BYTES))))
    note = f"peak above the process before it began; {read:,} articles"
    return Result("memory while streaming 200 MB", megabytes, 100, "MB", is_at_most=True, note=note)


def streamed(path: Path) -> tuple[int, float]:
    """Articles in a file, and by how many MB this process grew while it read them."""
    before = status_bytes("VmRSS")
    read = _read_file(path)
    return read, (status_bytes("VmHWM") - before) / 1e6


async def _searches() -> list[Result]:
    """A search that finds a thousand, with and without a key."""
    with _served() as environment:
        await _searched(environment, "")  # loads the modules
        return [await _against_budget(environment, key, rate) for key, rate in (("", 3.0), ("benchmark", 10.0))]


@contextmanager
def _served() -> Iterator[dict[str, str]]:
    command = (sys.executable, "-m", "benchmarks.pubmed", "serve")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        try:
            yield json.loads(serving.stdout.readline())
        finally:
            serving.terminate()


class Written(PubMedDatabase):
    """Has its articles ready: what it takes to write them is NCBI's time, not ours."""

    def __init__(self, corpus: ArticleCorpus) -> None:
        super().__init__(corpus)
        self._ready = {pmid: render.article_xml(article) for pmid, article in corpus.articles.items()}

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        """The XML, record by record."""
        yield from (render.PROLOG, *(self._ready[uid] for uid in uids), render.END)


async def serve() -> None:
    """Serve a thousand articles that a word finds, without their references: some 7 kB each."""
    several = islice(cycle(one for one in recorded_articles(RECORDINGS) if one.journal), SEARCHED)
    made = [replace(one, pmid=str(n), title=f"{WORD} {one.title}", references=()) for n, one in enumerate(several, 1)]
    async with Sandbox(stand_ins=[EutilsStandIn(Written(ArticleCorpus(made, MeshTree([]))))]) as sandbox:
        print(json.dumps(sandbox.environment()), flush=True)
        await asyncio.Event().wait()


async def _against_budget(environment: Mapping[str, str], key: str, rate: float) -> Result:
    seconds = min([await _searched(environment, key) for _ in range(SEARCH_RUNS)])
    requests = 1 + -(-SEARCHED // ARTICLES.limit)
    least = requests / rate
    note = f"{seconds:.2f} s, the best of {SEARCH_RUNS}; {requests} requests at {rate:g} a second take {least:.2f} s"
    promise = f"search and fetch of {SEARCHED} articles at {rate:g} a second, of what the budget needs"
    return Result(promise, seconds / least, 1.3, "x", is_at_most=True, note=note)


async def _searched(environment: Mapping[str, str], key: str) -> float:
    """Seconds of one search, by a new client with an empty cache."""
    await asyncio.sleep(QUIET_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        transport = Transport(Settings({**environment, "NCBI_API_KEY": key, "BIOFACT_CACHE_DIR": folder}))
        found = await PubMedClient(transport).pubmed_search(f"{WORD}[ti]", SEARCHED, slim=True)
        seconds = time.perf_counter() - start
        await transport.aclose()
    if found.total_results != SEARCHED or not found.articles or any(n.code == "LEG_FAILED" for n in found.notices):
        raise ValueError(f"found {found.total_results} articles; expected all of {SEARCHED}")
    return seconds


@functools.cache
def _encoding() -> Any:
    return importlib.import_module("rs_bpe.bpe").openai.o200k_base()  # of the test extra


def tokens(text: str) -> int:
    """How many tokens a text is."""
    return int(_encoding().count(text))


def _tokens() -> list[Result]:
    articles = list(parsed(recorded()))
    slim = [tokens(one.slim().model_dump_json()) for one in articles]
    with_abstract = [one for one in articles if one.abstract]
    standard = sum(tokens(one.standard().model_dump_json()) for one in with_abstract)
    text = sum(tokens(f"{one.title}\n{one.abstract}") for one in with_abstract)
    note = f"{len(with_abstract)} articles: {standard:,} beside {text:,} tokens"
    mean = sum(slim) / len(slim)
    return [
        Result("a slim article, mean", mean, 55, "tokens", is_at_most=True, note=f"of {len(slim)}, most {max(slim)}"),
        Result("a standard article, of its title and abstract", standard / text, 1.3, "x", is_at_most=True, note=note),
    ]


async def _pipeline() -> Result:
    """The same five steps: lists go from step to step under their names, or as themselves."""
    async with _asked_by_agent() as agent:
        handles, lists = await agent.by_collections(), await agent.by_lists()
    note = f"five steps over {PASSED} articles: {handles:,} beside {lists:,} tokens"
    promise = "the pipeline by collections, of passing articles"
    return Result(promise, 100 * handles / lists, 5, "%", is_at_most=True, note=note)


class Agent:
    """Calls tools, and counts the tokens of what it says and hears."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client
        self._tokens = 0

    async def by_collections(self) -> int:
        """Tokens of the pipeline in which each step names the list of the step before."""
        found = await self._began(slim=True)
        extracted = await self._call(
            "pubmed_extract_features", extraction_schema=SCHEMA, collection=found["collection"], slim=True
        )
        scored = await self._call(
            "pubmed_score_articles", scoring_criteria=CRITERIA, collection=extracted["collection"], slim=True
        )
        await self._call("pubmed_filter_rank", collection=scored["collection"], output_format="summary")
        return self._counted()

    async def by_lists(self) -> int:
        """Tokens of the pipeline in which the agent passes on what each step answered."""
        found = await self._began(slim=False)
        extracted = await self._call("pubmed_extract_features", extraction_schema=SCHEMA, articles=found["articles"])
        scored = await self._call(
            "pubmed_score_articles", scoring_criteria=CRITERIA, articles_with_features=extracted["extractions"]
        )
        await self._call("pubmed_filter_rank", scored_articles=scored["scored_articles"])
        return self._counted()

    async def _began(self, *, slim: bool) -> dict[str, Any]:
        await self._call("pubmed_generate_query", research_goal=GOAL)
        found = await self._call("pubmed_search", search_query=QUERY, max_results=PASSED, slim=slim)
        if len(found["articles"]) != PASSED:
            raise ValueError(f"found {len(found['articles'])} articles; expected {PASSED}")
        return found

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._client.call_tool_mcp(tool, arguments)
        text = "".join(getattr(block, "text", "") for block in answer.content)
        if answer.is_error:
            raise ValueError(f"{tool} answered {text:.400}")
        self._tokens += tokens(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
        self._tokens += tokens(text)
        result: dict[str, Any] = json.loads(text)
        return result

    def _counted(self) -> int:
        tokens, self._tokens = self._tokens, 0
        return tokens


def _recorded_only() -> list[StandIn]:
    """Stand-ins that know the recorded articles with an abstract: those of the starter facts are short."""
    mesh = MeshTree(starter_descriptors())
    corpus = ArticleCorpus([one for one in recorded_articles(RECORDINGS) if one.abstract], mesh, starter_citations())
    databases = (PubMedDatabase(corpus), MeshDatabase(mesh))
    return [*(EutilsStandIn(one) for one in databases), IciteStandIn(corpus, starter_citations())]


@asynccontextmanager
async def _asked_by_agent() -> AsyncIterator[Agent]:
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(stand_ins=_recorded_only(), rate_factor=SPEED * 1.2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            made = gateway(functools.partial(open_clients, settings, timing=Timing(rate_factor=SPEED)))
            async with Client(made) as client:
                yield Agent(client)


def main() -> int:
    """Measure, or be one of the processes that are measured."""
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(serve())
        case ["stream", path]:
            print(json.dumps(streamed(Path(path))))
        case arguments:
            parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
            parser.add_argument("--runs", type=int, default=15)
            parser.add_argument("--json", type=Path)
            options = parser.parse_args(arguments)
            return write_report(measured(options.runs), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
