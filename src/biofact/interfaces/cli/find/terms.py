"""The terms of a text: words in one spelling, without their endings, synonyms and IDs under one name. Pure."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from biofact.interfaces.cli.find.synonyms import FORMS, SYNONYMS

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a about after again all also am an and any are as at be been but by can could did do does doing each for from
    get give given gives had has have having here how i if in into is it its itself just know like look looking make
    many me more most much my need needs of on one only or other our out called named please same see should show
    shows so some such tell than that the their them then there these they this those through to too up us use used
    uses using very want was we were what whats when where which who whose why will with within would you your
    """,
    )
)
_WORD = re.compile(r"[a-z0-9]+")
_FORM = re.compile("|".join(f"(?P<f{place}>{form})" for place, form in enumerate(FORMS)))
_CALLED = tuple(FORMS.values())
# Endings, the longer ones first, and what takes their place.
_ENDINGS = {
    "ations": "at",
    "ation": "at",
    "ments": "",
    "ology": "olog",
    "ively": "",
    "ities": "",
    "ally": "",
    "ical": "ic",
    "ions": "",
    "ings": "",
    "ment": "",
    "ies": "y",
    "ers": "",
    "ing": "",
    "ion": "",
    "ity": "",
    "ive": "",
    "ory": "",
    "al": "",
    "ed": "",
    "er": "",
    "es": "",
    "ly": "",
    "e": "",
    "s": "",
}
_NO_ENDINGS = ("ss", "us", "is")
_SHORTEST = 3
"""Letters that an ending leaves."""
# British spellings within a word, and the American ones.
_AMERICAN = (("isation", "ization"), ("ise", "ize"), ("our", "or"), ("ogue", "og"), ("aem", "em"), ("oe", "e"))


def terms(text: str) -> list[str]:
    """The terms, in order, without words that every question has."""
    words = _WORD.findall(marked(text).lower())
    return [stem(word) for word in _without_synonyms(words) if word not in STOP_WORDS]


def _without_synonyms(words: Sequence[str]) -> Iterator[str]:
    """The words, with the one name of a thing in place of its other ones."""
    place = 0
    while place < len(words):
        name, length = next(_named(words, place), (words[place : place + 1], 1))
        yield from name
        place += length


def _named(words: Sequence[str], place: int) -> Iterator[tuple[Sequence[str], int]]:
    """The name of the phrase that begins at a place, and how many words the phrase has; the longest first."""
    for first in (words[place], words[place].removesuffix("s")):
        for phrase, name in _PHRASES.get(first, ()):
            end = place + len(phrase)
            if phrase[1:-1] == tuple(words[place + 1 : end - 1]) and words[end - 1 : end] in (
                [phrase[-1]],
                [f"{phrase[-1]}s"],
            ):
                yield name, len(phrase)


def marked(text: str) -> str:
    """``text`` with what kind of ID it is in place of each ID."""
    return _FORM.sub(
        lambda found: f" {_CALLED[int((found.lastgroup or '')[1:])]} ", unicodedata.normalize("NFKC", text)
    )


def _phrases() -> dict[str, list[tuple[tuple[str, ...], list[str]]]]:
    """The synonyms by their first word, the longest first."""
    found = defaultdict[str, list[tuple[tuple[str, ...], list[str]]]](list)
    for phrase, name in sorted(SYNONYMS.items(), key=lambda pair: -len(pair[0])):
        words = tuple(_WORD.findall(phrase))
        found[words[0]].append((words, _WORD.findall(name.lower())))
    return found


_PHRASES = _phrases()


@lru_cache(8192)
def stem(word: str) -> str:
    """A word without its ending, as Americans write it."""
    for british, american in _AMERICAN:
        word = word.replace(british, american) if len(word) > len(british) + 1 else word
    return _without_ending(_without_ending(word))


def _without_ending(word: str) -> str:
    if word.endswith(_NO_ENDINGS):
        return word
    fitting = (ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST)
    ending = next(fitting, "")
    return word.removesuffix(ending) + _ENDINGS.get(ending, "")
