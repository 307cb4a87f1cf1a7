"""Resolved names as lines of a file: one a name, in columns that never depend on what was found. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from biofact import sources
from biofact.interfaces.cli.cells import JOINT, flat
from biofact.interfaces.result_json import Body

OF_ENTITY = ("id", "label", "kind", "organism", "score", "match", "status", "ambiguous_with")
BEYOND = ("product_of", "form_of", "others", "error", "reason")
"""``others``: the further entities of the name, best first; ``reason``: why there is none, or what failed."""
TABLE = ("name", "id", "label", "kind", "match", "ambiguous_with", *sources.names(), "reason")
"""What a terminal shows first: it has no room for all columns."""


def named(names: Sequence[object], rows: Iterable[Body]) -> list[Body]:
    """Rows that each begin with the name as asked, a failure too."""
    return [{"name": name, **row} for name, row in zip(names, rows, strict=True)]


class ResolvedLayout:
    """The name as asked, its best entity, the ID of that in each database, and what there is besides."""

    names = ("name", *OF_ENTITY, *sources.names(), *BEYOND)
    leading = TABLE
    wrapped = ()

    def cells(self, row: Body) -> dict[str, str]:
        """A row as texts by column, those alone that are not empty."""
        return self._cells(row, JOINT)

    def table_cells(self, row: Body) -> dict[str, str]:
        """A row for a terminal: the leading ID stands there once."""
        texts = self._cells(row, ", ")
        return {name: text for name, text in texts.items() if name in {"name", "id"} or text != texts.get("id")}

    def single(self, rows: Sequence[Body]) -> None:
        """A name alone is a row, too."""

    def _cells(self, row: Body, joint: str) -> dict[str, str]:
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
        texts = flat({name: value for name, value in values.items() if value not in (None, [])}, joint)
        return {name: texts[name] for name in self.names if texts.get(name)}


LAYOUT = ResolvedLayout()
