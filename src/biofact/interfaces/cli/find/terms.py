"""The terms of a text: words in one spelling, without their endings, synonyms and IDs under one name. Pure."""

import re
import unicodedata
from functools import lru_cache

from biofact.interfaces.cli.find.synonyms import FORMS, SYNONYMS

STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be been but by can could did do does doing each for from get
    give given gives had has have having here how i if in into is it its itself just know like look looking make many me
    more most much my need needs of on one only or other our out called named please same see should show shows so some such tell
    than that the their them then there these they this those through to too up us use used uses using very want was we
    were what whats when where which who whose why will with within would you your""".split()
)
_WORD = re.compile(r"[a-z0-9]+")
_SYNONYM = re.compile(rf"\b({'|'.join(sorted(map(re.escape, SYNONYMS), key=len, reverse=True))})(s?)\b")
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
    plain = _SYNONYM.sub(lambda found: SYNONYMS[found[1]].lower(), marked(text).lower())
    return [stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS]


def marked(text: str) -> str:
    """``text`` with what kind of ID it is in place of each ID."""
    return _FORM.sub(lambda found: f" {_CALLED[int((found.lastgroup or '')[1:])]} ", unicodedata.normalize("NFKC", text))


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
