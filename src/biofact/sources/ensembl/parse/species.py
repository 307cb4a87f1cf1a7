"""The species that Ensembl has. Pure."""

from dataclasses import dataclass

from biofact.sources.ensembl.parse.documents import mapping, number, text
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class Species:
    """A species, or a strain that has a genome of its own."""

    name: str
    """Ensembl's own, such as ``homo_sapiens``: what other calls take."""
    taxon_id: int | None
    """NCBI Taxonomy ID; strains share that of their species."""
    title: str
    """What a sentence calls it, such as ``Human``."""
    spellings: tuple[str, ...]
    """Every name that Ensembl knows it by, its own and the title among them."""


def species(body: bytes) -> list[Species]:
    """What ``info/species`` lists.

    Raises:
        Transient: the body is damaged, or something else.
    """
    listed = mapping(body).get("species")
    if not isinstance(listed, list):
        raise Transient("sent something other than a list of species")
    found = []
    for row in listed:
        name = text(row, "name")
        if name:
            aliases = [alias for alias in row.get("aliases") or () if isinstance(alias, str)]
            title = text(row, "display_name") or name
            strain = text(row, "strain") or ""
            own = "" if strain.startswith("reference") else strain  # a word of other meanings, and no strain's name
            names = (name, title, text(row, "common_name") or "", own, *aliases)
            found.append(Species(name, number(row, "taxon_id"), title, tuple(dict.fromkeys(filter(None, names)))))
    return found
