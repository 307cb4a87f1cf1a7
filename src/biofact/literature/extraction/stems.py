"""Words without their endings, so that randomised, randomized and randomly meet. Pure."""

import re
from functools import lru_cache

_STOPS = (
    "a an the of in on at to for with by and or from as is are was were be been being has have had did do does than"
    " that this these those between among vs versus into during after before per it its their his her which who whom"
    " whose such via using used we our they there also both each"
)
_TAILS = (
    "izations ization ations ation nesses ness ingly edly ments ment ities ity ically ically ives ive ions ion ings"
    " ing ies ied ers ed es er ly al ic s e y"
)
STOP_WORDS = frozenset(_STOPS.split())
"""Words that a value may have and its quote may not."""
NEGATIONS = frozenset(("no", "not", "non", "without", "never", "neither", "nor", "cannot", "lack", "lacked", "lacking"))
"""Words that turn what follows into its opposite."""

_SHORTEST = 4
_SHORTEST_BEGINNING = 5
_MOST_MORE = 2
_BRITISH = re.compile(r"is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
_ENDINGS = {letter: tuple(tail for tail in _TAILS.split() if tail[-1] == letter) for letter in "sycgdtrlen"}
"""By their last letter, longer ones first."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in small letters without its ending, in American spelling."""
    plain = _BRITISH.sub("iz", word)
    plain = plain.replace("aem", "em").replace("oed", "ed").replace("tumour", "tumor").replace("aed", "ed")
    for ending in _ENDINGS.get(plain[-1:], ()):
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST:
            return plain[: -len(ending)].rstrip("ei")
    return plain


def is_same(one: str, other: str) -> bool:
    """Whether two stems are of one word: equal, or hardly longer than the other."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    is_alike = long.startswith(short) and len(long) - len(short) <= _MOST_MORE
    return is_alike and len(short) >= _SHORTEST_BEGINNING and not long[len(short) :].isdigit()
