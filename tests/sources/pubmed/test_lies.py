"""Services that lie, ignore the request or send odd shapes: a right answer or an honest error, never an empty list
for a renamed field, and never another article's facts."""

import json

import pytest

from biofact.core.errors import BiofactError, EntityNotFound, UpstreamError
from biofact.sandbox import Fault
from tests.sandboxed import on_sandbox

pytestmark = pytest.mark.quick

PMIDS = ["99000022", "11832527"]
ARTICLE = """<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID><Article><Journal><JournalIssue><PubDate>
<Year>{year}</Year></PubDate></JournalIssue></Journal><ArticleTitle>{title}</ArticleTitle><AuthorList CompleteYN="Y">
<Author ValidYN="Y"><LastName>Who</LastName></Author></AuthorList><PublicationTypeList/></Article></MedlineCitation>
<PubmedData><ArticleIdList/></PubmedData></PubmedArticle>"""


def article(pmid, title="A.", year="2020"):
    return ARTICLE.format(pmid=pmid, title=title, year=year)


def articles(*records, name="PubmedArticleSet"):
    return f"<{name}>{''.join(records)}</{name}>".encode()


def search(*uids, **changes):
    values = {"count": str(len(uids)), "retmax": "20", "retstart": "0", "idlist": list(uids), "translationset": [],
              "querytranslation": "x"} | changes  # fmt: skip
    return json.dumps({"esearchresult": {name: value for name, value in values.items() if value != "gone"}}).encode()


def icite(*rows, name="data"):
    return json.dumps({"meta": {}, name: list(rows)}).encode()


def fixed_answer(path, body, times=None):
    return Fault("body", path=path, body=body, times=times)


def run_tool(tool, *arguments, faults=(), **options):
    return on_sandbox("pubmed", lambda pubmed, _: getattr(pubmed, tool)(*arguments, **options), *faults)


def read(body):
    """The result of a batch of two when efetch sends this body: titles, or codes of failures."""
    try:
        page = run_tool("pubmed_get_articles", PMIDS, faults=[fixed_answer("efetch", body)])
    except BiofactError as error:
        return error.code
    return [getattr(item, "title", None) or item.error.code for item in page.items]


def test_articles_are_those_that_were_asked_for_or_none(subtests):
    for body, expected in [
        # another article, besides the requested one or in its place
        (articles(article(1, "Other."), article(99000022)), ["A.", "ENTITY_NOT_FOUND"]),
        # the other way round
        (articles(article(11832527, "B."), article(99000022)), ["A.", "B."]),
        # twice the same
        (articles(article(99000022), article(99000022), article(11832527, "B.")), ["A.", "B."]),
        # numbers with blanks around them
        (articles(article(" 99000022 "), article(11832527, "B.")), ["A.", "B."]),
    ]:
        with subtests.test(body=body, expected=expected):
            assert read(body) == expected


OF_ANY_SERVICE = {"a web page", "JSON", "nothing", "null", "a list"}
"""Bodies that any service may send, and that are read alike from each."""


def body_pairs(odd):
    """Two sets of parameters: bodies that this service alone could send, for the quick tier; the others for a sweep."""
    own_bodies = {name: body for name, body in odd.items() if name not in OF_ANY_SERVICE}
    usual_bodies = {name: body for name, body in odd.items() if name in OF_ANY_SERVICE}
    return [pytest.param(own_bodies, id="own"), pytest.param(usual_bodies, id="others", marks=pytest.mark.sweep)]


ODD_BODIES = {
    "renamed records": articles(article(99000022)).replace(b"PubmedArticle>", b"PubmedRecord>"),
    "renamed root": articles(article(99000022), name="Articles"),
    "no title": articles(article(99000022, ""), article(11832527, "")),
    "no PMID": articles(article(""), article("")),
    "renamed PMID": articles(article(99000022)).replace(b"PMID", b"UID"),
    "renamed title": articles(article(99000022), article(11832527)).replace(b"ArticleTitle", b"Title1"),
    "a web page": b"<!DOCTYPE html><html><body>Maintenance</body></html>",
    "JSON": b'{"articles": []}',
    "nothing": b"",
    "null": b"null",
    "cut": articles(article(99000022), article(11832527))[:300],
    "a list of nothing else": b"<PubmedArticleSet><Nothing/></PubmedArticleSet>",
}


@pytest.mark.parametrize("bodies", body_pairs(ODD_BODIES))
def test_damage_is_never_an_absent_or_empty_article(bodies, subtests):
    for name, body in bodies.items():
        with subtests.test(case=name):
            records = read(body)

            assert records == "UPSTREAM_ERROR" or set(records) == {"UPSTREAM_ERROR"}


