"""The size of a study: of all numbers in the article, the one with the likeliest signs.

Candidates are the whole numbers and sums of groups; each has signs, written by hand, and each sign has a weight, fitted
to labelled abstracts by ``tools/fit_weights.py`` and read from the table beside this file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, Self

from biofact.literature.extraction.fields import sample_size_rules
from biofact.literature.extraction.fields.field import COUNT, Column, Field
from biofact.literature.extraction.fields.labelling.weights import read_weights, shares
from biofact.literature.extraction.fields.participant_flow import (
    THINGS,
    Stage,
    is_total,
    planned_or_included,
    stage_of_value,
)
from biofact.literature.extraction.fields.sample_size_rules import whole_study
from biofact.literature.extraction.fields.study_type import BENCH, OBSERVED, SYNTHESES, TRIALS, likely_kind
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence, Token, word_of
from biofact.literature.extraction.text.numbers import all_number_places, whole_number
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import ANIMALS, CASES, HARD_END, PEOPLE, PROFESSIONALS, stem, words
from biofact.literature.records import Evidence

CONTEXT_KINDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(TRIALS, "trial"),
        **dict.fromkeys(SYNTHESES, "synthesis"),
        **dict.fromkeys(OBSERVED, "observed"),
        **dict.fromkeys(BENCH, "bench"),
        **dict.fromkeys(("review", "guideline"), "review"),
        "case report": "case",
        "qualitative study": "qualitative",
    }
)
"""Study types that are written alike; others are "other", and "none" where the type is unknown."""
WORD = re.compile(r"\w+")
"""As in: zinc and iron."""
FEWEST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class ArticleContext:
    """The kind of study of an article, and the stems of its parts."""

    study: str
    kind: str
    title: frozenset[str]
    headings: frozenset[str]
    words: frozenset[str]
    """The stems of title and abstract, including short ones."""

    def signs(self) -> Iterator[str]:
        """The signs of the article itself: whether it states such a value at all."""
        yield "nothing"
        yield f"nothing kind={self.kind}"
        yield f"nothing study={self.study}"
        yield f"nothing headings={bool(self.headings)}"
        yield from (f"nothing title={stem}" for stem in sorted(self.title))
        yield from (f"nothing word={stem}" for stem in self.words if len(stem) >= FEWEST_LETTERS)
        yield from (f"nothing heading={stem}" for stem in sorted(self.headings))


def context_of(document: Document) -> ArticleContext:
    """The context that all candidates of the article share."""
    finding = document.cached(likely_kind)
    study = str(finding.value) if finding else "none"
    article = document.article
    return ArticleContext(
        study=study,
        kind=CONTEXT_KINDS.get(study, "other" if finding else "none"),
        title=stems_of(token.word for token in document.title.tokens),
        headings=frozenset().union(*(stems(heading.name) for heading in article.mesh)),
        words=frozenset(map(stem, document.word_counts)),
    )


def stems(text: str) -> frozenset[str]:
    """The stems of a text's words of at least four letters."""
    return stems_of(WORD.findall(text.lower()))


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """The stems of the words of at least four letters."""
    return frozenset(stem(word) for word in words if len(word) >= FEWEST_LETTERS)


SUBJECTS = PEOPLE | CASES | ANIMALS | {"group", "groups"}
FARTHEST_SUBJECTS = 5
FARTHEST_GROUP = 14
"""Words between two groups that belong together."""
MOST_ARMS = 6
TWO, THREE = 2, 3
PART_OF_BEFORE = words("whom which these including remaining")
"""Words behind which a part of those before is counted: 900 were seen, of *whom* 310 were treated."""


class StatedNumber(NamedTuple):
    """A number that a sentence states, or the sum of several."""

    sentence: Sentence
    order: int
    """The index of the sentence; the title is 0."""
    tokens: Sequence[Token]
    """The tokens of the sentence, including those in brackets."""
    first: int
    after: int
    value: int
    terms: tuple["StatedNumber", ...] = ()
    """The numbers that it is the sum of."""
    sum_of: str = ""
    """The reason to add the terms as groups of one study."""


