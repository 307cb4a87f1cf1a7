"""How long the rules read an abstract, field by field, and how much faster two processes are than one.

    python -m benchmarks.extraction_speed [--profile [LINES]] [--json FILE]

The abstracts are the recorded ones and, where they are there, the labelled ones of ``../shared/gold``. Times are those
of the processor; what all fields share, sentences and words, has a row of its own. Processes are compared over the
same articles, in turns, the best of each: by the clock, which wants a machine that is idle, and by the work of all of
them together, which is what they would gain on one.
"""

import argparse
import asyncio
import cProfile
import gc
import json
import os
import pstats
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks import pubmed_parsing
from benchmarks.labelled_corpora import CORPORA, GOLD
from benchmarks.report import Result, at_most, write_report
from biofact.literature.extraction.fields import FIELDS, sample_size
from biofact.literature.extraction.fields.labelling.chain import read_chain
from biofact.literature.extraction.fields.labelling.weights import read_weights
from biofact.literature.extraction.rule_reading import ARTICLES_A_CALL, RuleReader, RuleReaderPool
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.extraction.text.document import Document
from biofact.literature.review.plan import SCHEMA
from biofact.sources.pubmed import parse
from biofact.sources.pubmed.records import CanonicalPubMedArticle

GOLD_SCHEMA: Mapping[str, Any] = {
    **{name: SCHEMA[name] for name in ("study_type", "sample_size", "population", "intervention", "comparator")},
    **{name: SCHEMA[name] for name in ("outcome", "p_value", "effect_size")},
}
"""The schema of the scorer beside the labelled abstracts."""
PHRASES = ("population", "intervention", "comparator", "outcome")
SAMPLE = 400
"""Articles, about, for one process."""
ARTICLE_COUNT = 1000
"""Articles for processes."""
RUNS = 3
MADE_ARTICLES = [
    CanonicalPubMedArticle(id="PMID:1", title="Zinc for colds", abstract="We treated 20 adults with zinc. " * 20)
]
"""Long enough that all tables of weights are read with the start."""


