"""Short forms that an article introduces: ``hand-foot syndrome (HFS)``.

The long form is found as Schwartz and Hearst do (2003): the letters of the short one, from the last to the first, in
the words before the bracket, the first of them at the beginning of a word.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from biofact.literature.extraction.rules.text import Document, Sentence

BRACKETED = re.compile(r"[(\[]([A-Za-z][\w\-+/.]{1,11})(?:[;,][^()\[\]]{0,60})?[)\]]")
"""As in: (HFS)."""
WORD = re.compile(r"\S+")
"""As in: hand-foot."""
BREAK = frozenset("()[]:;")
"""What no long form has within it."""
_MOST_MORE = 5
FEWEST_CAPITALS = 2


class LongForm(NamedTuple):
    """What a short form stands for, where the article introduces it."""

    text: str
    sentence: Sentence
    start: int
    """In the whole title or abstract."""


def long_forms(document: Document) -> dict[str, LongForm]:
    """The long form of each short one, by the short one as it is written."""
    found: dict[str, LongForm] = {}
    for sentence in document.all_sentences:
        for match in BRACKETED.finditer(sentence.text):
            short = match[1]
            long = _long_form(short, sentence, match.start()) if _is_short_form(short) else None
            if long is not None:
                found.setdefault(short.removesuffix("s") if short[:-1].isupper() else short, long)
    return found


def _is_short_form(text: str) -> bool:
    return sum(map(str.isupper, text)) >= FEWEST_CAPITALS


def _long_form(short: str, sentence: Sentence, bracket: int) -> LongForm | None:
    """What stands before the bracket, if it is the long form."""
    before = sentence.text[:bracket].rstrip()
    start = _start_of_long_form(short, before)
    return None if start is None else LongForm(before[start:], sentence, sentence.start + start)


def _start_of_long_form(short: str, before: str) -> int | None:
    letters = [letter.lower() for letter in short if letter.isalnum()]
    words = [match.start() for match in WORD.finditer(before)]
    first = words[-min(len(words), len(letters) + _MOST_MORE)] if words else 0
    at = len(before)
    for place, letter in enumerate(reversed(letters)):
        is_first = place == len(letters) - 1
        at = next(_places(before, letter, at, first, at_word=is_first), -1)
        if at < 0:
            return None
    long = before[at:]
    if not BREAK.isdisjoint(long):
        return None
    return at if " " in long or "-" in long or len(long) > 2 * len(short) else None


def _places(text: str, letter: str, end: int, first: int, *, at_word: bool) -> Iterator[int]:
    """Where a letter stands, from the last place before ``end``; at the beginning of a word if it must."""
    for at in range(end - 1, first - 1, -1):
        if text[at].lower() == letter and not (at_word and at and text[at - 1].isalnum()):
            yield at
