"""JSON bodies and what must be in them. Pure."""

from dataclasses import dataclass
from typing import Any

from biofact.dialects import json_values
from biofact.dialects.json_values import document, number, text, within
from biofact.transport.service import Transient


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of a list."""

    rows: list[dict[str, Any]]
    total: int
    """Of the whole list."""


def listed(body: bytes, name: str, offset: int = 0) -> Listed:
    """The page of a list that ``body`` is.

    Raises:
        Transient: it is damaged, something else, or another page: ChEMBL answers an offset that it does not like with
            page one.
    """
    found = document(body)
    if not isinstance(found.get(name), list):
        raise Transient(f"sent no list of {name}")
    rows = [row if isinstance(row, dict) else {} for row in found[name]]  # offsets count what is no row, too
    about = within(found, "page_meta")
    if number(about, "offset") not in {None, offset}:
        raise Transient(f"sent another page of {name} than the one from {offset}")
    total = number(about, "total_count")
    return Listed(rows, len(rows) if total is None else total)


def needed(values: dict[str, Any], name: str, of: str) -> str:
    """A text that no record is without.

    Raises:
        UpstreamError: it is missing.
    """
    return json_values.needed({name: text(values, name)}, name, of, "ChEMBL")
