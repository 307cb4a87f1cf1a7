"""The stand-in for ChEMBL: its resources, pages and refusals."""

import pytest

from biofact.sandbox.recordings import ReplayingStandIn
from biofact.sandbox.standin import LimitedStandIn, ServiceRequest
from biofact.sources.chembl.service import Answer, judge
from tests.sources.chembl.made_compounds import (
    AAA_KEY,
    ask,
    chembl,
    document,
    document_of,
    ids,
    molecule,
    refusal,
    usual,
)

pytestmark = pytest.mark.quick

# details


def test_a_molecule_goes_by_id_in_any_case_by_inchi_key_and_by_structure(subtests: pytest.Subtests) -> None:
    for uid in ["CHEMBL1", "chembl1", "Chembl1", AAA_KEY, "CCO", "OCC"]:
        with subtests.test(uid=uid):
            assert document_of(f"/molecule/{uid}.json")["molecule_chembl_id"] == "CHEMBL1"


def test_any_other_text_is_read_as_an_unknown_structure(subtests: pytest.Subtests) -> None:
    for uid in ["CHEMBL999", "CHEMBL:1", "Aaanol", AAA_KEY.lower(), "C#N", "a/b"]:
        with subtests.test(uid=uid):
            assert uid in refusal(f"/molecule/{uid}.json", status=404)


def test_every_resource_returns_one_row(subtests: pytest.Subtests) -> None:
    cases = [
        ("/target/CHEMBL100", "pref_name", "First kinase"),
        ("/target/chembl100", "pref_name", "First kinase"),
        ("/mechanism/11", "molecule_chembl_id", "CHEMBL2"),
        ("/drug_indication/21", "mesh_id", "D000001"),
        ("/activity/3", "standard_relation", ">"),
    ]
    for path, key, value in cases:
        with subtests.test(path=path, value=value):
            assert document_of(f"{path}.json")[key] == value
            assert document_of(path, format="json")[key] == value


def test_a_row_that_is_not_there_is_not_found(subtests: pytest.Subtests) -> None:
    for path in ["/target/CHEMBL1", "/mechanism/99", "/activity/x", "/chembl_id_lookup/CHEMBL999"]:
        with subtests.test(path=path):
            assert refusal(f"{path}.json", status=404)


def test_a_parent_an_active_form_and_a_phase_are_reported() -> None:
    salt, prodrug = document_of("/molecule/CHEMBL2.json"), document_of("/molecule/CHEMBL10.json")

    assert salt["molecule_hierarchy"] == {
        "active_chembl_id": "CHEMBL1",
        "molecule_chembl_id": "CHEMBL2",
        "parent_chembl_id": "CHEMBL1",
    }
    assert prodrug["molecule_hierarchy"]["active_chembl_id"] == "CHEMBL1"
    assert prodrug["molecule_hierarchy"]["parent_chembl_id"] == "CHEMBL10"
    phases = [document_of(f"/molecule/CHEMBL{number}.json")["max_phase"] for number in (1, 3, 10, 5)]
    assert phases == ["4.0", "0.5", "-1.0", None]


def test_mechanisms_and_indications_on_a_salt_name_its_parent() -> None:
    mechanism, indication = document_of("/mechanism/11.json"), document_of("/drug_indication/21.json")

    assert (mechanism["molecule_chembl_id"], mechanism["parent_molecule_chembl_id"]) == ("CHEMBL2", "CHEMBL1")
    assert (indication["molecule_chembl_id"], indication["parent_molecule_chembl_id"]) == ("CHEMBL2", "CHEMBL1")
    assert (mechanism["max_phase"], indication["max_phase_for_ind"]) == (4, "4.0")
    assert document_of("/mechanism/12.json")["target_chembl_id"] is None


def test_a_measurement_repeats_what_it_is_of() -> None:
    row = document_of("/activity/2.json")

    assert row["parent_molecule_chembl_id"] == "CHEMBL1"
    assert (row["molecule_pref_name"], row["target_pref_name"]) == ("AAANOL MESYLATE", "First kinase")
    assert (row["target_organism"], row["target_tax_id"]) == ("Homo sapiens", "9606")
    assert (row["standard_value"], row["pchembl_value"], row["potential_duplicate"]) == ("10", "8.00", 0)
    assert document_of("/activity/4.json")["potential_duplicate"] == 1
    assert document_of("/activity/5.json")["pchembl_value"] is None


