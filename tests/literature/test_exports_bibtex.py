"""BibTeX, read back by a reader that matches braces and is independent of the code."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.literature.exports import bibtex, citation_keys
from biofact.sources.pubmed.records import Author, Book
from tests.literature.made_ranking import ABSTRACT, article, chapter, preprint, retracted, trial

pytestmark = pytest.mark.quick

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)


def read_bibtex(text):
    """Entries by key: kind and fields; values by matching braces, as BibTeX reads them."""
    result, position = {}, 0
    while (position := text.find("@", position)) >= 0:
        kind, key = re.match(r"@(\w+)\{([\w-]+),", text[position:]).groups()
        assert key not in result
        position += len(kind) + len(key) + 3
        fields = {}
        while not text[position:].lstrip().startswith("}"):
            name = re.match(r"\s*(\w+) = ", text[position:])
            position += name.end()
            value, position = (
                braced_value(text, position)
                if text[position] == "{"
                else (re.match(r"[a-z]{3}", text[position:])[0], position + 3)
            )
            fields[name[1]] = value
            position += text[position] == ","
        result[key] = (kind, fields)
    return result


def braced_value(text, position):
    depth = 0
    for place in range(position, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[position + 1 : place], place + 1
    raise AssertionError(f"a brace is not closed: {text[position : position + 80]!r}")


def test_bibtex_holds_everything_of_an_article():
    assert read_bibtex(bibtex([trial()])) == {
        "Aalto2023a": (
            "article",
            {
                "author": "Aalto, Maria K and Müller-Groß, Jr, Jörg and {SYNTH Investigators, Group A}",
                "title": r"{Synthestatin in \textless{}adults\textgreater{} \& mortality: a 100\% randomized\_trial}",
                "journal": "Synthetic clinical trials of biofact",
                "year": "2023",
                "month": "mar",
                "volume": "12",
                "number": "3",
                "pages": "201--212",
                "issn": "9999-9986",
                "doi": "10.5555/biofact.99000001",
                "url": "https://pubmed.ncbi.nlm.nih.gov/99000001/",
                "pmid": "99000001",
                "pmcid": "PMC99000001",
                "keywords": "statins, mortality",
                "abstract": ABSTRACT.replace("\n", " ").replace("%", r"\%"),
            },
        )
    }


OTHER_VALUES = {
    "vanderBerg2019a": (
        "incollection",
        {
            "author": "van der Berg, Anna",
            "title": "{Made-up syndromes}",
            "booktitle": "{Synthetic Reviews}",
            "editor": "Eze, Ngozi",
            "publisher": "University of Nowhere",
            "address": "Nowhere",
            "isbn": "9999999999",
            "year": "2019",
            "month": "may",
            "url": "https://pubmed.ncbi.nlm.nih.gov/99000002/",
            "pmid": "99000002",
        },
    ),
    "Aalto2022a": (
        "misc",
        {
            "author": "Aalto, M. K. and Chen, L. W. and others",
            "title": "{Early words on synthestatin}",
            "howpublished": "Synth Preprints",
            "year": "2022",
            "doi": "10.5555/biofact_pre.3",
            "url": "https://pubmed.ncbi.nlm.nih.gov/99000003/",
            "pmid": "99000003",
            "note": "Preprint, not peer-reviewed: see PMID:99000001",
        },
    ),
    "Aalto2021a": (
        "article",
        {
            "author": "Aalto, M. K.",
            "title": "{A result too good to be true}",
            "journal": "Synth Biol Lab",
            "year": "2021",
            "pages": "e17",
            "url": "https://pubmed.ncbi.nlm.nih.gov/99000004/",
            "pmid": "99000004",
            "note": "Retracted: see PMID:99000044; Expression of concern: see PMID:99000045",
        },
    ),
}


def test_bibtex_of_a_chapter_a_preprint_and_a_retracted_article():
    assert read_bibtex(bibtex([chapter(), preprint(), retracted()])) == OTHER_VALUES


def test_keys_are_unique_and_do_not_depend_on_the_order():
    articles = [article(99000001 + i, year=2019, authors=["Smith JP"]) for i in range(30)]
    other_articles = [
        article(99000041, year=2019, author_details=[Author("Łukasiewicz-Øst", "Jan")]),
        article(99000042, year=2019, author_details=[Author("王", "伟")]),
        article(99000043, authors=["Smith JP"]),
        article(99000044, year=2020, author_details=[Author(collective_name="The {TEST} Group, 2nd")]),
    ]
    result = citation_keys([*articles, *other_articles])

    assert citation_keys(reversed([*articles, *other_articles])) == result
    assert list(result.values())[:2] == ["Smith2019a", "Smith2019b"]
    assert list(result.values())[25:28] == ["Smith2019z", "Smith2019aa", "Smith2019ab"]
    assert list(result.values())[30:] == ["LukasiewiczOst2019a", "Anonymous2019a", "Smith0000a", "TheTESTGroupnd2020a"]
    assert len(set(result.values())) == len(result)


ESCAPED_SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    **{f"\\{mark}": mark for mark in "$&#%_"},
}


@settings(max_examples=40, deadline=None, derandomize=True)
@given(TEXTS.filter(str.strip), TEXTS, TEXTS)
def test_no_text_breaks_a_bibtex_entry_and_every_letter_is_there(title, abstract, name):
    item = article(99000009, f"x{title}x", abstract=abstract or None, author_details=[Author(name or "A", name or "B")])
    result = read_bibtex(bibtex([item, trial()]))
    kind, fields = next(iter(result.values()))
    text = re.sub("|".join(map(re.escape, ESCAPED_SIGNS)), lambda match: ESCAPED_SIGNS[match[0]], fields["title"][1:-1])

    assert kind == "article"
    assert text == " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", f"x{title}x").split())
    assert list(result.values())[1] == next(iter(read_bibtex(bibtex([trial()])).values()))


def test_a_name_with_an_and_in_it_stays_one_name():
    item = article(99000001, author_details=[Author("Food and Drug", "Anna"), Author("Smith, the elder", "B")])

    assert (
        next(iter(read_bibtex(bibtex([item])).values()))[1]["author"]
        == "{Food and Drug}, Anna and {Smith, the elder}, B"
    )


def test_a_doi_stays_a_link_in_bibtex():
    item = article(99000001, doi="10.1002/(SICI)1097-0142(19990501)85:9<1::AID_CN{CR}3.0.CO;2-M")
    fields = next(iter(read_bibtex(bibtex([item])).values()))[1]

    assert fields["doi"] == "10.1002/(SICI)1097-0142(19990501)85:9<1::AID_CN%7BCR%7D3.0.CO;2-M"


def test_an_article_twice_is_one_entry():
    assert len(read_bibtex(bibtex([trial(), trial()]))) == 1


def test_a_whole_book_is_a_book():
    whole = article(99000005, "Synthetic Reviews.", book=Book("Synthetic Reviews"))

    assert read_bibtex(bibtex([whole]))["Anonymous0000a"][0] == "book"
