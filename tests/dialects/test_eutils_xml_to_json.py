"""The same content in JSON and in XML, and content without a recording."""

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects import eutils
from biofact.dialects.eutils import LinkAnswer, LinkSet, PostAnswer
from biofact.transport.service import Transient
from tests.dialects.wire import xml
from tests.dialects.xml_and_json import (
    ARTICLE,
    DATABASE,
    DATABASE_XML,
    GENE,
    LINKS,
    LINKS_XML,
    SEARCH,
    SEARCH_XML,
    SUMMARIES,
    SUMMARIES_XML,
)

pytestmark = pytest.mark.quick

TWINS: list[tuple[Callable[[bytes], Any], dict[str, Any], bytes]] = [
    (eutils.search_answer, SEARCH, xml("eSearchResult", SEARCH_XML)),
    (eutils.summaries, SUMMARIES, xml("eSummaryResult", SUMMARIES_XML)),
    (eutils.link_answer, LINKS, xml("eLinkResult", LINKS_XML)),
    (eutils.info_answer, {"einforesult": {"dbinfo": [DATABASE]}}, xml("eInfoResult", DATABASE_XML)),
    (eutils.info_answer, {"einforesult": {"dbinfo": DATABASE}}, xml("eInfoResult", DATABASE_XML)),
    (
        eutils.info_answer,
        {"einforesult": {"dblist": ["pubmed", "gene"]}},
        xml("eInfoResult", "<DbList><DbName>pubmed</DbName><DbName>gene</DbName></DbList>"),
    ),
    (
        eutils.search_answer,
        {"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}},
        xml("eSearchResult", "<ERROR>Empty term and query_key - nothing todo</ERROR>"),
    ),
    (
        eutils.info_answer,
        {"einforesult": {"dbinfo": ["Can not retrieve DbInfo for db=nothing"]}},
        xml("eInfoResult", "<ERROR>Can not retrieve DbInfo for db=nothing</ERROR>"),
    ),
]
READERS = sorted({read for read, _, _ in TWINS} | {eutils.post_answer, eutils.spell_answer}, key=lambda r: r.__name__)


def test_xml_and_json_read_alike(subtests):
    for reader, document, twin in TWINS:
        with subtests.test(read=reader.__name__, document=document):
            assert reader(json.dumps(document).encode()) == reader(twin)


def test_all_facts_of_a_search_are_read():
    answer = eutils.search_answer(json.dumps(SEARCH).encode())

    assert (answer.count, answer.retstart, answer.uids) == (1234, 40, ("672", "7157"))
    assert (answer.web_env, answer.query_key, answer.error) == ("MCID_1", "1", None)
    assert answer.query_translation == 'BRCA1[All Fields] AND "Homo sapiens"[Organism] AND x < y'
    assert (answer.phrases_not_found, answer.fields_not_found) == (("fleegle", "flugel"), ("nofield",))
    assert (answer.phrases_ignored, answer.quoted_phrases_not_found) == (("the",), ('"no such phrase"',))


def test_a_uid_without_a_docsum_is_no_docsum():
    answer = eutils.summaries(json.dumps(SUMMARIES).encode())

    assert answer.uids == ("4747", "999999999", "1")
    assert answer.docsums == {"4747": GENE, "1": ARTICLE}
    assert answer.errors == {"999999999": "cannot get document summary"}
    assert answer.errors["999999999"].kind == "absent"


def test_a_uid_without_a_docsum_in_the_old_form_is_one_record_missing():
    body = xml("eSummaryResult", "<ERROR>UID=999999999: cannot get document summary</ERROR><DocSum><Id>7</Id></DocSum>")

    answer = eutils.summaries(body)

    assert answer.docsums == {"7": {"uid": "7"}}
    assert answer.errors == {"999999999": "cannot get document summary"}
    assert answer.error is None


def test_links_are_reported_by_source_and_name():
    answer = eutils.link_answer(json.dumps(LINKS).encode())

    assert answer.linksets[0] == LinkSet(
        "gene",
        ("7157",),
        {"gene_pubmed": ("12032546", "20937277"), "gene_pubmed_rif": ("20937277",)},
        {"gene_pubmed_rif": {"20937277": 91}},
    )
    assert answer.linksets[1] == LinkSet("gene", ("672",))


@pytest.mark.parametrize("ids", [["7157"], [{"value": "7157"}], [7157]])
def test_source_ids_are_read_in_every_spelling(ids):
    body = json.dumps({"linksets": [{"dbfrom": "gene", "ids": ids}]}).encode()

    assert eutils.link_answer(body) == LinkAnswer((LinkSet("gene", ("7157",)),))


@pytest.mark.parametrize(
    "fields",
    [
        {"idchecklist": {"ids": [{"value": "1", "hasneighbor": "Y"}, {"value": "2", "hasneighbor": "N"}]}},
        {"idchecklist": {"idlinksets": [{"id": "1", "linkinfos": [{"dbto": "gene"}]}, {"id": "2"}]}},
        {"idurllist": [{"id": "1", "objurls": [{"provider": {"id": "3162"}}]}, {"id": "2", "info": "No links"}]},
        {"idurllist": {"idurlsets": [{"id": "1"}, {"id": "2"}]}},
    ],
)
def test_checks_and_linkout_in_json_keep_the_uids(fields):
    body = json.dumps({"linksets": [{"dbfrom": "pubmed", **fields}]}).encode()

    assert eutils.link_answer(body).linksets[0].source_ids == ("1", "2")


def test_an_error_of_one_linkset_stays_with_it():
    linksets = [{"dbfrom": "gene", "ids": ["1"], "ERROR": "Invalid uid"}, {"dbfrom": "gene", "ids": ["672"]}]

    first, second = eutils.link_answer(json.dumps({"linksets": linksets}).encode()).linksets

    assert (first.error, second.error) == ("Invalid uid", None)


def test_epost_reports_the_ids_that_it_omitted():
    body = xml(
        "ePostResult",
        "<InvalidIdList><Id>abc</Id><Id>-1</Id></InvalidIdList><QueryKey>1</QueryKey><WebEnv>MCID_3</WebEnv>"
        "<ERROR>IDs contain invalid characters which was treated as delimiters.</ERROR>"
        "<ERROR>Some IDs have invalid value and were omitted.</ERROR>",
    )

    answer = eutils.post_answer(body)

    assert answer == PostAnswer("1", "MCID_3", ("abc", "-1"), answer.error)
    assert answer.error.startswith("IDs contain invalid characters")
    assert answer.error.endswith("were omitted.")
    assert answer.error.kind == "ids"


def test_an_error_that_may_pass_is_never_an_answer(subtests):
    places = [
        lambda error: {"esearchresult": {"count": "0", "idlist": [], "ERROR": error}},
        lambda error: {"result": {"uids": ["1"], "1": {"uid": "1", "error": error}}},
        lambda error: {"linksets": [{"dbfrom": "gene", "ids": ["1"], "ERROR": error}]},
        lambda error: {"linksets": [{"dbfrom": "gene", "linksetdbs": [{"linkname": "a", "ERROR": error}]}]},
        lambda error: {"linksets": [{"ERROR": "Invalid uid"}, {"ERROR": error}]},
        lambda error: {"error": error},
    ]
    errors = ["Search Backend failed: try later", "NCBI C++ Exception:\n Error: x", "the address table is empty."]
    bodies = [json.dumps(place(error)).encode() for place in places for error in errors]
    for body, reader in itertools.product(bodies, READERS):
        with subtests.test(body=body, read=reader.__name__), pytest.raises(Transient):
            reader(body)


def test_a_rate_limit_is_reported_by_every_reader():
    for reader in READERS:
        with pytest.raises(Transient) as limit:
            reader(b'{"error":"API rate limit exceeded","count":"11"}')
        assert limit.value.is_rate_limit


def test_an_error_that_will_stay_is_the_answers_error(subtests):
    for reader in READERS:
        with subtests.test(read=reader.__name__):
            error = "Invalid db name specified: nothing"

            assert reader(json.dumps({"error": error}).encode()).error == error
            assert reader(xml("eFetchResult", f"<ERROR>{error}</ERROR>")).error == error


def test_nonsense_is_never_an_empty_answer(subtests):
    bodies = [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'"text"',
        b"OK",
        b'{"header":{"type":"esearch"}}',
        b'{"esearchresult":{}, "result":{}, "einforesult":{}}',
        b'{"result":{"uids":["1"]}}',
        b"<html><body>Hello</body></html>",
        b"<eSummaryResult></eSummaryResult>",
        b"<PubmedArticleSet/>",
        b'{"linksets":"text"}',
        b'{"esearchresult":{"count":"0","idlist":[true]}}',
    ]
    for reader, body in itertools.product(READERS, bodies):
        with subtests.test(read=reader.__name__, body=body), pytest.raises(Transient):
            reader(body)


def test_raw_line_ends_in_json_are_read_leniently():
    body = b'{"esearchresult":{"count":"0","idlist":[],"querytranslation":"one\nline\r\n\ttoo many\x00"}}'

    assert eutils.search_answer(body).query_translation == "one line   too many "


def test_a_byte_order_mark_does_not_matter():
    body = b'\xef\xbb\xbf\n{"esearchresult":{"count":"0"}}'

    assert eutils.search_answer(body).count == 0
    assert eutils.search_answer(b"\xef\xbb\xbf" + xml("eSearchResult", "<Count>5</Count>")).count == 5


NAMES = st.sampled_from(
    [
        *("esearchresult", "result", "linksets", "einforesult", "error", "ERROR", "uids", "1", "count", "idlist"),
        *("errorlist", "phrasesnotfound", "ids", "linksetdbs", "links", "linkname", "id", "score", "value"),
        *("linksetdbhistories", "querykey", "webenv", "dbinfo", "dblist", "fieldlist", "idchecklist", "termcount"),
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["1", "x", ""])
SHAPES = st.recursive(LEAVES, lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(NAMES, deeper, max_size=4))


DOCUMENTS = st.dictionaries(NAMES, SHAPES, max_size=5)


def read_or_refuse_as_damaged(document):
    body = json.dumps(document).encode()

    for reader in READERS:
        try:
            reader(body)
        except Transient:
            continue


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(DOCUMENTS)
def test_json_of_any_shape_is_an_answer_or_damaged(document):
    read_or_refuse_as_damaged(document)


@pytest.mark.sweep
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(DOCUMENTS)
def test_json_of_many_shapes_is_an_answer_or_damaged(document):
    read_or_refuse_as_damaged(document)
