"""Requests to ChEMBL, UniChem and PDBe, in the services' own form."""

import pytest

from biofact.sources.chembl import service

pytestmark = pytest.mark.quick

RESULT = "molecule_chembl_id,pref_name,molecule_type,max_phase,molecule_hierarchy,molecule_properties,molecule_synonyms"


def request_line(request):
    assert request.accept == "application/json"
    return request.service.name, request.method, request.quoted_path, dict(request.params), request.json


def test_molecules_are_asked_for_by_id_name_and_words():
    assert request_line(service.molecules(["CHEMBL25", "CHEMBL941"])) == (
        *("chembl", "GET", "/molecule/set/CHEMBL25;CHEMBL941.json", {}),
        None,
    )
    assert request_line(service.search("imatinib", 20, 100))[2:4] == (
        "/molecule/search.json",
        {"q": "imatinib", "limit": "100", "offset": "20", "only": RESULT},
    )
    assert request_line(service.molecules_by_name("Gleevec", "iexact", 0, 5, filters=(("max_phase", "4"),)))[2:4] == (
        "/molecule.json",
        {
            "molecule_synonyms__molecule_synonym__iexact": "Gleevec",
            "max_phase": "4",
            "limit": "5",
            "offset": "0",
            "only": RESULT,
        },
    )


def test_structures_are_asked_for_in_their_notation():
    key = dict(service.with_structure("inchi_key", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N").params)
    inchi = dict(service.with_structure("inchi", "InChI=1S/H2O/h1H2").params)
    smiles = dict(service.with_structure("smiles", "OCC").params)

    assert key["molecule_structures__standard_inchi_key"] == "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"
    assert inchi["molecule_structures__standard_inchi"] == "InChI=1S/H2O/h1H2"
    assert smiles["molecule_structures__canonical_smiles__flexmatch"] == "OCC"
    assert "molecule_structures" in smiles["only"].split(",")


def test_tables_are_asked_for_many_at_once_and_for_all_that_one_answer_holds(subtests):
    for request_, path, field in [
        (service.mechanisms_of(["CHEMBL1", "CHEMBL2"]), "/mechanism.json", "parent_molecule_chembl_id__in"),
        (service.mechanisms_on(["CHEMBL1", "CHEMBL2"]), "/mechanism.json", "target_chembl_id__in"),
        (service.indications_of(["CHEMBL1", "CHEMBL2"]), "/drug_indication.json", "parent_molecule_chembl_id__in"),
        (service.targets(["CHEMBL1", "CHEMBL2"]), "/target.json", "target_chembl_id__in"),
    ]:
        with subtests.test(request_=request_, path=path, field=field):
            assert request_line(request_) == ("chembl", "GET", path, {field: "CHEMBL1,CHEMBL2", "limit": "1000"}, None)


def test_targets_of_a_protein_are_asked_for_by_their_component():
    assert request_line(service.targets_with("P00533"))[2:4] == (
        "/target.json",
        {"target_components__accession": "P00533", "limit": "1000"},
    )


def test_measurements_are_asked_for_in_an_order_without_ties():
    request = service.activities("-pchembl_value,activity_id", 40, 20, molecule_chembl_id="CHEMBL25")

    assert request.path == "/activity.json"
    assert sorted(request.params) == [
        ("limit", "20"),
        ("molecule_chembl_id", "CHEMBL25"),
        ("offset", "40"),
        ("order_by", "-pchembl_value"),
        ("order_by", "activity_id"),
    ]
    assert [value for name, value in request.params if name == "order_by"] == ["-pchembl_value", "activity_id"]


def test_single_things_have_their_paths():
    assert request_line(service.id_lookup("CHEMBL203"))[2] == "/chembl_id_lookup/CHEMBL203.json"
    assert request_line(service.status())[2] == "/status.json"


def test_unichem_is_asked_by_structure_and_pdbe_by_ligand():
    assert request_line(service.structure_ids("BSYNRYMUTXBXSQ-UHFFFAOYSA-N")) == (
        *("unichem", "POST", "/compounds", {}),
        {"type": "inchikey", "compound": "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"},
    )
    assert request_line(service.entries_with("AIN", "v2"))[:3] == ("pdbe", "GET", "/v2/compound/in_pdb/AIN")
    assert request_line(service.entries_with("AIN")) == ("pdbe", "GET", "/pdb/compound/in_pdb/AIN", {}, None)


@pytest.mark.parametrize(("code", "part"), [("A/B", "A%2FB"), ("a?b#c d", "a%3Fb%23c%20d"), ("../x", "..%2Fx")])
def test_a_ligand_code_cannot_leave_its_part_of_the_path(code, part):
    assert service.entries_with(code).quoted_path == f"/pdb/compound/in_pdb/{part}"
