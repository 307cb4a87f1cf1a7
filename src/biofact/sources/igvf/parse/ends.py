"""The two ends of a row: an ID alone, or a whole entity. Pure."""

from dataclasses import dataclass, field
from typing import Any

from biofact.dialects.json_values import text, texts
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.places import region
from biofact.sources.igvf.term_ids import shown, unfiled

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
        return Met(kind, _spelt(kind, value))
    if not isinstance(value, dict):
        return None
    told = next((text(value, name) for name in _IDS if text(value, name)), None) or text(value, "name")
    if told is None:
        return None
    return Met(kind, _spelt(kind, told), _name(kind, value), region(value) if kind == "element" else None, value)


def _spelt(kind: str, told: str) -> str:
    return shown(told) if kind == "term" else unfiled(told)


def _name(kind: str, value: Row) -> str | None:
    if kind == "variant":
        return next(iter(texts(value, "rsid")), None) or text(value, "rsid")
    if kind == "element":
        return None  # it is called by its ID
    names = ("name", "gene_name") if kind in {"gene", "entity"} else ("name", "phenotype_name")
    return next((text(value, name) for name in names if text(value, name)), None)
