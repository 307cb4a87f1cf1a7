"""Organisms as NCBI Gene is asked for them. Pure."""

import re
from dataclasses import dataclass, field

from biofact.core import organisms
from biofact.core.organisms import Taxon


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


def organism(text: str) -> Organism:
    """What ``text`` means: a common name, a scientific name or a taxon ID. Unknown names are left to the service."""
    if taxon := organisms.taxon(text):
        return _exact(taxon, text)
    if number := organisms.taxon_id(text):
        return Organism(number, f"taxon {number}", is_exact=False, asked=text)
    return Organism(None, " ".join(re.sub(r'[\[\]"()*:_]+', " ", text).split()), is_exact=False, asked=text)


def split_off(query: str) -> tuple[str, Organism | None]:
    """The query without an organism named at its end ("TP53 zebrafish") or at its beginning ("human TP53")."""
    rest, taxon = organisms.split_off(query)
    return rest, _exact(taxon) if taxon else None


def _exact(taxon: Taxon, asked: str = "") -> Organism:
    return Organism(taxon.id, taxon.name, is_exact=True, asked=asked)


MODEL_ORGANISMS = " OR ".join(_exact(taxon).term for taxon in organisms.MODEL_ORGANISMS)
"""The filter for all of them."""
