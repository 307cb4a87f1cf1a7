"""Every recorded answer of PubMed, read whole."""

from xml.etree import ElementTree as ET

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects import eutils
from biofact.sources.pubmed import parse
from biofact.transport.service import Transient
from tests.recordings import recording
from tests.sources.pubmed import recorded, walk
from tests.tiers import sample_and_rest

pytestmark = pytest.mark.quick


ICITE = {  # count, ratio and whether it is clinical, by PMID
    "links/icite_pubs_two_20240225.json": {"23456789": (46, 1.78, False), "27599104": (222, 9.87, False)},
    "links/icite_pubs_32162448_2025.json": {"32162448": (17, 2.18475199552701, True)},
}


def test_both_forms_of_icite_are_read(subtests):
    for name, expected in ICITE.items():
        with subtests.test(name=name):
            splitter = parse.citation_rows()
            rows = splitter.feed(recording(name))
            splitter.close()

            cited = {pmid: parse.citations(row) for pmid, row in rows}
            assert {pmid: (row.count, row.relative_ratio, row.is_clinical) for pmid, row in cited.items()} == expected


@pytest.mark.parametrize("names", sample_and_rest(recorded.ARTICLES, 60))
def test_all_facts_of_a_recorded_record_are_kept(names, subtests):
    for name in names:
        with subtests.test(name=name):
            body = recording(name)
            records = {walk.pmid(record): record for record in walk.records(body)}
            records.pop(recorded.TITLELESS, None)
            pieces = recorded.pieces(body)
            articles = {pmid: parse.article(piece) for pmid, piece in pieces if piece and pmid in records}
            notices = {pmid: [notice.code for notice in record.notices] for pmid, record in articles.items()}

            assert {pmid: record.model_dump(exclude={"notices"}) for pmid, record in articles.items()} == {
                pmid: walk.book(record) if record.tag == "PubmedBookArticle" else walk.article(record)
                for pmid, record in records.items()
            }
            assert notices == {pmid: walk.notices(record) for pmid, record in records.items()}


def test_an_author_in_an_unusual_form_is_read_whole(subtests):
    for author in [
        "<LastName>X<sub>2</sub></LastName><ForeName>Ann</ForeName><Initials>A</Initials><Suffix>Jr</Suffix>",
        "<LastName> van  Dam </LastName><ForeName>A&amp;B</ForeName><Initials> </Initials>",
        "<CollectiveName>The <i>Danio</i> group</CollectiveName>",
        (
            '<LastName>Low</LastName><Identifier Source="GRID">grid.1</Identifier>'
            '<Identifier Source="ORCID">https://orcid.org/0000-0002-1825-0097</Identifier>'
            "<AffiliationInfo><Affiliation>Here <i>and</i> now</Affiliation></AffiliationInfo>"
            "<AffiliationInfo><Affiliation>There</Affiliation></AffiliationInfo>"
        ),
    ]:
        with subtests.test(author=author):
            payload = (
                "<PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>Title</ArticleTitle><AuthorList>"
                f"<Author><LastName>First</LastName></Author><Author>{author}</Author></AuthorList></Article>"
                "</MedlineCitation></PubmedArticle>"
            ).encode()
            (element,) = ET.fromstring(payload).findall(".//Author[2]")

            assert parse.article(payload).model_dump()["author_details"][1] == walk.author(element)


def test_a_record_without_any_title_is_no_article():
    body = recording("pubmed/jabref_MedlineImporterTestBookArticleSet.xml")

    with pytest.raises(UpstreamError, match="without a title"):
        parse.article(dict(recorded.pieces(body))[recorded.TITLELESS])


def test_a_record_without_a_pmid_is_damaged():
    with pytest.raises(Transient, match="no PMID"):
        recorded.pieces(recording(recorded.WITHOUT_PMID))


def test_an_error_in_place_of_articles_is_refused():
    with pytest.raises(Transient, match="in place of"):
        recorded.pieces(recording(recorded.ERROR))


def test_a_recorded_search_is_read(subtests):
    for name in recorded.SEARCHES:
        with subtests.test(name=name):
            answer = eutils.search_answer(recording(name))

            assert answer.error is None
            assert len(answer.uids) == answer.count > 0
