"""Relevance by BM25 and the page of a review: what they cost, and whether relevance finds the article that was meant.

``python -m benchmarks.relevance [--gold FOLDER] [--json FILE]``. Costs are ratios to the rules that read the same 2,000
made-up abstracts, and to an import of numpy. With ``--gold`` each of 120 trials of Evidence Inference is looked for
among all 508 by a goal made of the labels that its readers gave it; titles are left out, as they name the same.
"""

import argparse
import datetime as dt
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.literature.made_evidence import review_report

from benchmarks.report import Result, at_most, write_report
from biofact.literature.extraction import fields
from biofact.literature.query import concepts
from biofact.literature.relevance import GoalConcept, goal_concepts, relevance
from biofact.literature.report import page
from biofact.literature.review.plan import SCHEMA
from biofact.sources.pubmed.records import CanonicalPubMedArticle

COUNT = 2000
RUNS = 3
GOALS = 120
_TODAY = dt.date(2026, 1, 1)


def results(gold: Path | None = None) -> list[Result]:
    """All figures."""
    report = review_report(COUNT)
    articles = [row.candidate.article for row in report.rows if row.candidate.article]
    goal = [
        GoalConcept(concept.name, (*concept.phrases, *(f"{concept.name} {i}" for i in range(40))))
        for concept in report.concepts
    ]
    by_rules = _seconds(lambda: [fields.read_fields(article, SCHEMA) for article in articles], 1)
    by_bm25 = _seconds(lambda: relevance(articles, goal), RUNS)
    page_seconds = _seconds(lambda: page(report), RUNS)
    size = len(page(report).encode())
    relevance_note = f"{1000 * by_bm25 / COUNT:.2f} ms an article, 3 concepts of 40 phrases"
    page_note = f"{1000 * page_seconds / COUNT:.2f} ms an article"
    import_ratio = _import_seconds("bm25s") / _import_seconds("numpy")
    all_results = [
        at_most(
            "relevance of 2,000 articles, of the time rules take", by_bm25 / by_rules, 0.2, "times", relevance_note
        ),
        at_most("page of 2,000 articles, of the time rules take", page_seconds / by_rules, 1, "times", page_note),
        at_most("page of 2,000 articles", size / 1e6, 7, "MB"),
        at_most("import of bm25s, of an import of numpy", import_ratio, 1.5, "times"),
    ]
    return [*all_results, *(_known_items(gold) if gold else [])]


def _seconds(work: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _import_seconds(module: str) -> float:
    code = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True) for _ in range(5)]
    return statistics.median(float(run.stdout) for run in runs)


def _known_items(gold: Path) -> list[Result]:
    """The rank of the trial that a goal was made of."""
    lines = (gold / "evidence_inference.jsonl").read_text("utf-8").splitlines()
    trials = [json.loads(line) for line in lines]
    articles = [
        CanonicalPubMedArticle(id=f"PMID:{place}", title="Untitled", abstract=trial["abstract"] or "")
        for place, trial in enumerate(trials, start=1)
    ]
    ranks = []
    for place, trial in enumerate(trials):
        labels = [trial["gold"].get(name) or [""] for name in ("intervention", "comparator", "outcome")]
        drug, other, outcome = (label[0] for label in labels)
        goal = f"{drug} versus {other}: effect on {outcome}"
        scores = relevance(articles, goal_concepts(concepts.read(goal, today=_TODAY).concepts, []))
        ties = sum(score == scores[place] for score in scores)
        ranks.append(sum(score > scores[place] for score in scores) + (ties + 1) / 2)
        if len(ranks) == GOALS:
            break
    return [
        Result(
            "trials that stand first for their own goal", sum(rank == 1 for rank in ranks) / len(ranks), 0.9, "share"
        ),
        Result("mean reciprocal rank of the trial meant", statistics.fmean(1 / rank for rank in ranks), 0.9, ""),
    ]


def main() -> int:
    """Measure; the exit status says whether every promise is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gold", type=Path, help="a folder with evidence_inference.jsonl")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    return write_report(results(arguments.gold), arguments.json)


if __name__ == "__main__":
    sys.exit(main())
