"""The JSON answer to a batched lookup, cut into records from chunks of any size."""

import itertools
import json

import pytest

from biofact.dialects.json_splitter import WholeAnswer
from biofact.dialects.json_values import document, rows
from biofact.transport.service import WHOLE_CAP, BodyTooLarge, Transient

pytestmark = pytest.mark.quick

RECORDS = [{"id": "1", "of": {"a": []}}, {"id": "2", "name": "}"}]
BODY = json.dumps({"results": RECORDS}).encode()


def splitter():
    return WholeAnswer(lambda body: [(row["id"], json.dumps(row).encode()) for row in rows(document(body), "results")])


def split(body, size):
    records_splitter = splitter()
    records = [
        record for start in range(0, len(body), size) for record in records_splitter.feed(body[start : start + size])
    ]
    records_splitter.close()
    return [(record_id, json.loads(record)) for record_id, record in records]


def test_records_come_whole_from_any_chunks_of_a_body(subtests):
    for size, ending in itertools.product([1, 7, 1000], [b"", b" \n"]):
        with subtests.test(size=size, ending=ending):
            assert split(BODY + ending, size) == [("1", RECORDS[0]), ("2", RECORDS[1])]


def test_an_empty_list_has_no_records():
    assert split(b'{"results": []}', 5) == []


def test_a_body_that_is_cut_or_no_json_is_damaged(subtests):
    for body in [b"", BODY[:-1], BODY[:20], b"text", b"null", b'["text"]']:
        with subtests.test(body=body), pytest.raises(Transient, match=r"cut short|not JSON"):
            split(body, 10)


def test_a_body_without_the_list_is_damaged(subtests):
    for body in [b'{"text": 1}', b'{"results": {}}', b'{"results": [1]}']:
        with subtests.test(body=body), pytest.raises(Transient, match="sent no list of results"):
            split(body, 100)


def test_something_after_the_end_is_damaged():
    with pytest.raises(Transient, match="after the end"):
        split(BODY + b"x", len(BODY))


def test_a_body_beyond_the_cap_is_refused():
    with pytest.raises(BodyTooLarge):
        splitter().feed(bytes(WHOLE_CAP + 1))
