"""The size of a study by its flow: how many were screened, invited, eligible, randomised, enrolled, analysed.

Each count is read with the verb that governs it. Of several, those randomised or enrolled are the study; those who were
only screened, invited or eligible never are.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from biofact.literature.extraction.fields.study_type import SYNTHESES, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.counts import NO_COUNT_OF
from biofact.literature.extraction.text.document import Document, Sentence, Token
from biofact.literature.extraction.text.numbers import all_number_places, whole_number
from biofact.literature.extraction.text.phrases import head_of
from biofact.literature.extraction.text.vocabulary import CASES, PEOPLE, PREPOSITIONS, words


class Stage(IntEnum):
    """The stage of a study that people reached; the further, the likelier they are its size."""

    GONE = -1
    """Excluded, lost, withdrawn, dead."""
    APPROACHED = 0
    """Screened, invited, assessed for eligibility, referred."""
    WILLING = 1
    """Eligible, or consented."""
    STUDIED = 2
    """Treated, examined, analysed, followed up."""
    ENROLLED = 3
    """Enrolled, included, recruited."""
    RANDOMISED = 4


_STAGES: tuple[tuple[Stage, re.Pattern[str]], ...] = (
    # As in: were randomly assigned.
    (Stage.RANDOMISED, re.compile(r"(?i)^(?:(?:re)?randomi[sz](?:ed|ation)|randomly|allocated|assigned|allocation)$")),
    # As in: were excluded.
    (
        Stage.GONE,
        re.compile(
            r"(?i)^(?:excluded|declined|refused|withdrew|withdrawn|dropped|dropouts?|lost|died|ineligible|discontinued|missing"
            r"|exclusions?|deaths?|migrated|unreachable)$"
        ),
    ),
    # As in: were screened.
    (
        Stage.APPROACHED,
        re.compile(
            r"(?i)^(?:screen(?:ed|ing)|invit(?:ed|ations?)|approach(?:ed)?|contacted|referred|replied|enumerated"
            r"|listed|potential(?:ly)?|telephoned|mailed|retrieved|yielded|asked)$"
        ),
    ),
    # As in: were eligible.
    (Stage.WILLING, re.compile(r"(?i)^(?:eligible|consent(?:ed)?|agreed|willing|met|qualified|fulfilled)$")),
    # As in: were enrolled.
    (
        Stage.ENROLLED,
        re.compile(
            r"(?i)^(?:enroll?(?:ed|ing)?|recruit(?:ed|ing)?|includ(?:ed|ing)|entered|participated|took|leaving|formed|comprised|constituted|joined|accrued"
            r"|inclusion)$"
        ),
    ),
    # As in: were analysed.
    (
        Stage.STUDIED,
        re.compile(
            r"(?i)^(?:studied|examined|treated|received|analy[sz]ed|analysis|completed|complet(?:ers|ing)|followed|underwent"
            r"|evaluable|contributed|tested|remained|provided|started|available|respond(?:ed|ents)|answered|interviewed|attended|returned)$"
        ),
    ),
)
_FARTHEST_VERB, _FARTHEST_BEFORE, _FARTHEST_NOUN, _FARTHEST_THING = 22, 5, 7, 4
_PEOPLE = PEOPLE | CASES | words("residents pupils students graders nurses smokers persons respondents")
_END = frozenset((";", ".", ":"))
THINGS = NO_COUNT_OF | words(
    "villages wards practices clusters homes sites households records abstracts articles papers texts references"
    " person-years person-months eyes teeth limbs hips knees admissions hospitalisations hospitalizations biopsies"
    " radiographs swabs genotypes alleles tumours tumors lesions exposures episodes calls letters questionnaires forms"
    " departments platforms cats blocks countries regions cities districts schools classes dollars euros steps"
    " kcal databases embryos oocytes hospitals"
)
_NOT_BEHIND = frozenset(("%", "/", "\u00b1", "-", ":"))
_NOT_BEFORE = frozenset(
    ("/", "-", "\u2013", "\u00b1", "<", ">", "\u2265", "\u2264", ":", "aged", "age", "phase", "stage", "or", "least")
)
"""Signs and words beside a number that is no count: a ratio, a bound, an age."""
_PARTS = frozenset((("of", "the"), ("of", "these"), ("of", "those")))
_NO_TOTAL = words("blocks block mean average median")
_YEARS = range(1900, 2051)
_THIRD = 3
_MOST_ARMS = 6
_FARTHEST_POOL = 60
"""Words between those who were asked and those enrolled."""
_FEWEST = 5
"""Fewer people are rarely a study."""
_LARGEST = 10_000_000
"""Larger numbers are registrations."""
_PLANNED = words("provide provides required needed power planned aim plan recruit")
_STUDIES = words("studies trials rcts cohorts articles publications reports papers comparisons")
_WITH_PEOPLE = words("with enrolling involving comprising totalling from")
_CHOSEN = words("included eligible pooled analysed analyzed met fulfilled")
_READ_AWAY = words("records abstracts titles full texts screened identified retrieved excluded citations duplicates")
_ELIGIBLE: tuple[list[str], ...] = (
    ["for", "eligibility"],
    ["for", "inclusion"],
    ["for", "enrolment"],
    ["for", "enrollment"],
    [],
)
_ADVERBS = words("and not been then also initially subsequently first")
_SURE = words("screened invited approached excluded declined refused ineligible")
_POOL = words("of from among")
_BETWEEN = words("a total of overall the all another further adult consecutive eligible")
"""Words between a verb and its count: enrolled a total of 120."""
_AUXILIARY = words("were was had have who underwent met fulfilled supplied")


class FlowCount(NamedTuple):
    """A count of people, and how far they came."""

    value: int
    stage: Stage
    sentence: Sentence
    first: int
    after: int
    is_in_brackets: bool


def flow(document: Document) -> list[FlowCount]:
    """The counts of people with a verb of the flow, in the order of the text."""
    sentences = (sentence for sentence in document.sentences if sentence.role not in {"background", "limitations"})
    return [count for sentence in sentences for count in _counts(sentence)]


def planned_or_included(document: Document) -> Finding | None:
    """The people whom a protocol plans to recruit, or the studies that a review includes."""
    kind = kind_of(document)
    if kind in SYNTHESES:
        return _included_studies(document)
    return _planned(document) if kind == "protocol" else None


def _planned(document: Document) -> Finding | None:
    """The people whom a protocol plans to recruit: the most of those that it counts so."""
    counts = [
        FlowCount(value, Stage.ENROLLED, sentence, first, after, is_in_brackets=False)
        for sentence in document.sentences
        if sentence.role != "background" and _PLANNED.intersection(sentence.all_words)
        for value, first, after in sentence.cached(_number_places)
        if _is_of_people(sentence.all_tokens, value, first, after)
    ]
    best = max(counts, key=lambda count: count.value, default=None)
    return None if best is None else _finding(best)


def _is_of_people(tokens: Sequence[Token], value: int, first: int, after: int) -> bool:
    """Whether a number counts people, with at most adjectives between."""
    if (
        not _FEWEST <= value < _LARGEST
        or value in _YEARS
        or _is_no_count(tokens, first, after)
        or _counts_things(tokens, after)
    ):
        return False
    for token in tokens[after : after + _FARTHEST_THING]:
        if head_of(token.word) in _PEOPLE:
            return True
        if not token.word[0].isalpha() or token.word in PREPOSITIONS or _is_verb(token.word):
            return False
    return False


def is_total(document: Document, value: int) -> bool:
    """Whether a count is the sum of those behind it in its sentence: 748 were randomised, 375 to zinc and 373 not."""
    for count in document.cached(flow):
        if count.value != value:
            continue
        behind = [other for other, first, _ in count.sentence.cached(_number_places) if first > count.first][
            :_MOST_ARMS
        ]
        sums = {sum(behind[start:end]) for start in range(len(behind)) for end in range(start + 2, len(behind) + 1)}
        if value in sums:
            return True
    return False


def stage_of_value(document: Document) -> dict[int, Stage]:
    """The furthest stage of each count. Larger numbers before those enrolled, in their sentence, are who was asked."""
    stages: dict[int, Stage] = {}
    for count in document.cached(flow):
        stages[count.value] = max(count.stage, stages.get(count.value, count.stage))
        if count.stage < Stage.ENROLLED or count.is_in_brackets:
            continue
        numbers = count.sentence.cached(_number_places)
        before = [value for value, first, _ in numbers if count.first - _FARTHEST_POOL < first < count.first]
        larger = (value for value in before if value > count.value)
        stages |= {value: Stage.APPROACHED for value in larger if stages.get(value, Stage.STUDIED) < Stage.ENROLLED}
    return stages


def _counts(sentence: Sentence) -> Iterator[FlowCount]:
    tokens = sentence.all_tokens
    places = sentence.cached(_number_places)
    of_things = False
    for place, (value, first, after) in enumerate(places):
        next_number = places[place + 1][1] if place + 1 < len(places) else len(tokens)
        if _is_no_count(tokens, first, after) or not 1 < value < _LARGEST or value in _YEARS:
            continue
        has_verb_next = after < len(tokens) and _is_verb(tokens[after].word)
        if _counts_things(tokens, after) or (of_things and has_verb_next):  # 121 villages, of which 90 were eligible
            of_things = first == 0 or tokens[first - 1].word not in PREPOSITIONS
            continue
        of_things = False
        stage = None if _is_arm(sentence, places, place) else _stage(tokens, first, after, next_number)
        if stage is not None and (value >= _FEWEST or stage < Stage.ENROLLED):
            offset = tokens[first].start - sentence.start
            is_in_brackets = sentence.plain[offset : offset + 1].isspace()
            yield FlowCount(value, stage, sentence, first, after, is_in_brackets)


def _number_places(sentence: Sentence) -> list[tuple[int, int, int]]:
    """Each whole number with the index of its first token and of the token behind it."""
    places: list[tuple[int, int, int]] = []
    after = 0
    for index in all_number_places(sentence):
        number = whole_number(sentence.all_tokens, index) if index >= after else None
        if number is not None:
            value, after = number
            places.append((value, index, after))
    return places


def _is_no_count(tokens: Sequence[Token], first: int, after: int) -> bool:
    """Whether a number is a share, an age, a bound, a ratio, a mean or part of a total."""
    before, second = (tokens[first - distance].word if first >= distance else "" for distance in (1, 2))
    behind = tokens[after].word if after < len(tokens) else ""
    is_beside_sign = behind in _NOT_BEHIND or before in _NOT_BEFORE or tokens[first].word.startswith("0")
    third = tokens[first - _THIRD].word if first >= _THIRD else ""
    is_part = (second, before) in _PARTS and third[:1].isdigit()  # 7 of the 36
    return is_beside_sign or is_part or second in _NO_TOTAL


def _is_arm(sentence: Sentence, places: Sequence[tuple[int, int, int]], place: int) -> bool:
    """Whether a count is of one of two arms: 61 were allocated to zinc and 68 to placebo."""
    if place + 1 == len(places):
        return False
    tokens, (_, _, after), (_, first, end) = sentence.all_tokens, places[place], places[place + 1]
    between = [token.word for token in tokens[after : min(first, after + _FARTHEST_VERB)]]
    return "to" in between and "(" not in between and end < len(tokens) and tokens[end].word == "to"


def _counts_things(tokens: Sequence[Token], after: int) -> bool:
    """Whether the noun behind a number is of things, not of people."""
    for token in tokens[after : after + _FARTHEST_THING]:
        if token.word in THINGS:
            return True
        if _is_verb(token.word) or not token.word[0].isalpha() or token.word in {"with", "and", "of"}:
            return False
    return False


def _is_verb(word: str) -> bool:
    return word in _AUXILIARY or _stage_of(word) is not None


def _stage(tokens: Sequence[Token], first: int, after: int, next_number: int) -> Stage | None:
    """The furthest stage of the verbs that govern a count: behind it up to the next number, else right before it."""
    before = [token.word for token in tokens[max(0, first - _FARTHEST_BEFORE) : first]]
    behind = list(_words_until(tokens, after, min(next_number, after + _FARTHEST_VERB)))
    if before and before[-1] in _POOL and "," in behind:  # of 200 seen, 150 were enrolled
        behind = behind[: behind.index(",")]
    if not _counts_people(behind):
        return None
    if "assessed" in behind and behind[behind.index("assessed") + 1 :][:2] in _ELIGIBLE:
        return Stage.APPROACHED
    if stages := list(_stages_in(behind)):
        return Stage.GONE if stages[0] == Stage.GONE else max(stages)
    while before and before[-1] in _BETWEEN:
        before.pop()
    return _stage_of(before[-1]) if before else None


def _stages_in(words_behind: Sequence[str]) -> Iterator[Stage]:
    """The stages of the verbs; who left or was asked only right behind an auxiliary or the number."""
    for place, word in enumerate(words_behind):
        stage = _stage_of(word)
        is_passive = place == 0 or words_behind[place - 1] in _AUXILIARY or words_behind[place - 1] in _ADVERBS
        if stage is not None and (stage > Stage.APPROACHED or is_passive or word in _SURE):
            yield stage


def _counts_people(behind: Sequence[str]) -> bool:
    """Whether the words behind a number let it count people: a noun for them, or a verb of theirs at once."""
    is_elliptical = bool(behind) and (_is_verb(behind[0]) or behind[0] == "with")
    return is_elliptical or any(head_of(word) in _PEOPLE for word in behind[:_FARTHEST_NOUN])


def _words_until(tokens: Sequence[Token], start: int, end: int) -> Iterator[str]:
    depth = 0
    for token in tokens[start:end]:
        depth += (token.word in "([") - (token.word in ")]")
        if depth < 0 or (token.word in _END and depth == 0):
            return
        if depth == 0:
            yield token.word


@lru_cache(maxsize=10_000)
def _stage_of(word: str) -> Stage | None:
    return next((stage for stage, pattern in _STAGES if pattern.match(word)), None)


def _included_studies(document: Document) -> Finding | None:
    """The number of studies that a review includes."""
    found: list[tuple[int, FlowCount]] = []
    for sentence in document.sentences:
        if sentence.role in {"background", "objective", "limitations"}:
            continue
        tokens = sentence.all_tokens
        places = sentence.cached(_number_places)
        for place, (value, first, after) in enumerate(places):
            next_number = places[place + 1][1] if place + 1 < len(places) else len(tokens)
            nouns = [token.word for token in tokens[after : min(next_number, after + 5)]]
            is_elliptical = nouns[:1] in (["were"], ["met"], ["fulfilled"]) and bool(
                _STUDIES & set(sentence.all_words[:first])
            )
            if value in _YEARS or not (_STUDIES.intersection(nouns) or is_elliptical):
                continue
            clause = set(_words_until(tokens, after, min(next_number, after + _FARTHEST_VERB)))
            before = {token.word for token in tokens[max(0, first - 2) : first]}
            if _READ_AWAY & clause and not {"included", "eligible"} & clause:
                continue
            has_people = bool(_WITH_PEOPLE & clause) or _opens_bracket(tokens, after)
            score = 2 * bool(_CHOSEN & (clause | before)) + has_people
            offset = tokens[first].start - sentence.start
            in_brackets = sentence.plain[offset : offset + 1].isspace()
            if score and not in_brackets:
                found.append((score, FlowCount(value, Stage.ENROLLED, sentence, first, after, is_in_brackets=False)))
    best = max(found, key=lambda pair: pair[0], default=None)
    return None if best is None else _finding(best[1])


def _opens_bracket(tokens: Sequence[Token], after: int) -> bool:
    """Whether a bracket follows the studies: 12 trials (3,574 patients)."""
    return any(token.word == "(" for token in tokens[after : after + 4])


def _finding(count: FlowCount) -> Finding:
    """A count on the number and the noun that it counts."""
    tokens = count.sentence.all_tokens
    nouns = (
        place
        for place in range(count.after, min(len(tokens), count.after + _FARTHEST_THING))
        if tokens[place].word in _STUDIES or head_of(tokens[place].word) in _PEOPLE
    )
    last = next(nouns, count.after - 1)
    return Finding(count.value, (count.sentence.evidence(tokens[count.first].start, tokens[last].end),))
