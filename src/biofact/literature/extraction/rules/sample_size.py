"""How many people or animals were studied, or how many studies a review includes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.counts import (
    BEFORE_PART,
    ENOUGH,
    IN_TOTAL,
    PERCENT_AFTER,
    ScoredCount,
    counted_nouns,
    likeliest_count,
)
from biofact.literature.extraction.rules.numbers import whole_number
from biofact.literature.extraction.rules.phrases import head_of, token_at
from biofact.literature.extraction.rules.study_count import study_counts
from biofact.literature.extraction.rules.study_type import study_type
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, PEOPLE, PROFESSIONALS, words

BY_ROLE = {"title": 3, "methods": 1, "participants": 3, "results": 1, "conclusions": -2, "": 1}
"""How readily a section tells the size of the study."""
FEWEST_ARMS, MOST_ARMS = 2, 6
CONTROL = words("controls control healthy normal unaffected non-diabetic nondiabetic")
FARTHEST_CONTROLS = 12
"""Words between cases and their controls."""
MOST_CASES = 12
"""A report of more is a series, or tells of what others saw."""
FARTHEST_LETTERS = 150
LARGE = 10
"""Whole studies rarely have fewer."""
RIGHT_BEHIND = 15
"""Letters between a noun and what is said of it."""

SUBJECTS = PEOPLE | PROFESSIONALS | CASES
PART_VERBS = words(
    "died developed had experienced responded progressed achieved showed withdrew dropped discontinued"
    " relapsed refused screened approached invited declined recovered failed reported suffered became"
)
ENROLMENT = re.compile(
    r"\b(?:report(?:ed)?|describe|enrol\w+|recruit\w+|includ(?:ed|ing)|randomi[sz]\w+|randomly|assigned|allocated"
    r"|participated|consented"
    r"|stud(?:ied|y)|analy[sz]ed|evaluated|examined|assessed|underwent|completed|interview\w*|survey\w*|tested"
    r"|consecutive|compris\w+|consisted|followed|investigated|reviewed|data (?:from|on|of)|obtained from"
    r"|collected from|involving|treated|selected|divided|eligible|took part|used|responded|performed|measured"
    r"|genotyped|sequenced|admitted|received|identified|participants|trial|cohort|compared|placed|observed"
    r"|conducted)\b",
    re.IGNORECASE,
)
STRONG_ENROLMENT = re.compile(
    r"\b(?:enrol\w+|recruit\w+|randomi[sz]\w+|randomly|includ(?:ed|ing|es)|participated|analy[sz]ed|took part"
    r"|assigned|divided|met (?:\w+ ){0,3}criteria|we (?:\w+ )?"
    r"(?:studied|examined|evaluated|investigated|compared|assessed|measured|tested|treated|followed|reviewed)"
    r"|consecutive|interviewed|surveyed|underwent randomi[sz]ation|completed the "
    r"(?:study|survey|trial|questionnaire)|were studied)\b",
    re.IGNORECASE,
)
EXCLUDED = re.compile(
    r"\b(?:were|was) (?:\w+ )?(?:excluded|screened|approached|invited|contacted|lost|assessed for eligibility)\b",
    re.IGNORECASE,
)
CAPITAL_N = re.compile(r"\bN\s?=\s?(\d{1,3}(?:[, ]\d{3})+|\d{1,8})\b")
SMALL_N = re.compile(
    r"\b[nN]\s?=\s?(\d{1,3}(?:,\d{3})+|\d{1,8})\b(?!\s?%|\s?/|\s(?:\w+ )?(?:per|each|in each|for each)\b)"
)
SAMPLE_IS = re.compile(
    r"\b(?:participants|subjects|patients|sample|sample size|cohort|population|respondents|volunteers|study) "
    r"(?:included|was|were|comprised|consisted of|totall?ed|enrolled|involved) (?:a total of )?"
    r"(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})\b(?![.·]\d|\s?%|\s?(?:years|months|weeks|days|[±\u2013-]))",
    re.IGNORECASE,
)
WERE_ENROLLED = re.compile(
    r"(?:\band|,|\bwhom|\bwhich|\bthese) (?!(?:19|20)\d\d\b)(?P<n>\d{1,3}(?:,\d{3})+|\d{2,6}) "
    r"(?:of (?:these|them|whom) )?were (?:enrolled|randomi[sz]ed|included|recruited|analy[sz]ed)\b",
    re.IGNORECASE,
)
ONE_CASE = re.compile(
    r"\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b|\b"
    r"(?:an?|one|our|this|the) (?:[\w-]+ ){0,4}?"
    r"(?:patient|case|woman|man|boy|girl|infant|child|neonate|male|female|recipient)\b",
    re.IGNORECASE,
)
AGED = re.compile(
    r"\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b",
    re.IGNORECASE,
)
BOTH_SEXES = re.compile(
    r"\b(?P<first>\w+) (?:males?|men|boys|females?|women|girls)(?: [a-z]+)? and (?P<second>\w+) "
    r"(?:males?|men|boys|females?|women|girls)\b",
    re.IGNORECASE,
)
"""Five male and five female patients: all of them, if no larger number is stated."""
GROUP = re.compile(
    r"\bgroup(?: [A-Z\d]{1,3})? (?:was |were )?(?:includ|compris|consist|contain|enroll?)(?:ed|es|s|ing)?(?: of)? "
    r"(?P<n>\w[\w,-]*) (?:[\w-]+ ){0,3}?(?:patients|subjects|participants|women|men|children|volunteers|individuals"
    r"|cases|controls|rats|mice|animals|eyes|students|adults|people)\b",
    re.IGNORECASE,
)
SAMPLE_NOUNS = words("sample cohort population samples")
ARMS = re.compile(
    r"\b(?:random\w*|group|groups|arm|arms|receiv\w+|controls?|placebo|either|assigned|allocated|divided|versus|vs)\b",
    re.IGNORECASE,
)
DIGIT = re.compile(r"\d")
REVIEWS = frozenset(("systematic review", "meta-analysis"))
UNCOUNTED = frozenset(
    ("review", "editorial", "guideline", "in vitro study", "computational study", "mendelian randomization", "")
)


def sample_size(document: Document) -> Finding | None:
    """The whole study: a stated total beats arms, which are summed where they are clearly all."""
    kind = document.once(study_type)
    name = str(kind.value) if kind else ""
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
    arms = summed(document, counts) or grouped(document)
    stated = total.value if total and isinstance(total.value, int) else 0
    is_more = bool(arms and isinstance(arms.value, int) and arms.value > stated)
    return arms if is_more or (arms and name == "case-control study") else total


def of_report(document: Document) -> Finding | None:
    """The few patients of a case report: counted, or the one whose age is told, or any one."""
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
    """The largest number of subjects that is stated, though nothing else says that it is the whole study."""
    most = max((count.value for count in counts if count.score > 0), default=0)
    likely = next((count for count in counts if count.score >= ENOUGH - 1 and count.value == most), None)
    return Finding(likely.value, (likely.evidence,)) if likely and most >= LARGE else None


def both_sexes(document: Document) -> Finding | None:
    """Men and women together, where they are counted side by side."""
    for sentence in document.everything:
        if sentence.role in {"background", "conclusions"} or not (match := BOTH_SEXES.search(sentence.plain)):
            continue
        read = [whole_number(sentence.tokens, token_at(sentence, match.start(name))) for name in ("first", "second")]
        if all(read):
            total = sum(each[0] for each in read if each)
            return Finding(total, (sentence.found(match),), is_derived=True)
    return None


def subject_counts(document: Document, *, of: frozenset[str] = SUBJECTS) -> Iterator[ScoredCount]:
    """Everything that counts subjects, in the order of the text."""
    is_first = True
    for sentence in document.everything:
        if sentence.role == "background":
            continue
        for count in (*counts_in(sentence, of), *stated_sizes(sentence, of)):
            bonus = 1 if is_first and count.score >= ENOUGH else 0
            is_first = is_first and not bonus
            yield replace(count, score=count.score + bonus)


def counts_in(sentence: Sentence, of: frozenset[str]) -> Iterator[ScoredCount]:
    """Numbers of subjects in a sentence: 105 adult patients."""
    tokens = sentence.tokens
    verbs: int | None = None
    for value, first, head in counted_nouns(sentence, of):
        if verbs is None:
            verbs = 2 * bool(STRONG_ENROLMENT.search(sentence.plain)) + bool(ENROLMENT.search(sentence.plain))
        following = [token.word for token in tokens[head + 1 : head + 3]]
        is_within = len(following) == 2 and following[0] == "in" and following[1][0].isdigit()  # noqa: PLR2004
        if value > 1 and not is_within:  # 93 pregnancies in 48 patients
            evidence = sentence.evidence(tokens[first].start, tokens[head].end)
            yield ScoredCount(
                value,
                verbs + scored(sentence, first, head, value),
                evidence,
                is_control=any(token.word in CONTROL for token in tokens[first : head + 1]),
                is_arm=head + 1 < len(tokens) and tokens[head + 1].word in ("received", "underwent"),
                first=first,
                after=head + 1,
            )


def scored(sentence: Sentence, first: int, head: int, value: int) -> int:
    """How likely the count is the size of the study."""
    tokens, text = sentence.tokens, sentence.whole
    before = text[max(sentence.start, tokens[first].start - 30) : tokens[first].start]
    previous = tokens[first - 1].word if first else ""
    following = tokens[head + 1].word if head + 1 < len(tokens) else ""
    is_share = tokens[head].word != "respondents" and PERCENT_AFTER.match(text, tokens[head].end, sentence.end)
    is_arm = following == "in" and any(token.word in ("group", "arm") for token in tokens[head + 1 : head + 6])
    is_denominator = previous == "of" and (first == 1 or tokens[first - 2].word[0].isdigit())
    is_part = previous in BEFORE_PART or following in PART_VERBS or is_excluded(sentence, head)
    is_other = tokens[head].word in {"controls", "cases", "donors"} or tokens[head].word in PROFESSIONALS
    score = BY_ROLE.get(sentence.role, 0)
    score += 3 * bool(IN_TOTAL.search(before)) + (value >= LARGE) + (is_denominator or previous in ("the", "among"))
    return score - 4 * bool(is_share) - 3 * is_arm - 3 * is_part - is_other


def is_excluded(sentence: Sentence, head: int) -> bool:
    """Whether the sentence goes on to say that they were left out."""
    rest = sentence.plain[sentence.tokens[head].end - sentence.start :][:60]
    match = EXCLUDED.search(rest)
    return match is not None and match.start() < RIGHT_BEHIND


def stated_sizes(sentence: Sentence, of: frozenset[str]) -> Iterator[ScoredCount]:
    """``N = 215`` and ``participants included 38``."""
    if not DIGIT.search(sentence.text) or not any(head_of(word) in of for word in sentence.words):
        return
    role = {"title": 2, "methods": 1, "participants": 1, "results": 1, "conclusions": -2}.get(sentence.role, 0)
    capitals = list(CAPITAL_N.finditer(sentence.text))
    for match in capitals if len(capitals) == 1 else ():
        yield ScoredCount(number(match.group(1)), 4 + role, sentence.found(match))
    smalls = list(SMALL_N.finditer(sentence.text))
    if len(smalls) == 1 and number(smalls[0].group(1)) > 1:
        verbs = 2 * bool(STRONG_ENROLMENT.search(sentence.plain))
        noun = sentence.text[: smalls[0].start()].rstrip(" ([").rpartition(" ")[2].lower()
        score = 1 + role + verbs + 2 * (head_of(noun) in of or bool(SAMPLE_NOUNS & sentence.words))
        yield ScoredCount(number(smalls[0].group(1)), score, sentence.found(smalls[0]))
    if of is SUBJECTS and (stated := SAMPLE_IS.search(sentence.plain) or WERE_ENROLLED.search(sentence.plain)):
        yield ScoredCount(number(stated.group("n")), 3 + role, sentence.found(stated))


def number(digits: str) -> int:
    """The number without separators."""
    return int(digits.replace(",", "").replace(" ", ""))


def summed(document: Document, counts: list[ScoredCount]) -> Finding | None:
    """Cases and controls together, or all the arms that ``n =`` gives in the sentence that names the groups."""
    for place, (first, second) in enumerate(pairwise(counts)):
        if are_pair(first, second):
            groups = [*groups_before(counts[: place + 1]), second]
            return Finding(sum(each.value for each in groups), tuple(each.evidence for each in groups), is_derived=True)
    for sentence in document.sentences:
        if sentence.role in {"background", "objective", "conclusions"}:
            continue
        arms = arms_of(sentence)
        if not ARMS.search(sentence.plain) and not all(is_of_subjects(sentence, arm) for arm in arms):
            continue
        if FEWEST_ARMS <= len(arms) <= MOST_ARMS and any(is_subject(word) for word in sentence.words):
            total = sum(number(match.group(1)) for match in arms)
            return Finding(total, tuple(sentence.found(match) for match in arms), is_derived=True)
    return None


def grouped(document: Document) -> Finding | None:
    """All the groups that are counted one by one: the first group included 59 patients."""
    groups = [
        (count, sentence.found(match, "n"))
        for sentence in document.sentences
        if sentence.role not in {"background", "conclusions"}
        for match in GROUP.finditer(sentence.plain)
        if (count := whole_number(sentence.tokens, token_at(sentence, match.start("n"))))
    ]
    if not FEWEST_ARMS <= len(groups) <= MOST_ARMS:
        return None
    return Finding(sum(count[0] for count, _ in groups), tuple(place for _, place in groups), is_derived=True)


def are_pair(first: ScoredCount, second: ScoredCount) -> bool:
    """Whether these are cases and their controls, or those who received one thing and the other, side by side."""
    is_told = (second.is_control and not first.is_control) or (first.is_arm and second.is_arm)
    return is_told and are_neighbours(first, second) and max(first.score, second.score) >= 1


def are_neighbours(first: ScoredCount, second: ScoredCount) -> bool:
    """Whether two counts stand in one sentence, close by."""
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
    """Whether ``n =`` stands behind people: hospitalized patients (n = 30)."""
    return head_of(sentence.text[: arm.start()].rstrip(" ([").rpartition(" ")[2].lower()) in SUBJECTS


def is_subject(word: str) -> bool:
    """Whether a word names people or animals, or that they were randomised."""
    return head_of(word) in SUBJECTS or word in ANIMALS or word.startswith("random")


def arms_of(sentence: Sentence) -> list[re.Match[str]]:
    """Every ``n =`` of the sentence but a single capital one, which is that of the whole."""
    matches = list(SMALL_N.finditer(sentence.text))
    capitals = [match for match in matches if match.group()[0] == "N"]
    return [match for match in matches if match not in capitals] if len(capitals) == 1 else matches


def one_case(document: Document, pattern: re.Pattern[str] = ONE_CASE) -> Finding | None:
    """One, where a report tells of a single case."""
    for sentence in document.everything:
        if match := pattern.search(sentence.text):
            return Finding(1, (sentence.found(match),))
    return None
