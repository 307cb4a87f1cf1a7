"""Results as JSON that every reader of JSON can read back."""

from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

from biofact.core import records
from biofact.core.records import json_value as plain

__all__ = ["Body", "body", "plain", "text"]

Body = dict[str, Any]


def body(result: BaseModel) -> Body:
    """The object that stands on the wire; facts without a value are left out."""
    return records.flat_json(result)


def text(answer: object) -> str:
    """Compact JSON."""
    return to_json(answer).decode()
