"""Results as JSON that every JSON reader can read back: the object, and its text."""

from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

from biofact.core import records

Body = dict[str, Any]


def body(result: BaseModel) -> Body:
    """The JSON object of a result; facts without a value are left out."""
    return records.flat_json(result)


def text(answer: object) -> str:
    """Compact JSON."""
    return to_json(answer).decode()
