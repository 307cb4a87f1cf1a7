"""A goal in words to the concepts that a query has to join. Pure.

connections between gut microbiome and mental health  ->  gut microbiome; mental health
aspirin or clopidogrel after stroke                   ->  aspirin or clopidogrel; stroke
"""

import datetime as dt
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from biofact.literature.choices import Domain
from biofact.literature.query import cues, lexicon, synonyms, wording
from biofact.literature.query.cues import PublicationDates

MOST_CONCEPTS = 6
"""Of a goal; more would find nothing together."""
_PAIR = 2
_LISTED_TOGETHER = 3  # so many things in a row are alternatives, two are both wanted

Role = Literal["topic", "aspect", "keyword"]
"""A subject, what is asked about it (left out first), or what the caller requires."""


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


@dataclass(frozen=True, slots=True)
class _GoalToken:
    text: str
    kind: Literal["word", "fixed", "notion", "and", "or", "comma", "break"]


def read(goal: str, *, today: dt.date, domain: Domain | None = None, keywords: Sequence[str] = ()) -> ParsedGoal:
    """What ``goal`` asks for, with ``keywords`` as concepts of their own that come first."""
    goal, long_forms = _without_abbreviations(" ".join(wording.straight(goal).split()))
    cues_found = cues.read(goal, today)
    required = [_keyword_concept(word, domain) for word in keywords]
    concepts = _merge_concepts([_concept_of(one, domain, long_forms) for one in _chunks(cues_found.text)], required)
    topics = [one for one in concepts if one.role == "topic"]
    if not topics and not required:
        concepts = [replace(one, role="topic") for one in concepts]
    ordered = sorted(concepts, key=lambda one: one.role != "topic")
    kept = set(ordered[:MOST_CONCEPTS])
    return ParsedGoal(
        concepts=(*required, *(one for one in concepts if one in kept)),
        dates=cues_found.dates,
        time_words=cues_found.time_words,
        designs=tuple(cues_found.designs),
        excluded=tuple(filter(None, map(wording.clean, cues_found.excluded))),
        unsearchable=tuple(cues_found.unsearchable),
        omitted=tuple(one.name for one in ordered[MOST_CONCEPTS:]),
    )


_IN_PARENTHESES = re.compile(r"\(\s*([^()]{1,60}?)\s*\)")


def _without_abbreviations(goal: str) -> tuple[str, dict[str, str]]:
    """The goal without ``(PD)`` after Parkinson's disease, and which long forms have which short ones."""
    long_forms: dict[str, str] = {}
    for match in _IN_PARENTHESES.finditer(goal):
        short = match[1]
        initials = [letter.lower() for letter in re.sub(r"[^A-Za-z]", "", short.removesuffix("s"))]
        before = re.findall(r"[\w'-]+", goal[: match.start()])
        ends = [before[-count:] for count in range(1, len(initials) + 3)] if wording.is_acronym(short) else []
        long_forms |= {
            wording.key(" ".join(words)): short for words in ends if words and _is_short_for(initials, words)
        }
    for short in long_forms.values():
        goal = re.sub(rf"\(\s*{re.escape(short)}\s*\)", " ", goal)
    return goal, long_forms


def _is_short_for(initials: list[str], words: Sequence[str]) -> bool:
    """Whether the letters are first letters of the words, in order, and no word that matters is skipped."""
    parts = [part for word in words for part in word.split("-") if part]
    firsts = [part[0].lower() for part in parts if part.lower() not in wording.STOP_WORDS]
    return firsts == initials or [part[0].lower() for part in parts] == initials


def _keyword_concept(word: str, domain: Domain | None) -> Concept:
    text = wording.keyword(word)
    notion = synonyms.notion_for(text, domain)
    is_short = notion is not None and wording.is_acronym(text) and wording.key(notion.phrase) != wording.key(text)
    return Concept((text,), "keyword", text if is_short and synonyms.is_ambiguous(text) else "")


def _concept_of(chunk: tuple[str, ...], domain: Domain | None, long_forms: dict[str, str]) -> Concept:
    """A concept of alternatives, each by the name that its notion has."""
    names: list[str] = []
    read_from = ""
    for text in chunk:
        notion = synonyms.notion_for(text, domain)
        names.append(notion.phrase if notion and wording.is_acronym(text) else text)
        names += [short for long, short in long_forms.items() if long == wording.key(text)]
        read_from = text if synonyms.is_ambiguous(text) else read_from
    is_aspect = all(_is_aspect(name) for name in names)
    return Concept(tuple(dict.fromkeys(names)), "aspect" if is_aspect else "topic", read_from)


def _is_aspect(name: str) -> bool:
    return synonyms.notion_for(name) is None and all(
        word in lexicon.ASPECTS or word in lexicon.QUALIFIERS for word in name.lower().split()
    )


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
    """A concept without the words of a keyword that it holds; what is left is an aspect."""
    if len(one.names) > 1 or not wording.has_phrase(one.name, keyword) or len(one.name) <= len(keyword):
        return one
    rest = _trim(re.sub(rf"\b{re.escape(keyword)}\w*", " ", one.name, count=1, flags=re.IGNORECASE).split())
    return Concept((" ".join(rest),) if rest else (), "aspect")


def _chunks(text: str) -> Iterator[tuple[str, ...]]:
    """What stands between separators, each as the alternatives that it names."""
    row: list[tuple[list[_GoalToken], str]] = []
    words: list[_GoalToken] = []
    for token in [*_tokens(text), _GoalToken("", "break")]:
        if token.kind in {"word", "fixed", "notion"}:
            words.append(token)
            continue
        if words:
            row.append((words, token.kind))
            words = []
        if token.kind == "break":
            yield from _alternatives(row)
            row = []


