"""How names are compared: without regard to case, Greek letters, hyphens and blanks. Pure."""

import re

GREEK = {
    ord(letter): name
    for name, letter in {
        "alpha": "\u03b1",
        "beta": "\u03b2",
        "gamma": "\u03b3",
        "delta": "\u03b4",
        "epsilon": "\u03b5",
        "kappa": "\u03ba",
        "lambda": "\u03bb",
    }.items()
}


def in_latin(text: str) -> str:
    """``text`` with Greek letters spelt out."""
    return text.translate(GREEK)


def folded(name: str) -> str:
    """One form for all spellings that differ in case, blanks and Greek letters only."""
    return " ".join(in_latin(name).casefold().split())


def squeezed(name: str) -> str:
    """One form for all spellings that differ in hyphens, blanks, dots and slashes, too."""
    return re.sub(r"[-\s./]", "", folded(name))


def words(name: str) -> set[str]:
    """The words of a name, each once."""
    return set(re.findall(r"\w+", folded(name)))
