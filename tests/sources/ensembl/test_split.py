"""Cutting a streamed answer to a POST lookup into records."""

import itertools
import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects.json_splitter import LARGEST
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.parse import lookup_splitter
from biofact.transport.service import MIB, BodyTooLarge, Transient
from tests.recordings import recording
from tests.sources.splitting import records_of

pytestmark = pytest.mark.quick

ITEM, TWO, THREE = "ENSG00000000001", "ENSG00000000002", "ENSG00000000003"


def cut(body, ids, size=None):
    return records_of(lookup_splitter(ids), body, size)


def values(records):
    return {stable_id: json.loads(record) for stable_id, record in records}


def encoded(answer, indent=None):
    return json.dumps(answer, indent=indent, ensure_ascii=False).encode()


def braf():
    record = recording("ensembl/lookup-braf-expanded-response.json")
    return b'{"%s":%s,"%s":null}' % (b"ENSG00000157764", record, ITEM.encode())


def is_right_or_refused(body, ids, size=None):
    """Whether an incomplete body is refused as transient."""
    try:
        cut(body, ids, size)
    except Transient:
        return True
    return False


SIZES = (1, 2, 3, 5, 8, 13, 21, 34)


@pytest.mark.parametrize("sizes", [(64, 1000, 65_536), pytest.param((*SIZES, 4096), marks=pytest.mark.sweep)])
def test_a_recorded_gene_is_the_same_in_chunks_of_any_size(sizes):
    body, ids = braf(), ("ENSG00000157764", ITEM)
    whole = cut(body, ids)

    assert [size for size in sizes if cut(body, ids, size) != whole] == []
    assert [stable_id for stable_id, _ in whole] == ["ENSG00000157764"]


def test_trimming_a_recorded_gene_loses_nothing_of_its_record():
    body = recording("ensembl/lookup-braf-expanded-response.json")

    ((_, record),) = cut(braf(), ("ENSG00000157764", ITEM))

    assert parse.gene(record) == parse.gene(body)
    assert len(record) < len(body) / 10


def test_a_transcript_keeps_its_exons_for_its_own_record():
    exons = [{"id": "ENSE00000000001", "start": 1, "end": 9}]
    transcript = {"id": "ENST00000000001", "Parent": ITEM, "Exon": exons, "Translation": {"id": "ENSP1", "length": 3}}

    assert values(cut(encoded({"ENST00000000001": transcript}), ("ENST00000000001",))) == {
        "ENST00000000001": transcript
    }


BODIES = {
    "a null first": {ITEM: None, TWO: {"id": TWO}},
    "a null last": {ITEM: {"id": ITEM}, TWO: None},
    "nulls only": {ITEM: None, TWO: None},
    "a null between": {ITEM: {"id": ITEM}, TWO: None, THREE: {"id": THREE}},
    "empty objects": {ITEM: {}, TWO: {}},
    "an ID as a value": {ITEM: {"id": ITEM, "Parent": TWO, "several": [TWO, TWO]}, TWO: {"id": TWO}},
    "an ID in a text": {ITEM: {"id": ITEM, "description": f'was "{TWO}": {{see "{TWO}": null}}'}, TWO: {"id": TWO}},
    "an ID in a text with backslashes": {ITEM: {"description": f'a\\"{TWO}\\": null \\'}, TWO: {"description": "\\\\"}},
    "an ID at the end of a key": {ITEM: {f'say "{TWO}': {"id": "x"}}, TWO: {"id": TWO}},
    "braces in a text": {ITEM: {"description": "}},{"}, TWO: {"description": '"}'}},
    "keys that we do not know": {ITEM: {"new": {"deep": [{"deeper": None}]}, "other": {}}, TWO: {"x": 1.5, "y": True}},
    "letters of all kinds": {ITEM: {"description": "\u03b2-catenin \u2192 \U0001f9ec"}, TWO: {"id": TWO}},
}


def test_every_record_comes_under_its_id_and_nulls_are_dropped():
    wrong = {}
    for (name, answer), indent, size in itertools.product(BODIES.items(), (None, 3), (1, 2, 3, 7, 16, 61, None)):
        result = values(cut(encoded(answer, indent), tuple(answer), size))
        if result != {stable_id: record for stable_id, record in answer.items() if record is not None}:
            wrong[name, indent, size] = result

    assert wrong == {}


def test_blanks_between_signs_change_nothing():
    body = b' \n{ "%s" :\t{ "id" : "x" } \n ,\r\n "%s" : null \n } \n\n' % (ITEM.encode(), TWO.encode())

    assert [values(cut(body, (ITEM, TWO), size)) for size in (1, 5, None)] == [{ITEM: {"id": "x"}}] * 3


def test_records_come_as_soon_as_the_next_one_begins():
    splitter = lookup_splitter((ITEM, TWO))

    assert splitter.feed(b'{"%s":{"id":"a"},' % ITEM.encode()) == []
    assert splitter.feed(b'"%s":{"id":"b"' % TWO.encode()) == [(ITEM, b'{"id":"a"}')]
    assert splitter.feed(b"}}") == [(TWO, b'{"id":"b"}')]
    splitter.close()


WHOLE = encoded({ITEM: {"id": ITEM, "Transcript": [{"id": "a"}]}, TWO: {"id": TWO}, THREE: None})


