"""A goal in words to tokens: words, phrases that stay together, and what stands between them. Pure."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from biofact.literature.query import lexicon, synonyms, whole_names, wording

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
    restored = whole_names.restored(text)
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
            is_notion = _SYMBOL.fullmatch(piece) or whole_names.stands_apart(piece)
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
