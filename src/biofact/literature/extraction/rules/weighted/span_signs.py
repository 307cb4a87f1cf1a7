"""The signs of a noun phrase: what it is, where it occurs, and its context. Each is a text with a weight."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from biofact.literature.extraction.rules.kinds_of_noun import is_disease_noun, is_treatment_noun
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import ANIMALS, DETERMINERS, HARD_END, PEOPLE, words
from biofact.literature.extraction.rules.weighted.spans import PhraseSpan
from biofact.literature.extraction.rules.weighted.surroundings import Surroundings, crossed, stems_of
from biofact.literature.extraction.rules.weighted.verbs import BREAKS, JOINTS
from biofact.literature.extraction.stems import stem

MEASURE = re.compile(
    r"(?:mortality|survival|incidence|prevalence|rates?|risks?|scores?|levels?|quality|time|severity|recurrence"
    r"|outcomes?|function|expression|activity|concentrations?|pressure|efficacy|effectiveness|safety|adherence"
    r"|satisfaction|accuracy|symptoms?|knowledge|attitudes|perceptions|performance|growth|response|progression|index"
    r"|volume|density|weight|intake|duration|frequency|complications?|events?|deaths?|remission|failure|success|length"
    r"|stay|healing|sensitivity|specificity|burden|costs?|prognosis|proliferation|apoptosis)"
)
"""As in: mortality."""
GENERAL = re.compile(
    r"(?:stud(?:y|ies)|trials?|reviews?|analys[ei]s|data|methods?|results?|literature|hypothesis|groups?|evidence"
    r"|effects?|roles?|impact|purpose|aims?|objectives?|use|patients|model|approach|months?|years?|weeks?|days?"
    r"|baseline|findings?|p|n|age|mean|median|significance|comparison|differences?)"
)
"""As in: baseline."""
CONTROL = words(
    "lowest reference placebo control controls sham usual standard conventional traditional routine no without"
    " untreated healthy normal vehicle wild-type unexposed alone monotherapy waiting saline inactive lower low other"
)
CUES_BEFORE = words(
    "primary secondary outcome outcomes endpoint compared versus randomized randomised randomly effect effects"
    " association efficacy received treated whether aim objective impact risk role factors measured relationship"
    " placebo controls control"
)
CUES_BEHIND = words("compared versus vs or on for in and than with to group arm associated patients")
FARTHEST_BEFORE, FARTHEST_BEHIND = 12, 8
NEAR_BEFORE, NEAR_BEHIND = 4, 1
MOST_LENGTH, MOST_TIMES = 8, 5
FRAME_WORDS = 3
"""Words of form on each side: effect _ of X on _."""
HALF = 0.5


@lru_cache(maxsize=20_000)
def sort_of(word: str) -> str:
    """What kinds of noun, or of form, a word is."""
    sorts = (
        ("treatment", is_treatment_noun(word)),
        ("disease", is_disease_noun(word)),
        ("people", head_of(word) in PEOPLE),
        ("animals", word in ANIMALS),
        ("measure", MEASURE.fullmatch(word) is not None),
        ("general", GENERAL.fullmatch(word) is not None),
        ("-ing", word.endswith("ing")),
        ("-ed", word.endswith("ed")),
        ("-ly", word.endswith("ly")),
    )
    return "+".join(name for name, holds in sorts if holds) or "-"


def signs(document: Document, around: Surroundings, span: PhraseSpan) -> Iterator[str]:
    """Everything about one phrase."""
    at = PhraseContext(document, around, span)
    yield from at.before_and_behind()
    yield from at.frame()
    yield from at.head_signs()
    yield from at.shape()
    yield from at.record_signs(around)
    yield from at.cues()


def agreement_signs(value: str, by_rules: Mapping[str, str]) -> Iterator[str]:
    """How a phrase is related to what the rules of each field read."""
    for name, other in by_rules.items():
        if value == other:
            yield f"said: {name}"
        elif other in value:
            yield f"holds what is said: {name}"
        elif value in other:
            yield f"within what is said: {name}"


class PhraseContext:
    """A phrase among the words of its sentence."""

    def __init__(self, document: Document, around: Surroundings, span: PhraseSpan) -> None:
        self.tokens = span.sentence.tokens
        self.first, self.after = span.first, span.after
        self.words = span.words
        self.role = span.sentence.role or "untold"
        self.kind = around.kind
        last = len(document.all_sentences) - 1
        self.order = {0: "title", 1: "first", last: "last"}.get(span.order, "middle")
        self.head = head_word(self.words)
        self.sort = sort_of(self.head)
        self.stems = stems_of(self.words)

    def word(self, at: int) -> str:
        """That of a token; the sentence begins with ^ and ends with $."""
        return "^" if at < 0 else "$" if at >= len(self.tokens) else self.tokens[at].word

    def before_and_behind(self) -> Iterator[str]:
        """The nearest words."""
        at = self.first - 1
        while at >= 0 and self.tokens[at].word in DETERMINERS:
            at -= 1
        one, two, three = (self.word(at - back) for back in range(3))
        behind, next_behind = self.word(self.after), self.word(self.after + 1)
        yield from crossed(f"1<{one}", self.role, self.kind, self.sort)
        yield from crossed(f"2<{two} {one}", self.role)
        yield f"3<{three} {two} {one}"
        yield from crossed(f"1>{behind}", self.role, self.kind, self.sort)
        yield f"2>{behind} {next_behind}"
        if at < self.first - 1:
            yield f"determiner={self.word(self.first - 1)}"
        if at >= 0 and one in HARD_END:
            yield f"{self.role} after a stop"

    def frame(self) -> Iterator[str]:
        """The nearest words of form, whatever lies between: of _ on, between _ and."""
        before = self.form_words(range(self.first - 1, -1, -1), "^")
        behind = self.form_words(range(self.after, len(self.tokens)), "$")
        yield f"{self.role} f2<{before[1]} {before[0]}"
        yield f"{self.role} f3<{before[2]} {before[1]} {before[0]}"
        yield f"{self.role} f2>{behind[0]} {behind[1]}"
        yield f"{self.role} {before[0]} _ {behind[0]}"
        yield f"{self.role} {before[1]} {before[0]} _ {behind[0]} {behind[1]}"
        yield f"{self.sort} {before[0]} _ {behind[0]}"
        yield f"{self.kind} {self.role} {before[0]} _ {behind[0]}"

    def form_words(self, places: range, edge: str) -> list[str]:
        """The first three of these that are no part of a noun phrase."""
        results: list[str] = []
        for at in places:
            word = self.tokens[at].word
            if (word in BREAKS or word in HARD_END) and word not in DETERMINERS:
                results.append(word)
                if len(results) == FRAME_WORDS:
                    break
        return results + [edge] * (FRAME_WORDS - len(results))

    def head_signs(self) -> Iterator[str]:
        """The head noun, and the section it occurs in."""
        yield f"head={self.head}"
        yield f"ending={self.head[-4:]}"
        yield f"ending={self.head[-3:]}"
        yield f"sort={self.sort}"
        yield f"last sort={sort_of(self.words[-1])}"
        yield f"{self.sort} to {sort_of(self.words[-1])}"
        yield f"{self.role} {self.sort}"
        yield f"{self.kind} {self.sort}"
        yield f"{self.kind} {self.role} {self.sort}"
        yield f"role={self.role}"
        yield f"order={self.order}"
        yield f"kind={self.kind}"
        yield f"{self.kind} {self.role}"

    def shape(self) -> Iterator[str]:
        """How long it is, how it is joined, what it holds."""
        joints = [word for word in self.words if word in JOINTS]
        yield f"length={min(len(self.words), MOST_LENGTH)}"
        yield f"joints={' '.join(joints[:2])}"
        yield f"joint count={len(joints)}"
        yield f"1<{self.word(self.first - 1)} {' '.join(joints[:1])}"
        yield f"begins={self.words[0]}"
        yield from (f"holds={word}" for word in set(self.words))
        if self.words[0][0].isdigit():
            yield "begins with a number"
        if any(word[0].isdigit() for word in self.words):
            yield "a number"
        if not CONTROL.isdisjoint(self.words):
            yield from crossed("control", self.role, f"1<{self.word(self.first - 1)}")
        if all(word in JOINTS or GENERAL.fullmatch(word) for word in self.words):
            yield "all general"
        yield from (f"holds {sort}" for sort in {sort_of(word) for word in self.words} - {"-"})

    def record_signs(self, around: Surroundings) -> Iterator[str]:
        """What else of the article names the same."""
        for name, stems in (
            ("heading", around.headings),
            ("major heading", around.major),
            ("substance", around.substances),
            ("keyword", around.keywords),
        ):
            if not self.stems.isdisjoint(stems):
                yield from crossed(name, self.kind)
        if self.stems and self.stems <= around.headings:
            yield "all headings"
        for meaning, stems in around.qualified.items():
            if not self.stems.isdisjoint(stems):
                yield from crossed(f"heading {meaning}", self.kind, self.order)
        share = len(self.stems & around.title) / max(1, len(self.stems))
        yield f"title={'all' if share == 1 else 'most' if share >= HALF else 'some' if share else 'none'}"
        if self.order != "title":
            yield f"{self.sort} {'in title' if share >= HALF else 'not in title'}"
        times = min(around.counts.get(stem(self.head), 0), MOST_TIMES)
        yield from crossed(f"times={times}", self.sort)

    def cues(self) -> Iterator[str]:
        """Words within some distance that indicate the topic of the sentence."""
        before = range(self.first - 1, max(-1, self.first - 1 - FARTHEST_BEFORE), -1)
        behind = range(self.after, min(len(self.tokens), self.after + FARTHEST_BEHIND))
        for cue, away in self.nearest(CUES_BEFORE, before):
            yield f"cue<{cue}"
            yield f"{self.role} cue<{cue} {'near' if away < NEAR_BEFORE else 'far'}"
        for cue, away in self.nearest(CUES_BEHIND, behind):
            yield f"cue>{cue}"
            yield f"{self.role} cue>{cue} {'near' if away <= NEAR_BEHIND else 'far'}"

    def nearest(self, cues: Collection[str], places: Sequence[int]) -> Iterator[tuple[str, int]]:
        """Each cue among these tokens, and how far it is; the nearest of each."""
        seen: set[str] = set()
        for away, at in enumerate(places):
            word = self.tokens[at].word
            if word in cues and word not in seen:
                seen.add(word)
                yield word, away


def head_word(each: Sequence[str]) -> str:
    """The last word of the first plain phrase: therapy in exercise therapy for back pain."""
    head = each[0]
    for word in each[1:]:
        if word in BREAKS or word in HARD_END:
            break
        head = word
    return head
