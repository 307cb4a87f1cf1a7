"""Relevance by BM25: how much an article speaks of each concept of the goal. bm25s and numpy load on first use."""

import logging
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biofact.literature.relevance.concepts import GoalConcept
from biofact.literature.relevance.phrases import PhraseFinder
from biofact.sources.pubmed.records import CanonicalPubMedArticle

if TYPE_CHECKING:
    from bm25s import BM25

K1, B = 1.2, 0.75
"""As Robertson and Lucene have them: how soon more mentions stop to count, and how much length does."""
USUAL_LENGTH = 250
"""Words of an abstract with its title, against which length is measured whatever the other articles are."""
MENTION_WEIGHTS: Mapping[str, int] = {"title": 3, "headings": 2, "keywords": 2, "abstract": 1}
"""A mention in the title counts as three in the abstract."""
DIGITS = 6

_OTHER = 0
"""The token of every word that names no concept; those of the concepts follow."""


def relevance(articles: Sequence[CanonicalPubMedArticle], concepts: Sequence[GoalConcept]) -> list[float]:
    """For each article from 0 (names no concept) towards 1 (names each of them again and again).

    BM25 scores each concept, with all its names as one term. The term's part that depends on the other articles, its
    rarity, is divided out, and length is measured against ``USUAL_LENGTH``: so the same article has the same relevance
    for the same concepts in every run. The mean over the concepts goes by their weights.
    """
    if not articles or not concepts:
        return [0.0] * len(articles)
    finder = PhraseFinder([concept.phrases for concept in concepts])
    texts = [_tokens(article, finder) for article in articles]
    index = _index(texts, len(concepts))
    whole = math.fsum(concept.weight for concept in concepts)
    totals = [0.0] * len(articles)
    for place, concept in enumerate(concepts, start=1):
        mentioned = sum(place in text for text in texts)
        if not mentioned:
            continue
        rarity = _rarity(mentioned, index.scores["num_docs"])
        for row, score in enumerate(index.get_scores_from_ids([place])[: len(articles)].tolist()):
            totals[row] += concept.weight / whole * score / rarity
    return [round(min(total, 1.0), DIGITS) for total in totals]


def _index(texts: Sequence[Sequence[int]], concepts: int) -> "BM25":
    index = _loaded()(k1=K1, b=B, method="lucene", dtype="float64")
    vocabulary = {str(token): token for token in range(concepts + 1)}
    index.index(([*texts, *_padding(texts)], vocabulary), create_empty_token=False, show_progress=False)
    return index


def _loaded() -> Any:
    """The class, with the log of its package at the level of the program that it is part of."""
    is_first = "bm25s" not in sys.modules
    from bm25s import BM25  # noqa: PLC0415  # loads numpy, on first use

    if is_first:
        logging.getLogger("bm25s").setLevel(logging.NOTSET)  # it sets DEBUG (0.3.16), which handlers then show
    return BM25


def _padding(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Texts of other words and of none, with which all have ``USUAL_LENGTH`` words on average."""
    words = sum(map(len, texts))
    every = max(len(texts) + 1, math.ceil(words / USUAL_LENGTH))
    yield [_OTHER] * (every * USUAL_LENGTH - words)
    yield from ([] for _ in range(every - len(texts) - 1))


def _rarity(mentioned: int, every: int) -> float:
    """The factor of a term in Lucene's BM25 that falls with the texts that have it."""
    return math.log(1 + (every - mentioned + 0.5) / (mentioned + 0.5))


def _tokens(article: CanonicalPubMedArticle, finder: PhraseFinder) -> list[int]:
    """A token for each mention of a concept, and one for every other word."""
    mentions: list[int] = []
    words = 0
    for part, text in _texts(article):
        found = [match.group + 1 for match in finder.matches(text)]
        mentions += found * MENTION_WEIGHTS[part]
        words += len(text.split()) if part in {"title", "abstract"} else 0
    return [*mentions, *[_OTHER] * max(words - len(mentions), 0)]


def _texts(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    yield "title", article.title
    yield "abstract", article.abstract or ""
    yield from (("headings", heading.name) for heading in article.mesh)
    yield from (("keywords", keyword) for keyword in article.keywords)
