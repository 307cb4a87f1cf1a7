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
    WINDOW,
    WORD_FAMILIES,
    Family,
    TokenTraits,
    Vocabularies,
    token_traits,
)
from biofact.literature.extraction.rules.labelling.words import MOST_WORDS, Numbers, Vocabulary, Word, Words, signs_of
from biofact.literature.extraction.rules.text import Document

Array = NDArray[np.float64]
STEPS = 100
"""Weights are kept as whole numbers, so many to 1."""
MOST_CELLS = 2_000_000
"""Of a table that has a cell for each pair of texts; larger ones are searched."""
SCALED_EVERY = 4
"""Tokens after which shares are made to add up to 1 again, lest they vanish."""


class PairIndex:
    """Rows of weights by the numbers of two texts; row 0 weighs nothing."""

    def __init__(self, pairs: Sequence[tuple[int, int]], sizes: tuple[int, int]) -> None:
        self._width = sizes[1]
        keys = np.array([one * sizes[1] + two for one, two in pairs] or [0], dtype=np.int64)
        rows = np.arange(1, len(keys) + 1, dtype=np.int32) * bool(pairs)
        self._is_dense = sizes[0] * sizes[1] <= MOST_CELLS
        if self._is_dense:
            self._rows = np.zeros(sizes[0] * sizes[1], dtype=np.int32)
            self._rows[keys] = rows
        else:
            order = np.argsort(keys)
            self._keys, self._rows = keys[order], rows[order]

    def rows(self, one: Numbers, two: Numbers) -> Numbers:
        """The row of each pair."""
        found: Numbers
        keys = one.astype(np.int64) * self._width + two
        if self._is_dense:
            found = self._rows[keys]
            return found
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = self._rows[at] * (self._keys[at] == keys)
        return found


class Chain:
    """Weights of signs, and of label following label."""

    def __init__(self, labels: Sequence[str], weights: Mapping[str, Sequence[int]], following: Array) -> None:
        """``weights`` by sign."""
        self.labels = tuple(labels)
        self._following = np.exp(np.stack([following, following.T]))
        """From one label (row) to the next (column), and back."""
        by_family = _by_family(weights)
        self._word_weights = {name: by_family.get(name, {}) for name in WORD_FAMILIES}
        self._vocabularies = _vocabularies(by_family)
        self._words = Words(*self._vocabularies)
        self._of_words: Numbers = np.zeros((0, len(WINDOW), len(self.labels)), dtype=np.int32)
        self._pairs = {name: self._pair_tables(name, by_family.get(name, {})) for name in FAMILIES}
        self._lock = Lock()

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Of a table with tabs: labels, then for each what follows it, then a sign and its numbers in each line."""
        head, *lines = text.splitlines()
        labels = head.split("\t")[1:]
        rows = [line.split("\t") for line in lines]
        numbers = {row[0]: [int(number or 0) for number in row[1:]] for row in rows}
        following = np.array([numbers.pop(label) for label in labels]) / STEPS
        return cls(labels, numbers, following)

    def likely(self, document: Document) -> Array:
        """One row for each token of all sentences, those of the title first: how likely each label is."""
        with self._lock:  # words are numbered as they come
            if len(self._words.known) > MOST_WORDS:
                self._words.clear()
                self._of_words = self._of_words[:0]
            article = token_traits(document, self._words, self._vocabularies.sorts)
            weighed = self._weighed(article)
        return self._shares([weighed[start : start + len(each.all_tokens)] for each, start in article.sentences])

    def _weighed(self, article: TokenTraits) -> Array:
        """What all signs of each token weigh, edges included."""
        total = np.zeros((len(article.words), len(self.labels)), dtype=np.int32)
        self._add_new_words()
        _add(total, self._of_words[article.words], WINDOW)
        for name, family in FAMILIES.items():
            index, table = self._pairs[name]
            rows = index.rows(article.traits[family.first], article.traits[family.second])
            _add(total, table[rows], family.places)
        return total / STEPS

    def _add_new_words(self) -> None:
        """What each word weighs at each place; most words come again and again."""
        done, known = len(self._of_words), self._words.known
        if done == len(known):
            return
        new = np.stack([self._of_word(word) for word in known[done:]])
        self._of_words = np.concatenate([self._of_words, new])

    def _of_word(self, word: Word) -> Numbers:
        """What a word weighs at each place of the window."""
        total = np.zeros((len(WINDOW), len(self.labels)), dtype=np.int32)
        for family, text in signs_of(word).items():
            for place in WORD_FAMILIES[family]:
                if numbers := self._word_weights[family].get(f"{place}|{text}"):
                    total[place - WINDOW[0]] += numbers
        return total

    def _pair_tables(self, name: str, weights: Mapping[str, Sequence[int]]) -> tuple[PairIndex, Numbers]:
        """Where the weights of a family stand, and a table of rows, places and labels."""
        family = FAMILIES[name]
        one, two = (self._vocabularies.of(trait, self._words) for trait in family[:2])
        rows: dict[tuple[int, int], int] = {}
        entries: list[tuple[int, int, Sequence[int]]] = []
        for sign, numbers in weights.items():
            place, first, second = sign.split("|", 2)
            row = rows.setdefault((one.number(first), two.number(second)), len(rows) + 1)
            entries.append((row, int(place) - family.places[0], numbers))
        table = np.zeros((len(rows) + 1, len(family.places), len(self.labels)), dtype=np.int32)
        for row, column, numbers in entries:
            table[row, column] = numbers
        return PairIndex(list(rows), (len(one), len(two))), table

    def _shares(self, weighed: Sequence[Array]) -> Array:
        """Forward and backward over all sentences side by side."""
        lengths = [len(each) for each in weighed]
        raised = np.ones((max(1, *lengths), 2, len(weighed), len(self.labels)))
        for place, each in enumerate(weighed):
            if len(each):
                shares = np.exp(each - each.max(axis=1, keepdims=True))
                raised[: len(each), 0, place] = shares
                raised[: len(each), 1, place] = shares[::-1]
        arriving = np.ones_like(raised)
        row = raised[0]
        for at in range(1, len(raised)):
            if at % SCALED_EVERY == 0:
                row = row / row.sum(axis=2, keepdims=True)
            arriving[at] = row @ self._following
            row = arriving[at] * raised[at]
        found: list[Array] = []
        for place, length in enumerate(lengths):
            shares = arriving[:length, 0, place] * raised[:length, 0, place] * arriving[:length, 1, place][::-1]
            found.append(shares)
        every: Array = np.concatenate(found)
        every /= every.sum(axis=1, keepdims=True)
        return every


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
    return Chain.from_text(files(__package__).joinpath("spans.tsv").read_text())
