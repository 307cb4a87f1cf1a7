"""Recorded answers in place of the stand-in's: the matching one, and sets joined from single molecules."""

import csv
import functools
import json
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from biofact.sandbox import Sandbox
from biofact.sandbox.recordings import Era, Recording, Recordings, Replay
from biofact.sandbox.services.chembl.standin import ChemblReplay
from biofact.sandbox.standin import ServiceRequest
from biofact.sources.chembl import service
from biofact.sources.chembl.service import CHEMBL, PDBE, UNICHEM
from biofact.transport.service import Request
from tests import virtual_time
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.chembl.made_compounds import ask, usual

pytestmark = pytest.mark.quick

MECHANISMS = "chembl/mechanisms_pembrolizumab_20260811.json"
INDICATIONS = "chembl/drug_indication_CHEMBL1094636_ws.json"
ASPIRIN = "chembl/glados_CHEMBL25Attributes.json"
ERLOTINIB = "chembl/molecule_CHEMBL553_erlotinib.json"
SIMILAR = "chembl/similarity_Page1_ws.json"


@functools.cache
def replay(era: Era | None = None) -> Replay:
    return usual().replay(Recordings(FOLDER, era).for_service(CHEMBL))


def body(replay: Replay, service_request: ServiceRequest) -> bytes | None:
    reply = replay(service_request)
    if reply is None:
        return None
    assert (reply.status, reply.content_type) == (200, "application/json")
    return bytes(reply.body)  # type: ignore[arg-type]


def get(path: str, era: Era | None = None, **params: object) -> bytes | None:
    return body(replay(era), ask(path, **params))


def answer(request: Request, era: Era | None = None) -> Any:
    params = {name: str(value) for name, value in request.params}
    result = get(request.quoted_path, era, **params)
    return result and json.loads(result)


def rows(era: str) -> list[dict[str, str]]:
    """The recorded requests without those of client wrappers."""
    with (FOLDER / "REQUESTS.tsv").open(encoding="utf-8", newline="") as table:
        dict_reader = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    own_recordings = [
        row for row in dict_reader if (row["service"], row["era"], row["status"]) == ("chembl", era, "200")
    ]
    return [row for row in own_recordings if row["fidelity"] != "wrapper"]


def ask_of(row: dict[str, str]) -> ServiceRequest:
    return ask(row["path"].removeprefix("/chembl/api/data"), **json.loads(row["params"]))


@needs_recordings
class TestTheFolder:
    """A replay of the folder of real recordings."""

    def test_every_request_recorded_today_gets_its_recorded_bytes(self) -> None:
        todays = rows("today")

        assert [body(replay(), ask_of(row)) for row in todays] == [recording(row["file"]) for row in todays]
        assert [row["file"] for row in todays] == [MECHANISMS]

    def test_every_old_request_gets_its_recorded_bytes_when_the_era_is_chosen(self) -> None:
        old = rows("old-shape")

        files = [row["file"] for row in old if body(replay("old-shape"), ask_of(row)) != recording(row["file"])]

        assert files == ["chembl/molecule_CHEMBL25_ws.json"]  # the same request is recorded twice
        assert len(old) == 14

    def test_over_http_too(self) -> None:
        async def answers() -> list[bytes]:
            async with (
                Sandbox(stand_ins=[usual()], recordings=FOLDER) as sandbox,
                httpx2.AsyncClient(base_url=sandbox.environment()["BIOFACT_CHEMBL_URL"]) as client,
            ):
                paths = ("/molecule/CHEMBL553.json", "/mechanism.json?limit=15&molecule_chembl_id=CHEMBL3137343")
                return [(await client.get(path)).content for path in paths]

        assert virtual_time.run(answers()) == [recording(ERLOTINIB), recording(MECHANISMS)]

    def test_irrelevant_parts_of_a_request_may_differ(self, subtests: pytest.Subtests) -> None:
        cases = [
            ("/molecule/CHEMBL25.json", {}, ASPIRIN),
            ("/molecule/chembl25", {"format": "json"}, ASPIRIN),
            ("/molecule/CHEMBL25.json/", {"limit": "20", "offset": "0"}, ASPIRIN),
            ("/mechanism.json", {"molecule_chembl_id": "CHEMBL3137343", "limit": "15", "offset": "0"}, MECHANISMS),
        ]
        for path, params, name in cases:
            with subtests.test(path=path, name=name):
                assert get(path, **params) == recording(name)

    def test_another_request_is_not_answered(self, subtests: pytest.Subtests) -> None:
        cases = [
            ("/molecule/CHEMBL25.json", {"only": "pref_name"}),
            ("/molecule/CHEMBL192.json", {}),
            ("/molecule/CHEMBL25", {}),  # answered in XML
            ("/mechanism.json", {}),
            ("/mechanism.json", {"molecule_chembl_id": "CHEMBL25"}),
            ("/mechanism.json", {"molecule_chembl_id": "CHEMBL3137343", "action_type": "INHIBITOR"}),
            ("/mechanism.json", {"molecule_chembl_id": "CHEMBL3137343", "offset": "1"}),
            ("/mechanism.json", {"molecule_chembl_id": "CHEMBL3137343", "limit": "x"}),
            ("/mechanism.json", {"target_chembl_id__in": "CHEMBL3307223"}),
            # recorded as lists that a client made of records
            ("/molecule.json", {"molecule_synonyms__molecule_synonym__iexact": "viagra", "only": "molecule_chembl_id"}),
            ("/tissue.json", {"bto_id": "BTO:0001073"}),
        ]
        for path, params in cases:
            with subtests.test(path=path):
                assert get(path, **params) is None

    def test_a_whole_list_is_answered_for_any_limit(self) -> None:
        payload = json.loads(get("/mechanism.json", molecule_chembl_id="CHEMBL3137343", limit=1000) or b"")

        recorded_page = json.loads(recording(MECHANISMS))
        assert payload["mechanisms"] == recorded_page["mechanisms"]
        assert payload["page_meta"] == {**recorded_page["page_meta"], "limit": 1000}

    def test_rows_of_one_molecule_answer_for_it_as_the_parent(self) -> None:
        mechanisms = answer(service.mechanisms_of(["CHEMBL3137343"]))
        indications = answer(service.indications_of(["CHEMBL1094636"]))

        assert mechanisms["mechanisms"] == json.loads(recording(MECHANISMS))["mechanisms"]
        assert indications["drug_indications"] == json.loads(recording(INDICATIONS))["drug_indications"]
        assert answer(service.mechanisms_of(["CHEMBL3137343", "CHEMBL25"])) is None
        assert answer(service.indications_of(["CHEMBL25"])) is None
        assert answer(service.indications_of(["CHEMBL1094636"]), "today") is None

    def test_a_page_in_an_old_shape_is_replayed_when_asked_for_only(self) -> None:
        params = {"chembl_id": "CHEMBL17", "similarity": "70"}

        assert get("/similarity.json", **params) is None
        assert get("/similarity.json", "old-shape", **params) == recording(SIMILAR)
        assert get("/similarity.json", "old-shape", limit=30, **params) is None

    def test_a_set_is_joined_from_single_molecules_in_the_order_asked(self) -> None:
        result = answer(service.molecules(["CHEMBL553", "CHEMBL25"]), "old-shape")

        assert result == {"molecules": [json.loads(recording(name)) for name in (ERLOTINIB, ASPIRIN)]}

    def test_an_old_shape_serves_a_set_of_one_only(self) -> None:
        assert answer(service.molecules(["CHEMBL25"])) == {"molecules": [json.loads(recording(ASPIRIN))]}
        assert answer(service.molecules(["CHEMBL553", "CHEMBL25"])) is None
        assert answer(service.molecules(["CHEMBL25"]), "today") is None

    def test_an_id_without_a_recording_leaves_a_set_unanswered(self) -> None:
        assert answer(service.molecules(["CHEMBL25", "CHEMBL999"]), "old-shape") is None
        assert get("/molecule/set/CHEMBL25.json", only="pref_name") is None

    def test_the_other_services_have_no_recordings(self) -> None:
        assert Recordings(FOLDER).for_service(UNICHEM) == []
        assert Recordings(FOLDER).for_service(PDBE) == []


