"""The whole numbers of an article, and sums of groups: what the size of a study can be chosen from."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from biofact.literature.extraction.rules.numbers import all_number_places, whole_number
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Document, Sentence, Token, word_of
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, PEOPLE

SUBJECTS = PEOPLE | CASES | ANIMALS | {"group", "groups"}
FARTHEST_SUBJECTS = 5
FARTHEST_GROUP = 14
"""Words between two groups that belong together."""
MOST_ARMS = 6
TWO, THREE = 2, 3


class StatedNumber(NamedTuple):
    """A number that a sentence states, or the sum of several."""

    sentence: Sentence
    order: int
    """Of the sentence; the title is 0."""
    tokens: Sequence[Token]
    """Those of the sentence, within brackets too."""
    first: int
    after: int
    value: int
    terms: tuple["StatedNumber", ...] = ()
    """What it is the sum of."""
    sum_of: str = ""
    """How the terms are known to be groups of one study."""


def stated_numbers(document: Document) -> Iterator[StatedNumber]:
    """Every number, then the sums, sentence by sentence."""
    for order, sentence in enumerate(document.all_sentences):
        stated = list(numbers_in(sentence, order))
        yield from stated
        yield from sums(stated)


def numbers_in(sentence: Sentence, order: int) -> Iterator[StatedNumber]:
    """The numbers of a sentence."""
    tokens = sentence.all_tokens
    done = 0
    for at in all_number_places(sentence):
        number = whole_number(tokens, at) if at >= done else None
        if number is not None:
            value, done = number
            yield StatedNumber(sentence, order, tokens, at, done, value)


def sums(stated: Sequence[StatedNumber]) -> Iterator[StatedNumber]:
    """All that ``n =`` gives in the sentence; two or three groups of people or animals side by side."""
    arms = [count for count in stated if is_n(count)]
    if TWO <= len(arms) <= MOST_ARMS:
        yield sum_of_numbers(arms, "n =")
    groups = [count for count in stated if is_of_subjects(count)]
    for pair in pairwise(groups):
        if pair[1].first - pair[0].after < FARTHEST_GROUP:
            yield sum_of_numbers(pair, "pair")
    if len(groups) == THREE:
        yield sum_of_numbers(groups, "three")


def sum_of_numbers(terms: Sequence[StatedNumber], sum_of: str) -> StatedNumber:
    """The sum, standing where its terms do."""
    first, last = terms[0], terms[-1]
    total = sum(term.value for term in terms)
    return first._replace(after=last.after, value=total, terms=tuple(terms), sum_of=sum_of)


def is_n(count: StatedNumber) -> bool:
    """Whether the number follows ``n =``."""
    tokens, first = count.tokens, count.first
    return first >= TWO and tokens[first - 1].word == "=" and tokens[first - 2].word == "n"


def is_of_subjects(count: StatedNumber) -> bool:
    """Whether a noun for people or animals follows shortly."""
    behind = count.tokens[count.after : count.after + FARTHEST_SUBJECTS]
    return not SUBJECTS.isdisjoint(map(head_of, map(word_of, behind)))
