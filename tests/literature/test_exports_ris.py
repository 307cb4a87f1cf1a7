"""RIS, read back line by line by a reader that is independent of the code."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.exports import ris
from biofact.sources.pubmed.records import Author, Book, Status
from tests.each_of import each_of
from tests.literature.made_ranking import ABSTRACT, article, chapter, preprint, retracted, trial

pytestmark = pytest.mark.quick

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)


def read_ris(text):
    """Records as lists of tag and value; fails on a line without a tag."""
    assert text.endswith("\r\n")
    records = []
    for line in text.split("\r\n"):
        if not line:
            continue
        tag, value = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line).groups()
        if tag == "TY":
            records.append([])
        if tag != "ER":
            records[-1].append((tag, value))
    assert text.count("ER  - \r\n") == len(records)
    return records


def test_ris_holds_everything_of_an_article():
    assert read_ris(ris([trial()])) == [
        [
            ("TY", "JOUR"),
            ("AU", "Aalto, Maria K"),
            ("AU", "Müller-Groß, Jörg, Jr"),
            ("AU", "SYNTH Investigators, Group A"),
            ("TI", "Synthestatin in <adults> & mortality: a 100% randomized_trial"),
            ("T2", "Synthetic clinical trials of biofact"),
            ("JO", "Synth Clin Trials"),
            ("PY", "2023"),
            ("DA", "2023/03/17/"),
            ("VL", "12"),
            ("IS", "3"),
            ("SP", "201"),
            ("EP", "212"),
            ("SN", "9999-9986"),
            ("DO", "10.5555/biofact.99000001"),
            ("UR", "https://pubmed.ncbi.nlm.nih.gov/99000001/"),
            ("AB", ABSTRACT.replace("\n", " ")),
            ("KW", "statins"),
            ("KW", "mortality"),
            ("KW", "Humans"),
            ("KW", "Mortality"),
            ("LA", "eng"),
            ("AN", "99000001"),
            ("C2", "PMC99000001"),
            ("DB", "PubMed"),
        ]
    ]


OTHER_VALUES = [
    [
        ("TY", "CHAP"),
        ("AU", "van der Berg, Anna"),
        ("TI", "Made-up syndromes"),
        ("T2", "Synthetic Reviews"),
        ("ED", "Eze N"),
        ("PB", "University of Nowhere"),
        ("CY", "Nowhere"),
        ("SN", "9999999999"),
        ("PY", "2019"),
        ("DA", "2019/05//"),
        ("UR", "https://pubmed.ncbi.nlm.nih.gov/99000002/"),
        ("AN", "99000002"),
        ("DB", "PubMed"),
    ],
    [
        ("TY", "UNPB"),
        ("AU", "Aalto, M. K."),
        ("AU", "Chen, L. W."),
        ("TI", "Early words on synthestatin"),
        ("T2", "Synth Preprints"),
        ("JO", "Synth Preprints"),
        ("PY", "2022"),
        ("DA", "2022///"),
        ("DO", "10.5555/biofact_pre.3"),
        ("UR", "https://pubmed.ncbi.nlm.nih.gov/99000003/"),
        ("AN", "99000003"),
        ("DB", "PubMed"),
        ("N1", "Preprint, not peer-reviewed: see PMID:99000001."),
        ("N1", "2 of 9 authors are listed."),
    ],
    [
        ("TY", "JOUR"),
        ("AU", "Aalto, M. K."),
        ("TI", "A result too good to be true"),
        ("T2", "Synth Biol Lab"),
        ("JO", "Synth Biol Lab"),
        ("PY", "2021"),
        ("DA", "2021///"),
        ("SP", "e17"),
        ("UR", "https://pubmed.ncbi.nlm.nih.gov/99000004/"),
        ("AN", "99000004"),
        ("DB", "PubMed"),
        ("N1", "Retracted: see PMID:99000044."),
        ("N1", "Expression of concern: see PMID:99000045."),
    ],
]


def test_ris_of_a_chapter_a_preprint_and_a_retracted_article():
    assert read_ris(ris([chapter(), preprint(), retracted()])) == OTHER_VALUES


@settings(max_examples=40, deadline=None, derandomize=True)
@given(TEXTS.filter(str.strip), TEXTS, TEXTS)
def test_no_text_breaks_a_ris_record(title, abstract, name):
    item = article(99000001, title, abstract=abstract or None, author_details=[Author(collective_name=name or None)])
    records = read_ris(ris([item, trial()]))

    assert [record[0] for record in records] == [("TY", "JOUR"), ("TY", "JOUR")]
    assert records[1] == read_ris(ris([trial()]))[0]


@each_of(
    ("pages", "first", "last"),
    [
        ("201-12", "201", "212"),
        ("1201-1212", "1201", "1212"),
        ("e17", "e17", None),
        ("S12-8", "S12", "S18"),
        ("S12-S28", "S12", "S28"),
        ("393-403; discussion 404-6", "393", "403"),
        ("99-105", "99", "105"),
        ("xii-xx, 1", "xii-xx, 1", None),
    ],
)
def test_last_pages_are_written_in_full(pages, first, last):
    result = dict(read_ris(ris([article(99000001, pages=pages)]))[0])

    assert (result["SP"], result.get("EP")) == (first, last)


def test_a_status_that_does_not_count_against_an_article_makes_no_note():
    item = article(99000001, status=[Status("published_preprint", "PMID:99000003"), Status("update", "PMID:1")])

    assert "N1" not in dict(read_ris(ris([item]))[0])


def test_a_whole_book_is_a_book():
    whole = article(99000005, "Synthetic Reviews.", book=Book("Synthetic Reviews", publisher="Nowhere"))

    assert read_ris(ris([whole]))[0][:3] == [("TY", "BOOK"), ("TI", "Synthetic Reviews"), ("PB", "Nowhere")]
