"""The organisms that users call by name, in the order in which equal matches are listed. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from biofact.sources.entrez.search.words import without_generic


@dataclass(frozen=True, slots=True)
class Organism:
    """A taxon as a search filters by it."""

    taxon_id: int | None
    """NCBI Taxonomy ID; None when only the service can tell."""
    name: str
    """Scientific name, or what the caller wrote."""
    is_exact: bool
    """Genes of this very taxon alone, not of the taxa below it."""
    asked: str = field(default="", compare=False)
    """What the caller wrote."""

    @property
    def term(self) -> str:
        """The filter in Entrez syntax."""
        if self.taxon_id is None:
            return f'"{self.name}"[Organism]'
        return f"txid{self.taxon_id}[Organism:noexp]" if self.is_exact else f"txid{self.taxon_id}[Organism]"


HUMAN = 9606
_NAMED = (
    (HUMAN, "Homo sapiens", ("human", "humans", "man", "h. sapiens")),
    (10090, "Mus musculus", ("mouse", "mice", "house mouse", "m. musculus")),
    (10116, "Rattus norvegicus", ("rat", "rats", "norway rat", "brown rat", "r. norvegicus")),
    (7955, "Danio rerio", ("zebrafish", "d. rerio")),
    (7227, "Drosophila melanogaster", ("fly", "fruit fly", "fruitfly", "drosophila", "d. melanogaster")),
    (6239, "Caenorhabditis elegans", ("worm", "nematode", "roundworm", "c. elegans")),
    (559292, "Saccharomyces cerevisiae S288C", ("yeast", "baker's yeast", "s. cerevisiae", "saccharomyces cerevisiae")),
)

ORDER: dict[int, int] = {taxon_id: place for place, (taxon_id, _, _) in enumerate(_NAMED)}
"""Taxon ID to its place among equal matches; all others come after."""
EXAMPLES = ", ".join(names[0] for _, _, names in _NAMED)

_BY_NAME = {
    spelling: Organism(taxon_id, name, is_exact=True)
    for taxon_id, name, common in _NAMED
    for spelling in (name.lower(), *common, str(taxon_id))
}
_IN_QUERIES = {spelling for spelling in _BY_NAME if not spelling.isdigit()} - {"man"}
_NUMBER = re.compile(r"(?:(?:ncbi[: ]*)?(?:txid|tax(?:on(?:omy)?)?(?: ?id)?)[: ]*)?([1-9]\d{0,8})", re.ASCII)
_REMARK = re.compile(r"\s*[\[(][^\[\]()]*[\])]$")
_MARKS = "()[]{}\"'.,;:?!-\u2018\u2019\u201c\u201d"


def organism(text: str) -> Organism:
    """What ``text`` means: a common name, a scientific name or a taxon ID. Unknown names are left to the service."""
    name = " ".join(text.lower().replace("_", " ").split())
    for spelling in (name, _REMARK.sub("", name)):
        number = _NUMBER.fullmatch(spelling)
        if known := _BY_NAME.get(number[1] if number else spelling):
            return replace(known, asked=text)
        if number:
            return Organism(int(number[1]), f"taxon {number[1]}", is_exact=False, asked=text)
    return Organism(None, " ".join(re.sub(r'[\[\]"()*:_]+', " ", text).split()), is_exact=False, asked=text)


def split_off(query: str) -> tuple[str, Organism | None]:
    """The query without an organism named at its end ("TP53 zebrafish") or at its beginning ("human TP53").

    Names of genes begin with other organisms ("mouse double minute 2"), so those count before a lone word only.
    A last "gene" or "protein" counts for neither ("mouse Trp53 gene") and stays.
    """
    told = query.rstrip(_MARKS + " ")
    core = without_generic(told)
    generic, words = told[len(core) :], core.split()
    if is_name(core):
        return query, None
    for count in range(min(3, len(words) - 1), 0, -1):
        tail, head = _bare(words[-count:]), _bare(words[:count])
        if tail in _IN_QUERIES:
            rest = re.sub(r"\s+(?:in|of|from)(?:\s+the)?$", "", " ".join(words[:-count]))
            return rest.rstrip(" ,;:-") + generic, _BY_NAME[tail]
        if head in _IN_QUERIES and (head == "human" or len(words) == count + 1):
            return " ".join(words[count:]) + generic, _BY_NAME[head]
    return query, None


def is_name(text: str) -> bool:
    """Whether ``text`` names one of these organisms."""
    return _bare(text.split()) in _IN_QUERIES


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).lower().strip(_MARKS)


MODEL_ORGANISMS = " OR ".join(Organism(taxon_id, name, is_exact=True).term for taxon_id, name, _ in _NAMED)
