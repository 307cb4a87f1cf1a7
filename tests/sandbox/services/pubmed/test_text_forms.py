"""PubMed's records as text, and citations matched: the forms that other people's clients parse."""

import io
import re
from xml.etree import ElementTree as ET

import pytest
from Bio import Entrez, Medline

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed.corpus import starter_articles, starter_descriptors
from biofact.sandbox.services.pubmed.facts import plain
from biofact.sandbox.services.pubmed.mesh import MeshDatabase, MeshTree
from biofact.sandbox.services.pubmed.standin import PubMedDatabase, starter_corpus
from biofact.sandbox.standin import ServiceRequest
from tests.recordings import needs_recordings, recording
from tests.sandbox.dialects.eutils_calls import body, reply

pytestmark = pytest.mark.quick

STARTER = {article.pmid: article for article in starter_articles()}
TRIAL = STARTER["99000001"]


@pytest.fixture
def pubmed() -> EutilsStandIn:
    return EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def records(pubmed: EutilsStandIn, query: str) -> list[dict]:
    """Our MEDLINE text as parsed by Biopython, an independent reader."""
    answer = reply(pubmed, "efetch", query)
    assert answer.content_type.startswith("text/plain")
    return list(Medline.parse(io.StringIO(body(answer).decode())))


def test_biopython_reads_every_article_in_medline_format(pubmed):
    articles = [article for article in STARTER.values() if article.journal]

    read_values = records(pubmed, f"db=pubmed&rettype=medline&retmode=text&id={','.join(STARTER)}")

    assert [record["PMID"] for record in read_values] == [article.pmid for article in articles]
    for record, article in zip(read_values, articles, strict=True):
        assert record["TA"] == article.journal.short
        assert record.get("AU", []) == [author.short for author in article.authors if not author.collective]
        assert len(record.get("MH", [])) == len(article.mesh)
        assert all(" ".join(plain(item.text).split()) in record["AB"] for item in article.abstract)


def test_medline_is_text_without_a_retmode(pubmed):
    assert records(pubmed, "db=pubmed&rettype=medline&id=99000001")[0]["PMID"] == "99000001"


@needs_recordings
def test_the_tags_and_the_wrapping_are_as_recorded(pubmed):
    recorded_text = recording("pubmed/biopython_medline_pubmed_result3.txt").decode()
    order = list(dict.fromkeys(re.findall(r"^([A-Z]+) *- ", recorded_text, re.MULTILINE)))

    own_text = body(reply(pubmed, "efetch", "db=pubmed&rettype=medline&retmode=text&id=99000001")).decode()

    tags = list(dict.fromkeys(re.findall(r"^([A-Z]+) *- ", own_text, re.MULTILINE)))
    shared = [tag for tag in tags if tag in order and tag not in {"EDAT", "MHDA", "CRDT"}]
    assert shared == [tag for tag in order if tag in shared]
    assert {"PMID", "TI", "AB", "FAU", "AU", "PT", "TA", "MH", "SO"} <= set(shared)
    assert max(map(len, own_text.splitlines())) <= max(map(len, recorded_text.splitlines()))
    assert own_text.startswith("\nPMID- ")


def test_an_abstract_is_text_for_reading(pubmed):
    text = body(reply(pubmed, "efetch", "db=pubmed&rettype=abstract&retmode=text&id=32678530,13054692")).decode()

    trial, helix = text.split("\n\n\n")
    parts = [part.replace(" \n", " ") for part in trial.split("\n\n")]
    assert parts[:2] == [
        "1. N Engl J Med. 2021 Feb 25;384(8):693-704. doi: 10.1056/NEJMoa2021436. Epub 2020 Jul 17.",
        "Dexamethasone in Hospitalized Patients with Covid-19.",
    ]
    assert parts[2].startswith("RECOVERY Collaborative Group; Horby P, Lim WS, ")
    assert [line.partition(":")[0] for line in parts[3].splitlines()] == [
        "BACKGROUND",
        "METHODS",
        "RESULTS",
        "CONCLUSIONS",
    ]
    assert parts[4].splitlines() == [
        "DOI: 10.1056/NEJMoa2021436",
        "PMCID: PMC7383595",
        "PMID: 32678530 [Indexed for MEDLINE]",
    ]
    assert helix.startswith("2. Nature. 1953 Apr 25;171(4356):737-8. doi: 10.1038/171737a0.\n\nMolecular structure")
    assert "\n\nWATSON JD, CRICK FH.\n\n" in helix
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 80


