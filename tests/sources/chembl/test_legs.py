"""Side requests for a compound that are late, unanswered, damaged or about something else; the record stands."""

import asyncio

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from tests import virtual_time
from tests.each_of import check_each
from tests.marks import requirement
from tests.notices import codes, message
from tests.sources.chembl.made_client import client_of, fixed_answer, list_answer, run
from tests.sources.chembl.made_compounds import (
    AAA,
    AAA_KEY,
    ANTIBODY,
    CELLS,
    FACTS,
    KINASE,
    SALT,
    indication,
    ligands,
    mechanism,
    molecule,
    source_ids,
    target,
)

pytestmark = pytest.mark.quick

UNICHEM_FAILED = "Without identifiers in PubChem, DrugBank, KEGG and the PDB (UniChem). "
PDBE_FAILED = "Without PDB entries (PDBe). "
OF_UNICHEM = {"pubchem_compound", "drugbank", "kegg", "pdb"}
ASPIRIN_KEY = "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"


def compound(chembl_id, *faults, facts=None):
    return run(lambda chembl: chembl.get_compound(chembl_id, include=["all"]), *faults, facts=facts)


def xrefs(record):
    return record.cross_references.model_dump(exclude_none=True)


# Late


def run_with_hanging(service):
    """A compound while one service hangs, the seconds of the call, and the compound again after the answer arrived."""

    async def scenario():
        async with client_of() as (chembl, sandbox):
            sandbox.faults.set(Fault("delay", service=service, seconds=4.0))
            first = await chembl.get_compound("CHEMBL:25", include=["all"])
            now = virtual_time.now()
            await asyncio.sleep(4.0)
            second = await chembl.get_compound("CHEMBL:25", include=["all"])
            return first, now, second, sum(request.service == service for request in sandbox.requests)

    return virtual_time.run(scenario())


def test_while_unichem_hangs_a_compound_is_there_within_two_and_a_half_seconds_and_whole_the_next_time():
    first, seconds, second, request = run_with_hanging("unichem")

    assert 2.0 <= seconds <= 2.5
    assert message(first, "LEG_FAILED").startswith(f"{UNICHEM_FAILED}There was no answer within 2 seconds")
    assert not OF_UNICHEM & xrefs(first).keys()
    assert (first.name, len(first.mechanisms), xrefs(first)["uniprot"]) == (
        "ASPIRIN",
        1,
        ["UniProtKB:P23219", "UniProtKB:P35354"],
    )
    assert "LEG_FAILED" not in codes(second)
    assert xrefs(second).keys() >= OF_UNICHEM
    assert request == 1  # the late answer was cached


def test_while_pdbe_hangs_only_the_entries_are_missing():
    first, _, second, request = run_with_hanging("pdbe")

    assert message(first, "LEG_FAILED").startswith(f"{PDBE_FAILED}There was no answer within")
    assert xrefs(first).keys() >= OF_UNICHEM - {"pdb"}
    assert "pdb" not in xrefs(first)
    assert (xrefs(second)["pdb"], codes(second), request) == (["1OXR"], codes(compound("CHEMBL:25").answer), 1)


# Damaged, or of something else

BAD = {
    "a web page": Fault("html", service="unichem", times=None),
    "500": Fault("status", service="unichem", status=500, times=None),
    "no JSON": Fault("body", service="unichem", body=b"<xml/>", times=None),
    "garbage": Fault("body", service="unichem", body=b'{"compounds": 5, "resp', times=None),
    "another shape": fixed_answer({"hits": []}, service="unichem"),
    "a list": fixed_answer([1], service="unichem"),
    "an error under 200": fixed_answer({"error": "database is away"}, service="unichem"),
    "404": Fault("status", service="unichem", status=404, body=b"{}", times=None),
    "closed": Fault("close", service="unichem", times=None),
    "success without a structure": fixed_answer({"response": "Success", "compounds": []}, service="unichem"),
    "another structure": fixed_answer(
        {
            "response": "Success",
            "compounds": [
                {"standardInchiKey": "KTUFNOKKBVMGRW-UHFFFAOYSA-N", "sources": [{"id": 22, "compoundId": "5291"}]}
            ],
        },
        service="unichem",
    ),
}


REPRESENTATIVES = ("500", "garbage", "404", "success without a structure", "another structure")


@pytest.mark.parametrize(
    "name",
    [*REPRESENTATIVES, *(pytest.param(item, marks=pytest.mark.sweep) for item in BAD if item not in REPRESENTATIVES)],
)
def test_after_any_answer_of_unichem_the_record_stands_and_reports_the_missing_part(name):
    record = compound("CHEMBL:25", BAD[name]).answer

    assert message(record, "LEG_FAILED").startswith(UNICHEM_FAILED)
    assert xrefs(record).keys() == {"chembl", "pubchem_substance", "uniprot"}
    assert record.smiles == "CC(=O)Oc1ccccc1C(=O)O"


