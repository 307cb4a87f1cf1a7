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
"""What signs weigh for each label: by family, and by place and texts within it."""
Keys = NDArray[np.int64]
Entry = tuple[int, int, Sequence[int]]
"""Row, column, and what stands there for each label."""
MOST_CELLS = 2_000_000
"""Of an index that has a cell for each key; larger ones are searched."""
FIRST_ROOM = 1024
"""Words that there is room for at first; it doubles whenever it is full."""


class KeyIndex:
    """Rows of a table by keys; row 0, which weighs nothing, is that of keys that are not known."""

    def __init__(self, rows: Mapping[int, int], size: int) -> None:
        """``size``: all keys are below it."""
        keys, numbers = (np.array([*each], dtype=np.int64) for each in (rows or {0: 0}, (rows or {0: 0}).values()))
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
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: Keys = self._rows[at] * (self._keys[at] == keys)
        return found


class PairWeights:
    """What pairs of traits weigh, of all families that are read at the same places: one look-up for all of them."""

    def __init__(self, names: Sequence[str], weights: Weights, vocabularies: Vocabularies, words: Words) -> None:
        """``names``: of the families."""
        families = [FAMILIES[name] for name in names]
        self.places = families[0].places
        self._traits = [family.first for family in families], [family.second for family in families]
        rows: dict[int, int] = {}
        entries: list[Entry] = []
        sizes, widths = [0], []
        for name, family in zip(names, families, strict=True):
            one, two = (vocabularies.of(trait, words) for trait in (family.first, family.second))
            for sign, numbers in weights.get(name, {}).items():
                place, first, second = sign.split("|", 2)
                key = sizes[-1] + one.number(first) * len(two) + two.number(second)
                entries.append((rows.setdefault(key, len(rows) + 1), int(place) - self.places[0], numbers))
            widths.append(len(two))
            sizes.append(sizes[-1] + len(one) * len(two))
        self._begins, self._widths = np.array(sizes[:-1])[:, None], np.array(widths)[:, None]
        """Of the keys of each family: the first, and how many there are for each text of its first trait."""
        self._index = KeyIndex(rows, sizes[-1])
        self._table = table(entries, (len(rows) + 1, len(self.places)))

    def of(self, traits: Mapping[str, Numbers]) -> Numbers:
        """What they weigh, beside each token, for each place and label."""
        one, two = (np.array([traits[name] for name in names]) for names in self._traits)
        rows = self._index.rows(self._begins + one * self._widths + two)
        weighed: Numbers = self._table.take(rows, axis=0).sum(axis=0, dtype=np.int32)
        return weighed


class WordWeights:
    """What words weigh at each place of the window; most words come again and again, and are looked up once."""

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
        self._table = table(entries, (count, len(WINDOW)))
        self._known = np.zeros((FIRST_ROOM, *self._table.shape[1:]), dtype=np.int32)
        self._count = 0

    def clear(self) -> None:
        """Forget all words."""
        self._count = 0

    def of(self, numbers: Numbers, known: Sequence[Word]) -> Numbers:
        """What words weigh, by their numbers, for each place and label; ``known`` are all that are numbered."""
        if self._count < len(known):
            self._add(known[self._count :])
        return self._known.take(numbers, axis=0)

    def _add(self, words: Sequence[Word]) -> None:
        signs = map(signs_of, words)
        rows = [[known.get(each.get(family, ""), 0) for family, known in self._rows.items()] for each in signs]
        after = self._count + len(words)
        while after > len(self._known):
            self._known = np.concatenate([self._known, np.zeros_like(self._known)])
        self._known[self._count : after] = self._table[rows].sum(axis=1)
        self._count = after


def table(entries: Sequence[Entry], size: tuple[int, int]) -> Numbers:
    """A table of so many rows and columns, with a number for each label in each cell."""
    labels = len(entries[0][2]) if entries else 1
    made = np.zeros((*size, labels), dtype=np.int32)
    for row, column, numbers in entries:
        made[row, column] = numbers
    return made


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
            if len(self._words.known) > MOST_REMEMBERED:
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


LABELS_OF: Mapping[str, str] = MappingProxyType(
    {"population": "P", "intervention": "I", "comparator": "C", "outcome": "OQ"}
)
"""Which labels are of which field; Q is an outcome that is called primary."""
FIELDS = tuple(LABELS_OF)
OUTSIDE = -1
ENOUGH = 0.35
"""How likely a token must be of a field: less than not, for what is told apart from the rest is weighed again."""
BEGINS = 0.5
"""How likely a token must begin a value to part it from the one before."""
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
    """Of the sentence; the title is 0."""
    first: int
    after: int
    """Tokens of the sentence, those in brackets included."""
    share: float
    """How likely its tokens are of this field, on average."""
    primary: float
    """How likely it is named as the primary one."""
    text: str
    """Its words, without half of a bracket."""

    @property
    def tokens(self) -> Sequence[Token]:
        """Its own."""
        return self.sentence.all_tokens[self.first : self.after]


