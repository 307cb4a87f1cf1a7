"""The fields that are chosen by weight, as findings."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules import comparison
from biofact.literature.extraction.rules import outcome as outcomes
from biofact.literature.extraction.rules import population as populations
from biofact.literature.extraction.rules import sample_size as sizes
from biofact.literature.extraction.rules.phrases import phrase
from biofact.literature.extraction.rules.sample_size import whole_study
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted import count_signs, span_signs
from biofact.literature.extraction.rules.weighted.choice import (
    best_phrase,
    likeliest,
    share_by_value,
    share_in_agreement,
)
from biofact.literature.extraction.rules.weighted.counts import StatedNumber, stated_numbers
from biofact.literature.extraction.rules.weighted.spans import PhraseSpan, spans
from biofact.literature.extraction.rules.weighted.surroundings import Surroundings, surroundings
from biofact.literature.extraction.rules.weighted.weights import Array, read_weights, shares
from biofact.literature.records import Evidence

ENOUGH: Mapping[str, float] = MappingProxyType(
    {"population": 0.45, "intervention": 0.6, "comparator": 0.4, "outcome": 0.55, "sample_size": 0.45}
)
"""How sure a value must be: where ``tools/fit_weights.py`` finds nine in ten, or nearly, to be right."""

RULES: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {
        "population": populations.population,
        "intervention": comparison.intervention,
        "comparator": comparison.comparator,
        "outcome": outcomes.outcome,
    }
)
"""What reads a phrase by its wording; its word is a sign among others, though a heavy one."""

BACKED = 0.3
"""How likely the weights must find what the rules read: less than by themselves, for two agree then."""
SHORT = 400
"""Letters of an abstract."""


@dataclass(frozen=True, slots=True)
class PhraseCandidates:
    """The noun phrases of an article, and their signs; the article's own signs come last."""

    spans: list[PhraseSpan]
    findings: list[Finding]
    signs: list[set[str]]

    @property
    def values(self) -> list[str]:
        """The phrases in lower case."""
        return [str(finding.value).lower() for finding in self.findings]


@dataclass(frozen=True, slots=True)
class NumberCandidates:
    """The numbers of an article, and their signs; the article's own signs come last."""

    numbers: list[StatedNumber]
    signs: list[set[str]]


def phrases(document: Document) -> PhraseCandidates:
    """Each phrase that can be a value."""
    around = document.once(surroundings)
    named = [(span, phrase(span.sentence, span.first, span.after)) for span in spans(document)]
    each = [(span, finding) for span, finding in named if finding is not None]
    by_rules = values_by_rules(document)
    signs = [
        {*span_signs.signs(document, around, span), *span_signs.agreement_signs(str(finding.value).lower(), by_rules)}
        for span, finding in each
    ]
    unread = {f"nothing said: {name}" for name in RULES if name not in by_rules}
    return PhraseCandidates(
        [span for span, _ in each], [finding for _, finding in each], [*signs, {*around.signs(), *unread}]
    )


def values_by_rules(document: Document) -> dict[str, str]:
    """What each field's rules read, in lower case."""
    read_by_rules = {name: document.once(rule) for name, rule in RULES.items()}
    return {name: str(finding.value).lower() for name, finding in read_by_rules.items() if finding is not None}


def numbers(document: Document) -> NumberCandidates:
    """Each number that can be the size of the study."""
    around: Surroundings = document.once(surroundings)
    each = list(stated_numbers(document))
    among = count_signs.NumberRanks.of(each)
    by_rules = document.once(sizes.sample_size)
    signs = [
        {*count_signs.signs(count, around, among), *([f"said={count.value == by_rules.value}"] if by_rules else [])}
        for count in each
    ]
    return NumberCandidates(each, [*signs, {*around.signs(), *([] if by_rules else ["nothing said"])}])


def weighted_phrases(document: Document) -> Mapping[str, Finding]:
    """The phrase of each field: what its rules read, unless the weights speak against it, else what is sure."""
    stated = document.once(phrases)
    if not stated.findings:
        return {}
    weights = read_weights("phrases")
    sums = weights.sums(stated.signs)
    results: dict[str, Finding] = {}
    for column, name in enumerate(weights.fields):
        likely = share_by_value(stated.values, shares(sums[:, column])[:-1].tolist())
        by_rules = document.once(RULES[name])
        value = decide(name, likely, str(by_rules.value).lower() if by_rules else None)
        if by_rules is not None and value == str(by_rules.value).lower():
            results[name] = by_rules
        elif value is not None:
            results[name] = surest_finding(stated, value, sums[:, column])
    return results


def decide(name: str, likely: Mapping[str, float], by_rules: str | None) -> str | None:
    """The value of a field: that of the rules if the weights support it, else the weights' own if it is sure."""
    if by_rules is not None and share_in_agreement(likely, by_rules) >= BACKED:
        return by_rules
    value, sure = best_phrase(likely)
    return value if sure >= ENOUGH[name] else None


def surest_finding(stated: PhraseCandidates, value: str, sums: Array) -> Finding:
    """The phrase with that value, where most speaks for it."""
    places = [at for at, each in enumerate(stated.values) if each == value]
    return stated.findings[max(places, key=lambda at: sums[at])]


def read_phrase(document: Document, name: str) -> Finding | None:
    """The phrase of one field; of a short text what the rules read."""
    return document.once(RULES[name]) if is_short(document) else document.once(weighted_phrases).get(name)


PHRASES: Mapping[str, Callable[[Document], Finding | None]] = MappingProxyType(
    {name: functools.partial(read_phrase, name=name) for name in RULES}
)
"""What reads each field of words."""


def is_short(document: Document) -> bool:
    """Whether there is too little around a candidate to weigh it: the weights were learned from whole abstracts."""
    return len(document.abstract) < SHORT


def sample_size(document: Document) -> Finding | None:
    """How many people or animals were studied, or how many studies a review includes; sums are marked as derived."""
    return whole_study(document, document.once(likely_size))


def likely_size(document: Document) -> Finding | None:
    """The likeliest number, or sum of groups."""
    is_report = document.once(surroundings).kind == "case"
    if is_short(document) or is_report:
        return document.once(sizes.sample_size)
    stated = document.once(numbers)
    if not stated.numbers:
        return None
    weights = read_weights("counts")
    share = shares(weights.sums(stated.signs)[:, 0])[:-1].tolist()
    likely = share_by_value([str(count.value) for count in stated.numbers], share)
    value = likeliest(likely)
    if likely[value] < ENOUGH["sample_size"]:
        return None
    best = max(range(len(share)), key=lambda at: (str(stated.numbers[at].value) == value, share[at]))
    return number_finding(stated.numbers[best])


def number_finding(count: StatedNumber) -> Finding:
    """The number with its evidence."""
    terms = count.terms or (count,)
    return Finding(count.value, tuple(map(evidence_for, terms)), is_derived=bool(count.terms))


def evidence_for(count: StatedNumber) -> Evidence:
    """The number with the noun that it counts, as a quote."""
    noun = count_signs.noun_of(count)
    first, last = count.tokens[count.first], count.tokens[noun.at if noun else count.after - 1]
    return count.sentence.evidence(first.start, last.end)