def recorded_answer(
    name: str, content: Mapping[str, Any], path: str, *, is_last_resort: bool = False, **params: str
) -> Recording:
    return Recording(
        name, path, params, "application/json", "body", is_last_resort, lambda: json.dumps(content).encode()
    )


def list_answer(*result: dict[str, str], total: int | None = None) -> dict[str, Any]:
    following = None if total is None else "/chembl/api/data/mechanism.json?offset=20"
    meta = {"limit": 20, "offset": 0, "next": following, "previous": None, "total_count": total or len(result)}
    return {"mechanisms": list(result), "page_meta": meta}


def test_the_best_of_several_recordings_answers() -> None:
    first, second = (recorded_answer(name, {"n": name}, "/molecule/CHEMBL1.json") for name in ("a", "b"))

    assert body(ChemblReplay([first, second]), ask("/molecule/CHEMBL1.json")) == first.body()


def test_rows_of_a_salt_do_not_answer_for_it_as_a_parent() -> None:
    on_salt = list_answer({"molecule_chembl_id": "CHEMBL2", "parent_molecule_chembl_id": "CHEMBL1"})
    chembl_replay = ChemblReplay([recorded_answer("a", on_salt, "/mechanism.json", molecule_chembl_id="CHEMBL2")])
    params = {"parent_molecule_chembl_id__in": "CHEMBL2"}

    assert chembl_replay(ask("/mechanism.json", **params)) is None
    assert body(chembl_replay, ask("/mechanism.json", molecule_chembl_id="CHEMBL2"))


def test_rows_requested_by_parent_answer_both_forms_of_the_filter() -> None:
    own_list = list_answer({"molecule_chembl_id": "CHEMBL2", "parent_molecule_chembl_id": "CHEMBL1"})
    chembl_replay = ChemblReplay(
        [recorded_answer("a", own_list, "/mechanism.json", parent_molecule_chembl_id="CHEMBL1")]
    )

    assert body(chembl_replay, ask("/mechanism.json", parent_molecule_chembl_id__in="CHEMBL1"))
    assert body(chembl_replay, ask("/mechanism.json", parent_molecule_chembl_id="CHEMBL1"))


def test_an_empty_list_is_no_answer_for_a_parent() -> None:
    chembl_replay = ChemblReplay([recorded_answer("a", list_answer(), "/mechanism.json", molecule_chembl_id="CHEMBL1")])

    assert chembl_replay(ask("/mechanism.json", parent_molecule_chembl_id__in="CHEMBL1")) is None


def test_a_part_of_a_list_answers_for_that_page_only() -> None:
    part = list_answer({"molecule_chembl_id": "CHEMBL1"}, total=30)
    chembl_replay = ChemblReplay([recorded_answer("a", part, "/mechanism.json", molecule_chembl_id="CHEMBL1")])

    assert body(chembl_replay, ask("/mechanism.json", molecule_chembl_id="CHEMBL1"))
    assert chembl_replay(ask("/mechanism.json", molecule_chembl_id="CHEMBL1", limit=1000)) is None


def test_a_post_is_not_answered() -> None:
    chembl_replay = ChemblReplay([recorded_answer("a", {}, "/molecule/CHEMBL1.json")])

    assert chembl_replay(ask("/molecule/CHEMBL1.json", method="POST")) is None
