"""Every recorded answer of the E-utilities, against counts that know nothing of its structure."""

import csv
import json
import re

import pytest

from biofact.dialects import eutils
from biofact.transport.service import Answer, Transient
from tests.recordings import FOLDER, recording

pytestmark = pytest.mark.quick

READERS = {
    "esearch": eutils.search_answer,
    "esummary": eutils.summaries,
    "elink": eutils.link_answer,
    "epost": eutils.post_answer,
    "espell": eutils.spell_answer,
    "einfo": eutils.info_answer,
}
ERRORS = {
    "entrez/biopython_epost2.xml": "Invalid db name specified: nothing",
    "entrez/biopython_esummary8.xml": "Neither query_key nor id specified",
    "entrez/klortho_esummary.error.xml": "Invalid db name specified: fleegle",
}
REFUSED_EFETCH = (
    "pubmed/sul_efetch_bmed_MapPubHash__source_as_hash_DOI_extraction_constructs_a_URL_based_on_the_DOI_0.xml"
)
CUT = "entrez/biopython_einfo4.xml"
RATE_LIMIT = "entrez/http429_esummary_pubmed_rate_limit_body.json"


def rows(name: str) -> list[dict[str, str]]:
    if not (FOLDER / name).is_file():
        return []
    with (FOLDER / name).open(newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def program(name: str) -> str | None:
    found = re.search("|".join(READERS), name.removeprefix("entrez/").removeprefix("pubmed/"))
    return found[0] if found else None


FILES = [row["path"] for row in rows("MANIFEST.tsv") if re.match(r"(entrez|pubmed)/.*\.(json|xml|gz)$", row["path"])]
ANSWERS = [path for path in FILES if program(path)]
READABLE = [path for path in ANSWERS if path not in {CUT, RATE_LIMIT}]
STATUS = {row["file"]: int(row["status"] or 200) for row in rows("REQUESTS.tsv")}


def of(*programs: str, suffix: str = "") -> list[str]:
    return [path for path in READABLE if program(path) in programs and path.endswith(suffix) and path not in ERRORS]


def test_there_are_recordings_of_every_program():
    recording("MANIFEST.tsv")

    assert {program(path) for path in READABLE} == set(READERS)
    asked = {row["file"] for row in rows("REQUESTS.tsv") if re.search(r"/e\w+\.fcgi$", row["path"])}
    assert {path for path in asked if path in FILES and not program(path)} == {
        row["file"] for row in rows("REQUESTS.tsv") if row["path"].endswith("/efetch.fcgi") and row["file"] in FILES
    }


@pytest.mark.parametrize("path", READABLE)
def test_a_recorded_answer_reads_or_tells_its_error(path):
    answer = READERS[program(path)](recording(path))

    assert answer.error == ERRORS.get(path)


def test_a_truncated_answer_may_be_better_next_time():
    with pytest.raises(Transient, match="damaged XML"):
        eutils.info_answer(recording(CUT))


def test_the_recorded_rate_limit_is_told():
    with pytest.raises(Transient) as limit:
        eutils.summaries(recording(RATE_LIMIT))

    assert limit.value.is_rate_limit


@pytest.mark.parametrize("path", FILES)
def test_a_recorded_body_is_judged_for_what_it_is(path):
    body = recording(path)
    answer = Answer(STATUS.get(path, 200), {}, body[:4096], "")

    expected = "refused" if path in {*ERRORS, REFUSED_EFETCH} else "limited" if path == RATE_LIMIT else "good"
    assert eutils.judge(answer) == expected


@pytest.mark.parametrize("path", of("esearch", suffix=".xml"))
def test_a_search_in_xml_has_all_its_uids(path):
    body = recording(path)

    answer = eutils.search_answer(body)

    assert len(answer.uids) == body.count(b"<Id>")
    assert answer.count == int(re.search(rb"<Count>(\d+)", body)[1])
    assert [uid.encode() for uid in answer.uids] == re.findall(rb"<Id>(\d+)</Id>", body)
    assert bool(answer.web_env) == (b"<WebEnv>" in body)
    assert bool(answer.query_translation) == (b"<QueryTranslation>" in body)


@pytest.mark.parametrize("path", of("esearch", suffix=".json"))
def test_a_search_in_json_has_all_its_uids(path):
    body = recording(path)
    found = json.loads(body)["esearchresult"]

    answer = eutils.search_answer(body)

    assert list(answer.uids) == found["idlist"]
    assert str(answer.count) == found["count"]
    assert answer.query_translation == found["querytranslation"]


@pytest.mark.parametrize("path", of("esummary", suffix=".xml"))
def test_summaries_in_xml_are_all_there(path):
    body = recording(path)

    answer = eutils.summaries(body)

    assert len(answer.docsums) == len(answer.uids) == body.count(b"</DocumentSummary>") + body.count(b"</DocSum>")
    first = re.search(rb'<DocumentSummary uid="(\d+)"|<Id>(\d+)', body)
    assert answer.uids[0].encode() in first.groups()


@pytest.mark.parametrize("path", of("esummary", suffix=".json"))
def test_summaries_in_json_are_as_they_came(path):
    body = recording(path)
    result = json.loads(body)["result"]

    answer = eutils.summaries(body)

    assert list(answer.uids) == result.pop("uids")
    assert answer.docsums == result


@pytest.mark.parametrize("path", of("elink", suffix=".xml"))
def test_no_uid_of_a_link_answer_is_lost(path):
    body = recording(path)

    sets = eutils.link_answer(body).linksets

    told = sum(len(linked.source_ids) + sum(map(len, linked.links.values())) for linked in sets)
    providers = body.count(b"<Provider>")  # LinkOut providers have IDs of their own
    assert told == len(re.findall(rb"<Id[ >]", body)) - providers
    assert len(sets) == body.count(b"<LinkSet>")
    assert sum(len(linked.histories) for linked in sets) == body.count(b"<QueryKey>")
    assert sum(len(scores) for linked in sets for scores in linked.scores.values()) == body.count(b"<Score>")


@pytest.mark.parametrize("path", of("einfo"))
def test_a_description_has_all_its_fields_and_links(path):
    body = recording(path)

    answer = eutils.info_answer(body)

    if answer.database is None:
        assert [name.encode() for name in answer.databases] == re.findall(rb"<DbName>(\w+)", body)
    else:
        assert len(answer.database.fields) == body.count(b"<Field>")
        assert len(answer.database.links) == body.count(b"<Link>")


@pytest.mark.parametrize("path", [path for path in READABLE if path.endswith(".xml")])
def test_a_recorded_answer_cut_anywhere_is_never_a_shorter_answer(path):
    body = recording(path).rstrip()
    read = READERS[program(path)]

    for size in {len(body) - 1, len(body) - 9, len(body) // 2, len(body) // 3, 1, 0}:
        with pytest.raises(Transient):
            read(body[:size])


@pytest.mark.parametrize("path", of("esearch", "esummary", "elink", suffix=".json"))
def test_a_recorded_json_cut_anywhere_is_never_a_shorter_answer(path):
    body = recording(path).rstrip()
    read = READERS[program(path)]

    for size in {len(body) - 1, len(body) // 2, 1, 0}:
        with pytest.raises(Transient):
            read(body[:size])


@pytest.mark.parametrize("path", of("esummary"))
def test_a_batch_gets_every_recorded_docsum(path):
    body = recording(path)
    splitter = eutils.docsum_splitter()

    docsums = [docsum for at in range(0, len(body), 1000) for docsum in splitter.feed(body[at : at + 1000])]
    splitter.close()

    assert {uid: json.loads(docsum) for uid, docsum in docsums} == eutils.summaries(body).docsums
