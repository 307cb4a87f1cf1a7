"""JSON schemas without what our answers never have."""

import pytest
from pydantic import BaseModel, Field

from biofact.core.json_schema import not_null, plain, without_keys

pytestmark = pytest.mark.quick


class Part(BaseModel):
    """A part."""

    name: str | None = None


class Whole(BaseModel):
    """A whole."""

    id: str = Field(description="What it is called.")
    part: Part | None = Field(default=None, description="Its only one.")
    parts: list[Part] = []
    size: int | str | None = None


PART = {"type": "object", "description": "A part.", "properties": {"name": {"type": "string"}}}


def test_a_schema_is_written_out_without_null_titles_and_defaults():
    schema = Whole.model_json_schema()

    shown_schema = plain(without_keys(schema, "$defs"), schema["$defs"])

    assert shown_schema == {
        "type": "object",
        "description": "A whole.",
        "properties": {
            "id": {"type": "string", "description": "What it is called."},
            "part": {**PART, "description": "Its only one."},
            "parts": {"type": "array", "items": PART},
            "size": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
        "required": ["id"],
    }


def test_null_is_no_option():
    assert not_null({"anyOf": [{"type": "string"}, {"type": "null"}], "title": "X"}) == {"type": "string", "title": "X"}
    assert not_null({"type": "string"}) == {"type": "string"}
