"""Cutting PubMed's documents into articles."""

import io
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.core.errors import UpstreamError
from biofact.dialects.xml import HostileDocument
from biofact.sources.pubmed import parse
from biofact.transport.service import BodyTooLarge, Transient
from tests.misencoded import misencoded
from tests.recordings import recording
from tests.sources.pubmed import recorded
from tests.sources.splitting import records_of

pytestmark = pytest.mark.quick

PROLOG = (
    b'<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    b'"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n<PubmedArticleSet>\n'
)
END = b"</PubmedArticleSet>"
REFERENCES = (
    "<ReferenceList><Title>Of &lt;/PubmedArticle&gt;</Title><Reference><Citation>One</Citation><ArticleIdList>"
    '<ArticleId IdType="pubmed">999</ArticleId><ArticleId IdType="doi">10.1000/cited</ArticleId></ArticleIdList>'
    "</Reference></ReferenceList><ReferenceList><Reference><Citation>Two</Citation></Reference></ReferenceList>"
)
DELETED = b'<DeleteCitation>\n<PMID Version="1">31</PMID>\n<PMID Version="1">32</PMID></DeleteCitation>'


def article_xml(pmid, title, *, abstract="", authors="", references=""):
    return (
        f'<PubmedArticle>\n <MedlineCitation Status="MEDLINE" Owner="NLM">\n  <PMID Version="1">{pmid}</PMID>\n'
        f'  <Article PubModel="Print"><Journal><Title>Journal</Title></Journal>\n'
        f"  <ArticleTitle>{title}</ArticleTitle>{abstract}{authors}</Article></MedlineCitation>\n <PubmedData>"
        f'<ArticleIdList><ArticleId IdType="doi">10.1000/{pmid}</ArticleId></ArticleIdList>{references}</PubmedData>'
        "</PubmedArticle>"
    ).encode()


def book(pmid, title):
    return (
        f'<PubmedBookArticle><BookDocument><PMID Version="1">{pmid}</PMID><Book><Publisher><PublisherName>P'
        f"</PublisherName></Publisher><BookTitle>{title}</BookTitle></Book><Sections><Section><SectionTitle>Parts"
        "</SectionTitle></Section></Sections></BookDocument></PubmedBookArticle>"
    ).encode()


def body(*pieces):
    return PROLOG + b"\n".join(pieces) + b"\n" + END


RICH = article_xml(
    "11",
    "p &lt; 0.05 &amp; <i>rising</i>",
    abstract='<Abstract><AbstractText Label="P > 0.05">Ends with &lt;/PubmedArticle&gt;.</AbstractText></Abstract>',
    authors="<AuthorList Type='a>b'><Author><LastName>Müller</LastName><Initials>J</Initials></Author></AuthorList>",
    references=REFERENCES,
)
BODY = body(RICH, article_xml("12", "Second"), book("13", "Third"))


def cut(document, size=None):
    return records_of(parse.ArticleSplitter(), document, size)


def feed(splitter, chunks, *, ends):
    for chunk in chunks:
        yield from splitter.feed(chunk)
    if ends:
        splitter.close()


def before_a_failure(splitter, chunks, *, ends=False):
    """The articles of chunks that fail: while they are fed, or else at their end."""
    pieces = []
    with pytest.raises(Transient):
        pieces.extend(feed(splitter, chunks, ends=ends))
    return pieces


def titles(pieces):
    return [(pmid, parse.article(piece).title) for pmid, piece in pieces]


def test_chunks_of_any_size_give_the_same_articles(subtests):
    for size in [1, 7, 64, 4096, None]:
        with subtests.test(size=size):
            assert cut(BODY, size) == cut(BODY)
            assert titles(cut(BODY, size)) == [("11", "p < 0.05 & rising"), ("12", "Second"), ("13", "Third")]


@pytest.mark.parametrize("examples", [50, pytest.param(200, marks=pytest.mark.sweep)])
def test_wherever_chunks_end_the_articles_are_the_same(examples):
    whole = cut(BODY)

    @given(st.lists(st.integers(0, len(BODY)), max_size=12))
    @settings(max_examples=examples, deadline=None, derandomize=True)
    def are(places):
        ends = [0, *sorted(places), len(BODY)]
        splitter = parse.ArticleSplitter()
        pieces = [piece for start, end in itertools.pairwise(ends) for piece in splitter.feed(BODY[start:end])]
        splitter.close()

        assert pieces == whole

    are()


