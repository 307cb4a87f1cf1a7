"""The arms of a study with their sizes, where one sentence counts two or more: zinc (n = 67) or placebo (n = 68)."""

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.field import Field
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import TOKEN, Document, Sentence, Token
from biofact.literature.extraction.text.numbers import NUMBER_WORD, UNITS, whole_number
from biofact.literature.extraction.text.phrases import MOST_WORDS, head_of
from biofact.literature.extraction.text.vocabulary import PEOPLE, words

FEWEST_ARMS, MOST_ARMS = 2, 8
NUMBER = (
    rf"(?:\d{{1,3}}(?:[, ]\d{{3}})+|\d{{1,6}}|(?:{NUMBER_WORD})(?:[- ](?:{NUMBER_WORD}))*)"
    r"(?![.·]\d|\s?%|\s?(?:mg|g|ml|kg)\b)"
)
SUBJECTS = (
    r"(?:patients|participants|subjects|women|men|children|adults|infants|individuals|people|volunteers|students|eyes"
    r"|families|pts|recipients|cases|controls|girls|boys|adolescents|neonates|persons|survivors|animals|rats|mice|dogs|schools|clinics|practices)"
)
WHOLE_NUMBER = re.compile(rf"(?i)\b{NUMBER}")
"""As in: 40 women."""
SIZE = re.compile(rf"(?i)\b(?:n|total)\s?[=:]\s?(?P<n>{NUMBER})|[(\[]\s?(?P<m>{NUMBER}) {SUBJECTS}\b")
"""As in: zinc (n = 67)."""
COUNTED_ARM = re.compile(
    rf"(?i)(?<![\w.=-])(?P<n>{NUMBER})(?: \(\d[\d.]* ?%\))?(?: (?:[\w-]+ ){{0,3}}?{SUBJECTS})?,?"
    r"(?: (?:were|was|had been))?(?: \w+ly)?"
    r" (?:(?P<verb>assigned|allocated|randomi[sz]ed|given|treated|managed|received|receiving|got|underwent|undergoing)"
    r"(?: randomly)?(?: (?:to (?:receive|undergo)|to|with|into|by))?|to(?: receive)?|in|into|on) (?:the |either |an? )?"
    rf"(?P<name>[^,;.()]{{2,120}}?)(?=\s*(?:[,;.()]|$| (?:and|or|versus|vs|while|whereas|but) (?:the )?"
    rf"(?:other |remaining |another )?(?:{NUMBER})\b))"
)
"""As in: 67 patients received zinc and 68 placebo."""
ALLOCATION = re.compile(
    r"(?i)\b(?:randomi[sz]\w*|randomly|assign\w*|allocat\w*|divided|distributed|separated|split|receiv\w*|given|treated"
    r"|underwent|took|enrol\w*|recruited|included)\b"
)
"""As in: were assigned to zinc."""
PARTICIPATION = re.compile(
    r"(?i)\b(?:randomi[sz]\w*|randomly|assign\w*|allocat\w*|divided|received|completed"
    r"|enrolled|evaluable|eligible|assessable|completers|participated|evaluated|included|analy[sz]ed)\b"
)
"""As in: were randomized."""
EVENTS = re.compile(r"(?i)\b(?:deaths?|died|events?|episodes|adverse|relapses|recurrences)\b")
"""Events that results count, rather than people. As in: number of deaths."""
SIDE_BY_SIDE = re.compile(r"(?i)\b(?:groups?|arms?|placebo|controls?|versus|vs|compar\w+|either|both|cohorts?|trial)\b")
"""As in: two groups."""
LEAD = re.compile(
    r"(?i).*(?:\b(?:randomi[sz]ed|randomi[sz]ing|assigned|assigning|allocated|allocating|divided|distributed|separated"
    r"|split|classified|stratified|received|receiving|receive|took|given|underwent|undergoing|undergo|either"
    r"|consisted of|comprised|including|included|enrolled|recruited|comparing|comparison of|trial of|compared"
    r"|treated with|treatment with|arms? of)\b"
    r"(?:,? (?:\d[\d:,]* )?(?:randomly|in a \S+ (?:ratio|fashion|manner)|to receive|to undergo|to either|either|into|to"
    r"|in|with|the|an?|one of|(?:two|three|four|five|2|3|4|5)(?: \w+)? (?:groups|arms)|as follows)\b,?)*"
    r"|[:;]|\b(?:in|into|to|of) the(?= [\w -]{2,40}(?:group|arm)$)|\d:\d+(?::\d+)*,? to)\s*"
)
"""Words that lead up to the name of an arm. As in: were randomly assigned to the"""
NEXT_ARM = re.compile(r"(?i).*[,;)] ?(?:and|or|versus|vs\.?)\b|.*\b(?:or|versus|vs\.?)(?=\s)")
"""The beginning of the next arm. As in: with milk, or placebo."""
PEOPLE_ALLOCATED = re.compile(
    rf"(?i)\s*(?:the |all |these )?(?:\d[\d,]* )?(?:[\w-]+ ){{0,6}}?{SUBJECTS}\b.*?\s(?:to|into)\s"
    r"(?:receive |undergo |either )?"
)
"""The people who are allocated, before the arm. As in: 135 adults with colds to zinc"""
JOINT = re.compile(
    r"(?i)[\s,;)\]:]*(?:\(?[1-9ivx]{1,3}\) ?|(?:and|or|versus|vs\.?|against|with|to|in|on|of|the|an?|either|both|then"
    r"|one|compared|group of)\s+)*"
)
"""Words that join an arm to the one before it. As in: and the"""
BRACKET = re.compile(r"[(\[][^()\[\]]{8,160}[)\]]")
"""As in: (22 zinc, 18 placebo)."""
CLOSING = re.compile(r"[^()\[\]]{0,80}[)\]]")
"""As in: n = 67)."""
NUMBER_AND_NAME = re.compile(
    rf"[(\[,;] ?(?:and |with )?(?:(?P<n>{NUMBER}) (?:in |on |with |to |for )?(?:the )?"
    r"(?P<name>[^\W\d][^,;()\[\]\d]{1,60}?)"
    rf"|(?P<named>[^\W\d][^,;()\[\]\d]{{1,60}}?),? (?P<m>{NUMBER}))(?=\s*(?:[,;)\]]| (?:and|versus|vs) ))"
    rf"|\b(?:and|versus|vs) (?P<k>{NUMBER}) (?:in |on |with |to |for )?(?:the )?(?P<last>[^\W\d][^,;()\[\]\d]{{1,60}}?)"
    r"(?=\s*[,;)\]])"
)
"""As in: (22 zinc, 18 placebo)."""
TREATMENT_RECEIVED = re.compile(
    r"(?i),?\s*(?::|(?:who |that |which )?(?:(?:was|were) )?(?:received|receiving|underwent|given|got"
    r"|treated with|assigned to|consumed|took|administered))"
    r" (?:the |an? )?(?P<what>[^,;.()]{2,100}?)(?=\s*(?:[,;.()]|$| (?:and|while|whereas|but|or) ))"
)
"""As in: received zinc."""
TREATMENT_BEHIND = re.compile(
    r",?\s(?:(?:for|in|on|received|receiving|to) )?(?:the )?(?P<what>[^\W\d][^,;.()]{2,80}?)(?=\s*(?:[,;.()]|$| and ))"
)
"""A treatment behind the size. As in: n = 30 for zinc."""
LABEL = re.compile(
    r"(?i)^(?:the |one |other )?(?:(?:group|arm|cohort) ?-?(?:[A-Z]|\d{1,2}|[ivx]{1,4}|one|two|three|four)?|(?:first"
    r"|second|third|fourth|control|intervention|experimental|study|treatment|test|index) (?:group|arm)|[A-Z]\d?"
    r"|intervention|(?:patients|participants|women|men|subjects|children|those))$"
)
"""A name that does not identify the treatment. As in: group A."""
IN_GROUP = re.compile(r"(?i)\b(?:groups?|arms?)$")
"""As in: 68 in the placebo group."""
NO_NAME = re.compile(
    r"(?i)\b(?:was|were|had|showed|displayed|developed|experienced|reported|attended|completed|died|withdrew)\b"
    r"|\bas well\b|\brandomi[sz]ation\b|^(?:each|every) |^(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)\b|^(?:two|three|four|[2-6]) (?:[\w-]+ )?(?:groups|arms)\b"
    r"|^(?:(?:an )?additional|total|all|\d+(?:[.·]\d+)?\s?%)"
)
"""As in: women who developed fever."""
NO_ARM = words("men women males females boys girls male female total overall patients participants subjects n eyes")
"""Words that are no arm: 12 men and 14 women."""
SHARE = re.compile(r"[^()]{0,20}?\d\s?%")
"""A share, which marks the people with an event. As in: , 18%"""
ARM_COUNT = re.compile(
    r"(?i)\b(?P<n>two|three|four|five|six|[2-6])[- ](?:[\w-]+ ){0,3}?(?:arms?|groups?|regimens|treatments"
    r"|interventions)\b"
)
"""As in: three groups."""


