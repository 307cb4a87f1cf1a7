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

FULLER = 2
"""A mention with more than so many times the words (and two) says something else beside."""
KNOWN = 10_000
"""Words whose stems are remembered."""
COMMON_WORDS = words(
    "group groups arm arms treatment therapy patients participants subjects control controls intervention condition"
)
"""Words that tell no two values apart, unless there are no others."""
WORD = re.compile(r"[^\s()\[\],;]+")
"""As in: aspirin."""
PART = re.compile(r"[^\W_]+")
"""As in: low."""
SHORT_FORM_BEHIND = re.compile(r"\s?[(\[]([^\s()\[\]]{2,12})[)\]]")
"""As in: (HFS)."""


@dataclass(slots=True)
class Value:
    """Mentions of one thing."""

    stems: frozenset[str]
    mentions: list[Span]
    wordings: list[frozenset[str]]
    """The stems of each mention."""

    @property
    def sureness(self) -> float:
        """How likely the surest mention is of the field."""
        return max(each.share for each in self.mentions)


@dataclass(frozen=True)
class Values:
    """All values of an article."""

    by_field: Mapping[str, Sequence[Value]]
    sentences: int
    long_forms: Mapping[str, LongForm]
    worded: frozenset[str]
    """The stems of the intervention as its wording tells it; none where it does not."""

    @cached_property
    def first(self) -> Mapping[str, tuple[int, int]]:
        """Where each field is first mentioned: sentence and token."""
        return {
            field: min((each.order, each.first) for value in values for each in value.mentions)
            for field, values in self.by_field.items()
        }


def values_of(document: Document, spans: Sequence[Span]) -> Values:
    """The values of each field; a mention joins the first whose words it has, or which has its words."""
    long = document.cached(long_forms)
    found: dict[str, list[Value]] = {}
    for span in spans:
        stems = _stems(span.text, long)
        if not stems:
            continue
        values = found.setdefault(span.field, [])
        same = next((value for value in values if _is_of(stems, value)), None)
        if same is None:
            values.append(Value(stems, [span], [stems]))
        else:
            same.mentions.append(span)
            same.wordings.append(stems)
            if len(stems) <= FULLER * len(same.stems) + FULLER:
                same.stems |= stems
    worded = document.cached(intervention)
    return Values(found, len(document.all_sentences), long, _stems(str(worded.value), long) if worded else frozenset())


def _is_of(stems: frozenset[str], value: Value) -> bool:
    """Whether a mention has all words of one that the value has, or the other way round."""
    for wording in value.wordings:  # noqa: SIM110  # any() of a generator takes longer than the comparisons
        if stems <= wording or wording <= stems:
            return True
    return False


def _stems(text: str, long: Mapping[str, LongForm]) -> frozenset[str]:
    """The stems that tell it apart, short forms written out."""
    written_out = [long[word].text if word in long else word for word in WORD.findall(text)]
    each = list(map(_stems_of_word, written_out))
    return frozenset().union(*(kept for kept, _ in each)) or frozenset().union(*(every for _, every in each))


