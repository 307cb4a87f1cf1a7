"""Every field of every recorded molecule by a second way; then values of other types, and any values at all."""

import itertools
import json
from collections import Counter

import pytest
from hypothesis import given

from biofact.core.errors import UpstreamError
from biofact.sources.chembl import parse
from biofact.sources.chembl.parse.lists import trimmed
from biofact.transport.service import Transient
from tests.marks import requirement
from tests.recordings import recording
from tests.sources.chembl.recorded_molecules import all_molecules
from tests.sources.chembl.spoilt import empty_values, of_any, spoilt

pytestmark = pytest.mark.quick

PROTEINS = {"Protein", "Antibody", "Enzyme"}
KINDS = {"INN": 0, "USAN": 0, "BAN": 0, "FDA": 0, "JAN": 0, "USP": 0, "ATC": 0, "BNF": 0, "MERCK_INDEX": 0}
KINDS |= {"NATIONAL_FORMULARY": 0, "TRADE_NAME": 1, "RESEARCH_CODE": 3}


def molecule_body(**fields) -> bytes:
    return json.dumps({"molecule_chembl_id": "CHEMBL1"} | fields).encode()


def record(**fields):
    plain = parse.compound(molecule_body(**fields), parse.SideFacts()).model_dump(mode="json")
    return {key: value for key, value in plain.items() if key not in {"id", "name", "cross_references", "category"}}


def claim(value):
    """Yes, no or unknown: true, false, "1", 1, "0", 0, "-1", -1, null."""
    return None if value is None or int(value) < 0 else bool(int(value))


def read_off(raw):
    """The record without its names, built without the parsers."""
    numbers, shape = raw.get("molecule_properties") or {}, raw.get("molecule_structures") or {}
    parent = (raw.get("molecule_hierarchy") or {}).get("parent_chembl_id")
    molecule_chembl_id, kind = raw["molecule_chembl_id"], raw.get("molecule_type")
    of_proteins = "biolink:Protein" if kind in PROTEINS else "biolink:ChemicalEntity"
    substances = [row["xref_id"] for row in raw.get("cross_references") or [] if "SID:" in (row["xref_name"] or "")]
    fields = {
        "id": molecule_chembl_id.replace("CHEMBL", "CHEMBL:"),
        "canonical_name": raw.get("pref_name"),
        "molecular_formula": numbers.get("full_molformula"),
        "molecular_weight": numbers.get("full_mwt") and float(numbers["full_mwt"]),
        "smiles": shape.get("canonical_smiles"),
        "inchi": shape.get("standard_inchi"),
        "inchi_key": shape.get("standard_inchi_key"),
        "molecule_type": kind,
        "max_phase": float(raw["max_phase"]) if raw.get("max_phase") else None,
        "first_approval": raw.get("first_approval"),
        "withdrawn": claim(raw.get("withdrawn_flag")),
        "black_box_warning": claim(raw.get("black_box_warning")),
        "parent": parent.replace("CHEMBL", "CHEMBL:") if parent and parent != molecule_chembl_id else None,
        "alogp": numbers.get("alogp") and float(numbers["alogp"]),
        "hba": numbers.get("hba"),
        "hbd": numbers.get("hbd"),
        "ro5_violations": numbers.get("num_ro5_violations"),
        "cross_references": {"chembl": molecule_chembl_id} | ({"pubchem_substance": substances} if substances else {}),
        "category": "biolink:SmallMolecule" if kind == "Small molecule" else of_proteins,
    }
    return {name: value for name, value in fields.items() if value is not None}


def ranked_names(raw):
    """Distinct names by their best kind, then by their first place of that kind, in lower case."""
    rows = [(row["molecule_synonym"].lower(), row["syn_type"]) for row in raw.get("molecule_synonyms") or []]
    best = {}
    for place, (name, kind) in enumerate(rows):
        best[name] = min(best.get(name, (9, 0)), (KINDS.get(kind, 2), place))
    return sorted(best, key=best.get)


@requirement("002 SC-006")
def test_every_field_of_every_recorded_molecule_is_what_a_second_reading_says():
    counter = Counter()
    for raw in all_molecules():
        parsed = parse.compound(json.dumps(raw).encode(), parse.SideFacts()).model_dump(mode="json")
        name, names, notices = parsed.pop("name"), parsed.pop("synonyms", []), parsed.pop("notices", [])

        expected, ranked = read_off(raw), ranked_names(raw)
        assert parsed == expected
        assert (raw.get("pref_name") or name).lower() == name.lower()
        assert name.lower() in {(raw.get("pref_name") or "").lower(), *ranked[:1], raw["molecule_chembl_id"].lower()}
        assert [name.lower() for name in names] == [item for item in ranked if item != name.lower()][:20]
        assert {*names} <= {row["molecule_synonym"] for row in raw.get("molecule_synonyms") or []}
        assert [notice["code"] for notice in notices] == ["FORM_OF"] * ("parent" in parsed)
        counter.update([*parsed, *(["synonyms"] if names else [])])

    assert counter["id"] >= 190
    assert min(counter.values()) >= 1
    assert counter["smiles"] > 150  # so that nothing was compared with nothing
    assert counter["synonyms"] > 60


