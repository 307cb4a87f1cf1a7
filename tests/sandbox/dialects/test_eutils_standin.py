"""The stand-in for E-utilities: searches, spelling, databases and refusals, equal to recordings byte by byte."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.standin import ServiceRequest
from tests.recordings import recording
from tests.sandbox.dialects.eutils_calls import body, json_answer, reply, xml
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick


@pytest.fixture
def gene() -> EutilsStandIn:
    return EutilsStandIn(ThreeGenes(), HistoryServer())


# esearch


def test_esearch_returns_count_page_and_translation_in_json(gene: EutilsStandIn) -> None:
    assert json_answer(gene, "esearch", "db=gene&term=human[orgn]") == {
        "header": {"type": "esearch", "version": "0.3"},
        "esearchresult": {
            "count": "1",
            "retmax": "1",
            "retstart": "0",
            "idlist": ["7157"],
            "translationset": [{"from": "human[orgn]", "to": '"Homo sapiens"[Organism]'}],
            "translationstack": [
                {"term": '"Homo sapiens"[Organism]', "field": "Organism", "count": "1", "explode": "Y"},
                "GROUP",
            ],
            "querytranslation": '"Homo sapiens"[Organism]',
        },
    }


class RecordedDatabase:
    """A database that finds the hits of a recorded esearch."""

    def __init__(self, name: str, answer: bytes) -> None:
        self.name = name
        self._uids = re.findall(r"<Id>(\d+)</Id>", answer.decode())

    def lookup(self, field: str, phrase: str) -> Sequence[str]:
        return [] if field == "organism" else self._uids

    def all_uids(self) -> list[str]:
        return self._uids

    def rank(self, uids: Any, sort: str) -> list[str]:
        return self._uids

    def docsum(self, uid: str) -> None:
        return None

    def fetch(self, uids: Sequence[str]) -> Iterator[bytes]:
        raise NotImplementedError

    def links(self, uid: str, linkname: str) -> None:
        raise NotImplementedError

    def linknames(self, db: str) -> list[str]:
        raise NotImplementedError

    def info(self) -> dict[str, Any]:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("db", "query", "name"),
    [
        ("protein", "term=abcXYZ", "entrez/biopython_esearch8.xml"),
        ("medgen", "term=OCRL&retmax=250&usehistory=y", "entrez/esearch_medgen_test_esearch_0.xml"),
    ],
)
def test_esearch_xml_equals_the_recorded_bytes(db: str, query: str, name: str) -> None:
    recordings = recording(name)
    stand_in = EutilsStandIn(RecordedDatabase(db, recordings), HistoryServer())

    answer = body(reply(stand_in, "esearch", f"db={db}&{query}"))

    web_env = rb"MCID_[0-9a-f]{24}"
    assert re.sub(web_env, b"MCID", answer) == re.sub(web_env, b"MCID", recordings)


def test_esearch_json_has_the_members_of_the_recorded_one_in_its_order() -> None:
    payload = json.loads(recording("entrez/tutorial_esearch_bioproject_usehistory.json"))
    stand_in = EutilsStandIn(RecordedDatabase("bioproject", b"<Id>988806</Id>"), HistoryServer())

    answer = json_answer(stand_in, "esearch", "db=bioproject&term=PRJNA988806[PRJA]&usehistory=y")

    answer["esearchresult"]["webenv"] = payload["esearchresult"]["webenv"]
    assert answer == payload
    assert list(answer["esearchresult"]) == list(payload["esearchresult"])


def test_esearch_lists_what_it_did_not_find_only_then(gene: EutilsStandIn) -> None:
    result = json_answer(gene, "esearch", 'db=gene&term=fleegle AND "p53 tumor" AND TP53[shoesize]')["esearchresult"]

    assert result["errorlist"] == {"phrasesnotfound": ["fleegle"], "fieldsnotfound": ["shoesize"]}
    assert result["warninglist"] == {
        "phrasesignored": [],
        "quotedphrasesnotfound": ['"p53 tumor"'],
        "outputmessages": [],
    }


def test_esearch_pages_are_disjoint_and_end(gene: EutilsStandIn) -> None:
    pages = [
        json_answer(gene, "esearch", f"db=gene&term=alive[prop]&retmax=2&retstart={start}")["esearchresult"]
        for start in (0, 2, 4)
    ]

    assert [page["idlist"] for page in pages] == [["7157", "22059"], ["30590"], []]
    assert [(page["count"], page["retmax"]) for page in pages] == [("3", "2"), ("3", "1"), ("3", "0")]


def test_esearch_sorts_as_asked(gene: EutilsStandIn) -> None:
    assert json_answer(gene, "esearch", "db=gene&term=alive[prop]&sort=name")["esearchresult"]["idlist"] == [
        "7157",
        "22059",
        "30590",
    ]


def test_esearch_counts_alone_when_asked(gene: EutilsStandIn) -> None:
    assert json_answer(gene, "esearch", "db=gene&term=alive[prop]&rettype=count")["esearchresult"] == {"count": "3"}
    assert xml(gene, "esearch", "db=gene&term=alive[prop]&rettype=count").findtext("Count") == "3"


def test_esearch_restricts_the_term_to_one_field(gene: EutilsStandIn) -> None:
    result = json_answer(gene, "esearch", "db=gene&term=tp53&field=sym")["esearchresult"]

    assert (result["idlist"], result["querytranslation"]) == (["7157", "30590"], "tp53[sym]")


def test_esearch_limits_by_date(gene: EutilsStandIn) -> None:
    result = json_answer(gene, "esearch", "db=gene&term=alive[prop]&datetype=mdat&mindate=2024&maxdate=2025")[
        "esearchresult"
    ]

    assert result["idlist"] == ["7157"]
    assert result["querytranslation"] == "alive[prop] AND 2024[MDAT] : 2025[MDAT]"


def test_an_empty_term_is_an_error_under_200(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for query in ["db=gene&term=", "db=gene&term=%20", "db=gene"]:
        with subtests.test(query=query):
            assert json_answer(gene, "esearch", query)["esearchresult"] == {
                "ERROR": "Empty term and query_key - nothing todo"
            }
            assert xml(gene, "esearch", query).findtext("ERROR") == "Empty term and query_key - nothing todo"


# espell and einfo


def test_espell_is_written_as_recorded(gene: EutilsStandIn) -> None:
    recorded_text = recording("entrez/biopython_espell.xml").decode()

    answer = body(reply(gene, "espell", "db=gene&term=tumpr")).decode()

    expected = recorded_text.replace("biopythooon", "tumpr").replace("biopython", "tumor").replace(">pubmed<", ">gene<")
    assert answer == expected.replace(
        "<SpelledQuery><Original></Original><Replaced>tumor</Replaced></SpelledQuery>",
        "<SpelledQuery>\n\t\t<Replaced>tumor</Replaced>\n\t</SpelledQuery>",
    )


def test_espell_leaves_known_words_alone(gene: EutilsStandIn) -> None:
    spelling = xml(gene, "espell", "db=gene&term=TP53 protien AND fleegle")

    assert spelling.findtext("CorrectedQuery") == "tp53 protein and fleegle"
    assert [(piece.tag, piece.text) for piece in spelling.findall("SpelledQuery/*")][1:3] == [
        ("Original", " "),
        ("Replaced", "protein"),
    ]
    assert xml(gene, "espell", "db=gene&term=TP53").findtext("CorrectedQuery") == ""


def test_einfo_lists_the_databases_as_recorded(gene: EutilsStandIn) -> None:
    recordings = ET.fromstring(recording("entrez/biopython_einfo1.xml"))
    names = [element.text for element in recordings.iter("DbName")]

    assert [element.text for element in xml(gene, "einfo", "").iter("DbName")] == names
    assert json_answer(gene, "einfo", "")["einforesult"] == {"dblist": names}


def test_einfo_describes_a_database(gene: EutilsStandIn) -> None:
    (database,) = json_answer(gene, "einfo", "db=gene&version=2.0")["einforesult"]["dbinfo"]
    recordings = ET.fromstring(recording("entrez/klortho_einfo.pubmed.xml"))
    own_values = xml(gene, "einfo", "db=gene")

    assert (database["dbname"], database["count"]) == ("gene", "3")
    assert database["linklist"] == [
        {"name": "gene_pubmed", "menu": "PubMed Links", "description": "Articles about the gene", "dbto": "pubmed"}
    ]
    assert database["fieldlist"][0]["istruncatable"] == "Y"
    for path in ("DbInfo/FieldList/Field", "DbInfo/LinkList/Link"):
        assert [element.tag for element in own_values.find(path)] == [element.tag for element in recordings.find(path)]


# requests that every program refuses


def test_a_request_without_a_database_is_refused(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for program in ["esearch", "esummary", "efetch", "epost", "espell"]:
        with subtests.test(program=program):
            answer = reply(gene, program, "retmode=json")

            assert (answer.status, answer.content_type) == (400, "text/plain; charset=UTF-8")
            assert body(answer) == b"Bad Request (400): Mandatory parameter: db - is omitted"


def test_a_database_that_ncbi_has_not_is_refused_as_recorded(gene: EutilsStandIn) -> None:
    assert body(reply(gene, "epost", "db=nothing")) == recording("entrez/biopython_epost2.xml")


def test_a_database_of_another_stand_in_is_not_answered(gene: EutilsStandIn) -> None:
    assert gene.reply(ServiceRequest("GET", "/esearch.fcgi", (("db", "pubmed"), ("term", "x")))) is None
    assert gene.reply(ServiceRequest("GET", "/elink.fcgi", (("dbfrom", "pubmed"), ("db", "gene"), ("id", "1")))) is None
    assert gene.reply(ServiceRequest("GET", "/egquery.fcgi", (("term", "x"),))) is None


def test_a_parameter_that_there_is_not_is_refused_by_name(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    cases = [
        ("esearch", "db=gene&term=x&retMax=5"),
        ("esummary", "db=gene&ids=7157"),
        ("efetch", "db=gene&id=7157&retmode=xml&linkname=x"),
        ("elink", "dbfrom=gene&db=pubmed&id=7157&retmax=5"),
        ("epost", "db=gene&id=7157&term=x"),
        ("espell", "db=gene&term=x&id=1"),
        ("einfo", "db=gene&id=1"),
    ]
    for program, query in cases:
        with subtests.test(query=query):
            answer = reply(gene, program, query)

            assert answer.status == 400
            assert re.search(
                rf"{program} has no parameter (retMax|ids|linkname|retmax|term|id);", body(answer).decode()
            )


def test_a_value_that_makes_no_sense_is_refused(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for query in ["retmode=html", "retstart=-1", "retmax=many", "mindate=2020"]:
        with subtests.test(query=query):
            assert reply(gene, "esearch", f"db=gene&term=TP53&{query}").status == 400
