"""A goal in words to the concepts that a query has to join. Pure.

connections between gut microbiome and mental health  ->  gut microbiome; mental health
aspirin or clopidogrel after stroke                   ->  aspirin or clopidogrel; stroke
aspirin versus clopidogrel in adults with stroke      ->  aspirin; stroke; optional: clopidogrel, adults
"""

import datetime as dt
import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biofact.literature.choices import Domain
from biofact.literature.query import cues, lexicon, synonyms, wording
from biofact.literature.query.cues import PublicationDates

TokenKind = Literal["word", "fixed", "notion", "and", "or", "comma", "versus", "break"]


@dataclass(frozen=True, slots=True)
class GoalToken:
    """A piece of a goal. A notion is a subject of its own whatever stands beside it."""

    text: str
    kind: TokenKind


_LONG = 4  # words: so long a phrase is a subject by itself, as in: head and neck cancer radiotherapy
_SHORT_ACRONYM = 5  # letters: "ed" and "it" are words, "covid-19" is not
_COMPARED = re.compile(
    r"(?i)\b(?:(?:as\s+)?(?:compared|opposed)\s+(?:with|to|against)|in\s+(?:comparison|contrast)\s+(?:with|to)"
    r"|(?:relative|superior|inferior|preferable)\s+to|(?:rather|better|worse|safer|cheaper|(?:more|less)\s+\w+)\s+than"
    r"|instead\s+of|in\s+place\s+of)(?!\w)"
)
"""As in: compared with, rather than. What follows is what a subject is held against."""
_SUFFIX = re.compile(
    r"(?i)(?<=\w)-(?:based|driven|powered|assisted|enabled|guided|aided|supported|enhanced|augmented|related|induced"
    r"|associated|mediated)\b"
)
# l(2)gl, Su(H), E(spl)m8-HLH, zgc:171673, 25(OH)D, O157:H7; but neither effect(s) nor 2:1
_SYMBOL = re.compile(
    r"[^\W\d_][\w.-]*(?:\((?!e?s\))[\w.-]{1,20}\)[\w.-]*(?<![.-]))+|[^\W\d_]{2,}:[\w.-]*\d[\w.-]*(?<![.-])"
    r"|\d+\([A-Z]+\)[A-Z]\d?|[A-Z]\d{1,3}:[A-Z]\d{1,3}",
    re.UNICODE,
)
_PIECE = re.compile(rf"{_SYMBOL.pattern}|[^\W_](?:[\w'./+%*-]*[\w%+*])?|[^\s\w]", re.UNICODE)
_EITHER = re.compile(r"[^\W_][\w.-]*\w(?:/[^\W_][\w.-]*\w)+")
"""As in: IL-4/IL-13."""
_JOINERS: dict[str, TokenKind] = {
    "and": "and",
    "&": "and",
    "plus": "and",
    "or": "or",
    "and/or": "or",
    ",": "comma",
    "versus": "versus",
}


def tokens(goal: str) -> Iterator[GoalToken]:
    """The tokens of a goal whose whole names are joined (``whole_names``)."""
    text = _SUFFIX.sub(_cut_suffix, _COMPARED.sub(" versus ", goal))
    at = 0
    for match in _phrases().finditer(text):
        yield from _words(text[at : match.start()])
        phrase, is_quoted = match[0].strip('"'), match[0].startswith('"')
        if cleaned := _clean(phrase):
            is_notion = is_quoted or synonyms.notion_for(phrase) or len(cleaned.split()) >= _LONG
            yield GoalToken(cleaned, "notion" if is_notion else "fixed")
        at = match.end()
    yield from _words(text[at:])


def _clean(text: str) -> str:
    restored = synonyms.restored(text)
    cleaned = wording.clean(restored)
    return f"{cleaned}." if cleaned and restored != text and restored.endswith(f"{cleaned[-1]}.") else cleaned


