"""NLM's publication types, and what people call them. Names: https://www.nlm.nih.gov/mesh/pubtypes.html."""

import difflib
import functools
import re
from importlib.resources import files

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.words import folded

_MOST_SUGGESTED = 3
_LEAST_ALIKE = 0.6
_LONGEST = 80
_USUAL = ("Randomized Controlled Trial", "Systematic Review", "Meta-Analysis")


def publication_type(text: str) -> str | None:
    """NLM's name of a type, whatever its case, number and spelling; None where there is no such type.

    ``Randomised Controlled Trials`` and ``RCT`` are Randomized Controlled Trial.
    """
    return _names().get(_key(text))


def canonical_types(texts: list[str]) -> list[str]:
    """NLM's names of these types, each once.

    Raises:
        InvalidValues: some are none; each with the nearest that there are.
    """
    wrong = [
        InvalidPart((place,), text, "NLM has no such publication type", _in_words(_nearest(text)))
        for place, text in enumerate(texts)
        if publication_type(text) is None
    ]
    if wrong:
        raise InvalidValues(wrong)
    return list(dict.fromkeys(name for text in texts if (name := publication_type(text))))


def _in_words(nearest: list[str]) -> str:
    return f"one of NLM's publication types; the nearest are {', '.join(map(repr, nearest))}"


def _nearest(text: str) -> list[str]:
    """The types most like a text by their letters, then those that share a word; the usual ones where none is."""
    key, names = _key(text[:_LONGEST]), _names()
    alike = difflib.get_close_matches(key, names, _MOST_SUGGESTED, _LEAST_ALIKE)
    sharing = [one for one in names if set(key.split()) & set(one.split())]
    found = dict.fromkeys(names[one] for one in (*alike, *sharing))
    return list(found)[:_MOST_SUGGESTED] or list(_USUAL)


@functools.cache
def _names() -> dict[str, str]:
    """NLM's name of each type by the keys of all that it is called.

    The table's third column is the UI that recordings give the type; where it is empty the name is from memory and
    no recording shows it, so PubMed may not have it under that name. A test holds the column against the recordings.
    """
    lines = files(__package__).joinpath("publication_types.tsv").read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    short = {_key(form): name for name, forms, _ in rows for form in forms.split("|") if form}
    return short | {_key(name): name for name, _, _ in rows}


def _key(text: str) -> str:
    """One form for all spellings that differ in case, hyphens, marks, number, and British or American use."""
    words = re.findall(r"[a-z0-9]+", folded(text).replace("'", ""))
    return " ".join(map(_stem, words))


def _stem(word: str) -> str:
    word = re.sub(r"is(?=e|ing|ation)", "iz", word)  # randomised
    word = re.sub(r"centre$", "center", word)
    word = re.sub(r"yses$", "ysis", word)  # analyses
    word = re.sub(r"ies$", "y", word)  # studies
    return word.removesuffix("s") if len(word) > 2 and not word.endswith(("ss", "is")) else word  # noqa: PLR2004  # RCTs