class Arm(NamedTuple):
    """An arm in a sentence; offsets are those of the whole title or abstract."""

    name: str
    n: int
    start: int
    end: int


class ArmSet(NamedTuple):
    """The arms that one sentence counts."""

    sentence: Sentence
    arms: tuple[Arm, ...]
    is_whole: bool
    """Whether every size in the sentence belongs to one of them."""

    @property
    def total(self) -> int:
        """The number of people in all arms together."""
        return sum(arm.n for arm in self.arms)


def sized_arms(document: Document) -> Finding | None:
    """The arms with their sizes, each on its own words, in the order of the text."""
    arms = document.cached(arm_set)
    if arms is None:
        return None
    return main_finding(
        [Finding({"name": arm.name, "n": arm.n}, (arms.sentence.evidence(arm.start, arm.end),)) for arm in arms.arms]
    )


def arm_set(document: Document) -> ArmSet | None:
    """The arms of the sentence that allocates people to them, else of the first that counts several side by side."""
    first: ArmSet | None = None
    for sentence in document.all_sentences:
        arms = arms_in_sentence(sentence)
        if arms is not None and ALLOCATION.search(sentence.text):
            return arms
        first = first or arms
    return first


def arms_in_sentence(sentence: Sentence) -> ArmSet | None:
    """The arms that a sentence counts; None unless it counts several."""
    if sentence.role in {"background", "conclusions"} or not any(map(str.isdigit, sentence.text)):
        return None
    if sentence.search(EVENTS) or (sentence.role == "results" and not sentence.search(PARTICIPATION)):
        return None
    signs = (ALLOCATION, SIDE_BY_SIDE, PARTICIPATION)
    if sentence.role not in {"participants", "intervention"} and not any(map(sentence.search, signs)):
        return None
    for find in (arms_before_sizes, arms_behind_counts, arms_in_brackets):
        arms = list(find(sentence))
        if len(arms) > FEWEST_ARMS and arms[0].n >= sum(arm.n for arm in arms[1:]):
            del arms[0]  # the total, stated before the arms
        sound_arms = [arm for arm in arms if is_arm(arm)]
        # of equal names the first stands, in the order of the text
        distinct = tuple({arm.name.lower(): arm for arm in reversed(sound_arms)}.values())[::-1]
        if FEWEST_ARMS <= len(distinct) == len(sound_arms) <= MOST_ARMS:
            return ArmSet(sentence, distinct, is_whole=len(sound_arms) == len(arms))
    return None