def test_a_target_has_its_components_and_a_cell_line_none() -> None:
    def components(uid: str) -> list[tuple[str, str]]:
        rows = document_of(f"/target/{uid}.json")["target_components"]
        return [(row["accession"], row["relationship"]) for row in rows]

    assert components("CHEMBL100") == [("P00001", "SINGLE PROTEIN")]
    assert components("CHEMBL101") == [("P00001", "GROUP MEMBER"), ("P00002", "GROUP MEMBER")]
    assert components("CHEMBL102") == []


# sets


def test_a_set_keeps_the_requested_order_and_lists_missing_ids() -> None:
    result = document_of("/molecule/set/CHEMBL3;CHEMBL999;chembl1;CHEMBL900.json")

    assert [row["molecule_chembl_id"] for row in result["molecules"]] == ["CHEMBL3", "CHEMBL1"]
    assert result["not_found"] == ["CHEMBL999", "CHEMBL900"]


def test_a_set_without_absent_ones_does_not_speak_of_any() -> None:
    result = document_of("/molecule/set/CHEMBL3.json", only="molecule_chembl_id")

    assert result == {"molecules": [{"molecule_chembl_id": "CHEMBL3"}]}
    assert document_of("/target/set/CHEMBL100;CHEMBL1.json")["not_found"] == ["CHEMBL1"]
    assert refusal("/molecule/set/;.json") == "No IDs are given."


# kinds of IDs, and the status


def test_an_id_lookup_returns_its_kind_and_status(subtests: pytest.Subtests) -> None:
    cases = [
        ("CHEMBL1", "COMPOUND", "ACTIVE", "/chembl/api/data/molecule/CHEMBL1"),
        ("chembl100", "TARGET", "ACTIVE", "/chembl/api/data/target/CHEMBL100"),
        ("CHEMBL200", "ASSAY", "ACTIVE", "/chembl/api/data/assay/CHEMBL200"),
        ("CHEMBL300", "DOCUMENT", "ACTIVE", "/chembl/api/data/document/CHEMBL300"),
        ("CHEMBL900", "COMPOUND", "INACTIVE", "/chembl/api/data/molecule/CHEMBL900"),
        ("CHEMBL901", "CELL", "ACTIVE", "/chembl/api/data/cell_line/CHEMBL901"),
    ]
    for uid, kind, status, url in cases:
        with subtests.test(status=status):
            assert document_of(f"/chembl_id_lookup/{uid}.json") == {
                "chembl_id": uid.upper(),
                "entity_type": kind,
                "status": status,
                "resource_url": url,
                "last_active": 37 if status == "ACTIVE" else None,
            }


def test_ids_are_listed_too() -> None:
    assert ids("/chembl_id_lookup.json", key="chembl_id", entity_type="CELL") == ["CHEMBL901"]


def test_the_status_contains_the_release() -> None:
    assert document_of("/status.json") == {
        "status": "UP",
        "api_version": "sandbox",
        "chembl_db_version": "ChEMBL_37",
        "chembl_release_date": "2026-05-01",
        "disinct_compounds": 5,
        "compound_records": 5,
        "activities": 5,
        "targets": 3,
        "publications": 1,
    }
    assert "ignore" in refusal("/status.json", limit=1)


# pages

CHEMBL = chembl({"molecule": [molecule(f"CHEMBL{number}") for number in range(1, 1206)]})


def page(**params: object) -> tuple[int, dict[str, object]]:
    result = document_of("/molecule.json", standin=CHEMBL, **params)
    return len(result["molecules"]), result["page_meta"]


def test_a_page_has_twenty_rows_and_links_to_its_neighbours() -> None:
    assert page() == (
        20,
        {
            "limit": 20,
            "next": "/chembl/api/data/molecule.json?limit=20&offset=20",
            "offset": 0,
            "previous": None,
            "total_count": 1205,
        },
    )
    assert page(offset=1200, limit=5, only="pref_name") == (
        5,
        {
            "limit": 5,
            "next": None,
            "offset": 1200,
            "previous": "/chembl/api/data/molecule.json?only=pref_name&limit=5&offset=1195",
            "total_count": 1205,
        },
    )


def test_a_page_has_a_thousand_rows_at_most(subtests: pytest.Subtests) -> None:
    for limit, rows in [(0, 1000), (1000, 1000), (5000, 1000), (1, 1)]:
        with subtests.test(limit=limit):
            count, meta = page(limit=limit)

            assert (count, meta["limit"]) == (rows, rows)


