"""The organisms that users call by name, in the order in which equal matches are listed. Pure."""

import re
from dataclasses import dataclass, field, replace


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


def organism(text: str) -> Organism:
    """What ``text`` means: a common name, a scientific name or a taxon ID. Unknown names are left to the service."""
    name = " ".join(text.lower().replace("_", " ").split())
    if known := _BY_NAME.get(name):
        return replace(known, asked=text)
    if number := re.fullmatch(
        r"(?:(?:txid|tax(?:on(?:omy)?)?(?: ?id)?|ncbitaxon)[: ]*)?([1-9]\d{0,8})", name, re.ASCII
    ):
        known = _BY_NAME.get(number[1], Organism(int(number[1]), f"taxon {number[1]}", is_exact=False))
        return replace(known, asked=text)
    return Organism(None, " ".join(re.sub(r'[\[\]"()*:_]+', " ", text).split()), is_exact=False, asked=text)


def split_off(query: str) -> tuple[str, Organism | None]:
    """The query without an organism named at its end ("TP53 zebrafish") or at its beginning ("human TP53").

    Names of genes begin with other organisms ("mouse double minute 2"), so those count before a lone word only.
    """
    words = query.split()
    for count in (3, 2, 1):
        tail = " ".join(words[-count:]).lower().strip("(),")
        if len(words) > count and tail in _IN_QUERIES:
            rest = re.sub(r"\s+(?:in|of|from)$", "", " ".join(words[:-count]))
            return rest.rstrip(" ,"), _BY_NAME[tail]
        head = " ".join(words[:count]).lower()
        if len(words) > count and head in _IN_QUERIES and (head == "human" or len(words) == count + 1):
            return " ".join(words[count:]), _BY_NAME[head]
    return query, None


MODEL_ORGANISMS = " OR ".join(Organism(taxon_id, name, is_exact=True).term for taxon_id, name, _ in _NAMED)
