"""Where a gene or transcript lies, as every lookup tells it. Pure."""

from typing import Any, Literal

from biofact.dialects.json_values import number, text

_STRANDS: dict[str, Literal[1, -1]] = {"1": 1, "-1": -1}


def place(values: dict[str, Any]) -> dict[str, Any]:
    """Species, assembly and coordinates: fields of a record. Ensembl counts from 1 and includes the end."""
    return {
        "species": text(values, "species"),
        "version": number(values, "version"),
        "chromosome": text(values, "seq_region_name"),
        "start": number(values, "start"),
        "end": number(values, "end"),
        "strand": _STRANDS.get(str(values.get("strand"))),
        "assembly_name": text(values, "assembly_name"),
    }


def full_name(description: str | None) -> str | None:
    """The description without the tail that names its source."""
    return (description or "").partition("[Source:")[0].strip() or None