@pytest.mark.parametrize("size", [999, 1 << 16])
def test_a_recorded_file_of_the_baseline_may_be_cut_anywhere(size):
    document = recording("pubmed/fatcat_pubmedsample_2019_partA.xml.gz")

    assert cut(document, size) == recorded.pieces(document)


def test_a_file_is_read_as_a_stream():
    assert list(parse.records(io.BytesIO(BODY))) == cut(BODY)


@pytest.mark.parametrize("size", [1, 13, None])
def test_deleted_articles_of_an_update_file_have_no_record(size):
    pieces = cut(body(RICH, DELETED), size)

    assert [pmid for pmid, _ in pieces] == ["11", "31", "32"]
    assert [piece for _, piece in pieces[1:]] == [b"", b""]


def test_an_update_that_only_deletes_has_no_articles():
    assert cut(body(DELETED)) == [("31", b""), ("32", b"")]


def test_a_bare_article_needs_no_set(subtests):
    for bare in [RICH, b'<?xml version="1.0"?>\n' + RICH, RICH + b"\n", book("11", "p")]:
        with subtests.test(bare=bare):
            assert [pmid for pmid, _ in cut(bare, 5)] == ["11"]


@pytest.mark.parametrize("empty", [body(), b"<PubmedArticleSet/>", b"<PubmedBookArticleSet></PubmedBookArticleSet>"])
def test_an_empty_set_has_no_articles(empty):
    assert cut(empty) == cut(empty, 1) == []


def test_references_are_cut_out_and_their_identifiers_ignored():
    ((_, piece),) = cut(body(RICH))
    article = parse.article(piece)

    assert b"Reference" not in piece
    assert (article.doi, article.pmid) == ("10.1000/11", "11")


def test_titles_of_a_books_chapters_are_cut_out():
    ((_, piece),) = cut(body(book("13", "Third")))

    assert b"Section" not in piece
    assert parse.article(piece).title == "Third"


def test_signs_in_attributes_and_text_do_not_mislead_the_parser():
    article = parse.article(cut(BODY)[0][1])

    assert article.abstract == "P > 0.05: Ends with </PubmedArticle>."
    assert article.authors == ["Müller J"]


def test_blanks_count_for_one():
    loose = RICH.replace(b"<i>rising</i>", b"\r\n\t <i>rising</i>").replace(b"Second", b"Sec\n  ond")

    assert titles(cut(body(loose))) == [("11", "p < 0.05 & rising")]


def test_a_document_that_ends_early_is_refused_after_its_whole_articles(subtests):
    for cut_at in range(0, len(BODY) - 1, 23):
        with subtests.test(cut_at=cut_at):
            pieces = before_a_failure(parse.ArticleSplitter(), [BODY[:cut_at]], ends=True)

            assert pieces == cut(BODY)[: len(pieces)]
            assert len(pieces) == sum(
                BODY[:cut_at].count(end) for end in (b"</PubmedArticle>", b"</PubmedBookArticle>")
            )


DAMAGE = {
    "tags that do not match": article_xml("1", "<b>A</i>"),
    "a tag that is not closed": article_xml("1", "<b>A"),
    "an article within an article": article_xml("1", "<PubmedArticle>A"),
    "no PMID": RICH.replace(b"PMID", b"PMIX"),
    "an unknown entity": article_xml("1", "A&copy;"),
    "bytes that are not UTF-8": article_xml("1", "A").replace(b"Journal<", b"\xff<"),
    "a cut character": article_xml("1", "A").replace(b"Journal<", b"\xc3<"),
    "a character that XML does not have": article_xml("1", "A\x08"),
    "an attribute that is not closed": article_xml("1", "A").replace(b'Print"', b"Print"),
    "an attribute twice": article_xml("1", "A").replace(b'Owner="NLM"', b'Owner="NLM" Owner="NLM"'),
    "an error": b"<ERROR>Backend failed</ERROR>",
    "text": b"garbage",
}


END_OF_ALL = ("an error", "text")
"""Damage that leaves no telling where the next article begins."""


def test_articles_beside_a_damage_are_returned_and_the_damage_is_reported_after(subtests):
    for (name, damage), size in itertools.product(DAMAGE.items(), [1, 100_000]):
        with subtests.test(case=name, size=size):
            document = body(RICH, damage, article_xml("12", "Second"))
            chunks = [document[position : position + size] for position in range(0, len(document) + size, size)]

            splitter = parse.ArticleSplitter()

            readable = (
                [("11", "p < 0.05 & rising")] if name in END_OF_ALL else [("11", "p < 0.05 & rising"), ("12", "Second")]
            )
            assert titles(before_a_failure(splitter, chunks, ends=True)) == readable
            with pytest.raises(Transient):
                splitter.close()


