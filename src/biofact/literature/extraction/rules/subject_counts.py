"""Numbers of people or animals in a sentence, and how likely each is the size of the study."""

import re
from collections.abc import Iterator
from dataclasses import replace

from biofact.literature.extraction.rules.counts import (
    BEFORE_PART,
    ENOUGH,
    IN_TOTAL,
    PERCENT_AFTER,
    ScoredCount,
    counted_nouns,
)
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import CASES, PEOPLE, PROFESSIONALS, words

BY_ROLE = {"title": 3, "methods": 1, "participants": 3, "results": 1, "conclusions": -2, "": 1}
"""How readily a section tells the size of the study."""
CONTROL = words("controls control healthy normal unaffected non-diabetic nondiabetic")
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
SAMPLE_NOUNS = words("sample cohort population samples")
DIGIT = re.compile(r"\d")


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
