"""PubMed's stand-in: its answers have the shape of NCBI's."""

import dataclasses
import functools
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from Bio import Entrez
from Bio.Entrez.Parser import DataHandler

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.recordings import Recordings
from biofact.sandbox.services.pubmed import render
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus, starter_articles
from biofact.sandbox.services.pubmed.render import docsum
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus
from biofact.sandbox.standin import ServiceRequest
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sandbox.dialects.eutils_calls import body, json_answer, reply, xml

pytestmark = pytest.mark.quick

BARE = "99000092"
"""An article without pages or location, which the DTD requires and NCBI omits."""
STARTER = {article.pmid: article for article in starter_articles()}


@pytest.fixture
def pubmed() -> EutilsStandIn:
    return EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def element(pmid):
    return ET.fromstring(render.article_xml(STARTER[pmid]))


def read(*pmids):
    """Our XML as parsed by Biopython, an independent reader."""
    whole = b"".join(PubMedDatabase(starter_corpus()).fetch(pmids))
    return Entrez.read(io.BytesIO(whole), validate=True)


# efetch


def test_biopython_reads_every_article_and_chapter():
    answer = read(*STARTER)

    pmids = [str(item["MedlineCitation"]["PMID"]) for item in answer["PubmedArticle"]]
    books = [str(item["BookDocument"]["PMID"]) for item in answer["PubmedBookArticle"]]
    assert sorted((*pmids, *books)) == sorted(STARTER)
    assert books == ["20301347", "21413225", "99000089"]


def test_biopython_reads_the_facts_of_a_trial():
    citation = read("99000001")["PubmedArticle"][0]["MedlineCitation"]
    article = citation["Article"]

    assert article["Journal"]["JournalIssue"]["PubDate"] == {"Year": "2023", "Month": "Mar"}
    assert [str(author.get("LastName", author.get("CollectiveName"))) for author in article["AuthorList"]] == [
        *("Aalto", "Berg", "Chen", "SYNTH-BRCA Investigators")
    ]
    assert str(article["AuthorList"][0]["Identifier"][0]) == "0000-0002-1825-0097"
    assert len(article["AuthorList"][0]["AffiliationInfo"]) == 2
    assert article["AuthorList"][1]["Suffix"] == "Jr"
    assert article["DataBankList"][0]["AccessionNumberList"] == ["NCT99000001"]
    assert {str(item) for item in article["PublicationTypeList"]} >= {"Randomized Controlled Trial"}
    assert [part.attributes["Label"] for part in article["Abstract"]["AbstractText"]][:2] == ["BACKGROUND", "METHODS"]
    assert "P<0.001" in str(article["Abstract"]["AbstractText"][2]).replace("&lt;", "<")
    assert str(citation["MeshHeadingList"][7]["DescriptorName"]) == "Placebos"
    assert str(citation["CoiStatement"]).startswith("<b>Competing interests:</b>")


def test_biopython_reads_a_chapter():
    document = read("99000089")["PubmedBookArticle"][0]["BookDocument"]

    assert document["Book"]["BookTitle"] == "The Biofact Book of Books"
    assert document["Book"]["Isbn"] == ["9780000000002"]
    assert document["ArticleTitle"] == "A Chapter about Chapters"
    assert document["ContributionDate"] == {"Year": "2018", "Month": "2", "Day": "3"}


def test_a_date_is_written_in_the_form_that_it_has(subtests):
    cases = [
        ("2019 Nov 05", {"Year": "2019", "Month": "Nov", "Day": "05"}),
        ("2017 06", {"Year": "2017", "Month": "06"}),
        ("2018 05 17", {"Year": "2018", "Month": "05", "Day": "17"}),
        ("2024 Dec", {"Year": "2024", "Month": "Dec"}),
        ("1975", {"Year": "1975"}),
        ("2013 Spring", {"Year": "2013", "Season": "Spring"}),
        ("2024 Winter-Spring", {"Year": "2024", "Season": "Winter-Spring"}),
        ("2020 Jul-Aug", {"Year": "2020", "Season": "Jul-Aug"}),
        ("1998 Dec-1999 Jan", {"MedlineDate": "1998 Dec-1999 Jan"}),
        ("1975 Oct 27-Nov 3", {"MedlineDate": "1975 Oct 27-Nov 3"}),
    ]
    for text, parts in cases:
        with subtests.test(written=text):
            date = ET.fromstring(f"<PubDate>{render.publication_date(text)}</PubDate>")

            assert {part.tag: part.text for part in date} == parts


def test_first_and_last_page_stand_apart(subtests):
    for pages, parts in [
        ("1979-87", ["1979", "1987", "1979-87"]),
        ("e26", ["e26", "e26"]),
        ("S27-36", ["S27", "S36", "S27-36"]),
    ]:
        with subtests.test(pages=pages):
            article = dataclasses.replace(STARTER["99000001"], pages=pages)
            pagination = ET.fromstring(render.article_xml(article)).find(".//Pagination")

            assert [part.text for part in pagination] == parts


