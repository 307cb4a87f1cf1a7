"""How names are written and compared: case, Greek letters, hyphens and blanks count for little. Pure."""

import re
import unicodedata
from functools import lru_cache


def _greek_name(letter: str) -> str:
    """``alpha`` for the letter; Unicode spells lambda without b."""
    return unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")


_LETTERS = [chr(code) for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)) if unicodedata.name(chr(code), "")]
_SPELT = {ord(letter): _greek_name(letter) for letter in _LETTERS}
_IN_SYMBOLS = {code: "TH" if name == "theta" else name[0].upper() for code, name in _SPELT.items()}
"""As human symbols have them: TGFB1, IFNG."""
# A letter that touches a symbol is set off, as aliases have it: TNF-alpha.
_TOUCHING = re.compile(rf"(?<=[A-Za-z0-9])([{''.join(_LETTERS)}])")
_GENERIC = re.compile(
    r"(?:(?:^|\s+)(?:genes?|proteins?|mrna|mutations?|mutants?|variants?|expression))+$", re.IGNORECASE
)
_SYNTAX = re.compile(r'[\[\]"(){}*:;,?!<>=|&~\\^#`\u00ab\u00bb\u201c-\u201f]+')
_QUOTES = "'\u00b4\u2018\u2019\u201a\u201b"  # around a word; inside they belong to it, as in 5'-nucleotidase
_EDGES = f"-+./ {_QUOTES}"
_LONGEST_SYMBOL = 25
_REMEMBERED = 8192  # names; a page of hits has some 2,000, and is ranked again on the next page


def in_latin(text: str) -> str:
    """``text`` with Greek letters spelt out."""
    return text.translate(_SPELT)


@lru_cache(_REMEMBERED)
def folded(name: str) -> str:
    """One form for all spellings that differ in case, blanks and Greek letters only."""
    return " ".join(in_latin(name).casefold().split())


@lru_cache(_REMEMBERED)
def squeezed(name: str) -> str:
    """One form for all spellings that differ in hyphens, blanks, dots and slashes, too."""
    return re.sub(r"[-\s./]", "", folded(name))


@lru_cache(_REMEMBERED)
def words(name: str) -> frozenset[str]:
    """The words of a name, each once."""
    return frozenset(re.findall(r"\w+", folded(name)))


@lru_cache(_REMEMBERED)
def plain(text: str) -> str:
    """``text`` without what search engines read as syntax; empty when nothing is left to search for."""
    text = " ".join(filter(None, (word.strip(_QUOTES) for word in _SYNTAX.sub(" ", text).split()))).strip(_EDGES)
    return re.sub(r"\b(AND|OR|NOT)\b", lambda found: found[0].lower(), text) if re.search(r"\w", text) else ""


def without_generic(text: str) -> str:
    """``text`` without a last "gene", "protein" or the like, unless it says nothing else."""
    return _GENERIC.sub("", text) or text


def forms(text: str) -> list[str]:
    """What ``text`` may stand for as a name, as it is written first: ``TNF-alpha`` and ``TNFA`` for a Greek letter,
    each name of ``HER2/neu`` and ``ERBB2 (HER2)``, and the words without a last "gene" or "protein".
    """
    parts = [_GENERIC.sub("", plain(part)) for part in re.split(r"[/()]", text)]
    whole = plain(text)
    found = [whole, without_generic(whole), *(part for part in parts if len(part) > 1)]
    found = [*found, *(_TOUCHING.sub(r"-\1", name) for name in found), *(name.translate(_IN_SYMBOLS) for name in found)]
    return list(dict.fromkeys(in_latin(name) for name in found if name))


def spellings(name: str) -> list[str]:
    """The ways in which a symbol is written: as given, without hyphens and blanks, with a hyphen before the number."""
    bare = re.sub(r"[-\s]", "", name)
    hyphenated = re.sub(r"^([A-Za-z]+)(\d+)$", r"\1-\2", bare)
    return list(dict.fromkeys((name, bare, hyphenated) if len(name) <= _LONGEST_SYMBOL else (name,)))


def is_one_letter_off(name: str, other: str) -> bool:
    """Whether one letter was changed, left out, put in, or swapped with the next; case counts for nothing."""
    short, long = sorted((folded(name), folded(other)), key=len)
    if len(long) - len(short) > 1 or short == long:
        return False
    start = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    is_swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return is_swapped or short[start + 1 :] == long[start + 1 :]
