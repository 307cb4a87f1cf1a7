"""Callers' text made safe for a query, and how phrases are compared. Pure."""

import re
import unicodedata

from biofact.core.words import in_latin, plain
from biofact.literature.query import spelling

LONGEST_PHRASE = 100
"""Characters of one phrase in a query."""
STOP_WORDS = frozenset({"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u00b4]")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_SHORTEST_STEM = 4  # letters before an asterisk: PubMed expands to 600 variants at most
_SHORTEST_PLURAL = 4


def clean(text: str) -> str:
    """``text`` as words alone, which mean nothing to PubMed inside quotes; empty where it has none."""
    text = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in straight(text))
    words = [word for word in plain(in_latin(text)).replace('"', " ").split() if re.search(r"\w", word)]
    while words and len(" ".join(words)) > LONGEST_PHRASE:
        words = words[:-1] if len(words) > 1 else [words[0][:LONGEST_PHRASE]]
    return " ".join(words)


def keyword(text: str) -> str:
    """As ``clean``, but an asterisk at the end, which stands for any ending, stays."""
    words = clean(text)
    is_stem = text.rstrip(" \"'").endswith("*") and re.search(rf"\w{{{_SHORTEST_STEM}}}$", words)
    return f"{words}*" if is_stem else words


def straight(text: str) -> str:
    """With the hyphens and apostrophes of a typewriter."""
    text = unicodedata.normalize("NFKC", text)
    return _DASHES.sub("-", _APOSTROPHES.sub("'", text))


def key(phrase: str) -> str:
    """One form for spellings that differ in case, number, hyphens, blanks, accents, or by the ocean between."""
    folded = spelling.american(in_latin(phrase).casefold().replace("'s", ""))
    text = unicodedata.normalize("NFKD", folded)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return "".join(map(_singular, re.findall(r"\w+", text)))


def has_phrase(text: str, phrase: str) -> bool:
    """Whether the words of ``phrase`` occur side by side in ``text``."""
    return f" {_spaced(phrase)} " in f" {_spaced(text)} "


def in_speech(name: str) -> str:
    """A heading in the order of speech: ``Diabetes Mellitus, Type 2`` turned to ``Type 2 Diabetes Mellitus``."""
    return " ".join(reversed(name.split(", "))) if is_inverted(name) else name


def is_inverted(name: str) -> bool:
    """Whether a heading is in a card index's order; ``Hand, Foot and Mouth Disease`` and ``X, with Y`` are not."""
    last = name.rpartition(", ")[2].lower()
    return ", " in name and " and " not in last and last.partition(" ")[0] not in STOP_WORDS


def is_acronym(word: str) -> bool:
    """``AI``, ``GLP-1``, ``COVID-19``: two capitals or a capital and a digit, and no blank."""
    return " " not in word and len(re.findall(r"[A-Z]", word)) + len(re.findall(r"\d", word)[:1]) > 1


def _spaced(text: str) -> str:
    return " ".join(_singular(word) for word in re.findall(r"\w+", text.casefold()))


def _singular(word: str) -> str:
    if len(word) < _SHORTEST_PLURAL or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")
