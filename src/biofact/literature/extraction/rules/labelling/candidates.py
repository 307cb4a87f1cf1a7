"""What the value of a field is chosen from: its mentions, fuller forms of them, and mentions of the other arm."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.labelling.spans import FIELDS, MOST_WORDS, Span, text_between
from biofact.literature.extraction.rules.labelling.traits import SUBJECTS, facts, mention_traits, value_traits
from biofact.literature.extraction.rules.labelling.values import Value, Values, finding_of, is_worded
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.vocabulary import HARD_END, LOOSE_END, words

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
    after, most = span.after, min(len(among), span.first + MOST_WORDS)
    while after < most and among[after] not in HARD_END and among[after] not in CLAUSE_END:
        after += 1
    while after > span.after and among[after - 1] in LOOSE_END:
        after -= 1
    if after - span.after < FEWEST_MORE:
        return None
    return span._replace(after=after, text=text_between(span.sentence, span.first, after))
