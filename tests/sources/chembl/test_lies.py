"""Upstreams that lie, ignore the request or send odd shapes: honest errors, and never another compound's facts."""

import re

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.chembl.lying import activities, activity, bioactivities, compound, of_target, run_tool
from tests.sources.chembl.made_client import fixed_answer, list_answer

pytestmark = pytest.mark.quick

ITEM = {"molecule_chembl_id": "CHEMBL1", "pref_name": "AAANOL"}
OTHER = {"molecule_chembl_id": "CHEMBL2", "pref_name": "BETANOL"}


# Molecules


OTHER_MOLECULES = [
    {"molecules": [OTHER]},
    {"molecules": []},
    {"molecules": [{**ITEM, "molecule_chembl_id": "CHEMBL:1"}]},
    {"molecules": [{"pref_name": "AAANOL"}]},
    {"molecules": [OTHER], "not_found": ["CHEMBL2"]},
    {"molecules": None},
    {"molecule": ITEM},
    [ITEM],
    {},
]


@pytest.mark.parametrize(
    ("slim", "contents"),
    [
        (True, OTHER_MOLECULES),
        (False, OTHER_MOLECULES[:1]),
        pytest.param(False, OTHER_MOLECULES[1:], marks=pytest.mark.sweep),
    ],
)
def test_another_molecule_than_asked_is_never_passed_on(slim, contents, subtests):
    for content in contents:
        with subtests.test(content=content), pytest.raises(UpstreamError, match="ChEMBL"):
            compound(fixed_answer(content, "/molecule/set"), slim=slim, include=None)


def test_a_molecule_beside_the_requested_one_is_ignored():
    assert (
        compound(fixed_answer({"molecules": [OTHER, ITEM]}, "/molecule/set"), slim=True, include=None).name == "AAANOL"
    )


def test_a_batch_never_mixes_molecules_up():
    swapped_answer = fixed_answer({"molecules": [OTHER, ITEM]}, "/molecule/set")
    page = run_tool("get_compounds_batch", ["CHEMBL:1", "CHEMBL:2"], faults=[swapped_answer])

    assert [(item.id, item.name) for item in page.items] == [("CHEMBL:1", "AAANOL"), ("CHEMBL:2", "BETANOL")]


def test_a_404_for_a_set_does_not_say_that_there_is_no_such_compound(subtests):
    for body in [b"", b"<html>Not MoleculeHit</html>", b'{"error_message": "Not found"}']:
        with subtests.test(body=body):
            fault = Fault("status", status=404, body=body, times=None)

            with pytest.raises(UpstreamError):
                compound(fault)


def test_of_a_set_that_leaves_one_out_the_others_are_passed_on():
    lacking_values = fixed_answer({"molecules": [ITEM]}, "/molecule/set", times=None)
    page = run_tool("get_compounds_batch", ["CHEMBL:1", "CHEMBL:2"], faults=[lacking_values])

    assert page.items[0].name == "AAANOL"
    assert page.items[1].error.code == "UPSTREAM_ERROR"


STRANGER = {
    "molecule_chembl_id": "CHEMBL777",
    "pref_name": "STRANGER",
    "molecule_structures": {"standard_inchi_key": "BBBBBBBBBBBBBB-BBBBBBBBBB-B", "standard_inchi": "InChI=1S/H2O/h1H2"},
}


def test_a_filter_that_is_ignored_never_brings_strangers(subtests):
    for query in ["AAAAAAAAAAAAAA-AAAAAAAAAA-A", "InChI=1S/CH4/h1H4", "C(C)(C)(C)Cl", "zq", "zqxyzw", "STRANGERS"]:
        with subtests.test(query=query):
            table = fixed_answer(list_answer("molecules", [STRANGER], total=2_400_000), "/molecule.json", times=None)
            empty_value = fixed_answer(list_answer("molecules", []), "/molecule/search", times=None)

            with pytest.raises(UpstreamError, match=r"not asked for|fit into one answer"):
                run_tool("search_compounds", query, faults=[empty_value, table])


