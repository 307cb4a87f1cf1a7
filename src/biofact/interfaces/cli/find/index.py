"""Documents ranked by the words of a question: BM25 over parts that count differently (BM25F). Pure."""

import difflib
import math
import re
import string
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from biofact.interfaces.cli.find.terms import terms

_SATURATION = 6.0  # k1: how soon more of the same term stops to count
_LENGTH = 0.5  # b: how much long documents are held back
_SLIP = 0.8  # likeness from which an unknown term is read as a known one
_SHORTEST_SLIP = 5  # letters; shorter words that are alike are other words
_OF_NAMES = 1.5  # weight of the examples' names
_BATCH = "batch"
_OF_ONE = 0.7  # for a command for many, where the question is about one
_TAKES = 1.15  # for a command that takes what the question names: words, or an ID of its form


@dataclass(frozen=True, slots=True)
class Document:
    """One command, as texts by the weight of their words."""

    command: str
    parts: Mapping[float, str]
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
        for document in self.documents:
            counted = self.counts[document.command] = defaultdict[str, float](float)
            for weight, text in (*document.parts.items(), (_OF_NAMES, document.names)):
                for term in (found := terms(text)):
                    counted[term] += weight
                if text is not document.names:
                    self.spoken.update(found)
            self.holding.update(counted.keys())

    def ranked(self, question: str) -> list[tuple[str, float]]:
        """The commands that hold a term of the question, with their scores, best first."""
        asked = dict.fromkeys(self._known(terms(question)), 1.0)
        average = sum(sum(counted.values()) for counted in self.counts.values()) / max(len(self.counts), 1)
        ids = [word.strip(string.punctuation) for word in question.split()]
        has_names = bool(self.names(question))
        scores: dict[str, float] = {}
        for document in self.documents:
            score = self._score(asked, self.counts[document.command], average)
            takes_id = document.pattern is not None and any(re.fullmatch(document.pattern, word) for word in ids)
            score *= _TAKES if takes_id or (has_names and document.takes_words) else 1
            scores[document.command] = score * (_OF_ONE if document.is_batch and _BATCH not in asked else 1)
        found = ((command, score) for command, score in scores.items() if score > 0)
        return sorted(found, key=lambda pair: -pair[1])

    def names(self, question: str) -> list[str]:
        """The words of the question that no command speaks of, as they are written: names of things."""
        return [word for word in question.split() if (found := terms(word)) and self.spoken.isdisjoint(found)]

    def _score(self, asked: Mapping[str, float], counted: Mapping[str, float], average: float) -> float:
        room = _SATURATION * (1 - _LENGTH + _LENGTH * sum(counted.values()) / average)
        shares = ((weight * self._rarity(term), counted[term]) for term, weight in asked.items() if term in counted)
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
