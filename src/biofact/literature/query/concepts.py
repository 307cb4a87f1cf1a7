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

TokenKind = Literal["word", "fixed", "subject", "and", "or", "comma", "versus", "break"]


@dataclass(frozen=True, slots=True)
class GoalToken:
    """A piece of a goal. A token of kind "subject" is a concept by itself, whatever its neighbours are."""

    text: str
    kind: TokenKind


_LONG = 4  # words of a phrase that is a subject by itself, as in: head and neck cancer radiotherapy
_SHORT_ACRONYM = 5  # letters: "ed" and "it" are words, "covid-19" is not
_COMPARISON = re.compile(
    r"(?i)\b(?:(?:as\s+)?(?:compared|opposed)\s+(?:with|to|against)|in\s+(?:comparison|contrast)\s+(?:with|to)"
    r"|(?:relative|superior|inferior|preferable)\s+to|(?:rather|better|worse|safer|cheaper|(?:more|less)\s+\w+)\s+than"
    r"|instead\s+of|in\s+place\s+of)(?!\w)"
)
"""Words before the comparator of a subject. As in: compared with, rather than."""
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
_SLASHED_NAMES = re.compile(r"[^\W_][\w.-]*\w(?:/[^\W_][\w.-]*\w)+")
"""Names joined by slashes. As in: IL-4/IL-13."""
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
    """The tokens of a goal in which ``synonyms.protect_names`` has protected the names with punctuation."""
    text = _SUFFIX.sub(_cut_suffix, _COMPARISON.sub(" versus ", goal))
    end = 0
    for match in _phrases().finditer(text):
        yield from _words(text[end : match.start()])
        phrase, is_quoted = match[0].strip('"'), match[0].startswith('"')
        if cleaned := _clean(phrase):
            is_subject = is_quoted or synonyms.synonym_entry(phrase) or len(cleaned.split()) >= _LONG
            yield GoalToken(cleaned, "subject" if is_subject else "fixed")
        end = match.end()
    yield from _words(text[end:])


def _clean(text: str) -> str:
    restored = synonyms.restore_names(text)
    words = wording.clean(restored)
    return f"{words}." if words and restored != text and restored.endswith(f"{words[-1]}.") else words


def _cut_suffix(match: re.Match[str]) -> str:
    """A break in place of a suffix such as "-based" behind a known name or an acronym; "web-based" stays."""
    before = match.string[: match.start()].split()
    is_name = any(
        synonyms.synonym_entry(" ".join(before[-count:])) is not None for count in (1, 2, 3) if len(before) >= count
    ) or (before and wording.is_acronym(before[-1]))
    return " ; " if is_name else match[0]


def _words(text: str) -> Iterator[GoalToken]:
    for piece in _PIECE.findall(text):
        word = piece.lower().rstrip(".")
        if word in _JOINERS:
            yield GoalToken(word, _JOINERS[word])
        elif word in lexicon.SEPARATORS or not re.search(r"\w", word):
            yield GoalToken(word, "break")
        elif word in lexicon.NOUNS_OF_VERBS:
            noun = GoalToken(lexicon.NOUNS_OF_VERBS[word], "word")
            yield from (GoalToken(word, "break"), noun, GoalToken("", "break"))
        elif _SLASHED_NAMES.fullmatch(piece):
            first, *rest = piece.split("/")
            yield GoalToken(_clean(first), "word")
            for name in rest:
                yield from (GoalToken("/", "or"), GoalToken(_clean(name), "word"))
        elif cleaned := _clean(piece):
            is_subject = _SYMBOL.fullmatch(piece) or synonyms.stands_apart(piece)
            yield GoalToken(cleaned, "subject" if is_subject else "word")


