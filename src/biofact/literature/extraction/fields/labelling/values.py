"""The values of a field: mentions of one thing taken together, and how important each mention is to a reviewer."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from math import log
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from biofact.literature.extraction.fields.comparison import intervention
from biofact.literature.extraction.fields.labelling.chain import FIELDS, MOST_VALUE_WORDS, Array, Span, text_between
from biofact.literature.extraction.fields.labelling.signs import CONTROL, LongForm, long_forms
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import (
    ANIMALS,
    CASES,
    HARD_END,
    LOOSE_END,
    PEOPLE,
    STOP_WORDS,
    stem,
    words,
)

MOST_TIMES_WORDS = 2
"""A mention with more than this many times the words (and two) says something else as well."""
MOST_STEMMED = 10_000
"""Words whose stems are remembered."""
COMMON_WORDS = words(
    "group groups arm arms treatment therapy patients participants subjects control controls intervention condition"
)
"""Words that distinguish no values, unless a text has no others."""
WORD = re.compile(r"[^\s()\[\],;]+")
"""As in: low-dose aspirin."""
PART = re.compile(r"[^\W_]+")
"""As in: low-dose aspirin."""
SHORT_FORM_BEHIND = re.compile(r"\s?[(\[]([^\s()\[\]]{2,12})[)\]]")
"""As in: hand-foot syndrome (HFS)."""


@dataclass(slots=True)
class Value:
    """Mentions of one thing."""

    stems: frozenset[str]
    mentions: list[Span]
    wordings: list[frozenset[str]]
    """The stems of each mention."""

    @property
    def sureness(self) -> float:
        """The probability that the surest mention is of the field."""
        return max(mention.share for mention in self.mentions)


@dataclass(frozen=True)
class Values:
    """All values of an article."""

    by_field: Mapping[str, Sequence[Value]]
    sentences: int
    long_forms: Mapping[str, LongForm]
    wording_stems: frozenset[str]
    """The stems of the intervention by wording; none if wording finds none."""

    @cached_property
    def first(self) -> Mapping[str, tuple[int, int]]:
        """The first mention of each field: sentence and token."""
        return {
            field: min((mention.order, mention.first) for value in values for mention in value.mentions)
            for field, values in self.by_field.items()
        }


def values_of(document: Document, spans: Sequence[Span]) -> Values:
    """The values of each field; a mention joins the first whose words it has, or which has its words."""
    long = document.cached(long_forms)
    by_field: dict[str, list[Value]] = {}
    for span in spans:
        stems = _stems(span.text, long)
        if not stems:
            continue
        values = by_field.setdefault(span.field, [])
        value = next((value for value in values if _is_of(stems, value)), None)
        if value is None:
            values.append(Value(stems, [span], [stems]))
        else:
            value.mentions.append(span)
            value.wordings.append(stems)
            # a much fuller mention joins, but its words are not all of this value
            if len(stems) <= MOST_TIMES_WORDS * len(value.stems) + MOST_TIMES_WORDS:
                value.stems |= stems
    wording = document.cached(intervention)
    return Values(
        by_field, len(document.all_sentences), long, _stems(str(wording.value), long) if wording else frozenset()
    )


def _is_of(stems: frozenset[str], value: Value) -> bool:
    """Whether a mention has all words of one that the value has, or the other way round."""
    for wording in value.wordings:  # noqa: SIM110  # any() of a generator takes longer than the comparisons
        if stems <= wording or wording <= stems:
            return True
    return False


def _stems(text: str, long: Mapping[str, LongForm]) -> frozenset[str]:
    """The stems that distinguish a text, with short forms written out."""
    full_words = [long[word].text if word in long else word for word in WORD.findall(text)]
    stem_pairs = list(map(_stems_of_word, full_words))
    return frozenset().union(*(distinctive for distinctive, _ in stem_pairs)) or frozenset().union(
        *(all_stems for _, all_stems in stem_pairs)
    )


@lru_cache(maxsize=MOST_STEMMED)
def _stems_of_word(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """The distinctive stems of a word's parts, and all of them."""
    parts = PART.findall(word.lower())
    distinctive = {stem(part) for part in parts if not (part in STOP_WORDS or part in COMMON_WORDS or part.isdigit())}
    return frozenset(distinctive), frozenset(map(stem, parts))