def test_a_body_that_ends_early_is_refused_wherever_it_ends():
    ids = (ITEM, TWO, THREE)
    cuts = [(end, size) for end in range(len(WHOLE)) for size in (None, 1)]

    assert [(end, size) for end, size in cuts if not is_right_or_refused(WHOLE[:end], ids, size)] == []


def test_an_answer_that_omits_an_id_is_refused():
    answers = [{ITEM: {"id": ITEM}}, {ITEM: None}, {}, {"ENSG00000000009": {"id": "x"}}]

    assert [answer for answer in answers if not is_right_or_refused(encoded(answer), (ITEM, TWO))] == []


NO_RECORDS = [
    b"",
    b"   ",
    b"[]",
    b"null",
    b"Bad Request",
    b"<html><body>Service unavailable</body></html>",
    b'{"error":"something bad has happened"}',
    b'{"error":"ID \'ENSG00000000001\' not found"}',
]


def test_something_else_in_place_of_records_is_refused():
    assert [
        (body, size) for body in NO_RECORDS for size in (1, None) if not is_right_or_refused(body, (ITEM,), size)
    ] == []


def test_the_message_of_a_failure_is_repeated():
    with pytest.raises(Transient) as failed:
        cut(b'{"error":"something bad has happened"}', (ITEM,))

    assert "something bad has happened" in failed.value.reason


DAMAGES = (b'{"id":}', b'{"id":"a",}', b"{'id':'a'}", b'{"id":"\xff"}', b"nil")


def test_a_damaged_record_is_refused():
    whole = b'{"id":"b"}'
    bodies = [
        b'{"%s":%s,"%s":%s}' % (ITEM.encode(), first, TWO.encode(), second)
        for damage in DAMAGES
        for first, second in ((damage, whole), (whole, damage))
    ]

    assert [
        (body, size) for body in bodies for size in (1, None) if not is_right_or_refused(body, (ITEM, TWO), size)
    ] == []


@pytest.mark.parametrize("head", [b'{"%s":{"description":"' % ITEM.encode(), b""], ids=["a record", "no record"])
def test_a_body_beyond_the_cap_is_refused_before_it_is_whole(head):
    splitter = lookup_splitter((ITEM,))
    splitter.feed(head)
    for _ in range(LARGEST // MIB - 1):
        splitter.feed(b"x" * MIB)

    with pytest.raises(BodyTooLarge):
        splitter.feed(b"x" * (MIB + 1))


texts = st.text(max_size=12) | st.sampled_from([ITEM, f'"{TWO}": {{', f'\\"{ITEM}\\":null', '"}', "}", "\\"])
keys = st.text("abcXYZ_é", min_size=1, max_size=5) | st.sampled_from(["id", "Parent", "Exon", "error"])
leaves = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | texts
objects = st.dictionaries(
    keys,
    st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)),
    max_size=4,
)
ids = st.sampled_from([ITEM, TWO, THREE, "FBgn0000001", "YAL001C", "Y74C9A.2a.1", "YAL001C-A", "ENST00000000001"])


ANSWERS = given(
    records=st.dictionaries(ids, st.none() | objects, min_size=1, max_size=5),
    indent=st.sampled_from([None, 1, 4]),
    is_ascii=st.booleans(),
    cuts=st.lists(st.integers(0, 2000), max_size=12),
)


def come_back(answer, indent, is_ascii, cuts):
    body = json.dumps(answer, indent=indent, ensure_ascii=is_ascii).encode()
    ends = sorted({min(cut, len(body)) for cut in cuts} | {0, len(body)})
    splitter = lookup_splitter(tuple(answer))

    records = [record for start, end in itertools.pairwise(ends) for record in splitter.feed(body[start:end])]
    splitter.close()

    assert values(records) == {stable_id: record for stable_id, record in answer.items() if record is not None}


@ANSWERS
@settings(max_examples=60, deadline=None, derandomize=True)
def test_records_come_back_from_any_form_and_chunks(records, indent, is_ascii, cuts):
    come_back(records, indent, is_ascii, cuts)


@pytest.mark.sweep
@ANSWERS
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_records_come_back_from_any_form_and_chunks(records, indent, is_ascii, cuts):
    come_back(records, indent, is_ascii, cuts)


EXONS = [{"id": f"ENSE{number:011}", "start": number, "end": number + 9} for number in range(30)]
TRANSCRIPTS = [{"id": f"ENST{number:011}", "biotype": "lncRNA", "Exon": EXONS} for number in range(20)]
EXPANDED = encoded({"id": ITEM, "biotype": "lncRNA", "Transcript": TRANSCRIPTS})


def most_bytes_held(copies):
    """The memory used while this number of copies of an expanded gene arrives, each under an ID of its own."""
    names = [f"ENSG{number:011}" for number in range(1, copies + 1)]
    splitter = lookup_splitter(names)
    count = 0
    tracemalloc.start()
    for name in names:
        sent_values = b'%s"%s":%s' % (b"," if count or name != names[0] else b"{", name.encode(), EXPANDED)
        count += sum(
            len(splitter.feed(sent_values[position : position + 16_384]))
            for position in range(0, len(sent_values), 16_384)
        )
    count += len(splitter.feed(b"}"))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    splitter.close()
    assert count == copies
    return peak_bytes


def test_a_long_answer_is_held_one_record_at_a_time():
    two, twenty = most_bytes_held(2), most_bytes_held(20)

    assert twenty < two + len(EXPANDED)
    assert twenty < 40 * len(EXPANDED)  # one record as Python objects
