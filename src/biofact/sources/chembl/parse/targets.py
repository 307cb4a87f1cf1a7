"""Targets: what drugs work on and assays measure against. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.xrefs import REGISTRY
from biofact.dialects.json_values import number, objects, text
from biofact.sources.chembl.identifiers import is_native
from biofact.sources.chembl.parse.documents import listed, needed
from biofact.transport.service import Transient

_SINGLE = "SINGLE PROTEIN"

TargetName = tuple[str, str]
"""A name and its kind, such as GENE_SYMBOL."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target."""

    id: str
    name: str | None
    type: str | None
    organism: str | None
    accessions: tuple[str, ...]
    """UniProt, of its components; a family or complex has several, a cell line none."""
    tax_id: int | None = None
    names: tuple[TargetName, ...] = ()
    """Of its components."""
    place: int = 0
    """In the service's own list."""

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
        number(values, "tax_id"),
        tuple(dict.fromkeys(name for component in components for name in _names(component))),
    )


def _names(component: dict[str, Any]) -> Iterator[TargetName]:
    for row in objects(component, "target_component_synonyms"):
        if name := text(row, "component_synonym"):
            yield name, text(row, "syn_type") or "OTHER"


@dataclass(frozen=True, slots=True)
class TargetHits:
    """A page of targets."""

    targets: tuple[Target, ...]
    ids: tuple[str, ...]
    """Those of all rows, in the service's order; empty for a row that is none or was not asked for."""
    total: int
    dropped: int = 0
    """Rows that did not answer the question."""


def target_hits(body: bytes, offset: int = 0) -> TargetHits:
    """The page of targets that ``body`` is.

    Raises:
        Transient: the body is damaged, or has fewer or more rows than it counts.
    """
    page = listed(body, "targets", offset)
    written = (text(row, "target_chembl_id") or "" for row in page.rows)
    ids = tuple(uid if is_native(uid) else "" for uid in written)
    if page.rows and not any(ids):
        raise Transient("sent targets without an ID")
    if len(ids) > page.total or (page.total > offset and not ids):
        raise Transient(f"sent {len(ids)} targets from {offset} on where it counts {page.total}")
    rows = enumerate(zip(ids, page.rows, strict=True))
    found = {uid: replace(target(row), place=place) for place, (uid, row) in rows if uid}
    return TargetHits(tuple(found.values()), ids, page.total)


def targets_with(accession: str, body: bytes) -> list[Target]:
    """The targets that have this UniProt entry as a component, single proteins first.

    Raises:
        Transient: the body is damaged.
    """
    found = [target(row) for row in listed(body, "targets").rows if row]
    return sorted((one for one in found if accession in one.accessions), key=lambda one: not one.is_protein)
