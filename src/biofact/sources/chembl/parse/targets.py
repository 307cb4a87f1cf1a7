"""Targets: what drugs work on and assays measure against. Pure."""

from dataclasses import dataclass
from typing import Any

from biofact.core.xrefs import REGISTRY
from biofact.dialects.json_values import objects, text
from biofact.sources.chembl.parse.documents import listed, needed

_SINGLE = "SINGLE PROTEIN"


@dataclass(frozen=True, slots=True)
class Target:
    """One target."""

    id: str
    name: str | None
    type: str | None
    organism: str | None
    accessions: tuple[str, ...]
    """UniProt, of its components; a family or complex has several, a cell line none."""

    @property
    def is_protein(self) -> bool:
        """One protein, neither a complex nor a family."""
        return self.type == _SINGLE


def target(values: dict[str, Any]) -> Target:
    """The target that a row describes.

    Raises:
        UpstreamError: it has no ID.
    """
    components = objects(values, "target_components")
    accessions = [text(component, "accession") for component in components]
    # Those of RNA are Ensembl genes (in the mapping of release 32 too).
    proteins = [accession for accession in accessions if accession and REGISTRY["uniprot"].normalise(accession)]
    return Target(
        needed(values, "target_chembl_id", "a target"),
        text(values, "pref_name"),
        text(values, "target_type"),
        text(values, "organism"),
        tuple(dict.fromkeys(proteins)),
    )


def targets_with(accession: str, body: bytes) -> list[Target]:
    """The targets that have this UniProt entry as a component, single proteins first.

    Raises:
        Transient: the body is damaged.
    """
    found = [target(row) for row in listed(body, "targets").rows if row]
    return sorted((one for one in found if accession in one.accessions), key=lambda one: not one.is_protein)
