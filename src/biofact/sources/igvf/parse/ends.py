"""The two ends of a row: an ID alone, or a whole entity. Pure."""

import re
from dataclasses import dataclass, field
from typing import Any

from biofact.dialects.json_values import text, texts
from biofact.sources.igvf.identifiers.accessions import place_in
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.places import region
from biofact.sources.igvf.term_ids import shown, unfiled

_CALLED_BY_ID = frozenset({"element", "motif"})
_OF_A_PROTEIN = re.compile(
    r"_(?:ENS(?:MUS)?P\d{11}|CPX-\d+)$"
)  # stands behind motifs in /motifs/proteins (recorded 2026)
_IDS = ("_id", "term_id", "phenotype_id", "spdi", "id", "gene_id")


@dataclass(frozen=True, slots=True)
class Met:
    """An entity as a row mentions it."""

    kind: str
    id: str
    """In our spelling."""
    name: str | None = None
    region: str | None = None
    """Of an element."""
    row: Row = field(default_factory=dict)
    """The whole entity, where it is told."""


def met(kind: str, value: Any) -> Met | None:
    """What stands at one end of a row; None where nothing does."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, str) and value:
        spelt = _spelt(kind, value)
        return Met(kind, spelt, region=_region_in(spelt) if kind == "element" else None)
    if not isinstance(value, dict):
        return None
    ids = (*_IDS, "name") if kind in _CALLED_BY_ID else _IDS
    told = next((text(value, name) for name in ids if text(value, name)), None)
    if told is None:
        return None
    return Met(kind, _spelt(kind, told), _name(kind, value), region(value) if kind == "element" else None, value)


def _region_in(name: str) -> str | None:
    """Where an element lies that is called after its place."""
    place = place_in(name)
    return str(place) if place else None


def _spelt(kind: str, told: str) -> str:
    if kind == "motif":
        return _OF_A_PROTEIN.sub("", unfiled(told))
    return shown(told) if kind == "term" else unfiled(told)


def _name(kind: str, value: Row) -> str | None:
    if kind == "variant":
        told = [*texts(value, "rsid"), text(value, "rsid") or ""]
        return next((one for one in told if one.startswith("rs")), None)
    if kind == "element":
        return None  # it is called by its ID
    names = ("name", "gene_name") if kind in {"gene", "entity"} else ("name", "phenotype_name")
    return next((text(value, name) for name in names if text(value, name)), None)
