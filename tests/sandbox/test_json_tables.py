"""What a stand-in for a small JSON service is made of."""

import json
from functools import partial

import pytest

from biofact.sandbox.json_tables import SearchTable, check_parameters, whole_number
from biofact.sandbox.standin import Ask, Refusal, refused

pytestmark = pytest.mark.quick

ROWS = (
    {"id": 1, "symbol": "EGFR", "aliases": ["ERBB1"], "name": "epidermal growth factor receptor"},
    {"id": 2, "symbol": "INSR", "aliases": None, "name": "insulin receptor"},
    {"id": 3, "symbol": "EGF", "aliases": [], "name": "epidermal growth factor"},
)
TABLE = SearchTable(ROWS, key="id", fields=("id", "symbol", "aliases", "name"))


def test_rows_are_found_by_all_words_and_whole_texts_come_first(subtests):
    cases = [
        ("receptor", [1, 2]),
        ("epidermal growth factor", [3, 1]),
        ("Receptor, insulin", [2]),
        ("erbb1 receptor", [1]),
        ("2", [2]),
        ("recept", []),
        ("--", []),
        ("", []),
    ]
    for query, ids in cases:
        with subtests.test(query=query):
            assert [row["id"] for row in TABLE.search(query)] == ids


def test_rows_are_known_by_their_key_as_text():
    assert TABLE.by_key == {"1": ROWS[0], "2": ROWS[1], "3": ROWS[2]}


def refusal_of(check):
    with pytest.raises(Refusal) as caught:
        check()
    reply = caught.value.reply
    return reply.status, json.loads(reply.body), reply.unknown_parameters


def test_a_parameter_that_the_endpoint_lacks_is_refused_and_named():
    ask = Ask("GET", "/search", (("query", "x"), ("sort", "y")))

    check_parameters(ask, "query", "sort")
    expected = (400, {"error": "Unknown parameter: sort."}, frozenset({"sort"}))
    assert refusal_of(lambda: check_parameters(ask, "query")) == expected


def test_a_number_out_of_range_is_refused(subtests):
    for value in ["-1", "11", "x", "", "1.0", "9" * 5000, "\u0661"]:
        with subtests.test(value=value):
            ask = Ask("GET", "/search", (("limit", value),))

            status, body, _ = refusal_of(partial(whole_number, ask, "limit", 5, range(11)))
            assert (status, body) == (400, {"error": "limit takes 0 to 10."})


def test_a_number_that_is_not_given_is_the_usual_one():
    assert whole_number(Ask("GET", "/search", ()), "limit", 5, range(11)) == 5


def test_a_refusal_has_the_status_it_is_given():
    assert refused("gone", status=404).reply.status == 404
