"""Spellings of names and their comparison: case, Greek letters, hyphens and blanks count for little. Pure.

A symbol may hold brackets, colons and slashes: ``l(2)gl``, ``zgc:171673``, ``Gt(ROSA)26Sor``. As it is written is the
first form of every name; without these signs it is searched by words only.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache


def _greek_name(letter: str) -> str:
    """``alpha`` for the letter; Unicode spells lambda without b."""
    return unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")


_LETTERS = [chr(code) for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)) if unicodedata.name(chr(code), "")]
_LATIN_NAMES = {ord(letter): _greek_name(letter) for letter in _LETTERS}
_OTHERWISE_IN_SYMBOLS = {"eta": "H", "theta": "Q", "xi": "X", "phi": "F", "psi": "U", "upsilon": "Y", "omega": "W"}
_IN_SYMBOLS = {name: _OTHERWISE_IN_SYMBOLS.get(name, name[0].upper()) for name in _LATIN_NAMES.values()}
"""The Latin letter for a Greek one in human symbols: TGFB1, IFNG, PRKCQ. HGNC's guidelines of 2002 (PMID 11944974)."""
_SHORT_NAME = 3  # letters; "pi" and "eta" are parts of many words and symbols
_LONG_NAMES, _SHORT_NAMES = (
    "|".join(name for name in dict.fromkeys(_LATIN_NAMES.values()) if (len(name) > _SHORT_NAME) is is_long)
    for is_long in (True, False)
)
_SPELLED_GREEK = re.compile(
    rf"[-\s]*(?P<name>(?<![a-z])(?i:{_LONG_NAMES})|(?<=[A-Z\d\s-])(?:{_SHORT_NAMES}))(?![a-z])[-\s]*"
)
GREEK_AND_NUMBER = re.compile(rf"\b((?i:{_LONG_NAMES}|{_SHORT_NAMES})) ?(\d+[A-Za-z]?)\b")
"""The name of a Greek letter and a number, as full names have them in one word or in two: alpha2, alpha 2."""
_GREEK_AT_END = re.compile(rf"(?:{_LONG_NAMES}|{_SHORT_NAMES})(?![a-z])")  # of a word: pkceta
# A letter that touches a symbol is set off, as aliases have it: TNF-alpha.
_GREEK_AFTER_SYMBOL = re.compile(rf"(?<=[A-Za-z0-9])([{''.join(_LETTERS)}])")
_GENERIC = re.compile(
    r"(?:(?:^|\s+)(?:genes?|proteins?|mrna|mutations?|mutants?|variants?|expression))+$", re.IGNORECASE
)
_SYNTAX = re.compile(r'[\[\]"(){}*:;,?!<>=|&~\\^#`\u00ab\u00bb\u201c-\u201f]+')
_QUOTES = "'\u00b4\u2018\u2019\u201a\u201b"  # around a word; inside they belong to it, as in 5'-nucleotidase
_PRIMES = dict.fromkeys(map(ord, "\u00b4\u2019\u2032"), "'")
_EDGES = f"-+./ {_QUOTES}"
_OUTER_MARKS = f'{_EDGES}",;:?!*=|&~\\^#`\u00ab\u00bb\u201c\u201d\u201e\u201f'
"""Marks before and after a name; within it, they are a part of it."""
_CLONE_NAME = re.compile(  # library, plate, row and column, number of the gene; or an accession and the number
    r"(?<![\w-])(?:(?:(?:RP\d{1,2}|CT[A-D]|KB|GS1|LA16c|WI2|XX[A-Za-z]*|hsa)-[A-Za-z0-9_-]+"
    r"|A[CDEFJLP]\d{6}|(?:BX|CR|CU|FP)\d{6}|[ZU]\d{5})\.\d+"
    r"|(?:RP\d{1,2}|CT[A-D]|KB|GS1|XX[\w-]*?)-\d{1,4}[A-P]\d{1,2})(?![\w-])",
    re.IGNORECASE | re.ASCII,
)
_HOMOLOG = re.compile(r"\b(?:homologs?|homologues?|orthologs?|orthologues?|like)\b", re.IGNORECASE)
_IN_ORGANISM = re.compile(  # lines homolog (Drosophila), sal (Drosophila)-like 3, SEC63 homolog (S. cerevisiae)
    r"\s+\((?:[A-Z]\.\s?[a-z]+|[A-Z][a-z]+ [a-z]+|Drosophila|Xenopus|Arabidopsis|Torpedo"
    r"|avian|bovine|chicken|dog|fly|frog|mouse|pig|rat|sheep|yeast|zebrafish)\)(?!\w)"
)
_READTHROUGH = re.compile(r"\bread-?through\b", re.IGNORECASE)
_SIZE = re.compile(r"(?<=\w),?\s+\(?\d+(?:\.\d+)?\s?kDa?\)?$", re.IGNORECASE)
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SEPARATORS = re.compile(r"[/()\[\]{}<>;|]|,(?!\d)|\s[&+]\s")
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_SYMBOL = 25
_CACHED_NAMES = 8192  # names; a page of hits has some 2,000, and is ranked again on the next page


