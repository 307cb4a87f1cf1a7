"""PubMed: reading articles beside its rivals, two processes, memory, long searches, and what an agent pays.

``python -m benchmarks.pubmed [--runs 15] [--json FILE]``. Files like the baseline's are the recorded articles again
and again with new PMIDs. The sandbox of the searches runs in a process of its own, at NCBI's rates. The pipeline's
tokens are those of all arguments and answers of its five steps through an MCP client. Needs the recordings.
"""

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
from benchmarks.on_sandbox import open_transport
from benchmarks.pubmed_parsing import END, PMID, PROLOG, RECORDINGS, parsed, read, recorded_payloads
from benchmarks.report import Result, at_most, run
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
from biofact.transport.timing import Timing

STREAMED_BYTES, FILE_BYTES = 200_000_000, 25_000_000
FILE_RUNS = 12
ARTICLE_COUNT, WORD = 1000, "benchmarked"
SEARCH_RUNS = 5
QUIET_SECONDS = 1.5
PASSED_COUNT = 50
SPEED = 50.0  # of the sandbox where only tokens are counted

GOAL = "What is known of cells and genes in human disease?"
QUERY = "humans[mesh]"  # as an agent would narrow or widen it: that many of the recorded articles match
SCHEMA = {"study_type": "string", "sample_size": "number", "p_value": "number", "outcome": "string"}
CRITERIA = {"weights": {"study_type": 0.4, "sample_size": 0.3, "p_value": 0.3}}


def measure(runs: int = 15) -> list[Result]:
    """Every figure, in one run."""
    results = pubmed_parsing.measure(runs)
    with tempfile.TemporaryDirectory() as folder:
        results += [*_two_processes(Path(folder)), _streaming(Path(folder))]
    return [*results, *asyncio.run(_searches()), *_tokens(), asyncio.run(_pipeline())]


def _run(*words: str) -> str:
    """The output of a process of this module."""
    command = (sys.executable, "-m", "benchmarks.pubmed", *words)
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def _write_articles(path: Path, size: int) -> Path:
    """A file like the baseline's: the recorded articles again and again, with PMIDs from 1."""
    articles = [PMID.split(article, maxsplit=1) for article in recorded_payloads().values()]
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
    files = [_write_articles(folder / f"baseline{number}.xml", FILE_BYTES) for number in (1, 2)]
    spawn_context = multiprocessing.get_context("spawn")
    seconds: dict[int, list[float]] = {1: [], 2: []}
    with ProcessPoolExecutor(1, spawn_context) as one_process, ProcessPoolExecutor(2, spawn_context) as two:
        for _ in range(FILE_RUNS + 1):
            for processes, pool in ((1, one_process), (2, two)):
                start = time.perf_counter()
                list(pool.map(_read_file, files))
                seconds[processes].append(time.perf_counter() - start)
    one_seconds, pair_seconds = (
        min(run_seconds[1:]) for run_seconds in seconds.values()
    )  # the first run starts the processes
    note = (
        f"two files of {FILE_BYTES / 1e6:.0f} MB, best of {FILE_RUNS}: {pair_seconds:.2f} s beside {one_seconds:.2f} s"
    )
    return [Result("two processes, times one", one_seconds / pair_seconds, 1.7, "x", note=note)]


def _streaming(folder: Path) -> Result:
    read_count, megabytes = json.loads(_run("stream", str(_write_articles(folder / "large.xml", STREAMED_BYTES))))
    note = f"peak above the process before it began; {read_count:,} articles"
    return at_most("memory while streaming 200 MB", megabytes, 100, "MB", note=note)


def streamed(path: Path) -> tuple[int, float]:
    """Articles in a file, and by how many MB this process grew while it read them."""
    before = status_bytes("VmRSS")
    article_count = _read_file(path)
    return article_count, (status_bytes("VmHWM") - before) / 1e6


async def _searches() -> list[Result]:
    """A search that finds a thousand, with and without a key."""
    with _sandbox_environment() as environment:
        await _search_seconds(environment, "")  # loads the modules
        return [await _against_budget(environment, key, rate) for key, rate in (("", 3.0), ("benchmark", 10.0))]


@contextmanager
def _sandbox_environment() -> Iterator[dict[str, str]]:
    command = (sys.executable, "-m", "benchmarks.pubmed", "serve")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.terminate()


class MadeDatabase(PubMedDatabase):
    """Has its articles ready: what it takes to write them is NCBI's time, not ours."""

    def __init__(self, corpus: ArticleCorpus) -> None:
        super().__init__(corpus)
        self._ready = {pmid: render.article_xml(article) for pmid, article in corpus.articles.items()}

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        """The XML, record by record."""
        yield from (render.PROLOG, *(self._ready[uid] for uid in uids), render.END)


async def serve() -> None:
    """Serve a thousand articles that a word finds, without their references: some 7 kB each."""
    source_articles = islice(
        cycle(article for article in recorded_articles(RECORDINGS) if article.journal), ARTICLE_COUNT
    )
    made_articles = [
        replace(article, pmid=str(n), title=f"{WORD} {article.title}", references=())
        for n, article in enumerate(source_articles, 1)
    ]
    async with Sandbox(stand_ins=[EutilsStandIn(MadeDatabase(ArticleCorpus(made_articles, MeshTree([]))))]) as sandbox:
        print(json.dumps(sandbox.environment()), flush=True)
        await asyncio.Event().wait()


