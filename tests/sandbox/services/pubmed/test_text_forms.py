"""PubMed's records as text, and citations matched: the forms that other people's clients read."""

import io
import re

import pytest
from Bio import Medline

from biofact.sandbox.dialects.eutils import EutilsStandIn, HistoryServer
from biofact.sandbox.services.pubmed import MeshDatabase, PubMedDatabase, starter_corpus
from biofact.sandbox.services.pubmed.facts import plain
from biofact.sandbox.services.pubmed.mesh import MeshTree
from biofact.sandbox.services.pubmed.starters import starter_articles, starter_descriptors
from biofact.sandbox.standin import Ask
from tests.recordings import needs_recordings, recording
from tests.sandbox.dialects.eutils_calls import body, reply

STARTER = {article.pmid: article for article in starter_articles()}
TRIAL = STARTER["99000001"]


@pytest.fixture
def pubmed() -> EutilsStandIn:
    return EutilsStandIn(PubMedDatabase(starter_corpus()), HistoryServer())


def records(pubmed: EutilsStandIn, query: str) -> list[dict]:
    """What Biopython, an independent reader, makes of our MEDLINE text."""
    answer = reply(pubmed, "efetch", query)
    assert answer.content_type.startswith("text/plain")
    return list(Medline.parse(io.StringIO(body(answer).decode())))


def test_biopython_reads_every_article_in_medline_format(pubmed):
    articles = [article for article in STARTER.values() if article.journal]

    read = records(pubmed, f"db=pubmed&rettype=medline&retmode=text&id={','.join(STARTER)}")

    assert [record["PMID"] for record in read] == [article.pmid for article in articles]
    for record, article in zip(read, articles, strict=True):
        assert record["TA"] == article.journal.short
        assert record.get("AU", []) == [author.short for author in article.authors if not author.collective]
        assert len(record.get("MH", [])) == len(article.mesh)
        assert all(" ".join(plain(one.text).split()) in record["AB"] for one in article.abstract)


def test_medline_is_text_without_a_retmode(pubmed):
    assert records(pubmed, "db=pubmed&rettype=medline&id=99000001")[0]["PMID"] == "99000001"


@needs_recordings
def test_the_tags_and_the_wrapping_are_as_recorded(pubmed):
    recorded = recording("pubmed/biopython_medline_pubmed_result3.txt").decode()
    order = list(dict.fromkeys(re.findall(r"^([A-Z]+) *- ", recorded, re.MULTILINE)))

    ours = body(reply(pubmed, "efetch", "db=pubmed&rettype=medline&retmode=text&id=99000001")).decode()

    tags = list(dict.fromkeys(re.findall(r"^([A-Z]+) *- ", ours, re.MULTILINE)))
    shared = [tag for tag in tags if tag in order and tag not in {"EDAT", "MHDA", "CRDT"}]
    assert shared == [tag for tag in order if tag in shared]
    assert {"PMID", "TI", "AB", "FAU", "AU", "PT", "TA", "MH", "SO"} <= set(shared)
    assert max(map(len, ours.splitlines())) <= max(map(len, recorded.splitlines()))
    assert ours.startswith("\nPMID- ")


def test_other_text_forms_are_refused_with_those_that_there_are(pubmed):
    answer = reply(pubmed, "efetch", "db=pubmed&rettype=abstract&retmode=text&id=99000001")

    assert answer.status == 400
    assert b"rettype=uilist and rettype=medline" in body(answer)


@pytest.mark.parametrize("program", ["esearch", "esummary", "efetch", "elink", "epost"])
def test_what_clients_send_to_every_program_is_accepted(pubmed, program):
    source = "dbfrom=pubmed&db=pubmed&linkname=pubmed_pubmed_refs" if program == "elink" else "db=pubmed"
    subject = "term=metformin" if program == "esearch" else "id=99000001"

    answer = reply(pubmed, program, f"{source}&{subject}&usehistory=y&idtype=acc&version=2.0")

    assert answer.status == 200


# ecitmatch


def citations(pubmed: EutilsStandIn, *lines: str) -> list[str]:
    params = (("db", "pubmed"), ("retmode", "xml"), ("bdata", "\r".join(lines)))
    answer = pubmed.reply(Ask("GET", "/ecitmatch.cgi", params))
    assert answer is not None
    assert answer.status == 200
    return body(answer).decode().splitlines()


def citation_of(article, key="key1"):
    first_page = article.pages.partition("-")[0]
    author = article.authors[0].short
    return f"{article.journal.short.lower()}|{article.published[:4]}|{article.volume}|{first_page}|{author}|{key}|"


def test_a_citation_leads_to_its_article(pubmed):
    line = citation_of(TRIAL)

    assert citations(pubmed, line) == [f"{line}{TRIAL.pmid}"]


def test_each_citation_of_several_has_a_line(pubmed):
    known, no_article, no_journal = citation_of(TRIAL), f"{TRIAL.journal.short}|1066||||k2|", "j of nothing|1991||||k3|"

    assert citations(pubmed, known, no_article, no_journal) == [
        f"{known}{TRIAL.pmid}",
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
        answer = stand_in.reply(Ask("GET", "/ecitmatch.cgi", params))
        assert answer is not None
        assert answer.status == 400