def _alternatives(row: list[tuple[list[_GoalToken], str]]) -> Iterator[tuple[str, ...]]:
    """The things of a row: all wanted, or any where they stand with "or" or are three and more."""
    items = [list(_parts(tokens)) for tokens, _ in row]
    joiners = {kind for _, kind in row[:-1]}
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
    return text.lower() in lexicon.ANDED_HEADS or re.fullmatch(r"type \w{1,3}", text, re.IGNORECASE) is not None


def _share_head(texts: list[str]) -> None:
    """Give ``breast`` of "breast and ovarian cancer" its noun."""
    if len(texts) == _PAIR and _needs_head(texts[0]) and " " in texts[1]:
        words = texts[1].split()
        own = 2 if words[0].lower() == "type" else 1
        texts[0] = " ".join([texts[0], *(words[own:] or words[-1:])])


def _parts(tokens: list[_GoalToken]) -> Iterator[str]:
    """The phrases of one thing: a notion stands for itself, what is around it is another concept."""
    words: list[str] = []
    for token in [*tokens, _GoalToken("", "notion")]:
        if token.kind == "notion":
            if rest := _trim(words):
                yield " ".join(rest)
            words = []
            if token.text:
                yield token.text
        else:
            words.append(token.text)


def _trim(words: Sequence[str]) -> list[str]:
    """Without articles, and without generic words at both ends."""
    kept = [word for word in words if word.lower() not in lexicon.ARTICLES]
    if _needs_head(" ".join(kept)):
        return kept
    while kept and (kept[0].lower() in lexicon.GENERIC or re.fullmatch(r"[\d.,%]+", kept[0])):
        kept = kept[1:]
    while kept and kept[-1].lower() in lexicon.GENERIC and not (
        len(kept) > 1 and kept[-1].lower() in lexicon.KEPT_AT_END
    ):  # fmt: skip
        kept = kept[:-1]
    return kept


_SUFFIX = re.compile(
    r"(?i)(?<=\w)-(?:based|driven|powered|assisted|enabled|guided|aided|supported|enhanced|augmented|related|induced"
    r"|associated|mediated)\b"
)
# l(2)gl, Su(H), E(spl)m8-HLH, zgc:171673; but neither effect(s) nor 2:1
_SYMBOL = re.compile(
    r"[^\W\d_][\w.-]*(?:\((?!e?s\))[\w.-]{1,20}\)[\w.-]*(?<![.-]))+|[^\W\d_]{2,}:[\w.-]*\d[\w.-]*(?<![.-])", re.UNICODE
)
_PIECE = re.compile(rf"{_SYMBOL.pattern}|[^\W_](?:[\w'./+%*-]*[\w%+*])?|[^\s\w]", re.UNICODE)


def _tokens(text: str) -> Iterator[_GoalToken]:
    text = _SUFFIX.sub(_cut_suffix, text)
    at = 0
    for match in _phrases().finditer(text):
        yield from _words(text[at : match.start()])
        phrase, is_quoted = match[0].strip('"'), match[0].startswith('"')
        if cleaned := wording.clean(phrase):
            yield _GoalToken(cleaned, "notion" if is_quoted or synonyms.notion_for(phrase) else "fixed")
        at = match.end()
    yield from _words(text[at:])


def _cut_suffix(found: re.Match[str]) -> str:
    """Sets a name before "-based" and the like apart; "web-based" stays, for "web" is no name of a notion."""
    before = found.string[: found.start()].split()
    is_name = any(
        synonyms.notion_for(" ".join(before[-count:])) is not None for count in (1, 2, 3) if len(before) >= count
    ) or (before and wording.is_acronym(before[-1]))
    return " ; " if is_name else found[0]


def _words(text: str) -> Iterator[_GoalToken]:
    for piece in _PIECE.findall(text):
        word = piece.lower().rstrip(".")
        if word in {"and", "&", "plus"}:
            yield _GoalToken(word, "and")
        elif word in {"or", "and/or"}:
            yield _GoalToken(word, "or")
        elif word == ",":
            yield _GoalToken(word, "comma")
        elif word in lexicon.SEPARATORS or not re.search(r"\w", word):
            yield _GoalToken(word, "break")
        elif cleaned := wording.clean(piece):
            yield _GoalToken(cleaned, "notion" if _SYMBOL.fullmatch(piece) else "word")


@functools.cache
def _phrases() -> re.Pattern[str]:
    """Finds what is quoted, and phrases that stay together: longest first, acronyms by their capitals."""
    names = dict.fromkeys((*lexicon.FIXED, *filter(_stands_apart, synonyms.all_names())))
    ordered = sorted(names, key=len, reverse=True)
    patterns = [
        f"(?-i:{re.escape(name)})"
        if wording.is_acronym(name) and len(name) <= _SHORT_ACRONYM
        else re.escape(name).replace(r"\ ", r"[\s-]")
        for name in ordered
    ]
    return re.compile(rf'(?i)"[^"]{{2,80}}"|(?<![\w-])(?:{"|".join(patterns)})(?![\w-])')


def _stands_apart(name: str) -> bool:
    """Whether it is a concept beside the words around it; "stress" is not, in "early life stress"."""
    return " " in name or "-" in name or wording.is_acronym(name) or name in lexicon.POPULATIONS


_SHORT_ACRONYM = 5  # letters: "ed" and "it" are words, "covid-19" is not