def test_a_structure_that_unichem_does_not_have_is_no_failure():
    absent = fixed_answer({"response": "Not found", "compounds": [], "totalCompounds": 0}, service="unichem")
    record = compound("CHEMBL:25", absent).answer

    assert "LEG_FAILED" not in codes(record)
    assert not OF_UNICHEM & xrefs(record).keys()


def test_a_stranger_beside_the_structure_adds_nothing():
    rows = [
        {"standardInchiKey": "KTUFNOKKBVMGRW-UHFFFAOYSA-N", "sources": [{"id": 22, "compoundId": "5291"}]},
        {"standardInchiKey": ASPIRIN_KEY, "sources": [{"id": 22, "compoundId": "2244"}]},
    ]
    record = compound("CHEMBL:25", fixed_answer({"response": "Success", "compounds": rows}, service="unichem")).answer

    assert record.cross_references.pubchem_compound == "2244"


def test_a_ligand_that_pdbe_does_not_know_is_in_no_entry():
    unknown = Fault("status", service="pdbe", status=404, body=b"{}", times=None)
    record = compound("CHEMBL:25", unknown).answer

    assert record.cross_references.pdb is None
    assert "LEG_FAILED" not in codes(record)


V1, V2 = "/pdb/compound/", "/v2/compound/"
GONE = (
    *((404, b"<html><body>Not Found</body></html>"), (404, b'{"detail": "Not Found"}'), (404, b"")),
    *((410, b""), (301, b"<html><body>Moved Permanently</body></html>")),
)


def gone(path, status, body):
    return Fault("status", service="pdbe", path=path, status=status, body=body, times=None)


def entries_and_paths(*faults):
    """The compound twice, as from new records, and the paths that PDBe was asked for."""

    async def scenario():
        async with client_of() as (chembl, sandbox):
            sandbox.faults.set(*faults)
            record = await chembl.get_compound("CHEMBL:25", include=["all"])
            await chembl.get_compound("CHEMBL:941", include=["all"])
            paths = [request.path for request in sandbox.requests if request.service == "pdbe"]
            return record, ["v1" if V1 in path else "v2" for path in paths]

    return virtual_time.run(scenario())


def test_entries_come_by_the_second_api_of_pdbe_when_the_first_is_gone():
    expected = compound("CHEMBL:25").answer.cross_references.pdb

    def check(case):
        record, versions = entries_and_paths(gone(V1, *case))

        assert expected
        assert record.cross_references.pdb == expected
        assert "LEG_FAILED" not in codes(record)
        assert versions == ["v1", "v2", "v2"]  # the next ligand is asked for by v2 alone

    check_each(GONE, check)


def test_entries_are_reported_missing_when_both_apis_of_pdbe_are_gone():
    def check(case):
        record, versions = entries_and_paths(gone(V1, *case), gone(V2, *case))

        assert record.cross_references.pdb is None
        assert message(record, "LEG_FAILED").startswith(f"{PDBE_FAILED}PDBe refused the request: ")
        assert versions == ["v1", "v2", "v1", "v2"]  # neither is preferred until it answers

    check_each(GONE, check)


def test_a_failure_of_pdbe_is_not_asked_of_its_second_api():
    _, versions = entries_and_paths(gone(V1, 503, b""))

    assert set(versions) == {"v1"}


@pytest.mark.parametrize(
    "document",
    [{"STI": ["1iep"]}, *(pytest.param(item, marks=pytest.mark.sweep) for item in ({"AIN": "1oxr"}, [], {}))],
)
def test_entries_of_another_ligand_are_no_answer(document):
    record = compound("CHEMBL:25", fixed_answer(document, service="pdbe")).answer

    assert record.cross_references.pdb is None
    assert message(record, "LEG_FAILED").startswith(PDBE_FAILED)


@pytest.mark.parametrize(
    ("path", "field", "omitted_field"),
    [
        ("/mechanism.json", "mechanisms", "Without mechanisms."),
        ("/drug_indication.json", "indications", "Without indications."),
    ],
)
def test_a_failed_table_of_chembl_leaves_the_record_and_the_other_table(path, field, omitted_field):
    record = compound("CHEMBL:25", Fault("status", path=path, status=503, times=None)).answer

    other = {"mechanisms": "indications", "indications": "mechanisms"}[field]
    assert getattr(record, field) == []
    assert getattr(record, other)
    assert message(record, "LEG_FAILED").startswith(omitted_field)
    assert record.cross_references.pubchem_compound == "2244"


