"""Recorded answers of the Catalog in place of the stand-in's, and the requests that they match."""

import functools
import json
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from biofact.sandbox import Sandbox
from biofact.sandbox.recordings import Era, Recording, Recordings, Replay
from biofact.sandbox.standin import ServiceRequest
from biofact.sources.igvf.questions import rows
from biofact.sources.igvf.service import IGVF
from tests import virtual_time
from tests.each_of import each_of
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sources.igvf.made_catalog import made_stand_in

pytestmark = pytest.mark.quick

DRUG = "/drugs?drug_id=PA448497"


@functools.cache
def replay(era: Era | None = None) -> Replay:
    return made_stand_in().replay(Recordings(FOLDER, era).for_service(IGVF))


def replayed_body(path: str, params: Mapping[str, str], era: Era | None = None, method: str = "GET") -> Any:
    reply = replay(era)(ServiceRequest(method, path, tuple(params.items())))
    if reply is None:
        return None
    assert (reply.status, reply.content_type) == (200, "application/json")
    assert isinstance(reply.body, bytes)
    return json.loads(reply.body)


def sample(name: str) -> Any:
    return json.loads(recording(f"igvf/example_{name}.json"))["sample"]


@needs_recordings
class TestTheFolder:
    """A replay of the folder of real recordings."""

    def test_every_answer_of_today_is_replayed_as_a_list_of_one(self) -> None:
        recordings = Recordings(FOLDER, "today").for_service(IGVF)

        for item in recordings:
            params = {name: str(value) for name, value in item.params.items()}
            assert replayed_body(item.path, params) == [json.loads(item.body())], item.name
        assert len(recordings) >= 26

    @pytest.mark.parametrize(
        "params",
        [
            {"drug_id": "PA448497"},
            {"drug_id": "PA448497", "page": "0"},
            {"drug_id": "PA448497", "page": "0", "limit": "100"},
            {"drug_id": "PA448497", "limit": "1"},
        ],
    )
    def test_one_entity_fits_any_limit(self, params: Mapping[str, str]) -> None:
        assert replayed_body("/drugs", params) == [sample("drugs")]

    def test_a_request_as_we_send_it_is_answered(self) -> None:
        request = rows("/proteins", {"protein_id": "ENSP00000384707"}, limit=50)

        assert replayed_body(request.path, {name: str(value) for name, value in request.params}) == [sample("proteins")]

    @pytest.mark.parametrize(
        ("path", "params"),
        [
            ("/diseases/variants", {"disease_id": "MONDO_0009861"}),
            ("/diseases/variants", {"disease_id": "MONDO_0009861", "verbose": "false", "organism": "Homo sapiens"}),
            ("/genes", {"page": "0"}),
        ],
    )
    def test_defaults_need_not_be_sent(self, path: str, params: Mapping[str, str]) -> None:
        result = replayed_body(path, params)

        assert result == [sample("genes" if path == "/genes" else "variantsFromDiseases")]

    @each_of(
        ("path", "params"),
        [
            ("/drugs", {"drug_id": "PA448498"}),
            ("/drugs", {"drug_id": "PA448497", "page": "1"}),
            ("/drugs", {"drug_id": "PA448497", "name": "aspirin"}),
            ("/drugs", {"limit": "5"}),
            ("/diseases/variants", {"disease_id": "MONDO_0009861", "limit": "100"}),  # the first of many rows
            ("/diseases/variants", {"disease_id": "MONDO_0009861", "verbose": "true"}),
            ("/genes", {"organism": "Mus musculus"}),
            ("/genes/proteins", {"gene_id": "ENSG00000187642"}),  # an old shape
            ("/nothing", {}),
        ],
    )
    def test_a_request_without_a_recording_is_passed_to_the_stand_in(
        self, path: str, params: Mapping[str, str]
    ) -> None:
        assert replayed_body(path, params) is None

    def test_a_request_that_is_no_get_is_passed_to_the_stand_in(self) -> None:
        assert replayed_body("/drugs", {"drug_id": "PA448497"}, method="POST") is None

    def test_an_old_shape_is_replayed_where_its_era_is_chosen(self) -> None:
        params = {"gene_id": "ENSG00000187642"}
        (old,) = json.loads(recording("igvf/acceptance_genes_proteins.json"))["/genes/proteins"]

        assert replayed_body("/genes/proteins", params, "old-shape") == old["response"]
        assert replayed_body("/genes/proteins", params, "today") is None

    def test_the_sandbox_answers_from_them(self) -> None:
        async def document_of(question: str) -> Any:
            async with (
                Sandbox(recordings=FOLDER, stand_ins=[made_stand_in()]) as sandbox,
                httpx2.AsyncClient() as client,
            ):
                answer = await client.get(sandbox.environment()["IGVF_CATALOG_API_URL"] + question)
                return answer.json()

        assert virtual_time.run(document_of(DRUG)) == [sample("drugs")]
        assert virtual_time.run(document_of("/drugs?drug_id=PA2"))[0]["name"] == "lysine acetylsalicylate"


def test_the_first_of_several_is_replayed() -> None:
    def recorded_answer(name: str, *, is_last_resort: bool = False) -> Recording:
        return Recording(
            name=name,
            path="/complexes",
            params={},
            content_type="application/json",
            fidelity="wrapper",
            is_last_resort=is_last_resort,
            body=f'["{name}"]'.encode,
        )

    reply = made_stand_in().replay(
        [recorded_answer("old", is_last_resort=True), recorded_answer("first"), recorded_answer("second")]
    )(ServiceRequest("GET", "/complexes/", ()))

    assert reply is not None
    assert reply.body == b'["first"]'
