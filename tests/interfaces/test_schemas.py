"""The schemas of tools, on the toy source."""

import pytest
from jsonschema import Draft202012Validator

from biofact.core.tool import specs_of
from biofact.interfaces.mcp.server import gateway
from biofact.interfaces.schemas import input_schema, output_schema
from tests.interfaces.ask import body, call_tools
from tests.interfaces.toy import SHELVES, TOYS, ShelfClient, ToyClient

pytestmark = pytest.mark.quick

SPECS = {spec.ref.method: spec for spec in specs_of(ToyClient)}
(LOOK,) = specs_of(ShelfClient)
TOY_KEYS = {"id", "name", "colour", "parts", "weight", "cross_references", "category", "notices"}


def keys(schema, *names):
    """Every keyword anywhere in a schema, without property names."""
    for name, value in schema.items():
        yield name
        if name == "properties":
            for part in value.values():
                yield from keys(part)
        elif name in {"items", "anyOf"}:
            for part in value if isinstance(value, list) else [value]:
                yield from keys(part)


def test_an_argument_has_its_type_its_limits_and_its_default():
    schema = input_schema(SPECS["search_toys"])

    assert schema["properties"]["page_size"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 50}
    assert schema["properties"]["colour"] == {"type": "string", "description": "as painted"}
    assert schema["required"] == ["query"]
    assert schema["additionalProperties"] is False


def test_a_mapping_is_an_object_and_nothing_more():
    schema = input_schema(LOOK)

    assert schema["properties"]["filters"] == {"type": "object"}
    assert schema["additionalProperties"] is False, "of the arguments themselves none is open"


def test_a_list_of_words_names_them():
    schema = input_schema(LOOK)["properties"]["include"]

    assert schema == {"type": "array", "items": {"type": "string", "enum": ["toys", "boxes"]}, "minItems": 1}


def test_a_client_can_check_its_arguments():
    checked_answers = [
        ({"shelf": "top"}, True),
        ({"shelf": "top", "filters": {"colour": "red", "weight": 0.5}}, True),
        ({"shelf": "top", "filters": {}}, True),
        ({"shelf": "top", "filters": "colour=red"}, False),
        ({"shelf": "top", "filters": ["colour"]}, False),
        ({"shelf": "top", "include": ["boxes", "toys"]}, True),
        ({"shelf": "top", "include": "boxes"}, False),
        ({"shelf": "top", "include": ["robots"]}, False),
        ({"shelf": "top", "include": []}, False),
        ({"shelf": "top", "colour": "red"}, False),
        ({"filters": {}}, False),
    ]
    validator = Draft202012Validator(input_schema(LOOK))

    assert [(arguments, validator.is_valid(arguments)) for arguments, _ in checked_answers] == checked_answers


def test_an_id_is_shown_and_not_enforced():
    get_schema, batch_schema = input_schema(SPECS["get_toy"]), input_schema(SPECS["get_toys_batch"])

    assert get_schema["properties"]["toy_id"] == {"type": "string", "description": "like TOY:7"}
    assert batch_schema["properties"]["toy_ids"] == {
        "type": "array",
        "items": {"type": "string"},
        "maxItems": 200,
        "description": "like TOY:7",
    }


def test_a_record_has_all_its_keys_and_needs_those_of_its_slim_form():
    schema = output_schema(SPECS["get_toy"])

    assert set(schema["properties"]) == TOY_KEYS
    assert schema["required"] == ["id", "name"]


def test_objects_below_a_record_stay_open():
    schema = output_schema(SPECS["get_toy"])

    assert schema["properties"]["cross_references"] == {"type": "object"}
    assert schema["properties"]["notices"] == {"type": "array"}
    assert schema["properties"]["parts"] == {"type": "array", "items": {"type": "string"}}


def test_a_list_holds_records_and_its_pagination():
    schema = output_schema(SPECS["search_toys"])

    assert schema["required"] == ["items", "pagination"]
    assert set(schema["properties"]["items"]["items"]["properties"]) == TOY_KEYS
    assert schema["properties"]["items"]["items"]["required"] == ["id", "name"]


def test_an_entry_of_a_batch_is_a_record_or_a_failure():
    record, failure = output_schema(SPECS["get_toys_batch"])["properties"]["items"]["items"]["anyOf"]

    assert record["required"] == ["id", "name"]
    assert failure["required"] == ["success", "error"]


def test_an_answer_of_several_lists_needs_none_of_them():
    schema = output_schema(LOOK)

    assert schema["required"] == ["shelf"]
    for name in ("toys", "boxes", "gaps", "notices"):
        assert schema["properties"][name] == {"type": "array"}


def test_schemas_carry_nothing_that_says_nothing():
    for spec in (*SPECS.values(), LOOK):
        assert {"title", "default", "$defs", "$ref", "description"}.isdisjoint(keys(output_schema(spec)))
        assert {"title", "$defs", "$ref"}.isdisjoint(keys(input_schema(spec)))
        assert "null" not in str(output_schema(spec)) + str(input_schema(spec))
        assert "additionalProperties" not in keys(output_schema(spec))
        assert list(keys(input_schema(spec))).count("additionalProperties") == 1


def test_schemas_are_json_schema():
    for spec in (*SPECS.values(), LOOK):
        Draft202012Validator.check_schema(input_schema(spec))
        Draft202012Validator.check_schema(output_schema(spec))


def test_every_answer_is_as_its_schema_says():
    calls = [
        ("get_toy", {"toy_id": "TOY:7"}),
        ("get_toy", {"toy_id": "TOY:8", "slim": True}),
        ("search_toys", {"query": "toys"}),
        ("search_toys", {"query": "nothing"}),
        ("get_toys_batch", {"toy_ids": ["TOY:7", "ball", "TOY:9", 7], "slim": False}),
    ]
    answers = call_tools(gateway(catalog=TOYS), [(f"toy_{name}", arguments) for name, arguments in calls])

    for (name, _), answer in zip(calls, answers, strict=True):
        assert not answer.is_error
        Draft202012Validator(output_schema(SPECS[name])).validate(body(answer))


def test_every_answer_of_several_lists_is_as_its_schema_says():
    calls = [{"shelf": "top"}, {"shelf": "top", "include": ["boxes"]}, {"shelf": "empty", "filters": {"name": "doll"}}]
    whole, one_list, empty_answer = map(
        body, call_tools(gateway(catalog=SHELVES), [("shelf_look", arguments) for arguments in calls])
    )

    assert [list(answer) for answer in (whole, one_list, empty_answer)] == [
        ["shelf", "toys", "boxes", "gaps"],
        ["shelf", "boxes", "gaps"],
        ["shelf", "toys", "boxes", "gaps"],
    ]
    for answer in (whole, one_list, empty_answer):
        Draft202012Validator(output_schema(LOOK)).validate(answer)
