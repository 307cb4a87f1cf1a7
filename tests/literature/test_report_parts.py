"""The parts of a page: texts that stay texts, links, values, and evidence marked in an abstract."""

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.records import Evidence
from biofact.literature.report.articles import EvidenceSpan, hues, in_words, mark_evidence, spans
from biofact.literature.report.markup import doi_link, escape, number, pubmed_link, tag, web_link
from tests.each_of import each_of
from tests.literature.made_page import Reader
from tests.literature.made_ranking import EVIDENCE, article

pytestmark = pytest.mark.quick


def test_evidence_is_marked_only_at_its_quote():
    answer = {
        "right": [Evidence(where="abstract", quote="once", start=0, end=4)],
        "moved": [Evidence(where="abstract", quote="twice", start=0, end=5)],
        "somewhere": [Evidence(where="abstract", quote="and")],
        "ambiguous": [Evidence(where="abstract", quote="x")],
        "absent": [Evidence(where="abstract", quote="never", start=3, end=8)],
        "negative": [Evidence(where="abstract", quote="x", start=-1, end=0)],
        "title": [Evidence(where="title", quote="once", start=0, end=4)],
        "empty": [Evidence(where="abstract", quote="", start=0, end=0)],
    }

    assert spans("once and twice x x", answer) == [
        EvidenceSpan(0, 4, "right"),
        EvidenceSpan(5, 8, "somewhere"),
        EvidenceSpan(9, 14, "moved"),
    ]


@st.composite
def _evidence(draw):
    text = draw(st.text(st.sampled_from("ab <&>\n\u202e\"'\U0001f9ec"), min_size=1, max_size=40))
    result = {}
    for field in draw(st.lists(st.sampled_from(["n", "effect.value", "<b>"]), unique=True)):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        result[field] = [Evidence(where="abstract", quote=text[start:end], start=start, end=end)]
    return text, result


@given(_evidence())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_marking_changes_no_letter_of_an_abstract(drawn):
    text, evidence = drawn
    read_back = Reader(mark_evidence(article(99000001, abstract=text), evidence, hues(evidence)))

    assert "\n".join(read_back.all("p")) == text.replace("\u202e", "\ufffd")
    lengths = dict.fromkeys(evidence, 0)
    for name, answer, texts in read_back.elements:
        if name == "mark":
            for field in answer["data-field"].split(", "):
                lengths[field] += len("".join(texts))
    assert lengths == {field: len(place.quote) - place.quote.count("\n") for field, (place,) in evidence.items()}


@given(st.text(), st.text())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_content_stays_text(content, value):
    read_back = Reader(tag("p", content, title=value))

    assert [name for name, _, _ in read_back.elements] == ["p"]
    clean = "".join(read_back.text).removesuffix("\n")
    assert clean == html.unescape(escape(content))
    assert read_back.elements[0][1]["title"] == html.unescape(escape(value))


@each_of(
    ("link", "text"),
    [
        (
            pubmed_link("PMID:99000001"),
            '<a href="https://pubmed.ncbi.nlm.nih.gov/99000001/" rel="noopener noreferrer">PMID:99000001</a>',
        ),
        (pubmed_link("PMID:1/../x"), "PMID:1/../x"),
        (pubmed_link('"><b>'), "&quot;&gt;&lt;b&gt;"),
        (
            doi_link("10.1002/1<1::A>3#"),
            '<a href="https://doi.org/10.1002/1%3C1::A%3E3%23" rel="noopener noreferrer">10.1002/1&lt;1::A&gt;3#</a>',
        ),
        (doi_link("javascript:alert(1)"), "javascript:alert(1)"),
        (web_link("http://example.org", "x"), "x"),
        (web_link(None, "x"), "x"),
    ],
)
def test_links_lead_only_where_identifiers_lead(link, text):
    assert link == text


@each_of(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (1204, "1204"),
        (45_678, "45,678"),
        (0.5, "0.5"),
        (["a", True], "a; yes"),
        ({"value": 0.71, "range": [0.55, 0.92]}, "value 0.71, range 0.55; 0.92"),
        (None, "None"),
    ],
)
def test_values_are_written_as_people_write_them(value, words):
    assert in_words(value) == words


@each_of(("value", "text"), [(0.123, "0.12"), (-0.5, "\u22120.50"), (-0.001, "0.00"), (0, "0.00")])
def test_numbers_have_a_true_minus_and_no_negative_nothing(value, text):
    assert number(value) == text


def test_every_field_has_a_colour_that_nested_ones_share():
    assert hues(["effect.value", "effect.low", "a", *(f"z{i}" for i in range(9))])["effect"] == 1
    assert set(hues(EVIDENCE["PMID:99000001"])) == {"sample_size", "study_type", "effect", "p_value", "primary_outcome"}
