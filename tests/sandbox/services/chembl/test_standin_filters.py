"""The stand-in for ChEMBL: filters, order and trimming."""

import pytest

from biofact.sandbox.services.chembl.corpus import rows_of_starter
from biofact.sandbox.services.chembl.standin import ChemblStandIn
from tests.sources.chembl.made_compounds import AAA_KEY, document_of, ids, refusal

pytestmark = pytest.mark.quick

SYNONYM = "molecule_synonyms__molecule_synonym"


FILTERS = [
    ("pref_name", "BETAMAB", [3]),
    ("pref_name", "Betamab", []),
    ("pref_name__exact", "BETAMAB", [3]),
    ("pref_name__iexact", "betamab", [3]),
    ("pref_name__contains", "MAB", [1, 3]),
    ("pref_name__contains", "mab", []),
    ("pref_name__icontains", "mab", [1, 3]),
    ("pref_name__startswith", "AAA", [1, 2]),
    ("pref_name__istartswith", "aaa", [1, 2]),
    ("pref_name__endswith", "AB", [3]),
    ("pref_name__iendswith", "ab", [3]),
    ("pref_name__in", "BETAMAB,PRO-AAANOL", [3, 10]),
    ("pref_name__isnull", "true", [5]),
    ("pref_name__isnull", "false", [1, 2, 3, 10]),
    ("pref_name__gte", "BETAMAB", [3, 10]),
    (SYNONYM, "Alphadrine", [1, 2]),
    (f"{SYNONYM}__iexact", "alphadrine", [1, 2]),
    (f"{SYNONYM}__iexact", "alpha", []),
    (f"{SYNONYM}__istartswith", "aaanol", [1, 2]),
    (f"{SYNONYM}__iendswith", "MESYLATE", [2]),
    (f"{SYNONYM}__isnull", "true", [10, 5]),
    ("molecule_structures__standard_inchi_key", AAA_KEY, [1]),
    ("molecule_structures__standard_inchi", "InChI=1S/C2H6/c1-2/h1-2H3", [5]),
    ("molecule_structures__canonical_smiles__isnull", "1", [3, 10]),
    ("molecule_chembl_id__in", "CHEMBL3,CHEMBL999,CHEMBL1", [1, 3]),
    ("molecule_hierarchy__parent_chembl_id", "CHEMBL1", [1, 2]),
    ("molecule_type", "Antibody", [3]),
    ("max_phase", "4", [1, 2]),
    ("max_phase", "4.0", [1, 2]),
    ("max_phase__gte", "0.5", [1, 2, 3]),
    ("max_phase__gt", "0.5", [1, 2]),
    ("max_phase__lt", "0", [10]),
    ("max_phase__lte", "0.5", [3, 10]),
    ("max_phase__in", "4,-1", [1, 2, 10]),
    ("max_phase__range", "0,4", [1, 2, 3]),
    ("max_phase__isnull", "true", [5]),
    ("molecule_properties__full_mwt__gte", "46", [1]),
    ("molecule_properties__hba", "1", [1]),
    ("withdrawn_flag", "true", [1]),
    ("withdrawn_flag", "0", [2, 3, 10, 5]),
    ("prodrug", "1", [10]),
    ("cross_references__xref_id", "102", [1]),
    ("biotherapeutic__description__icontains", "antibody", [3]),
]


def test_molecules_are_filtered(subtests: pytest.Subtests) -> None:
    for name, value, result in FILTERS:
        with subtests.test(name=name, value=value):
            assert ids("/molecule.json", **{name: value}) == [f"CHEMBL{number}" for number in result]


def test_a_structure_is_found_in_any_spelling(subtests: pytest.Subtests) -> None:
    for smiles, result in [("CCO", ["CHEMBL1"]), ("OCC", ["CHEMBL1"]), ("CC", ["CHEMBL5"]), ("C=C", [])]:
        with subtests.test(smiles=smiles):
            assert ids("/molecule.json", molecule_structures__canonical_smiles__flexmatch=smiles) == result
            assert ids("/molecule.json", molecule_structures__canonical_smiles="OCC") == []


def test_targets_are_filtered(subtests: pytest.Subtests) -> None:
    cases = [
        ({"target_components__accession": "P00001"}, ["CHEMBL100", "CHEMBL101"]),
        ({"target_components__accession": "P00002"}, ["CHEMBL101"]),
        ({"target_components__accession__isnull": "true"}, ["CHEMBL102"]),
        ({"target_components__accession": "P00001", "target_type": "SINGLE PROTEIN"}, ["CHEMBL100"]),
        ({"target_chembl_id__in": "CHEMBL102,CHEMBL100"}, ["CHEMBL100", "CHEMBL102"]),
        ({"tax_id": "9606"}, ["CHEMBL100", "CHEMBL101"]),
        ({"organism__isnull": "true"}, ["CHEMBL102"]),
    ]
    for params, result in cases:
        with subtests.test(params=params):
            assert ids("/target.json", key="target_chembl_id", **params) == result