def test_mechanisms_come_without_their_targets_when_the_target_request_fails():
    fault = Fault("status", path="/target.json", status=503, times=None)
    record = compound("CHEMBL:25", fault).answer

    [mechanism] = record.mechanisms
    assert (mechanism.mechanism, mechanism.target) == ("Cyclooxygenase inhibitor", "CHEMBL:2094253")
    assert (mechanism.target_name, mechanism.uniprot) == (None, ())
    assert message(record, "LEG_FAILED").startswith("Without names and UniProt entries of targets.")


def test_a_molecule_that_cannot_be_had_is_a_failure():
    with pytest.raises(UpstreamError, match="ChEMBL"):
        compound("CHEMBL:25", Fault("status", path="molecule", status=503, times=None))


# Parent and salt: where rows are filed


def test_a_parent_has_all_mechanisms_and_a_salt_only_its_own():
    mechanisms = [
        mechanism(11, "CHEMBL2", "CHEMBL100", "First kinase inhibitor"),
        mechanism(13, "CHEMBL1", "CHEMBL101", "All kinases inhibitor"),
    ]
    facts = {**FACTS, "mechanism": mechanisms}
    parent = compound("CHEMBL:1", facts=facts).answer
    salt = compound("CHEMBL:2", facts=facts).answer

    assert [mechanism.mechanism for mechanism in parent.mechanisms] == [
        "First kinase inhibitor",
        "All kinases inhibitor",
    ]
    assert [indication.disease for indication in parent.indications] == ["first disease", "Second disease"]
    assert parent.cross_references.uniprot == ["UniProtKB:P00001", "UniProtKB:P00002"]
    assert [mechanism.mechanism for mechanism in salt.mechanisms] == ["First kinase inhibitor"]
    assert [indication.disease for indication in salt.indications] == ["first disease"]
    assert (salt.parent, salt.cross_references.uniprot) == ("CHEMBL:1", ["UniProtKB:P00001"])
    assert "CHEMBL:1" in message(salt, "FORM_OF")
    assert "FORM_OF" not in codes(parent)


def test_nothing_is_copied_from_parent_to_salt():
    salt = compound("CHEMBL:2", facts=FACTS).answer

    assert xrefs(salt) == {"chembl": "CHEMBL2", "uniprot": ["UniProtKB:P00001"]}


def test_a_biotherapeutic_is_not_looked_up_in_other_databases():
    run = compound("CHEMBL:1201580")

    assert run.answer.molecule_type == "Antibody"
    assert xrefs(run.answer).keys() == {"chembl", "uniprot"}
    assert {request.service for request in run.requests} == {"chembl"}


@pytest.mark.parametrize(("target_id", "kind"), [("CHEMBL102", "CELL-LINE"), ("CHEMBL103", "NUCLEIC-ACID")])
def test_targets_without_proteins_have_no_uniprot_entries(target_id, kind):
    rna = target("CHEMBL103", "Some mRNA", "NUCLEIC-ACID", "ENSG00000197386")
    full_mechanism = mechanism(1, "CHEMBL1", target_id, "Does something")
    facts = {"molecule": [AAA, ANTIBODY], "target": [CELLS, rna], "mechanism": [full_mechanism]}
    record = compound("CHEMBL:1", facts=facts).answer

    [mechanism_row] = record.mechanisms
    assert (mechanism_row.target_type, mechanism_row.uniprot) == (kind, ())
    assert record.cross_references.uniprot is None


def test_a_mechanism_on_a_target_that_chembl_does_not_list_has_no_target_name():
    facts = {**FACTS, "mechanism": [mechanism(1, "CHEMBL1", "CHEMBL777", "Does something")]}

    [mechanism_row] = compound("CHEMBL:1", facts=facts).answer.mechanisms
    assert (mechanism_row.target, mechanism_row.target_name) == ("CHEMBL:777", None)


# Values


def facts_elsewhere(*ids, **entries):
    """The made compound, with these IDs in other databases; ``entries`` are of its ligands."""
    return {
        "molecule": [AAA, SALT],
        "target": [KINASE],
        "unichem_compound": [source_ids(AAA_KEY, *ids)],
        "pdb_ligand": ligands(**entries),
    }


def known_compound(*ids, **entries):
    return compound("CHEMBL:1", facts=facts_elsewhere(*ids, **entries)).answer