@functools.cache
def _phrases() -> re.Pattern[str]:
    """A pattern for quoted text and phrases that stay together: longest first, acronyms by their capitals."""
    settings = (name for name in lexicon.SETTINGS if " " in name)
    names = dict.fromkeys((*lexicon.FIXED, *settings, *filter(_stands_apart, synonyms.all_names())))
    longest_first = sorted(names, key=len, reverse=True)
    patterns = []
    for name in longest_first:
        is_short_acronym = wording.is_acronym(name) and len(name) <= _SHORT_ACRONYM
        any_case = re.sub(r"\\[ -]", r"[\\s-]", re.escape(name))
        patterns.append(f"(?-i:{re.escape(name)})" if is_short_acronym else any_case)
    return re.compile(rf'(?i)"[^"]{{2,80}}"|(?<![\w-])(?:{"|".join(patterns)})(?![\w-])')


def _stands_apart(name: str) -> bool:
    """Whether a name is a concept apart from the words around it; "stress" in "early life stress" is not."""
    return " " in name or "-" in name or wording.is_acronym(name) or name in lexicon.POPULATIONS


MOST_CONCEPTS = 8
"""Concepts of a goal; a query that joins more of them finds nothing."""
MOST_TOPICS = 3
"""Topics that a query requires; each further topic loses relevant articles that do not name it."""
_PLACE_ADJECTIVES = {"community", "rural", "urban"}  # as in: rural women
_PAIR = 2
_SHORTEST = 2  # letters and digits
_MOST_OF_A_WORD = 3  # letters of an acronym that one word gives
_LISTED_TOGETHER = 3  # items of a list that are alternatives; of two items both are required

Role = Literal["topic", "optional", "keyword"]
"""A topic is a subject of the goal; aspects, settings and comparators are optional: offered, never required. The caller
requires keywords.
"""


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept that articles must match, under any of its names."""

    names: tuple[str, ...]
    """Alternatives, as the query searches for them; the first is the concept's own."""
    role: Role = "topic"
    ambiguous_acronym: str = ""
    """The goal's acronym, if it has several meanings."""

    @property
    def name(self) -> str:
        """The names in one text."""
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
    omitted_concepts: tuple[str, ...] = ()
    """Concepts beyond the limit of one query."""
    own_work: str = ""
    """The kind of review that the goal is the title of."""
    is_intervention: bool = False
    """Whether the goal asks for the effect of a treatment."""


@dataclass(frozen=True, slots=True)
class _Alternatives:
    """The alternatives named between two separators of a goal."""

    names: tuple[str, ...]
    is_compared: bool = False
    """Whether it is a comparator: B of "A versus B"."""


_INTERVENTION = re.compile(
    r"(?i)\b(?:effects? of|effectiveness|efficacy|treat(?:ment|ments|ing|ed)?|therap(?:y|ies)|prevent(?:s|ing|ion)?"
    r"|reduces?|improves?|interventions?|placebo|versus|supplementation|prophylaxis|vaccination|vaccines?|surgery|training"
    r"|(?:rather|better) than|compared (?:with|to))\b"
)
"""As in: does vitamin D supplementation reduce fractures?"""
_OBSERVATION = re.compile(
    r"(?i)\b(?:prevalence|incidence|diagnos\w+|prognos\w+|risk factors?|attitudes?|perceptions?|barriers)\b"
)
"""Goals that designs other than trials answer. As in: prevalence of burnout."""


def read(goal: str, *, today: dt.date, domain: Domain | None = None, keywords: Sequence[str] = ()) -> ParsedGoal:
    """The parts of a goal; ``keywords`` are concepts of their own and come first."""
    # before the cues, whose patterns would cut a name at its full stop
    goal, long_forms = _without_abbreviations(" ".join(wording.straight(goal).split()))
    goal = synonyms.protect_names(goal)
    goal_cues = cues.read(goal, today)
    required = [_keyword_concept(word, domain) for word in keywords]
    goal_concepts = [
        concept for chunk in _chunks(goal_cues.text) for concept in _concepts_of(chunk, domain, long_forms)
    ]
    concepts = _limited(_merge_concepts(goal_concepts, required), limit=MOST_TOPICS - len(required))
    topics_first = sorted(concepts, key=lambda concept: concept.role != "topic")
    joined_concepts = set(topics_first[:MOST_CONCEPTS])
    as_written = synonyms.restore_names
    return ParsedGoal(
        concepts=(*required, *(concept for concept in concepts if concept in joined_concepts)),
        dates=goal_cues.dates,
        time_words=as_written(goal_cues.time_words),
        designs=tuple(goal_cues.designs),
        excluded=tuple(filter(None, (wording.clean(as_written(word)) for word in goal_cues.excluded))),
        unsearchable=tuple(map(as_written, goal_cues.unsearchable)),
        omitted_concepts=tuple(concept.name for concept in topics_first[MOST_CONCEPTS:]),
        own_work=goal_cues.own_work,
        is_intervention=bool(_INTERVENTION.search(goal)) and not _OBSERVATION.search(goal),
    )


