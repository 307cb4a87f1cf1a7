"""The status of an article, in every form that NLM's DTD of 2025 has: recorded, or written by hand."""

import pytest

from biofact.sources.pubmed import parse
from tests.recordings import needs_recordings
from tests.sources.pubmed import recorded

pytestmark = pytest.mark.quick

LANGUAGES = {"eng", "ger", "fre", "spa", "chi", "kor", "swe", "dut", "nor", "und", "en"}
"""All recorded values; ``en`` is from an old book."""
ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">1</PMID>
<Article PubModel="Print"><Journal><Title>A journal</Title><JournalIssue><PubDate><Year>2024</Year></PubDate>
</JournalIssue></Journal><ArticleTitle>A title.</ArticleTitle>
<PublicationTypeList>{types}</PublicationTypeList></Article>
<CommentsCorrectionsList>{links}</CommentsCorrectionsList></MedlineCitation><PubmedData></PubmedData></PubmedArticle>"""


def link(kind, pmid="2", source="Another journal. 2024;1:1.", note=""):
    text = f'<PMID Version="1">{pmid}</PMID>' if pmid else ""
    note_xml = f"<Note>{note}</Note>" if note else ""
    return (
        f'<CommentsCorrections RefType="{kind}"><RefSource>{source}</RefSource>{text}{note_xml}</CommentsCorrections>'
    )


def article(*links, types=("Journal Article",)):
    text = "".join(f'<PublicationType UI="D000000">{name}</PublicationType>' for name in types)
    body = ARTICLE.format(types=text, links="".join(links)).replace("\n", "")
    return parse.article(body.encode())


def status_of(*links, types=("Journal Article",)):
    return [(item.kind, item.points_to) for item in article(*links, types=types).status]


def test_a_link_has_the_status_of_the_article_and_the_place_of_the_notice(subtests):
    for link_kind, kind in [
        ("RetractionIn", "retracted"),
        ("RetractedandRepublishedIn", "retracted"),
        ("PartialRetractionIn", "partially_retracted"),
        ("RetractionOf", "retraction_notice"),
        ("PartialRetractionOf", "retraction_notice"),
        ("ErratumIn", "corrected"),
        ("CorrectedandRepublishedIn", "corrected"),
        ("ErratumFor", "correction_notice"),
        ("ExpressionOfConcernIn", "expression_of_concern"),
        ("ExpressionOfConcernFor", "expression_of_concern_notice"),
        ("RepublishedIn", "republished"),
        ("RepublishedFrom", "republished"),
        ("CorrectedandRepublishedFrom", "republished"),
        ("RetractedandRepublishedFrom", "republished"),
        ("UpdateIn", "updated"),
        ("UpdateOf", "update"),
    ]:
        with subtests.test(link_kind=link_kind, kind=kind):
            assert status_of(link(link_kind)) == [(kind, "PMID:2")]
            assert status_of(link(link_kind, pmid="")) == [(kind, None)]


def test_a_link_that_changes_nothing_is_no_status(subtests):
    for kind in ["Cites", "CommentIn", "CommentOn", "SummaryForPatientsIn", "AssociatedDataset"]:
        with subtests.test(kind=kind):
            assert status_of(link(kind)) == []


def test_a_publication_type_says_it_where_nothing_is_pointed_to(subtests):
    for name, kind in [
        ("Retracted Publication", "retracted"),
        ("Retraction of Publication", "retraction_notice"),
        ("Retraction Notice", "retraction_notice"),
        ("Published Erratum", "correction_notice"),
        ("Expression of Concern", "expression_of_concern_notice"),
        ("Corrected and Republished Article", "republished"),
        ("Preprint", "preprint"),
    ]:
        with subtests.test(name=name, kind=kind):
            assert status_of(types=("Journal Article", name)) == [(kind, None)]


def test_a_status_with_a_link_is_not_repeated():
    assert status_of(link("RetractionIn"), types=("Retracted Publication",)) == [("retracted", "PMID:2")]
    assert status_of(link("PartialRetractionIn"), types=("Retracted Publication",)) == [
        ("partially_retracted", "PMID:2")
    ]


def test_a_preprint_points_to_what_was_published_of_it():
    assert status_of(link("UpdateIn"), types=("Preprint",)) == [("preprint", "PMID:2")]


def test_a_published_article_points_to_its_preprint(subtests):
    for source in ["bioRxiv. 2024 Jan 2:2024.01.01.", "medRxiv. 2023.", "Res Sq. 2022.", "Preprints. 1."]:
        with subtests.test(source=source):
            assert status_of(link("UpdateOf", source=source)) == [("published_preprint", "PMID:2")]


@pytest.mark.parametrize(
    ("kind", "is_retracted"), [("RetractionIn", True), ("PartialRetractionIn", True), ("RetractionOf", None)]
)
def test_the_retracted_article_is_marked_and_the_notice_is_not(kind, is_retracted):
    assert article(link(kind)).retracted is is_retracted


def test_a_note_and_a_citation_are_kept():
    (item,) = article(link("ExpressionOfConcernIn", note="Figure 2.")).status

    assert (item.source, item.note) == ("Another journal. 2024;1:1.", "Figure 2.")


@needs_recordings
def test_the_recorded_retraction_is_one():
    article = parse.article(recorded.payload("8863847"))

    assert article.retracted is True
    assert "retracted" in [item.kind for item in article.status]


@needs_recordings
def test_the_recorded_forms_of_articles_are_all_there():
    articles = [
        parse.article(piece)
        for name in recorded.ARTICLES
        for pmid, piece in recorded.pieces(recorded.recording(name))
        if piece and pmid != recorded.TITLELESS
    ]

    assert {code for item in articles for code in item.language} == LANGUAGES
    assert sum(item.book is not None for item in articles) >= 5
    assert sum(any(author.collective_name for author in item.author_details) for item in articles) >= 2
    assert {"retracted", "corrected", "correction_notice", "republished", "updated", "update"} <= {
        status.kind for item in articles for status in item.status
    }
    publication_date_texts = {item.publication_date_text for item in articles if item.publication_date_text}
    assert any("-" in text for text in publication_date_texts)  # a span
    assert any(season in text for text in publication_date_texts for season in ("Spring", "Summer", "Fall", "Winter"))
    lengths = {len(item.publication_date) for item in articles if item.publication_date}
    assert lengths == {4, 7, 10}
