"""The size of a study: of all numbers in the article, the one with the likeliest signs.

Candidates are the whole numbers and sums of groups; each has signs, written by hand, and each sign has a weight, fitted
to labelled abstracts by ``tools/fit_weights.py`` and read from the table beside this file.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from biofact.literature.extraction.fields import sample_size_rules as sizes
from biofact.literature.extraction.fields.sample_size_rules import whole_study
from biofact.literature.extraction.fields.weights import (
    Surroundings,
    likeliest,
    read_weights,
    share_by_value,
    shares,
    surroundings,
)
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence, Token, word_of
from biofact.literature.extraction.text.numbers import all_number_places, whole_number
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import ANIMALS, CASES, HARD_END, PEOPLE, PROFESSIONALS, words
from biofact.literature.records import Evidence

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


STUDIES = words("studies trials articles publications rcts papers reports")
NOUNS = (("people", PEOPLE), ("animals", ANIMALS), ("cases", CASES), ("studies", STUDIES), ("staff", PROFESSIONALS))
KIND_OF_NOUN = {noun: kind for kind, nouns in reversed(NOUNS) for noun in nouns}
CUES = words(
    "total included enrolled recruited randomized randomised participated analyzed analysed completed consecutive"
    " assigned studied divided identified studies trials articles excluded screened died records respondents cohort"
    " sample matched controls control group groups underwent received retrospective retrospectively prospective"
    " eligible"
)
PERCENT_BEHIND = re.compile(r"\s*(?:\w+ ){0,4}[(\[]\s*(?:n\s?=\s?\d+[,;]\s?)?\d{1,3}(?:[.·]\d+)?\s?%")
"""As in: patients (25%)."""
FARTHEST_NOUN, FARTHEST_CUE, FARTHEST_PERCENT = 7, 10, 80
FIRST_YEAR, LAST_YEAR = 1900, 2030
SMALL, HUNDRED = 10, 100
MOST_RANKS, MOST_TIMES = 4, 3


@dataclass(frozen=True, slots=True)
class NumberRanks:
    """All the numbers of an article."""

    ranked: Sequence[int]
    """Different ones, the largest first, without what may be years."""
    times: dict[int, int]

    @classmethod
    def of(cls, counts: Sequence[StatedNumber]) -> "NumberRanks":
        """Those numbers."""
        values = [count.value for count in counts]
        ranked = sorted({value for value in values if not is_year(value)}, reverse=True)
        return cls(ranked, {value: values.count(value) for value in set(values)})


def is_year(value: int) -> bool:
    """Whether it can be one."""
    return FIRST_YEAR < value < LAST_YEAR


def number_signs(count: StatedNumber, around: Surroundings, among: NumberRanks) -> list[str]:
    """Everything about one number."""
    at = NumberContext(count, around)
    return [*at.before_and_behind(), *at.size(among), *at.noun_signs(), *at.cues()]


class Noun(NamedTuple):
    """What a number counts."""

    kind: str
    at: int
    """Index of its token."""


def noun_of(count: StatedNumber) -> Noun | None:
    """The first noun behind the number that we know."""
    last = min(len(count.tokens), count.after + FARTHEST_NOUN)
    for at in range(count.after, last):
        word = count.tokens[at].word
        if word in HARD_END:
            break
        if (kind := KIND_OF_NOUN.get(head_of(word))) is not None:
            return Noun(kind, at)
    return None


class NumberContext:
    """A number among the words of its sentence."""

    def __init__(self, count: StatedNumber, around: Surroundings) -> None:
        self.count, self.tokens = count, count.tokens
        self.kind, self.study = around.kind, around.study
        self.role = "title" if count.order == 0 else count.sentence.role or "untold"
        self.three, self.two, self.one = (self.word(count.first - back) for back in (3, 2, 1))

    def word(self, at: int) -> str:
        """That of a token; # for any number."""
        if not 0 <= at < len(self.tokens):
            return "^" if at < 0 else "$"
        word = self.tokens[at].word
        return "#" if word[0].isdigit() else word

    def before_and_behind(self) -> list[str]:
        """The nearest words."""
        three, two, one = self.three, self.two, self.one
        first, second, third = (self.word(self.count.after + ahead) for ahead in range(3))
        return [
            f"2<{two} {one}",
            f"3<{three} {two} {one}",
            f"1>{first}",
            f"2>{first} {second}",
            f"3>{first} {second} {third}",
            f"{one} _ {first}",
            *signs_of_word(one, self.count.sum_of, "in brackets" if self.is_in_brackets() else ""),
            *signs_of_place(self.role, self.kind, self.count.sum_of),
        ]

    def is_in_brackets(self) -> bool:
        """Whether the number is an aside."""
        sentence, token = self.count.sentence, self.tokens[self.count.first]
        return sentence.plain[token.start - sentence.start : token.end - sentence.start].isspace()

    def size(self, among: NumberRanks) -> Iterator[str]:
        """How large it is, by itself and beside the others."""
        value = self.count.value
        times = min(among.times[value], MOST_TIMES)
        rank = min(among.ranked.index(value), MOST_RANKS) if value in among.ranked else None
        yield from signs_of_size(self.kind, len(str(value)), value if value < SMALL else "no", times, rank)
        year = f"year={is_year(value)}"
        yield year
        yield f"{year} 1<{self.one}"
        yield f"round={value > 0 and value % HUNDRED == 0}"

    def noun_signs(self) -> Iterator[str]:
        """The noun that the number counts."""
        counted_noun = noun_of(self.count)
        of = f"of={counted_noun.kind if counted_noun else 'nothing'}"
        yield from signs_of_noun(of, self.kind, self.study, self.role)
        yield f"1<{self.one} {of}"
        yield f"2<{self.two} {self.one} {of}"
        if counted_noun:
            first, second = self.word(counted_noun.at + 1), self.word(counted_noun.at + 2)
            yield f"noun={self.word(counted_noun.at)}"
            yield f"noun after={counted_noun.at - self.count.after}"
            yield f"{of} 1>{first}"
            yield f"{of} 2>{first} {second}"
        end = self.tokens[self.count.after - 1].end - self.count.sentence.start
        behind = self.count.sentence.text[end : end + FARTHEST_PERCENT]
        if "%" in behind and PERCENT_BEHIND.match(behind):
            yield "percent"
            yield f"percent {of}"

    def cues(self) -> Iterator[str]:
        """Words that indicate the topic of the sentence."""
        first, after = self.count.first, self.count.after
        before = map(word_of, self.tokens[max(0, first - FARTHEST_CUE) : first])
        behind = map(word_of, self.tokens[after : after + FARTHEST_CUE])
        yield from (f"cue<{word}" for word in CUES.intersection(before))
        yield from (f"cue>{word}" for word in CUES.intersection(behind))
        yield from self.count.sentence.cached(cues_of_sentence)