def agrees_with_wording(stems: frozenset[str], values: Values) -> bool:
    """Whether the stems of a mention and of the intervention by wording contain each other, or share half.

    Two independent ways of reading are rarely wrong together.
    """
    wording = values.wording_stems
    shared = len(stems & wording)
    return bool(shared) and (stems <= wording or wording <= stems or 4 * shared >= len(stems) + len(wording))


def finding_of(span: Span, long: Mapping[str, LongForm]) -> Finding:
    """A mention as a value on its quote: a short form by its long one, a long form with the short one behind it."""
    text = span.text
    if (form := long.get(text) or long.get(text.removesuffix("s"))) and len(form.text.split()) <= MOST_VALUE_WORDS:
        start = form.start
        return _quoted(form.sentence.whole[start : start + len(form.text)], form.sentence, start)
    whole, first = span.sentence.whole, span.tokens[0].start
    start = whole.find(text, first)
    if start < 0:  # several blanks became one
        return Finding(text, (span.sentence.evidence(first, span.tokens[-1].end),))
    short_form = SHORT_FORM_BEHIND.match(whole, start + len(text))
    if short_form and short_form[1] in long and len(text.split()) < MOST_VALUE_WORDS:
        text = whole[start : short_form.end()]
    return _quoted(text, span.sentence, start)


def _quoted(text: str, sentence: Sentence, start: int) -> Finding:
    return Finding(text, (sentence.evidence(start, start + len(text)),))


ALLOCATION_WORDS = re.compile(
    r"(?i)\b(?:randomi[sz]|random(?:ly)? |assign|allocat|enrol|recruit|includ|receiv|eligib|participa|underwent"
    r"|treated)"
)
"""As in: were randomised."""
RESULT_WORDS = re.compile(r"(?i)\b(?:significant|p\s?[<=>]|versus|vs|higher|lower|improv|reduc|increas|decreas|differ)")
"""As in: significantly lower."""
VERSUS_WORDS = frozenset(("versus", "vs", "v", "than", "over"))
"""Words between two treatments: zinc versus placebo."""
COMPARISON_PHRASES = frozenset(("compared with", "compared to", "comparison with", "instead of", "rather than"))
"""Phrases between two treatments: zinc rather than placebo."""
SETTING_WORDS = words("receiving undergoing after following during treated underwent before despite on prior")
"""Women receiving chemotherapy."""
TEST_WORDS = words(
    "effect effects efficacy effectiveness safety role impact use benefit tolerability influence feasibility"
)
"""The effect of zinc."""
ARM_WORDS = words("group groups arm arms alone")
"""The zinc group."""
RELATIVE_WORDS = words("who whose with undergoing receiving aged treated having diagnosed")
"""Women who had surgery."""
NEAR_TOKENS, FAR_TOKENS = 3, 6
"""Tokens between a mention and a word that characterises it."""
SUBJECTS = PEOPLE | CASES | ANIMALS
METHODS = frozenset(("methods", "participants", "intervention", "outcome"))
ROLES = ("title", "objective", "methods", "results", "conclusions", "unlabelled")
IS_ROLE: Mapping[str, tuple[bool, ...]] = MappingProxyType({role: tuple(map(role.__eq__, ROLES)) for role in ROLES})
OTHER_ROLE = (False,) * len(ROLES)
"""The traits of each role, and those of one that is not among them."""
_SUREST = 0.999
_FULL = 12
"""Words beyond which a mention says no more."""
VALUE_TRAITS = (
    "always", "sureness", "mentions", *ROLES, "primary", "allocation", "significance", "earliness", "words",
    "subjects", "first", "elsewhere", "control", "versus before", "versus behind", "titled versus before",
    "titled versus behind", "begins the title", "background", "tested", "arms",
)  # fmt: skip
"""The traits of a value that have weights, in the order of ``value_traits``."""
MENTION_TRAITS = (
    "own share", "own words", *(f"own {role}" for role in ROLES), "own primary", "own allocation",
    "own significance", "own subjects", "own relative", "own short form", "own short forms", "own brackets",
    "own control", "own share of words", "worded", "unworded",
    "extended", "other arm",
)  # fmt: skip
"""The traits of a mention that have weights; all but the last four in the order of ``mention_traits``."""
TRAITS = (*VALUE_TRAITS, *MENTION_TRAITS)