def spans(document: Document) -> tuple[Span, ...]:
    """All mentions, in the order of the text."""
    return tuple(spans_of(document, read_chain()))


def spans_of(document: Document, chain: Chain) -> Iterator[Span]:
    """All mentions as a chain finds them."""
    likely = chain.likely(document)
    yield from runs_of(document, chain.labels, likely)


def runs_of(document: Document, labels: Sequence[str], likely: Array) -> Iterator[Span]:
    """All mentions, by how likely each label of each token is."""
    columns = label_columns(tuple(labels))
    by_field, begun = likely @ columns.of_field, likely @ columns.begins
    best = np.where(by_field.max(axis=1) >= ENOUGH, by_field.argmax(axis=1), OUTSIDE)
    is_new = begun[np.arange(len(best)), best] >= BEGINS
    primary = likely[:, columns.is_primary].sum(axis=1)
    shares, named = by_field.T.tolist(), primary.tolist()
    sentences = document.all_sentences
    starts = np.cumsum([0, *(len(sentence.all_tokens) for sentence in sentences)])
    for order, run in _runs(best, is_new, starts):
        sentence, start = sentences[order], int(starts[order])
        for field, first, after in _phrases(sentence, *run):
            own = slice(start + first, start + after)
            share = sum(shares[field][own]) / (after - first)
            text = text_between(sentence, first, after)
            yield Span(FIELDS[field], sentence, order, first, after, share, max(named[own]), text)


class LabelColumns(NamedTuple):
    """What labels mean: each row a label, each column a field."""

    of_field: Array
    begins: Array
    """Those of a field that begin a value."""
    is_primary: NDArray[np.bool_]
    """By label."""


@lru_cache(maxsize=8)
def label_columns(labels: tuple[str, ...]) -> LabelColumns:
    """What the labels of a chain mean."""
    of = np.array([[label[-1] in letters for label in labels] for letters in LABELS_OF.values()])
    begins = of & [label[0] == "B" for label in labels]
    is_primary = np.array([label[-1] == "Q" for label in labels])
    return LabelColumns(of.astype(float).T, begins.astype(float).T, is_primary)


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
        before, _, behind = text.rpartition(opening)
        return before or behind
    return text.replace(closing, "", 1) if text.count(closing) > text.count(opening) else text


def _runs(
    best: NDArray[np.int64], is_new: NDArray[np.bool_], starts: NDArray[np.int64]
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Field, first and after of each run of tokens with that likeliest field, each behind the number of its sentence.

    ``starts``: where sentences begin, and where the last one ends.
    """
    is_first = is_new | (np.diff(best, prepend=OUTSIDE) != 0)
    is_first[starts[starts < len(best)]] = True
    firsts = is_first.nonzero()[0]
    afters = np.append(firsts[1:], len(best))
    is_mention = best[firsts] != OUTSIDE
    firsts, afters = firsts[is_mention], afters[is_mention]
    orders = np.searchsorted(starts, firsts, side="right") - 1
    begins = starts[orders]
    runs = zip(best[firsts].tolist(), (firsts - begins).tolist(), (afters - begins).tolist(), strict=True)
    yield from zip(orders.tolist(), runs, strict=True)


def _phrases(sentence: Sentence, field: int, first: int, after: int) -> Iterator[tuple[int, int, int]]:
    """The phrases of a run, without loose words at their ends: outcomes one by one, subjects without what they got."""
    bounds = [(first, after)]
    if FIELDS[field] == "population":
        bounds = [(first, _before_allocation(sentence, first, after))]
    elif FIELDS[field] == "outcome":
        bounds = _between_commas(sentence, first, after)
    for start, end in bounds:
        phrase = _trimmed(sentence, start, end)
        if phrase[0] < phrase[1]:
            yield field, *phrase


def _before_allocation(sentence: Sentence, first: int, after: int) -> int:
    """The end of the subjects: adults with asthma *to placebo*."""
    among = sentence.all_words[first + 1 : after]
    if "to" not in among:
        return after
    tokens = sentence.all_tokens
    ends = (at for at, word in enumerate(among, first + 1) if word == "to" and not is_linking(tokens, at))
    return next(ends, after)


def _between_commas(sentence: Sentence, first: int, after: int) -> list[tuple[int, int]]:
    """The items of a list: nausea, headache."""
    among = sentence.all_words[first:after]
    if "," not in among:
        return [(first, after)]
    found: list[tuple[int, int]] = []
    start, depth = first, 0
    for at, word in enumerate(among, first):
        depth += (word in "([") - (word in ")]")
        if word == "," and depth <= 0:
            found.append((start, at))
            start = at + 1
    return [*found, (start, after)]


def _trimmed(sentence: Sentence, first: int, after: int) -> tuple[int, int]:
    """The run without loose words at its ends."""
    among = sentence.all_words
    while first < after and (among[first] in _LOOSE_START or not among[first][0].isalnum()):
        first += 1
    while after > first and (
        among[after - 1] in LOOSE_END or not (among[after - 1][0].isalnum() or among[after - 1] in _CLOSING)
    ):
        after -= 1
    return first, after