def test_a_compound_that_is_listed_and_not_sent_is_a_failure_for_a_search_too():
    empty_answer = fixed_answer({"molecules": [], "not_found": ["CHEMBL1"]}, "/molecule/set", times=None)

    with pytest.raises(UpstreamError, match="did not send"):
        run_tool("search_compounds", "CHEMBL1", faults=[empty_answer])


def test_a_molecule_both_sent_and_not_found_is_taken_as_sent():
    assert (
        compound(
            fixed_answer({"molecules": [ITEM], "not_found": ["CHEMBL1"]}, "/molecule/set"), slim=True, include=None
        ).id
        == "CHEMBL:1"
    )


def test_a_molecule_that_is_its_own_parent_or_names_an_odd_one_is_a_molecule():
    for hierarchy in ({"parent_chembl_id": "CHEMBL1"}, {"parent_chembl_id": 5}, {"parent_chembl_id": None}, "x", []):
        record = compound(fixed_answer({"molecules": [{**ITEM, "molecule_hierarchy": hierarchy}]}, "/molecule/set"))

        assert (record.id, record.parent) == ("CHEMBL:1", None)


# Tables whose filter is ignored: the beginning of the whole table comes back


def mechanism(molecule, **options):
    return {
        "molecule_chembl_id": molecule,
        "parent_molecule_chembl_id": molecule,
        "mechanism_of_action": "Binds",
        "target_chembl_id": "CHEMBL100",
        **options,
    }


def test_mechanisms_and_indications_of_others_are_ignored():
    strangers = [mechanism("CHEMBL77"), mechanism("CHEMBL1", mechanism_of_action="Own")]
    ill = [{"parent_molecule_chembl_id": "CHEMBL77", "efo_term": "other"}, {"efo_term": "nobody's"}]
    record = compound(
        fixed_answer(list_answer("mechanisms", strangers), "/mechanism.json"),
        fixed_answer(list_answer("drug_indications", ill), "/drug_indication.json"),
    )

    assert [mechanism.mechanism for mechanism in record.mechanisms] == ["Own"]
    assert record.indications == []


@pytest.mark.parametrize(
    ("path", "name"), [("/mechanism.json", "mechanisms"), ("/drug_indication.json", "drug_indications")]
)
def test_the_beginning_of_a_whole_table_is_no_answer(path, name):
    rows = [mechanism(f"CHEMBL{number}", efo_term="x") for number in range(5000, 6000)]
    record = compound(fixed_answer(list_answer(name, rows, total=7500), path))

    assert (record.id, "LEG_FAILED" in codes(record)) == ("CHEMBL:1", True)
    assert not (record.mechanisms if name == "mechanisms" else record.indications)


def test_a_target_that_was_not_asked_for_describes_nothing():
    other = {"target_chembl_id": "CHEMBL777", "pref_name": "Other", "target_components": [{"accession": "P99999"}]}
    record = compound(fixed_answer(list_answer("targets", [other]), "/target.json"))

    assert [(mechanism.target, mechanism.target_name) for mechanism in record.mechanisms] == [("CHEMBL:100", None)]
    assert record.cross_references.uniprot is None


@pytest.mark.parametrize("target_id", ["CHEMBL:100", "UniProtKB:P00001"])
def test_the_beginning_of_all_targets_is_no_target(target_id):
    rows = [{"target_chembl_id": f"CHEMBL{number}", "target_components": []} for number in range(5000, 6000)]

    with pytest.raises(UpstreamError, match="more targets than fit"):
        run_tool(
            "find_compounds_for_target",
            target_id,
            faults=[fixed_answer(list_answer("targets", rows, total=17_000), "target")],
        )