class Facts(NamedTuple):
    """The facts about a mention."""

    role: str
    is_allocation: bool
    is_significance: bool
    has_subjects: bool
    is_relative: bool
    is_control: bool
    versus_before: bool
    versus_behind: bool
    is_setting: bool
    is_tested: bool
    is_arm: bool


def mention_facts(span: Span) -> Facts:
    """The facts about one mention."""
    _, sentence, order, first, after, *_ = span
    words = sentence.all_words
    words_before, own_words = words[max(0, first - FAR_TOKENS) : first], words[first:after]
    words_behind = words[after : after + NEAR_TOKENS]
    near_words, role = words_before[-NEAR_TOKENS:], sentence.role
    return Facts(
        "title" if order == 0 else "methods" if role in METHODS else role or "unlabelled",
        sentence.cached(_is_of_allocation),
        sentence.cached(_is_of_significance),
        not SUBJECTS.isdisjoint(map(head_of, own_words)),
        not RELATIVE_WORDS.isdisjoint(own_words),
        not CONTROL.isdisjoint(own_words),
        not VERSUS_WORDS.isdisjoint(near_words) or " ".join(words_before[-2:]) in COMPARISON_PHRASES,
        not VERSUS_WORDS.isdisjoint(words_behind) or " ".join(words_behind[:2]) in COMPARISON_PHRASES,
        not SETTING_WORDS.isdisjoint(near_words),
        not TEST_WORDS.isdisjoint(words_before),
        not ARM_WORDS.isdisjoint(words_behind[:1]),
    )


def facts_of_any(facts: Sequence[Facts]) -> Facts:
    """The facts that hold for any mention, with the section of the first."""
    if len(facts) == 1:
        return facts[0]
    roles, *claims = zip(*facts, strict=True)
    # the first mention's section, and what any of them shows
    return Facts(roles[0], *map(any, claims))


def _is_of_allocation(sentence: Sentence) -> bool:
    return sentence.search(ALLOCATION_WORDS) is not None


def _is_of_significance(sentence: Sentence) -> bool:
    return sentence.search(RESULT_WORDS) is not None


def value_traits(value: Value, facts: Sequence[Facts], field: str, values: Values) -> list[float]:
    """The amount of each trait that a value has."""
    mentions = value.mentions
    any_facts = facts_of_any(facts)
    roles = {fact.role for fact in facts}
    first = min((span.order, span.first) for span in mentions)
    title_facts = [fact for fact in facts if fact.role == "title"]
    return [
        1.0,
        _log_odds(value.sureness),
        log(len(mentions)),
        *map(roles.__contains__, ROLES),
        max(span.primary for span in mentions),
        any_facts.is_allocation,
        any_facts.is_significance,
        1 - first[0] / max(1, values.sentences),
        log(len(value.stems)),
        any_facts.has_subjects,
        first == values.first[field],
        _share_in_other_fields(value, field, values),
        any_facts.is_control,
        any_facts.versus_before,
        any_facts.versus_behind,
        any(fact.versus_before for fact in title_facts),
        any(fact.versus_behind for fact in title_facts),
        first == (0, 0),
        sum(fact.is_setting for fact in facts) / len(facts),
        sum(fact.is_tested for fact in facts) / len(facts),
        any_facts.is_arm,
    ]


def mention_traits(span: Span, facts: Facts, longest: int, long_forms: Mapping[str, object]) -> list[float]:
    """The amount of each trait that a mention has; ``longest``: words of the longest mention of its value."""
    text, parts = span.text, span.text.split()
    count = span.after - span.first
    return [
        _log_odds(span.share),
        log(min(_FULL, count)),
        *IS_ROLE.get(facts.role, OTHER_ROLE),
        span.primary,
        facts.is_allocation,
        facts.is_significance,
        facts.has_subjects,
        facts.is_relative,
        text in long_forms or text.isupper(),
        sum(part in long_forms for part in parts) / max(1, len(parts)),
        "(" in text,
        facts.is_control,
        min(1.0, count / longest),
    ]


def _share_in_other_fields(value: Value, field: str, values: Values) -> float:
    """The greatest probability with which another field has its words."""
    share = 0.0
    for name, field_values in values.by_field.items():
        for other_value in field_values if name != field else ():
            if shared := len(value.stems & other_value.stems):
                share = max(share, other_value.sureness * shared / len(value.stems))
    return share


def _log_odds(share: float) -> float:
    bounded = min(_SUREST, max(1 - _SUREST, share))
    return log(bounded / (1 - bounded))


