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
"""How readily a section states the size of the study."""
CONTROL = words("controls control healthy normal unaffected non-diabetic nondiabetic")
LARGE = 10
"""Whole studies rarely have fewer."""
LETTERS_BEFORE, LETTERS_BEHIND = 30, 60
"""Characters around a count that are searched for what it is a part of."""
RIGHT_BEHIND = 15
"""Characters between a noun and its verb."""
SUBJECTS = PEOPLE | PROFESSIONALS | CASES

TOTAL_BONUS = 3
"""For a stated total: a total of 120 patients."""
DEFINITE_BONUS = 1
"""For all of a known group: among the 120 patients, 12 of 120 patients."""
LARGE_BONUS = 1
"""For ten or more."""
ENROLMENT_BONUS = 1
"""For a verb of studying in the sentence: 120 patients were examined."""
STRONG_ENROLMENT_BONUS = 2
"""For a verb that only the whole study takes: 120 patients were enrolled."""
FIRST_BONUS = 1
"""For the first count of the text that is likely at all."""
SHARE_PENALTY = 4
"""For a part in per cent: 30 patients (25%)."""
ARM_PENALTY = 3
"""For a group: 60 patients in the placebo group."""
PART_PENALTY = 3
"""For what became of some: 12 patients died, another 8 women, 30 patients were excluded."""
OTHERS_PENALTY = 1
"""For those who are seldom the whole study: 40 controls, 15 nurses."""

STATED_BY_ROLE = {"title": 2, "methods": 1, "participants": 1, "results": 1, "conclusions": -2}
"""How readily a section gives the size as ``n =``."""
CAPITAL_N_SCORE = 4
"""N = 215: a capital means the whole study."""
SAMPLE_IS_SCORE = 3
"""Participants included 38; and 120 were enrolled."""
SMALL_N_SCORE = 1
"""n = 30: of the study or of a group."""
NOUN_BONUS = 2
"""For a noun for people before it: hospitalized patients (n = 30)."""
PART_VERBS = words(
    "died developed had experienced responded progressed achieved showed withdrew dropped discontinued"
    " relapsed refused screened approached invited declined recovered failed reported suffered became"
)
ENROLMENT = re.compile(
    r"(?i)\b(?:report(?:ed)?|describe|enrol\w+|recruit\w+|includ(?:ed|ing)|randomi[sz]\w+|randomly|assigned|allocated"
    r"|participated|consented"
    r"|stud(?:ied|y)|analy[sz]ed|evaluated|examined|assessed|underwent|completed|interview\w*|survey\w*|tested"
    r"|consecutive|compris\w+|consisted|followed|investigated|reviewed|data (?:from|on|of)|obtained from"
    r"|collected from|involving|treated|selected|divided|eligible|took part|used|responded|performed|measured"
    r"|genotyped|sequenced|admitted|received|identified|participants|trial|cohort|compared|placed|observed"
    r"|conducted)\b"
)
"""As in: 120 patients were treated."""
STRONG_ENROLMENT = re.compile(
    r"(?i)\b(?:enrol\w+|recruit\w+|randomi[sz]\w+|randomly|includ(?:ed|ing|es)|participated|analy[sz]ed|took part"
    r"|assigned|divided|met (?:\w+ ){0,3}criteria|we (?:\w+ )?"
    r"(?:studied|examined|evaluated|investigated|compared|assessed|measured|tested|treated|followed|reviewed)"
    r"|consecutive|interviewed|surveyed|underwent randomi[sz]ation|completed the "
    r"(?:study|survey|trial|questionnaire)|were studied)\b"
)
"""As in: 120 patients were randomized."""
EXCLUDED = re.compile(
    r"(?i)\b(?:were|was) (?:\w+ )?(?:excluded|screened|approached|invited|contacted|lost|assessed for eligibility)\b"
)
"""As in: were excluded."""
CAPITAL_N = re.compile(r"\bN\s?=\s?(\d{1,3}(?:[, ]\d{3})+|\d{1,8})\b")
"""As in: N = 215."""
SMALL_N = re.compile(
    r"\b[nN]\s?=\s?(\d{1,3}(?:,\d{3})+|\d{1,8})\b(?!\s?%|\s?/|\s(?:\w+ )?(?:per|each|in each|for each)\b)"
)
"""As in: (n = 30)."""
SAMPLE_IS = re.compile(
    r"(?i)\b(?:participants|subjects|patients|sample|sample size|cohort|population|respondents|volunteers|study) "
    r"(?:included|was|were|comprised|consisted of|totall?ed|enrolled|involved) (?:a total of )?"
    r"(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})\b(?![.·]\d|\s?%|\s?(?:years|months|weeks|days|[±\u2013-]))"
)
"""As in: participants included 38."""
WERE_ENROLLED = re.compile(
    r"(?i)(?:\band|,|\bwhom|\bwhich|\bthese) (?!(?:19|20)\d\d\b)(?P<n>\d{1,3}(?:,\d{3})+|\d{2,6}) "
    r"(?:of (?:these|them|whom) )?were (?:enrolled|randomi[sz]ed|included|recruited|analy[sz]ed)\b"
)
"""As in: and 120 were enrolled."""
SAMPLE_NOUNS = words("sample cohort population samples")
DIGIT = re.compile(r"\d")
"""As in: 38 women."""