def stated_numbers(document: Document) -> Iterator[StatedNumber]:
    """Every number, then the sums, sentence by sentence; then those of cases and controls."""
    everything: list[StatedNumber] = []
    for order, sentence in enumerate(document.all_sentences):
        numbers = list(numbers_in(sentence, order))
        everything += [*numbers, *group_sums(numbers)]
    yield from everything
    yield from case_control_sums(everything)


def case_control_sums(numbers: Sequence[StatedNumber]) -> Iterator[StatedNumber]:
    """The sum of the first counts of cases and of controls near each other: 487 cases, and 4,752 controls."""
    nouns = [(count, noun_of(count)) for count in numbers if not count.terms]
    controls = [count for count, noun in nouns if noun is not None and noun.kind == "controls"]
    for control in controls[:TWO]:
        cases = [count for count, noun in nouns if noun is not None and noun.kind in {"people", "cases"}]
        near = [count for count in cases if abs(count.order - control.order) <= ACROSS_SENTENCES]
        sums = [{id(term) for term in count.terms} for count in numbers if count.terms]
        for count in near[:THREE]:
            if {id(count), id(control)} in sums:
                continue
            total = count.value + control.value
            yield count._replace(value=total, terms=(count, control), sum_of="cases and controls")


def numbers_in(sentence: Sentence, order: int) -> Iterator[StatedNumber]:
    """The numbers of a sentence."""
    tokens = sentence.all_tokens
    next_index = 0
    for index in all_number_places(sentence):
        number = whole_number(tokens, index) if index >= next_index else None
        if number is not None:
            value, next_index = number
            yield StatedNumber(sentence, order, tokens, index, next_index, value)


def group_sums(numbers: Sequence[StatedNumber]) -> Iterator[StatedNumber]:
    """The sum of all ``n =`` of a sentence; sums of two or three groups of people or animals side by side."""
    arms = [count for count in numbers if is_n(count)]
    if TWO <= len(arms) <= MOST_ARMS:
        yield number_sum(arms, "n =")
    groups = [count for count in numbers if is_of_subjects(count)]
    for pair in pairwise(groups):
        between = {token.word for token in pair[0].tokens[pair[0].after : pair[1].first]}
        is_repeated = pair[0].value == pair[1].value and is_n(pair[1])  # 120 adults (N = 120)
        if pair[1].first - pair[0].after < FARTHEST_GROUP and PART_OF_BEFORE.isdisjoint(between) and not is_repeated:
            yield number_sum(pair, "pair")
    if len(groups) == THREE:
        yield number_sum(groups, "three")


def number_sum(terms: Sequence[StatedNumber], sum_of: str) -> StatedNumber:
    """The sum of numbers, at the place of its terms."""
    first, last = terms[0], terms[-1]
    total = sum(term.value for term in terms)
    return first._replace(after=last.after, value=total, terms=tuple(terms), sum_of=sum_of)


def is_n(count: StatedNumber) -> bool:
    """Whether the number follows ``n =``."""
    tokens, first = count.tokens, count.first
    return first >= TWO and tokens[first - 1].word == "=" and tokens[first - 2].word == "n"


def is_of_subjects(count: StatedNumber) -> bool:
    """Whether a noun for people or animals follows shortly; of a number that may be a year, at once."""
    farthest = 1 if is_year(count.value) else FARTHEST_SUBJECTS
    tokens_behind = count.tokens[count.after : count.after + farthest]
    return not SUBJECTS.isdisjoint(map(head_of, map(word_of, tokens_behind)))


