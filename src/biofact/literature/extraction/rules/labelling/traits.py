"""What speaks for a mention to be what a reviewer would note: where it stands, and in what words."""

import re
from collections.abc import Mapping, Sequence
from math import log
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.rules.labelling.spans import Span
from biofact.literature.extraction.rules.labelling.values import Value, Values
from biofact.literature.extraction.rules.labelling.word_lists import CONTROL
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Sentence
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, PEOPLE, words

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
        sentence.once(_is_of_allocation),
        sentence.once(_is_of_significance),
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
