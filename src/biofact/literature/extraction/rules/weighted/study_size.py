"""The size of a study: of all numbers that it states, the one that the weights find likeliest."""

from dataclasses import dataclass

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules import sample_size as sizes
from biofact.literature.extraction.rules.sample_size import whole_study
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted import count_signs
from biofact.literature.extraction.rules.weighted.choice import likeliest, share_by_value
from biofact.literature.extraction.rules.weighted.counts import StatedNumber, stated_numbers
from biofact.literature.extraction.rules.weighted.surroundings import Surroundings, surroundings
from biofact.literature.extraction.rules.weighted.weights import read_weights, shares
from biofact.literature.records import Evidence

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
    around: Surroundings = document.once(surroundings)
    each = list(stated_numbers(document))
    among = count_signs.NumberRanks.of(each)
    by_rules = document.once(sizes.sample_size)
    signs = [
        {*count_signs.signs(count, around, among), *([f"said={count.value == by_rules.value}"] if by_rules else [])}
        for count in each
    ]
    return NumberCandidates(each, [*signs, {*around.signs(), *([] if by_rules else ["nothing said"])}])


def sample_size(document: Document) -> Finding | None:
    """How many people or animals were studied, or how many studies a review includes; sums are marked as derived."""
    return whole_study(document, document.once(likely_size))


def likely_size(document: Document) -> Finding | None:
    """The likeliest number, or sum of groups."""
    is_report = document.once(surroundings).kind == "case"
    if len(document.abstract) < SHORT or is_report:
        return document.once(sizes.sample_size)
    stated = document.once(numbers)
    if not stated.numbers:
        return None
    weights = read_weights("counts")
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
    noun = count_signs.noun_of(count)
    first, last = count.tokens[count.first], count.tokens[noun.at if noun else count.after - 1]
    return count.sentence.evidence(first.start, last.end)
