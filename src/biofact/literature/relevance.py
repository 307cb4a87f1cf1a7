"""The relevance of an article to a goal: its concepts, the phrases that name them, and BM25. Pure; no model.

bm25s and numpy load on first use.
"""

import functools
import logging
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from biofact.literature.query import wording
from biofact.literature.query.concepts import Concept
from biofact.sources.pubmed.records import CanonicalPubMedArticle

if TYPE_CHECKING:
    from bm25s import BM25

OPTIONAL_WEIGHT = 0.5
"""Weight of an aspect such as mortality or prevention, against 1 for a subject."""

_TERM = re.compile(r'(?:"(?P<quoted>[^"]+)"|(?P<bare>[^\s()"\[\]][^()"\[\]]*?))\s*\[(?P<field>[^\]]+)\]')
_ALL_WORDS = re.compile(r'\(("[^"]+"\[[^\]]+\](?: AND "[^"]+"\[[^\]]+\])+)\)')
_EXCLUSION = re.compile(r'\s+NOT\s+(?:\([^()]*\)|"[^"]*"\[[^\]]+\]|[^\s()]+)')
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")
_TEXT_FIELD = re.compile(
    r"(?i)mesh|^mh|^majr|title|abstract|^tiab|^ti$|^ab$|^ot$|^kw|other term|text word|^tw$|all fields|^all$"
    r"|supplementary|^nm$"
)
"""Fields that speak of the subject. As in: Title/Abstract. All others (publication type, date, language) filter."""


@dataclass(frozen=True, slots=True)
class GoalConcept:
    """A part of the goal, under every name that the queries give it."""

    name: str
    """The goal's own name, if it has one."""
    phrases: tuple[str, ...]
    """Names, headings and synonyms; an asterisk at the end stands for any ending."""
    weight: float = 1.0


def goal_concepts(concepts: Sequence[Concept], queries: Iterable[str]) -> list[GoalConcept]:
    """The concepts of the goal, each with all phrases that any query searches for it.

    Blocks of queries that share a phrase are one concept; a block that only filters is none.
    """
    groups: list[dict[str, str]] = [_by_key(concept.names) for concept in concepts]
    groups += [_by_key(block) for query in queries for block in query_blocks(query)]
    merged: list[dict[str, str]] = []
    for group in groups:
        overlapping = [other for other in merged if other.keys() & group.keys()]
        union = {key: phrase for other in (*overlapping, group) for key, phrase in other.items()}
        if not overlapping:
            merged.append(union)
            continue
        # a group that shares phrases with several joins them all
        merged[merged.index(overlapping[0])] = union
        merged = [other for other in merged if other not in overlapping[1:]]
    return [_goal_concept(group, concepts) for group in merged if group]


def _goal_concept(group: dict[str, str], concepts: Sequence[Concept]) -> GoalConcept:
    matches = [concept for concept in concepts if not group.keys().isdisjoint(_by_key(concept.names))]
    name = matches[0].name if matches else wording.in_speech(next(iter(group.values())))
    is_optional = bool(matches) and all(concept.role == "optional" for concept in matches)
    return GoalConcept(name, tuple(group.values()), OPTIONAL_WEIGHT if is_optional else 1.0)


def _by_key(phrases: Iterable[str]) -> dict[str, str]:
    """The phrases by the key that two spellings of one phrase share."""
    keys = ((wording.key(phrase) + "*" * phrase.endswith("*"), phrase) for phrase in phrases)
    # reversed, so that the first spelling of a key wins
    return {key: phrase for key, phrase in reversed([*keys]) if key.strip("*")}


def query_blocks(query: str) -> Iterator[tuple[str, ...]]:
    """The phrases of each block that a query joins by AND, without blocks that filter and without what it excludes."""
    query = wording.straight(query).replace("\u201c", '"').replace("\u201d", '"')
    query = _ALL_WORDS.sub(lambda match: _one_phrase(match[1]), query)
    for block in _joined_parts(_EXCLUSION.sub("", query)):
        terms = [(match["quoted"] or match["bare"], match["field"]) for match in _TERM.finditer(block)]
        if terms and all(_TEXT_FIELD.search(field) for _, field in terms):
            yield tuple(dict.fromkeys(_OPERATORS.sub(" ", text).strip() for text, _ in terms))


def _one_phrase(words: str) -> str:
    """``("gut"[Title] AND "flora"[Title])`` as one phrase in the field of the first."""
    terms = [*_TERM.finditer(words)]
    return f'"{" ".join(term["quoted"] for term in terms)}"[{terms[0]["field"]}]'


