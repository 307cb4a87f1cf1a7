"""The size of a study by rules: counts of subjects or studies with scores, and sums of groups."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from biofact.literature.extraction.fields.arms import arm_set, is_complete, lacks_arms
from biofact.literature.extraction.fields.study_type import SYNTHESES, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.counts import (
    BEFORE_PART,
    IN_TOTAL,
    MIN_SCORE,
    PERCENT_AFTER,
    ScoredCount,
    counted_nouns,
    likeliest_count,
)
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.literals import may_match, rules_out
from biofact.literature.extraction.text.numbers import NUMBER_WORD, whole_number
from biofact.literature.extraction.text.phrases import head_of, token_at
from biofact.literature.extraction.text.vocabulary import ANIMALS, CASES, PEOPLE, PROFESSIONALS, words

STUDIES = words("studies trials rcts articles papers publications reports cohorts comparisons documents guidelines")
"""Nouns for studies: 12 trials."""
INCLUDED = re.compile(
    r"(?i)\b(?:includ\w+|met|fulfilled|meeting|eligible|pooled|analy[sz]ed|selected|comprising|contributed|involving"
    r"|reporting|provided|yielded|synthesi[sz]ed)\b"
)
"""As in: studies that met the criteria."""
FOUND_ONLY = re.compile(
    r"(?i)\b(?:screened|retrieved|inspected|yielded|records|potentially|full[- ]text|duplicates?|excluded|titles)\b"
)
"""As in: records were screened."""


ELIGIBLE = re.compile(
    r"(?i)(?:\band|,|;|\bwhich|\bthese|\bthem|\bonly|\bidentified) (?P<n>\d{1,3}|(?:"
    + NUMBER_WORD
    + r")(?:-\w+)?) (?:\w+ ){0,2}?"
    r"(?:(?:were|was) (?:\w+ )?(?:eligible|suitable|included|selected|retained|analy[sz]ed)|met|fulfilled)\b"
)
"""As in: of 229 studies, 6 were suitable."""
STUDY_LETTERS_BEFORE, STUDY_LETTERS_BEHIND = 60, 90
"""Characters around a count that are searched for what happened to the studies."""
ELIGIBLE_SCORE = 7
"""For those that remained: of 229 studies, 6 were suitable."""
BASE_SCORE = 1
"""For any count of studies."""
INCLUDED_BONUS = 4
"""For those that count: 12 studies were included."""
FOUND_PENALTY = 2
"""For those that were only looked at: 229 records were screened."""
STUDY_TOTAL_BONUS = 2
"""For a stated total: a total of 12 trials."""
IDENTIFIED_BONUS = 1
"""We identified 12 studies."""
STUDY_SHARE_PENALTY = 4
"""For a part in per cent: 3 studies (25%)."""
STUDY_PART_PENALTY = 3
"""For some of them: another 3 trials."""
RESULTS_BONUS = 1
"""For the section that reports what was included."""
OF_PENALTY = 1
"""For studies of something: 3 studies of aspirin."""


def study_counts(document: Document) -> Iterator[ScoredCount]:
    """Everything that counts studies, in the order of the text."""
    for sentence in document.all_sentences:
        if sentence.role in {"background", "conclusions"}:
            continue
        if match := ELIGIBLE.search(sentence.plain):
            number = whole_number(sentence.tokens, token_at(sentence, match.start("n")))
            if number and (sentence.words & STUDIES):
                yield ScoredCount(number[0], ELIGIBLE_SCORE, sentence.evidence_of(match, "n"))
        tokens = sentence.tokens
        for value, first, head in counted_nouns(sentence, STUDIES):
            evidence = sentence.evidence(tokens[first].start, tokens[head].end)
            yield ScoredCount(value, study_score(sentence, first, head), evidence)


def study_score(sentence: Sentence, first: int, head: int) -> int:
    """The points of a count for being that of the included studies."""
    tokens = sentence.tokens
    start, end = tokens[first].start - sentence.start, tokens[head].end - sentence.start
    before = re.split(r"[,;:]", sentence.plain[max(0, start - STUDY_LETTERS_BEFORE) : start])[-1]
    context = (
        before + sentence.plain[start:end] + re.split(r"[,;:]", sentence.plain[end : end + STUDY_LETTERS_BEHIND])[0]
    )
    score = (
        BASE_SCORE + INCLUDED_BONUS * bool(INCLUDED.search(context)) - FOUND_PENALTY * bool(FOUND_ONLY.search(context))
    )
    score += STUDY_TOTAL_BONUS if IN_TOTAL.search(before) else 0
    score += IDENTIFIED_BONUS if re.search(r"\b(?:identified|found)\b", context, re.IGNORECASE) else 0
    score -= STUDY_SHARE_PENALTY if PERCENT_AFTER.match(sentence.whole, tokens[head].end, sentence.end) else 0
    score -= STUDY_PART_PENALTY if first and tokens[first - 1].word in BEFORE_PART else 0
    follows_of = head + 1 < len(tokens) and tokens[head + 1].word == "of"
    return score + RESULTS_BONUS * (sentence.role == "results") - OF_PENALTY * follows_of


BY_ROLE = {"title": 3, "methods": 1, "participants": 3, "results": 1, "conclusions": -2, "": 1}
"""Points for the section of a count: some state the size of the study more readily."""
CONTROL = words("controls control healthy normal unaffected non-diabetic nondiabetic")
"""Words for controls: 40 healthy volunteers."""
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
"""For people who are rarely the whole study: 40 controls, 15 nurses."""

STATED_BY_ROLE = {"title": 2, "methods": 1, "participants": 1, "results": 1, "conclusions": -2}
"""Points for the section of ``n =``."""
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
"""Verbs of what became of some subjects: 12 patients died."""
ENROLMENT = re.compile(
    r"(?i)\b(?:report(?:ed)?|describe|enrol\w+|recruit\w+|includ(?:ed|ing)|randomi[sz]\w+|randomly|assigned|allocated"
    r"|participated|consented|stud(?:ied|y)|analy[sz]ed|evaluated|examined|assessed|underwent|completed|interview\w*"
    r"|survey\w*|tested|consecutive|compris\w+|consisted|followed|investigated|reviewed|data (?:from|on|of)"
    r"|obtained from|collected from|involving|treated|selected|divided|eligible|took part|used|responded|performed"
    r"|measured|genotyped|sequenced|admitted|received|identified|participants|trial|cohort|compared|placed|observed"
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
"""Nouns before a size: a sample (n = 30)."""
DIGIT = re.compile(r"\d")
"""As in: 38 women."""


def subject_counts(document: Document, *, nouns: frozenset[str] = SUBJECTS) -> Iterator[ScoredCount]:
    """Everything that counts subjects, in the order of the text."""
    is_first = True
    for sentence in document.all_sentences:
        if sentence.role == "background":
            continue
        for count in (*counts_in(sentence, nouns), *stated_sizes(sentence, nouns)):
            bonus = FIRST_BONUS if is_first and count.score >= MIN_SCORE else 0
            is_first = is_first and not bonus
            yield replace(count, score=count.score + bonus) if bonus else count


def counts_in(sentence: Sentence, nouns: frozenset[str]) -> Iterator[ScoredCount]:
    """Numbers of subjects in a sentence: 105 adult patients."""
    tokens = sentence.tokens
    verbs: int | None = None
    for value, first, head in counted_nouns(sentence, nouns):
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
    """The points of a count for being the size of the study."""
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
    """Whether the words behind a count exclude the subjects."""
    rest = sentence.plain[sentence.tokens[head].end - sentence.start :][:LETTERS_BEHIND]
    match = EXCLUDED.search(rest)
    return match is not None and match.start() < RIGHT_BEHIND


def stated_sizes(sentence: Sentence, nouns: frozenset[str]) -> Iterator[ScoredCount]:
    """``N = 215`` and ``participants included 38``."""
    if not DIGIT.search(sentence.text) or nouns.isdisjoint(map(head_of, sentence.words)):
        return
    role = STATED_BY_ROLE.get(sentence.role, 0)
    capitals = list(sentence.matches(CAPITAL_N))
    for match in capitals if len(capitals) == 1 else ():
        yield ScoredCount(number(match.group(1)), CAPITAL_N_SCORE + role, sentence.evidence_of(match))
    smalls = list(sentence.matches(SMALL_N))
    if len(smalls) == 1 and number(smalls[0].group(1)) > 1:
        verbs = STRONG_ENROLMENT_BONUS * bool(STRONG_ENROLMENT.search(sentence.plain))
        noun = sentence.text[: smalls[0].start()].rstrip(" ([").rpartition(" ")[2].lower()
        is_named = head_of(noun) in nouns or bool(SAMPLE_NOUNS & sentence.words)
        score = SMALL_N_SCORE + role + verbs + NOUN_BONUS * is_named
        yield ScoredCount(number(smalls[0].group(1)), score, sentence.evidence_of(smalls[0]))
    if nouns is SUBJECTS and (statement := sentence.search_plain(SAMPLE_IS) or sentence.search_plain(WERE_ENROLLED)):
        yield ScoredCount(number(statement.group("n")), SAMPLE_IS_SCORE + role, sentence.evidence_of(statement))


def number(digits: str) -> int:
    """The number without separators."""
    return int(digits.replace(",", "").replace(" ", ""))


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
        numbers = [whole_number(sentence.tokens, token_at(sentence, match.start(name))) for name in ("first", "second")]
        if all(numbers):
            total = sum(number[0] for number in numbers if number)
            return Finding(total, (sentence.evidence_of(match),), is_derived=True)
    return None


def sum_of_arms(document: Document, counts: list[ScoredCount]) -> Finding | None:
    """Cases and controls together, or all the arms that ``n =`` gives in the sentence that names the groups."""
    for place, (first, second) in enumerate(pairwise(counts)):
        if are_pair(first, second):
            groups = [*groups_before(counts[: place + 1]), second]
            return Finding(
                sum(count.value for count in groups), tuple(count.evidence for count in groups), is_derived=True
            )
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
    end = first.evidence.end or 0
    return is_near and end <= (second.evidence.start or 0) < end + FARTHEST_LETTERS


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
    matches = list(sentence.matches(SMALL_N))
    capitals = [match for match in matches if match.group()[0] == "N"]
    return [match for match in matches if match not in capitals] if len(capitals) == 1 else matches


MOST_CASES = 12
"""A report of more is a series, or cites other cases."""
ONE_CASE = re.compile(
    r"(?i)\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b|\b"
    r"(?:an?|one|our|this|the) (?:[\w-]+ ){0,4}?"
    r"(?:patient|case|woman|man|boy|girl|infant|child|neonate|male|female|recipient)\b"
)
"""As in: a young woman."""
AGED_PATIENT = re.compile(
    r"(?i)\b(?:an?|the|our|one|this) (?:[\w-]+,? ){0,4}?(?:\d{1,3}|\w+)[- ](?:year|month|week|day)s?[- ]old\b"
)
"""As in: a 45-year-old man."""
ALLOCATION = re.compile(r"(?i)\b(?:randomi[sz]ed|randomly|assigned|allocated)\b")
"""As in: were randomised."""
KINDS_WITHOUT_SIZE = frozenset(
    ("review", "editorial", "guideline", "in vitro study", "computational study", "mendelian randomization", "")
)
"""Kinds of study that have no subjects to count, and studies of unknown kind."""


def sample_size(document: Document) -> Finding | None:
    """The size of the whole study: a stated total beats arms, which are summed where they are clearly all."""
    name = kind_of(document)
    if name in SYNTHESES:
        return likeliest_count(list(study_counts(document))) or likeliest_count(list(subject_counts(document)))
    if name == "case report":
        return report_size(document)
    if name in KINDS_WITHOUT_SIZE:
        return None
    counts = list(subject_counts(document, nouns=ANIMALS if name == "animal study" else SUBJECTS))
    total = likeliest_count(counts) or largest_count(counts)
    # a small number may be that of one sex only
    if total is None or total.value in {count.value for count in counts if count.value < LARGE}:
        total = both_sexes(document) or total
    arms = sum_of_arms(document, counts) or sum_of_groups(document)
    stated_size = total.value if total and isinstance(total.value, int) else 0
    is_more = bool(arms and isinstance(arms.value, int) and arms.value > stated_size)
    # such a study counts cases and controls apart
    return arms if is_more or (arms and name == "case-control study") else total


def whole_study(document: Document, finding: Finding | None) -> Finding | None:
    """The size if it is no arm's, else the sum of the arms if these are all of them; one arm is never the whole."""
    if kind_of(document) in SYNTHESES | KINDS_WITHOUT_SIZE:
        return finding
    # a quick check before the search for arms
    can_mention_allocation = not all(rules_out(ALLOCATION, sentence.lower) for sentence in document.all_sentences)
    arms = document.cached(arm_set) if finding is not None or can_mention_allocation else None
    if arms is None:
        return finding
    if finding is not None and finding.is_derived:
        return None if finding.value == arms.total and lacks_arms(document, arms) else finding
    is_arm = finding is not None and finding.value in {arm.n for arm in arms.arms}
    if not (is_arm or (finding is None and ALLOCATION.search(arms.sentence.text))):
        return finding
    if not is_complete(document, arms):
        return None
    places = tuple(arms.sentence.evidence(arm.start, arm.end) for arm in arms.arms)
    return Finding(arms.total, places, is_derived=True)


