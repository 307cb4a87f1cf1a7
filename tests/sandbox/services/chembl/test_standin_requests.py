"""The stand-ins answer every request of the client."""

from typing import Any

import httpx2
import pytest

from biofact.sandbox import Sandbox
from biofact.sandbox.services.chembl.standin import PdbeStandIn, UniChemStandIn
from biofact.sources.chembl import service
from biofact.transport.service import Request
from tests import virtual_time
from tests.sources.chembl.made_compounds import AAA_KEY, FACTS, document, reply_to, usual

pytestmark = pytest.mark.quick

INCHI = "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"


def values_of(request: Request, name: str, key: str) -> list[Any]:
    return [row[key] for row in document(reply_to(usual(), request))[name]]


def test_molecules(subtests: pytest.Subtests) -> None:
    cases = [
        (service.molecules(["CHEMBL3", "CHEMBL999", "CHEMBL1"]), [3, 1]),
        (service.search("aaanol", 0, 20), [1, 2, 10]),
        (service.search("aaanol", 1, 1), [2]),
        (service.molecules_by_name("ALPHADRINE", "iexact", 0, 20), [1, 2]),
        (service.molecules_by_name("alpha", "istartswith", 1, 1), [2]),
        (service.molecules_by_name("mesylate", "iendswith", 0, 20), [2]),
        (service.molecules_by_name("alpha", "istartswith", 0, 20, filters=(("max_phase__gte", "5"),)), []),
        (service.with_structure("inchi_key", AAA_KEY), [1]),
        (service.with_structure("inchi", INCHI), [1]),
        (service.with_structure("smiles", "OCC"), [1]),
    ]
    for request_, ids in cases:
        with subtests.test(request_=request_):
            assert values_of(request_, "molecules", "molecule_chembl_id") == [f"CHEMBL{number}" for number in ids]


def test_a_search_gets_the_fields_that_it_reads() -> None:
    [hit] = document(reply_to(usual(), service.search("betamab", 0, 20)))["molecules"]
    [molecule] = document(reply_to(usual(), service.with_structure("smiles", "CC")))["molecules"]

    assert {"molecule_chembl_id", "pref_name", "molecule_hierarchy", "molecule_synonyms", "max_phase"} <= hit.keys()
    assert molecule["molecule_structures"]["canonical_smiles"] == "CC"


def test_drugs_targets_and_measurements() -> None:
    assert values_of(service.mechanisms_of(["CHEMBL1", "CHEMBL3"]), "mechanisms", "mec_id") == [11, 12]
    assert values_of(service.mechanisms_on(["CHEMBL100"]), "mechanisms", "mec_id") == [11]
    assert values_of(service.indications_of(["CHEMBL1"]), "drug_indications", "drugind_id") == [21, 22]
    assert values_of(service.targets(["CHEMBL100", "CHEMBL101"]), "targets", "pref_name") == [
        "First kinase",
        "All kinases",
    ]
    assert values_of(service.targets_with("P00002"), "targets", "target_chembl_id") == ["CHEMBL101"]
    strongest = service.activities("-pchembl_value", 0, 2, target_chembl_id="CHEMBL100", pchembl_value__isnull="false")
    assert values_of(strongest, "activities", "activity_id") == [4, 2]


def test_ids_and_the_release() -> None:
    assert document(reply_to(usual(), service.id_lookup("CHEMBL100")))["entity_type"] == "TARGET"
    assert document(reply_to(usual(), service.status()))["chembl_db_version"] == "ChEMBL_37"


def test_the_services_beside() -> None:
    other_place = document(reply_to(UniChemStandIn(FACTS), service.structure_ids(AAA_KEY)))

    assert other_place["compounds"][0]["standardInchiKey"] == AAA_KEY
    assert document(reply_to(PdbeStandIn(FACTS), service.entries_with("AAX"))) == {"AAX": ["1abc", "2xyz"]}


def test_over_http_too() -> None:
    molecules = [
        service.molecules(["CHEMBL3", "CHEMBL1"]),
        service.with_structure("smiles", "CCO.CS(=O)(=O)O"),
        service.structure_ids(AAA_KEY),
        service.entries_with("AAX"),
    ]

    async def answers() -> list[Any]:
        stand_ins = [usual(), UniChemStandIn(FACTS), PdbeStandIn(FACTS)]
        async with Sandbox(stand_ins=stand_ins) as sandbox, httpx2.AsyncClient() as client:
            bases = sandbox.environment()
            replies = []
            for request in molecules:
                url = bases[request.service.base_url.name] + request.quoted_path
                params = dict(request.params) or None
                replies.append((await client.request(request.method, url, params=params, json=request.json)).json())
            return replies

    joint_result, spelling, other_place, entries = virtual_time.run(answers())

    assert [row["molecule_chembl_id"] for row in joint_result["molecules"]] == ["CHEMBL3", "CHEMBL1"]
    assert [row["molecule_chembl_id"] for row in spelling["molecules"]] == ["CHEMBL2"]
    assert other_place["response"] == "Success"
    assert entries == {"AAX": ["1abc", "2xyz"]}
