"""The signs of a number: what it counts, how large it is beside others, and its context."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, HARD_END, PEOPLE, PROFESSIONALS, words
from biofact.literature.extraction.rules.weighted.counts import StatedNumber
from biofact.literature.extraction.rules.weighted.surroundings import Surroundings, crossed

STUDIES = words("studies trials articles publications rcts papers reports")
NOUNS = (("people", PEOPLE), ("animals", ANIMALS), ("cases", CASES), ("studies", STUDIES), ("staff", PROFESSIONALS))
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


def signs(count: StatedNumber, around: Surroundings, among: NumberRanks) -> Iterator[str]:
    """Everything about one number."""
    at = NumberContext(count, around)
    yield from at.before_and_behind()
    yield from at.size(among)
    yield from at.noun_signs()
    yield from at.cues()


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
        for kind, nouns in NOUNS:
            if head_of(word) in nouns:
                return Noun(kind, at)
    return None


class NumberContext:
    """A number among the words of its sentence."""

    def __init__(self, count: StatedNumber, around: Surroundings) -> None:
        self.count, self.tokens = count, count.tokens
        self.kind, self.study = around.kind, around.study
        self.role = "title" if count.order == 0 else count.sentence.role or "untold"

    def word(self, at: int) -> str:
        """That of a token; # for any number."""
        if not 0 <= at < len(self.tokens):
            return "^" if at < 0 else "$"
        word = self.tokens[at].word
        return "#" if word[0].isdigit() else word

    def before_and_behind(self) -> Iterator[str]:
        """The nearest words."""
        three, two, one = (self.word(self.count.first - back) for back in (3, 2, 1))
        behind = [self.word(self.count.after + ahead) for ahead in range(3)]
        yield f"1<{one}"
        yield f"2<{two} {one}"
        yield f"3<{three} {two} {one}"
        yield f"1>{behind[0]}"
        yield f"2>{' '.join(behind[:2])}"
        yield f"3>{' '.join(behind)}"
        yield f"{one} _ {behind[0]}"
        yield from crossed(f"sum={self.count.sum_of}", self.role, f"1<{one}")
        yield f"1<{one} {'in brackets' if self.is_in_brackets() else ''}"
        yield f"role={self.role}"
        yield f"kind={self.kind}"
        yield f"{self.kind} {self.role}"

    def is_in_brackets(self) -> bool:
        """Whether the number is an aside."""
        sentence, token = self.count.sentence, self.tokens[self.count.first]
        return sentence.plain[token.start - sentence.start : token.end - sentence.start].isspace()

    def size(self, among: NumberRanks) -> Iterator[str]:
        """How large it is, by itself and beside the others."""
        value = self.count.value
        digits = len(str(value))
        yield from crossed(f"digits={digits}", self.kind)
        yield f"small={value if value < SMALL else 'no'}"
        yield f"year={is_year(value)}"
        yield f"year={is_year(value)} 1<{self.word(self.count.first - 1)}"
        yield f"round={value > 0 and value % HUNDRED == 0}"
        if value in among.ranked:
            yield f"rank={min(among.ranked.index(value), MOST_RANKS)}"
        yield f"times={min(among.times[value], MOST_TIMES)}"

    def noun_signs(self) -> Iterator[str]:
        """The noun that the number counts."""
        counted_noun = noun_of(self.count)
        noun = counted_noun.kind if counted_noun else "nothing"
        one, two = self.word(self.count.first - 1), self.word(self.count.first - 2)
        yield from crossed(f"of={noun}", self.kind, self.study, self.role, f"1<{one}", f"2<{two} {one}")
        if counted_noun:
            yield f"noun={self.word(counted_noun.at)}"
            yield f"noun after={counted_noun.at - self.count.after}"
            yield f"of={noun} 1>{self.word(counted_noun.at + 1)}"
            yield f"of={noun} 2>{self.word(counted_noun.at + 1)} {self.word(counted_noun.at + 2)}"
        end = self.tokens[self.count.after - 1].end - self.count.sentence.start
        if PERCENT_BEHIND.match(self.count.sentence.text[end : end + FARTHEST_PERCENT]):
            yield "percent"
            yield f"percent of={noun}"

    def cues(self) -> Iterator[str]:
        """Words that indicate the topic of the sentence."""
        first, after = self.count.first, self.count.after
        before = {token.word for token in self.tokens[max(0, first - FARTHEST_CUE) : first]}
        behind = {token.word for token in self.tokens[after : after + FARTHEST_CUE]}
        yield from (f"cue<{word}" for word in before & CUES)
        yield from (f"cue>{word}" for word in behind & CUES)
        yield from (f"cue={word}" for word in self.count.sentence.words & CUES)
