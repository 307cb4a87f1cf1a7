"""The form of every answer on the wire, in both protocol eras."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.records import compact_json, json_value
from biofact.interfaces.mcp.server import gateway
from tests.interfaces.ask import ERAS, body, call, call_tools, list_tools, nulls
from tests.interfaces.toy import TOYS
from tests.marks import requirement

pytestmark = pytest.mark.quick

CALLS = [
    ("toy_get_toy", {"toy_id": "TOY:7"}),
    ("toy_get_toy", {"toy_id": "TOY:8"}),
    ("toy_search_toys", {"query": "toys"}),
    ("toy_search_toys", {"query": "no such toy", "slim": True}),
    ("toy_get_toys_batch", {"toy_ids": ["TOY:7", "TOY:9", "x"]}),
    ("toy_get_toy", {"toy_id": "TOY:9"}),
    ("toy_get_toy", {}),
    ("toy_break_toy", {"how": "busy"}),
]


@pytest.mark.parametrize("era", ERAS)
def test_text_and_structured_content_are_equal_and_free_of_null(era):
    for result in call_tools(gateway(catalog=TOYS), CALLS, era):
        assert nulls(body(result)) == []


@requirement("000 envelopes")
@pytest.mark.parametrize("era", ERAS)
def test_a_list_has_exactly_its_three_pagination_keys(era):
    (result,) = call_tools(gateway(catalog=TOYS), [("toy_search_toys", {"query": "ball"})], era)

    assert list(body(result)) == ["items", "pagination", "notices"]
    assert body(result)["pagination"] == {"cursor": None, "total_count": 1, "page_size": 50}


@pytest.mark.parametrize("era", ERAS)
def test_a_record_stands_alone_and_says_in_meta_where_it_is_from(era):
    (result,) = call_tools(gateway(catalog=TOYS), [("toy_get_toy", {"toy_id": "TOY:8"})], era)

    assert body(result) == {"id": "TOY:8", "name": "doll"}
    assert result.meta["biofact/provenance"] == {
        "source": "toy",
        "url": "toy://box",
        "retrieved_at": "2026-01-01T00:00:00Z",
        "from": "live",
        "release": "9",
    }


def test_an_answer_without_a_request_has_no_provenance():
    (result,) = call_tools(gateway(catalog=TOYS), [("toy_search_toys", {"query": "ball"})])

    assert "biofact/provenance" not in (result.meta or {})


@pytest.mark.parametrize("era", ERAS)
def test_tools_say_that_they_only_read(era):
    for tool in list_tools(gateway(catalog=TOYS), era).values():
        assert tool["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": True,
        }


def test_an_unknown_argument_is_refused_and_not_dropped():
    error = call(gateway(catalog=TOYS), "toy_get_toy", toy_id="TOY:7", color="red")["error"]

    assert error["code"] == "AMBIGUOUS_QUERY"
    assert error["invalid_input"] == {"color": "red"}
    assert error["recovery_hint"] == "Its arguments are toy_id, slim."
    assert "recovery" not in error, "it would answer another question"


def test_values_outside_json_become_text():
    cases = [
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        ("\ud800BRCA1", "\\ud800BRCA1"),
        (10**40, 10**40),
        ({"\udfff": [math.inf]}, {"\\udfff": ["inf"]}),
        ({7: (1, 2)}, {"7": [1, 2]}),
        (b"raw", "b'raw'"),
        ([None, True, 0.5], [None, True, 0.5]),
    ]

    assert [json_value(value) for value, _ in cases] == [json_form for _, json_form in cases]


def test_an_integer_that_no_reader_takes_becomes_hexadecimal():
    assert json_value(16**5000) == "0x1" + "0" * 5000


def test_deep_nesting_is_cut_before_it_is_too_deep_to_read_back():
    deep: list = []
    for _ in range(2000):
        deep = [deep]

    text = compact_json({"error": {"invalid_input": json_value(deep)}})

    assert "nested more than 64 levels deep" in text
    assert text.count("[") == 64


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(st.characters(exclude_categories=())), parts),
    max_leaves=20,
)


@settings(max_examples=25, derandomize=True)
@given(JSON_VALUES)
def test_sampled_arguments_can_be_written_and_read_back(value):
    assert_written_and_read_back(value)


@pytest.mark.sweep
@given(JSON_VALUES)
def test_any_arguments_can_be_written_and_read_back(value):
    assert_written_and_read_back(value)


def assert_written_and_read_back(value):
    plain = json_value(value)

    assert json.loads(compact_json(plain)) == plain
