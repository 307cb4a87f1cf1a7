"""The rows of resolved names as tables have them: the name, its best entity with its ID in each database, and the rest.

Read by the command and by data frames.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from biofact import sources
from biofact.core.records import Body
from biofact.tables import TableForm

NAME = "name"
_ENTITY: Mapping[str, Any] = {
    "id": str,
    "label": str,
    "kind": str,
    "organism": str,
    "score": float,
    "match": str,
    "status": str,
}
_COLUMNS: Mapping[str, Any] = {
    NAME: str,
    **_ENTITY,
    "ambiguous_with": list[str],
    **dict.fromkeys(sources.names(), str),
    "product_of": list[str],
    "form_of": str,
    "others": list[str],
    "error": str,
    "reason": str,
}
"""``others``: the further entities of the name, best first; ``reason``: why there is none, why the first is ahead, or
the failure.
"""


def _cells(row: Body) -> dict[str, object]:
    best, *rest = row.get("entities") or [{}]
    error = row.get("error", {})
    cells: dict[str, object] = {
        NAME: row.get(NAME) or error.get("invalid_input"),
        **{name: best.get(name) for name in _ENTITY},
        "ambiguous_with": row.get("ambiguous_with"),
        **best.get("ids", {}),
        "product_of": best.get("product_of"),
        "form_of": best.get("form_of"),
        "others": [entity["id"] for entity in rest],
        "error": error.get("code"),
        "reason": error.get("message") or row.get("reason"),
    }
    return {name: value for name, value in cells.items() if value not in (None, [])}


def _further_columns(arguments: Mapping[str, Any]) -> Sequence[str]:
    return [name for name in arguments.get("databases", ()) if name not in _COLUMNS]


RESOLVED = TableForm(_COLUMNS, _cells, NAME, "names", _further_columns)
