"""Outcomes that labels mark in trials, held against two corpora in which others marked them: exact, and overlapping.

    python -m benchmarks.outcome_mentions

``evidence_outcomes.jsonl`` marks those of results and conclusions in 400 abstracts (published on it: F1 .69 with
PubMedBERT, from memory), ``rct_art_sentences.jsonl`` those of 347 sentences of results with their measures. Both are in
``../shared/gold`` (or ``GOLD_DATA``) and no part of the repository; nothing was fitted to them.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.labelled_corpora import GOLD, json_objects
from benchmarks.report import Result, run
from biofact.literature.extraction.fields.labelling.chain import spans
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle

PUBLISHED = 0.69
Places = set[tuple[int, int]]


def rows(name: str) -> Iterator[dict[str, Any]]:
    """The objects of a corpus."""
    return json_objects((GOLD / f"{name}.jsonl").read_text("utf-8"))


def document_of(title: str, abstract: str) -> Document:
    """A text as rules read it."""
    return Document(CanonicalPubMedArticle(id="PMID:1", title=title, abstract=abstract))


def labelled_places(document: Document, names: Sequence[str], roles: frozenset[str]) -> Places:
    """The places of the labelled names, the longest first, in sentences of these roles."""
    places: Places = set()
    longest_first = "|".join(map(re.escape, sorted(set(names), key=len, reverse=True)))
    for sentence in document.sentences if longest_first else ():
        matches = re.finditer(rf"(?<!\w)(?:{longest_first})(?!\w)", sentence.text) if sentence.role in roles else ()
        places |= {(sentence.start + match.start(), sentence.start + match.end()) for match in matches}
    return places


def read_places(document: Document, roles: frozenset[str]) -> Places:
    """The places of the outcomes that labels mark."""
    outcomes = (span for span in document.cached(spans) if span.field == "outcome" and span.sentence.role in roles)
    return {(span.tokens[0].start, span.tokens[-1].end) for span in outcomes if span.sentence.part == "abstract"}


def _overlaps(place: tuple[int, int], reference: tuple[int, int]) -> bool:
    return place[0] < reference[1] and reference[0] < place[1]


def f1(pairs: Sequence[tuple[Places, Places]], *, is_exact: bool) -> float:
    """The F1 of read places against labelled ones."""

    def agreement(places: Places, references: Places) -> int:
        if is_exact:
            return len(places & references)
        return sum(any(_overlaps(place, reference) for reference in references) for place in places)

    precision = sum(agreement(read, gold) for read, gold in pairs) / max(1, sum(len(read) for read, _ in pairs))
    recall = sum(agreement(gold, read) for read, gold in pairs) / max(1, sum(len(gold) for _, gold in pairs))
    return 2 * precision * recall / max(1e-9, precision + recall)


def measure() -> list[Result]:
    """F1 over each corpus; nothing where there is none."""
    if not (GOLD / "evidence_outcomes.jsonl").exists():
        return []
    roles = frozenset(("results", "conclusions"))
    abstracts = []
    for row in rows("evidence_outcomes"):
        document = document_of(row["title"], row["abstract"])
        gold = labelled_places(document, row["gold"]["outcome"], roles)
        abstracts.append((read_places(document, roles), gold))
    any_role = frozenset(("", "results", "conclusions", "objective"))
    sentences = []
    for row in rows("rct_art_sentences"):
        document = document_of("A trial", row["text"])
        names = [name for kind, name in row["spans"] if kind == "OC"]
        sentences.append((read_places(document, any_role), labelled_places(document, names, any_role)))
    corpora = {"outcomes of 400 abstracts": abstracts, "outcomes of 347 sentences": sentences}
    return [
        Result(f"{name}, F1 {'exact' if is_exact else 'overlapping'}", f1(pairs, is_exact=is_exact), PUBLISHED, "")
        for name, pairs in corpora.items()
        for is_exact in (True, False)
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