STUDIES = words("studies trials articles publications rcts papers reports")
"""Nouns for studies: 12 trials."""
CONTROLS = words("controls control")
NOUNS = (
    ("people", PEOPLE - CONTROLS),
    ("controls", CONTROLS),
    ("animals", ANIMALS),
    ("cases", CASES),
    ("studies", STUDIES),
    ("staff", PROFESSIONALS),
    ("things", THINGS - PEOPLE - CASES - ANIMALS),
)
"""Kinds of nouns that a number can count."""
KIND_OF_NOUN = {noun: kind for kind, nouns in reversed(NOUNS) for noun in nouns}
ACROSS_SENTENCES = 4
"""Sentences within which cases and their controls are counted."""
CUES = words(
    "total included enrolled recruited randomized randomised participated analyzed analysed completed consecutive"
    " assigned studied divided identified studies trials articles excluded screened died records respondents cohort"
    " sample matched controls control group groups underwent received retrospective retrospectively prospective"
    " eligible"
)
"""Words near a number that show its meaning: 120 were *enrolled*."""
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
    def from_counts(cls, counts: Sequence[StatedNumber]) -> "NumberRanks":
        """The ranks among these numbers."""
        values = [count.value for count in counts]
        ranked = sorted({value for value in values if not is_year(value)}, reverse=True)
        return cls(ranked, {value: values.count(value) for value in set(values)})


def is_year(value: int) -> bool:
    """Whether a number can be a year."""
    return FIRST_YEAR < value < LAST_YEAR


def number_signs(count: StatedNumber, article_context: ArticleContext, ranks: NumberRanks) -> list[str]:
    """All signs of one number."""
    context = NumberContext(count, article_context)
    return [*context.before_and_behind(), *context.size(ranks), *context.noun_signs(), *context.cues()]


class Noun(NamedTuple):
    """The noun that a number counts."""

    kind: str
    position: int
    """Index of its token."""


def noun_of(count: StatedNumber) -> Noun | None:
    """The first noun behind the number that is in the word lists."""
    last = min(len(count.tokens), count.after + FARTHEST_NOUN)
    for index in range(count.after, last):
        word = count.tokens[index].word
        if word in HARD_END:
            break
        if (kind := KIND_OF_NOUN.get(head_of(word))) is not None:
            return Noun(kind, index)
    return None


class NumberContext:
    """A number among the words of its sentence."""

    def __init__(self, count: StatedNumber, article_context: ArticleContext) -> None:
        self.count, self.tokens = count, count.tokens
        self.kind, self.study = article_context.kind, article_context.study
        self.role = "title" if count.order == 0 else count.sentence.role or "untold"
        self.third_previous, self.second_previous, self.previous = (
            self.word(count.first - distance) for distance in (3, 2, 1)
        )

    def word(self, index: int) -> str:
        """The word of a token; # for any number."""
        if not 0 <= index < len(self.tokens):
            return "^" if index < 0 else "$"
        word = self.tokens[index].word
        return "#" if word[0].isdigit() else word

    def before_and_behind(self) -> list[str]:
        """The nearest words."""
        third_previous, second_previous, previous = self.third_previous, self.second_previous, self.previous
        first, second, third = (self.word(self.count.after + distance) for distance in range(3))
        sentence, token = self.count.sentence, self.tokens[self.count.first]
        is_in_brackets = sentence.plain[token.start - sentence.start : token.end - sentence.start].isspace()
        return [
            f"2<{second_previous} {previous}",
            f"3<{third_previous} {second_previous} {previous}",
            f"1>{first}",
            f"2>{first} {second}",
            f"3>{first} {second} {third}",
            f"{previous} _ {first}",
            *word_signs(previous, self.count.sum_of, "in brackets" if is_in_brackets else ""),
            *place_signs(self.role, self.kind, self.count.sum_of),
        ]

    def size(self, ranks: NumberRanks) -> Iterator[str]:
        """The signs of its size, by itself and among the others."""
        value = self.count.value
        times = min(ranks.times[value], MOST_TIMES)
        rank = min(ranks.ranked.index(value), MOST_RANKS) if value in ranks.ranked else None
        yield from size_signs(self.kind, len(str(value)), value if value < SMALL else "no", times, rank)
        year = f"year={is_year(value)}"
        yield year
        yield f"{year} 1<{self.previous}"
        yield f"round={value > 0 and value % HUNDRED == 0}"

    def noun_signs(self) -> Iterator[str]:
        """The noun that the number counts."""
        counted_noun = noun_of(self.count)
        noun_sign = f"of={counted_noun.kind if counted_noun else 'nothing'}"
        yield from noun_signs(noun_sign, self.kind, self.study, self.role)
        yield f"1<{self.previous} {noun_sign}"
        yield f"2<{self.second_previous} {self.previous} {noun_sign}"
        if counted_noun:
            first, second = self.word(counted_noun.position + 1), self.word(counted_noun.position + 2)
            yield f"noun={self.word(counted_noun.position)}"
            yield f"noun after={counted_noun.position - self.count.after}"
            yield f"{noun_sign} 1>{first}"
            yield f"{noun_sign} 2>{first} {second}"
        end = self.tokens[self.count.after - 1].end - self.count.sentence.start
        text_behind = self.count.sentence.text[end : end + FARTHEST_PERCENT]
        if "%" in text_behind and PERCENT_BEHIND.match(text_behind):
            yield "percent"
            yield f"percent {noun_sign}"

    def cues(self) -> Iterator[str]:
        """Words near the number that indicate its meaning, and those of the whole sentence."""
        first, after = self.count.first, self.count.after
        words_before = map(word_of, self.tokens[max(0, first - FARTHEST_CUE) : first])
        words_behind = map(word_of, self.tokens[after : after + FARTHEST_CUE])
        yield from (f"cue<{word}" for word in CUES.intersection(words_before))
        yield from (f"cue>{word}" for word in CUES.intersection(words_behind))
        yield from self.count.sentence.cached(sentence_cues)