def test_markup_of_a_title_is_kept():
    title = element("99000091").find(".//ArticleTitle")

    assert {child.tag for child in title} == {"sub", "sup", "i", "{http://www.w3.org/1998/Math/MathML}math"}
    assert "".join(title.itertext()).startswith("Does H2O2 at 10-6 M harm Escherichia coli & its phages?")


def test_references_hold_ids_of_other_articles():
    article = element("99000001")

    cited = [item.text for item in article.iterfind("PubmedData/ReferenceList/Reference/ArticleIdList/ArticleId")]
    assert "11832527" in cited
    assert "11832527" not in [item.text for item in article.iterfind("PubmedData/ArticleIdList/ArticleId")]


def test_a_bare_article_has_no_empty_lists():
    article = element(BARE)

    lists = [child.tag for child in article.iter() if child.tag.endswith("List") and not len(child)]
    assert lists == []
    assert article.find(".//AuthorList") is None
    assert article.find(".//Abstract") is None


@functools.cache
def models() -> dict[str, re.Pattern[str]]:
    """The order of an element's children by NLM's DTD, which Biopython contains, by element."""
    text = (Path(DataHandler.global_dtd_dir) / "pubmed_250101.dtd").read_text("utf-8")
    declarations = re.findall(
        r"<!ELEMENT\s+(\S+)\s+(\([^>]*\)[?*+]?)\s*>", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    )
    return {
        name: re.compile(_pattern(model)) for name, model in declarations if "#PCDATA" not in model and "%" not in model
    }


def _pattern(model: str) -> str:
    elements = re.sub(r"[\s,]+", " ", model)
    return re.sub(r"[\w:-]+", lambda name: f"(?:<{name[0]}>)", elements).replace(" ", "")


def stands_in_order(parent: str, *children: str) -> bool:
    return bool(models()[parent].fullmatch("".join(f"<{child}>" for child in children)))


def out_of_order(pmid: str) -> list[tuple[str, list[str]]]:
    """Elements of an article whose children the DTD has in another order."""
    children = [(item.tag, [child.tag for child in item]) for item in element(pmid).iter() if item.tag in models()]
    return [(tag, tags) for tag, tags in children if not stands_in_order(tag, *tags)]


def test_elements_stand_in_the_order_of_the_dtd():
    wrong = {pmid: out_of_order(pmid) for pmid in STARTER if pmid != BARE}

    assert {pmid: elements for pmid, elements in wrong.items() if elements} == {}


def test_the_order_check_knows_a_wrong_order():
    assert stands_in_order("Chemical", "RegistryNumber", "NameOfSubstance")
    assert not stands_in_order("Chemical", "NameOfSubstance", "RegistryNumber")
    assert not stands_in_order("PubmedData", "ArticleIdList")


def test_unknown_pmids_are_missing_from_a_fetch(pubmed):
    assert [item.tag for item in xml(pubmed, "efetch", "db=pubmed&id=99999999,9997&retmode=xml")] == ["PubmedArticle"]
    assert len(xml(pubmed, "efetch", "db=pubmed&id=99999999&retmode=xml")) == 0


def test_pubmed_gives_xml_by_default(pubmed):
    assert xml(pubmed, "efetch", "db=pubmed&id=9997").tag == "PubmedArticleSet"
    assert body(reply(pubmed, "efetch", "db=pubmed&id=9997&rettype=uilist&retmode=text")) == b"9997\n"
    assert reply(pubmed, "efetch", "db=pubmed&id=9997&rettype=docsum&retmode=text").status == 400


def test_ids_that_are_none_are_refused(pubmed):
    answer = reply(pubmed, "efetch", "db=pubmed&id=abc&retmode=xml")

    assert answer.status == 400
    assert b"ID list is empty! Possibly it has no correct IDs." in body(answer)


def test_a_fetch_comes_piece_by_piece(pubmed):
    pieces = reply(pubmed, "efetch", "db=pubmed&id=9997,12091962&retmode=xml").body

    assert [piece[:15] for piece in pieces] == [b'<?xml version="', *[b"<PubmedArticle>"] * 2, b"</PubmedArticle"]


# esummary


def test_a_summary_has_the_keys_of_a_recorded_one(pubmed):
    recorded_docsum = _recorded_docsum()

    for article in STARTER.values():
        assert list(docsum(article, 0)) == list(recorded_docsum)


def _recorded_docsum():
    return json.loads(recording("pubmed/esummary_pubmed_30016509_json.json"))["result"]["30016509"]


def test_a_summary_describes_an_article(pubmed):
    summary = json_answer(pubmed, "esummary", "db=pubmed&id=9997")["result"]["9997"]

    assert {name: summary[name] for name in ("pubdate", "source", "lastauthor", "pages", "sortpubdate", "title")} == {
        "pubdate": "1976 Sep 28",
        "source": "Biochim Biophys Acta",
        "lastauthor": "Strekas TC",
        "pages": "179-91",
        "sortpubdate": "1976/09/28 00:00",
        "title": STARTER["9997"].title,
    }
    assert summary["articleids"][:2] == [
        {"idtype": "pubmed", "idtypen": 1, "value": "9997"},
        {"idtype": "doi", "idtypen": 3, "value": "10.1016/0005-2795(76)90109-4"},
    ]
    assert summary["attributes"] == ["Has Abstract"]
    assert summary["recordstatus"] == "PubMed - indexed for MEDLINE"


