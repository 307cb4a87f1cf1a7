"""The two ends of a row: an ID alone, or a whole entity. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.dialects.json_values import text, texts
from biofact.sources.igvf.identifiers.accessions import place_in
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.places import region
from biofact.sources.igvf.term_ids import curie, without_collection

_CALLED_BY_ID = frozenset({"element", "motif"})
_OF_A_PROTEIN = re.compile(r"_(?:ENS(?:MUS)?P\d{11}|CPX-\d+)$")  # behind motifs in /motifs/proteins (recorded 2026)
_IDS = ("_id", "term_id", "phenotype_id", "spdi", "id", "gene_id")


@dataclass(frozen=True, slots=True)
class EntityMention:
    """An entity as a row mentions it."""

    kind: str
    id: str
    """In our spelling."""
    name: str | None = None
    region: str | None = None
    """Of an element."""
    row: Row = field(default_factory=dict)
    """The whole entity, where the row has it."""


def entity_mention(kind: str, value: Any) -> EntityMention | None:
    """The entity at one end of a row; None where there is none."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, str) and value:
        named = _canonical_id(kind, value)
        place = place_in(named) if kind == "element" else None  # an element may be called after its place
        return EntityMention(kind, named, region=str(place) if place else None)
    if not isinstance(value, dict):
        return None
    ids = (*_IDS, "name") if kind in _CALLED_BY_ID else _IDS
    entity_id = _first_text(value, ids)
    if entity_id is None:
        return None
    where = region(value) if kind == "element" else None
    return EntityMention(kind, _canonical_id(kind, entity_id), _name(kind, value), where, value)


def _canonical_id(kind: str, upstream_id: str) -> str:
    if kind == "motif":
        return _OF_A_PROTEIN.sub("", without_collection(upstream_id))
    return curie(upstream_id) if kind == "term" else without_collection(upstream_id)


def _name(kind: str, value: Row) -> str | None:
    if kind == "variant":
        return _rsid(value)
    if kind == "element":
        return None  # it is called by its ID
    if kind == "motif":
        return text(value, "tf_name")  # its name is its ID
    names = ("name", "gene_name") if kind in {"gene", "entity"} else ("name", "phenotype_name")
    return _first_text(value, names) or (_rsid(value) if kind == "entity" else None)


def _rsid(value: Row) -> str | None:
    rsids = [*texts(value, "rsid"), text(value, "rsid") or ""]
    return next((rsid for rsid in rsids if rsid.startswith("rs")), None)


def _first_text(row: Row, names: Sequence[str]) -> str | None:
    return next((found for name in names if (found := text(row, name))), None)