def _cut_suffix(found: re.Match[str]) -> str:
    """Sets a name before "-based" and the like apart; "web-based" stays, for "web" is no name of a notion."""
    before = found.string[: found.start()].split()
    is_name = any(
        synonyms.notion_for(" ".join(before[-count:])) is not None for count in (1, 2, 3) if len(before) >= count
    ) or (before and wording.is_acronym(before[-1]))
    return " ; " if is_name else found[0]


def _words(text: str) -> Iterator[GoalToken]:
    for piece in _PIECE.findall(text):
        word = piece.lower().rstrip(".")
        if word in _JOINERS:
            yield GoalToken(word, _JOINERS[word])
        elif word in lexicon.SEPARATORS or not re.search(r"\w", word):
            yield GoalToken(word, "break")
        elif word in lexicon.NOUNS_OF_VERBS:
            yield from (
                GoalToken(word, "break"),
                GoalToken(lexicon.NOUNS_OF_VERBS[word], "word"),
                GoalToken("", "break"),
            )
        elif _EITHER.fullmatch(piece):
            first, *others = piece.split("/")
            yield GoalToken(_clean(first), "word")
            for other in others:
                yield from (GoalToken("/", "or"), GoalToken(_clean(other), "word"))
        elif cleaned := _clean(piece):
            is_notion = _SYMBOL.fullmatch(piece) or synonyms.stands_apart(piece)
            yield GoalToken(cleaned, "notion" if is_notion else "word")


@functools.cache
def _phrases() -> re.Pattern[str]:
    """Finds what is quoted, and phrases that stay together: longest first, acronyms by their capitals."""
    settings = (name for name in lexicon.SETTINGS if " " in name)
    names = dict.fromkeys((*lexicon.FIXED, *settings, *filter(_stands_apart, synonyms.all_names())))
    ordered = sorted(names, key=len, reverse=True)
    patterns = [
        f"(?-i:{re.escape(name)})"
        if wording.is_acronym(name) and len(name) <= _SHORT_ACRONYM
        else re.sub(r"\\[ -]", r"[\\s-]", re.escape(name))
        for name in ordered
    ]
    return re.compile(rf'(?i)"[^"]{{2,80}}"|(?<![\w-])(?:{"|".join(patterns)})(?![\w-])')


def _stands_apart(name: str) -> bool:
    """Whether it is a concept beside the words around it; "stress" is not, in "early life stress"."""
    return " " in name or "-" in name or wording.is_acronym(name) or name in lexicon.POPULATIONS


MOST_CONCEPTS = 8
"""Of a goal; more would find nothing together."""
MOST_TOPICS = 3
"""That a query requires; each further one loses relevant articles that do not name it."""
_PLACED = {"community", "rural", "urban"}  # as in: rural women
_PAIR = 2
_SHORTEST = 2  # letters and digits
_MOST_OF_A_WORD = 3  # letters of an acronym that one word gives
_LISTED_TOGETHER = 3  # so many things in a row are alternatives, two are both wanted

Role = Literal["topic", "optional", "keyword"]
"""A subject, what is asked about it, where and against what (offered, never required), or what the caller requires."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept that articles must match, under any of its names."""

    names: tuple[str, ...]
    """Alternatives, as they are searched for; the first is the concept's own."""
    role: Role = "topic"
    read_from: str = ""
    """The goal's acronym where it could mean something else as well."""

    @property
    def name(self) -> str:
        """What it is called."""
        return " or ".join(self.names)