def test_the_long_and_the_short_form_and_the_hit_of_a_recorded_molecule_agree():
    for raw in all_molecules():
        body = json.dumps(raw).encode()

        whole, hit = parse.compound(body, parse.SideFacts()), parse.molecule_hit(body)

        assert parse.slim_compound(body) == whole.model_copy(update={"notices": []}).slim()
        row = hit.candidate(match="id", score=1.0)
        for name in ("id", "name", "molecular_formula", "molecule_type", "max_phase", "parent"):
            assert getattr(row, name) == getattr(whole, name)
        assert (hit.inchi_key, hit.smiles) == (whole.inchi_key, whole.smiles)
        assert (hit.parent or "").replace("CHEMBL", "CHEMBL:") == (whole.parent or "")
        assert parse.compound(json.dumps(trimmed(raw)).encode(), parse.SideFacts()) == whole


def test_a_phase_is_read_in_all_written_forms_and_none_is_made_up(subtests):
    for value, phase in [
        *(("4.0", 4.0), (4, 4.0), (4.0, 4.0), ("4", 4.0), ("3.0", 3.0), ("0.5", 0.5), (0.5, 0.5)),
        *(("-1.0", -1.0), (-1, -1.0), ("-1", -1.0), (0, None), ("0", None), ("0.0", None), (None, None)),
        *(("", None), ("four", None), ("nan", None), ("inf", None), (True, None), ([4], None), ({"value": 4}, None)),
    ]:
        with subtests.test(value=value, phase=phase):
            expected = {} if phase is None else {"max_phase": phase}

            assert record(max_phase=value) == expected
            assert parse.molecule_hit(molecule_body(max_phase=value)).max_phase == phase


def test_a_flag_is_read_in_all_written_forms_and_an_unknown_value_is_neither(subtests):
    for field, (value, flag) in itertools.product(
        ["withdrawn", "black_box_warning"],
        [
            *((True, True), ("1", True), (1, True), (False, False), ("0", False), (0, False)),
            *((-1, None), ("-1", None), (None, None), ("", None), ("maybe", None), ([1], None), ({}, None), (2, None)),
        ],
    ):
        with subtests.test(field=field, value=value, claimed=flag):
            expected = {} if flag is None else {field: flag}

            assert record(**{"withdrawn_flag" if field == "withdrawn" else field: value}) == expected


def test_the_year_of_approval_is_a_whole_number(subtests):
    for value, year in [(1950, 1950), ("1950", 1950), (None, None), ("soon", None), (1950.5, None), (True, None)]:
        with subtests.test(value=value, year=year):
            assert record(first_approval=value) == ({} if year is None else {"first_approval": year})


OBJECTS = ["molecule_structures", "molecule_properties", "molecule_hierarchy", "biotherapeutic"]
LISTS = ["molecule_synonyms", "cross_references"]


def test_a_value_that_is_missing_or_of_another_type_is_absent_and_fails_nothing(subtests):
    for field, value in itertools.product(
        [*OBJECTS, *LISTS, "pref_name", "molecule_type"],
        [None, [], {}, "", "  ", 0, 1, True, [None], ["x"], [[]], {"x": None}, [{}], [{"x": 1}]],
    ):
        with subtests.test(field=field, value=value):
            assert record(**{field: value}) == {}


def test_a_molecule_of_an_id_alone_is_a_record():
    assert parse.compound(molecule_body(), parse.SideFacts()).model_dump(mode="json") == {
        "id": "CHEMBL:1",
        "name": "CHEMBL1",
        "cross_references": {"chembl": "CHEMBL1"},
        "category": "biolink:ChemicalEntity",
    }


def test_numbers_within_are_read_as_text_and_as_numbers():
    as_text = record(molecule_properties={"full_mwt": "180.16", "alogp": "-1.2", "hba": "4"})
    as_numbers = record(molecule_properties={"full_mwt": 180.16, "alogp": -1.2, "hba": 4})

    assert as_text == as_numbers
    assert as_text == {"molecular_weight": 180.16, "alogp": -1.2, "hba": 4}


def compound_with_names(*rows, **fields):
    keys = ("molecule_synonym", "syn_type")
    return parse.compound(
        molecule_body(molecule_synonyms=[dict(zip(keys, row, strict=True)) for row in rows], **fields),
        parse.SideFacts(),
    )


