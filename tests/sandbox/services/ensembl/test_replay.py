"""Recorded answers in place of the stand-in's: the matching one, and batches joined from single records."""

import csv
import functools
import json
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest

from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.sandbox import Sandbox
from biofact.sandbox.recordings import Era, Recording, Recordings, Replay
from biofact.sandbox.services.ensembl.corpus import Genes, ServedSpecies
from biofact.sandbox.services.ensembl.standin import EnsemblReplay, EnsemblStandIn
from biofact.sandbox.standin import ServiceRequest
from biofact.sources.ensembl.service import ENSEMBL
from tests import virtual_time
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = pytest.mark.quick

KRAS = "ensembl/lookup_id_ENSG00000133703_pori.json"
TRANSCRIPT = "ensembl/lookup_id_ENST00000557334_pori.json"
TRANSLATION = "ensembl/lookup_id_ENSP00000308495_pori.json"
EXPANDED = "ensembl/lookup-braf-expanded-response.json"
OLD_TRANSCRIPT = "ensembl/lookup-transcript-response.json"
OLD_PROTEIN = "ensembl/lookup-protein-response.json"
ARCHIVE = "ensembl/archive_id_POST_release108.json"
SYMBOLS = "ensembl/lookup_symbol_human-62b625-POST.json"
ONE_SYMBOL = "ensembl/lookup_symbol_human-f58cd9-POST.json"


def standin(assembly: str | None = None) -> EnsemblStandIn:
    return EnsemblStandIn(Genes({}, ServedSpecies(())), assembly)


@functools.cache
def replay(era: Era | None = None, assembly: str | None = None) -> Replay:
    return standin(assembly).replay(Recordings(FOLDER, era).for_service(ENSEMBL))


def get(path: str, source: Replay | None = None, **params: str) -> bytes | None:
    query = tuple((name.replace("content_type", "content-type"), value) for name, value in params.items())
    return body((source or replay())(ServiceRequest("GET", path, query)))


def post(path: str, document: Any, source: Replay | None = None, **params: str) -> bytes | None:
    request = ServiceRequest("POST", path, tuple(params.items()), json.dumps(document).encode())
    return body((source or replay())(request))


def body(reply: Any) -> bytes | None:
    if reply is None:
        return None
    assert reply.status == 200
    assert reply.content_type == "application/json"
    return bytes(reply.body)


def rows(era: str) -> list[dict[str, str]]:
    with (FOLDER / "REQUESTS.tsv").open(encoding="utf-8", newline="") as table:
        dict_reader = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in dict_reader if (row["service"], row["era"], row["status"]) == ("ensembl", era, "200")]


def ask_of(row: dict[str, str]) -> ServiceRequest:
    params = json.loads(row["params"])
    document = params.pop("body", None)
    return ServiceRequest(
        row["method"], row["path"], tuple(params.items()), json.dumps(document).encode() if document else b""
    )


