"""Contribution, findings and novelty as authors claim them: whole sentences of theirs."""

import pytest

from biofact.literature.extraction.fields import read_fields
from tests.each_of import each_of
from tests.literature.made_articles import article_stating

pytestmark = pytest.mark.quick

CLAIMS = ("key_contribution", "novelty", "key_findings")


def read(field, abstract):
    return read_fields(article_stating(abstract), [field]).get(field)


@each_of(
    "sentence",
    [
        "We present a catalogue of moths.",
        "Here, we introduce a faster index.",
        "In this paper, we propose a measure of drift.",
        "This study describes two wards.",
        "We have recently and jointly built nothing, but we now report a map of the strait.",
        "A new dye for nerves is presented.",
        "This is the first report of a moth on the island.",
        "Our results show that zinc shortens colds.",
    ],
)
def test_the_sentence_in_which_authors_say_what_they_present_is_the_contribution(sentence):
    finding = read("key_contribution", f"Moths are many. {sentence} Nights were warm.")

    assert finding.value == sentence
    assert finding.evidence[0].quote == sentence


@each_of(
    "abstract",
    [
        "Moths were counted on 40 nights. There were 300.",
        "BACKGROUND: We present what was known.\nMETHODS: Moths were counted.",
        "We reviewed 16 cases of colds.",
        "We previously developed a trap.",
        "The authors of earlier work propose a trap.",
        "It was found that moths fly.",
    ],
)
def test_without_such_a_sentence_there_is_no_contribution(abstract):
    assert read("key_contribution", abstract) is None


def test_a_presented_contribution_comes_before_a_shown_one_and_a_secondary_one():
    abstract = "We show that traps work. Finally, we describe a lamp. We introduce a trap."
    finding = read("key_contribution", abstract)

    values = [finding.value, *(other.value for other in finding.siblings)]
    assert values == ["We introduce a trap.", "We show that traps work.", "Finally, we describe a lamp."]


@each_of(
    ("abstract", "value"),
    [
        ("We show, for the first time, that moths sing.", "We show, for the first time, that moths sing."),
        ("We propose a novel trap.", "We propose a novel trap."),
        ("We propose a trap.", None),
        ("Novel traps are sold everywhere.", None),
        (f"We show that moths avoid {'lamps and ' * 9}novel traps.", None),
    ],
)
def test_only_what_authors_call_new_is_novelty(abstract, value):
    finding = read("novelty", abstract)

    assert (finding.value if finding else None) == value


def test_findings_are_the_sentences_that_say_what_was_found():
    finding = read("key_findings", "METHODS: We found a field.\nRESULTS: We found 3 moths. These data suggest dusk.")

    assert [finding.value, *(other.value for other in finding.siblings)] == [
        "We found 3 moths.",
        "These data suggest dusk.",
    ]


def test_a_conclusion_is_the_finding_where_no_other_sentence_says_one():
    finding = read("key_findings", "RESULTS: 3 moths flew.\nCONCLUSIONS: Moths fly at dusk. Lamps need study.")

    assert (finding.value, finding.siblings) == ("Moths fly at dusk.", ())


@each_of("field", CLAIMS)
def test_a_title_alone_claims_nothing(field):
    assert read(field, "") is None