def _limited(concepts: list[Concept], limit: int) -> list[Concept]:
    """The concepts with at most ``limit`` topics, and without keywords at least one; topics beyond the limit become
    optional, populations first.
    """
    topics = [concept for concept in concepts if concept.role == "topic"]
    if not topics and limit == MOST_TOPICS:  # the limit is whole only without keywords
        return [replace(concept, role="topic") for concept in concepts[:MOST_TOPICS]] + concepts[MOST_TOPICS:]
    ranked = sorted(topics, key=lambda concept: concept.name.lower() in lexicon.POPULATIONS)
    surplus = set(ranked[max(limit, 1) :])
    return [replace(concept, role="optional") if concept in surplus else concept for concept in concepts]


_IN_PARENTHESES = re.compile(r"\(\s*([^()]{1,60}?)\s*\)")


_SHORT_FIRST = re.compile(r"\b([A-Z][\w-]{1,9})\s*\(\s*([^()]{5,80}?)\s*\)")
"""As in: PCOS (polycystic ovary syndrome)."""


def _without_abbreviations(goal: str) -> tuple[str, dict[str, str]]:
    """The goal without ``(PD)`` after Parkinson's disease, and the abbreviations by their long forms."""
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
    """Whether letters begin the words, in order, and skip no content word; PCOS takes two letters of polycystic."""
    parts = [part.lower() for word in words for part in word.split("-") if part]
    content_words = [part for part in parts if part not in wording.STOP_WORDS]
    return _is_spelled(initials, parts) or _is_spelled(initials, content_words)


def _is_spelled(initials: Sequence[str], words: Sequence[str]) -> bool:
    if not words or not initials:
        return not words and not initials
    first, *rest = words
    if first[0] != initials[0]:
        return False
    counts = range(1, _MOST_OF_A_WORD + 1)
    return any(_is_within(initials[1:count], first) and _is_spelled(initials[count:], rest) for count in counts)


def _is_within(letters: Sequence[str], word: str) -> bool:
    rest = iter(word[1:])
    return all(letter in rest for letter in letters)


def _keyword_concept(word: str, domain: Domain | None) -> Concept:
    text = wording.keyword(word)
    entry = synonyms.synonym_entry(text, domain)
    is_short = entry is not None and wording.is_acronym(text) and wording.key(entry.phrase) != wording.key(text)
    return Concept((text,), "keyword", text if is_short and synonyms.is_ambiguous(text) else "")


def _concepts_of(chunk: _Alternatives, domain: Domain | None, long_forms: dict[str, str]) -> Iterator[Concept]:
    """A concept of alternatives, each by its name in the synonym table, and the aspect that the goal asks for.

    asthma hospitalisations  ->  asthma; hospitalisations
    """
    names: list[str] = []
    ambiguous_acronym = ""
    pairs = [_subject_and_aspect(name) for name in chunk.names]
    for subject in dict.fromkeys(subject for subject, _ in pairs):
        entry = synonyms.synonym_entry(subject, domain)
        names.append(entry.phrase if entry and wording.is_acronym(subject) else subject)
        names += [short for long, short in long_forms.items() if long == wording.key(subject)]
        ambiguous_acronym = subject if synonyms.is_ambiguous(subject) else ambiguous_acronym
    is_optional = chunk.is_compared or all(map(_is_optional, names))
    yield Concept(tuple(dict.fromkeys(names)), "optional" if is_optional else "topic", ambiguous_acronym)
    if aspects := tuple(dict.fromkeys(aspect for _, aspect in pairs if aspect)):
        yield Concept(aspects, "optional")