ENTITY = b'<!ENTITY a "x">'
HOSTILE = {
    "an internal subset": BODY.replace(b'.dtd">', b'.dtd" [' + ENTITY + b"]>"),
    "an expansion": b'<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><PubmedArticleSet>&b;</PubmedArticleSet>',
    "an external entity": b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + RICH,
    "a root inside an entity": b'<!DOCTYPE a [<!ENTITY a "<PubmedArticleSet>">]><PubmedArticleSet></PubmedArticleSet>',
    "a parameter entity": b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://localhost/"> %b;]>' + RICH,
    "a declaration inside an article": body(RICH.replace(b"<Journal>", ENTITY + b"<Journal>")),
    "a DTD inside an article": body(RICH.replace(b"<Journal>", b"<!DOCTYPE a []><Journal>")),
    "a declaration in the references, which are cut out": body(RICH.replace(b"One", ENTITY)),
    "a declaration among deletions": body(DELETED.replace(b"31", ENTITY)),
}


def test_a_hostile_document_is_refused(subtests):
    for (name, document), size in itertools.product(HOSTILE.items(), [1, None]):
        with subtests.test(case=name, size=size), pytest.raises(HostileDocument):
            cut(document, size)


def test_an_encoding_that_could_hide_a_declaration_is_refused(subtests):
    for place, document in enumerate(misencoded(BODY)):
        with subtests.test(place=place), pytest.raises(UpstreamError, match="encoded"):
            cut(document)


def test_something_else_in_place_of_articles_is_refused(subtests):
    for document, size in itertools.product(
        [
            b"",
            b"  ",
            b"{}",
            b'{"error":"API rate limit exceeded"}',
            b"<html><body>Service unavailable</body></html>",
            b"<eFetchResult><ERROR>ID list is empty</ERROR></eFetchResult>",
            b"<Entrezgene-Set></Entrezgene-Set>",
            b"PubmedArticleSet><PubmedArticleSet/>",
            BODY + BODY,
            BODY + b"trailing",
        ],
        [1, None],
    ):
        with subtests.test(document=document, size=size), pytest.raises(Transient):
            cut(document, size)


ODD = {
    "a comment": RICH.replace(b"<Journal>", b"<!-- </PubmedArticle> <PubmedArticle> --><Journal>"),
    "an instruction": RICH.replace(b"<Journal>", b"<?x </PubmedArticle>?><Journal>"),
    "a CDATA section": RICH.replace(b"p &lt; 0.05 &amp; ", b"<![CDATA[p < 0.05 & ]]>"),
    "a PMID in a comment": RICH.replace(b"<PMID", b"<!--<PMID>99</PMID>--><PMID", 1),
}


def test_markup_that_hides_tags_hides_nothing(subtests):
    for (name, article), size in itertools.product(ODD.items(), [1, 7, None]):
        with subtests.test(case=name, size=size):
            assert titles(cut(body(article, RICH), size)) == [("11", "p < 0.05 & rising")] * 2


def test_an_article_beyond_the_cap_is_refused():
    splitter = parse.ArticleSplitter(largest_record=1000)

    with pytest.raises(BodyTooLarge):
        splitter.feed(body(article_xml("1", "x" * 1000)))


@pytest.mark.parametrize("examples", [75, pytest.param(300, marks=pytest.mark.sweep)])
def test_damage_of_any_kind_is_refused_or_does_no_harm(examples):
    @given(st.binary(max_size=12), st.integers(0, len(BODY)), st.integers(0, 40), st.integers(1, 3000))
    @settings(max_examples=examples, deadline=None, derandomize=True)
    def is_right_or_refused(bytes_put_in, position, bytes_taken_out, size):
        document = BODY[:position] + bytes_put_in + BODY[position + bytes_taken_out :]
        try:
            pieces = cut(document, size)
            articles = [parse.article(piece) for _, piece in pieces if piece]
        except (Transient, UpstreamError):
            return

        assert [pmid for pmid, piece in pieces if piece] == [article.pmid for article in articles]
        assert pieces == cut(document)

    is_right_or_refused()