def test_a_bad_offset_answers_page_one(subtests: pytest.Subtests) -> None:
    for offset in ["-1", "x", "", "1.5", "²", "9" * 5000]:
        with subtests.test(offset=offset):
            count, meta = page(offset=offset)

            assert (count, meta["offset"]) == (20, 0)


def test_links_lead_from_the_first_page_to_the_last() -> None:
    seen_values, offset = 0, 0
    while True:
        count, meta = page(limit=500, offset=offset)
        seen_values += count
        if meta["next"] is None:
            break
        offset = int(str(meta["next"]).rpartition("=")[2])

    assert seen_values == 1205


def test_beyond_the_end_there_is_nothing() -> None:
    count, meta = page(offset=5000)

    assert (count, meta["next"], meta["total_count"]) == (0, None, 1205)


def test_a_bad_limit_is_refused(subtests: pytest.Subtests) -> None:
    for limit in ["-1", "ten", ""]:
        with subtests.test(limit=limit):
            assert refusal("/molecule.json", limit=limit) == (
                f"Invalid limit '{limit}' provided. Please provide a positive integer."
            )


# refusals


def test_without_json_the_real_service_would_answer_xml() -> None:
    for path in ("/molecule", "/molecule/CHEMBL1", "/status", "/molecule/search"):
        assert "XML" in refusal(path)
    assert "XML" in refusal("/molecule", format="xml")


def test_a_trailing_slash_and_the_format_in_the_query_are_fine() -> None:
    assert document_of("/molecule/CHEMBL1.json/") == document_of("/molecule/CHEMBL1/", format="json")
    assert document_of("/molecule.json", format="json")["page_meta"]["total_count"] == 5


def test_another_resource_or_method_is_refused() -> None:
    assert "image" in refusal("/image/CHEMBL1.json", status=404)
    assert refusal("/status/x.json", status=404)
    assert refusal("/molecule.json", status=405, method="POST")


def test_a_form_that_says_it_is_a_get_is_answered_as_one() -> None:
    params = (("molecule_chembl_id__in", "CHEMBL1,CHEMBL2"),)

    reply = usual().reply(ServiceRequest("POST", "/molecule.json", params, headers={"x-http-method-override": "GET"}))

    assert document(reply) == document_of("/molecule.json", molecule_chembl_id__in="CHEMBL1,CHEMBL2")


@pytest.mark.parametrize("path", ["/molecule/CHEMBL1.json", "/molecule/set/CHEMBL1.json"])
def test_details_have_no_filters(path: str) -> None:
    assert "ignore" in refusal(path, pref_name="x")
    assert "ignore" in refusal(path, limit=1)


def test_refusals_are_judged_as_refusals_and_not_as_passing_failures() -> None:
    asks = [
        (404, ask("/molecule/CHEMBL999.json")),
        (400, ask("/molecule.json", pref_nam="x")),
        (400, ask("/molecule/search.json", q="ab")),
        (400, ask("/molecule/search.json")),
        (400, ask("/molecule.json", limit="x")),
    ]

    replies = [(status, usual().reply(item)) for status, item in asks]

    for status, reply in replies:
        document(reply, status)
        assert judge(Answer(status, {}, bytes(reply.body), "")) == "refused"  # type: ignore[arg-type]


def test_the_service_replays_and_publishes_no_limit() -> None:
    assert isinstance(usual(), ReplayingStandIn)
    assert not isinstance(usual(), LimitedStandIn)


# recorded molecules beside the facts


def test_recorded_molecules_are_added_to_the_facts_which_win() -> None:
    old = {"molecule_hierarchy": None, "max_phase": 4, "molecule_structures": None, "molecule_synonyms": []}
    rows = [{**old, "molecule_chembl_id": f"CHEMBL{n}", "pref_name": f"OLD {n}"} for n in (1, 7)]
    pair = chembl(rows=rows)

    assert document_of("/molecule/CHEMBL1.json", standin=pair)["pref_name"] == "AAAMAB FREE"
    assert document_of("/molecule/CHEMBL7.json", standin=pair) == rows[1]
    assert document_of("/chembl_id_lookup/CHEMBL7.json", standin=pair)["entity_type"] == "COMPOUND"
    molecules = document_of("/molecule.json", standin=pair, max_phase=4)["molecules"]
    assert [row["molecule_chembl_id"] for row in molecules] == ["CHEMBL1", "CHEMBL2", "CHEMBL7"]
