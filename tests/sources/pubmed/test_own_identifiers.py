"""The identifiers that a record gives to its article, if there are several, marked or misspelled ones."""

import pytest

from biofact.sources.pubmed import parse
from tests.notices import codes

pytestmark = pytest.mark.quick

RECORD = """<PubmedArticle><MedlineCitation><PMID Version="1">1</PMID><Article><ArticleTitle>A.</ArticleTitle>{places}
<AuthorList CompleteYN="{complete}"><Author ValidYN="N"><LastName>Whitely</LastName><Initials>A</Initials></Author>
<Author ValidYN="Y"><LastName>Whiteley</LastName><Initials>A</Initials></Author></AuthorList></Article>
</MedlineCitation><PubmedData><ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>"""


def article(ids="", places="", complete="Y"):
    return parse.article(RECORD.format(ids=ids, places=places, complete=complete).encode())


def article_xml(kind, value):
    return f'<ArticleId IdType="{kind}">{value}</ArticleId>'


def place(value, valid="Y", kind="doi"):
    return f'<ELocationID EIdType="{kind}" ValidYN="{valid}">{value}</ELocationID>'


def test_dois_are_read_by_one_rule_and_disagreement_is_reported(subtests):
    for ids, places, doi, expected in [
        (article_xml("doi", "10.1000/a"), place("10.1000/A"), "10.1000/a", []),
        (article_xml("doi", "10.1000/a"), place("10.1000/b"), "10.1000/a", ["MISMATCH"]),
        (article_xml("doi", "10.1000/a"), place("10.1000/b", "N"), "10.1000/a", []),
        (article_xml("doi", "10.1000/a"), place("10.1000/a", "N"), "10.1000/a", ["MISMATCH"]),
        ("", place("10.1000/b", "N"), None, []),
        ("", place("10.1000/b"), "10.1000/b", []),
        (article_xml("doi", "doi:10.1000/a"), place("https://doi.org/10.1000/a"), "10.1000/a", []),
        (article_xml("doi", "a.b.c"), place("10.1000/b"), "10.1000/b", ["INVALID_CROSS_REFERENCE"]),
        (article_xml("doi", "10.1000/a b"), "", None, ["INVALID_CROSS_REFERENCE"]),
    ]:
        with subtests.test(ids=ids, places=places, doi=doi, expected=expected):
            record = article(ids, places)

            assert (record.doi, codes(record)) == (doi, expected)


@pytest.mark.parametrize(("text", "pmc"), [("PMC3706072.1", "PMC3706072"), ("pmc12", "PMC12"), ("PMC12", "PMC12")])
def test_the_version_of_a_text_in_pmc_is_no_part_of_its_id(text, pmc):
    record = article(article_xml("pmc", text))

    assert (record.pmc, codes(record)) == (pmc, [])


def test_a_corrected_spelling_is_no_author():
    record = article()

    assert record.authors == ["Whiteley A"]
    assert len(record.author_details) == 1


def test_a_list_of_authors_that_the_record_itself_cuts_is_reported():
    assert codes(article(complete="N")) == ["NOT_COVERED"]
