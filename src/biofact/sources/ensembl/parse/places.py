"""Where a gene or transcript lies, as every lookup tells it. Pure."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from biofact.core.records import Notice
from biofact.dialects.json_values import number, text
from biofact.sources.ensembl.identifiers import EnsemblRegion
from biofact.sources.ensembl.parse.documents import mapping, missing

_MOST_NAMED = 3
_NEEDED = {
    **{name: name for name in ("species", "start", "end", "strand", "assembly_name")},
    "chromosome": "seq_region_name",
}
"""Fields of a record, and what Ensembl calls them."""
_STRANDS: dict[str, Literal[1, -1]] = {"1": 1, "-1": -1}


def place(values: dict[str, Any]) -> dict[str, Any]:
    """Species, assembly and coordinates: fields of a record. Ensembl counts from 1 and includes the end."""
    start, end = span(values)
    return {
        "species": text(values, "species"),
        "version": number(values, "version"),
        "chromosome": text(values, "seq_region_name"),
        "start": start,
        "end": end,
        "strand": _STRANDS.get(str(values.get("strand"))),
        "assembly_name": text(values, "assembly_name"),
    }


def needed_place(values: dict[str, Any], of: str) -> dict[str, Any]:
    """Where a record lies, as every lookup tells it; the version may be missing.

    Raises:
        UpstreamError: something of it is missing.
    """
    found = place(values)
    if lacking := lacking_of_place(found):
        raise missing(lacking, of)
    return found


def lacking_of_place(found: Mapping[str, Any]) -> str | None:
    """The first fact, by Ensembl's name, that every place has and this one has not; None for a whole one."""
    return next((sent for name, sent in _NEEDED.items() if found.get(name) is None), None)


def span(values: dict[str, Any]) -> tuple[int | None, int | None]:
    """First and last position, in this order whatever the order in which they came."""
    start, end = number(values, "start"), number(values, "end")
    return (end, start) if _is_backwards(start, end) else (start, end)


def mismatches(*parts: dict[str, Any]) -> list[Notice]:
    """Says which parts of a record came with a start above their end."""
    found = [one for one in parts if _is_backwards(number(one, "start"), number(one, "end"))]
    named = ", ".join(f"{text(one, 'id') or 'a part'} ({one['start']} to {one['end']})" for one in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    message = f"Ensembl sent a start above the end for {named}{more}; the positions were put in order."
    return [Notice(code="MISMATCH", message=message)] if found else []


def _is_backwards(start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and start > end


def place_of(payload: bytes) -> tuple[str, EnsemblRegion, str | None] | None:
    """Species, region and assembly of what was looked up; None where it does not say where that lies."""
    found = place(mapping(payload))
    species, name, start, end = (found[key] for key in ("species", "chromosome", "start", "end"))
    if not species or not name or not start or not end:
        return None
    return species, EnsemblRegion(name, start, end, found["strand"] or 1), found["assembly_name"]


def hgnc_id(description: str | None) -> str | None:
    """The gene's ID at HGNC, where that is the source of its description."""
    found = re.search(r"\[Source:HGNC[^\]]*;Acc:(?:HGNC:)?(\d+)\]", description or "")
    return f"HGNC:{found[1]}" if found else None


def full_name(description: str | None) -> str | None:
    """The description without the tail that names its source."""
    return (description or "").partition("[Source:")[0].strip() or None
