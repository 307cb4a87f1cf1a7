"""The arms of a study with their sizes, where one sentence counts two or more: zinc (n = 67) or placebo (n = 68)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import TOKEN, Document, Sentence, Token
from biofact.literature.extraction.text.numbers import TENS, UNITS, whole_number
from biofact.literature.extraction.text.phrases import MOST_WORDS, head_of
from biofact.literature.extraction.text.vocabulary import PEOPLE, words

FEWEST_ARMS, MOST_ARMS = 2, 8
SPELLED = "|".join(sorted((*UNITS, *TENS), key=len, reverse=True))
NUMBER = (
    rf"(?:\d{{1,3}}(?:[, ]\d{{3}})+|\d{{1,6}}|(?:{SPELLED})(?:[- ](?:{SPELLED}))*)(?![.·]\d|\s?%|\s?(?:mg|g|ml|kg)\b)"
)
SUBJECTS = (
    r"(?:patients|participants|subjects|women|men|children|adults|infants|individuals|people|volunteers|students|eyes"
    r"|families|pts|recipients|cases|controls|girls|boys|adolescents|neonates|persons|survivors|animals|rats|mice|dogs|schools|clinics|practices)"
)
WHOLE = re.compile(rf"(?i)\b{NUMBER}")
"""As in: 40 women."""
SIZE = re.compile(rf"(?i)\b(?:n|total)\s?[=:]\s?(?P<n>{NUMBER})|[(\[]\s?(?P<m>{NUMBER}) {SUBJECTS}\b")
"""As in: zinc (n = 67)."""
COUNTED = re.compile(
    rf"(?i)(?<![\w.=-])(?P<n>{NUMBER})(?: \(\d[\d.]* ?%\))?(?: (?:[\w-]+ ){{0,3}}?{SUBJECTS})?,?"
    r"(?: (?:were|was|had been))?(?: \w+ly)?"
    r" (?:(?P<verb>assigned|allocated|randomi[sz]ed|given|treated|managed|received|receiving|got|underwent|undergoing)"
    r"(?: randomly)?(?: (?:to (?:receive|undergo)|to|with|into|by))?|to(?: receive)?|in|into|on) (?:the |either |an? )?"
    rf"(?P<name>[^,;.()]{{2,120}}?)(?=\s*(?:[,;.()]|$| (?:and|or|versus|vs|while|whereas|but) (?:the )?"
    rf"(?:other |remaining |another )?(?:{NUMBER})\b))"
)
"""As in: 67 patients received zinc and 68 placebo."""
GIVEN_OUT = re.compile(
    r"(?i)\b(?:randomi[sz]\w*|randomly|assign\w*|allocat\w*|divided|distributed|separated|split|receiv\w*|given|treated"
    r"|underwent|took|enrol\w*|recruited|included)\b"
)
"""As in: were assigned to."""
OUT_OF_CHANCE = re.compile(
    r"(?i)\b(?:randomi[sz]\w*|randomly|assign\w*|allocat\w*|divided|received|completed"
    r"|enrolled|evaluable|eligible|assessable|completers|participated|evaluated|included|analy[sz]ed)\b"
)
"""As in: were randomized."""
EVENTS = re.compile(r"(?i)\b(?:deaths?|died|events?|episodes|adverse|relapses|recurrences)\b")
"""What is counted in results. As in: number of deaths."""
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
"""What leads up to the name of an arm. As in: were randomly assigned to the"""
ANEW = re.compile(r"(?i).*[,;)] ?(?:and|or|versus|vs\.?)\b|.*\b(?:or|versus|vs\.?)(?=\s)")
"""Where the next arm begins. As in: with milk, or placebo."""
PEOPLE_TO = re.compile(
    rf"(?i)\s*(?:the |all |these )?(?:\d[\d,]* )?(?:[\w-]+ ){{0,6}}?{SUBJECTS}\b.*?\s(?:to|into)\s"
    r"(?:receive |undergo |either )?"
)
"""Those who are given out, before the arm. As in: 135 adults with colds to zinc"""
JOINED = re.compile(
    r"(?i)[\s,;)\]:]*(?:\(?[1-9ivx]{1,3}\) ?|(?:and|or|versus|vs\.?|against|with|to|in|on|of|the|an?|either|both|then"
    r"|one|compared|group of)\s+)*"
)
"""What joins an arm to the one before. As in: and the"""
BRACKET = re.compile(r"[(\[][^()\[\]]{8,160}[)\]]")
"""As in: (22 zinc, 18 placebo)."""
CLOSING = re.compile(r"[^()\[\]]{0,80}[)\]]")
"""As in: = 67)."""
BARE = re.compile(
    rf"[(\[,;] ?(?:and |with )?(?:(?P<n>{NUMBER}) (?:in |on |with |to |for )?(?:the )?"
    r"(?P<name>[^\W\d][^,;()\[\]\d]{1,60}?)"
    rf"|(?P<named>[^\W\d][^,;()\[\]\d]{{1,60}}?),? (?P<m>{NUMBER}))(?=\s*(?:[,;)\]]| (?:and|versus|vs) ))"
    rf"|\b(?:and|versus|vs) (?P<k>{NUMBER}) (?:in |on |with |to |for )?(?:the )?(?P<last>[^\W\d][^,;()\[\]\d]{{1,60}}?)"
    r"(?=\s*[,;)\]])"
)
"""As in: (22 zinc, 18 placebo)."""
RECEIVED = re.compile(
    r"(?i),?\s*(?::|(?:who |that |which )?(?:(?:was|were) )?(?:received|receiving|underwent|given|got"
    r"|treated with|assigned to|consumed|took|administered))"
    r" (?:the |an? )?(?P<what>[^,;.()]{2,100}?)(?=\s*(?:[,;.()]|$| (?:and|while|whereas|but|or) ))"
)
"""As in: received zinc."""
FOR = re.compile(
    r",?\s(?:(?:for|in|on|received|receiving|to) )?(?:the )?(?P<what>[^\W\d][^,;.()]{2,80}?)(?=\s*(?:[,;.()]|$| and ))"
)
"""Behind the size. As in: n = 30 for zinc."""
LABEL = re.compile(
    r"(?i)^(?:the |one |other )?(?:(?:group|arm|cohort) ?-?(?:[A-Z]|\d{1,2}|[ivx]{1,4}|one|two|three|four)?"
    r"|(?:first|second|third"
    r"|fourth|control|intervention|experimental|study|treatment|test|index) (?:group|arm)"
    r"|[A-Z]\d?|intervention|(?:patients|participants|women"
    r"|men|subjects|children|those))$"
)
"""A name that says nothing of what was done. As in: group A."""
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
SHARE = re.compile(r"[^()]{0,20}?\d\s?%")
"""Behind the number of those with an event. As in: , 18%"""
MANY = re.compile(
    r"(?i)\b(?P<n>two|three|four|five|six|[2-6])[- ](?:[\w-]+ ){0,3}?(?:arms?|groups?|regimens|treatments"
    r"|interventions)\b"
)
"""As in: three groups."""
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


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
    """Whether every size in the sentence is that of one of them."""

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(arm.n for arm in self.arms)


def sized_arms(document: Document) -> Finding | None:
    """The arms with their sizes, each on its own words, in the order of the text."""
    found = document.cached(arm_set)
    if found is None:
        return None
    each = [
        Finding({"name": arm.name, "n": arm.n}, (found.sentence.evidence(arm.start, arm.end),)) for arm in found.arms
    ]
    return Finding(each[0].value, each[0].evidence, siblings=tuple(each[1:]))


def arm_set(document: Document) -> ArmSet | None:
    """The arms of the sentence that gives people out to them, else of the first that puts them side by side."""
    first: ArmSet | None = None
    for sentence in document.all_sentences:
        found = in_sentence(sentence)
        if found is not None and GIVEN_OUT.search(sentence.text):
            return found
        first = first or found
    return first


def in_sentence(sentence: Sentence) -> ArmSet | None:
    """The arms that a sentence counts, if it counts several."""
    if sentence.role in {"background", "conclusions"} or not any(map(str.isdigit, sentence.text)):
        return None
    if sentence.search(EVENTS) or (sentence.role == "results" and not sentence.search(OUT_OF_CHANCE)):
        return None
    signs = (GIVEN_OUT, SIDE_BY_SIDE, OUT_OF_CHANCE)
    if sentence.role not in {"participants", "intervention"} and not any(map(sentence.search, signs)):
        return None
    for read in (sized, counted, bare):
        found = list(read(sentence))
        if len(found) > FEWEST_ARMS and found[0].n >= sum(arm.n for arm in found[1:]):
            del found[0]  # all of them, before their arms
        kept = [arm for arm in found if is_arm(arm)]
        distinct = tuple({arm.name.lower(): arm for arm in reversed(kept)}.values())[::-1]
        if FEWEST_ARMS <= len(distinct) == len(kept) <= MOST_ARMS:
            return ArmSet(sentence, distinct, is_whole=len(kept) == len(found))
    return None


def is_arm(arm: Arm) -> bool:
    """Whether a name can be that of an arm."""
    parts = arm.name.lower().split()
    is_named = 1 <= len(parts) <= MOST_WORDS and any(letter.isalpha() for letter in arm.name)
    is_named = is_named and not NO_NAME.search(arm.name)
    return is_named and arm.n > 1 and not all(part in NO_ARM or head_of(part) in PEOPLE for part in parts[:2])


def sized(sentence: Sentence) -> Iterator[Arm]:
    """Names with their sizes behind: zinc (n = 67)."""
    text, done = sentence.text, 0
    for match in SIZE.finditer(text):
        value, close = as_number(match["n"] or match["m"]), closing(text, match.end())
        if value is None or SHARE.match(text, match.end(), close):
            continue
        first, last = name_before(text, done, match.start() + (match["n"] is None))
        what = FOR.match(text, match.end()) if first == last else None
        what = what or (RECEIVED.match(text, close) if LABEL.match(text[first:last]) else None)
        name = what["what"] if what else text[first:last]
        done = what.end("what") if what else match.end() if is_shared(text, match.start()) else close
        yield Arm(tidy(name), value, sentence.start + first, sentence.start + max(match.end(), done))


def tidy(name: str) -> str:
    """The name with single blanks, and without a bracket that does not end in it."""
    head, opened, tail = name.partition("[" if "[" in name and "]" not in name else "(")
    if opened and ")" not in tail and "]" not in tail:
        name = head if any(letter.isalpha() for letter in head) else tail
    return " ".join(name.split())


def closing(text: str, at: int) -> int:
    """The index after the bracket in which a size stands; that of the size where it stands in none."""
    close = CLOSING.match(text, at)
    return close.end() if close else at


def is_shared(text: str, at: int) -> bool:
    """Whether the bracket in which a size stands holds another one, too: (zinc, n = 30; placebo, n = 31)."""
    opened = max(text.rfind("(", 0, at), text.rfind("[", 0, at))
    inside = text[opened : closing(text, at)] if opened >= 0 else ""
    return len(SIZE.findall(inside)) > 1


def name_before(text: str, done: int, at: int) -> tuple[int, int]:
    """Where the name of an arm begins and ends, which stands between the arm before and the size."""
    opened = max(text.rfind("(", done, at), text.rfind("[", done, at))
    if opened < 0:
        return trimmed(text, done, at)
    if is_shared(text, at):
        return trimmed(text, opened + 1, at)
    outer, inner = trimmed(text, done, opened), trimmed(text, opened + 1, at)
    is_inner = sum(letter.isalpha() for letter in text[slice(*inner)]) > FEWEST_ARMS
    return inner if is_inner and (outer[0] == outer[1] or LABEL.match(text[slice(*outer)])) else outer


def trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    """The part of a stretch that names an arm: without what leads up to it or joins it to the one before."""
    for pattern in (LEAD, ANEW, PEOPLE_TO, JOINED):
        match = pattern.match(text, first, last)
        first = match.end() if match else first
    return first, first + len(text[first:last].rstrip(" ,:;([-"))


def counted(sentence: Sentence) -> Iterator[Arm]:
    """Sizes with their names behind: 67 patients received zinc."""
    chance = OUT_OF_CHANCE.search(sentence.text)
    for match in COUNTED.finditer(sentence.text):
        value, name = as_number(match["n"]), match["name"]
        is_given_out = match["verb"] is not None or (chance is not None and chance.start() < match.start())
        is_linked = is_given_out or IN_GROUP.search(name) is not None
        if value is not None and is_linked and not (name[0].isdigit() and match["verb"] is None):
            end = match.start("name") + len(name.rstrip())
            yield Arm(tidy(name), value, sentence.start + match.start("n"), sentence.start + end)


def bare(sentence: Sentence) -> Iterator[Arm]:
    """Names and sizes in one bracket that add up to a number before it: 40 women (22 zinc, 18 placebo)."""
    for bracket in BRACKET.finditer(sentence.text):
        found = [
            Arm(tidy(name), value, bracket.start() + match.start() + 1, bracket.start() + match.end())
            for match in BARE.finditer(bracket.group())
            if (name := match["name"] or match["named"] or match["last"])
            and (value := as_number(match["n"] or match["m"] or match["k"])) is not None
        ]
        if len(found) >= FEWEST_ARMS and sum(arm.n for arm in found) in numbers_before(sentence, bracket.start()):
            yield from (arm._replace(start=sentence.start + arm.start, end=sentence.start + arm.end) for arm in found)
            return


def numbers_before(sentence: Sentence, at: int) -> set[int | None]:
    """The whole numbers that stand before a place of the sentence."""
    return {as_number(match.group()) for match in WHOLE.finditer(sentence.text, 0, at)}


def as_number(written: str) -> int | None:
    """The whole number that digits or words spell."""
    tokens: Sequence[Token] = [Token(m.start(), m.end(), m.group().lower()) for m in TOKEN.finditer(written)]
    read = whole_number(tokens, 0) if tokens else None
    return read[0] if read and read[1] == len(tokens) else None


def is_complete(document: Document, found: ArmSet) -> bool:
    """Whether these are all the arms: as many as the text says that there are, where it says so."""
    numbers = stated_counts(document)
    return found.is_whole and (not numbers or len(found.arms) in numbers)


def lacks_arms(document: Document, found: ArmSet) -> bool:
    """Whether the text says that there are more arms."""
    return min(stated_counts(document), default=0) > len(found.arms)


def stated_counts(document: Document) -> list[int]:
    """How many arms or groups the text says that there are, each time."""
    return [NUMBERS.get(match["n"]) or int(match["n"]) for match in MANY.finditer(document.lower)]