def cues_of_sentence(sentence: Sentence) -> list[str]:
    """Those of all numbers of a sentence."""
    return [f"cue={word}" for word in sentence.words & CUES]


@lru_cache(maxsize=10_000)
def signs_of_word(one: str, sum_of: str, place: str) -> tuple[str, ...]:
    """Those of the word before a number."""
    return f"1<{one}", f"1<{one} sum={sum_of}", f"1<{one} {place}"


@lru_cache(maxsize=10_000)
def signs_of_place(role: str, kind: str, sum_of: str) -> tuple[str, ...]:
    """Those of the section and the kind of study."""
    return f"sum={sum_of}", f"{role} sum={sum_of}", f"role={role}", f"kind={kind}", f"{kind} {role}"


@lru_cache(maxsize=10_000)
def signs_of_size(kind: str, digits: int, small: int | str, times: int, rank: int | None) -> tuple[str, ...]:
    """Those of how large a number is, and how it stands beside the others."""
    number_signs = (f"digits={digits}", f"{kind} digits={digits}", f"small={small}", f"times={times}")
    return number_signs if rank is None else (*number_signs, f"rank={rank}")


@lru_cache(maxsize=10_000)
def signs_of_noun(of: str, kind: str, study: str, role: str) -> tuple[str, ...]:
    """Those of what a number counts, in its study and section."""
    return of, f"{kind} {of}", f"{study} {of}", f"{role} {of}"


ENOUGH = 0.45
"""How sure a value must be: where ``tools/fit_weights.py`` finds nine in ten, or nearly, to be right."""
SHORT = 400
"""Letters of an abstract, below which there is too little around a number to weigh it."""


@dataclass(frozen=True, slots=True)
class NumberCandidates:
    """The numbers of an article, and their signs; the article's own signs come last."""

    numbers: list[StatedNumber]
    signs: list[set[str]]


def numbers(document: Document) -> NumberCandidates:
    """Each number that can be the size of the study."""
    around: Surroundings = document.cached(surroundings)
    each = list(stated_numbers(document))
    among = NumberRanks.of(each)
    by_rules = document.cached(sizes.sample_size)
    signs = [
        {*number_signs(count, around, among), *([f"said={count.value == by_rules.value}"] if by_rules else [])}
        for count in each
    ]
    return NumberCandidates(each, [*signs, {*around.signs(), *([] if by_rules else ["nothing said"])}])


def sample_size(document: Document) -> Finding | None:
    """How many people or animals were studied, or how many studies a review includes; sums are marked as derived."""
    return whole_study(document, document.cached(likely_size))


def likely_size(document: Document) -> Finding | None:
    """The likeliest number, or sum of groups."""
    is_report = document.cached(surroundings).kind == "case"
    if len(document.abstract) < SHORT or is_report:
        return document.cached(sizes.sample_size)
    stated = document.cached(numbers)
    if not stated.numbers:
        return None
    weights = read_weights("sample_size")
    share = shares(weights.sums(stated.signs)[:, 0])[:-1].tolist()
    likely = share_by_value([str(count.value) for count in stated.numbers], share)
    value = likeliest(likely)
    if likely[value] < ENOUGH:
        return None
    best = max(range(len(share)), key=lambda at: (str(stated.numbers[at].value) == value, share[at]))
    return number_finding(stated.numbers[best])


def number_finding(count: StatedNumber) -> Finding:
    """The number with its evidence."""
    terms = count.terms or (count,)
    return Finding(count.value, tuple(map(evidence_for, terms)), is_derived=bool(count.terms))


def evidence_for(count: StatedNumber) -> Evidence:
    """The number with the noun that it counts, as a quote."""
    noun = noun_of(count)
    first, last = count.tokens[count.first], count.tokens[noun.at if noun else count.after - 1]
    return count.sentence.evidence(first.start, last.end)