def sentence_cues(sentence: Sentence) -> list[str]:
    """The cues that all numbers of a sentence share."""
    return [f"cue={word}" for word in sentence.words & CUES]


@lru_cache(maxsize=10_000)
def word_signs(previous: str, sum_of: str, place: str) -> tuple[str, ...]:
    """The signs of the word before a number."""
    return f"1<{previous}", f"1<{previous} sum={sum_of}", f"1<{previous} {place}"


@lru_cache(maxsize=10_000)
def place_signs(role: str, kind: str, sum_of: str) -> tuple[str, ...]:
    """The signs of the section and the kind of study."""
    return f"sum={sum_of}", f"{role} sum={sum_of}", f"role={role}", f"kind={kind}", f"{kind} {role}"


@lru_cache(maxsize=10_000)
def size_signs(kind: str, digits: int, small: int | str, times: int, rank: int | None) -> tuple[str, ...]:
    """The signs of the size of a number and its rank among the others."""
    number_signs = (f"digits={digits}", f"{kind} digits={digits}", f"small={small}", f"times={times}")
    return number_signs if rank is None else (*number_signs, f"rank={rank}")


@lru_cache(maxsize=10_000)
def noun_signs(noun_sign: str, kind: str, study: str, role: str) -> tuple[str, ...]:
    """The signs of the noun that a number counts, in its study and section."""
    return noun_sign, f"{kind} {noun_sign}", f"{study} {noun_sign}", f"{role} {noun_sign}"


def share_by_value(values: Sequence[str], shares: Sequence[float]) -> dict[str, float]:
    """The probability of each value, summed over all its occurrences."""
    share_of: dict[str, float] = {}
    for value, share in zip(values, shares, strict=True):
        share_of[value] = share_of.get(value, 0.0) + share
    return share_of


def likeliest(share_of: Mapping[str, float]) -> str:
    """The first of the values that are the likeliest."""
    return max(share_of, key=lambda value: share_of[value])


MIN_SHARE = 0.5
"""The least probability of a value, at which ``tools/fit_weights.py`` finds nearly nine in ten right."""
SHORT = 400
"""Letters of an abstract, below which there is too little around a number to weigh it."""