def _subject_and_aspect(name: str) -> tuple[str, str]:
    """A subject and the aspect named by its last words; an adjective alone is no subject."""
    words = name.split()
    count = len(words)
    while count and words[count - 1].lower() in lexicon.TRAILING:
        count -= 1
    has_subject = any(word.lower() not in lexicon.ASPECTS | wording.STOP_WORDS for word in words[:count])
    is_bare = count == 1 and (_is_adjective(words[0]) or words[0].lower() in lexicon.SETTINGS)
    is_subject = has_subject and not is_bare and synonyms.synonym_entry(name) is None
    return (" ".join(words[:count]), " ".join(words[count:])) if is_subject else (name, "")


_ADJECTIVE = re.compile(
    r"(?i).{3,}(?:al|ar|ary|ic|ive|ous|able|ible|ed)|early|late|open|high|low|short|long|new|oral|secondary"
)


def _is_adjective(word: str) -> bool:
    """Whether a word is an adjective by its ending: ``laparoscopic``, ``early``."""
    is_noun = word.lower() in {
        "hospital", "trial", "animal", "clinic", "antibiotic", "speed", "seed", "pandemic", "epidemic",
    }  # fmt: skip
    return _ADJECTIVE.fullmatch(word) is not None and not is_noun


def _is_optional(name: str) -> bool:
    if name.lower() in lexicon.SETTINGS:
        return True
    words = [word for word in name.lower().split() if word not in _PLACE_ADJECTIVES]
    is_measured = len(words) == _PAIR and words[1] in lexicon.MEASURES
    if is_measured and (_is_adjective(words[0]) or words[0] in lexicon.SETTINGS):
        return True
    is_asked = set(words) <= lexicon.ASPECTS | lexicon.QUALIFIERS | wording.STOP_WORDS
    return is_asked and synonyms.synonym_entry(name) is None


def _merge_concepts(concepts: list[Concept], required: list[Concept]) -> list[Concept]:
    """The concepts, each once, without those that the keywords already cover."""
    identities = {_identity(name) for concept in required for name in concept.names}
    merged: list[Concept] = []
    for concept in concepts:
        rest = concept
        for word in (name for keyword in required for name in keyword.names):
            rest = _without_keyword(rest, word)
        if rest.names and not {_identity(name) for name in rest.names} & identities:
            merged.append(rest)
            identities |= {_identity(name) for name in rest.names}
    return merged


def _identity(name: str) -> str:
    entry = synonyms.synonym_entry(name)
    return wording.key(entry.phrase) if entry and not synonyms.is_ambiguous(name) else wording.key(name)


def _without_keyword(concept: Concept, keyword: str) -> Concept:
    """A concept without the words of a keyword in it; the other words are optional."""
    if len(concept.names) > 1 or not wording.has_phrase(concept.name, keyword) or len(concept.name) <= len(keyword):
        return concept
    rest = _trim(re.sub(rf"\b{re.escape(keyword)}\w*", " ", concept.name, count=1, flags=re.IGNORECASE).split())
    return Concept((" ".join(rest),) if rest else (), "optional")


def _chunks(text: str) -> Iterator[_Alternatives]:
    """The alternatives of the whole goal, with the nouns that comparators share."""
    rows = [*_rows(text), ([], False)]
    for (names, is_compared), (following, is_held_against) in itertools.pairwise(rows):
        shared = _with_shared_noun(names, following) if is_held_against else names
        yield from (_Alternatives(alternatives, is_compared and not place) for place, alternatives in enumerate(shared))