def test_mechanisms_and_indications_are_filtered(subtests: pytest.Subtests) -> None:
    cases = [
        ("/mechanism.json", "mec_id", {"parent_molecule_chembl_id__in": "CHEMBL1,CHEMBL9"}, [11]),
        ("/mechanism.json", "mec_id", {"molecule_chembl_id": "CHEMBL1"}, []),
        ("/mechanism.json", "mec_id", {"target_chembl_id__in": "CHEMBL100"}, [11]),
        ("/mechanism.json", "mec_id", {"target_chembl_id__isnull": "true"}, [12]),
        ("/drug_indication.json", "drugind_id", {"parent_molecule_chembl_id": "CHEMBL1"}, [21, 22]),
        ("/drug_indication.json", "drugind_id", {"max_phase_for_ind__gte": "1"}, [21]),
        ("/drug_indication.json", "drugind_id", {"efo_id__isnull": "true"}, [22]),
    ]
    for path, key, params, result in cases:
        with subtests.test(path=path):
            assert ids(path, key=key, **params) == result


def test_measurements_are_filtered(subtests: pytest.Subtests) -> None:
    cases = [
        ({"molecule_chembl_id": "CHEMBL1"}, [1, 3, 4, 5]),
        ({"parent_molecule_chembl_id": "CHEMBL1", "target_chembl_id": "CHEMBL100"}, [1, 2, 3, 4]),
        ({"molecule_chembl_id__in": "CHEMBL2,CHEMBL3"}, [2]),
        ({"pchembl_value__isnull": "false"}, [1, 2, 4]),
        ({"pchembl_value__isnull": "False", "pchembl_value__gte": "7"}, [2, 4]),
        ({"pchembl_value__range": "6,8"}, [1, 2]),
        ({"standard_value__lt": "100"}, [2, 4, 5]),
        ({"standard_type__in": "Ki,Inhibition"}, [4, 5]),
        ({"standard_relation": ">"}, [3]),
        ({"data_validity_comment__isnull": "true", "potential_duplicate": "0"}, [1, 2, 3]),
        ({"target_organism__iexact": "homo sapiens"}, [1, 2, 3, 4]),
        ({"target_tax_id": "9606", "document_year": "2001"}, [1]),
    ]
    for params, result in cases:
        with subtests.test(params=params):
            assert ids("/activity.json", key="activity_id", **params) == result


def test_target_synonym_is_the_name_of_a_component(subtests: pytest.Subtests) -> None:
    """ChEMBL's own web services have this second name for the field (chembl_webservices_2, resources/target.py)."""
    rows = rows_of_starter()
    standin = ChemblStandIn(rows)
    field = "target_components__target_component_synonyms__component_synonym"
    of_egfr = [
        row["target_chembl_id"]
        for row in rows["target"]
        if "P00533" in {component["accession"] for component in row["target_components"]}
    ]

    def ids_with(**params: object) -> list[str]:
        return [row["target_chembl_id"] for row in document_of("/target.json", standin=standin, **params)["targets"]]

    cases = [
        ("", "HER1"),
        ("__exact", "HER1"),
        ("__iexact", "her1"),
        ("__icontains", "c-erbb-1"),
        ("__in", "HER1,NOBODY"),
    ]
    for lookup, name in cases:
        with subtests.test(lookup=lookup, name=name):
            assert ids_with(**{f"target_synonym{lookup}": name}) == of_egfr
            assert ids_with(**{f"{field}{lookup}": name}) == of_egfr


def test_target_synonym_is_a_name_in_filters_of_targets_only() -> None:
    assert "target_synonym" in refusal("/molecule.json", target_synonym="HER1")
    assert "target_synonym" in refusal("/target.json", only="target_synonym")
    assert "target_synonym" in refusal("/target.json", order_by="target_synonym")


def test_filters_on_a_list_speak_of_the_same_element() -> None:
    names = {SYNONYM: "Alphadrine"}

    assert ids("/molecule.json", **names, molecule_synonyms__syn_type="TRADE_NAME") == ["CHEMBL1"]
    assert ids("/molecule.json", **names, molecule_synonyms__syn_type="USAN") == []