@dataclass(frozen=True, slots=True)
class ParsedGoal:
    """The parts of a goal."""

    concepts: tuple[Concept, ...]
    dates: PublicationDates | None = None
    time_words: str = ""
    designs: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    unsearchable: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    """Concepts beyond the most that one query joins."""
    own_work: str = ""
    """The kind of review that the goal is the title of."""
    is_intervention: bool = False
    """It asks what a treatment does."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """What stands between separators, as the alternatives that it names."""

    names: tuple[str, ...]
    is_compared: bool = False
    """It is what a subject is held against: the second of "A versus B"."""


_INTERVENTION = re.compile(
    r"(?i)\b(?:effects? of|effectiveness|efficacy|treat(?:ment|ments|ing|ed)?|therap(?:y|ies)|prevent(?:s|ing|ion)?"
    r"|reduces?|improves?|interventions?|placebo|versus|supplementation|prophylaxis|vaccination|vaccines?|surgery|training"
    r"|(?:rather|better) than|compared (?:with|to))\b"
)
"""As in: does vitamin D supplementation reduce fractures?"""
_OBSERVED = re.compile(
    r"(?i)\b(?:prevalence|incidence|diagnos\w+|prognos\w+|risk factors?|attitudes?|perceptions?|barriers)\b"
)
"""As in: prevalence of burnout. Other designs answer these."""


def read(goal: str, *, today: dt.date, domain: Domain | None = None, keywords: Sequence[str] = ()) -> ParsedGoal:
    """What ``goal`` asks for, with ``keywords`` as concepts of their own that come first."""
    goal, long_forms = _without_abbreviations(" ".join(wording.straight(goal).split()))
    goal = synonyms.joined(goal)
    cues_found = cues.read(goal, today)
    required = [_keyword_concept(word, domain) for word in keywords]
    parts = [part for one in _chunks(cues_found.text) for part in _concepts_of(one, domain, long_forms)]
    concepts = _limited(_merge_concepts(parts, required), most=MOST_TOPICS - len(required))
    ordered = sorted(concepts, key=lambda one: one.role != "topic")
    kept = set(ordered[:MOST_CONCEPTS])
    restored = synonyms.restored
    return ParsedGoal(
        concepts=(*required, *(one for one in concepts if one in kept)),
        dates=cues_found.dates,
        time_words=restored(cues_found.time_words),
        designs=tuple(cues_found.designs),
        excluded=tuple(filter(None, (wording.clean(restored(word)) for word in cues_found.excluded))),
        unsearchable=tuple(map(restored, cues_found.unsearchable)),
        omitted=tuple(one.name for one in ordered[MOST_CONCEPTS:]),
        own_work=cues_found.own_work,
        is_intervention=bool(_INTERVENTION.search(goal)) and not _OBSERVED.search(goal),
    )


def _limited(concepts: list[Concept], most: int) -> list[Concept]:
    """At most so many topics, without keywords at least one; those beyond are offered, populations before others."""
    topics = [one for one in concepts if one.role == "topic"]
    if not topics and most == MOST_TOPICS:
        return [replace(one, role="topic") for one in concepts[:MOST_TOPICS]] + concepts[MOST_TOPICS:]
    ranked = sorted(topics, key=lambda one: one.name.lower() in lexicon.POPULATIONS)
    beyond = set(ranked[max(most, 1) :])
    return [replace(one, role="optional") if one in beyond else one for one in concepts]


_IN_PARENTHESES = re.compile(r"\(\s*([^()]{1,60}?)\s*\)")


_SHORT_FIRST = re.compile(r"\b([A-Z][\w-]{1,9})\s*\(\s*([^()]{5,80}?)\s*\)")
"""As in: PCOS (polycystic ovary syndrome)."""


def _without_abbreviations(goal: str) -> tuple[str, dict[str, str]]:
    """The goal without ``(PD)`` after Parkinson's disease, and which long forms have which short ones."""
    long_forms: dict[str, str] = {}
    for match in _SHORT_FIRST.finditer(goal):
        if _is_short_for(_initials(match[1]), re.findall(r"[\w'-]+", match[2])):
            long_forms[wording.key(match[2])] = match[1]
            goal = goal.replace(match[0], match[2])
    for match in _IN_PARENTHESES.finditer(goal):
        short = match[1]
        initials = _initials(short)
        before = re.findall(r"[\w'-]+", goal[: match.start()])
        ends = [before[-count:] for count in range(1, len(initials) + 3)] if wording.is_acronym(short) else []
        long_forms |= {
            wording.key(" ".join(words)): short for words in ends if words and _is_short_for(initials, words)
        }
    for short in long_forms.values():
        goal = re.sub(rf"\(\s*{re.escape(short)}\s*\)", " ", goal)
    return goal, long_forms


