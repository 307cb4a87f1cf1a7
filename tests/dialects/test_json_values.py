"""JSON bodies: what an answer is not without, and what it means by its status and words."""

import pytest

from biofact.dialects.json_values import count, document, judge, rows, within
from biofact.transport.service import Answer, Transient

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"1", b'"text"', b'{"a":'])
def test_what_is_no_object_is_damaged(body):
    with pytest.raises(Transient):
        document(body)


@pytest.mark.parametrize("value", [{}, {"rows": None}, {"rows": {}}, {"rows": [{}, 1]}, [], None])
def test_a_list_that_is_not_there_is_damage_and_no_empty_list(value):
    with pytest.raises(Transient, match="sent no list of rows"):
        rows(value, "rows")


def test_an_empty_list_is_a_list():
    assert rows(document(b'{"rows": []}'), "rows") == []
    assert rows({"rows": [{"a": 1}]}, "rows") == [{"a": 1}]


@pytest.mark.parametrize("value", [{}, {"response": None}, {"response": [{}]}, {"response": {"docs": None}}, [], None])
def test_a_list_inside_an_object_that_is_not_there_is_damage_too(value):
    with pytest.raises(Transient, match="sent no list of docs"):
        rows(within(value, "response"), "docs")


def test_a_list_may_stand_inside_an_object():
    assert rows(within({"response": {"docs": [{"a": 1}]}}, "response"), "docs") == [{"a": 1}]


@pytest.mark.parametrize(("value", "number"), [(0, 0), (12, 12), ("12", 12)])
def test_a_count_may_be_written_as_text(value, number):
    assert count({"total": value}, "total") == number


@pytest.mark.parametrize("value", [None, -1, True, "many", 1.5])
def test_a_count_that_is_none_is_damage(value):
    with pytest.raises(Transient, match="how many there are as 'total'"):
        count({"total": value}, "total")


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, b'{"results": []}', "good"),
        (200, b'{"error": "rate limit exceeded"}', "limited"),
        (200, b'{"message": "Service unavailable"}', "transient"),
        (200, b'{"detail": "No such field"}', "refused"),
        (400, b'{"error": "bad query"}', "refused"),
        (400, b"<html>", "transient"),
        (404, b"", "refused"),
    ],
)
def test_an_answer_is_judged_by_its_words_and_then_by_its_status(status, body, verdict):
    assert judge(Answer(status, {}, body, "")) == verdict
