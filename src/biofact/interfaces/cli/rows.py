"""Answers as rows: one for each record, in the order of the inputs, failures in their places. Pure."""

from collections.abc import Sequence

from biofact.core.records import Result
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.result_json import Body
from biofact.tables.columns import LIST, listings

INPUT = "input"
"""Heads the column of what was typed."""


def rows(answer: ToolAnswer, inputs: Sequence[str], returns: type[Result]) -> list[Body]:
    """The rows of an answer about these inputs, each with its own; ``returns`` is what the tool declares.

    A failure of the whole answer is a row for each input; of a search, which has none, it is none.
    """
    if answer.is_failure:
        return [{INPUT: one, **answer.body} for one in inputs]
    records = _records(answer.body, returns)
    if len(inputs) == 1:
        return [{INPUT: inputs[0], **record} for record in records]
    if inputs:  # a batch has an entry for each
        return [{INPUT: one, **record} for one, record in zip(inputs, records, strict=True)]
    return records


def is_record(body: Body, rows: Sequence[Body]) -> bool:
    """Whether an answer is its own one row, and its notices are that row's."""
    return len(rows) == 1 and all(rows[0].get(name) == value for name, value in body.items())


def failures(rows: Sequence[Body]) -> list[Body]:
    """What went wrong with rows that failed."""
    return [row["error"] for row in rows if row.get("success") is False]


def row_lists(returns: type[Result]) -> tuple[str, ...]:
    """The fields of a result that hold rows; none where the result is the row."""
    return listings(returns) if returns.listed is None else (returns.listed,)


def _records(body: Body, returns: type[Result]) -> list[Body]:
    if returns.listed is not None:
        return list(body[returns.listed])
    if several := listings(returns):
        return [{LIST.name: name, **record} for name in several for record in body.get(name, ())]
    return [body]