def report_size(document: Document) -> Finding | None:
    """The few patients of a case report: counted, or the one whose age is given, or any one."""
    sum_of_sexes = both_sexes(document)
    if sum_of_sexes and isinstance(sum_of_sexes.value, int) and sum_of_sexes.value <= MOST_CASES:
        return sum_of_sexes
    small_counts = [count for count in subject_counts(document) if count.value <= MOST_CASES]
    return (
        likeliest_count(small_counts, min_score=MIN_SCORE - 1)
        or single_case(document, AGED_PATIENT)
        or likeliest_count(small_counts, min_score=1)
        or single_case(document)
    )


def largest_count(counts: list[ScoredCount]) -> Finding | None:
    """The largest number of subjects, where nothing else marks it as the whole study."""
    largest = max((count.value for count in counts if count.score > 0), default=0)
    likely = next((count for count in counts if count.score >= MIN_SCORE - 1 and count.value == largest), None)
    return Finding(likely.value, (likely.evidence,)) if likely and largest >= LARGE else None


def single_case(document: Document, pattern: re.Pattern[str] = ONE_CASE) -> Finding | None:
    """One, where a report describes a single case."""
    for sentence in document.all_sentences:
        if match := pattern.search(sentence.text):
            return Finding(1, (sentence.evidence_of(match),))
    return None