@lru_cache(maxsize=KNOWN)
def _stems_of_word(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of its parts that tell something apart, and all of them."""
    each = PART.findall(word.lower())
    kept = {stem(part) for part in each if not (part in STOP_WORDS or part in COMMON_WORDS or part.isdigit())}
    return frozenset(kept), frozenset(map(stem, each))


def is_worded(own: frozenset[str], values: Values) -> bool:
    """Whether stems of a mention hold those by which wording tells the intervention, or they them, or half are common.

    Two ways of reading that know nothing of each other are seldom wrong together.
    """
    worded = values.worded
    shared = len(own & worded)
    return bool(shared) and (own <= worded or worded <= own or 4 * shared >= len(own) + len(worded))


def finding_of(span: Span, long: Mapping[str, LongForm]) -> Finding:
    """A mention as a value on its quote: a short form by its long one, a long form with the short one behind it."""
    text = span.text
    if (form := long.get(text) or long.get(text.removesuffix("s"))) and len(form.text.split()) <= MOST_VALUE_WORDS:
        start = form.start
        return _quoted(form.sentence.whole[start : start + len(form.text)], form.sentence, start)
    whole, first = span.sentence.whole, span.tokens[0].start
    start = whole.find(text, first)
    if start < 0:  # blanks were made one
        return Finding(text, (span.sentence.evidence(first, span.tokens[-1].end),))
    behind = SHORT_FORM_BEHIND.match(whole, start + len(text))
    if behind and behind[1] in long and len(text.split()) < MOST_VALUE_WORDS:
        text = whole[start : behind.end()]
    return _quoted(text, span.sentence, start)


def _quoted(text: str, sentence: Sentence, start: int) -> Finding:
    return Finding(text, (sentence.evidence(start, start + len(text)),))


ALLOCATION = re.compile(
    r"(?i)\b(?:randomi[sz]|random(?:ly)? |assign|allocat|enrol|recruit|includ|receiv|eligib|participa|underwent"
    r"|treated)"
)
"""As in: were randomised."""
SIGNIFICANCE = re.compile(r"(?i)\b(?:significant|p\s?[<=>]|versus|vs|higher|lower|improv|reduc|increas|decreas|differ)")
"""As in: significantly lower."""
VERSUS = frozenset(("versus", "vs", "v", "than", "over"))
COMPARED = frozenset(("compared with", "compared to", "comparison with", "instead of", "rather than"))
BACKGROUND = words("receiving undergoing after following during treated underwent before despite on prior")
"""Women receiving chemotherapy."""
TESTED = words(
    "effect effects efficacy effectiveness safety role impact use benefit tolerability influence feasibility"
)
"""The effect of zinc."""
ARMS = words("group groups arm arms alone")
"""The zinc group."""
RELATIVE = words("who whose with undergoing receiving aged treated having diagnosed")
"""Women who had surgery."""
NEAR, FAR = 3, 6
"""Tokens between a mention and the word that tells something of it."""
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
"""What is weighed of a value, in the order of ``value_traits``."""
MENTION_TRAITS = (
    "own share", "own words", *(f"own {role}" for role in ROLES), "own primary", "own allocation",
    "own significance", "own subjects", "own relative", "own short form", "own short forms", "own brackets",
    "own control", "own share of words", "worded", "unworded",
    "extended", "other arm",
)  # fmt: skip
"""What is weighed of a mention of it; all but the last four in the order of ``mention_traits``."""
TRAITS = (*VALUE_TRAITS, *MENTION_TRAITS)


class Facts(NamedTuple):
    """What is known of a mention."""

    role: str
    is_allocation: bool
    is_significance: bool
    has_subjects: bool
    is_relative: bool
    is_control: bool
    versus_before: bool
    versus_behind: bool
    background: bool
    tested: bool
    arms: bool


def facts(span: Span) -> Facts:
    """Those of one mention."""
    _, sentence, order, first, after, *_ = span
    among = sentence.all_words
    before, behind, own = among[max(0, first - FAR) : first], among[after : after + NEAR], among[first:after]
    near, role = before[-NEAR:], sentence.role
    return Facts(
        "title" if order == 0 else "methods" if role in METHODS else role or "unlabelled",
        sentence.cached(_is_of_allocation),
        sentence.cached(_is_of_significance),
        not SUBJECTS.isdisjoint(map(head_of, own)),
        not RELATIVE.isdisjoint(own),
        not CONTROL.isdisjoint(own),
        not VERSUS.isdisjoint(near) or " ".join(before[-2:]) in COMPARED,
        not VERSUS.isdisjoint(behind) or " ".join(behind[:2]) in COMPARED,
        not BACKGROUND.isdisjoint(near),
        not TESTED.isdisjoint(before),
        not ARMS.isdisjoint(behind[:1]),
    )


def facts_of_any(each: Sequence[Facts]) -> Facts:
    """What holds of one mention or another; in the section of the first."""
    if len(each) == 1:
        return each[0]
    roles, *claims = zip(*each, strict=True)
    return Facts(roles[0], *map(any, claims))


def _is_of_allocation(sentence: Sentence) -> bool:
    return sentence.search(ALLOCATION) is not None


def _is_of_significance(sentence: Sentence) -> bool:
    return sentence.search(SIGNIFICANCE) is not None


def value_traits(value: Value, each: Sequence[Facts], field: str, among: Values) -> list[float]:
    """How much of each trait a value has."""
    mentions = value.mentions
    some = facts_of_any(each)
    roles = {one.role for one in each}
    first = min((span.order, span.first) for span in mentions)
    titled = [one for one in each if one.role == "title"]
    return [
        1.0,
        _log_odds(value.sureness),
        log(len(mentions)),
        *map(roles.__contains__, ROLES),
        max(span.primary for span in mentions),
        some.is_allocation,
        some.is_significance,
        1 - first[0] / max(1, among.sentences),
        log(len(value.stems)),
        some.has_subjects,
        first == among.first[field],
        _elsewhere(value, field, among),
        some.is_control,
        some.versus_before,
        some.versus_behind,
        any(one.versus_before for one in titled),
        any(one.versus_behind for one in titled),
        first == (0, 0),
        sum(one.background for one in each) / len(each),
        sum(one.tested for one in each) / len(each),
        some.arms,
    ]


def mention_traits(span: Span, own: Facts, most: int, long: Mapping[str, object]) -> list[float]:
    """How much of each trait a mention has; ``most``: words of the longest mention of its value."""
    text, parts = span.text, span.text.split()
    count = span.after - span.first
    return [
        _log_odds(span.share),
        log(min(_FULL, count)),
        *IS_ROLE.get(own.role, OTHER_ROLE),
        span.primary,
        own.is_allocation,
        own.is_significance,
        own.has_subjects,
        own.is_relative,
        text in long or text.isupper(),
        sum(part in long for part in parts) / max(1, len(parts)),
        "(" in text,
        own.is_control,
        min(1.0, count / most),
    ]


def _elsewhere(value: Value, field: str, among: Values) -> float:
    """How surely another field has its words."""
    most = 0.0
    for name, others in among.by_field.items():
        for other in others if name != field else ():
            if shared := len(value.stems & other.stems):
                most = max(most, other.sureness * shared / len(value.stems))
    return most


def _log_odds(share: float) -> float:
    bounded = min(_SUREST, max(1 - _SUREST, share))
    return log(bounded / (1 - bounded))


OTHER_ARM: Mapping[str, str] = MappingProxyType({"comparator": "intervention"})
"""Of two treatments that are compared, which is which is often decided by the article as a whole."""
WORDED = "intervention"
"""The field whose values are compared with what wording finds, which takes little time."""
EXTENDED = frozenset(("population",))
"""Fields whose values are often told on: women *scheduled for a second operation*."""
CLAUSE_END = words("were was received are is had has randomly randomized randomised to or")
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
    """Those of each field, value by value."""
    own = {field: list(own_candidates(values, field)) for field in FIELDS}
    return {field: [*own[field], *of_other_arm(own.get(OTHER_ARM.get(field, ""), ()))] for field in FIELDS}


def own_candidates(values: Values, field: str) -> Iterator[Candidate]:
    """The mentions of a field's values, and fuller forms of them."""
    for value in values.by_field.get(field, ()):
        each = [facts(span) for span in value.mentions]
        whole = value_traits(value, each, field, values)
        most = max(span.after - span.first for span in value.mentions)
        for span, own, stems in zip(value.mentions, each, value.wordings, strict=True):
            worded = worded_traits(stems, field, values)
            longer = extended(span) if field in EXTENDED else None
            if longer is None or not is_bare(span):
                traits = [*whole, *mention_traits(span, own, most, values.long_forms), *worded, 0.0, 0.0]
                yield Candidate(value, span, traits, is_of_other_arm=False)
            if longer is not None:
                traits = [*whole, *mention_traits(longer, facts(longer), most, values.long_forms), 0.0, 0.0, 1.0, 0.0]
                yield Candidate(value, longer, traits, is_of_other_arm=False)


def worded_traits(stems: frozenset[str], field: str, values: Values) -> tuple[float, float]:
    """Whether wording tells the intervention so, and whether it tells none."""
    if field != WORDED:
        return 0.0, 0.0
    return float(is_worded(stems, values)), float(not values.worded)


def is_bare(span: Span) -> bool:
    """Whether a mention of subjects does not tell them from others: adults."""
    return SUBJECTS.issuperset(map(head_of, span.sentence.all_words[span.first : span.after]))


def of_other_arm(own: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates of the other arm's field, marked as such; how wording tells the intervention is nothing to it."""
    return (each._replace(traits=[*each.traits[:-4], 0.0, 0.0, 0.0, 1.0], is_of_other_arm=True) for each in own)


def extended(span: Span) -> Span | None:
    """The mention with what follows up to the end of the clause; nothing where that is hardly more."""
    among = span.sentence.all_words
    after, most = span.after, min(len(among), span.first + MOST_VALUE_WORDS)
    while after < most and among[after] not in HARD_END and among[after] not in CLAUSE_END:
        after += 1
    while after > span.after and among[after - 1] in LOOSE_END:
        after -= 1
    if after - span.after < FEWEST_MORE:
        return None
    return span._replace(after=after, text=text_between(span.sentence, span.first, after))


def importances(traits: Sequence[Sequence[float]], field: str) -> list[float]:
    """What the traits of each candidate weigh together: the log odds that a reviewer would note it."""
    weighed: list[float] = (np.array(traits, dtype=float) @ read_weights()[field]).tolist() if traits else []
    return weighed


@cache
def read_weights() -> Mapping[str, Array]:
    """Weights of the traits, by field."""
    head, *lines = files(__package__).joinpath("values.tsv").read_text("utf-8").splitlines()
    rows = [[float(number) for number in line.split("\t")[1:]] for line in lines]
    return MappingProxyType(dict(zip(head.split("\t")[1:], np.array(rows).T, strict=True)))
