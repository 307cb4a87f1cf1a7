"""Runs every benchmark, one after another so that none disturbs another; one table, one JSON file each.

``python -m benchmarks [--quick]``: some 120 minutes, or 95 with shorter runs of the rate limiter. Lookups and batches
are measured on a sandbox of the starter's sizes, then at real sizes over lines of 5 MB/s; each promise says at which.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    abstracts,
    budget,
    cache,
    chaos,
    chembl,
    corpus,
    corpus_model,
    corpus_ranking,
    ensembl,
    extraction,
    extraction_speed,
    gateway,
    genes,
    http,
    http_limits,
    http_throughput,
    igvf,
    labelled_corpora,
    large_genes,
    many,
    memory,
    names,
    outcome_mentions,
    parse,
    pubmed,
    queries,
    quotas,
    relevance,
    resolve,
    resolve_mixed,
    review,
    scoring,
    starts,
    startup,
    symbols,
    sync,
    table_files,
    tokens,
    turns,
    watch,
)
from benchmarks.report import Result, write_report

RESULTS = Path(__file__).parent / "results"
ALL: tuple[tuple[str, Callable[[], list[Result]]], ...] = (
    ("parse", parse.measure),
    ("memory", memory.measure),
    ("startup", startup.measure),
    ("starts", starts.measure),
    ("http", http.measure),
    ("watch", watch.measure),
    ("quotas", quotas.measure),
    ("http_throughput", http_throughput.measure),
    ("http_limits", http_limits.measure),
    ("gateway", gateway.measure),
    ("cache", cache.measure),
    ("genes", genes.measure),
    ("large_genes", large_genes.measure),
    ("ensembl", ensembl.measure),
    ("symbols", symbols.measure),
    ("resolve", resolve.measure),
    ("names", names.measure),
    ("table_files", table_files.measure),
    ("resolve_mixed", lambda: asyncio.run(resolve_mixed.measure())),
    ("chembl", chembl.measure),
    ("igvf", igvf.measure),
    ("tokens", tokens.measure),
    ("many", many.measure),
    ("turns", turns.measure),
    ("sync", sync.measure),
    ("chaos", chaos.measure),
    ("pubmed", pubmed.measure),
    ("queries", queries.results),
    ("extraction", extraction.results),
    ("extraction_speed", extraction_speed.measure),
    ("abstracts", abstracts.measure),
    ("labelled_corpora", labelled_corpora.results),
    ("outcome_mentions", outcome_mentions.measure),
    ("corpus", corpus.measure),
    ("scoring", scoring.measure),
    ("relevance", relevance.results),
    ("review", review.measure),
    ("corpus_ranking", corpus_ranking.measure),
    ("corpus_model", corpus_model.measure),
)


def main() -> int:
    """Measure everything; the exit status says whether every promise is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="one run of 15 s of the rate limiter instead of three of 60 s"
    )
    is_quick = parser.parse_args().quick
    results: list[Result] = []
    rounds = (15.0, 1) if is_quick else (60.0, 3)
    for name, measure in (*ALL, ("budget", lambda: budget.results(*rounds))):
        print(f"{name} ...", file=sys.stderr, flush=True)
        benchmark_results = measure()
        write_report(benchmark_results, RESULTS / f"{name}.json")
        results += benchmark_results
    print()
    return write_report(results)


if __name__ == "__main__":
    sys.exit(main())
