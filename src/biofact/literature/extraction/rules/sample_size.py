"""How many people or animals were studied, or how many studies a review includes."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.arm_sizes import arm_set, is_complete, lacks_arms
from biofact.literature.extraction.rules.arms import both_sexes, sum_of_arms, sum_of_groups
from biofact.literature.extraction.rules.counts import ENOUGH, ScoredCount, likeliest_count
from biofact.literature.extraction.rules.literals import rules_out
from biofact.literature.extraction.rules.study_count import study_counts
from biofact.literature.extraction.rules.study_type import kind_of
from biofact.literature.extraction.rules.subject_counts import LARGE, SUBJECTS, subject_counts
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.vocabulary import ANIMALS

MOST_CASES = 12
"""A report of more is a series, or cites other cases."""
ONE_CASE = re.compile(
    r"(?i)\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b|\b"
    r"(?:an?|one|our|this|the) (?:[\w-]+ ){0,4}?"
    r"(?:patient|case|woman|man|boy|girl|infant|child|neonate|male|female|recipient)\b"
)
"""As in: a young woman."""
AGED = re.compile(
    r"(?i)\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b"
)
"""As in: a 45-year-old man."""
GIVEN_BY_CHANCE = re.compile(r"(?i)\b(?:randomi[sz]ed|randomly|assigned|allocated)\b")
"""As in: were randomised."""
REVIEWS = frozenset(("systematic review", "meta-analysis"))
UNCOUNTED = frozenset(
    ("review", "editorial", "guideline", "in vitro study", "computational study", "mendelian randomization", "")
)


def sample_size(document: Document) -> Finding | None:
    """The whole study: a stated total beats arms, which are summed where they are clearly all."""
    name = kind_of(document)
    if name in REVIEWS:
        return likeliest_count(list(study_counts(document))) or likeliest_count(list(subject_counts(document)))
    if name == "case report":
        return of_report(document)
    if name in UNCOUNTED:
        return None
    counts = list(subject_counts(document, of=ANIMALS if name == "animal study" else SUBJECTS))
    total = likeliest_count(counts) or lone(counts)
    if total is None or total.value in {count.value for count in counts if count.value < LARGE}:
        total = both_sexes(document) or total
    arms = sum_of_arms(document, counts) or sum_of_groups(document)
    stated = total.value if total and isinstance(total.value, int) else 0
    is_more = bool(arms and isinstance(arms.value, int) and arms.value > stated)
    return arms if is_more or (arms and name == "case-control study") else total


def whole_study(document: Document, finding: Finding | None) -> Finding | None:
    """The size where it is no arm's, else the sum of the arms if these are all of them; one arm is never the whole."""
    if kind_of(document) in REVIEWS | UNCOUNTED:
        return finding
    is_open = finding is not None or can_be_given_by_chance(document)
    found = document.once(arm_set) if is_open else None
    if found is None:
        return finding
    if finding is not None and finding.is_derived:
        return None if finding.value == found.total and lacks_arms(document, found) else finding
    is_arm = finding is not None and finding.value in {arm.n for arm in found.arms}
    if not (is_arm or (finding is None and GIVEN_BY_CHANCE.search(found.sentence.text))):
        return finding
    if not is_complete(document, found):
        return None
    places = tuple(found.sentence.evidence(arm.start, arm.end) for arm in found.arms)
    return Finding(found.total, places, is_derived=True)


def can_be_given_by_chance(document: Document) -> bool:
    """Whether a sentence can say so; a quick check before the arms are looked for."""
    return not all(rules_out(GIVEN_BY_CHANCE, sentence.lower) for sentence in document.all_sentences)


def of_report(document: Document) -> Finding | None:
    """The few patients of a case report: counted, or the one whose age is given, or any one."""
    both = both_sexes(document)
    if both and isinstance(both.value, int) and both.value <= MOST_CASES:
        return both
    few = [count for count in subject_counts(document) if count.value <= MOST_CASES]
    return (
        likeliest_count(few, enough=ENOUGH - 1)
        or one_case(document, AGED)
        or likeliest_count(few, enough=1)
        or one_case(document)
    )


def lone(counts: list[ScoredCount]) -> Finding | None:
    """The largest number of subjects, where nothing else marks it as the whole study."""
    most = max((count.value for count in counts if count.score > 0), default=0)
    likely = next((count for count in counts if count.score >= ENOUGH - 1 and count.value == most), None)
    return Finding(likely.value, (likely.evidence,)) if likely and most >= LARGE else None


def one_case(document: Document, pattern: re.Pattern[str] = ONE_CASE) -> Finding | None:
    """One, where a report describes a single case."""
    for sentence in document.all_sentences:
        if match := pattern.search(sentence.text):
            return Finding(1, (sentence.evidence_of(match),))
    return None
