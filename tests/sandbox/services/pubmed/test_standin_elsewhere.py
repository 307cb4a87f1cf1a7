"""The stand-ins beside PubMed's: MeSH as a database, and iCite. No recording shows iCite's answers."""

import json
from urllib.parse import quote

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed.corpus import starter_citations
from biofact.sandbox.services.pubmed.mesh import MeshDatabase
from biofact.sandbox.services.pubmed.standin import IciteStandIn, PubMedDatabase, starter_corpus
from biofact.sandbox.standin import ServiceRequest
from tests.sandbox.dialects.eutils_calls import body, json_answer, reply

pytestmark = pytest.mark.quick

PUBMED = EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())
MESH = EutilsStandIn(MeshDatabase(starter_corpus().mesh), HistoryServer())
ICITE = IciteStandIn(starter_corpus(), starter_citations())


def search(term):
    return json_answer(MESH, "esearch", f"db=mesh&term={quote(term)}")["esearchresult"]


# MeSH as a database


def mesh_terms(term):
    result = search(term)
    summaries = (
        json_answer(MESH, "esummary", f"db=mesh&id={','.join(result['idlist'])}")["result"] if result["idlist"] else {}
    )
    return [summaries[uid]["ds_meshterms"][0] for uid in result["idlist"]]


def test_a_heading_is_found_by_name_entry_term_and_words(subtests):
    cases = [
        ("metformin", "Metformin"),
        ("Breast Cancer[MH]", "Breast Neoplasms"),
        ("gut flora", "Gastrointestinal Microbiome"),
        ('"type 2 diabetes"[mh]', "Diabetes Mellitus, Type 2"),
        ("artificial intell*", "Artificial Intelligence"),
        ("D008687", "Metformin"),
        ("D008687[MHUI]", "Metformin"),
        ("68008687[uid]", "Metformin"),
        ("biguanide", "Metformin"),
    ]
    for term, first in cases:
        with subtests.test(term=term):
            assert mesh_terms(term)[0] == first


def test_words_that_no_heading_holds_find_none():
    assert mesh_terms("xyzzy") == []
    assert search("xyzzy")["errorlist"]["phrasesnotfound"] == ["xyzzy"]
    assert search("metformin[tiab]")["errorlist"]["fieldsnotfound"] == ["tiab"]


def test_a_summary_of_a_heading_has_its_place_in_the_tree():
    result = json_answer(MESH, "esummary", "db=mesh&id=68003924,1")["result"]
    diabetes = result["68003924"]

    assert diabetes["ds_meshui"] == "D003924"
    assert diabetes["ds_meshterms"][:2] == ["Diabetes Mellitus, Type 2", "Type 2 Diabetes"]
    assert diabetes["ds_scopenote"].endswith("[biofact starter text]")
    assert diabetes["ds_idxlinks"][0] == {"parent": 68003920, "treenum": "C18.452.394.750.149", "children": []}
    assert result["1"]["error"] == "cannot get document summary"


def test_headings_above_know_those_below():
    [heading] = [
        place
        for place in json_answer(MESH, "esummary", "db=mesh&id=68003920")["result"]["68003920"]["ds_idxlinks"]
        if place["treenum"] == "C18.452.394.750"
    ]

    assert set(heading["children"]) == {68003922, 68003924}


def test_records_of_mesh_are_refused():
    answer = reply(MESH, "efetch", "db=mesh&id=68003924&retmode=xml")

    assert answer.status == 400
    assert b"ask esummary" in body(answer)
    assert json_answer(MESH, "einfo", "db=mesh")["einforesult"]["dbinfo"][0]["menuname"] == "MeSH"


def test_each_stand_in_leaves_the_other_database_alone():
    request = ServiceRequest("GET", "/esearch.fcgi", (("db", "mesh"), ("term", "metformin")))

    assert PUBMED.reply(request) is None
    assert MESH.reply(request) is not None


# iCite


def cited(query, path="/pubs", method="GET"):
    params = tuple(tuple(pair.split("=", 1)) for pair in query.split("&") if pair)
    answer = ICITE.reply(ServiceRequest(method, path, params))
    return answer.status, json.loads(answer.body)


def test_icite_counts_the_citations_that_it_knows():
    status, document = cited("pmids=11832527,9997,99000001")

    assert status == 200
    assert [row["pmid"] for row in document["data"]] == [11832527, 99000001]
    assert document["data"][0]["citation_count"] == 15200
    assert document["data"][0]["is_clinical"] is True
    assert document["data"][1]["references"] == [11832527, 99999901]
    assert document["data"][1]["year"] == 2023


def test_icite_has_no_ratio_for_a_new_article():
    [row] = cited("pmids=99000050&fl=pmid,relative_citation_ratio,citation_count,provisional")[1]["data"]

    assert row == {"pmid": 99000050, "relative_citation_ratio": None, "citation_count": 0, "provisional": True}


def test_icite_gives_one_article_by_its_path():
    assert cited("", "/pubs/11832527")[1]["nih_percentile"] == 100
    assert cited("", "/pubs/9997")[0] == 404


def test_icite_refuses_what_it_does_not_have(subtests):
    cases = [
        ("pmids=1&colour=red", "/pubs", "GET", 400),
        ("pmids=abc", "/pubs", "GET", 400),
        ("pmids=11832527&fl=colour", "/pubs", "GET", 400),
        ("pmids=" + ",".join(map(str, range(1, 202))), "/pubs", "GET", 400),
        ("pmids=1", "/pubs", "POST", 405),
        ("", "/papers", "GET", 404),
    ]
    for query, path, method, status in cases:
        with subtests.test(query=query, path=path, method=method):
            status_seen, document = cited(query, path, method)

            assert status_seen == status
            assert document["error"]


def test_icite_answers_no_pmids_with_no_rows():
    assert cited("pmids=99999999") == (
        200,
        {"meta": {"pmids": "99999999"}, "links": {"self": "", "next": ""}, "data": []},
    )
