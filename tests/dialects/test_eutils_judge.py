"""Verdicts on NCBI's failures; the bodies are those of the E-utilities as recorded or reported."""

import json

import pytest

from biofact.dialects.eutils import ErrorMessage, found_error, judge
from tests.dialects.wire import answer, xml

pytestmark = pytest.mark.quick

STATUSES = [200, 400, 500]
BACKEND = "Search Backend failed: Couldn't connect to the search service"
CAP = "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve"
EXCEPTION = 'NCBI C++ Exception:\n    Error: UNK_MODULE(CException::eInvalid) "UNK_FILE", line 18446744073709551615'
RELAYED = "Unable to fetch: proxy_stream(): got <html><head><title>502 Bad Gateway</title></head></html> from PubOne"
HTML = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\n<html><head><title>WWW Error 500</title></head></html>'
)

LIMITED = [
    '{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"4","limit":"3"}',
    '{"error":"API rate limit exceeded","count":"11"}',
    '\ufeff \n{"count":"11", "error": "API rate limit exceeded"}\n',
    xml("eSummaryResult", "<ERROR>API rate limit exceeded</ERROR>"),
]
TRANSIENT = [
    xml("eSearchResult", f"<ERROR>{BACKEND}</ERROR>"),
    json.dumps({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"ERROR": BACKEND}}),
    '{"header":{"type":"esearch"},"esearchresult":{"ERROR":"' + EXCEPTION.replace('"', "'") + '"}}',  # raw newline
    xml("eFetchResult", f"<ERROR>{EXCEPTION}</ERROR>"),
    xml("eFetchResult", f"\n\t<ERROR>{RELAYED}</ERROR>\n"),
    xml("eFetchResult", f"<ERROR><![CDATA[{RELAYED}]]></ERROR>"),
    xml("eFetchResult", "<ERROR>Failed to connect to PubOne service</ERROR>"),
    xml("eLinkResult", "<ERROR>Couldn't resolve #exLinkSrv2, the address table is empty.</ERROR>"),
    xml("eLinkResult", "<LinkSet><DbFrom>gene</DbFrom><ERROR>the address table is empty</ERROR></LinkSet>"),
    json.dumps({"linksets": [], "ERROR": "Couldn't resolve #exLinkSrv2, the address table is empty."}),
    xml("eFetchResult", f"<ERROR>{RELAYED}")[:260],  # the head of a body ends anywhere
    HTML,
    f'<?xml version="1.0"?>\n<!-- a --><!-- b -->\n{HTML}',
    "\n<HTML><BODY>Service Unavailable</BODY></HTML>",
]
REFUSED = [
    '{"error":"API key invalid","api-key":"abc","type":"client","status":"unknown"}',
    xml("eSearchResult", f"<ERROR>{CAP}</ERROR>"),
    xml("eSearchResult", f"<ERROR>{CAP.replace(chr(39), '&apos;')}</ERROR>"),
    json.dumps({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"ERROR": CAP}}),
    '{"header":{},"esearchresult":{"ERROR":"' + CAP + '"}}',  # raw newline
    '{"header":{},"esearchresult":{"ERROR":"Empty term and query_key - nothing todo"}}',
    xml("eSearchResult", "<ERROR>Empty term and query_key - nothing todo</ERROR>"),
    '{"header":{},"error":"Invalid uid abc at position=0"}',
    '{"error":"Invalid uid abc at position=0","result":{"uids":[]}}',
    '{"header":{},"result":{"uids":[]},"error":"Invalid uid abc at position=0"}',
    '{"error":"Invalid uid abc","result":{}}',
    '{"error":"Invalid uid abc","linksets":[]}',
    xml("eSummaryResult", "<ERROR>Invalid uid abc</ERROR><DocumentSummarySet status='OK'></DocumentSummarySet>"),
    xml("eSummaryResult", "<ERROR>Invalid uid abc</ERROR>\n<DocumentSummarySet/>\n"),
    '{"esummaryresult":["Empty id list - nothing todo"]}',
    xml("eSummaryResult", "<ERROR>Neither query_key nor id specified</ERROR>"),
    xml("eFetchResult", "<ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR>"),
    xml("eFetchResult", "<ERROR>Supplied id parameter is empty.</ERROR>"),
    xml("ePostResult", "<ERROR>Empty ID list; Nothing to store</ERROR><ERROR>Some IDs have invalid value</ERROR>"),
]
REFUSED_WHERE_DATA_WERE_DUE = [  # by the status alone they might be worse
    xml("ePostResult", "<ERROR>Invalid db name specified: nothing</ERROR>"),
    xml("eSearchResult", "<ERROR>Invalid db name specified: Search Backend failed</ERROR>"),
    '{"einforesult":{"dbinfo":["Can not retrieve DbInfo for db=nothing"]}}',
    "Bad Request (400): Mandatory parameter: db - is omitted",
]


