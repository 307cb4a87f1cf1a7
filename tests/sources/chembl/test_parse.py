"""Every recorded answer of ChEMBL and UniChem, whole; then bodies that are damaged."""

import csv
import functools
import io
import itertools
import json

import pytest

from biofact.core.errors import UpstreamError
from biofact.sources.chembl import parse
from biofact.sources.chembl.records import Compound
from biofact.transport.service import Transient
from tests.recordings import recording
from tests.sources.chembl.recorded_molecules import (
    BY_FILE,
    DOPAMINE_HYDROCHLORIDE,
    LIGHTEST_DRUGS,
    MOLECULES,
    PAGES,
)

pytestmark = pytest.mark.quick

UNREAD_VALUES = {
    "assay": "an activity carries what is told of its assay",
    "cell_line": "no tool answers with cells",
    "tissue": "no tool answers with tissues",
    "drug": "repeats the molecule, in other words",
    "compound_structural_alert": "no tool answers with alerts",
    "key_search": "an old service of UniChem, of structures that are not the same",
}
"""Recorded endpoints that no tool requests, and the reasons."""


def requests() -> list[dict[str, str]]:
    """The recorded requests to these services. Skips if there are no recordings."""
    lines = io.StringIO(recording("REQUESTS.tsv").decode(), newline="")
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [row for row in rows if row["service"] in {"chembl", "unichem", "pdbe"}]


def endpoint(row):
    """``molecule/{id}`` for ``/chembl/api/data/molecule/CHEMBL25.json``; of UniChem's the name alone."""
    if row["service"] == "unichem":
        return row["path"].split("/")[3]
    name, _, owner = row["path"].removeprefix("/chembl/api/data/").removesuffix(".json").partition("/")
    return f"{name}/{{id}}" if owner else name


def recorded_hits(name, plural="molecules"):
    """The body of a list; recordings by ChEMBL's own client lack the envelope."""
    payload = json.loads(recording(name))
    return json.dumps({plural: payload} if isinstance(payload, list) else payload).encode()


def molecule(row):
    compound = parse.compound(recording(row["file"]), parse.SideFacts())
    return [compound.id.replace(":", "")], [row["path"].split("/")[-1].removesuffix(".json")]


def molecules(row):
    body, offset = recorded_hits(row["file"]), int(json.loads(row["params"]).get("offset", 0))
    molecules = json.loads(body)["molecules"]
    return [item for item in parse.hits(body, offset).ids if item], [
        item["molecule_chembl_id"] for item in molecules if item != CUT
    ]


def mechanisms(row):
    mechanisms = json.loads(recording(row["file"]))["mechanisms"]
    mechanism_rows = parse.mechanism_rows(parse.list_part(recording(row["file"]), "mechanisms").rows).items
    return [item.molecule for item in mechanism_rows], [item["molecule_chembl_id"] for item in mechanisms]


def indications(row):
    drug_indications = json.loads(recording(row["file"]))["drug_indications"]
    indications = parse.indications(parse.list_part(recording(row["file"]), "drug_indications").rows)
    return sorted(item.efo for item in indications), sorted(item["efo_id"] for item in drug_indications)


CUT = "...(remaining elements truncated)..."
READERS = {
    "molecule": molecules,
    "molecule/{id}": molecule,
    "similarity": molecules,  # the molecules alone; no tool uses their similarity
    "mechanism": mechanisms,
    "drug_indication": indications,
}


def test_every_recorded_answer_is_parsed_whole_or_listed_as_unread(subtests):
    for row in requests():
        with subtests.test(file=row["file"]):
            name = endpoint(row)

            assert (name in READERS) != (name in UNREAD_VALUES)
            if name in READERS:
                read_values, answer = READERS[name](row)
                assert read_values == answer
                assert read_values


def test_every_endpoint_that_is_parsed_or_listed_as_unread_is_recorded():
    assert {endpoint(row) for row in requests()} == {*READERS, *UNREAD_VALUES}


PLURALS = ("molecules", "mechanisms", "drug_indications", "targets", "activities")
PARTIALS = {plural: functools.partial(parse.list_part, name=plural) for plural in PLURALS} | {
    "hits": parse.hits,
    "known": parse.id_status,
    "release": parse.release,
    "elsewhere": functools.partial(parse.structure_ids, "JJBCTCGUOQYZHK-ZSCHJXSPSA-N"),
}


def refuses(read_values, body):
    """Whether a body is refused as transient."""
    try:
        read_values(body)
    except Transient:
        return True
    return False


def test_the_answer_of_another_endpoint_is_not_accepted(subtests):
    for row in [row for row in requests() if endpoint(row) in UNREAD_VALUES]:
        with subtests.test(file=row["file"]):
            body = recording(row["file"])

            names = [name for name, value in PARTIALS.items() if not refuses(value, body)]
            assert names == []
            with pytest.raises((Transient, UpstreamError)):
                parse.compound(body, parse.SideFacts())


def as_recorded(record: Compound) -> dict:
    return record.model_dump(mode="json")


