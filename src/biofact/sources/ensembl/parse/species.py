"""The species that Ensembl has. Pure."""

import re
from dataclasses import dataclass
from typing import Any

from biofact.dialects.json_values import number, objects, text, texts
from biofact.sources.ensembl.parse.documents import mapping
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class Species:
    """A species, or a strain that has a genome of its own."""

    name: str
    """Ensembl's own, such as ``homo_sapiens``: what other calls take."""
    taxon_id: int
    """NCBI Taxonomy ID; strains share that of their species."""
    spellings: tuple[str, ...]
    """Every name that Ensembl knows it by, its own among them."""
    assembly: str | None = None
    """Today's."""


def species(body: bytes) -> list[Species]:
    """What ``info/species`` lists.

    Raises:
        Transient: the body is damaged, or something else.
    """
    found = [one for row in objects(mapping(body), "species") if (one := _species(row))]
    if not found:
        raise Transient("sent something other than a list of species")
    return found


def _species(row: dict[str, Any]) -> Species | None:
    """One species; None without a name that other calls can take, or without a taxon, by which words are searched."""
    name, taxon_id = text(row, "name"), number(row, "taxon_id")
    if not name or not taxon_id or not re.fullmatch(r"[a-z0-9_]+", name):
        return None
    strain = text(row, "strain") or ""
    own = "" if strain.startswith("reference") else strain  # a word of other meanings, and no strain's name
    names = (name, text(row, "display_name") or "", text(row, "common_name") or "", own, *texts(row, "aliases"))
    return Species(name, taxon_id, tuple(dict.fromkeys(filter(None, names))), text(row, "assembly"))
