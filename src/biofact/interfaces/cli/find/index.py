"""Documents ranked by the words of a question: BM25 over parts that count differently (BM25F). Pure."""

import difflib
import math
import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biofact.interfaces.cli.find.terms import terms

# Weights and factors were fitted on questions.tsv, each question to an index without it.
_SATURATION = 6.0  # k1: how soon more of the same term stops to count
_LENGTH = 0.5  # b: how much long documents are held back
_OF_QUESTIONS = 1.5  # weight of typical questions
_OF_NAMES = 1.5  # weight of the examples' names
_TAKES = 1.15  # for a command that takes what the question names: words, or an ID of its form
_OF_MANY = 1.3  # for a command for many, where the question is about several
_OF_ONE = 0.6  # for a command for many, where the question is about one
_BATCH = "batch"
_SLIP = 0.85  # likeness from which an unknown term is read as a known one
_SHORTEST_SLIP = 5  # letters; shorter words that are alike are other words


@dataclass(frozen=True, slots=True)
class Document:
    """One command, as what is said of it."""

    command: str
    parts: Sequence[tuple[float, str]]
    """Texts with the weights of their words."""
    asked: Sequence[str] = ()
    """Questions that it answers."""
    names: str = ""
    """Names of things, as examples have them: a question may have any other in their place."""
    takes_words: bool = False
    pattern: str | None = None
    """Of the IDs that it takes."""
    is_batch: bool = False
    """It is for many at once, and another command for one."""


@dataclass(slots=True)
class Index:
    """How often each term stands in each document, weighted, and how many documents hold it."""

    documents: tuple[Document, ...]
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    holding: Counter[str] = field(default_factory=Counter)
    spoken: set[str] = field(default_factory=set)
    """The terms that are no names."""

    def __post_init__(self) -> None:
        named, asked = set[str](), set[str]()
        for document in self.documents:
            counted = self.counts[document.command] = defaultdict[str, float](float)
            for weight, text in document.parts:
                self.spoken |= _add(counted, weight, text)
            asked |= _add(counted, _OF_QUESTIONS, "\n".join(document.asked))
            named |= _add(counted, _OF_NAMES, document.names)
            self.holding.update(counted.keys())
        self.spoken |= asked - named

    def ranked(self, question: str) -> list[tuple[str, float]]:
        """The commands that hold a term of the question, with their scores, best first."""
        asked = set(self._known(terms(question)))
        average = sum(sum(counted.values()) for counted in self.counts.values()) / max(len(self.counts), 1)
        scores = {
            document.command: self._fit(document, question, asked)
            * self._score(asked, self.counts[document.command], average)
            for document in self.documents
        }
        found = ((command, score) for command, score in scores.items() if score > 0)
        return sorted(found, key=lambda pair: -pair[1])

    def names(self, question: str) -> list[str]:
        """The words of the question that no command speaks of, as they are written: names of things."""
        words = (word.strip(string.punctuation) for word in question.split())
        return [word for word in words if (found := terms(word)) and self.spoken.isdisjoint(self._known(found))]

    def _fit(self, document: Document, question: str, asked: Iterable[str]) -> float:
        """How well a command takes what the question names: words, an ID of its form, or many of them."""
        ids = ids_in(question, document.pattern)
        fit = _TAKES if ids or (document.takes_words and self.names(question)) else 1.0
        if document.is_batch:
            fit *= _OF_MANY if len(ids) > 1 or _BATCH in asked else _OF_ONE
        return fit

    def _score(self, asked: Iterable[str], counted: Mapping[str, float], average: float) -> float:
        room = _SATURATION * (1 - _LENGTH + _LENGTH * sum(counted.values()) / average)
        shares = ((self._rarity(term), counted[term]) for term in asked if term in counted)
        return sum(rarity * count * (_SATURATION + 1) / (count + room) for rarity, count in shares)

    def _rarity(self, term: str) -> float:
        """Inverse document frequency."""
        return math.log(1 + (len(self.counts) - self.holding[term] + 0.5) / (self.holding[term] + 0.5))

    def _known(self, asked: Iterable[str]) -> Iterator[str]:
        """The terms, each that no document holds as the one that it is a slip of, if there is one."""
        for term in asked:
            if term in self.holding or len(term) < _SHORTEST_SLIP:
                yield term
            else:
                yield from difflib.get_close_matches(term, self.holding, n=1, cutoff=_SLIP) or [term]


def ids_in(question: str, pattern: str | None) -> list[str]:
    """The words of the question that are IDs of a form."""
    words = (word.strip(string.punctuation) for word in question.split())
    return [] if pattern is None else [word for word in words if re.fullmatch(pattern, word)]


def _add(counted: dict[str, float], weight: float, text: str) -> set[str]:
    """Count the terms of a text; returns them."""
    found = terms(text)
    for term in found:
        counted[term] += weight
    return set(found)