def _rows(text: str) -> Iterator[tuple[list[tuple[str, ...]], bool]]:
    """The alternatives between two separators, and whether the first separator is "versus"."""
    row: list[tuple[list[GoalToken], str]] = []
    words: list[GoalToken] = []
    is_compared = False
    for token in [*tokens(text), GoalToken("", "break")]:
        if token.kind in {"word", "fixed", "subject"}:
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
            # "versus" holds over a break without words: "versus using B"
            is_compared = token.kind == "versus" or (is_compared and not row)
            row = []


def _with_shared_noun(first: list[tuple[str, ...]], second: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The compared alternatives with the noun that they share: laparoscopic versus open appendectomy."""
    modifier, whole = first[-1] if first else (), second[0] if second else ()
    if len(modifier) != 1 or len(whole) != 1 or " " in modifier[0] or " " not in whole[0]:
        return first
    is_shared = _is_adjective(modifier[0]) or modifier[0].lower() in lexicon.ASPECTS
    return [*first, (whole[0].partition(" ")[2],)] if is_shared else first


def _alternatives(row: list[tuple[list[GoalToken], str]]) -> Iterator[tuple[str, ...]]:
    """The items of a row: all are required, or any of them if "or" joins them or there are three and more."""
    joiners = {kind for _, kind in row[:-1]}
    if {"and", "or"} <= joiners and "comma" not in joiners:
        # a and b or c: a, then either of the others
        split = next(place for place, (_, kind) in enumerate(row) if kind == "and") + 1
        yield from (*_alternatives(row[:split]), *_alternatives(row[split:]))
        return
    items = [list(_parts(words)) for words, _ in row]
    texts = [item[0] for item in items if len(item) == 1]
    _share_head(texts)
    non_empty = [item for item in items if item]
    is_any = "or" in joiners or ("comma" in joiners and "and" in joiners and len(non_empty) >= _LISTED_TOGETHER)
    are_same = _has_shared_head(items)
    if (is_any or are_same) and len(texts) == len(non_empty) > 1:
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
    """Add the shared noun to ``breast`` of "breast and ovarian cancer"."""
    if len(texts) == _PAIR and _needs_head(texts[0]) and " " in texts[1]:
        words = texts[1].split()
        modifiers = 2 if words[0].lower() == "type" else 1
        texts[0] = " ".join([texts[0], *(words[modifiers:] or words[-1:])])


def _parts(row: list[GoalToken]) -> Iterator[str]:
    """The phrases of one item: a subject stands for itself, the words around it are another concept."""
    words: list[str] = []
    for token in [*row, GoalToken("", "subject")]:
        if token.kind == "subject":
            rest = " ".join(_trim(words))
            if len(re.sub(r"[\W_]", "", rest)) >= _SHORTEST:
                yield rest
            words = []
            if token.text:
                yield token.text
        else:
            words.append(token.text)


_ADVERB = re.compile(r"(?i)(?!early)\w{2,}(?:ally|ently|antly|ously|edly|ely|arly|ably|ibly|ingly)")
"""Adverbs, which few abstracts repeat. As in: clinically infected eczema."""
_NUMBER = re.compile(r"(?i)[\d.,%]+|\d+-(?:hour|day|week|month|year)s?")


def _trim(words: Sequence[str]) -> list[str]:
    """Without articles, and without generic words at both ends."""
    rest = [word for place, word in enumerate(words) if word.lower() not in lexicon.ARTICLES or (place and word == "A")]
    rest = [word for word in rest if not _ADVERB.fullmatch(word)]
    if _needs_head(" ".join(rest)):
        return rest
    while rest and (rest[0].lower() in lexicon.GENERIC or _NUMBER.fullmatch(rest[0])):
        # a letter or number makes a name of a generic word: group B, factor V, stage III
        if len(rest) > _PAIR and re.fullmatch(r"[A-Z]|[IVX]+|\d{1,2}", rest[1]):
            break
        rest = rest[1:]
    while rest and rest[-1].lower() in lexicon.GENERIC and not (
        len(rest) > 1 and rest[-1].lower() in lexicon.KEPT_AT_END
    ):  # fmt: skip
        rest = rest[:-1]
    return rest