def test_every_article_can_be_read_as_text(pubmed):
    articles = [article for article in STARTER.values() if article.journal]

    answer = reply(pubmed, "efetch", f"db=pubmed&rettype=abstract&retmode=text&id={','.join(STARTER)}")

    records = body(answer).decode().replace(" \n", " ").split("\n\n\n")
    assert len(records) == len(articles)
    for number, (record, article) in enumerate(zip(records, articles, strict=True), start=1):
        assert record.startswith(f"{number}. {article.journal.short}. ")
        assert f"\n\n{plain(article.title or article.vernacular)}\n\n" in record
        assert re.search(rf"^PMID: {article.pmid}\b", record, re.MULTILINE)
        assert all(plain(section.text) in record for section in article.abstract)


def test_an_abstract_says_what_became_of_the_article(pubmed):
    text = body(reply(pubmed, "efetch", "db=pubmed&rettype=abstract&retmode=text&id=9500320")).decode()

    assert "\n\nRetraction in\n    Lancet. 2010 Feb 6;375(9713):445.\n\nBACKGROUND: " in text


def test_records_are_xml_with_a_rettype_of_xml(pubmed):
    answer = reply(pubmed, "efetch", "db=pubmed&rettype=xml&retmode=text&id=13054692")

    assert ET.fromstring(body(answer)).findtext(".//PMID") == "13054692"


def test_other_xml_than_whole_records_is_refused(subtests, pubmed):
    for form in ["docsum", "uilist"]:
        with subtests.test(form=form):
            answer = reply(pubmed, "efetch", f"db=pubmed&rettype={form}&retmode=xml&id=13054692")

            assert answer.status == 400
            assert f"no rettype={form}".encode() in body(answer)


def test_other_text_forms_are_refused_with_those_that_there_are(pubmed):
    answer = reply(pubmed, "efetch", "db=pubmed&rettype=gene_table&retmode=text&id=99000001")

    assert answer.status == 400
    assert b"rettype=uilist and rettype=medline and rettype=abstract" in body(answer)


# esummary in its first version


def test_biopython_reads_a_summary_without_a_version(pubmed):
    [summary] = Entrez.read(io.BytesIO(body(reply(pubmed, "esummary", "db=pubmed&id=32678530"))), validate=True)

    assert summary["Id"] == "32678530"
    assert summary["Title"] == "Dexamethasone in Hospitalized Patients with Covid-19."
    assert summary["AuthorList"][:2] == ["RECOVERY Collaborative Group", "Horby P"]
    assert summary["LangList"] == ["English"]
    assert summary["ArticleIds"]["pmc"] == "PMC7383595"
    assert summary["DOI"] == "10.1056/NEJMoa2021436"
    assert summary["HasAbstract"] == 1
    assert (summary["FullJournalName"], summary["SO"]) == (
        "The New England journal of medicine",
        "2021 Feb 25;384(8):693-704",
    )


def test_biopython_reads_the_summaries_of_all_articles(pubmed):
    answer = reply(pubmed, "esummary", f"db=pubmed&id={','.join(STARTER)}")

    text = Entrez.read(io.BytesIO(body(answer)), validate=True)

    assert [summary["Id"] for summary in text] == list(STARTER)
    assert [summary["AuthorList"] for summary in text] == [
        [author.short for author in article.authors] for article in STARTER.values()
    ]


def test_an_unknown_pmid_is_an_error_in_its_place(pubmed):
    root = ET.fromstring(body(reply(pubmed, "esummary", "db=pubmed&id=99999999,13054692")))

    assert (root[0].tag, root[0].text) == ("ERROR", "UID=99999999: cannot get document summary")
    assert root.findtext("DocSum/Id") == "13054692"


