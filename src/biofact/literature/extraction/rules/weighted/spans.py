"""The noun phrases of an article, short and long: what a field of words can be chosen from."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Document, Sentence, Token
from biofact.literature.extraction.rules.vocabulary import DETERMINERS, HARD_END, PEOPLE, RELATION
from biofact.literature.extraction.rules.weighted.verbs import BREAKS, JOINTS

MOST_JOINTS = 4
MOST_WORDS_BETWEEN = 3
MOST_WORDS = 15
LEAD = re.compile(
    r"(?:effects?|impacts?|influences?|roles?|associations?|relationships?|relations?|correlations?|comparisons?|uses?"
    r"|exception|stud(?:y|ies)|trials?|(?:meta-)?analys[ei]s|evaluation|assessment|reviews?|investigation|cases?"
    r"|reports?|addition|contrast|response|terms|treatment|management|diagnosis|application|examination|description"
    r"|experience|series|effectiveness|implications|importance|aim|purpose|objective|hypothesis|basis|context)"
)
"""Nouns that only lead on to what is meant: the effects of, a comparison between. As in: effects."""
LEADING_ON = frozenset(("of", "between", "on", "to", "with", "for", "in"))
LONGEST_LEAD = 3


class PhraseSpan(NamedTuple):
    """The words from one token of a sentence to another."""

    sentence: Sentence
    order: int
    """Of the sentence; the title is 0."""
    first: int
    after: int

    @property
    def words(self) -> list[str]:
        """In lower case."""
        return [token.word for token in self.sentence.tokens[self.first : self.after]]


def spans(document: Document) -> Iterator[PhraseSpan]:
    """Every noun phrase, alone and joined with those behind it, in the order of the text."""
    for order, sentence in enumerate(document.all_sentences):
        if sentence.role != "limitations":
            yield from spans_in(sentence, order)


def spans_in(sentence: Sentence, order: int) -> Iterator[PhraseSpan]:
    """Those of one sentence."""
    bounds = list(plain_phrases(sentence.tokens))
    for place in range(len(bounds)):
        for first, after in joined_phrases(sentence.tokens, bounds, place):
            yield PhraseSpan(sentence, order, first, after)


def plain_phrases(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The longest runs of words that nothing breaks, as token indices."""
    first = 0
    while first < len(tokens):
        if not is_inside(tokens, first):
            first += 1
            continue
        after = first + 1
        while after < len(tokens) and (is_inside(tokens, after) or is_hyphen(tokens, after)):
            after += 1
        yield first, after
        first = after


def is_inside(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token can be part of a noun phrase."""
    word = tokens[at].word
    return word not in BREAKS and word not in HARD_END and word[0].isalnum()


def is_hyphen(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token ties a number to the word behind it: 6-month-old."""
    return (
        tokens[at].word == "-"
        and at + 1 < len(tokens)
        and tokens[at - 1].end == tokens[at].start
        and tokens[at].end == tokens[at + 1].start
    )


def joined_phrases(tokens: Sequence[Token], bounds: Sequence[tuple[int, int]], place: int) -> Iterator[tuple[int, int]]:
    """The phrase at one place, then with one more after another."""
    first, end = bounds[place]
    yield first, end
    is_led = False
    for number, (start, after) in enumerate(bounds[place + 1 : place + 1 + MOST_JOINTS], 1):
        between = [token.word for token in tokens[end:start]]
        if not is_joint(between, tokens[end - 1].word) or after - first > MOST_WORDS:
            return
        if between == [","] and number == MOST_JOINTS:
            return
        if number == 1:
            is_led = is_lead(tokens, first, end) and between[0] in LEADING_ON
        if not is_led:
            yield first, after
        end = after


def is_joint(between: Sequence[str], before: str) -> bool:
    """Whether the words between two phrases join them.

    Children on dialysis are one thing, zinc on colds are two; so are exposure to lead and patients to zinc.
    """
    if ("on" in between and head_of(before) not in PEOPLE) or ("to" in between and before not in RELATION):
        return False
    return 0 < len(between) <= MOST_WORDS_BETWEEN and all(word in JOINTS or word in DETERMINERS for word in between)


def is_lead(tokens: Sequence[Token], first: int, end: int) -> bool:
    """Whether a phrase only leads on to the next."""
    return end - first <= LONGEST_LEAD and LEAD.fullmatch(tokens[end - 1].word) is not None