@dataclass(frozen=True, slots=True)
class FlowSigns:
    """The stage of the people of each count in the flow of participants."""

    stages: Mapping[int, Stage]
    totals: frozenset[int]
    """Counts that are the sum of those behind them."""

    @classmethod
    def of(cls, document: Document) -> Self:
        """The signs of an article."""
        stages = document.cached(stage_of_value)
        return cls(stages, frozenset(value for value in stages if is_total(document, value)))

    def signs(self, count: StatedNumber) -> Iterator[str]:
        """The signs of a number, or of the terms of a sum."""
        stage = self._name(count.value)
        kind = count.sum_of or "one"
        furthest = max(self.stages.values(), default=None)
        yield f"stage={stage}"
        yield f"stage={stage}, {kind}"
        yield f"furthest={stage != 'none' and self.stages[count.value] == furthest}, {kind}"
        yield f"total={count.value in self.totals}"
        yield f"stage={stage}, total={count.value in self.totals}"
        if count.terms:
            nouns = [noun_of(term) for term in count.terms]
            yield f"terms={','.join(sorted({self._name(term.value) for term in count.terms}))}"
            yield f"terms of={','.join(sorted({noun.kind if noun else 'none' for noun in nouns}))}"

    def _name(self, value: int) -> str:
        stage = self.stages.get(value)
        return "none" if stage is None else stage.name.lower()


@dataclass(frozen=True, slots=True)
class NumberCandidates:
    """The numbers of an article, and their signs; the article's own signs come last."""

    numbers: list[StatedNumber]
    signs: list[set[str]]


def number_candidates(document: Document) -> NumberCandidates:
    """The numbers that can be the size of the study, with their signs."""
    context: ArticleContext = document.cached(context_of)
    counts = list(stated_numbers(document))
    ranks = NumberRanks.from_counts(counts)
    by_rules = document.cached(sample_size_rules.sample_size)
    flow_signs = FlowSigns.of(document)
    signs = [
        {
            *number_signs(count, context, ranks),
            *flow_signs.signs(count),
            *([f"said={count.value == by_rules.value}"] if by_rules else []),
        }
        for count in counts
    ]
    return NumberCandidates(counts, [*signs, {*context.signs(), *([] if by_rules else ["nothing said"])}])


def sample_size(document: Document) -> Finding | None:
    """How many people or animals were studied, or how many studies a review includes; sums are marked as derived."""
    size = document.cached(planned_or_included) or document.cached(likely_size)
    if size is not None and isinstance(size.value, int) and is_total(document, size.value):
        return size
    return whole_study(document, size)


def likely_size(document: Document) -> Finding | None:
    """The likeliest number, or sum of groups."""
    is_report = document.cached(context_of).kind == "case"
    # rules decide alone where there is little text around a number, and for a report's few patients
    if len(document.abstract) < SHORT or is_report:
        return document.cached(sample_size_rules.sample_size)
    candidates = document.cached(number_candidates)
    if not candidates.numbers:
        return None
    weights = read_weights("sample_size")
    # the last candidate is the article itself: none of its numbers
    sums = weights.sums(candidates.signs)[:, 0]
    share = shares(sums)[:-1].tolist()
    share_of_value = share_by_value([str(count.value) for count in candidates.numbers], share)
    value = likeliest(share_of_value)
    if share_of_value[value] < MIN_SHARE:
        return None
    index = max(range(len(share)), key=lambda index: (str(candidates.numbers[index].value) == value, share[index]))
    best = candidates.numbers[index]
    return Finding(best.value, tuple(map(number_evidence, best.terms or (best,))), is_derived=bool(best.terms))


def number_evidence(count: StatedNumber) -> Evidence:
    """The number with the noun that it counts, as a quote."""
    noun = noun_of(count)
    first, last = count.tokens[count.first], count.tokens[noun.position if noun else count.after - 1]
    return count.sentence.evidence(first.start, last.end)


def counts_subjects(document: Document) -> bool:
    """Whether the article counts any people, animals, cases or studies."""
    nouns = (noun_of(count) for count in stated_numbers(document) if count.sentence.role != "background")
    return any(noun is not None and noun.kind not in {"things", "staff"} for noun in nouns)


SAMPLE_SIZE = Field(
    name="sample_size",
    find=sample_size,
    has_candidates=counts_subjects,
    names=("cohort_size study_size n sample_n total_n n_total sample_count population_size size_of_sample"),
    kinds=COUNT,
    unit="people or animals; studies, of a review",
    is_of_study=True,
    label="Sample size",
    column=Column(
        2, "integer", 0.125, MappingProxyType({"name": "log_scale", "low": 10, "high": 10_000}), "Design", "n = "
    ),
)