def test_of_more_than_five_entries_the_first_are_listed_and_all_can_be_asked_for():
    entries = [f"1a{number:02}" for number in range(25)]
    whole = known_compound((3, "AAX"), AAX=entries)
    facts = facts_elsewhere((3, "AAX"), AAX=entries)
    record = run(lambda chembl: chembl.get_compound("CHEMBL:1"), facts=facts).answer

    assert whole.cross_references.pdb == [entry.upper() for entry in entries]
    assert "LIST_CUT" not in codes(whole)
    assert record.cross_references.pdb == whole.cross_references.pdb[:5]
    assert message(record, "LIST_CUT") == 'Listed: pdb 5 of 25; include=["cross_references"] lists all.'


@pytest.mark.parametrize(
    ("include", "counts"),
    [
        ([], {"molecule": 1, "mechanism": 1, "target": 1, "status": 1}),
        (["mechanisms", "chemistry"], {"molecule": 1, "mechanism": 1, "target": 1, "status": 1}),
        (["indications"], {"molecule": 1, "mechanism": 1, "target": 1, "status": 1, "drug_indication": 1}),
        (["all"], {"molecule": 1, "mechanism": 1, "target": 1, "status": 1, "drug_indication": 1}),
    ],
)
def test_only_what_the_answer_needs_is_asked_for(include, counts):
    client_run = run(lambda chembl: chembl.get_compound("CHEMBL:25", include=include))

    assert {name: count for (service, name), count in client_run.counts.items() if service == "chembl"} == counts
    assert bool(client_run.answer.indications) == ("drug_indication" in counts)
    assert bool(client_run.answer.mechanisms) == bool({"mechanisms", "all"} & {*include})
    assert client_run.answer.cross_references.uniprot == ["UniProtKB:P23219", "UniProtKB:P35354"]


def test_entries_of_several_ligand_codes_count_once():
    record = known_compound((3, "AAX"), (3, "A1BCD"), AAX=["1abc", "2abc"], A1BCD=["2abc", "3abc"])

    assert record.cross_references.pdb == ["1ABC", "2ABC", "3ABC"]


def test_of_two_pubchem_numbers_the_lowest_stands_and_the_other_is_named():
    record = known_compound((22, "12345"), (22, "702"))

    assert record.cross_references.pubchem_compound == "702"
    assert message(record, "SEVERAL_VALUES") == "Also pubchem_compound 12345."


@requirement("002 FR-024")
def test_a_cross_reference_of_a_wrong_form_is_dropped_with_a_notice():
    record = known_compound((2, "DB1"), (22, "702"))

    assert (record.cross_references.drugbank, record.cross_references.pubchem_compound) == (None, "702")
    assert message(record, "INVALID_CROSS_REFERENCE") == "'DB1' is no drugbank identifier, and left out."


def test_a_text_that_is_no_ligand_code_is_not_requested():
    codes = ("../x", "A B", "AAXX", "", "aax", "A1BCDE")
    facts = {"molecule": [AAA], "unichem_compound": [source_ids(AAA_KEY, *((3, code) for code in codes))]}
    requests = compound("CHEMBL:1", facts=facts).requests

    assert [request.path for request in requests if request.service == "pdbe"] == []
    assert "unichem" in {request.service for request in requests}


# Rows that do not fit into one answer


def indication_facts(compounds, item):
    ids = [f"CHEMBL{number}" for number in range(1, compounds + 1)]
    rows = [
        indication(1000 * place + row, uid, f"D{row:06}", f"Disease {row}")
        for place, uid in enumerate(ids, 1)
        for row in range(item)
    ]
    return {"molecule": [molecule(uid) for uid in ids], "drug_indication": rows}


def batch(*ids, facts, faults=()):
    return run(lambda chembl: chembl.get_compounds_batch(list(ids), include=["indications"]), *faults, facts=facts)


def test_indications_that_do_not_fit_into_one_answer_are_asked_for_by_themselves():
    run = batch(*(f"CHEMBL:{number}" for number in range(1, 8)), facts=indication_facts(7, item=160))

    assert [len(item.indications) for item in run.answer.items] == [160] * 7
    assert run.counts["chembl", "drug_indication"] == 1 + 7


def test_rows_that_fit_are_not_asked_for_again():
    run = batch(*(f"CHEMBL:{number}" for number in range(1, 8)), facts=indication_facts(7, item=140))

    assert run.counts["chembl", "drug_indication"] == 1


@pytest.mark.parametrize(("path", "name"), [("/mechanism.json", "mechanisms"), ("/target.json", "targets")])
def test_a_list_too_long_even_for_one_is_a_failed_side_request(path, name):
    record = compound("CHEMBL:1", fixed_answer(list_answer(name, [], total=7000), path), facts=FACTS).answer

    assert record.id == "CHEMBL:1"
    assert f"lists more {name} than fit" in message(record, "LEG_FAILED")
