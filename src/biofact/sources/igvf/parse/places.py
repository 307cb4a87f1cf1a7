"""Where things lie: the service's coordinates, each by its declared base, to ours. Pure."""

from typing import Any, Literal

from biofact.dialects.json_values import number, text
from biofact.sources.igvf.catalog import coordinates

_STRANDS: dict[str | None, Literal[1, -1]] = {"+": 1, "-": -1}


def chromosome(values: dict[str, Any], name: str = "chr") -> str | None:
    """``17`` for ``chr17``; ``MT`` for ``chrM``."""
    prefixed = text(values, name)
    if prefixed is None:
        return None
    bare = prefixed.removeprefix("chr")
    return "MT" if bare == "M" else bare


def position(values: dict[str, Any], name: str) -> int | None:
    """A coordinate as we count, from 1 and inclusive; None for one whose base is not known."""
    coordinate = number(values, name)
    match coordinates()[name]:
        case "0-based":
            return None if coordinate is None else coordinate + 1
        case "unknown":
            return None
        case _:  # the end of a half-open span is its last base counted from 1
            return coordinate


def place(values: dict[str, Any], *, assembly: str) -> dict[str, Any]:
    """The fields of a record that say where it lies; those that are not known are left out."""
    fields = {
        "chromosome": chromosome(values),
        "start": position(values, "start"),
        "end": position(values, "end"),
        "strand": _STRANDS.get(text(values, "strand")),
    }
    found = {name: value for name, value in fields.items() if value is not None}
    if is_reversed(values):
        found = {name: value for name, value in found.items() if name not in {"start", "end"}}
    return found | {"assembly_name": assembly} if "start" in found else found


def is_reversed(values: dict[str, Any], stem: str = "") -> bool:
    """Whether something ends before it begins: which of both is wrong nobody can know."""
    start, end = position(values, f"{stem}start"), position(values, f"{stem}end")
    return start is not None and end is not None and start > end


def region(values: dict[str, Any]) -> str | None:
    """``chr17:43044295-43125364``, from 1 and inclusive; None where it is not known."""
    stem = "element_" if "element_start" in values else ""
    start, end = position(values, f"{stem}start"), position(values, f"{stem}end")
    name = text(values, f"{stem}chr")
    return f"{name}:{start}-{end}" if name and start and end and start <= end else None
