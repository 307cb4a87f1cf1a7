"""Sensitive queries of review topics beside those that information specialists ran: which blocks and terms are met.

    python -m benchmarks.queries [--topics FILE] [--show]

A goal is the title of a review. Of the specialist's query each block counts but study filters and what follows NOT; the
title holds a block if a word of the title, or its stem, is among the block's terms. A free-text term is met where our
query has it, with an asterisk honoured. Queries are made on the sandbox, whose MeSH has some hundred entry terms; the
topics are read from where they are kept, and only figures are shown.
"""

import argparse
import asyncio
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.fuzz import sandboxed
from benchmarks.report import Result
from biofact.literature.pipeline import Pipeline
from biofact.literature.query import terms, wording
from biofact.literature.query.records import QueryGeneration
from biofact.literature.query.wording import STOP_WORDS

FOLDER = Path(os.environ.get("BIOFACT_GOLD") or Path(__file__).parents[2] / "shared" / "gold")
BLOCKS_BAR = 0.9
"""The blocks that titles hold."""
_FIELD = r"\[(?:tiab|ti|tw|title/abstract|title|text word)\]"
_TERM = re.compile(rf'"([^"]+)"\s*{_FIELD}|([\w\'.*-]+(?: [\w\'.*-]+)*)\s*{_FIELD}', re.IGNORECASE)
_HEADING = re.compile(r'"?([^"\[\]()]+?)"?\s*\[(?:mesh|mesh terms|mh|majr|nm|supplementary concept)\]', re.IGNORECASE)
_STUDIES = re.compile(
    r"randomi[sz]ed controlled trial|epidemiologic studies|\[pt\]|\[publication type\]", re.IGNORECASE
)
_LINKS = re.compile(r"\b(?:OR|AND|NOT|not|and|or)\s+")
_TEXT = re.compile(r'"([^"]*)"\[([^\[\]]+)\]')
_COMMON = STOP_WORDS | {"patients", "study", "studies", "review", "systematic", "meta", "analysis", "effect", "during"}


@dataclass(frozen=True, slots=True)
class SpecialistBlock:
    """A specialist's block for one concept."""

    words: tuple[str, ...]
    headings: tuple[str, ...]


@dataclass(slots=True)
class Topic:
    """A review's title, and its specialist's blocks."""

    number: int
    title: str
    blocks: list[SpecialistBlock] = field(default_factory=list)


@dataclass(slots=True)
class TopicFigures:
    """The figures of one topic's query."""

    required: list[str]
    offered_terms: list[str]
    held_count: int = 0
    held_found: int = 0
    terms: int = 0
    terms_found: int = 0
    title_terms: int = 0
    title_terms_found: int = 0
    missed_subjects: list[str] = field(default_factory=list)


