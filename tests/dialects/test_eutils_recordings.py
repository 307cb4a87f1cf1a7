"""Every recorded answer of the E-utilities, compared with counts that do not depend on its structure."""

import csv
import functools
import json
import re
from collections.abc import Callable

import pytest

from biofact.dialects import eutils
from biofact.transport.service import Answer, Transient
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = [pytest.mark.quick, needs_recordings]

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
    match = re.search("|".join(READERS), name.removeprefix("entrez/").removeprefix("pubmed/"))
    return match[0] if match else None


@functools.cache
def files() -> list[str]:
    paths = [row["path"] for row in rows("MANIFEST.tsv")]
    return [path for path in paths if re.match(r"((entrez|pubmed)/.*|links/e.*)\.(json|xml|gz)$", path)]


@functools.cache
def readable() -> list[str]:
    return [path for path in files() if program(path) and path not in {CUT, RATE_LIMIT}]


def of(*programs: str, suffix: str = "") -> list[str]:
    return [path for path in readable() if program(path) in programs and path.endswith(suffix) and path not in ERRORS]


def reads(reader: Callable[[bytes], object], body: bytes) -> bool:
    try:
        reader(body)
    except Transient:
        return False
    return True


def test_there_are_recordings_of_every_program():
    paths = {row["file"]: row["path"] for row in rows("REQUESTS.tsv")}

    assert {program(path) for path in readable()} == set(READERS)
    called_files = {file for file, path in paths.items() if re.search(r"/e\w+\.fcgi$", path)}
    assert {file for file in called_files if file in files() and not program(file)} == {
        file for file, path in paths.items() if path.endswith("/efetch.fcgi") and file in files()
    }


def test_a_recorded_answer_is_parsed_or_has_its_error(subtests):
    for path in readable():
        with subtests.test(path):
            answer = READERS[program(path)](recording(path))

            assert answer.error == ERRORS.get(path)


def test_a_truncated_answer_may_be_better_next_time():
    with pytest.raises(Transient, match="damaged XML"):
        eutils.info_answer(recording(CUT))


def test_the_recorded_rate_limit_is_reported():
    with pytest.raises(Transient) as limit:
        eutils.summaries(recording(RATE_LIMIT))

    assert limit.value.is_rate_limit


def test_a_recorded_body_is_judged_for_what_it_is():
    status = {row["file"]: int(row["status"] or 200) for row in rows("REQUESTS.tsv")}
    verdicts = {path: eutils.judge(Answer(status.get(path, 200), {}, recording(path)[:4096], "")) for path in files()}

    expected = dict.fromkeys(files(), "good") | dict.fromkeys([*ERRORS, REFUSED_EFETCH], "refused")
    assert verdicts == expected | {RATE_LIMIT: "limited"}


def test_a_search_in_xml_has_all_its_uids(subtests):
    for path in of("esearch", suffix=".xml"):
        with subtests.test(path=path):
            body = recording(path)

            answer = eutils.search_answer(body)

            assert len(answer.uids) == body.count(b"<Id>")
            assert answer.count == int(re.search(rb"<Count>(\d+)", body)[1])
            assert [uid.encode() for uid in answer.uids] == re.findall(rb"<Id>(\d+)</Id>", body)
            assert bool(answer.web_env) == (b"<WebEnv>" in body)
            assert bool(answer.query_translation) == (b"<QueryTranslation>" in body)


def test_a_search_in_json_has_all_its_uids(subtests):
    for path in of("esearch", suffix=".json"):
        with subtests.test(path=path):
            body = recording(path)
            result = json.loads(body)["esearchresult"]

            answer = eutils.search_answer(body)

            assert list(answer.uids) == result["idlist"]
            assert str(answer.count) == result["count"]
            assert answer.query_translation == result["querytranslation"]


