"""Resolved names as lines of a file: one a name, in columns that never depend on what was found. Pure."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from biofact import sources
from biofact.core.spreadsheet import harmless
from biofact.interfaces import result_json
from biofact.interfaces.cli import output
from biofact.interfaces.result_json import Body

LineForm = Literal["jsonl", "tsv", "csv"]
JOINT = "|"
"""Between several values of one cell."""
OF_ENTITY = ("id", "label", "kind", "organism", "score", "match", "status", "ambiguous_with")
BEYOND = ("product_of", "form_of", "others", "error", "reason")
"""``others``: the further entities of the name, best first; ``reason``: why there is none, or what failed."""
TABLE = ("name", "id", "label", "kind", "match", "ambiguous_with", *sources.names(), "reason")
"""What a terminal shows first: it has no room for all columns."""


def columns() -> tuple[str, ...]:
    """The name as asked, its best entity, the ID of that in each database, and what there is besides."""
    return ("name", *OF_ENTITY, *sources.names(), *BEYOND)


def named(names: Sequence[object], rows: Iterable[Body]) -> list[Body]:
    """Rows that each begin with the name as asked, a failure too."""
    return [{"name": name, **row} for name, row in zip(names, rows, strict=True)]


def cells(row: Body, joint: str = JOINT) -> dict[str, str]:
    """A row as texts by column, those alone that are not empty."""
    best, *others = row.get("entities") or [{}]
    error = row.get("error", {})
    values: Mapping[str, object] = {
        "name": row["name"],
        **{name: best.get(name) for name in OF_ENTITY},
        **best.get("ids", {}),
        "product_of": best.get("product_of"),
        "form_of": best.get("form_of"),
        "others": [other["id"] for other in others],
        "error": error.get("code"),
        "reason": error.get("message") or row.get("reason"),
    }
    texts = output.flat({name: value for name, value in values.items() if value not in (None, [])}, joint)
    return {name: texts[name] for name in columns() if texts.get(name)}


def table_cells(row: Body) -> dict[str, str]:
    """A row for a terminal: the leading ID stands there once."""
    texts = cells(row, ", ")
    return {name: text for name, text in texts.items() if name in {"name", "id"} or text != texts.get("id")}


def lines(rows: Sequence[Body], form: LineForm, *, has_header: bool) -> str:
    """The rows as text in this form; ``has_header`` for the first of them."""
    if form == "jsonl":
        return "".join(f"{result_json.text(row)}\n" for row in rows)
    names = columns()
    table = [[found.get(name, "") for name in names] for found in map(cells, rows)]
    head = [list(names)] if has_header else []
    if form == "tsv":
        return "".join("\t".join(line) + "\n" for line in (*head, *table))
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(
        [*head, *([harmless(cell) for cell in line] for line in table)]
    )
    return written.getvalue()
