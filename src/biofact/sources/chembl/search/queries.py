"""The interpretations of a query as the name of a compound. Pure."""

import re
from dataclasses import dataclass, replace
from typing import Self

from biofact.core.words import clone_name, compact, folded, in_latin, words

SHORTEST_SEARCHED = 3
"""Characters; ChEMBL's search refuses less."""

_SALT_NAMES = {
    "hcl": "hydrochloride",
    "2hcl": "dihydrochloride",
    "hbr": "hydrobromide",
    "mesilate": "mesylate",
    "besilate": "besylate",
    "tosilate": "tosylate",
    "esilate": "esylate",
    "methanesulfonate": "mesylate",
    "benzenesulfonate": "besylate",
    "sulphate": "sulfate",
}
"""Salts as people write them, and as preferred names do."""
_ABBREVIATED = {
    "asa": "acetylsalicylic acid",
    "apap": "acetaminophen",
    "hctz": "hydrochlorothiazide",
    "mtx": "methotrexate",
    "5fu": "5-FU",
    "inh": "isoniazid",
    "azt": "zidovudine",
    "atra": "tretinoin",
    "cdca": "chenodeoxycholic acid",
    "udca": "ursodeoxycholic acid",
    "mmf": "mycophenolate mofetil",
    "tmz": "temozolomide",
    "etoh": "ethanol",
    "dmso": "dimethyl sulfoxide",
    "gtn": "nitroglycerin",
    "pcp": "phencyclidine",
    "mdma": "midomafetamine",
    "h2o": "water",
}
"""Abbreviations that physicians and chemists use and ChEMBL may not list."""
_BIOSIMILAR = re.compile(r"^(\w+(?:mab|cept|stim|tide|tin|ase|gon|rgine|spart|lin))-[a-z]{4}$", re.IGNORECASE)
"""The suffix that the FDA gives biologics since 2017: four letters without a meaning."""
_CODE = re.compile(r"([a-z]{1,6})(\d{2,}[a-z\d-]*)", re.IGNORECASE)
"""A research code without its hyphen."""
_QUOTES = " \"'*\u00b4\u2018\u2019\u201c\u201d"
"""Quotes, and the wildcard star of other services: beginnings are found without it."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A name that the query may stand for."""

    text: str
    penalty: float
    """The points that a match by this interpretation loses against the query as it is written."""
    is_whole: bool = True
    """Nothing of the query is left out."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A query, ready to be searched."""

    query: str
    interpretations: tuple[Interpretation, ...]
    """As it is written first."""

    @property
    def whole(self) -> "Plan":
        """The plan without interpretations that leave something out: a biosimilar is not what it is similar to."""
        return replace(
            self,
            interpretations=tuple(interpretation for interpretation in self.interpretations if interpretation.is_whole),
        )

    @property
    def name(self) -> str:
        """The name as it is written."""
        return self.interpretations[0].text

    @property
    def words(self) -> str:
        """The words of the search in all names, with the full names of salts."""
        return with_salt_names(self.name)

    @property
    def is_searchable(self) -> bool:
        """Whether the search by words takes it, and does not find other things by numbers in the name of a clone."""
        return len(self.words) >= SHORTEST_SEARCHED and clone_name(self.name) != self.name


def plan(query: str) -> Plan | None:
    """The plan of a search for a name, or None if the query has no letter or digit."""
    name = in_latin(" ".join(query.strip(_QUOTES).split()))
    if not re.search(r"[^\W_]", name):
        return None
    interpretations = [Interpretation(name, 0.0)]
    if (full := with_salt_names(name)) != name:
        interpretations.append(Interpretation(full, 0.01))
    if expanded := _ABBREVIATED.get(re.sub(r"[\s.-]", "", name).casefold()):
        interpretations.append(Interpretation(expanded, 0.02))
    if similar := _BIOSIMILAR.fullmatch(name):
        interpretations.append(Interpretation(similar[1], 0.1, is_whole=False))
    if code := _CODE.fullmatch(name):
        interpretations.append(Interpretation(f"{code[1]}-{code[2]}", 0.03))
    return Plan(query, tuple(interpretations))


def with_salt_names(name: str) -> str:
    """``name`` with its salt as preferred names have it: metformin HCl is metformin hydrochloride."""
    first, *rest = name.split()
    return " ".join([first, *(_SALT_NAMES.get(word.casefold().strip(".,()"), word) for word in rest)])


_OTHER_SPELLING = 0.03


@dataclass(frozen=True, slots=True)
class QueryForms:
    """The forms in which a query is compared with names."""

    folded: str
    compact: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        """The forms of a query."""
        return cls(folded(text), compact(text), words(text))

    def score(self, name: str, full: float, *, begins: float, holds: float) -> float | None:
        """The score of a name: ``full`` for the whole, a little less in another spelling, ``begins`` for the beginning,
        ``holds`` for all its words; None for any other.
        """
        folded_name = folded(name)
        if folded_name == self.folded:
            return full
        if compact(name) == self.compact:
            return full - _OTHER_SPELLING
        if folded_name.startswith(self.folded):
            return begins
        return holds if self.words and self.words <= words(name) else None


def halves(name: str) -> tuple[str, str]:
    """The beginning and end of ``name`` between which one letter may be wrong, or two swapped."""
    size = max(2, (len(name) - 1) // 2)
    return name[:size], name[-size:]
