"""Headings of MeSH, from what esummary tells of them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A heading of MeSH, and what else it is called."""

    ui: str
    """Such as D000069550."""
    name: str
    entry_terms: tuple[str, ...]
    """Other names that lead to it."""
    scope_note: str
    tree_numbers: tuple[str, ...]


def descriptor(payload: bytes) -> Descriptor | None:
    """The descriptor that a docsum tells; None for a qualifier or a supplementary record.

    Raises:
        UpstreamError: it has no name.
    """
    docsum: Mapping[str, Any] = orjson.loads(payload)
    names = json_values.texts(dict(docsum), "ds_meshterms")
    ui = json_values.text(dict(docsum), "ds_meshui") or ""
    if not names:
        raise UpstreamError(f"MeSH sent the record {ui} without a name.", hint="Call again later.")
    if not ui.startswith("D"):
        return None
    places = (json_values.text(one, "treenum") for one in json_values.objects(dict(docsum), "ds_idxlinks"))
    return Descriptor(
        ui=ui,
        name=names[0],
        entry_terms=tuple(names[1:]),
        scope_note=json_values.text(dict(docsum), "ds_scopenote") or "",
        tree_numbers=tuple(place for place in places if place and not place.startswith("@")),
    )
