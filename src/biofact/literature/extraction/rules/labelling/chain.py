"""A linear-chain model: how likely each label of each token is, given all the others of its sentence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.rules.labelling.signs import (
    FAMILIES,
    FAMILIES_BY_PLACES,
    WINDOW,
    Family,
    TokenTraits,
    Vocabularies,
    token_traits,
)
from biofact.literature.extraction.rules.labelling.tables import PairWeights, WordWeights
from biofact.literature.extraction.rules.labelling.words import MOST_WORDS, Numbers, Vocabulary, Words
from biofact.literature.extraction.rules.text import Document

Array = NDArray[np.float64]
STEPS = 100
"""Weights are kept as whole numbers, so many to 1."""
SCALED_EVERY = 16
"""Tokens after which shares are made to add up to 1 again, lest they vanish."""


class Chain:
    """Weights of signs, and of label following label."""

    def __init__(self, labels: Sequence[str], weights: Mapping[str, Sequence[int]], following: Array) -> None:
        """``weights`` by sign."""
        self.labels = tuple(labels)
        nothing = np.zeros_like(following)
        self._following = np.block([[np.exp(following), nothing], [nothing, np.exp(following.T)]])
        """From one label (row) to the next (column), and below it back: one product is faster than two."""
        by_family = _by_family(weights)
        self._vocabularies = _vocabularies(by_family)
        self._words = Words(*self._vocabularies)
        self._word_weights = WordWeights(by_family)
        self._pair_weights = [
            PairWeights(names, by_family, self._vocabularies, self._words) for names in FAMILIES_BY_PLACES
        ]
        self._lock = Lock()

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Of a table with tabs: labels, then for each what follows it, then a sign and its numbers in each line."""
        head, *lines = text.splitlines()
        labels = head.split("\t")[1:]
        rows = [line.split("\t") for line in lines]
        numbers = {row[0]: [int(number) if number else 0 for number in row[1:]] for row in rows}
        following = np.array([numbers.pop(label) for label in labels]) / STEPS
        return cls(labels, numbers, following)

    def likely(self, document: Document) -> Array:
        """One row for each token of all sentences, those of the title first: how likely each label is."""
        with self._lock:  # words are numbered as they come
            if len(self._words.known) > MOST_WORDS:
                self._words.clear()
                self._word_weights.clear()
            article = token_traits(document, self._words, self._vocabularies.sorts)
            weighed = self._weighed(article)
        return self._shares(weighed, article)

    def _weighed(self, article: TokenTraits) -> Array:
        """What all signs of each token weigh, edges included."""
        total = np.zeros((len(article.words), len(self.labels)), dtype=np.int32)
        _add(total, self._word_weights.of(article.words, self._words.known), WINDOW)
        for pairs in self._pair_weights:
            _add(total, pairs.of(article.traits), pairs.places)
        return total / STEPS

    def _shares(self, weighed: Array, article: TokenTraits) -> Array:
        """Forward and backward over all sentences side by side, without the edges between them."""
        lengths = np.array([len(sentence.all_tokens) for sentence, _ in article.sentences])
        order = np.repeat(np.arange(len(lengths)), lengths)
        at = np.arange(len(order)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        behind = lengths[order] - 1 - at
        own = weighed[np.repeat([start for _, start in article.sentences], lengths) + at]
        shares = np.exp(own - own.max(axis=1, keepdims=True))
        count = len(self.labels)
        raised = np.ones((lengths.max(initial=1), len(lengths), 2 * count))
        raised[at, order, :count] = shares
        raised[behind, order, count:] = shares
        arriving = self._arriving(raised)
        every: Array = arriving[at, order, :count] * shares * arriving[behind, order, count:]
        every /= every.sum(axis=1, keepdims=True)
        return every

    def _arriving(self, raised: Array) -> Array:
        """What comes from the token before for each label, and then from the one behind."""
        arriving = np.ones_like(raised)
        row = raised[0]
        for at in range(1, len(raised)):
            if at % SCALED_EVERY == 0:
                both = row.reshape(len(row), 2, len(self.labels))
                row = (both / both.sum(axis=2, keepdims=True)).reshape(row.shape)
            row = np.dot(row, self._following, out=arriving[at]) * raised[at]
        return arriving


def _add(total: Numbers, blocks: Numbers, places: Sequence[int]) -> None:
    """Add what signs weigh to the tokens beside which they stand."""
    count = len(total)
    for column, place in enumerate(places):
        first, last = max(0, -place), min(count, count - place)
        total[first:last] += blocks[first + place : last + place, column]


def _by_family(weights: Mapping[str, Sequence[int]]) -> dict[str, dict[str, Sequence[int]]]:
    """Weights by family, and by place and text within it."""
    found: dict[str, dict[str, Sequence[int]]] = {}
    for sign, numbers in weights.items():
        family, _, rest = sign.partition("|")
        found.setdefault(family, {})[rest] = numbers
    return found


def _vocabularies(by_family: Mapping[str, Mapping[str, Sequence[int]]]) -> Vocabularies:
    """The texts and sorts that pairs are weighed of."""
    pairs = [pair for name, family in FAMILIES.items() for pair in _traits_of(family, by_family.get(name, ()))]
    texts, sorts = ([text for trait, text in pairs if kind in trait] for kind in ("text", "sort"))
    return Vocabularies(Vocabulary(texts), Vocabulary(sorts))


def _traits_of(family: Family, signs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Both traits of each sign with their texts."""
    for sign in signs:
        _, first, second = sign.split("|", 2)
        yield family.first, first
        yield family.second, second


@cache
def read_chain() -> Chain:
    """The chain whose weights stand beside this file."""
    return Chain.from_text(files(__package__).joinpath("spans.tsv").read_text("utf-8"))