def is_arm(arm: Arm) -> bool:
    """Whether a name can be that of an arm."""
    parts = arm.name.lower().split()
    is_named = 1 <= len(parts) <= MOST_WORDS and any(letter.isalpha() for letter in arm.name)
    is_named = is_named and not NO_NAME.search(arm.name)
    return is_named and arm.n > 1 and not all(part in NO_ARM or head_of(part) in PEOPLE for part in parts[:2])


def arms_before_sizes(sentence: Sentence) -> Iterator[Arm]:
    """Arms named before their sizes: zinc (n = 67)."""
    text, start = sentence.text, 0
    for match in SIZE.finditer(text):
        value, close = parse_number(match["n"] or match["m"]), bracket_end(text, match.end())
        # deaths (n = 12, 18%) are people with an event
        if value is None or SHARE.match(text, match.end(), close):
            continue
        first, last = name_span(text, start, match.start() + (match["n"] is None))
        treatment = TREATMENT_BEHIND.match(text, match.end()) if first == last else None
        treatment = treatment or (TREATMENT_RECEIVED.match(text, close) if LABEL.match(text[first:last]) else None)
        name = treatment["what"] if treatment else text[first:last]
        start = treatment.end("what") if treatment else match.end() if is_shared(text, match.start()) else close
        yield Arm(clean_name(name), value, sentence.start + first, sentence.start + max(match.end(), start))


def clean_name(name: str) -> str:
    """The name with single blanks, and without a bracket that does not end in it."""
    head, bracket, tail = name.partition("[" if "[" in name and "]" not in name else "(")
    if bracket and ")" not in tail and "]" not in tail:
        name = head if any(letter.isalpha() for letter in head) else tail
    return " ".join(name.split())


def bracket_end(text: str, offset: int) -> int:
    """The offset after the bracket that holds a size; the given offset if there is no bracket."""
    close = CLOSING.match(text, offset)
    return close.end() if close else offset


def is_shared(text: str, offset: int) -> bool:
    """Whether the bracket that holds a size holds another one as well: (zinc, n = 30; placebo, n = 31)."""
    bracket = max(text.rfind("(", 0, offset), text.rfind("[", 0, offset))
    content = text[bracket : bracket_end(text, offset)] if bracket >= 0 else ""
    return len(SIZE.findall(content)) > 1


