"""Results in notebooks and at prompts: a small table in HTML, a ``repr`` of what is there. Long lists are cut."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

_MOST_ROWS = 20
_MOST_COLUMNS = 12
_MOST_VALUES = 10
_LONGEST_TEXT = 300
_DEEPEST_TABLE = 2
_EMPTY: tuple[object, ...] = ([], (), {}, "")
_NO_FACTS = ("notices", "pagination")


class ListView(Sequence[object]):
    """A list whose ``repr`` is cut, with the number of its values."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = values

    def __getitem__(self, place: Any) -> Any:
        return self._values[place]

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._values[:_MOST_VALUES]))
        more = len(self) - _MOST_VALUES
        return f"[{shown}, ... {more:,} more]" if more > 0 else f"[{shown}]"


class BriefModel(BaseModel):
    """A model whose ``repr`` has what is there, and is short."""

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        for name, value in super().__repr_args__():
            if value is not None and value not in _EMPTY:
                yield name, ListView(value) if isinstance(value, list | tuple) else value


def html_view(body: Mapping[str, Any], listed: str | None) -> str:
    """A result's JSON as HTML: a table of its rows, where it lists some, or else of its fields, and the notices.

    All text is the services' and is escaped.
    """
    facts = {name: value for name, value in body.items() if name not in _NO_FACTS}
    rows = facts.pop(listed, None) if listed else None
    notices = "".join(f"<p>{_text(notice['message'])}</p>" for notice in body.get("notices", ()))
    parts = [_fields(facts, 0)] if facts else []
    if rows is not None:
        parts.append(_rows([_row(row) for row in rows], 0) if rows else "<p>No rows.</p>")
        total = (body.get("pagination") or {}).get("total_count")
        if total is not None and total > len(rows):
            parts.append(f"<p>{len(rows):,} of {total:,} rows; the cursor leads to the next.</p>")
    return "".join(parts) + notices


def _row(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The cells of a row; of a failure in a batch what was asked and why."""
    if row.get("success") is False:
        error = row["error"]
        return {"input": error["invalid_input"], "error": error["code"], "message": error["message"]}
    return row


def _rows(rows: Sequence[Mapping[str, Any]], depth: int) -> str:
    """Objects as a table: a column for each key that one of those shown has."""
    shown = [dict(_flat(row)) for row in rows[:_MOST_ROWS]]
    names = list(dict.fromkeys(name for row in shown for name in row))
    kept = names[:_MOST_COLUMNS]
    head = "".join(f"<th>{_text(name)}</th>" for name in kept)
    lines = (
        "<tr>" + "".join(f"<td>{_value(row.get(name), depth + 1)}</td>" for name in kept) + "</tr>" for row in shown
    )
    cuts = [
        f"{count:,} more {word}{'' if count == 1 else 's'}"
        for count, word in ((len(rows) - len(shown), "row"), (len(names) - len(kept), "column"))
        if count
    ]
    note = f"<p>{', '.join(cuts)}</p>" if cuts else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{note}"


def _fields(body: Mapping[str, Any], depth: int) -> str:
    """One object as a table: a line for each field."""
    lines = (f"<tr><th>{_text(name)}</th><td>{_value(value, depth + 1)}</td></tr>" for name, value in _flat(body))
    return f"<table><tbody>{''.join(lines)}</tbody></table>"


def _flat(body: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The facts of an object, nested ones dotted; what is absent is left out."""
    for name, value in body.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif value not in (None, [], "") and name != "notices":
            yield f"{prefix}{name}", value


def _value(value: Any, depth: int) -> str:
    if value is None:
        return ""
    if not isinstance(value, list):
        return _text(value)
    if depth < _DEEPEST_TABLE and all(isinstance(item, Mapping) for item in value):
        return _rows(value, depth)
    more = len(value) - _MOST_VALUES
    shown = ", ".join(_text(item) for item in value[:_MOST_VALUES])
    return f"{shown}, {more:,} more" if more > 0 else shown


def _text(value: object) -> str:
    text = to_json(value).decode() if isinstance(value, Mapping | list) else str(value)
    return html.escape(text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}...")
