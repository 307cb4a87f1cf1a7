"""A linear-chain model: the likeliest labels of all tokens of a sentence together, and the phrases that they mark.

Weights of signs stand in tables, from which those of all tokens of an article are taken at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.fields.labelling.signs import (
    FAMILIES,
    FAMILIES_BY_PLACES,
    MOST_REMEMBERED,
    WINDOW,
    WORD_FAMILIES,
    Family,
    Numbers,
    TokenTraits,
    Vocabularies,
    Vocabulary,
    Word,
    Words,
    signs_of,
    token_traits,
)
from biofact.literature.extraction.text.document import Document, Sentence, Token
from biofact.literature.extraction.text.phrases import is_linking
from biofact.literature.extraction.text.vocabulary import LOOSE_END, LOOSE_START, PREPOSITIONS

Weights = Mapping[str, Mapping[str, Sequence[int]]]
"""The weights of signs for each label: by family, and by place and texts within it."""
Keys = NDArray[np.int64]
Entry = tuple[int, int, Sequence[int]]
"""Row, column, and the weight of each label."""
MOST_CELLS = 2_000_000
"""Cells of an index that has one for each key; larger indexes are searched."""
FIRST_ROOM = 1024
"""Words that there is room for at first; it doubles whenever it is full."""


class KeyIndex:
    """Rows of a table by keys; unknown keys have row 0, which weighs nothing."""

    def __init__(self, rows: Mapping[int, int], size: int) -> None:
        """``size``: all keys are below it."""
        # a table without signs still has the row of unknown keys
        keys, numbers = (np.array([*column], dtype=np.int64) for column in (rows or {0: 0}, (rows or {0: 0}).values()))
        self._is_dense = size <= MOST_CELLS
        if self._is_dense:
            self._rows = np.zeros(size, dtype=np.int64)
            self._rows[keys] = numbers
        else:
            order = np.argsort(keys)
            self._keys, self._rows = keys[order], numbers[order]

    def rows(self, keys: Keys) -> Keys:
        """The row of each key."""
        if self._is_dense:
            return self._rows[keys]
        index = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        rows: Keys = self._rows[index] * (self._keys[index] == keys)
        return rows


class PairWeights:
    """The weights of pairs of traits, for all families that are read at the same places: one look-up for all."""

    def __init__(self, names: Sequence[str], weights: Weights, vocabularies: Vocabularies, words: Words) -> None:
        """``names``: of the families."""
        families = [FAMILIES[name] for name in names]
        self.places = families[0].places
        self._traits = [family.first for family in families], [family.second for family in families]
        rows: dict[int, int] = {}
        entries: list[Entry] = []
        sizes, widths = [0], []
        for name, family in zip(names, families, strict=True):
            first_vocabulary, second_vocabulary = (
                vocabularies.vocabulary(trait, words) for trait in (family.first, family.second)
            )
            for sign, numbers in weights.get(name, {}).items():
                place, first_text, second_text = sign.split("|", 2)
                first, second = first_vocabulary.number(first_text), second_vocabulary.number(second_text)
                key = sizes[-1] + first * len(second_vocabulary) + second
                entries.append((rows.setdefault(key, len(rows) + 1), int(place) - self.places[0], numbers))
            widths.append(len(second_vocabulary))
            sizes.append(sizes[-1] + len(first_vocabulary) * len(second_vocabulary))
        self._begins, self._widths = np.array(sizes[:-1])[:, None], np.array(widths)[:, None]
        """The first key of each family, and the number of keys for each text of its first trait."""
        self._index = KeyIndex(rows, sizes[-1])
        self._table = weight_table(entries, (len(rows) + 1, len(self.places)))

    def weights(self, traits: Mapping[str, Numbers]) -> Numbers:
        """The weights of the pairs at each token, for each place and label."""
        first, second = (np.array([traits[name] for name in names]) for names in self._traits)
        rows = self._index.rows(self._begins + first * self._widths + second)
        weights: Numbers = self._table.take(rows, axis=0).sum(axis=0, dtype=np.int32)
        return weights


class WordWeights:
    """The weights of words at each place of the window; most words recur and are looked up once."""

    places = WINDOW

    def __init__(self, weights: Weights) -> None:
        self._rows: dict[str, dict[str, int]] = {family: {} for family in WORD_FAMILIES}
        entries: list[Entry] = []
        count = 1
        for family, rows in self._rows.items():
            for sign, numbers in weights.get(family, {}).items():
                place, _, text = sign.partition("|")
                if text not in rows:
                    rows[text], count = count, count + 1
                entries.append((rows[text], int(place) - WINDOW[0], numbers))
        self._table = weight_table(entries, (count, len(WINDOW)))
        self._weights = np.zeros((FIRST_ROOM, *self._table.shape[1:]), dtype=np.int32)
        self._count = 0

    def clear(self) -> None:
        """Forget all words."""
        self._count = 0

    def weights(self, numbers: Numbers, words: Sequence[Word]) -> Numbers:
        """The weights of words by their numbers, for each place and label; ``words`` are all numbered ones."""
        if self._count < len(words):
            self._add(words[self._count :])
        return self._weights.take(numbers, axis=0)

    def _add(self, words: Sequence[Word]) -> None:
        tables = self._rows.items()
        rows = [[table.get(signs.get(family, ""), 0) for family, table in tables] for signs in map(signs_of, words)]
        after = self._count + len(words)
        while after > len(self._weights):
            self._weights = np.concatenate([self._weights, np.zeros_like(self._weights)])
        self._weights[self._count : after] = self._table[rows].sum(axis=1)
        self._count = after


def weight_table(entries: Sequence[Entry], size: tuple[int, int]) -> Numbers:
    """A table of this size, in rows and columns, with a number for each label in each cell."""
    labels = len(entries[0][2]) if entries else 1
    weights = np.zeros((*size, labels), dtype=np.int32)
    for row, column, numbers in entries:
        weights[row, column] = numbers
    return weights


Array = NDArray[np.float64]
STEPS = 100
"""Weights are stored as whole numbers: this many make 1."""
SCALED_EVERY = 16
"""Tokens after which shares are scaled to add up to 1 again, so that they do not vanish."""


class Chain:
    """Weights of signs, and of label following label."""

    def __init__(self, labels: Sequence[str], weights: Mapping[str, Sequence[int]], following: Array) -> None:
        """``weights`` by sign."""
        self.labels = tuple(labels)
        zeros = np.zeros_like(following)
        self._following = np.block([[np.exp(following), zeros], [zeros, np.exp(following.T)]])
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
        """The chain of a table with tabs: labels, the weights of labels after each label, then those of signs."""
        head, *lines = text.splitlines()
        labels = head.split("\t")[1:]
        rows = [line.split("\t") for line in lines]
        numbers = {row[0]: [int(number) if number else 0 for number in row[1:]] for row in rows}
        following = np.array([numbers.pop(label) for label in labels]) / STEPS
        return cls(labels, numbers, following)

    def likely(self, document: Document) -> Array:
        """The probability of each label, one row for each token; the title's sentence comes first."""
        with self._lock:  # words are numbered as they come
            if len(self._words.entries) > MOST_REMEMBERED:
                self._words.clear()
                self._word_weights.clear()
            article = token_traits(document, self._words, self._vocabularies.sorts)
            scores = self._scores(article)
        return self._shares(scores, article)

    def _scores(self, article: TokenTraits) -> Array:
        """The summed weights of all signs of each token, edges included."""
        scores = np.zeros((len(article.words), len(self.labels)), dtype=np.int32)
        _add(scores, self._word_weights.weights(article.words, self._words.entries), WINDOW)
        for pairs in self._pair_weights:
            _add(scores, pairs.weights(article.traits), pairs.places)
        return scores / STEPS

    def _shares(self, scores: Array, article: TokenTraits) -> Array:
        """Forward and backward over all sentences side by side, without the edges between them."""
        lengths = np.array([len(sentence.all_tokens) for sentence, _ in article.sentences])
        order = np.repeat(np.arange(len(lengths)), lengths)
        index = np.arange(len(order)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        reverse_index = lengths[order] - 1 - index
        own_scores = scores[np.repeat([start for _, start in article.sentences], lengths) + index]
        shares = np.exp(own_scores - own_scores.max(axis=1, keepdims=True))
        count = len(self.labels)
        # the second half holds each sentence from its end, so that one pass computes both directions
        odds = np.ones((lengths.max(initial=1), len(lengths), 2 * count))
        odds[index, order, :count] = shares
        odds[reverse_index, order, count:] = shares
        messages = self._messages(odds)
        marginals: Array = messages[index, order, :count] * shares * messages[reverse_index, order, count:]
        marginals /= marginals.sum(axis=1, keepdims=True)
        return marginals

    def _messages(self, odds: Array) -> Array:
        """The messages of the tokens before for each label, then the messages of the tokens behind."""
        messages = np.ones_like(odds)
        row = odds[0]
        for index in range(1, len(odds)):
            if index % SCALED_EVERY == 0:
                halves = row.reshape(len(row), 2, len(self.labels))
                row = (halves / halves.sum(axis=2, keepdims=True)).reshape(row.shape)
            row = np.dot(row, self._following, out=messages[index]) * odds[index]
        return messages


def _add(total: Numbers, blocks: Numbers, places: Sequence[int]) -> None:
    """Add the weights of signs to the tokens at their places."""
    count = len(total)
    for column, place in enumerate(places):
        first, last = max(0, -place), min(count, count - place)
        total[first:last] += blocks[first + place : last + place, column]


def _by_family(weights: Mapping[str, Sequence[int]]) -> dict[str, dict[str, Sequence[int]]]:
    """Weights by family, and by place and text within it."""
    families: dict[str, dict[str, Sequence[int]]] = {}
    for sign, numbers in weights.items():
        family, _, rest = sign.partition("|")
        families.setdefault(family, {})[rest] = numbers
    return families


def _vocabularies(by_family: Mapping[str, Mapping[str, Sequence[int]]]) -> Vocabularies:
    """The texts and sorts of the pairs that have weights."""
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
    """The chain with the weights in the table beside this file."""
    return Chain.from_text(files(__package__).joinpath("spans.tsv").read_text("utf-8"))


LABELS_OF: Mapping[str, str] = MappingProxyType(
    {"population": "P", "intervention": "I", "comparator": "C", "outcome": "OQ"}
)
"""Which labels are of which field; Q is an outcome that is called primary."""
FIELDS = tuple(LABELS_OF)
NO_FIELD = -1
MIN_FIELD_SHARE = 0.35
"""The least probability that a token is of a field: below one half, as values are weighed once more."""
MIN_BEGIN_SHARE = 0.5
"""The least probability that a token begins a value, to part it from the one before."""
_LOOSE_START = LOOSE_START | PREPOSITIONS | {"-", "/"}
_CLOSING = frozenset(")]%")
_LOOSE_SIGNS = " ,;-"
BRACKETS = (("(", ")"), ("[", "]"))
MOST_VALUE_WORDS = 15


class Span(NamedTuple):
    """A mention of a value."""

    field: str
    sentence: Sentence
    order: int
    """The index of the sentence; the title is 0."""
    first: int
    after: int
    """Tokens of the sentence, those in brackets included."""
    share: float
    """The mean probability that its tokens are of this field."""
    primary: float
    """The probability that it is named as the primary outcome."""
    text: str
    """The words of the span, without half of a bracket."""

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens of the span."""
        return self.sentence.all_tokens[self.first : self.after]


def spans(document: Document) -> tuple[Span, ...]:
    """All mentions, in the order of the text."""
    return tuple(spans_of(document, read_chain()))


def spans_of(document: Document, chain: Chain) -> Iterator[Span]:
    """All mentions as a chain finds them."""
    marginals = chain.likely(document)
    yield from runs_of(document, chain.labels, marginals)


def runs_of(document: Document, labels: Sequence[str], marginals: Array) -> Iterator[Span]:
    """All mentions, by the probability of each label of each token."""
    columns = label_columns(tuple(labels))
    by_field, begin_shares = marginals @ columns.of_field, marginals @ columns.begins
    best = np.where(by_field.max(axis=1) >= MIN_FIELD_SHARE, by_field.argmax(axis=1), NO_FIELD)
    is_new = begin_shares[np.arange(len(best)), best] >= MIN_BEGIN_SHARE
    primary = marginals[:, columns.is_primary].sum(axis=1)
    shares, primary_shares = by_field.T.tolist(), primary.tolist()
    sentences = document.all_sentences
    starts = np.cumsum([0, *(len(sentence.all_tokens) for sentence in sentences)])
    for order, run in _runs(best, is_new, starts):
        sentence, start = sentences[order], int(starts[order])
        for field, first, after in _phrases(sentence, *run):
            tokens = slice(start + first, start + after)
            share = sum(shares[field][tokens]) / (after - first)
            text = text_between(sentence, first, after)
            yield Span(FIELDS[field], sentence, order, first, after, share, max(primary_shares[tokens]), text)


class LabelColumns(NamedTuple):
    """The meaning of labels: each row a label, each column a field."""

    of_field: Array
    begins: Array
    """The labels of a field that begin a value."""
    is_primary: NDArray[np.bool_]
    """By label."""


@lru_cache(maxsize=8)
def label_columns(labels: tuple[str, ...]) -> LabelColumns:
    """The meaning of the labels of a chain."""
    of_field = np.array([[label[-1] in letters for label in labels] for letters in LABELS_OF.values()])
    begins = of_field & [label[0] == "B" for label in labels]
    is_primary = np.array([label[-1] == "Q" for label in labels])
    return LabelColumns(of_field.astype(float).T, begins.astype(float).T, is_primary)


def text_between(sentence: Sentence, first: int, after: int) -> str:
    """The words from one token to another, without half of a bracket; at most 15 of them."""
    tokens = sentence.all_tokens
    text = sentence.whole[tokens[first].start : tokens[after - 1].end]
    for opening, closing in BRACKETS:
        if opening in text or closing in text:
            text = _whole_brackets(text, opening, closing)
    return " ".join(text.strip(_LOOSE_SIGNS).split()[:MOST_VALUE_WORDS])


def _whole_brackets(text: str, opening: str, closing: str) -> str:
    if text.count(opening) > text.count(closing):
        before, _, after = text.rpartition(opening)
        return before or after
    return text.replace(closing, "", 1) if text.count(closing) > text.count(opening) else text


def _runs(
    best: NDArray[np.int64], is_new: NDArray[np.bool_], starts: NDArray[np.int64]
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Field, first and after of each run of tokens with that likeliest field, each behind the number of its sentence.

    ``starts``: where sentences begin, and where the last one ends.
    """
    is_first = is_new | (np.diff(best, prepend=NO_FIELD) != 0)
    # no mention goes on into the next sentence
    is_first[starts[starts < len(best)]] = True
    firsts = is_first.nonzero()[0]
    ends = np.append(firsts[1:], len(best))
    is_mention = best[firsts] != NO_FIELD
    firsts, ends = firsts[is_mention], ends[is_mention]
    orders = np.searchsorted(starts, firsts, side="right") - 1
    begins = starts[orders]
    runs = zip(best[firsts].tolist(), (firsts - begins).tolist(), (ends - begins).tolist(), strict=True)
    yield from zip(orders.tolist(), runs, strict=True)


def _phrases(sentence: Sentence, field: int, first: int, after: int) -> Iterator[tuple[int, int, int]]:
    """The phrases of a run, without loose words at their ends: outcomes one by one, subjects without what they got."""
    bounds = [(first, after)]
    if FIELDS[field] == "population":
        bounds = [(first, _end_of_subjects(sentence, first, after))]
    elif FIELDS[field] == "outcome":
        bounds = _list_items(sentence, first, after)
    for start, end in bounds:
        phrase = _trimmed(sentence, start, end)
        if phrase[0] < phrase[1]:
            yield field, *phrase


def _end_of_subjects(sentence: Sentence, first: int, after: int) -> int:
    """The end of the subjects: adults with asthma *to placebo*."""
    words = sentence.all_words[first + 1 : after]
    if "to" not in words:
        return after
    tokens = sentence.all_tokens
    ends = (index for index, word in enumerate(words, first + 1) if word == "to" and not is_linking(tokens, index))
    return next(ends, after)


def _list_items(sentence: Sentence, first: int, after: int) -> list[tuple[int, int]]:
    """The items of a list: nausea, headache."""
    words = sentence.all_words[first:after]
    if "," not in words:
        return [(first, after)]
    items: list[tuple[int, int]] = []
    start, depth = first, 0
    for index, word in enumerate(words, first):
        depth += (word in "([") - (word in ")]")
        if word == "," and depth <= 0:
            items.append((start, index))
            start = index + 1
    return [*items, (start, after)]


def _trimmed(sentence: Sentence, first: int, after: int) -> tuple[int, int]:
    """The run without loose words at its ends."""
    words = sentence.all_words
    while first < after and (words[first] in _LOOSE_START or not words[first][0].isalnum()):
        first += 1
    while after > first and (
        words[after - 1] in LOOSE_END or not (words[after - 1][0].isalnum() or words[after - 1] in _CLOSING)
    ):
        after -= 1
    return first, after