def in_latin(text: str) -> str:
    """``text`` with Greek letters written out."""
    return text.translate(_LATIN_NAMES)


@lru_cache(_CACHED_NAMES)
def folded(name: str) -> str:
    """One form for all spellings that differ in case, blanks and Greek letters only."""
    return " ".join(in_latin(name).casefold().split())


@lru_cache(_CACHED_NAMES)
def compact(name: str) -> str:
    """One form for all spellings that differ in hyphens, blanks, dots and slashes, too."""
    return re.sub(r"[-\s./]", "", folded(name))


@lru_cache(_CACHED_NAMES)
def words(name: str) -> frozenset[str]:
    """The words of a name, each once."""
    return frozenset(re.findall(r"\w+", folded(name)))


@lru_cache(_CACHED_NAMES)
def plain(text: str) -> str:
    """``text`` without what search engines read as syntax; empty when nothing is left to search for."""
    text = " ".join(filter(None, (word.strip(_QUOTES) for word in _SYNTAX.sub(" ", text).split()))).strip(_EDGES)
    return re.sub(r"\b(AND|OR|NOT)\b", lambda operator: operator[0].lower(), text) if re.search(r"\w", text) else ""


def without_generic(text: str) -> str:
    """``text`` without a last "gene", "protein" or the like, unless it says nothing else."""
    return _GENERIC.sub("", text) or text


def is_readthrough(full_names: Iterable[str]) -> bool:
    """Whether a gene with these names is transcribed across two others, and listed under their names, too: LY75-CD302
    under CD205, which is LY75.
    """
    return any(map(_READTHROUGH.search, full_names))


def clone_name(text: str) -> str | None:
    """The name after a sequenced clone that stands in ``text``: RP11-34P13.7, CTD-2192J16.17, AC007325.4, RP11-206L10.

    Annotation named genes without a symbol so up to GRCh37; what has its words is another gene.
    """
    match = _CLONE_NAME.search(text)
    return match[0] if match else None


def without_origin(text: str) -> str:
    """The name of a homolog without the organism in which its gene was first seen, as HGNC's older names have it."""
    return _IN_ORGANISM.sub("", text) if _HOMOLOG.search(text) else text


def without_size(text: str) -> str:
    """The name without the mass of the protein at its end, which older names have: nexin 1, 80kD."""
    return _SIZE.sub("", text)


def bare_name(text: str) -> str:
    """``text`` without the quotes, brackets and marks around the whole of it.

    ``(p53)?`` is p53; ``Su(H)`` stays as it is.
    """
    before = None
    while text != before:
        before, text = text, text.strip(_OUTER_MARKS)
        text = text[1:] if _is_open(text, 0) else text
        text = text[:-1] if text and _is_open(text, len(text) - 1) else text
        if text and _BRACKETS.get(text[0]) == text[-1] and _partner(text, 0) == len(text) - 1:
            text = text[1:-1]
    return text


def _is_open(text: str, place: int) -> bool:
    """Whether a bracket stands there that has no partner."""
    letters = "".join((*_BRACKETS, *_BRACKETS.values()))
    return text[place : place + 1] in {*letters} and _partner(text, place) is None


def _partner(text: str, place: int) -> int | None:
    """The position of the bracket's partner; None when it has none."""
    opening = next(bracket for bracket, closing in _BRACKETS.items() if text[place] in {bracket, closing})
    closing = _BRACKETS[opening]
    step = 1 if text[place] == opening else -1
    depth = 0
    for position in range(place, len(text) if step > 0 else -1, step):
        depth += (text[position] == opening) - (text[position] == closing)
        if depth == 0:
            return position
    return None


