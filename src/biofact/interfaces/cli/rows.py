"""Answers as rows: one for each record, in the order of the inputs, failures in their places. Pure."""

from collections.abc import Sequence

from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.result_json import Body

INPUT = "input"
"""Heads the column of what was typed."""


def rows(answer: ToolAnswer, inputs: Sequence[str], listed: str | None) -> list[Body]:
    """The rows of an answer about these inputs, each with its own; ``listed`` is where a list has its items.

    A failure of the whole answer is a row for each input; of a search, which has none, it is none.
    """
    if answer.is_failure:
        return [{INPUT: one, **answer.body} for one in inputs]
    records = _records(answer.body, listed)
    if len(inputs) == 1:
        return [{INPUT: inputs[0], **record} for record in records]
    if inputs:  # a batch has an entry for each
        return [{INPUT: one, **record} for one, record in zip(inputs, records, strict=True)]
    return records


def failures(rows: Sequence[Body]) -> list[Body]:
    """What went wrong with rows that failed."""
    return [row["error"] for row in rows if row.get("success") is False]


def _records(body: Body, listed: str | None) -> list[Body]:
    if listed in body:
        return list(body[listed])
    return several_lists(body) or [body]


def several_lists(body: Body) -> list[Body]:
    """The records of an answer that has several lists of them, each with the list that it stands in."""
    if "id" in body or "items" in body:
        return []
    lists = {name: value for name, value in body.items() if isinstance(value, list)}
    return [
        {"list": name, **row} for name, value in lists.items() for row in value if isinstance(row, dict) and "id" in row
    ]
