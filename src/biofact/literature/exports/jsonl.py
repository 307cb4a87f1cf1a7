"""Records as JSON Lines: one object a line, readable back into the same records. Pure."""

from collections.abc import Iterable

from pydantic import BaseModel


def json_lines(records: Iterable[BaseModel]) -> str:
    """Each record in a line of its own, absent facts left out; no line break within a record."""
    return "".join(record.model_dump_json() + "\n" for record in records)