def test_targets_without_the_protein_asked_for_do_not_count():
    rows = [
        {"target_chembl_id": "CHEMBL100", "target_components": [{"accession": "P00001"}]},
        {"target_chembl_id": "CHEMBL555", "target_components": [{"accession": "P00009"}]},
    ]
    page = run_tool(
        "find_compounds_for_target", "UniProtKB:P00001", faults=[fixed_answer(list_answer("targets", rows), "target")]
    )

    assert {row.target for row in page.items} == {"CHEMBL:100"}
    assert codes(page) == []


def test_mechanisms_on_other_targets_are_dropped_and_counted():
    rows = [mechanism("CHEMBL77", target_chembl_id="CHEMBL101"), mechanism("CHEMBL3")]
    page = of_target(fixed_answer(list_answer("mechanisms", rows), "/mechanism.json"), activities())

    assert [row.id for row in page.items] == ["CHEMBL:3"]
    assert message(page, "DROPPED").endswith(": 1.")


def test_the_beginning_of_all_mechanisms_is_no_list_of_drugs():
    with pytest.raises(UpstreamError, match="more mechanisms than fit into one answer: 7500"):
        of_target(fixed_answer(list_answer("mechanisms", [mechanism("CHEMBL3")], total=7500), "/mechanism.json"))


# Measurements of something else


STRANGE = {
    "another molecule": {"molecule_chembl_id": "CHEMBL2"},
    "another target": {"target_chembl_id": "CHEMBL101"},
    "no target": {"target_chembl_id": None},
    "nulls": dict.fromkeys(activity(0)),
    "an odd number": {"activity_id": "x"},
}


def count_of_omitted(page):
    """Rows of a page that are counted as not asked for, or as without a field."""
    messages = [notice.message for notice in page.notices if notice.code in {"DROPPED", "NOT_COVERED"}]
    return sum(int(count) for text in messages for count in re.findall(r": (\d+)", text))


def test_measurements_of_something_else_are_dropped_and_counted(subtests):
    for name, strange in STRANGE.items():
        with subtests.test(name=name):
            rows = activities(activity(5), {**activity(9), **strange})
            page = bioactivities(rows, target="CHEMBL:100", page_size=2)

            assert [row.activity_id for row in page.items] == [5]
            assert count_of_omitted(page) == 1


def test_measurements_on_something_else_are_no_evidence(subtests):
    for name in [name for name in STRANGE if name != "another molecule"]:
        with subtests.test(name=name):
            page = of_target(
                activities(activity(5), {**activity(9), "parent_molecule_chembl_id": "CHEMBL5", **STRANGE[name]})
            )

            assert [(row.id, row.evidence) for row in page.items] == [("CHEMBL:1", "mechanism")]
            assert count_of_omitted(page) == 1


@pytest.mark.parametrize("tool", [bioactivities, of_target])
def test_a_page_of_nothing_but_strangers_is_refused(tool):
    rows = [activity(number, molecule_chembl_id="CHEMBL7", target_chembl_id="CHEMBL8") for number in range(100, 200)]

    with pytest.raises(UpstreamError, match="measurements of something else"):
        tool(fixed_answer(list_answer("activities", rows, total=100), "/activity.json"), page_size=100)


def test_a_value_without_pchembl_is_no_strongest_one():
    page = bioactivities(activities(activity(1), activity(2, pchembl_value=None)), page_size=2)

    assert [(row.activity_id, row.pchembl) for row in page.items] == [(1, 7.0)]
    assert message(page, "DROPPED").endswith(": 1.")


@each_of("tool", [bioactivities, of_target])
def test_rows_of_nulls_only_are_no_empty_list(tool):
    rows = [dict.fromkeys(activity(0)) for _ in range(2)]

    with pytest.raises(UpstreamError, match="a measurement without 'molecule_chembl_id'"):
        tool(activities(*rows), page_size=50)


def test_infinite_and_odd_values_are_absent():
    odd = activity(1, standard_value="inf", standard_relation=5, standard_units=[], potential_duplicate="x")
    [row] = bioactivities(activities(odd), page_size=1).items

    assert (row.value, row.relation, row.units, row.possible_duplicate) == (None, None, None, None)
