"""Made input files, and folders of runs over them."""

import asyncio
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.planning import plan
from biofact.corpus.records import CorpusPlan, Settings
from biofact.corpus.runs import Ends, ProcessEngine, RunEnd, run
from biofact.corpus.shards import run_shard

WORDS = ("zinc", "vitamin D", "aspirin", "coffee", "yoga", "iron", "melatonin", "statins")
ENDS = ("mortality", "fractures", "colds", "pain", "sleep", "falls")


def article(pmid: int) -> dict[str, Any]:
    """An article in the words of trials; the same number makes the same article."""
    rng = random.Random(pmid)
    word, end, patients = rng.choice(WORDS), rng.choice(ENDS), rng.randint(20, 2000)
    abstract = (
        f"We randomly assigned {patients} adults to {word} (n = {patients // 2}) or placebo. {end.capitalize()} at"
        f" {rng.randint(2, 48)} months was less frequent with {word} (hazard ratio, 0.{rng.randint(40, 99)}; 95% CI,"
        f" 0.{rng.randint(20, 39)} to 1.{rng.randint(10, 40)}; P = 0.0{rng.randint(1, 9)})."
    )
    return {"pmid": pmid, "title": f"{word.capitalize()} for {end}: a randomised trial", "abstract": abstract}


def lines(path: Path, pmids: range) -> Path:
    """A file with an article a line."""
    path.write_text("".join(json.dumps(article(pmid)) + "\n" for pmid in pmids), "utf-8")
    return path


def record(pmid: str, title: str, abstract: str = "A text.") -> str:
    """An article in PubMed's XML, with the given text in it unchanged."""
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID><Article><Journal><Title>J</Title></Journal>'
        f"<ArticleTitle>{title}</ArticleTitle><Abstract><AbstractText>{abstract}</AbstractText></Abstract></Article>"
        "</MedlineCitation></PubmedArticle>\n"
    )


def pubmed(path: Path, records: str, prolog: str = '<?xml version="1.0" encoding="utf-8"?>\n') -> Path:
    """A compressed file of PubMed with these records."""
    text = f"{prolog}<PubmedArticleSet>\n{records}</PubmedArticleSet>\n"
    path.write_bytes(gzip.compress(text.encode(), 1, mtime=0))
    return path


def make_plan(folder: Path, *inputs: Path, shard_size: int = 40, parts: int = 3, **options: Any) -> CorpusPlan:
    """A folder with a plan."""
    arguments = {"shard_size": shard_size, "parts": parts, **options}
    return asyncio.run(plan(folder, inputs, Settings(), **arguments))[0]


@contextmanager
def of_version(version: str) -> Iterator[None]:
    """Pretend that this code is another version."""
    with patch("biofact.corpus.planning.VERSION", version), patch("biofact.corpus.folder.VERSION", version):
        yield


class InThisProcess:
    """An engine that starts no process."""

    workers = 1

    async def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        for number in numbers:
            yield run_shard(folder, number)


def done(folder: Path, jobs: int = 0, part: int | None = None) -> RunEnd:
    """The end of a run in ``jobs`` processes, or in this one if that is 0."""
    return asyncio.run(run(folder, ProcessEngine(jobs) if jobs else InThisProcess(), part=part))


def contents_of(folder: Path) -> dict[str, bytes]:
    """The files in the folder of shards, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / "shards").iterdir())}


def stamps(folder: Path, plan: CorpusPlan) -> dict[int, tuple[int, int]]:
    """The time and inode of the file of each finished shard."""
    place = CorpusFolder(folder)
    done_files = {
        shard.number: place.done_file(shard.number) for shard in plan.shards if place.done(shard.number, plan.key)
    }
    return {number: (path.stat().st_mtime_ns, path.stat().st_ino) for number, path in done_files.items()}
