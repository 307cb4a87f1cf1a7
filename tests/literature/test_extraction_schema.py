"""Extraction schemas: both notations in, one form out, clear refusals."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.extraction.schema import DATE, ExtractionSchema, SchemaField, nest_values
from tests.each_of import each_of
from tests.literature.spec_examples import MEDICAL, TECHNOLOGY, USAGE
from tests.marks import requirement

pytestmark = pytest.mark.quick


def leaves(spec: Any) -> dict[str, str]:
    return {leaf.path: leaf.kind for leaf in ExtractionSchema.read(spec).leaves}


@requirement("004 E-schema")
@each_of("template", [MEDICAL, TECHNOLOGY, USAGE])
def test_the_specifications_templates_are_read(template: dict[str, str]) -> None:
    assert list(leaves(template)) == list(template)


def test_nested_fields_have_dotted_paths_and_lists_are_one_leaf() -> None:
    spec = {"effect": {"value": "number", "ci": ["number"]}, "arms": [{"name": "string", "n": "integer?"}]}

    assert leaves(spec) == {"effect.value": "number", "effect.ci": "array", "arms": "array"}


@requirement("004 E-schema")
def test_both_notations_say_the_same() -> None:
    short = {"n": "integer", "when": "date", "tags": "array[string]", "effect": {"value": "number"}}
    json_schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "n": {"type": ["integer", "null"]},
            "when": {"type": "string", "format": "date"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "effect": {"type": "object", "properties": {"value": {"anyOf": [{"type": "number"}, {"type": "null"}]}}},
        },
        "required": ["n"],
    }

    assert ExtractionSchema.read(short) == ExtractionSchema.read(json_schema)


def test_a_field_may_be_called_type() -> None:
    assert leaves({"type": "string", "properties": "string", "design": {"type": "string", "value": "number"}}) == {
        "type": "string",
        "properties": "string",
        "design.type": "string",
        "design.value": "number",
    }


def test_a_description_and_an_enum_are_kept() -> None:
    (leaf,) = ExtractionSchema.read({"design": {"type": "string", "description": "How.", "enum": ["RCT", "x"]}}).leaves

    assert (leaf.description, leaf.enum) == ("How.", ("RCT", "x"))


@each_of(
    ("spec", "words"),
    [
        (None, "an object of field names and types"),
        ({}, "an object of field names and types"),
        ({"a": "strng"}, "Field 'a' is 'strng'; expected one of string, number"),
        ({"a": {"b": 7}}, "Field 'a.b' is 7"),
        ({"a": {}}, "Field 'a' is an empty dict"),
        ({"a": ["low", "high"]}, '"enum"'),
        ({"a.b": "string"}, "no full stop"),
        ({"": "string"}, "1 to 64"),
        ({"x" * 65: "string"}, "1 to 64"),
        ({str(n): "string" for n in range(41)}, "at most 40 fields"),
        ({"a": {"b": {"c": {"d": {"e": "string"}}}}}, "at most 4 levels"),
        ({"a": [[[[[["string"]]]]]]}, "at most 4 levels"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {}}, "uses $defs"),
        ({"a": {"$ref": "#/x"}}, "Field 'a' uses $ref"),
        ({"a": {"type": "string", "pattern": "x"}}, "Field 'a' uses pattern"),
        ({"a": {"type": ["string", "number"]}}, "several types"),
        ({"a": {"type": "number", "enum": ["x"]}}, "no number"),
        ({"a": {"type": "number", "minimum": "x"}}, "minimum"),
        ({"a": {"type": "string", "description": "x" * 1001}}, "description"),
    ],
)
def test_an_unreadable_schema_is_refused_in_one_sentence(spec: Any, words: str) -> None:
    with pytest.raises(ValueError) as error:
        ExtractionSchema.read(spec)

    assert words in str(error.value)
    assert "\n" not in str(error.value)


def problems(schema: ExtractionSchema, values: Any) -> list[str]:
    return list(SchemaField("", "", "object", fields=schema.fields).problems(values))


def test_problems_name_field_and_type_and_absence_is_none() -> None:
    schema = ExtractionSchema.read(
        {"n": {"type": "integer", "minimum": 1}, "arms": [{"name": "string"}], "kind": {"enum": ["a", "b"]}}
    )

    assert problems(schema, {}) == []
    assert problems(schema, {"n": 5.0, "arms": [{"name": "x"}], "kind": "a"}) == []
    assert problems(schema, {"n": "many", "arms": [{"name": 1}], "kind": "c", "more": 1}) == [
        "n: 'many' is not a whole number",
        "arms.name: 1 is not text",
        "kind: 'c' is not one of 'a', 'b'",
        "'more' is no field of it",
    ]
    assert problems(schema, {"n": 0}) == ["n: 0 is less than 1"]
    assert problems(schema, {"n": True}) == ["n: True is not a whole number"]
    assert problems(schema, {"n": float("nan")}) == ["n: nan is not a whole number"]


SCALARS = st.one_of(st.text(max_size=5), st.integers(-3, 3), st.floats(-2, 2), st.booleans(), st.just("2019-11"))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abx"), inner, max_size=3)
)


def in_json_schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


JSON_SCHEMA = in_json_schema(
    a={"type": "string"},
    b={"type": "integer", "minimum": -1, "maximum": 2},
    c={"type": "array", "items": {"type": "number"}},
    d=in_json_schema(
        a={"type": "boolean"},
        b={"type": "array", "items": in_json_schema(x={"type": "string", "pattern": f"^{DATE.pattern}$"})},
    ),
    e={"enum": ["x", "y"]},
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from("abcdef"), VALUES, max_size=6))
def test_our_checks_and_those_of_json_schema_agree(values: dict[str, Any]) -> None:
    schema = ExtractionSchema.read(
        {
            "a": "string",
            "b": {"type": "integer", "minimum": -1, "maximum": 2},
            "c": "array[number]",
            "d": {"a": "boolean", "b": [{"x": "date"}]},
            "e": {"enum": ["x", "y"]},
        }
    )
    is_valid = jsonschema.Draft202012Validator(JSON_SCHEMA).is_valid(values)

    assert (problems(schema, values) == []) == is_valid


def test_values_are_placed_where_the_schema_nests_them() -> None:
    assert nest_values({"a": 1, "b.c": 2, "b.d.e": 3}) == {"a": 1, "b": {"c": 2, "d": {"e": 3}}}