def judged_otherwise(bodies, statuses, verdict):
    """The bodies with another verdict."""
    verdicts = {(body, status): judge(answer(body, status)) for body in bodies for status in statuses}
    return {case: other for case, other in verdicts.items() if other != verdict}


def test_too_many_requests_are_reported_under_any_status():
    assert judged_otherwise(LIMITED, [*STATUSES, 429], "limited") == {}


def test_trouble_behind_the_service_may_pass_under_any_status():
    assert judged_otherwise(TRANSIENT, [200, 500], "transient") == {}


def test_trouble_behind_the_service_under_a_400_is_relayed():
    relayed = [body for body in TRANSIENT if found_error(answer(body).body)]

    assert judged_otherwise(relayed, [400], "relayed") == {}


def test_a_request_that_cannot_be_answered_is_refused_under_any_status():
    assert judged_otherwise(REFUSED, STATUSES, "refused") == {}


def test_an_error_in_place_of_data_is_refused():
    assert judged_otherwise(REFUSED_WHERE_DATA_WERE_DUE, [200, 400], "refused") == {}


def test_without_words_the_status_decides():
    bodies = ["", "<eSearchResult><Count>0</Count></eSearchResult>", '{"esearchresult":{}}']

    assert judged_otherwise(bodies, [200], "good") == {}
    assert judged_otherwise(bodies, [400, 404], "refused") == {}
    assert judged_otherwise(bodies, [408, 502], "transient") == {}
    assert judged_otherwise(bodies, [429], "limited") == {}


def test_plain_words_count_when_the_status_is_an_error():
    assert judge(answer("proxy_stream(): Failed to connect to PubOne service", 400)) == "relayed"
    assert judge(answer("proxy_stream is named in this gene table", 200)) == "good"


ALARM = f"API rate limit exceeded. {BACKEND}. {EXCEPTION} ERROR <ERROR> proxy_stream() <html> API key invalid"
ESCAPED = ALARM.replace("<", "&lt;")


