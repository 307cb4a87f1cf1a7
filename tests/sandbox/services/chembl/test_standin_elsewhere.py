"""The stand-ins for UniChem and PDBe."""

import json
from typing import Any

import pytest

from biofact.sandbox.recordings import ReplayingStandIn
from biofact.sandbox.services.chembl.standin import PdbeStandIn, UniChemStandIn
from biofact.sandbox.standin import LimitedStandIn, ServiceRequest
from biofact.sources.chembl.service import Answer, judge
from tests.sources.chembl.made_compounds import AAA_KEY, FACTS, SALT_KEY, document, molecule, source_ids, structure

pytestmark = pytest.mark.quick

UNICHEM = UniChemStandIn(FACTS)
PDBE = PdbeStandIn(FACTS)


def post(body: object, status: int = 200, path: str = "/compounds") -> Any:
    sent_values = body if isinstance(body, bytes) else json.dumps(body).encode()
    return document(UNICHEM.reply(ServiceRequest("POST", path, (), sent_values)), status)


def get(path: str, status: int = 200, standin: UniChemStandIn | PdbeStandIn = UNICHEM) -> Any:
    return document(standin.reply(ServiceRequest("GET", path, ())), status)


# UniChem


def test_a_structure_is_reported_with_its_ids_in_other_databases() -> None:
    result = post({"type": "inchikey", "compound": AAA_KEY})
    [compound] = result["compounds"]

    assert (result["response"], result["totalCompounds"]) == ("Success", 1)
    assert compound["standardInchiKey"] == AAA_KEY
    assert compound["inchi"] == {"inchi": "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"}
    assert [(row["id"], row["shortName"], row["compoundId"]) for row in compound["sources"]] == [
        (1, "chembl", "CHEMBL1"),
        (22, "pubchem", "702"),
        (2, "drugbank", "DB00001"),
        (3, "pdb", "AAX"),
    ]
    assert compound["sources"][1] == {
        "compoundId": "702",
        "id": 22,
        "longName": "PubChem Compounds",
        "shortName": "pubchem",
        "url": "http://pubchem.ncbi.nlm.nih.gov/compound/702",
    }


def test_a_structure_goes_by_other_names_too(subtests: pytest.Subtests) -> None:
    cases = [
        {"type": "inchi", "compound": "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"},
        {"type": "sourceID", "compound": "CHEMBL1", "sourceID": 1},
        {"type": "sourceID", "compound": "702", "sourceID": 22},
        {"type": "uci", "compound": "1"},
    ]
    for body in cases:
        with subtests.test(body=body):
            assert post(body) == post({"type": "inchikey", "compound": AAA_KEY})


def test_an_unknown_compound_is_reported_under_200(subtests: pytest.Subtests) -> None:
    cases = [
        {"type": "inchikey", "compound": "Z" * 14 + "-UHFFFAOYSA-N"},
        {"type": "inchikey", "compound": AAA_KEY.lower()},
        {"type": "sourceID", "compound": "702", "sourceID": 2},
        {"type": "uci", "compound": 99},
    ]
    for body in cases:
        with subtests.test(body=body):
            assert post(body) == {"response": "Not found", "compounds": [], "totalCompounds": 0}


def test_a_structure_of_chembl_is_known_without_other_sources() -> None:
    [compound] = post({"type": "inchikey", "compound": SALT_KEY})["compounds"]

    assert [(row["id"], row["compoundId"]) for row in compound["sources"]] == [(1, "CHEMBL2")]


def test_an_id_is_reported_once_and_a_structure_may_have_several_of_one_source() -> None:
    methane = structure("C", "InChI=1S/CH4/h1H4", AAA_KEY)
    molecules = [molecule(f"CHEMBL{number}", molecule_structures=methane) for number in (1, 2)]
    known_values = source_ids(AAA_KEY, (1, "CHEMBL1"), (99, "x"))
    standin = UniChemStandIn({"molecule": molecules, "unichem_compound": [known_values]})

    body = json.dumps({"type": "inchikey", "compound": AAA_KEY}).encode()
    [compound] = document(standin.reply(ServiceRequest("POST", "/compounds", (), body)))["compounds"]

    assert [row["compoundId"] for row in compound["sources"]] == ["CHEMBL1", "CHEMBL2", "x"]
    assert compound["sources"][2]["url"] is None


def test_a_body_in_another_form_is_refused(subtests: pytest.Subtests) -> None:
    cases = [
        b"",
        b"{",
        [],
        {},
        {"type": "inchikey"},
        {"type": "inchikey", "compound": AAA_KEY, "compounds": []},
        {"type": "smiles", "compound": "C"},
        {"type": ["inchikey"], "compound": "C"},
        {"type": "sourceID", "compound": "702"},
    ]
    for body in cases:
        with subtests.test(body=body):
            assert post(body, 400)["error"]


def test_compounds_are_posted_for_and_sources_are_not() -> None:
    assert get("/compounds", 405)["error"]
    assert post({}, 405, "/sources")["error"]
    assert get("/connectivity", 404)["error"]
    assert document(UNICHEM.reply(ServiceRequest("GET", "/sources", (("x", "1"),))), 400)["error"]


def test_the_sources_are_listed() -> None:
    result = get("/sources")
    names = {row["sourceID"]: row["name"] for row in result["sources"]}

    assert result["response"] == "Success"
    assert result["totalSources"] == len(names)
    assert {1: "chembl", 2: "drugbank", 3: "pdb", 6: "kegg_ligand", 22: "pubchem"}.items() <= names.items()
    assert [row["nameLong"] for row in get("/sources/22")["sources"]] == ["PubChem Compounds"]
    assert get("/sources/999")["response"] == "Not found"


# PDBe


def test_a_ligand_is_reported_with_its_entries() -> None:
    assert get("/pdb/compound/in_pdb/AAX", standin=PDBE) == {"AAX": ["1abc", "2xyz"]}
    assert get("/v2/compound/in_pdb/AAX", standin=PDBE) == {"AAX": ["1abc", "2xyz"]}


def test_an_unknown_code_is_not_found(subtests: pytest.Subtests) -> None:
    for code in ["ZZZ", "aax", "AAXX"]:
        with subtests.test(code=code):
            result = get(f"/pdb/compound/in_pdb/{code}", 404, PDBE)

            assert result == {}
            assert judge(Answer(404, {}, b"{}", "")) == "refused"


def test_other_paths_methods_and_parameters_are_refused() -> None:
    assert get("/pdb/entry/summary/1abc", 404, PDBE)["error"]
    assert get("/pdb/compound/in_pdb", 404, PDBE)["error"]
    assert document(PDBE.reply(ServiceRequest("POST", "/pdb/compound/in_pdb/AAX", ())), 405)["error"]
    assert document(PDBE.reply(ServiceRequest("GET", "/pdb/compound/in_pdb/AAX", (("x", "1"),))), 400)["error"]


def test_neither_service_replays_or_publishes_a_limit() -> None:
    for standin in (UNICHEM, PDBE):
        assert not isinstance(standin, ReplayingStandIn)
        assert not isinstance(standin, LimitedStandIn)
