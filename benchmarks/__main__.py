"""Runs every benchmark, one after another so that none disturbs another; one table, one JSON file each.

``python -m benchmarks [--quick]``: some 75 minutes, or 50 with shorter runs of the rate limiter.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
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
    many,
    memory,
    parse,
    pubmed,
    queries,
    quotas,
    relevance,
    review,
    scoring,
    startup,
    symbols,
    sync,
    tokens,
    turns,
    watch,
)
from benchmarks.report import Result, write_report

RESULTS = Path(__file__).parent / "results"
ALL: tuple[tuple[str, Callable[[], list[Result]]], ...] = (
    ("parse", parse.measured),
    ("memory", memory.measured),
    ("startup", startup.measured),
    ("http", http.measured),
    ("watch", watch.measured),
    ("quotas", quotas.measured),
    ("http_throughput", http_throughput.measured),
    ("http_limits", http_limits.measured),
    ("gateway", gateway.measured),
    ("cache", cache.measured),
    ("genes", genes.measured),
    ("ensembl", ensembl.measured),
    ("symbols", symbols.measured),
    ("chembl", chembl.measured),
    ("igvf", igvf.measured),
    ("tokens", tokens.measured),
    ("many", many.measured),
    ("turns", turns.measured),
    ("sync", sync.measured),
    ("chaos", chaos.measured),
    ("pubmed", pubmed.measured),
    ("queries", queries.results),
    ("extraction", extraction.results),
    ("extraction_speed", extraction_speed.measured),
    ("labelled_corpora", labelled_corpora.results),
    ("corpus", corpus.measured),
    ("scoring", scoring.measured),
    ("relevance", relevance.results),
    ("review", review.measured),
    ("corpus_ranking", corpus_ranking.measured),
    ("corpus_model", corpus_model.measured),
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
    for name, measured in (*ALL, ("budget", lambda: budget.results(*rounds))):
        print(f"{name} ...", file=sys.stderr, flush=True)
        found = measured()
        write_report(found, RESULTS / f"{name}.json")
        results += found
    print()
    return write_report(results)


if __name__ == "__main__":
    sys.exit(main())