def test_data_that_mention_errors_stay_good():
    bodies = [
        json.dumps({"header": {}, "result": {"uids": ["1"], "1": {"uid": "1", "summary": ALARM, "error_note": ALARM}}}),
        json.dumps({"esearchresult": {"count": "1", "idlist": ["1"], "querytranslation": f'"error":"{ALARM}"'}}),
        json.dumps({"esearchresult": {"count": "0", "errorlist": {"phrasesnotfound": ['],"ERROR":"x', ALARM]}}}),
        json.dumps({"result": {"uids": ["1"], "1": {"uid": "1", "error": "cannot get document summary"}}}),
        json.dumps({"error": "Invalid uid abc at position=1", "result": {"uids": ["1"], "1": {"uid": "1"}}}),
        xml("eSearchResult", f"<Count>0</Count><QueryTranslation>{ESCAPED}</QueryTranslation>"),
        xml("eSearchResult", f"<Count>0</Count><ErrorList><PhraseNotFound>{ESCAPED}</PhraseNotFound></ErrorList>"),
        xml("PubmedArticleSet", f"<PubmedArticle><AbstractText>{ESCAPED}</AbstractText></PubmedArticle>"),
        xml("PubmedArticleSet", f"<PubmedArticle><AbstractText><![CDATA[{ALARM}]]></AbstractText></PubmedArticle>"),
        xml("Entrezgene-Set", f"<Entrezgene><Entrezgene_summary>{ESCAPED}</Entrezgene_summary></Entrezgene>"),
        xml(
            "eSummaryResult",
            '<DocumentSummarySet><DocumentSummary uid="1"><error>x</error></DocumentSummary></DocumentSummarySet>',
        ),
        xml("eSummaryResult", "<ERROR>UID=999999999: cannot get document summary</ERROR>"),
        xml("eSpellResult", "<Query>Search Backend failed</Query><ERROR/>"),
        xml("ePostResult", "<ERROR>Some IDs have invalid value and were omitted.</ERROR><QueryKey>1</QueryKey>"),
        xml("eLinkResult", "<LinkSet><DbFrom>medgen</DbFrom><IdList><Id>0</Id></IdList></LinkSet>"),
        xml("PubmedArticleSet", ""),
        f"1. Journal of Errors. 2020. {ALARM}",
    ]

    assert judged_otherwise(bodies, [200], "good") == {}


def test_data_longer_than_the_head_stay_good():
    docsums = {str(uid): {"uid": str(uid), "summary": ALARM} for uid in range(100)}

    assert judge(answer(json.dumps({"result": {"uids": list(docsums), **docsums}}))) == "good"


def test_judging_a_long_body_takes_no_time():
    body = "<!-- a -->" * 100_000 + "<eSearchResult>" + "<ERROR" * 100_000

    assert judge(answer(body)) == "good"  # a slow pattern would never get here


def test_the_words_of_an_error_are_found(subtests):
    cases = [
        (LIMITED[0], "API rate limit exceeded", "limited"),
        (TRANSIENT[0], BACKEND, "transient"),
        (REFUSED[0], "API key invalid", "key"),
        (REFUSED[2], CAP.replace("\n", " "), "query"),
        (REFUSED[4], CAP.replace("\n", " "), "query"),
        (REFUSED[5], "Empty term and query_key - nothing todo", "query"),
        (REFUSED[7], "Invalid uid abc at position=0", "ids"),
        (REFUSED[14], "Empty id list - nothing todo", "ids"),
        (REFUSED_WHERE_DATA_WERE_DUE[0], "Invalid db name specified: nothing", "other"),
        (REFUSED_WHERE_DATA_WERE_DUE[1], "Invalid db name specified: Search Backend failed", "other"),
        (REFUSED_WHERE_DATA_WERE_DUE[2], "Can not retrieve DbInfo for db=nothing", "other"),
        (REFUSED_WHERE_DATA_WERE_DUE[3], REFUSED_WHERE_DATA_WERE_DUE[3], "other"),
    ]
    for body, words, kind in cases:
        with subtests.test(body=body, words=words):
            error = found_error(answer(body).body)

            assert error == words
            assert error.kind == kind


def test_the_page_in_an_error_is_reported_without_its_markup():
    error = found_error(TRANSIENT[4])

    assert error == "Unable to fetch: proxy_stream(): got 502 Bad Gateway from PubOne"


def test_an_answer_without_an_error_has_no_message():
    bodies = ["", "{", HTML, '{"esearchresult":{"count":"0"}}', xml("eSpellResult", "<ERROR/>"), "text"]

    assert {body: found_error(answer(body).body) for body in bodies} == dict.fromkeys(bodies)


def test_the_message_of_an_absent_record_is_recognised():
    assert ErrorMessage("cannot get document summary").kind == "absent"
    assert ErrorMessage("UID=999999999: cannot get document summary").kind == "absent"