def test_a_repeated_filter_is_its_last_value_unless_it_takes_a_list() -> None:
    assert ids("/molecule.json", ("max_phase", "9"), ("max_phase", "4")) == ["CHEMBL1", "CHEMBL2"]
    assert ids("/molecule.json", ("pref_name__in", "BETAMAB"), ("pref_name__in", "PRO-AAANOL")) == [
        "CHEMBL3",
        "CHEMBL10",
    ]


def test_values_of_a_repeated_filter_are_whole_and_may_hold_commas() -> None:
    lists = ("pref_name__in", "BETAMAB,PRO-AAANOL"), ("pref_name__in", "AAANOL MESYLATE")

    assert ids("/molecule.json", *lists) == ["CHEMBL2"]
    assert ids("/molecule.json", lists[0]) == ["CHEMBL3", "CHEMBL10"]


def test_the_links_of_a_page_keep_the_filters() -> None:
    meta = document_of("/molecule.json", max_phase__gte=0, limit=2)["page_meta"]

    assert meta["total_count"] == 3
    assert meta["next"] == "/chembl/api/data/molecule.json?max_phase__gte=0&limit=2&offset=2"


# order


def test_nulls_come_first_when_descending_and_numbers_count_as_numbers(subtests: pytest.Subtests) -> None:
    cases = [
        (["pchembl_value"], [1, 2, 4, 3, 5]),
        (["-pchembl_value"], [3, 5, 4, 2, 1]),
        (["-standard_value"], [3, 1, 5, 2, 4]),
        (["standard_type", "-activity_id"], [3, 2, 1, 5, 4]),
        (["-potential_duplicate", "pchembl_value"], [4, 1, 2, 3, 5]),
    ]
    for order, result in cases:
        with subtests.test(order=order):
            assert ids("/activity.json", *(("order_by", name) for name in order), key="activity_id") == result


def test_rows_are_ordered_by_what_lies_deeper_too() -> None:
    assert ids("/molecule.json", order_by="-molecule_properties__full_mwt", limit=1, max_phase=4) == ["CHEMBL2"]
    assert ids("/molecule.json", order_by="molecule_synonyms__molecule_synonym", limit=2) == ["CHEMBL1", "CHEMBL2"]
    assert ids("/molecule.json", order_by="first_approval", limit=1) == ["CHEMBL1"]


# trimming


def test_only_trims_to_the_fields_that_are_named() -> None:
    expected = {"pref_name": "BETAMAB", "molecule_type": "Antibody"}

    assert document_of("/molecule.json", only="pref_name,molecule_type", pref_name="BETAMAB")["molecules"] == [expected]
    assert document_of("/molecule/CHEMBL3.json", ("only", "pref_name"), ("only", "molecule_type")) == expected
    assert document_of("/target/CHEMBL100.json", only="cross_references") == {"cross_references": []}


# refusals


def test_an_unknown_field_is_refused_where_the_real_service_would_ignore_it(subtests: pytest.Subtests) -> None:
    cases = [
        ("/molecule.json", "pref_nam"),
        ("/molecule.json", "pref_nam__iexact"),
        ("/molecule.json", "molecule_chembl_ids__in"),
        ("/molecule.json", "q"),
        ("/molecule.json", "score"),
        ("/mechanism.json", "parent_chembl_id"),
        ("/activity.json", "page"),
        ("/molecule/search.json", "order_by"),
    ]
    for path, name in cases:
        with subtests.test(path=path, name=name):
            words = refusal(path, ("q", "aaanol") if "search" in path else ("limit", "5"), **{name: "x"})

            assert repr(name) in words
            assert "the real service would ignore it" in words


def test_an_unsupported_filter_is_refused(subtests: pytest.Subtests) -> None:
    cases = [
        {"molecule_synonyms__name": "x"},
        {"molecule_synonyms": "x"},
        {"pref_name__regex": "x"},
        {"pref_name__upper": "x"},
        {"pref_name__flexmatch": "CCO"},
        {"max_phase__icontains": "4"},
        {"max_phase": "four"},
        {"max_phase__range": "4"},
        {"max_phase__in": "4,x"},
        {"withdrawn_flag": "maybe"},
        {"withdrawn_flag__in": "true"},
        {"pref_name__isnull": "maybe"},
    ]
    for params in cases:
        with subtests.test(params=params):
            assert refusal("/molecule.json", **params)


@pytest.mark.parametrize("name", ["order_by", "only"])
@pytest.mark.parametrize("value", ["x", "pref_name,x", "-x"])
def test_order_and_trimming_by_unknown_names_are_refused(name: str, value: str) -> None:
    assert name in refusal("/molecule.json", **{name: value})


def test_trimming_is_by_names_at_the_top() -> None:
    assert refusal("/molecule.json", only="molecule_structures__canonical_smiles")