async def _against_budget(environment: Mapping[str, str], key: str, rate: float) -> Result:
    seconds = min([await _search_seconds(environment, key) for _ in range(SEARCH_RUNS)])
    requests = 1 + -(-ARTICLE_COUNT // ARTICLES.limit)
    floor = requests / rate
    note = f"{seconds:.2f} s, the best of {SEARCH_RUNS}; {requests} requests at {rate:g} a second take {floor:.2f} s"
    promise = f"search and fetch of {ARTICLE_COUNT} articles at {rate:g} a second, of what the budget needs"
    return at_most(promise, seconds / floor, 1.3, "x", note=note)


async def _search_seconds(environment: Mapping[str, str], key: str) -> float:
    """Seconds of one search, by a new client with an empty cache."""
    await asyncio.sleep(QUIET_SECONDS)
    start = time.perf_counter()
    async with open_transport({**environment, "NCBI_API_KEY": key}) as transport:
        articles = await PubMedClient(transport).pubmed_search(f"{WORD}[ti]", ARTICLE_COUNT, slim=True)
        seconds = time.perf_counter() - start
    if (
        articles.total_results != ARTICLE_COUNT
        or not articles.articles
        or any(n.code == "LEG_FAILED" for n in articles.notices)
    ):
        raise ValueError(f"found {articles.total_results} articles; expected all of {ARTICLE_COUNT}")
    return seconds


@functools.cache
def _encoding() -> Any:
    return importlib.import_module("rs_bpe.bpe").openai.o200k_base()  # of the test extra


def tokens(text: str) -> int:
    """How many tokens a text is."""
    return int(_encoding().count(text))


def _tokens() -> list[Result]:
    articles = list(parsed(recorded_payloads()))
    slim = [tokens(article.slim().model_dump_json()) for article in articles]
    with_abstract = [article for article in articles if article.abstract]
    standard = sum(tokens(article.standard().model_dump_json()) for article in with_abstract)
    text = sum(tokens(f"{article.title}\n{article.abstract}") for article in with_abstract)
    note = f"{len(with_abstract)} articles: {standard:,} beside {text:,} tokens"
    mean = sum(slim) / len(slim)
    return [
        at_most("a slim article, mean", mean, 55, "tokens", note=f"of {len(slim)}, most {max(slim)}"),
        at_most("a standard article, of its title and abstract", standard / text, 1.3, "x", note=note),
    ]


async def _pipeline() -> Result:
    """The same five steps: lists go from step to step under their names, or as themselves."""
    async with _asked_by_agent() as agent:
        handles, lists = await agent.by_collections(), await agent.by_lists()
    note = f"five steps over {PASSED_COUNT} articles: {handles:,} beside {lists:,} tokens"
    promise = "the pipeline by collections, of passing articles"
    return at_most(promise, 100 * handles / lists, 5, "%", note=note)


class Agent:
    """Calls tools, and counts the tokens of what it says and hears."""

    def __init__(self, client: Client[Any]) -> None:
        self._client = client
        self._tokens = 0

    async def by_collections(self) -> int:
        """Tokens of the pipeline in which each step names the list of the step before."""
        search_answer = await self._start(slim=True)
        extracted = await self._call(
            "pubmed_extract_features", extraction_schema=SCHEMA, collection=search_answer["collection"], slim=True
        )
        scored_answer = await self._call(
            "pubmed_score_articles", scoring_criteria=CRITERIA, collection=extracted["collection"], slim=True
        )
        await self._call("pubmed_filter_rank", collection=scored_answer["collection"], output_format="summary")
        return self._token_count()

    async def by_lists(self) -> int:
        """Tokens of the pipeline in which the agent passes on what each step answered."""
        search_answer = await self._start(slim=False)
        extracted = await self._call(
            "pubmed_extract_features", extraction_schema=SCHEMA, articles=search_answer["articles"]
        )
        scored_answer = await self._call(
            "pubmed_score_articles", scoring_criteria=CRITERIA, articles_with_features=extracted["extractions"]
        )
        await self._call("pubmed_filter_rank", scored_articles=scored_answer["scored_articles"])
        return self._token_count()

    async def _start(self, *, slim: bool) -> dict[str, Any]:
        await self._call("pubmed_generate_query", research_goal=GOAL)
        search_answer = await self._call("pubmed_search", search_query=QUERY, max_results=PASSED_COUNT, slim=slim)
        if len(search_answer["articles"]) != PASSED_COUNT:
            raise ValueError(f"found {len(search_answer['articles'])} articles; expected {PASSED_COUNT}")
        return search_answer

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self._client.call_tool_mcp(tool, arguments)
        text = "".join(getattr(block, "text", "") for block in answer.content)
        if answer.is_error:
            raise ValueError(f"{tool} answered {text:.400}")
        self._tokens += tokens(json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))
        self._tokens += tokens(text)
        result: dict[str, Any] = json.loads(text)
        return result

    def _token_count(self) -> int:
        tokens, self._tokens = self._tokens, 0
        return tokens


def _recorded_only() -> list[StandIn]:
    """Stand-ins that know the recorded articles with an abstract: those of the starter facts are short."""
    mesh = MeshTree(starter_descriptors())
    corpus = ArticleCorpus(
        [article for article in recorded_articles(RECORDINGS) if article.abstract], mesh, starter_citations()
    )
    databases = (PubMedDatabase(corpus), MeshDatabase(mesh))
    return [*(EutilsStandIn(database) for database in databases), IciteStandIn(corpus, starter_citations())]


@asynccontextmanager
async def _asked_by_agent() -> AsyncIterator[Agent]:
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(stand_ins=_recorded_only(), rate_factor=SPEED * 1.2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            mcp_server = gateway(functools.partial(open_clients, settings, timing=Timing(rate_factor=SPEED)))
            async with Client(mcp_server) as client:
                yield Agent(client)


def main() -> int:
    """Measure, or be one of the processes that are measured."""
    match sys.argv[1:]:
        case ["serve"]:
            asyncio.run(serve())
        case ["stream", path]:
            print(json.dumps(streamed(Path(path))))
        case _:
            return run(measure, __doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