def test_a_summary_names_retraction_and_chapter(pubmed):
    result = json_answer(pubmed, "esummary", "db=pubmed&id=99000080,99000089")["result"]

    assert [reference["reftype"] for reference in result["99000080"]["references"]] == [
        "Expression of concern in",
        "Retraction in",
    ]
    assert result["99000089"]["booktitle"] == "The Biofact Book of Books"
    assert result["99000089"]["chapter"] == "A Chapter about Chapters"


def test_an_unknown_pmid_has_an_error_in_place_of_a_summary(pubmed):
    assert json_answer(pubmed, "esummary", "db=pubmed&id=99999999")["result"]["99999999"] == {
        "uid": "99999999",
        "error": "cannot get document summary",
    }


def test_a_summary_as_xml_spells_its_elements_as_ncbi_does(pubmed):
    summary = xml(pubmed, "esummary", "db=pubmed&id=9997&version=2.0").find(".//DocumentSummary")

    assert [child.tag for child in summary][:4] == ["PubDate", "EPubDate", "Source", "Authors"]
    assert summary.findtext("Authors/Author/Name") == "Strekas TC"
    assert summary.findtext("ArticleIds/ArticleId/IdType") == "pubmed"


# elink and einfo


def test_links_lead_to_what_cites_and_is_cited(pubmed):
    def links(pmid, name):
        [link_set] = json_answer(pubmed, "elink", f"dbfrom=pubmed&id={pmid}&linkname={name}")["linksets"]
        return [row["links"] for row in link_set.get("linksetdbs", ())]

    assert links("99000001", "pubmed_pubmed_refs") == [["11832527"]]
    assert links("11832527", "pubmed_pubmed_citedin") == [["99000001"]]
    assert links("11832527", "pubmed_pmc") == [["1370926"]]
    assert links("9997", "pubmed_pubmed_citedin") == []


def test_einfo_lists_the_fields(pubmed):
    [description] = json_answer(pubmed, "einfo", "db=pubmed")["einforesult"]["dbinfo"]

    assert description["dbname"] == "pubmed"
    assert {"TIAB", "MESH", "MAJR", "PDAT", "PTYP", "AUID"} <= {field["name"] for field in description["fieldlist"]}


@needs_recordings
def test_the_fields_are_named_as_recorded():
    root = ET.fromstring(recording("entrez/klortho_einfo.pubmed.xml"))
    findtexts = {field.findtext("Name"): field.findtext("FullName") for field in root.iter("Field")}

    fullnames = {row["name"]: row["fullname"] for row in PubMedDatabase(starter_corpus()).info()["fields"]}
    assert {tag: fullnames[tag] for tag in fullnames if tag in findtexts} == {
        tag: findtexts[tag] for tag in fullnames if tag in findtexts
    }
    assert len(set(fullnames) & set(findtexts)) > 40


# recorded answers in place of ours


@needs_recordings
class TestReplay:
    """A replay of the folder of real recordings."""

    @functools.cached_property
    def replay(self):
        stand_in = EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())
        return stand_in.replay(Recordings(FOLDER, None).for_service(stand_in.service))

    def answer_of(self, program, **params):
        return self.replay(ServiceRequest("GET", f"/{program}.fcgi", tuple(params.items())))

    def test_one_recorded_article_is_answered_with_its_recording(self):
        answer = self.answer_of("efetch", db="pubmed", id="23121403", retmode="xml")

        assert b"Low-dose aspirin" in body(answer)
        assert b"starter text" not in body(answer)

    def test_several_recorded_articles_are_joined(self):
        answer = self.answer_of("efetch", db="pubmed", id="9997,37729413,28731372", retmode="xml")

        pmids = [item.findtext("MedlineCitation/PMID") for item in ET.fromstring(body(answer))]
        assert pmids == ["9997", "37729413", "28731372"]

    def test_a_recorded_search_is_answered(self):
        term = '("MLH1"[Title/Abstract] AND "G67E"[Title/Abstract])'

        answer = self.answer_of("esearch", db="pubmed", retmode="json", term=term, retstart="0", retmax="100")

        assert b'"idlist":["18033691"]' in body(answer)

    def test_a_made_article_is_not_among_them(self):
        assert self.answer_of("efetch", db="pubmed", id="99000001", retmode="xml") is None
        assert self.answer_of("efetch", db="pubmed", id="9997,99000001", retmode="xml") is None


def test_facts_of_an_article_can_be_changed_for_a_test():
    article = dataclasses.replace(STARTER["9997"], title="Quite another title.")
    database = PubMedDatabase(ArticleCorpus([article], starter_corpus().mesh))

    assert database.lookup("title", "another title") == ["9997"]
    assert database.lookup("title", "flavocytochrome") == []
