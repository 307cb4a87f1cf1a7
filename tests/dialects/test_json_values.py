"""JSON bodies: required fields of an answer, and the meaning of its status and words."""

import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects.json_values import (
    Judge,
    count,
    cross_references,
    document,
    judge,
    loaded,
    nested_object,
    required_choice,
    rows,
)
from biofact.transport.service import MIB, Answer, BodyTooLarge, Transient

pytestmark = pytest.mark.quick


def test_a_body_that_is_no_object_is_damaged(subtests):
    for body in [b"", b"[]", b"null", b"1", b'"text"', b'{"a":']:
        with subtests.test(body=body), pytest.raises(Transient):
            document(body)


def test_a_list_that_is_not_there_is_damage_and_no_empty_list(subtests):
    for value in [{}, {"rows": None}, {"rows": {}}, {"rows": [{}, 1]}, [], None]:
        with subtests.test(value=value), pytest.raises(Transient, match="sent no list of rows"):
            rows(value, "rows")


def test_an_empty_list_is_a_list():
    assert rows(document(b'{"rows": []}'), "rows") == []
    assert rows({"rows": [{"a": 1}]}, "rows") == [{"a": 1}]


def test_a_list_inside_an_object_that_is_not_there_is_damage_too(subtests):
    for value in [{}, {"response": None}, {"response": [{}]}, {"response": {"docs": None}}, [], None]:
        with subtests.test(value=value), pytest.raises(Transient, match="sent no list of docs"):
            rows(nested_object(value, "response"), "docs")


def test_a_list_may_stand_inside_an_object():
    assert rows(nested_object({"response": {"docs": [{"a": 1}]}}, "response"), "docs") == [{"a": 1}]


def test_a_count_may_be_written_as_text(subtests):
    for value, number in [(0, 0), (12, 12), ("12", 12)]:
        with subtests.test(value=value):
            assert count({"total": value}, "total") == number


def test_a_count_that_is_none_is_damage(subtests):
    for value in [None, -1, True, "many", 1.5]:
        with subtests.test(value=value), pytest.raises(Transient, match="how many there are as 'total'"):
            count({"total": value}, "total")


def test_an_answer_is_judged_by_its_words_and_then_by_its_status(subtests):
    cases = [
        (200, b'{"results": []}', "good"),
        (200, b'{"error": "rate limit exceeded"}', "limited"),
        (200, b'{"message": "Service unavailable"}', "transient"),
        (200, b'{"detail": "No such field"}', "refused"),
        (400, b'{"error": "bad query"}', "refused"),
        (400, b"<html>", "transient"),
        (404, b"", "refused"),
    ]
    for status, body, verdict in cases:
        with subtests.test(status=status, body=body):
            assert judge(Answer(status, {}, body, "")) == verdict


def test_a_service_whose_errors_have_another_name_is_judged_by_it():
    body = b'{"messages": ["No such pathway"]}'

    assert Judge("messages")(Answer(404, {}, body, "")) == "refused"
    assert Judge("messages")(Answer(200, {}, b'{"messages": ["Try again later"]}', "")) == "transient"
    assert Judge("messages")(Answer(200, {}, b'{"message": "API rate limit exceeded"}', "")) == "limited"
    assert judge(Answer(200, {}, b'{"messages": ["hello"]}', "")) == "good"


def test_a_text_that_is_none_of_the_choices_is_refused(subtests):
    assert required_choice({"kind": "P"}, "kind", {"P": "protein"}, "a participant", "Acme") == "protein"
    for values in [{}, {"kind": "Q"}, {"kind": ["P"]}]:
        with subtests.test(values=values), pytest.raises(UpstreamError, match="Acme sent a participant"):
            required_choice(values, "kind", {"P": "protein"}, "a participant", "Acme")


def test_cross_references_are_texts_or_lists_of_them():
    xrefs = cross_references({"a": "672", "b": ["P38398", "none"]}, {"entrez": "a", "uniprot": "b", "hgnc": "c"})

    assert xrefs.collected().model_dump(exclude_none=True) == {"entrez": "672", "uniprot": ["UniProtKB:P38398"]}
    assert [notice.code for notice in xrefs.notices] == ["INVALID_CROSS_REFERENCE"]


def test_a_body_of_more_values_than_may_be_read_at_once_is_refused_unread():
    rows = [{"id": str(number), "parent": None} for number in range(250_000)]
    body = json.dumps(rows, separators=(",", ":")).encode()

    assert len(body) > MIB
    assert loaded(body) == rows
    with pytest.raises(BodyTooLarge, match="more than 500,000 values"):
        loaded(body[:-1] + b",1" * 3 + b"]")