def forms(text: str) -> list[str]:
    """The names that ``text`` as a whole may stand for, as it is written first: with Greek letters written out, several
    words without their signs, without a last "gene" or "protein", and without the organism or mass in an older name.

    The signs of a single word stay: Su(z)12 of the fly is not SUZ12, and HSP70B' is HSPA6 where HSP70B is HSPA7.
    """
    if not plain(text):
        return []
    name = bare_name(text)
    with_prime = f"{name}'"
    if with_prime == text.strip().translate(_PRIMES):
        return _in_letters([with_prime, name])
    core = bare_name(without_generic(name))
    names = [f"{core}{name[len(without_generic(name)) :]}", core, without_size(without_origin(core))]
    return _in_letters([*names, *(plain(words_alone) for words_alone in names if " " in core)])


def fragments(text: str) -> list[str]:
    """The parts of ``text`` between brackets, slashes and the marks of a list that may be names by themselves: each of
    ``HER2/neu``, ``ERBB2 (HER2)`` and ``TP53; BRCA1``, but also the gl of ``l(2)gl``, which is another gene. None of
    them is what was written.
    """
    parts = [_GENERIC.sub("", plain(part)) for part in _SEPARATORS.split(bare_name(text))]
    names = list(dict.fromkeys(part for part in parts if len(part) > 1 and _LETTER.search(part)))
    return names if len(parts) > 1 else []


def _in_letters(names: list[str]) -> list[str]:
    """The names with Greek letters written out, joined or set off; each once, in whatever letter case."""
    variants = [*names, *(_GREEK_AFTER_SYMBOL.sub(r"-\1", name) for name in names)]
    distinct: dict[str, str] = {}
    for name in filter(None, map(in_latin, variants)):
        distinct.setdefault(folded(name), name)
    return list(distinct.values())


@lru_cache(_CACHED_NAMES)
def latin_readings(names: tuple[str, ...]) -> tuple[str, ...]:
    """The symbols that ``forms`` with a spelled Greek letter may stand for besides: TNFA for TNF-alpha, IL1B for IL-1
    beta. Another gene may have such a symbol (EIF2A is not eIF2-alpha): a reading is a guess.
    """
    readings = (_SPELLED_GREEK.sub(lambda greek: _IN_SYMBOLS[greek["name"].lower()], name) for name in names)
    in_one_word = (reading for name, reading in zip(names, readings, strict=True) if reading != name)
    return tuple(dict.fromkeys(reading for reading in in_one_word if len(reading) > 1 and " " not in reading))


def spellings(name: str) -> list[str]:
    """The ways in which a symbol is written: as given, without hyphens and blanks, with a hyphen before the number."""
    bare = re.sub(r"[-\s]", "", name)
    hyphenated = re.sub(r"^([A-Za-z]+)(\d+)$", r"\1-\2", bare)
    return list(dict.fromkeys((name, bare, hyphenated) if len(name) <= _LONGEST_SYMBOL else (name,)))


def is_one_letter_off(name: str, other: str) -> bool:
    """Whether one letter was changed, left out, put in, or swapped with the next; case counts for nothing.

    A digit is never a slip: BRCA1 and BRCA2 are two genes. Nor is a letter of the name of a Greek one that makes it
    another: PKC-eta and PKC-beta.
    """
    slip = _slip(name, other)
    if slip is None or any(map(str.isdigit, slip)):
        return False
    greek, other_greek = (_GREEK_AT_END.findall(folded(text)) for text in (name, other))
    return not greek or not other_greek or greek == other_greek


def is_one_digit_off(name: str, other: str) -> bool:
    """Whether they differ by one character, or two swapped ones, of which one is a digit."""
    slip = _slip(name, other)
    return slip is not None and any(map(str.isdigit, slip))


def _slip(name: str, other: str) -> str | None:
    """The characters in which they differ, if one was changed, left out, put in, or swapped with the next."""
    short, long = sorted((folded(name), folded(other)), key=len)
    if len(long) - len(short) > 1 or short == long:
        return None
    start = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    if len(short) < len(long):
        return long[start] if short[start:] == long[start + 1 :] else None
    if short[start + 1 :] == long[start + 1 :]:
        return short[start] + long[start]
    is_swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return short[start : start + 2] if is_swapped else None