def _initials(short: str) -> list[str]:
    return [letter.lower() for letter in re.sub(r"[^A-Za-z]", "", short.removesuffix("s"))]


def _is_short_for(initials: Sequence[str], words: Sequence[str]) -> bool:
    """Whether letters begin the words, in order, and no word that matters is skipped; PCOS takes two of polycystic."""
    parts = [part.lower() for word in words for part in word.split("-") if part]
    content_words = [part for part in parts if part not in wording.STOP_WORDS]
    return _is_spelled(initials, parts) or _is_spelled(initials, content_words)


def _is_spelled(initials: Sequence[str], words: Sequence[str]) -> bool:
    if not words or not initials:
        return not words and not initials
    first, *others = words
    if first[0] != initials[0]:
        return False
    counts = range(1, _MOST_OF_A_WORD + 1)
    return any(_is_within(initials[1:count], first) and _is_spelled(initials[count:], others) for count in counts)


def _is_within(letters: Sequence[str], word: str) -> bool:
    rest = iter(word[1:])
    return all(letter in rest for letter in letters)


def _keyword_concept(word: str, domain: Domain | None) -> Concept:
    text = wording.keyword(word)
    notion = synonyms.notion_for(text, domain)
    is_short = notion is not None and wording.is_acronym(text) and wording.key(notion.phrase) != wording.key(text)
    return Concept((text,), "keyword", text if is_short and synonyms.is_ambiguous(text) else "")


def _concepts_of(chunk: _Chunk, domain: Domain | None, long_forms: dict[str, str]) -> Iterator[Concept]:
    """A concept of alternatives, each by the name that its notion has, and what is asked about it.

    asthma hospitalisations  ->  asthma; hospitalisations
    """
    names: list[str] = []
    read_from = ""
    pairs = [_parted(name) for name in chunk.names]
    for text in dict.fromkeys(subject for subject, _ in pairs):
        notion = synonyms.notion_for(text, domain)
        names.append(notion.phrase if notion and wording.is_acronym(text) else text)
        names += [short for long, short in long_forms.items() if long == wording.key(text)]
        read_from = text if synonyms.is_ambiguous(text) else read_from
    is_optional = chunk.is_compared or all(map(_is_optional, names))
    yield Concept(tuple(dict.fromkeys(names)), "optional" if is_optional else "topic", read_from)
    if asked := tuple(dict.fromkeys(rest for _, rest in pairs if rest)):
        yield Concept(asked, "optional")


def _parted(name: str) -> tuple[str, str]:
    """A subject and the words at its end that ask about it; an adjective alone is no subject."""
    words = name.split()
    count = len(words)
    while count and words[count - 1].lower() in lexicon.TRAILING:
        count -= 1
    has_subject = any(word.lower() not in lexicon.ASPECTS | wording.STOP_WORDS for word in words[:count])
    is_bare = count == 1 and (_is_adjective(words[0]) or words[0].lower() in lexicon.SETTINGS)
    is_subject = has_subject and not is_bare and synonyms.notion_for(name) is None
    return (" ".join(words[:count]), " ".join(words[count:])) if is_subject else (name, "")


_ADJECTIVE = re.compile(
    r"(?i).{3,}(?:al|ar|ary|ic|ive|ous|able|ible|ed)|early|late|open|high|low|short|long|new|oral|secondary"
)