def _joined_parts(query: str) -> Iterator[str]:
    """The parts between the outermost ANDs; parentheses around the whole are looked through."""
    depth, start = 0, 0
    parts = []
    for match in re.finditer(r'[()]|"[^"]*"|\sAND\s', query):
        sign = match[0].strip()
        depth += (sign == "(") - (sign == ")")
        if sign == "AND" and depth == 0:
            parts.append(query[start : match.start()])
            start = match.end()
    parts.append(query[start:])
    for part in parts:
        stripped = part.strip()
        is_whole = len(parts) == 1 and stripped.startswith("(") and stripped.endswith(")") and " AND " in stripped
        yield from _joined_parts(stripped[1:-1]) if is_whole else [stripped]


_WORD = re.compile(r"\w+")
_SHORTEST_STEM = 4
"""Letters before an asterisk: fewer would stand for anything."""
_CACHED_WORDS = 65536
"""Words; 2,000 abstracts have some 30,000."""


class PhraseMatch(NamedTuple):
    """A phrase in a text."""

    start: int
    end: int
    group: int
    """The place of its group among those that were given."""


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    group: int
    is_stem: bool
    """Whether the last word may have any ending."""


@functools.lru_cache(_CACHED_WORDS)
def word_key(word: str) -> str:
    """One form for spellings of a word that differ in case, number, Greek letters, or by the ocean between."""
    return wording.key(word)


class PhraseFinder:
    """Finds the phrases of several groups in one pass; of phrases that begin at one word the longest counts."""

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self._by_word: dict[str, list[_Phrase]] = defaultdict(list)
        self._by_stem: dict[str, list[_Phrase]] = defaultdict(list)
        for group, phrases in enumerate(groups):
            for phrase in phrases:
                self._add(phrase, group)
        for candidates in (*self._by_word.values(), *self._by_stem.values()):
            candidates.sort(key=lambda phrase: -len(phrase.words))

    def _add(self, phrase: str, group: int) -> None:
        for spelling in {phrase, wording.in_speech(phrase)}:
            words = [key for word in _WORD.findall(spelling) if (key := word_key(word))]
            is_stem = phrase.endswith("*") and bool(words) and len(words[-1]) >= _SHORTEST_STEM
            if not words:
                continue
            entry = _Phrase(tuple(words), group, is_stem)
            if is_stem and len(words) == 1:
                self._by_stem[words[0][:_SHORTEST_STEM]].append(entry)
            else:
                self._by_word[words[0]].append(entry)

    def matches(self, text: str) -> list[PhraseMatch]:
        """Every match in the order of the text; those of one group do not overlap."""
        words = [*_WORD.finditer(text)]
        keys = [word_key(word[0]) for word in words]
        matches: list[PhraseMatch] = []
        ends: dict[int, int] = {}
        for place in range(len(words)):
            for phrase in self._phrases_from(keys, place):
                if ends.get(phrase.group, 0) <= place:
                    ends[phrase.group] = place + len(phrase.words)
                    last = words[place + len(phrase.words) - 1]
                    matches.append(PhraseMatch(words[place].start(), last.end(), phrase.group))
        return matches

    def _phrases_from(self, keys: Sequence[str], place: int) -> Iterator[_Phrase]:
        word = keys[place]
        for phrase in (*self._by_word.get(word, ()), *self._by_stem.get(word[:_SHORTEST_STEM], ())):
            window = keys[place : place + len(phrase.words)]
            if len(window) < len(phrase.words) or tuple(window[:-1]) != phrase.words[:-1]:
                continue
            if window[-1] == phrase.words[-1] or (phrase.is_stem and window[-1].startswith(phrase.words[-1])):
                yield phrase


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
    """The relevance of each article, from 0 (names no concept) towards 1 (names every concept again and again).

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
        document_count = sum(place in text for text in texts)
        if not document_count:
            continue
        rarity = _rarity(document_count, index.scores["num_docs"])
        # without the texts of the padding
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
    document_count = max(len(texts) + 1, math.ceil(words / USUAL_LENGTH))
    yield [_OTHER] * (document_count * USUAL_LENGTH - words)
    yield from ([] for _ in range(document_count - len(texts) - 1))


def _rarity(term_count: int, document_count: int) -> float:
    """The factor of a term in Lucene's BM25 that falls with the texts that have it."""
    return math.log(1 + (document_count - term_count + 0.5) / (term_count + 0.5))


def _tokens(article: CanonicalPubMedArticle, finder: PhraseFinder) -> list[int]:
    """A token for each mention of a concept, and one for every other word."""
    mentions: list[int] = []
    words = 0
    for part, text in _texts(article):
        groups = [match.group + 1 for match in finder.matches(text)]
        mentions += groups * MENTION_WEIGHTS[part]
        words += len(text.split()) if part in {"title", "abstract"} else 0
    return [*mentions, *[_OTHER] * max(words - len(mentions), 0)]


def _texts(article: CanonicalPubMedArticle) -> Iterator[tuple[str, str]]:
    yield "title", article.title
    yield "abstract", article.abstract or ""
    yield from (("headings", heading.name) for heading in article.mesh)
    yield from (("keywords", keyword) for keyword in article.keywords)