def test_a_recorded_molecule_is_read_whole(subtests):
    for name in BY_FILE:
        with subtests.test(name=name):
            body = recording(f"chembl/{name}")

            answer = as_recorded(parse.compound(body, parse.SideFacts()))

            assert answer == BY_FILE[name]


def test_every_recorded_molecule_was_read_off_by_hand():
    recording("REQUESTS.tsv")

    assert {*MOLECULES} <= {*BY_FILE}


def test_the_substances_of_pubchem_are_no_compounds_of_pubchem():
    of_erlotinib = parse.compound(
        recording("chembl/molecule_CHEMBL553_erlotinib.json"), parse.SideFacts()
    ).cross_references
    of_aspirin = parse.compound(recording("chembl/molecule_CHEMBL25_ws.json"), parse.SideFacts()).cross_references

    assert len(of_erlotinib.pubchem_substance) == 8
    assert of_erlotinib.pubchem_compound is None
    assert (of_aspirin.pubchem_substance, of_aspirin.pubchem_compound) == (None, None)


FORM = "{} is a form of {}: mechanisms, indications and identifiers of that one are listed there only."


def test_a_recorded_list_is_read_whole():
    rows = parse.list_part(recorded_hits("chembl/client_demo_cell25_molecule.json"), "molecules").rows

    tolds = [as_recorded(parse.compound(json.dumps(row).encode(), parse.SideFacts())) for row in rows if row]

    notices = [item.pop("notices", []) for item in tolds]
    assert tolds == LIGHTEST_DRUGS
    form = {"code": "FORM_OF", "message": FORM.format("CHEMBL:1201189", "CHEMBL:1160819")}
    assert notices == [[], [], [form], []]


def test_the_recorded_hits_for_dopamine_are_read_in_their_order():
    hits = parse.hits(recorded_hits("chembl/search_results_Dopamine.json"))

    assert (len(hits.entries), hits.total) == (139, 139)
    assert hits.ids[:5] == ("CHEMBL59", "CHEMBL138921", "CHEMBL138040", "CHEMBL457419", "CHEMBL1557")
    assert hits.ids[-3:] == ("CHEMBL1201498", "CHEMBL1201837", "CHEMBL1201830")
    assert [molecule.place for molecule in hits.entries] == list(range(139))


def test_a_recorded_hit_becomes_a_row_and_a_record():
    rows = json.loads(recording("chembl/search_results_Dopamine.json"))
    (body,) = (json.dumps(row).encode() for row in rows if row["molecule_chembl_id"] == "CHEMBL1557")

    row = as_recorded(parse.molecule_hit(body).candidate(match="name", score=0.5))
    record = as_recorded(parse.compound(body, parse.SideFacts()))

    del record["notices"]
    assert record == DOPAMINE_HYDROCHLORIDE
    shared = ("id", "name", "molecular_formula", "molecular_weight", "molecule_type", "max_phase", "parent")
    assert row == {"score": 0.5, "match": "name"} | {key: DOPAMINE_HYDROCHLORIDE[key] for key in shared}


def test_the_forms_of_a_row_are_listed_with_it():
    base, salt = (
        parse.molecule_hit(status_body(molecule_chembl_id="CHEMBL941", pref_name="IMATINIB")),
        parse.molecule_hit(status_body(molecule_chembl_id="CHEMBL1642")),
    )

    assert base.candidate(match="name", score=1.0, salt_forms=[salt]).model_dump() == {
        "id": "CHEMBL:941",
        "name": "IMATINIB",
        "score": 1.0,
        "match": "name",
        "salt_forms": [{"id": "CHEMBL:1642", "name": "CHEMBL1642"}],
    }


def test_recorded_pages_have_the_total_of_all_pages():
    bodies = [recording(f"chembl/{name}") for name in PAGES]

    first, second = parse.hits(bodies[0]), parse.hits(bodies[1], 20)

    assert (first.total, second.total) == (588, 588)
    assert (len(first.ids), len(second.ids), len({*first.ids, *second.ids})) == (20, 20, 40)
    assert (first.ids[0], first.entries[0].name, second.ids[0]) == ("CHEMBL17", "DICHLORPHENAMIDE", "CHEMBL2333413")


@pytest.mark.parametrize(("name", "offset"), [(PAGES[0], 20), (PAGES[1], 0), (PAGES[1], 40)])
def test_another_page_than_the_one_that_was_asked_for_is_no_answer(name, offset):
    with pytest.raises(Transient, match="another page"):
        parse.hits(recording(f"chembl/{name}"), offset)


def test_rows_cut_to_some_fields_are_read_as_far_as_they_go():
    by_id = parse.hits(recorded_hits("chembl/client_demo_cell9_other.json"))
    by_name = parse.hits(recorded_hits("chembl/client_demo_cell13_other.json"))
    (by_structure,) = parse.hits(recorded_hits("chembl/client_demo_cell17_molecule.json")).entries

    assert [molecule.name for molecule in by_id.entries] == ["CHEMBL192", "CHEMBL1737"]
    assert [(molecule.id, molecule.name, molecule.formula) for molecule in by_name.entries] == [
        ("CHEMBL25", "ASPIRIN", None),
        ("CHEMBL27", "PROPRANOLOL", None),
        ("CHEMBL192", "SILDENAFIL", None),
    ]
    assert (by_structure.id, by_structure.smiles) == ("CHEMBL25", "CC(=O)Oc1ccccc1C(=O)O")
    assert {molecule.number for molecule in by_name.entries} == {25, 27, 192}


