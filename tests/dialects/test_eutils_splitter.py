import json
from typing import Any

import pytest

from biofact.dialects.eutils import docsum_splitter
from biofact.transport.service import WHOLE_CAP, BodyTooLarge, Transient
from tests.dialects.wire import xml
from tests.dialects.xml_and_json import ARTICLE, GENE, SUMMARIES, SUMMARIES_XML

pytestmark = pytest.mark.quick


def docsums_of(chunks: list[bytes]) -> list[tuple[str, Any]]:
    splitter = docsum_splitter()
    docsums = [(uid, json.loads(docsum)) for chunk in chunks for uid, docsum in splitter.feed(chunk)]
    splitter.close()
    return docsums


@pytest.mark.parametrize("body", [json.dumps(SUMMARIES).encode(), xml("eSummaryResult", SUMMARIES_XML)])
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_a_batch_is_split_wherever_its_chunks_end(body, size):
    whole = body + b"\n"

    assert docsums_of([whole[position : position + size] for position in range(0, len(whole), size)]) == [
        ("4747", GENE),
        ("1", ARTICLE),
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "cut short"),
        (json.dumps(SUMMARIES).encode()[:-1], "not JSON"),
        (json.dumps(SUMMARIES).encode()[:-5], "cut short"),
        (b"<html></html>", "cut short"),
        (b'{"esummaryresult":["Empty id list - nothing todo"]}', "Empty id list"),
        (b'{"error":"API rate limit exceeded"}', "API rate limit exceeded"),
    ],
)
def test_a_batch_without_a_whole_answer_fails_at_its_end(body, reason):
    with pytest.raises(Transient, match=reason):
        docsums_of([body])


def test_a_failure_of_one_uid_is_reported_after_the_others():
    result = {"uids": ["1", "2"], "1": {"uid": "1", "error": "some new trouble"}, "2": {"uid": "2"}}
    splitter = docsum_splitter()

    assert splitter.feed(json.dumps({"result": result}).encode()) == [("2", b'{"uid":"2"}')]
    with pytest.raises(Transient, match="1: some new trouble"):
        splitter.close()


def test_a_batch_beyond_the_cap_is_given_up():
    splitter = docsum_splitter()
    chunk = b"x" * (WHOLE_CAP // 2)

    assert splitter.feed(chunk) == splitter.feed(chunk) == []
    with pytest.raises(BodyTooLarge):
        splitter.feed(b"x")