def _is_adjective(word: str) -> bool:
    """As far as its ending tells; ``laparoscopic``, ``early``."""
    is_noun = word.lower() in {
        "hospital",
        "trial",
        "animal",
        "clinic",
        "antibiotic",
        "speed",
        "seed",
        "pandemic",
        "epidemic",
    }
    return _ADJECTIVE.fullmatch(word) is not None and not is_noun


def _is_optional(name: str) -> bool:
    if name.lower() in lexicon.SETTINGS:
        return True
    words = [word for word in name.lower().split() if word not in _PLACED]
    is_measured = len(words) == _PAIR and words[1] in lexicon.MEASURED
    if is_measured and (_is_adjective(words[0]) or words[0] in lexicon.SETTINGS):
        return True
    is_asked = set(words) <= lexicon.ASPECTS | lexicon.QUALIFIERS | wording.STOP_WORDS
    return is_asked and synonyms.notion_for(name) is None


def _merge_concepts(found: list[Concept], required: list[Concept]) -> list[Concept]:
    """The concepts, each once, without those that the keywords already cover."""
    known = {_identity(name) for one in required for name in one.names}
    kept: list[Concept] = []
    for one in found:
        rest = one
        for word in (name for keyword in required for name in keyword.names):
            rest = _without_keyword(rest, word)
        if rest.names and not {_identity(name) for name in rest.names} & known:
            kept.append(rest)
            known |= {_identity(name) for name in rest.names}
    return kept


def _identity(name: str) -> str:
    notion = synonyms.notion_for(name)
    return wording.key(notion.phrase) if notion and not synonyms.is_ambiguous(name) else wording.key(name)


def _without_keyword(one: Concept, keyword: str) -> Concept:
    """A concept without the words of a keyword that it holds; what is left is optional."""
    if len(one.names) > 1 or not wording.has_phrase(one.name, keyword) or len(one.name) <= len(keyword):
        return one
    rest = _trim(re.sub(rf"\b{re.escape(keyword)}\w*", " ", one.name, count=1, flags=re.IGNORECASE).split())
    return Concept((" ".join(rest),) if rest else (), "optional")


def _chunks(text: str) -> Iterator[_Chunk]:
    """What stands between separators."""
    rows = [*_rows(text), ([], False)]
    for (names, is_compared), (following, is_held_against) in itertools.pairwise(rows):
        shared = _headed(names, following) if is_held_against else names
        yield from (_Chunk(one, is_compared and not at) for at, one in enumerate(shared))


def _rows(text: str) -> Iterator[tuple[list[tuple[str, ...]], bool]]:
    """The alternatives that stand between two separators, and whether "versus" is the one before."""
    row: list[tuple[list[GoalToken], str]] = []
    words: list[GoalToken] = []
    is_compared = False
    for token in [*tokens(text), GoalToken("", "break")]:
        if token.kind in {"word", "fixed", "notion"}:
            words.append(token)
            continue
        if words:
            row.append((words, token.kind))
            words = []
        elif row and token.kind in {"and", "or"}:  # after a comma: zinc, iron, and copper
            row[-1] = (row[-1][0], token.kind)
        if token.kind in {"break", "versus"}:
            if row:
                yield list(_alternatives(row)), is_compared
            is_compared = token.kind == "versus" or (is_compared and not row)
            row = []