def test_summaries_in_xml_are_all_there(subtests):
    for path in of("esummary", suffix=".xml"):
        with subtests.test(path=path):
            body = recording(path)

            answer = eutils.summaries(body)

            assert (
                len(answer.docsums) == len(answer.uids) == body.count(b"</DocumentSummary>") + body.count(b"</DocSum>")
            )
            first = re.search(rb'<DocumentSummary uid="(\d+)"|<Id>(\d+)', body)
            assert answer.uids[0].encode() in first.groups()


def test_summaries_in_json_equal_the_recorded_rows(subtests):
    for path in of("esummary", suffix=".json"):
        with subtests.test(path=path):
            body = recording(path)
            result = json.loads(body)["result"]

            answer = eutils.summaries(body)

            assert list(answer.uids) == result["uids"]
            assert answer.docsums == {uid: result[uid] for uid in result["uids"]}


def test_no_uid_of_a_link_answer_is_lost(subtests):
    for path in of("elink", suffix=".xml"):
        with subtests.test(path=path):
            body = recording(path)

            sets = eutils.link_answer(body).linksets

            uid_count = sum(len(linked.source_ids) + sum(map(len, linked.links.values())) for linked in sets)
            providers = body.count(b"<Provider>")  # LinkOut providers have IDs of their own
            assert uid_count == len(re.findall(rb"<Id[ >]", body)) - providers
            assert len(sets) == body.count(b"<LinkSet>")
            assert sum(len(linked.histories) for linked in sets) == body.count(b"<QueryKey>")
            assert sum(len(scores) for linked in sets for scores in linked.scores.values()) == body.count(b"<Score>")


def test_links_in_json_equal_the_recorded_rows(subtests):
    for path in of("elink", suffix=".json"):
        with subtests.test(path=path):
            body = recording(path)

            sets = eutils.link_answer(body).linksets

            recorded_links = [
                {row["linkname"]: tuple(row["links"]) for row in linkset.get("linksetdbs", ())}
                for linkset in json.loads(body)["linksets"]
            ]
            assert [linked.links for linked in sets] == recorded_links
            assert [linked.source_ids for linked in sets] == [
                tuple(linkset["ids"]) for linkset in json.loads(body)["linksets"]
            ]


def test_a_description_has_all_its_fields_and_links(subtests):
    for path in of("einfo"):
        with subtests.test(path=path):
            body = recording(path)

            answer = eutils.info_answer(body)

            if answer.database is None:
                assert [name.encode() for name in answer.databases] == re.findall(rb"<DbName>(\w+)", body)
            else:
                assert len(answer.database.fields) == body.count(b"<Field>")
                assert len(answer.database.links) == body.count(b"<Link>")


def test_a_recorded_answer_cut_anywhere_is_never_a_shorter_answer():
    shorter = []
    for path in [path for path in readable() if path.endswith(".xml")]:
        body, reader = recording(path).rstrip(), READERS[program(path)]
        sizes = {len(body) - 1, len(body) - 9, len(body) // 2, len(body) // 3, 1, 0}
        shorter += [(path, size) for size in sizes if reads(reader, body[:size])]

    assert shorter == []


def test_a_recorded_json_cut_anywhere_is_never_a_shorter_answer():
    shorter = []
    for path in of("esearch", "esummary", "elink", suffix=".json"):
        body, reader = recording(path).rstrip(), READERS[program(path)]
        sizes = {len(body) - 1, len(body) // 2, 1, 0}
        shorter += [(path, size) for size in sizes if reads(reader, body[:size])]

    assert shorter == []


def test_a_batch_gets_every_recorded_docsum(subtests):
    for path in of("esummary"):
        with subtests.test(path=path):
            body = recording(path)
            splitter = eutils.docsum_splitter()

            docsums = [
                docsum
                for position in range(0, len(body), 1000)
                for docsum in splitter.feed(body[position : position + 1000])
            ]
            splitter.close()

            assert {uid: json.loads(docsum) for uid, docsum in docsums} == eutils.summaries(body).docsums