OTHER_ARM: Mapping[str, str] = MappingProxyType({"comparator": "intervention"})
"""The field whose candidates count as well: only the whole article shows which of two treatments is compared."""
WORDED_FIELD = "intervention"
"""The field whose values are compared with the finding by wording, which takes little time."""
EXTENDED_FIELDS = frozenset(("population",))
"""Fields whose values often go on: women *scheduled for a second operation*."""
CLAUSE_END = words("were was received are is had has randomly randomized randomised to or")
"""Words at which an extended mention ends: adults with asthma *were* recruited."""
FEWEST_MORE = 2


class Candidate(NamedTuple):
    """A mention that can be the value of a field."""

    value: Value
    span: Span
    traits: list[float]
    is_of_other_arm: bool

    def finding(self, values: Values) -> Finding:
        """The mention as a value on its quote."""
        return finding_of(self.span, values.long_forms)


def candidates(values: Values) -> dict[str, list[Candidate]]:
    """The candidates of each field, value by value."""
    own_by_field = {field: list(own_candidates(values, field)) for field in FIELDS}
    return {
        field: [*own_by_field[field], *other_arm_candidates(own_by_field.get(OTHER_ARM.get(field, ""), ()))]
        for field in FIELDS
    }


def own_candidates(values: Values, field: str) -> Iterator[Candidate]:
    """The mentions of a field's values, and fuller forms of them."""
    for value in values.by_field.get(field, ()):
        facts_by_mention = [mention_facts(span) for span in value.mentions]
        traits_of_value = value_traits(value, facts_by_mention, field, values)
        longest = max(span.after - span.first for span in value.mentions)
        for span, facts, stems in zip(value.mentions, facts_by_mention, value.wordings, strict=True):
            # the last four of MENTION_TRAITS: worded, unworded, extended, other arm
            same_wording = float(field == WORDED_FIELD and agrees_with_wording(stems, values))
            no_wording = float(field == WORDED_FIELD and not values.wording_stems)
            forms = [(span, facts, (same_wording, no_wording, 0.0, 0.0))]
            longer = extended_span(span) if field in EXTENDED_FIELDS else None
            if longer is not None:
                forms = [] if is_bare(span) else forms  # adults alone say less than adults with asthma
                forms.append((longer, mention_facts(longer), (0.0, 0.0, 1.0, 0.0)))
            for form, form_facts, last_traits in forms:
                own_traits = mention_traits(form, form_facts, longest, values.long_forms)
                yield Candidate(value, form, [*traits_of_value, *own_traits, *last_traits], is_of_other_arm=False)


def is_bare(span: Span) -> bool:
    """Whether a mention of subjects does not distinguish them from others: adults."""
    return SUBJECTS.issuperset(map(head_of, span.sentence.all_words[span.first : span.after]))


def other_arm_candidates(intervention_candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates of the other arm's field, marked as such and without the traits of wording."""
    return (
        candidate._replace(traits=[*candidate.traits[:-4], 0.0, 0.0, 0.0, 1.0], is_of_other_arm=True)
        for candidate in intervention_candidates
    )


def extended_span(span: Span) -> Span | None:
    """The mention extended to the end of the clause; None if that adds hardly anything."""
    words = span.sentence.all_words
    after, last = span.after, min(len(words), span.first + MOST_VALUE_WORDS)
    while after < last and words[after] not in HARD_END and words[after] not in CLAUSE_END:
        after += 1
    while after > span.after and words[after - 1] in LOOSE_END:
        after -= 1
    if after - span.after < FEWEST_MORE:
        return None
    return span._replace(after=after, text=text_between(span.sentence, span.first, after))


def importances(traits: Sequence[Sequence[float]], field: str) -> list[float]:
    """The summed weights of each candidate's traits: the log odds that a reviewer would note it."""
    importance: list[float] = (np.array(traits, dtype=float) @ read_weights()[field]).tolist() if traits else []
    return importance


@cache
def read_weights() -> Mapping[str, Array]:
    """Weights of the traits, by field."""
    head, *lines = files(__package__).joinpath("values.tsv").read_text("utf-8").splitlines()
    rows = [[float(number) for number in line.split("\t")[1:]] for line in lines]
    return MappingProxyType(dict(zip(head.split("\t")[1:], np.array(rows).T, strict=True)))