def main() -> int:
    """Print the figures; the exit status is always 0: ``results`` holds the bar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=Path, default=FOLDER / "review_queries.jsonl", help="the file of topics")
    parser.add_argument("--show", action="store_true", help="show which first words of a held block are missed")
    options = parser.parse_args()
    topics = read_topics(options.topics)
    for topic, figures in measure(topics):
        print(
            f"{topic.number:>3}  blocks held by the title {figures.held_found}/{figures.held_count},"
            f" terms {figures.terms_found}/{figures.terms},"
            f" of its own words {figures.title_terms_found}/{figures.title_terms}"
        )
        print(
            f"     required: {'; '.join(figures.required)}   offered: {'; '.join(figures.offered_terms) or 'nothing'}"
        )
        if options.show and figures.missed_subjects:
            print(f"     missed: {'; '.join(figures.missed_subjects)}")
    for result in results(topics):
        print(f"{result.promise}: {result.figure:.2f}")
    return 0


def results(topics: Sequence[Topic] | None = None) -> list[Result]:
    """The shares over all topics; nothing where they are not there."""
    path = FOLDER / "review_queries.jsonl"
    if topics is None and not path.exists():
        return []
    figures = [figure for _, figure in measure(topics if topics is not None else read_topics(path))]

    def share(part: str, total: str) -> float:
        return float(
            sum(getattr(figure, part) for figure in figures) / max(1, sum(getattr(figure, total) for figure in figures))
        )

    return [
        Result("queries: concept blocks that titles hold", share("held_found", "held_count"), BLOCKS_BAR, "share"),
        Result(
            "queries: specialists' terms of the titles' words", share("title_terms_found", "title_terms"), 0.85, "share"
        ),
        Result("queries: all free-text terms of specialists", share("terms_found", "terms"), 0.1, "share"),
    ]


def read_topics(path: Path) -> list[Topic]:
    """The topics of a file of JSON lines."""
    topics = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        blocks = [block for part in specialist_parts(row["query"]) if (block := specialist_block(part)).words]
        topics.append(Topic(number, row["title"], blocks))
    return topics


def specialist_parts(query: str) -> Iterator[str]:
    """The parts that a query joins by AND at its outermost level, without study filters and what follows NOT."""
    query = re.sub("[\u201c\u201d\u00ab\u00bb]", '"', query).strip()
    while query.startswith("(") and _closes_at(query) == len(query) - 1:
        query = query[1:-1].strip()
    parts, depth, start, is_wanted = [], 0, 0, True
    for match in re.finditer(r"[()]|\b(?:AND|NOT)\b", query):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if match[0] in {"AND", "NOT"} and not depth:
            parts += [query[start : match.start()]] if is_wanted else []
            start, is_wanted = match.end(), match[0] == "AND"
    parts += [query[start:]] if is_wanted else []
    yield from (part for part in parts if not _STUDIES.search(part))


def _closes_at(query: str) -> int:
    depth = 0
    for index, letter in enumerate(query):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            return index
    return -1


def specialist_block(part: str) -> SpecialistBlock:
    """The terms of one part."""
    words = [_LINKS.split(quoted or bare)[-1].strip(" '") for quoted, bare in _TERM.findall(part)]
    return SpecialistBlock(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(_HEADING.findall(part))))


def measure(topics: Sequence[Topic]) -> Iterator[tuple[Topic, TopicFigures]]:
    """The figures of each topic."""
    answers = asyncio.run(_generated([topic.title for topic in topics]))
    for topic, answer in zip(topics, answers, strict=True):
        yield topic, figures_of(topic, answer)


async def _generated(goals: Sequence[str]) -> list[QueryGeneration]:
    async with sandboxed() as clients:
        pipeline: Any = clients.of(Pipeline)
        return [await pipeline.pubmed_generate_query(goal, max_queries=3) for goal in goals]


def figures_of(topic: Topic, answer: QueryGeneration) -> TopicFigures:
    """The figures of an answer's queries for a topic: blocks anywhere in them, required or offered."""
    lines = [line for query in answer.generated_queries for line in query.lines if line.kind == "block"]
    required = [line.about for line in answer.generated_queries[0].lines if line.kind == "block"]
    offered_terms = [line.about for line in lines if line.about not in required]
    texts = list(dict.fromkeys(text.lower() for line in lines for text, _ in _TEXT.findall(line.text)))
    figures = TopicFigures(required, list(dict.fromkeys(offered_terms)))
    title = {_stem(word) for word in re.findall(r"[\w'-]{3,}", topic.title.lower()) if word not in _COMMON}
    for block in topic.blocks:
        title_words = [word for word in block.words if _is_of(word, title)]
        found_words = [word for word in block.words if is_found(word, texts)]
        figures.terms += len(block.words)
        figures.terms_found += len(found_words)
        figures.title_terms += len(title_words)
        figures.title_terms_found += len([word for word in title_words if is_found(word, texts)])
        figures.held_count += bool(title_words)
        figures.held_found += bool(title_words and found_words)
        figures.missed_subjects += title_words[:1] if title_words and not found_words else []
    return figures


def is_found(term: str, texts: Sequence[str]) -> bool:
    """Whether one of our texts is the term, or finds it by its asterisk; hyphens and blanks are one."""
    plain_term = _plain(term)
    return any(
        plain_term.removesuffix("*") == text.removesuffix("*")
        or terms.covers(text, plain_term)
        or (plain_term.endswith("*") and text.startswith(plain_term[:-1]))
        for text in map(_plain, texts)
    )


def _is_of(term: str, stems: set[str]) -> bool:
    """Whether every word of a term is one of the title's."""
    return all(_stem(word) in stems for word in re.findall(r"\w[\w'-]*", term.lower()) if word not in STOP_WORDS)


def _stem(word: str) -> str:
    return wording.singular(wording.american(word.strip("'-*")))


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("-", " ").split())


if __name__ == "__main__":
    raise SystemExit(main())