def test_a_molecule_without_a_preferred_name_goes_by_its_best_synonym():
    result = compound_with_names(
        ("AB-1", "RESEARCH_CODE"), ("Xyz", "OTHER"), ("Brand", "TRADE_NAME"), ("Abcine", "INN")
    )

    assert (result.name, result.synonyms, result.canonical_name) == ("Abcine", ["Brand", "Xyz", "AB-1"], None)


def test_a_name_in_several_cases_is_listed_once_in_the_most_readable_one():
    result = compound_with_names(
        ("ABCINE", "INN"), ("Abcine", "TRADE_NAME"), ("abcine", "OTHER"), ("DEF-1", "OTHER"), pref_name="XYZ"
    )

    assert result.synonyms == ["Abcine", "DEF-1"]


def test_the_name_of_a_row_stands_in_its_second_field_when_the_first_is_empty():
    rows = [{"molecule_synonym": None, "synonyms": "Abcine", "syn_type": None}, {"molecule_synonym": " "}]

    assert record(molecule_synonyms=rows, pref_name="X") == {"canonical_name": "X", "synonyms": ["Abcine"]}


def test_names_are_read_whole_and_those_beyond_the_tenth_are_counted():
    result = compound_with_names(*((f"Name {number}", "TRADE_NAME") for number in range(25)), pref_name="X")
    cut = result.selected()

    assert result.synonyms == [f"Name {number}" for number in range(25)]
    assert (result.notices, result.selected(["synonyms"]).synonyms) == ([], result.synonyms)
    assert cut.synonyms == result.synonyms[:10]
    assert [notice.message for notice in cut.notices] == ['Listed: synonyms 10 of 25; include=["synonyms"] lists all.']


def test_a_molecule_that_is_its_own_parent_or_has_none_is_no_form(subtests):
    for parent in ["CHEMBL1", None, "", 25, ["CHEMBL25"]]:
        with subtests.test(parent=parent):
            body = molecule_body(molecule_hierarchy={"molecule_chembl_id": "CHEMBL1", "parent_chembl_id": parent})

            assert parse.compound(body, parse.SideFacts()).parent is None
            assert parse.compound(body, parse.SideFacts()).notices == []
            assert parse.molecule_hit(body).parent is None


def test_no_other_row_gives_a_reference(subtests):
    for row in [
        {"xref_src": "PubChem", "xref_name": "CID: 2244", "xref_id": "2244"},
        {"xref_src": "PubChem", "xref_name": None, "xref_id": "2244"},
        {"xref_src": "Wikipedia", "xref_name": "SID: 1", "xref_id": "1"},
        {"xref_src": "PubChem", "xref_name": "SID: 1", "xref_id": None},
    ]:
        with subtests.test(row=row):
            compound = parse.compound(molecule_body(cross_references=[row]), parse.SideFacts())

            assert compound.cross_references.model_dump() == {"chembl": "CHEMBL1"}


def test_a_substance_that_is_no_number_is_dropped_with_a_notice():
    rows = [{"xref_src": "PubChem", "xref_name": f"SID: {value}", "xref_id": value} for value in ("12x", "34", "34")]

    compound = parse.compound(molecule_body(cross_references=rows), parse.SideFacts())

    assert compound.cross_references.pubchem_substance == ["34"]
    assert [notice.code for notice in compound.notices] == ["INVALID_CROSS_REFERENCE"]


READERS = [
    lambda body: parse.compound(body, parse.SideFacts()).model_dump(mode="json"),
    lambda body: parse.slim_compound(body).model_dump(mode="json"),
    lambda body: parse.molecule_hit(body).candidate(match="name", score=0.1).model_dump(mode="json"),
    lambda body: [
        molecule.candidate(match="name", score=0.1).model_dump(mode="json")
        for molecule in parse.hits(b'{"molecules":[%s]}' % body).entries
    ],
    lambda body: [parse.molecule_hit(body).inchi_key or "-", parse.molecule_hit(body).parent or "-"],
    lambda body: [
        json.loads(item) and item.decode()
        for _, item in parse.molecule_records(["CHEMBL553"]).feed(b'{"molecules":[%s]}' % body)
    ],
]


@pytest.mark.parametrize("examples", [60, pytest.param(600, marks=pytest.mark.sweep)])
def test_any_value_anywhere_in_a_recorded_molecule_crashes_nothing_and_leaves_no_blank_behind(examples):
    molecule = json.loads(recording("chembl/molecule_CHEMBL553_erlotinib.json"))
    count = itertools.count()

    @of_any(examples)
    @given(spoilt(molecule))
    def holds(document):
        next(count)
        for read_values in READERS:
            try:
                text = read_values(json.dumps(document).encode())
            except (UpstreamError, Transient):
                continue
            assert empty_values(text) == []
            json.dumps(text, allow_nan=False)

    holds()

    assert next(count) >= examples // 2
