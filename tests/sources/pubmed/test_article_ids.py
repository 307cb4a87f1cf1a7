"""DOIs and PubMed Central IDs: in one form, the valid one where two disagree; and authors whose spelling was mended."""

import pytest

from biofact.sources.pubmed import parse

RECORD = (
    "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>Title</ArticleTitle>{article}</Article>"
    "</MedlineCitation><PubmedData><ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>"
)


def record(ids="", article=""):
    return parse.article(RECORD.format(ids=ids, article=article).encode())


def own(kind, value):
    return f'<ArticleId IdType="{kind}">{value}</ArticleId>'


def at_publisher(value, is_valid="Y"):
    return f'<ELocationID EIdType="doi" ValidYN="{is_valid}">{value}</ELocationID>'


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        *(("PMC3706072", "PMC3706072"), ("PMC3706072.1", "PMC3706072"), ("pmc3706072", "PMC3706072")),
        *(("3706072", "PMC3706072"), ("PMC", None), ("NIHMS1234", None)),
    ],
)
def test_an_id_of_pubmed_central_has_one_form(written, expected):
    found = record(own("pmc", written))

    assert found.pmc == expected
    assert [notice.code for notice in found.notices] == ([] if expected else ["INVALID_CROSS_REFERENCE"])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        *(("10.1056/NEJMoa2001191", "10.1056/NEJMoa2001191"), ("doi:10.1000/182", "10.1000/182")),
        *(("https://doi.org/10.1000/182", "10.1000/182"), ("http://dx.doi.org/10.1000/182", "10.1000/182")),
        *(("S0140-6736(02)08558-2", None), ("10.1000", None)),
    ],
)
def test_a_doi_has_one_form(written, expected):
    found = record(own("doi", written))

    assert found.doi == expected
    assert [notice.code for notice in found.notices] == ([] if expected else ["INVALID_CROSS_REFERENCE"])


def test_one_doi_in_two_cases_and_forms_is_one():
    found = record(own("doi", "10.1000/ABC"), at_publisher("https://doi.org/10.1000/abc"))

    assert (found.doi, found.notices) == ("10.1000/ABC", [])


def test_of_two_dois_that_disagree_the_articles_own_counts_and_the_other_is_named():
    found = record(own("doi", "10.1000/own"), at_publisher("10.1000/other"))

    assert found.doi == "10.1000/own"
    assert [(notice.code, notice.message) for notice in found.notices] == [
        ("SEVERAL_VALUES", "Also doi 10.1000/other.")
    ]


def test_a_doi_that_is_not_valid_counts_for_nothing():
    found = record(article=at_publisher("10.1000/wrong", "N") + at_publisher("10.1000/right"))

    assert (found.doi, found.notices) == ("10.1000/right", [])


def test_a_spelling_that_was_mended_is_no_author():
    people = "".join(
        f'<Author ValidYN="{is_valid}"><LastName>{name}</LastName><Initials>RJ</Initials></Author>'
        for name, is_valid in [("Dunkel", "Y"), ("Whitley", "Y"), ("Whitely", "N")]
    )

    found = record(article=f"<AuthorList>{people}</AuthorList>")

    assert found.authors == ["Dunkel RJ", "Whitley RJ"]
    assert [person.last_name for person in found.author_details] == ["Dunkel", "Whitley"]