def subject_counts(document: Document, *, of: frozenset[str] = SUBJECTS) -> Iterator[ScoredCount]:
    """Everything that counts subjects, in the order of the text."""
    is_first = True
    for sentence in document.all_sentences:
        if sentence.role == "background":
            continue
        for count in (*counts_in(sentence, of), *stated_sizes(sentence, of)):
            bonus = FIRST_BONUS if is_first and count.score >= ENOUGH else 0
            is_first = is_first and not bonus
            yield replace(count, score=count.score + bonus) if bonus else count


def counts_in(sentence: Sentence, of: frozenset[str]) -> Iterator[ScoredCount]:
    """Numbers of subjects in a sentence: 105 adult patients."""
    tokens = sentence.tokens
    verbs: int | None = None
    for value, first, head in counted_nouns(sentence, of):
        if verbs is None:
            verbs = STRONG_ENROLMENT_BONUS * bool(STRONG_ENROLMENT.search(sentence.plain))
            verbs += ENROLMENT_BONUS * bool(ENROLMENT.search(sentence.plain))
        following = [token.word for token in tokens[head + 1 : head + 3]]
        is_within = following[:1] == ["in"] and "".join(following[1:])[:1].isdigit()
        if value > 1 and not is_within:  # 93 pregnancies in 48 patients
            evidence = sentence.evidence(tokens[first].start, tokens[head].end)
            yield ScoredCount(
                value,
                verbs + count_score(sentence, first, head, value),
                evidence,
                is_control=any(token.word in CONTROL for token in tokens[first : head + 1]),
                is_arm=head + 1 < len(tokens) and tokens[head + 1].word in ("received", "underwent"),
                first=first,
                after=head + 1,
            )


def count_score(sentence: Sentence, first: int, head: int, value: int) -> int:
    """How likely the count is the size of the study."""
    tokens, text = sentence.tokens, sentence.whole
    before = text[max(sentence.start, tokens[first].start - LETTERS_BEFORE) : tokens[first].start]
    previous = tokens[first - 1].word if first else ""
    following = tokens[head + 1].word if head + 1 < len(tokens) else ""
    is_share = tokens[head].word != "respondents" and PERCENT_AFTER.match(text, tokens[head].end, sentence.end)
    is_arm = following == "in" and any(token.word in ("group", "arm") for token in tokens[head + 1 : head + 6])
    is_denominator = previous == "of" and (first == 1 or tokens[first - 2].word[0].isdigit())
    is_part = previous in BEFORE_PART or following in PART_VERBS or is_excluded(sentence, head)
    is_other = tokens[head].word in {"controls", "cases", "donors"} or tokens[head].word in PROFESSIONALS
    score = BY_ROLE.get(sentence.role, 0)
    score += TOTAL_BONUS * bool(IN_TOTAL.search(before)) + LARGE_BONUS * (value >= LARGE)
    score += DEFINITE_BONUS * (is_denominator or previous in ("the", "among"))
    score -= SHARE_PENALTY * bool(is_share) + ARM_PENALTY * is_arm
    return score - PART_PENALTY * is_part - OTHERS_PENALTY * is_other


def is_excluded(sentence: Sentence, head: int) -> bool:
    """Whether the sentence goes on to say that they were left out."""
    rest = sentence.plain[sentence.tokens[head].end - sentence.start :][:LETTERS_BEHIND]
    match = EXCLUDED.search(rest)
    return match is not None and match.start() < RIGHT_BEHIND


def stated_sizes(sentence: Sentence, of: frozenset[str]) -> Iterator[ScoredCount]:
    """``N = 215`` and ``participants included 38``."""
    if not DIGIT.search(sentence.text) or of.isdisjoint(map(head_of, sentence.words)):
        return
    role = STATED_BY_ROLE.get(sentence.role, 0)
    capitals = list(CAPITAL_N.finditer(sentence.text)) if "=" in sentence.text else []
    for match in capitals if len(capitals) == 1 else ():
        yield ScoredCount(number(match.group(1)), CAPITAL_N_SCORE + role, sentence.evidence_of(match))
    smalls = list(SMALL_N.finditer(sentence.text)) if "=" in sentence.text else []
    if len(smalls) == 1 and number(smalls[0].group(1)) > 1:
        verbs = STRONG_ENROLMENT_BONUS * bool(STRONG_ENROLMENT.search(sentence.plain))
        noun = sentence.text[: smalls[0].start()].rstrip(" ([").rpartition(" ")[2].lower()
        is_named = head_of(noun) in of or bool(SAMPLE_NOUNS & sentence.words)
        score = SMALL_N_SCORE + role + verbs + NOUN_BONUS * is_named
        yield ScoredCount(number(smalls[0].group(1)), score, sentence.evidence_of(smalls[0]))
    if of is SUBJECTS and (stated := sentence.search_plain(SAMPLE_IS) or sentence.search_plain(WERE_ENROLLED)):
        yield ScoredCount(number(stated.group("n")), SAMPLE_IS_SCORE + role, sentence.evidence_of(stated))


def number(digits: str) -> int:
    """The number without separators."""
    return int(digits.replace(",", "").replace(" ", ""))
