"""EBI Search: its answers, and the terms of its query language."""

import json

import pytest

from biofact.dialects import ebi_search
from biofact.transport.service import Answer, Transient
from tests.recordings import recording

pytestmark = pytest.mark.quick

MELANOMA = "ensembl/ebisearch_ensembl_gene_query_melanoma.json"


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (200, '{"hitCount":0,"entries":[]}', "good"),
        (200, '{"error":"something bad has happened"}', "transient"),
        (400, '{"error":"Too many requests"}', "limited"),
        (400, '{"error":"The query cannot be parsed"}', "refused"),
        (404, "<html></html>", "refused"),
    ],
)
def test_an_answer_is_judged_by_its_status_and_the_words_of_its_error(status, body, verdict):
    assert ebi_search.judge(Answer(status, {}, body.encode(), "https://www.ebi.ac.uk")) == verdict


def test_a_recorded_answer_is_read_field_by_field():
    hits = ebi_search.entries(0, recording(MELANOMA))

    payload = json.loads(recording(MELANOMA))
    assert hits.count == payload["hitCount"]
    assert [entry.id for entry in hits.found.items] == [row["id"] for row in payload["entries"]]
    assert hits.found.items[0].fields == {
        name: values for name, values in payload["entries"][0]["fields"].items() if values
    }


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"hitCount":1,"entries":[]}', b'{"hitCount":0,"entries":[{"id":"x"}]}', b'{"entries":[]}']
)
def test_an_answer_that_contradicts_itself_is_not_believed(body):
    with pytest.raises(Transient):
        ebi_search.entries(0, body)


@pytest.mark.parametrize(
    ("words", "term"),
    [
        ("tumor protein", "tumor AND protein"),
        ("TNF-alpha receptor", '"tnf alpha" AND receptor'),
        ("catenin and cadherin", "catenin AND cadherin"),
        ("AND", "and"),
    ],
)
def test_all_words_have_to_be_there_and_parts_of_one_side_by_side(words, term):
    assert ebi_search.all_words(words) == term


def test_names_with_signs_stand_in_quotes_unless_the_signs_are_syntax():
    assert ebi_search.verbatim("si:dkey-204f11.64") == '("si:dkey-204f11.64")'
    assert ebi_search.verbatim("TP53") is None
    assert ebi_search.verbatim('l(2)gl"') is None


def test_patterns_one_letter_away_leave_digits_alone():
    assert ebi_search.one_letter_off("br1", 4) == ["br1"]
    patterns = ebi_search.one_letter_off("brca1", 4)
    assert {"brca1", "b?ca1", "bra1", "bcra1", "brca?1"} <= set(patterns)
    assert not any(pattern.startswith("?") for pattern in patterns)
    assert all("1" in pattern for pattern in patterns)