def _headed(first: list[tuple[str, ...]], second: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What is compared, with the noun that it shares: laparoscopic versus open appendectomy."""
    modifier, whole = first[-1] if first else (), second[0] if second else ()
    is_shared = len(modifier) == 1 and len(whole) == 1 and " " in whole[0] and _is_modifier(modifier[0])
    return [*first, (whole[0].partition(" ")[2],)] if is_shared else first


def _is_modifier(text: str) -> bool:
    return " " not in text and (_is_adjective(text) or text.lower() in lexicon.ASPECTS)


def _alternatives(row: list[tuple[list[GoalToken], str]]) -> Iterator[tuple[str, ...]]:
    """The things of a row: all wanted, or any where they stand with "or" or are three and more."""
    joiners = {kind for _, kind in row[:-1]}
    if {"and", "or"} <= joiners and "comma" not in joiners:
        at = next(place for place, (_, kind) in enumerate(row) if kind == "and") + 1
        yield from (*_alternatives(row[:at]), *_alternatives(row[at:]))
        return
    items = [list(_parts(one)) for one, _ in row]
    texts = [item[0] for item in items if len(item) == 1]
    _share_head(texts)
    filled = [item for item in items if item]
    is_any = "or" in joiners or ("comma" in joiners and "and" in joiners and len(filled) >= _LISTED_TOGETHER)
    are_same = _has_shared_head(items)
    if (is_any or are_same) and len(texts) == len(filled) > 1:
        yield tuple(dict.fromkeys(texts))
        return
    for item in items:
        yield from ((text,) for text in (texts[:1] if are_same and len(item) == 1 else item))
        if are_same and len(item) == 1:
            texts = texts[1:]


def _has_shared_head(items: list[list[str]]) -> bool:
    first = items[0] if items else []
    is_pair = len(items) == _PAIR and len(first) == 1 and len(items[1]) == 1
    return is_pair and _needs_head(first[0]) and " " in items[1][0]


def _needs_head(text: str) -> bool:
    is_adjective = " " not in text and (text.lower() in lexicon.ANDED_HEADS or _is_adjective(text))
    return is_adjective or re.fullmatch(r"type \w{1,3}", text, re.IGNORECASE) is not None


def _share_head(texts: list[str]) -> None:
    """Give ``breast`` of "breast and ovarian cancer" its noun."""
    if len(texts) == _PAIR and _needs_head(texts[0]) and " " in texts[1]:
        words = texts[1].split()
        own = 2 if words[0].lower() == "type" else 1
        texts[0] = " ".join([texts[0], *(words[own:] or words[-1:])])


def _parts(row: list[GoalToken]) -> Iterator[str]:
    """The phrases of one thing: a notion stands for itself, what is around it is another concept."""
    words: list[str] = []
    for token in [*row, GoalToken("", "notion")]:
        if token.kind == "notion":
            rest = " ".join(_trim(words))
            if len(re.sub(r"[\W_]", "", rest)) >= _SHORTEST:
                yield rest
            words = []
            if token.text:
                yield token.text
        else:
            words.append(token.text)


_ADVERB = re.compile(r"(?i)(?!early)\w{2,}(?:ally|ently|antly|ously|edly|ely|arly|ably|ibly|ingly)")
"""As in: clinically infected eczema. Nobody writes it in every abstract."""
_NUMBER = re.compile(r"(?i)[\d.,%]+|\d+-(?:hour|day|week|month|year)s?")


def _trim(words: Sequence[str]) -> list[str]:
    """Without articles, and without generic words at both ends."""
    kept = [word for at, word in enumerate(words) if word.lower() not in lexicon.ARTICLES or (at and word == "A")]
    kept = [word for word in kept if not _ADVERB.fullmatch(word)]
    if _needs_head(" ".join(kept)):
        return kept
    while kept and (kept[0].lower() in lexicon.GENERIC or _NUMBER.fullmatch(kept[0])) and not _is_numbered(kept):
        kept = kept[1:]
    while kept and kept[-1].lower() in lexicon.GENERIC and not (
        len(kept) > 1 and kept[-1].lower() in lexicon.KEPT_AT_END
    ):  # fmt: skip
        kept = kept[:-1]
    return kept


def _is_numbered(words: Sequence[str]) -> bool:
    """Whether a generic word has a letter or number that makes a name of it: group B, factor V, stage III."""
    return len(words) > _PAIR and re.fullmatch(r"[A-Z]|[IVX]+|\d{1,2}", words[1]) is not None