def status_body(**fields) -> bytes:
    return json.dumps(fields).encode()


READ_WHOLE = {
    "compound": lambda body: parse.compound(body, parse.SideFacts()),
    "slim_compound": parse.slim_compound,
    "looked_up": parse.molecule_hit,
    "hits": parse.hits,
    "known": parse.id_status,
    "release": parse.release,
    "kept": lambda body: parse.rows_of_id(body, "mechanisms"),
    "targets_with": lambda body: parse.targets_with("P04637", body),
    "elsewhere": lambda body: parse.structure_ids("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", body),
    "entries": lambda body: parse.entries("AIN", body),
}


def test_a_body_that_is_no_object_may_be_one_next_time(subtests):
    for (name, read_values), body in itertools.product(
        READ_WHOLE.items(), [b"", b"[", b'{"a":', b"<html></html>", b"null", b'"x"', b"[]", b"4", b"\xff"]
    ):
        with subtests.test(case=name, body=body), pytest.raises(Transient):
            read_values(body)


def test_a_recorded_body_that_is_cut_short_may_be_whole_next_time(subtests):
    for row in requests():
        with subtests.test(file=row["file"]):
            body = recording(row["file"]).rstrip()

            ends = (1, 2, len(body) // 3, len(body) // 2, len(body) - 2, len(body) - 1)
            assert [end for end in ends if not refuses(PARTIALS["molecules"], body[:end])] == []
            assert [end for end in ends if not refuses(READ_WHOLE["compound"], body[:end])] == []


def test_an_object_without_the_list_is_no_answer(subtests):
    for body in [b"{}", status_body(molecules=None), status_body(molecules={}), status_body(error_message="Sorry")]:
        with subtests.test(body=body), pytest.raises(Transient, match="no list of molecules"):
            parse.hits(body)


def test_a_molecule_without_an_id_is_nonsense_that_names_the_field(subtests):
    for body, name in itertools.product(
        [b"{}", status_body(molecule_chembl_id=None), status_body(molecule_chembl_id=" "), status_body(error="x")],
        ["compound", "slim_compound", "looked_up"],
    ):
        with subtests.test(body=body, name=name), pytest.raises(UpstreamError, match="'molecule_chembl_id'"):
            READ_WHOLE[name](body)


def test_rows_without_an_id_shift_no_page():
    rows = [{"molecule_chembl_id": f"CHEMBL{number}", "pref_name": f"ZED {number}"} for number in range(1, 13)]
    rows[4] = {"pref_name": "ZED"}

    def page(offset):
        content = {"molecules": [None if number == 7 else row for number, row in enumerate(rows)][offset:][:10]}
        meta = {"page_meta": {"limit": 10, "offset": offset, "total_count": 12, "next": None, "previous": None}}
        return parse.hits(json.dumps(content | meta).encode(), offset)

    assert [len(page(offset).ids) for offset in (0, 10)] == [10, 2]
    assert [number for number, item in enumerate(page(0).ids) if not item] == [4, 7]


def test_a_row_without_an_id_is_passed_over_and_keeps_its_place():
    hits = parse.hits(status_body(molecules=[{"pref_name": "X"}, {"molecule_chembl_id": "CHEMBL2"}], page_meta=None))

    assert (hits.ids, [molecule.place for molecule in hits.entries], hits.total) == (("", "CHEMBL2"), [1], 2)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"chembl_id": "CHEMBL203", "entity_type": "TARGET", "status": "ACTIVE"},
            parse.IdStatus("CHEMBL203", "TARGET", is_active=True),
        ),
        (
            {"chembl_id": "CHEMBL1", "entity_type": "compound", "status": "OBS"},
            parse.IdStatus("CHEMBL1", "COMPOUND", is_active=False),
        ),
        ({"chembl_id": "CHEMBL2", "entity_type": "CELL"}, parse.IdStatus("CHEMBL2", "CELL", is_active=True)),
    ],
)
def test_an_id_is_known_for_what_it_stands_for(fields, expected):
    assert parse.id_status(status_body(**fields)) == expected


def test_an_id_that_stands_for_nothing_is_nonsense_and_another_answer_is_none():
    with pytest.raises(UpstreamError, match="'entity_type'"):
        parse.id_status(status_body(chembl_id="CHEMBL203", entity_type=None))
    with pytest.raises(Transient):
        parse.id_status(status_body(error_message="Not found"))


def test_the_release_is_read_from_the_status():
    assert parse.release(status_body(status="UP", chembl_db_version="ChEMBL_37")) == "ChEMBL_37"
    with pytest.raises(Transient):
        parse.release(status_body(status="DOWN"))