def main() -> int:
    """Print the table; the exit status says whether every promise is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", type=int, nargs="?", const=30, metavar="LINES", help="where the time goes instead")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    if options.profile:
        print_profile(options.profile)
        return 0
    articles = abstracts()
    print_fields(articles[:: max(1, len(articles) // SAMPLE)])
    return write_report(measure(articles), options.json)


def measure(articles: Sequence[CanonicalPubMedArticle] | None = None) -> list[Result]:
    """Milliseconds an abstract, the strings that are weighed, and what a second core gains."""
    articles = articles or abstracts()
    sample = articles[:: max(1, len(articles) // SAMPLE)]
    rest = {name: kind for name, kind in SCHEMA.items() if name not in PHRASES}
    note = f"processor time, {len(sample)} abstracts"
    results = [
        at_most(f"rules, {name}", milliseconds(sample, schema), bar, "ms", note=note)
        for name, schema, bar in (
            ("the review's fields", SCHEMA, 4),
            ("the labelled fields", GOLD_SCHEMA, 4),
            ("the review's fields but four of words", rest, 2),
        )
    ]
    return [*results, signs_of_numbers(sample), loading(), *processes(articles)]


def abstracts() -> list[CanonicalPubMedArticle]:
    """The articles that have one."""
    recorded_articles = map(parse.article, pubmed_parsing.recorded_payloads().values())
    articles_by_id = {article.id: article for article in recorded_articles if article.abstract}
    for path in (GOLD / f"{name}.jsonl" for name in CORPORA):
        rows = map(json.loads, path.read_text().splitlines() if path.exists() else ())
        articles_by_id |= {row["id"]: labelled_article(row) for row in rows if row.get("abstract")}
    return list(articles_by_id.values())


def labelled_article(row: Mapping[str, Any]) -> CanonicalPubMedArticle:
    """The article of a labelled row."""
    return CanonicalPubMedArticle(id=row["id"], title=row["title"], abstract=row["abstract"])


def milliseconds(articles: Sequence[CanonicalPubMedArticle], schema: Mapping[str, Any]) -> float:
    """Processor time an article, the least of some runs."""
    reader = RuleReader(ExtractionSchema.read(schema))

    def read_all() -> None:
        for article in articles:
            reader.read(article)

    return 1000 * min(seconds(read_all) for _ in range(RUNS)) / len(articles)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of some work in this process."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def by_field(articles: Sequence[CanonicalPubMedArticle]) -> dict[str, float]:
    """Seconds of each field of the review, in its order: what an earlier one found out is not found out again."""
    total: defaultdict[str, float] = defaultdict(float)
    for article in articles:
        document = Document(article)
        total["sentences and words"] += seconds_once(lambda: [sentence.words for sentence in document.all_sentences])  # noqa: B023
        for name in FIELDS:
            if name in SCHEMA:
                total[name] += seconds_once(lambda: document.cached(FIELDS[name].find))  # noqa: B023  # called at once
    return total


def seconds_once(work: Callable[[], object]) -> float:
    """Processor time of work that is done once."""
    start = time.process_time()
    work()
    return time.process_time() - start


def signs_of_numbers(articles: Sequence[CanonicalPubMedArticle]) -> Result:
    """How many strings the choice of a sample size makes."""
    string_count = distinct = 0
    for article in articles:
        signs = sample_size.number_candidates(Document(article)).signs
        string_count += sum(map(len, signs))
        distinct += len(set().union(*signs))
    note = f"{distinct / len(articles):.0f} of them distinct"
    return at_most("rules, strings weighed for a sample size", string_count / len(articles), 600, "", note=note)


def loading() -> Result:
    """How long the table of weights takes to read."""
    best = min(seconds(lambda: read_weights.__wrapped__("sample_size")) for _ in range(RUNS))
    return at_most("rules, weights of numbers read", 1000 * best, 10, "ms")


def processes(articles: Sequence[CanonicalPubMedArticle]) -> list[Result]:
    """Two processes beside one over the same articles, without and with their start."""
    copies = [
        article.model_copy(update={"id": f"{article.id}-{place}"})
        for place, article in enumerate(islice(cycle(articles), ARTICLE_COUNT))
    ]
    runs: defaultdict[tuple[int, int], list[Run]] = defaultdict(list)
    for _ in range(RUNS):
        for cores, batch in ((1, []), (1, copies), (2, []), (2, copies)):
            runs[cores, len(batch)].append(in_processes(batch, cores))
    single_runs, two = runs[1, ARTICLE_COUNT], runs[2, ARTICLE_COUNT]
    alone_start, start = (min(run.total for run in runs[cores, 0]) for cores in (1, 2))
    single_total, shared = min(run.total for run in single_runs) - alone_start, min(run.total for run in two) - start
    best_clock, single_clock = min(run.clock for run in two), min(run.clock for run in single_runs)
    clocks = f"{best_clock:.1f} s beside {single_clock:.1f} s"
    note = f"{ARTICLE_COUNT} articles in {clocks}, without the start of {runs[2, 0][0].start:.1f} s"
    work = f"{shared:.1f} s of processor time beside {single_total:.1f} s, without the start of {start:.1f} s"
    return [
        Result("rules, two processes beside one, by the clock", single_clock / best_clock, 1.8, "x", note=note),
        Result("rules, two processes beside one, by their work", 2 * single_total / shared, 1.8, "x", note=work),
    ]


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds that it took to read some articles."""

    start: float
    """By the clock, until every process has read something."""
    clock: float
    """From then on, until all was read."""
    total: float
    """Processor time of all processes together, with their start."""


def in_processes(articles: Sequence[CanonicalPubMedArticle], cores: int) -> Run:
    """One run; of no articles, what the start alone takes."""
    read_chain.cache_clear()  # the words of earlier runs would be known to this process only
    first = MADE_ARTICLES * ARTICLES_A_CALL * cores
    before = sum(os.times()[:4])

    async def clock() -> tuple[float, float]:
        async with RuleReaderPool(ExtractionSchema.read(SCHEMA), ARTICLE_COUNT, cores=cores) as pool:
            start = time.perf_counter()
            await pool.read(first)
            begin = time.perf_counter()
            await pool.read(articles)
            return begin - start, time.perf_counter() - begin

    return Run(*asyncio.run(clock()), sum(os.times()[:4]) - before)


def print_fields(articles: Sequence[CanonicalPubMedArticle]) -> None:
    """Print milliseconds by field."""
    by_field(articles[:50])
    for name, duration in by_field(articles).items():
        print(f"{name:<24}{1000 * duration / len(articles):8.3f} ms")
    sys.stdout.flush()


def print_profile(lines: int) -> None:
    """Print where the time of the review's fields goes."""
    articles, reader = abstracts(), RuleReader(ExtractionSchema.read(SCHEMA))
    profile = cProfile.Profile()
    profile.enable()
    for article in articles:
        reader.read(article)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(lines)


if __name__ == "__main__":
    sys.exit(main())