def name_span(text: str, start: int, offset: int) -> tuple[int, int]:
    """The span of the name of an arm, between the arm before and the size."""
    bracket = max(text.rfind("(", start, offset), text.rfind("[", start, offset))
    if bracket < 0:
        return trim_name(text, start, offset)
    if is_shared(text, offset):
        return trim_name(text, bracket + 1, offset)
    outer, inner = trim_name(text, start, bracket), trim_name(text, bracket + 1, offset)
    is_inner = sum(letter.isalpha() for letter in text[slice(*inner)]) > FEWEST_ARMS
    return inner if is_inner and (outer[0] == outer[1] or LABEL.match(text[slice(*outer)])) else outer


def trim_name(text: str, first: int, last: int) -> tuple[int, int]:
    """The span of a name within a stretch, without the words that lead up to it or join it to the arm before."""
    for pattern in (LEAD, NEXT_ARM, PEOPLE_ALLOCATED, JOINT):
        match = pattern.match(text, first, last)
        first = match.end() if match else first
    return first, first + len(text[first:last].rstrip(" ,:;([-"))


def arms_behind_counts(sentence: Sentence) -> Iterator[Arm]:
    """Arms named behind their counts: 67 patients received zinc."""
    chance = PARTICIPATION.search(sentence.text)
    for match in COUNTED_ARM.finditer(sentence.text):
        value, name = parse_number(match["n"]), match["name"]
        is_given_out = match["verb"] is not None or (chance is not None and chance.start() < match.start())
        is_linked = is_given_out or IN_GROUP.search(name) is not None
        if value is not None and is_linked and not (name[0].isdigit() and match["verb"] is None):
            end = match.start("name") + len(name.rstrip())
            yield Arm(clean_name(name), value, sentence.start + match.start("n"), sentence.start + end)


def arms_in_brackets(sentence: Sentence) -> Iterator[Arm]:
    """Arms in one bracket whose sizes add up to a number before it: 40 women (22 zinc, 18 placebo)."""
    for bracket in BRACKET.finditer(sentence.text):
        arms = [
            Arm(clean_name(name), value, bracket.start() + match.start() + 1, bracket.start() + match.end())
            for match in NUMBER_AND_NAME.finditer(bracket.group())
            if (name := match["name"] or match["named"] or match["last"])
            and (value := parse_number(match["n"] or match["m"] or match["k"])) is not None
        ]
        total, numbers = sum(arm.n for arm in arms), WHOLE_NUMBER.finditer(sentence.text, 0, bracket.start())
        if len(arms) >= FEWEST_ARMS and any(parse_number(match.group()) == total for match in numbers):
            yield from (arm._replace(start=sentence.start + arm.start, end=sentence.start + arm.end) for arm in arms)
            return


def parse_number(text: str) -> int | None:
    """The whole number that digits or words spell."""
    tokens: Sequence[Token] = [Token(m.start(), m.end(), m.group().lower()) for m in TOKEN.finditer(text)]
    number = whole_number(tokens, 0) if tokens else None
    return number[0] if number and number[1] == len(tokens) else None


def is_complete(document: Document, arms: ArmSet) -> bool:
    """Whether these are all the arms: as many as the text counts, if it counts them."""
    numbers = stated_counts(document)
    return arms.is_whole and (not numbers or len(arms.arms) in numbers)


def lacks_arms(document: Document, arms: ArmSet) -> bool:
    """Whether the text counts more arms."""
    return min(stated_counts(document), default=0) > len(arms.arms)


def stated_counts(document: Document) -> list[int]:
    """Every number of arms or groups that the text states."""
    return [UNITS.get(match["n"]) or int(match["n"]) for match in ARM_COUNT.finditer(document.lower)]


ARMS = Field(
    name="arms",
    find=sized_arms,
    names=(
        "arm study_arms study_arm treatment_arms trial_arms groups group study_groups trial_groups "
        "treatment_groups arm_sizes group_sizes randomised_groups randomized_groups intervention_arms "
        "comparison_groups"
    ),
    kinds=frozenset(("array", "any")),
    parts=MappingProxyType(
        {
            "name": "label description title text arm group treatment intervention arm_name group_name",
            "n": (
                "size number count total participants patients subjects "
                "sample_size value n_patients n_participants number_of_participants "
                "number_of_patients participant_count n_randomized n_randomised arm_size group_size"
            ),
        }
    ),
    unit="people",
    is_of_study=True,
    companions=frozenset(("intervention", "comparator")),
)