@needs_recordings
class TestTheFolder:
    """A replay of the folder of real recordings."""

    def test_every_request_recorded_today_gets_its_recorded_bytes(self) -> None:
        todays = rows("today")

        files = [row["file"] for row in todays if body(replay()(ask_of(row))) != recording(row["file"])]

        assert files == []
        assert len(todays) >= 14

    def test_over_http_too(self) -> None:
        todays = rows("today")

        async def answers() -> list[bytes]:
            async with (
                Sandbox(stand_ins=[standin()], recordings=FOLDER) as sandbox,
                httpx2.AsyncClient(base_url=sandbox.environment()["BIOFACT_ENSEMBL_URL"]) as client,
            ):
                asks = [ask_of(row) for row in todays]
                requests = [
                    await client.request(
                        request.method,
                        request.path,
                        params=dict(request.params),
                        content=request.body or None,
                        headers={"Content-Type": "application/json"},
                    )
                    for request in asks
                ]
                return [answer.content for answer in requests]

        assert virtual_time.run(answers()) == [recording(row["file"]) for row in todays]

    def test_irrelevant_parts_of_a_request_may_differ(self, subtests: pytest.Subtests) -> None:
        cases = [
            ("/lookup/id/ENSG00000133703", {"content_type": "application/json"}, KRAS),
            ("/lookup/id/ENSG00000133703.json", {"expand": "0", "mane": "1"}, KRAS),
            ("/lookup/id/ENSG00000133703/", {}, KRAS),
            ("/lookup/id/ENSG00000157764", {"expand": "1"}, EXPANDED),
            ("/lookup/id/ENSG00000157764", {"expand": "1", "mane": "1"}, EXPANDED),
            ("/lookup/id/ENST00000496384", {}, OLD_TRANSCRIPT),
            (
                "/sequence/id/ENSG00000157764",
                {"type": "protein", "multiple_sequences": "true"},
                "ensembl/sequence-protein-multiple-response-braf.json",
            ),
        ]
        for path, params, name in cases:
            with subtests.test(path=path, name=name):
                assert get(path, **params) == recording(name)

    def test_another_request_is_not_answered(self, subtests: pytest.Subtests) -> None:
        cases = [
            ("/lookup/id/ENSG00000133703", {"expand": "1"}),
            ("/lookup/id/ENSG00000133703", {"format": "condensed"}),
            ("/lookup/id/ENSG00000157764", {}),
            ("/lookup/id/ENSG00000141510", {}),
            ("/lookup/symbol/human/BRCA2", {}),  # recorded of homo_sapiens, which the answer repeats
            ("/lookup/symbol/homo_sapiens/BR", {}),  # a failure, which the stand-in answers itself
            ("/sequence/id/ENSG00000157764", {"type": "cdna", "multiple_sequences": "1"}),
            ("/info/species", {}),
            ("/info/species", {"division": "EnsemblVertebrates", "hide_strain_info": "1"}),
        ]
        for path, params in cases:
            with subtests.test(path=path):
                assert get(path, **params) is None

    def test_recordings_of_grch37_answer_its_own_server_only(self) -> None:
        path = "/xrefs/id/ENSG00000157764"

        assert get(path) is None
        assert get(path, replay("old-shape")) is None
        assert get(path, replay(None, "GRCh37")) == recording("ensembl/xrefs_id_ENSG00000157764_grch37.json")
        assert get("/lookup/id/ENSG00000133703", replay(None, "GRCh37")) is None
        assert get(path, replay(None, "GRCh37"), all_levels="1") is None

    def test_a_post_matches_by_the_set_of_its_list(self) -> None:
        human = "/lookup/symbol/human"

        assert post(human, {"symbols": ["BR", "BRCA2", "BR"]}) == recording(SYMBOLS)
        assert post(human, {"symbols": ["BRCA2"]}) == recording(ONE_SYMBOL)
        assert post(human, {"symbols": ["BRCA2", "TP53"]}) is None
        assert post(human, {"symbols": ["BRCA2"], "expand": 1}) is None
        assert post(human, {"symbols": ["BRCA2"]}, expand="1") is None
        assert post("/archive/id", {"id": ["ENSG00000248378", "ENSG00000157764"]}) == recording(ARCHIVE)
        assert post("/archive/id", {"id": ["ENSG00000157764"]}) is None

    def test_a_batch_is_joined_from_single_records(self) -> None:
        ids = ["ENSP00000308495", "ENSG00000133703", "ENST00000557334"]

        text = post("/lookup/id", {"ids": ids})

        assert text is not None
        assert json.loads(text) == {
            "ENSG00000133703": json.loads(recording(KRAS)),
            "ENST00000557334": json.loads(recording(TRANSCRIPT)),
            "ENSP00000308495": json.loads(recording(TRANSLATION)),
        }

    @pytest.mark.parametrize("kind", ["Gene", "gene"])
    def test_a_lookup_of_one_kind_is_answered_by_records_of_it(self, kind: str) -> None:
        text = post("/lookup/id", {"ids": ["ENSG00000133703"]}, object_type=kind)

        assert text is not None
        assert json.loads(text) == {"ENSG00000133703": json.loads(recording(KRAS))}
        assert get("/lookup/id/ENSG00000133703", object_type=kind) == recording(KRAS)
        assert post("/lookup/id", {"ids": ["ENSG00000133703", "ENST00000557334"]}, object_type=kind) is None
        assert get("/lookup/id/ENST00000557334", object_type=kind) is None

    def test_the_answers_of_a_later_round_are_replayed_too(self) -> None:
        newer = "ensembl_3/lookup_id_ENST00000375549_expand_2025.json"

        assert get("/lookup/id/ENST00000375549", expand="1") == recording(newer)

    def test_an_id_without_a_recording_leaves_a_batch_unanswered(self) -> None:
        assert post("/lookup/id", {"ids": ["ENSG00000133703", "ENSG00000141510"]}) is None
        assert post("/lookup/id", {"ids": []}) is None
        assert post("/lookup/id", {"ids": ["ENSG00000133703"], "expand": 1}) is None

    def test_an_old_shape_serves_a_batch_of_one_only(self) -> None:
        single_result = post("/lookup/id", {"ids": ["ENSG00000157764"], "expand": 1, "mane": 1})

        assert single_result is not None
        assert json.loads(single_result) == {"ENSG00000157764": json.loads(recording(EXPANDED))}
        assert post("/lookup/id", {"ids": ["ENST00000496384", "ENSG00000133703"]}) is None
        assert post("/lookup/id", {"ids": ["ENST00000496384"]}, replay("today")) is None

    def test_a_version_suffix_is_no_hindrance_unless_it_is_another(self) -> None:
        protein = post("/lookup/id", {"ids": ["ENSP00000419060"]})
        gene = post("/lookup/id", {"ids": ["ENSG00000133703.14"]})

        assert protein is not None
        assert json.loads(protein) == {
            "ENSP00000419060": {**json.loads(recording(OLD_PROTEIN)), "id": "ENSP00000419060"}
        }
        assert gene is not None
        assert json.loads(gene)["ENSG00000133703.14"]["version"] == 14
        assert post("/lookup/id", {"ids": ["ENSG00000133703.13"]}) is None

    def test_the_truncated_answer_of_ebi_search_is_never_replayed(self) -> None:
        assert Recordings(FOLDER).for_service(EBI_SEARCH) == []


def recorded_answer(
    name: str, content: dict[str, Any], *, path: str = "/lookup/id/X", is_last_resort: bool = False
) -> Recording:
    return Recording(name, path, {}, "application/json", "body", is_last_resort, lambda: json.dumps(content).encode())


def answer(recordings: Sequence[Recording], ids: list[str]) -> Any:
    result = post("/lookup/id", {"ids": ids}, EnsemblReplay(recordings))
    return result and json.loads(result)


def test_the_best_of_several_recordings_answers() -> None:
    first, second = recorded_answer("a.json", {"id": "X", "n": 1}), recorded_answer("b.json", {"id": "X", "n": 2})

    assert get("/lookup/id/X", EnsemblReplay([first, second])) == first.body()
    assert answer([first, second], ["X"]) == {"X": {"id": "X", "n": 1}}


def test_a_body_in_another_form_is_not_answered() -> None:
    ensembl_replay = EnsemblReplay([recorded_answer("a.json", {"id": "X"})])

    for sent_values in (b"", b"{", b"[]", b'{"ids": "X"}', b'{"x": ["X"]}'):
        assert ensembl_replay(ServiceRequest("POST", "/lookup/id", (), sent_values)) is None