ODD_SEARCHES = {
    "renamed list": search(*PMIDS).replace(b"idlist", b"ids"),
    "null list": search(*PMIDS, idlist=None),
    "no list": search(*PMIDS, idlist="gone"),
    "empty list for a count": search(*PMIDS, idlist=[]),
    "renamed count": search(*PMIDS).replace(b"count", b"total"),
    "null count": search(*PMIDS, count=None),
    "words for a count": search(*PMIDS, count="many"),
    "renamed result": search(*PMIDS).replace(b"esearchresult", b"result"),
    "a web page": b"<!DOCTYPE html><html><body>Maintenance</body></html>",
    "cut": search(*PMIDS)[:60],
    "a list": b"[]",
    "null": b"null",
    "nothing": b"",
}


@pytest.mark.parametrize("bodies", body_pairs(ODD_SEARCHES))
def test_a_search_that_cannot_be_read_is_no_empty_list(bodies, subtests):
    for name, body in bodies.items():
        with subtests.test(case=name), pytest.raises(UpstreamError):
            run_tool("pubmed_search", "metformin", faults=[fixed_answer("esearch", body)])


def test_numbers_as_text_doubled_rows_and_extra_fields_change_nothing(subtests):
    for body in [
        search(*PMIDS),
        search(*PMIDS, count=2),
        search(*PMIDS, PMIDS[0], count="2", idlist=[*PMIDS, PMIDS[0]]),
        search(*PMIDS, idlist=[int(pmid) for pmid in PMIDS]),
        search(*PMIDS, extra={"a": [1]}),
    ]:
        with subtests.test(body=body):
            result = run_tool("pubmed_search", "metformin", faults=[fixed_answer("esearch", body)])

            assert [article.id for article in result.articles] == [f"PMID:{pmid}" for pmid in PMIDS]
            assert result.total_results == 2


def test_a_search_that_lists_more_than_was_asked_for_is_cut():
    result = run_tool("pubmed_search", "metformin", max_results=1, faults=[fixed_answer("esearch", search(*PMIDS))])

    assert [article.id for article in result.articles] == ["PMID:99000022"]


def test_nothing_found_is_nothing_found():
    result = run_tool("pubmed_search", "metformin", faults=[fixed_answer("esearch", search())])

    assert (result.articles, result.total_results) == ([], 0)
    assert "UNMATCHED" in [notice.code for notice in result.notices]


SCORED_ROWS = [{"item_id": f"PMID:{pmid}", "total_score": 0.5} for pmid in PMIDS]
CITED = {"pmid": 99000022, "citation_count": 7, "relative_citation_ratio": 1.5}


def ranked(body):
    answer = run_tool(
        "pubmed_filter_rank", SCORED_ROWS, filters={"min_citation_count": 5}, faults=[fixed_answer("pubs", body)]
    )
    return [row.item_id for row in answer.ranked_articles], [row.citation_count for row in answer.ranked_articles]


def test_citations_are_those_of_the_article(subtests):
    for body in [
        icite(CITED),
        icite(CITED, CITED),
        icite({**CITED, "citation_count": "7"}),
        icite({**CITED, "pmid": "99000022", "more": None}),
        icite(CITED, {**CITED, "pmid": 5, "citation_count": 900}),
    ]:
        with subtests.test(body=body):
            assert ranked(body) == (["PMID:99000022"], [7])


ODD_COUNTS = {
    "renamed list": icite(CITED, name="publications"),
    "null list": b'{"data": null}',
    "renamed count": icite({"pmid": 99000022, "cited": 7}),
    "null count": icite({**CITED, "citation_count": None}),
    "renamed pmid": icite({"uid": 99000022, "citation_count": 7}),
    "null pmid": icite({**CITED, "pmid": None}),
    "a web page": b"<!DOCTYPE html><html><body>Maintenance</body></html>",
    "cut": icite(CITED)[:30],
    "a list": b"[]",
    "nothing": b"",
}


@pytest.mark.parametrize("bodies", body_pairs(ODD_COUNTS))
def test_counts_that_cannot_be_read_are_not_unknown(bodies, subtests):
    for name, body in bodies.items():
        with subtests.test(case=name), pytest.raises(UpstreamError):
            ranked(body)


def test_an_article_that_pubmed_leaves_out_of_a_whole_answer_is_absent():
    with pytest.raises(EntityNotFound):
        run_tool(
            "pubmed_extract_features",
            {"sample_size": "number"},
            ["PMID:45"],
            faults=[fixed_answer("efetch", articles())],
        )
