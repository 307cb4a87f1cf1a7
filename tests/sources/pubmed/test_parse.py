"""Every recorded answer of PubMed, read whole."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.dialects import eutils
from biofact.sources.pubmed import parse
from biofact.transport.service import Transient
from tests.recordings import recording
from tests.sources.pubmed import recorded, walk


@pytest.mark.parametrize("name", recorded.ARTICLES)
def test_nothing_that_a_recorded_record_tells_is_lost(name):
    body = recording(name)
    told = {walk.pmid(record): record for record in walk.records(body) if walk.pmid(record) != recorded.TITLELESS}
    found = {pmid: parse.article(piece) for pmid, piece in recorded.pieces(body) if piece and pmid in told}

    assert {pmid: record.model_dump(exclude={"notices"}) for pmid, record in found.items()} == {
        pmid: walk.book(record) if record.tag == "PubmedBookArticle" else walk.article(record)
        for pmid, record in told.items()
    }


def test_a_record_without_any_title_is_no_article():
    body = recording("pubmed/jabref_MedlineImporterTestBookArticleSet.xml")

    with pytest.raises(UpstreamError, match="without a title"):
        parse.article(dict(recorded.pieces(body))[recorded.TITLELESS])


def test_a_record_without_a_pmid_is_damaged():
    with pytest.raises(Transient, match="no PMID"):
        recorded.pieces(recording(recorded.WITHOUT_PMID))


def test_an_error_in_place_of_articles_is_told():
    with pytest.raises(Transient, match="in place of"):
        recorded.pieces(recording(recorded.ERROR))


@pytest.mark.parametrize("name", recorded.SEARCHES)
def test_a_recorded_search_is_read(name):
    answer = eutils.search_answer(recording(name))

    assert answer.error is None
    assert len(answer.uids) == answer.count > 0
