"""Groups of one study that are counted one by one, and their sum: cases and controls, arms, men and women."""

import re
from itertools import pairwise

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.counts import ScoredCount
from biofact.literature.extraction.rules.literals import may_match
from biofact.literature.extraction.rules.numbers import whole_number
from biofact.literature.extraction.rules.phrases import head_of, token_at
from biofact.literature.extraction.rules.subject_counts import SMALL_N, SUBJECTS, number
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import ANIMALS

FEWEST_ARMS, MOST_ARMS = 2, 6
FARTHEST_CONTROLS = 12
"""Words between cases and their controls."""
FARTHEST_LETTERS = 150
BOTH_SEXES = re.compile(
    r"(?i)\b(?P<first>\w+) (?:males?|men|boys|females?|women|girls)(?: [a-z]+)? and (?P<second>\w+) "
    r"(?:males?|men|boys|females?|women|girls)\b"
)
"""Five male and five female patients: all of them, if no larger number is stated.

As in: five male and five female patients.
"""
GROUP = re.compile(
    r"(?i)\bgroup(?: [A-Z\d]{1,3})? (?:was |were )?(?:includ|compris|consist|contain|enroll?)(?:ed|es|s|ing)?(?: of)? "
    r"(?P<n>\w[\w,-]*) (?:[\w-]+ ){0,3}?(?:patients|subjects|participants|women|men|children|volunteers|individuals"
    r"|cases|controls|rats|mice|animals|eyes|students|adults|people)\b"
)
"""As in: the first group included 59 patients."""
ARMS = re.compile(
    r"(?i)\b(?:random\w*|group|groups|arm|arms|receiv\w+|controls?|placebo|either|assigned|allocated|divided|versus|vs)\b"
)
"""As in: were randomly divided."""


def both_sexes(document: Document) -> Finding | None:
    """Men and women together, where they are counted side by side."""
    for sentence in document.all_sentences:
        if sentence.role in {"background", "conclusions"} or not (match := sentence.search_plain(BOTH_SEXES)):
            continue
        read = [whole_number(sentence.tokens, token_at(sentence, match.start(name))) for name in ("first", "second")]
        if all(read):
            total = sum(each[0] for each in read if each)
            return Finding(total, (sentence.evidence_of(match),), is_derived=True)
    return None


def sum_of_arms(document: Document, counts: list[ScoredCount]) -> Finding | None:
    """Cases and controls together, or all the arms that ``n =`` gives in the sentence that names the groups."""
    for place, (first, second) in enumerate(pairwise(counts)):
        if are_pair(first, second):
            groups = [*groups_before(counts[: place + 1]), second]
            return Finding(sum(each.value for each in groups), tuple(each.evidence for each in groups), is_derived=True)
    for sentence in document.sentences:
        if sentence.role in {"background", "objective", "conclusions"}:
            continue
        arms = arms_of(sentence)
        if not FEWEST_ARMS <= len(arms) <= MOST_ARMS:
            continue
        if not ARMS.search(sentence.plain) and not all(is_of_subjects(sentence, arm) for arm in arms):
            continue
        if any(is_subject(word) for word in sentence.words):
            total = sum(number(match.group(1)) for match in arms)
            return Finding(total, tuple(sentence.evidence_of(match) for match in arms), is_derived=True)
    return None


def sum_of_groups(document: Document) -> Finding | None:
    """All the groups that are counted one by one: the first group included 59 patients."""
    if not document.can_hold(GROUP):
        return None
    groups = [
        (count, sentence.evidence_of(match, "n"))
        for sentence in document.sentences
        if sentence.role not in {"background", "conclusions"} and may_match(GROUP, sentence.plain_lower)
        for match in GROUP.finditer(sentence.plain)
        if (count := whole_number(sentence.tokens, token_at(sentence, match.start("n"))))
    ]
    if not FEWEST_ARMS <= len(groups) <= MOST_ARMS:
        return None
    return Finding(sum(count[0] for count, _ in groups), tuple(place for _, place in groups), is_derived=True)


def are_pair(first: ScoredCount, second: ScoredCount) -> bool:
    """Whether these are cases and their controls, or those who received one thing and the other, side by side."""
    is_pair = (second.is_control and not first.is_control) or (first.is_arm and second.is_arm)
    return is_pair and are_neighbours(first, second) and max(first.score, second.score) >= 1


def are_neighbours(first: ScoredCount, second: ScoredCount) -> bool:
    """Whether two counts are close together in one sentence."""
    is_near = first.evidence.where == second.evidence.where and 0 < second.first - first.after < FARTHEST_CONTROLS
    return (
        is_near
        and (first.evidence.end or 0) <= (second.evidence.start or 0) < (first.evidence.end or 0) + FARTHEST_LETTERS
    )


def groups_before(counts: list[ScoredCount]) -> list[ScoredCount]:
    """The last of these and those before it in the same list: patients with lupus, patients with arthritis."""
    groups = counts[-1:]
    for count in reversed(counts[:-1]):
        if not are_neighbours(count, groups[0]) or count.is_control:
            break
        groups = [count, *groups]
    return groups


def is_of_subjects(sentence: Sentence, arm: re.Match[str]) -> bool:
    """Whether ``n =`` follows people: hospitalized patients (n = 30)."""
    return head_of(sentence.text[: arm.start()].rstrip(" ([").rpartition(" ")[2].lower()) in SUBJECTS


def is_subject(word: str) -> bool:
    """Whether a word names people or animals, or that they were randomised."""
    return head_of(word) in SUBJECTS or word in ANIMALS or word.startswith("random")


def arms_of(sentence: Sentence) -> list[re.Match[str]]:
    """Every ``n =`` of the sentence but a single capital one, which is that of the whole."""
    matches = list(SMALL_N.finditer(sentence.text)) if "=" in sentence.text else []
    capitals = [match for match in matches if match.group()[0] == "N"]
    return [match for match in matches if match not in capitals] if len(capitals) == 1 else matches
