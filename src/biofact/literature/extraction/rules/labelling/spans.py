"""Runs of tokens with one label: the phrases that are values of a field."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.rules.labelling.chain import Array, Chain, read_chain
from biofact.literature.extraction.rules.phrases import is_linking
from biofact.literature.extraction.rules.text import Document, Sentence, Token
from biofact.literature.extraction.rules.vocabulary import LOOSE_END, LOOSE_START, PREPOSITIONS

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
MOST_WORDS = 15


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
    return " ".join(text.strip(_LOOSE_SIGNS).split()[:MOST_WORDS])


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