@needs_recordings
def test_the_first_version_is_written_as_recorded(pubmed):
    recorded_text = recording("entrez/biopython_esummary6.xml").decode()
    own_text = body(reply(pubmed, "esummary", "db=pubmed&id=13054692")).decode()

    head = recorded_text[: recorded_text.index("9913")]
    assert own_text.startswith(f'{head}13054692</Id>\n\t<Item Name="PubDate" Type="Date">1953 Apr 25</Item>\n')


def test_parameters_that_clients_send_to_every_program_are_accepted(subtests, pubmed):
    for program in ["esearch", "esummary", "efetch", "elink", "epost"]:
        with subtests.test(program=program):
            source = "dbfrom=pubmed&db=pubmed&linkname=pubmed_pubmed_refs" if program == "elink" else "db=pubmed"
            subject = "term=metformin" if program == "esearch" else "id=99000001"

            answer = reply(pubmed, program, f"{source}&{subject}&usehistory=y&idtype=acc&version=2.0")

            assert answer.status == 200


# ecitmatch


def citations(pubmed: EutilsStandIn, *lines: str) -> list[str]:
    params = (("db", "pubmed"), ("retmode", "xml"), ("bdata", "\r".join(lines)))
    answer = pubmed.reply(ServiceRequest("GET", "/ecitmatch.cgi", params))
    assert answer is not None
    assert answer.status == 200
    return body(answer).decode().splitlines()


def citation_of(article, key="key1"):
    first_page = article.pages.partition("-")[0]
    author = article.authors[0].short
    return f"{article.journal.short.lower()}|{article.published[:4]}|{article.volume}|{first_page}|{author}|{key}|"


@needs_recordings
def test_a_matched_citation_has_the_recorded_form(pubmed):
    recorded_cells = recording("links/ecitmatch_one_found.txt").decode().strip().split("|")

    own_cells = citations(pubmed, citation_of(TRIAL, recorded_cells[5]))[0].split("|")

    assert len(own_cells) == len(recorded_cells)
    assert (own_cells[5], own_cells[6]) == (recorded_cells[5], TRIAL.pmid)
    assert recorded_cells[6] == "2014248"


def test_a_citation_leads_to_its_article(pubmed):
    line = citation_of(TRIAL)

    assert citations(pubmed, line) == [f"{line}{TRIAL.pmid}"]


def test_each_citation_of_several_has_a_line(pubmed):
    known_values, no_article, no_journal = (
        citation_of(TRIAL),
        f"{TRIAL.journal.short}|1066||||k2|",
        "j of nothing|1991||||k3|",
    )

    assert citations(pubmed, known_values, no_article, no_journal) == [
        f"{known_values}{TRIAL.pmid}",
        f"{no_article}NOT_FOUND",
        f"{no_journal}NOT_FOUND;INVALID_JOURNAL",
    ]


def test_an_author_who_did_not_write_it_is_no_match(pubmed):
    first_page = TRIAL.pages.partition("-")[0]

    [line] = citations(pubmed, f"{TRIAL.journal.short}|{TRIAL.published[:4]}|{TRIAL.volume}|{first_page}|nobody q|k|")

    assert line.endswith("|NOT_FOUND")


def test_a_vague_citation_is_ambiguous(pubmed):
    [line] = citations(pubmed, "|20||||k|")

    assert re.search(r"\|AMBIGUOUS \(\d+ citations\)$", line)


def test_citations_are_pubmed_s_alone_and_cannot_be_empty(pubmed):
    mesh = EutilsStandIn(MeshDatabase(MeshTree(starter_descriptors())), HistoryServer())

    for stand_in, params in ((mesh, (("db", "mesh"), ("bdata", "x"))), (pubmed, (("db", "pubmed"),))):
        answer = stand_in.reply(ServiceRequest("GET", "/ecitmatch.cgi", params))
        assert answer is not None
        assert answer.status == 400
