"""The organisms that users call by name, in the order in which equal matches are listed. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from biofact.core.tool import NARROWS
from biofact.core.words import bare_name, without_generic, without_origin

_LARGEST_TAXON_ID = 10**12


def _as_text(value: object) -> object:
    """A taxon ID as text, though a host writes it as a number, 9606 or 9606.0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return f"{value:.0f}" if 0 < value < _LARGEST_TAXON_ID and value == value // 1 else value


OrganismName = Annotated[
    str,
    BeforeValidator(_as_text),
    NARROWS,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=100, pattern=r"\w"),
    Field(description="name, common name or taxon ID"),
]
"""The organism that a search is for: its name, common name or taxon ID."""


@dataclass(frozen=True, slots=True)
class Taxon:
    """An organism with the names that users call it by."""

    id: int
    """NCBI Taxonomy ID."""
    name: str
    """Scientific name."""
    common: tuple[str, ...]


HUMAN = 9606
MODEL_ORGANISMS = (
    Taxon(HUMAN, "Homo sapiens", ("human", "humans", "man", "h. sapiens")),
    Taxon(10090, "Mus musculus", ("mouse", "mice", "house mouse", "m. musculus")),
    Taxon(10116, "Rattus norvegicus", ("rat", "rats", "norway rat", "brown rat", "r. norvegicus")),
    Taxon(7955, "Danio rerio", ("zebrafish", "d. rerio")),
    Taxon(7227, "Drosophila melanogaster", ("fly", "fruit fly", "fruitfly", "drosophila", "d. melanogaster")),
    Taxon(6239, "Caenorhabditis elegans", ("worm", "nematode", "roundworm", "c. elegans")),
    Taxon(
        559292,
        "Saccharomyces cerevisiae S288C",
        ("yeast", "baker's yeast", "s. cerevisiae", "saccharomyces cerevisiae"),
    ),
)

ORDER: dict[int, int] = {taxon.id: place for place, taxon in enumerate(MODEL_ORGANISMS)}
"""Taxon ID to its place among equal matches; all others come after."""
EXAMPLES = ", ".join(taxon.common[0] for taxon in MODEL_ORGANISMS)

_BY_NAME = {
    spelling: taxon for taxon in MODEL_ORGANISMS for spelling in (taxon.name.lower(), *taxon.common, str(taxon.id))
}
_IN_QUERIES = {spelling for spelling in _BY_NAME if not spelling.isdigit()} - {"man"}
_NUMBER = re.compile(r"(?:(?:ncbi[: ]*)?(?:txid|tax(?:on(?:omy)?)?(?: ?id)?)[: ]*)?([1-9]\d{0,8})(?:\.0+)?", re.ASCII)
_REMARK = re.compile(r"\s*[\[(][^\[\]()]*[\])]$")
_MARKS = "()[]{}\"'.,;:?!-\u2018\u2019\u201c\u201d"
MOST_WORDS = 3
"""The limit for an organism's name in a query."""


def taxon(text: str) -> Taxon | None:
    """The model organism that ``text`` means, by name or number in any spelling."""
    return next((_BY_NAME[number or name] for name, number in _readings(text) if (number or name) in _BY_NAME), None)


def taxon_id(text: str) -> int | None:
    """The taxon ID that ``text`` is, in any spelling."""
    return next((int(number) for _, number in _readings(text) if number), None)


def _readings(text: str) -> list[tuple[str, str | None]]:
    """``text`` as a name and as a number, with and without a last remark in brackets."""
    name = " ".join(text.lower().replace("_", " ").split())
    readings = []
    for spelling in (name, _REMARK.sub("", name)):
        number = _NUMBER.fullmatch(spelling)
        readings.append((spelling, number[1] if number else None))
    return readings


@dataclass(frozen=True, slots=True)
class Cut:
    """A query cut at its end or beginning: what may name an organism, and the words that remain without it."""

    name: str
    rest: str
    is_at_end: bool
    leaves_one_word: bool
    """Only one word remains without it."""


def cuts(query: str) -> list[Cut]:
    """The places of ``query`` that may name an organism: its end ("TP53 zebrafish") or its beginning, longest first.

    A last "gene" or "protein" counts for neither ("mouse Trp53 gene") and stays.
    """
    whole = bare_name(query)
    core = without_generic(whole)
    generic, words = whole[len(core) :], core.split()
    results = []
    for count in range(min(MOST_WORDS, len(words) - 1), 0, -1):
        rest = re.sub(r"\s+(?:in|of|from)(?:\s+the)?$", "", " ".join(words[:-count])).rstrip(" ,;:-") + generic
        is_last = len(words) == count + 1
        results.append(Cut(_bare(words[-count:]), rest, is_at_end=True, leaves_one_word=is_last))
        rest = " ".join(words[count:]) + generic
        results.append(Cut(_bare(words[:count]), rest, is_at_end=False, leaves_one_word=is_last))
    return results


def split_off(query: str) -> tuple[str, Taxon | None]:
    """The query without a model organism named at its end or beginning.

    Names of genes begin with other organisms ("mouse double minute 2"), so those count before a lone word only; those
    of homologs end with one ("lines homolog (Drosophila)").
    """
    is_of_homolog = without_origin(query) != query
    if is_of_homolog or is_name(without_generic(query.rstrip(_MARKS + " "))):
        return query, None
    for cut in cuts(query):
        if cut.name in _IN_QUERIES and (cut.is_at_end or cut.name == "human" or cut.leaves_one_word):
            return cut.rest, _BY_NAME[cut.name]
    return query, None


def is_name(text: str) -> bool:
    """Whether ``text`` names one of these organisms."""
    return _bare(text.split()) in _IN_QUERIES


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).lower().strip(_MARKS)
