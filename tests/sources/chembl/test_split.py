"""Cutting an answer for many IDs into records."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.dialects.json_splitter import LARGEST
from biofact.sources.chembl import parse
from biofact.sources.chembl.parse.lists import trimmed
from biofact.transport.service import MIB, BodyTooLarge, Transient
from tests.recordings import recording
from tests.sources.chembl.recorded_molecules import MOLECULES

pytestmark = pytest.mark.quick

ONE, TWO, THREE = "CHEMBL1", "CHEMBL2", "CHEMBL3"


def cut(splitter, body, size=None):
    """The records of a body that arrives in chunks of this size."""
    size = size or len(body) or 1
    records = [record for at in range(0, len(body), size) for record in splitter.feed(body[at : at + size])]
    splitter.close()
    return records


def values(records):
    return {one: json.loads(record) for one, record in records}


def written(told, indent=None):
    return json.dumps(told, indent=indent).encode()


def molecule(native_id, **fields):
    return {"molecule_chembl_id": native_id} | fields


def recorded():
    """A set of all molecules recorded alone, and of one that does not exist; in ChEMBL's envelope, as described."""
    bodies = [recording(f"chembl/{name}") for name in MOLECULES]
    ids = [json.loads(body)["molecule_chembl_id"] for body in bodies]
    return ids, b'{\n "molecules": [%s],\n "not_found": ["CHEMBL999999999"]\n}\n' % b",".join(bodies)


def test_recorded_molecules_are_the_same_in_chunks_of_any_size(subtests):
    for size in [*range(1, 8), 50, 64, 1000, 4096, 65_536]:
        with subtests.test(size=size):
            ids, body = recorded()
            asked = [*ids, "CHEMBL999999999"]

            records = cut(parse.molecule_records(asked), body, size)

            assert records == cut(parse.molecule_records(asked), body)
            assert [one for one, _ in records] == ids


def test_a_record_of_a_set_is_read_like_the_molecule_alone():
    ids, body = recorded()

    records = cut(parse.molecule_records(ids), body)

    for (one, record), name in zip(records, MOLECULES, strict=True):
        whole = recording(f"chembl/{name}")
        assert json.loads(record) == json.loads(whole)  # these have no drawing
        assert parse.compound(record, parse.Legs()) == parse.compound(whole, parse.Legs())
        assert parse.looked_up(record).id == one


def test_drawings_are_left_out_and_all_else_is_kept():
    (*drawn, _) = json.loads(recording("chembl/client_demo_cell25_molecule.json"))
    ids = [one["molecule_chembl_id"] for one in drawn]

    records = cut(parse.molecule_records(ids), written({"molecules": drawn}))

    assert all(b"molfile" not in record for _, record in records)
    for original in drawn:
        kept = values(records)[original["molecule_chembl_id"]]
        assert original["molecule_structures"].pop("molfile")
        assert kept == original


def test_a_molecule_without_a_drawing_stays_as_it_is(subtests):
    for structures in [None, [], "x", {}, {"canonical_smiles": "C"}]:
        with subtests.test(structures=structures):
            assert trimmed(molecule(ONE, molecule_structures=structures)) == molecule(
                ONE, molecule_structures=structures
            )


def test_molecules_are_told_in_the_order_asked_for_and_those_not_found_are_left_out():
    body = written({"molecules": [molecule(THREE), molecule(ONE)], "not_found": [TWO]})

    records = cut(parse.molecule_records([ONE, TWO, THREE]), body)

    assert [one for one, _ in records] == [ONE, THREE]


def test_a_molecule_that_was_not_asked_for_is_passed_over():
    body = written({"molecules": [molecule(ONE), molecule("CHEMBL9"), {"pref_name": "X"}, None]})

    assert values(cut(parse.molecule_records([ONE]), body)) == {ONE: molecule(ONE)}


def test_an_answer_that_leaves_out_a_molecule_is_told(subtests):
    for told in [
        {"molecules": []},
        {"molecules": [molecule(ONE)]},
        {"molecules": [molecule(ONE)], "not_found": None},
        {"molecules": [molecule(ONE)], "not_found": TWO},
        {"molecules": [molecule(ONE)], "not_found": [["CHEMBL2"], {}, {"id": TWO}, None, 2]},
        {"molecules": [molecule(ONE), molecule("chembl2"), molecule(None)], "not_found": []},
    ]:
        with subtests.test(told=told), pytest.raises(Transient, match="left out"):
            cut(parse.molecule_records([ONE, TWO]), written(told))


ANSWER = {"molecules": [molecule(ONE, pref_name="}"), molecule(TWO)], "not_found": [THREE], "page_meta": {}}
SPLITTERS = {
    "molecules": lambda: parse.molecule_records([ONE, TWO, THREE]),
    "rows": lambda: parse.rows([ONE, TWO, THREE], "molecules", "molecule_chembl_id"),
}


def test_a_body_that_ends_early_is_told_wherever_it_ends(subtests):
    for (name, splitter), end in itertools.product(SPLITTERS.items(), range(len(written(ANSWER)))):
        with subtests.test(case=name, end=end):
            with pytest.raises(Transient, match=r"cut short|not JSON"):
                cut(splitter(), written(ANSWER)[:end])
            with pytest.raises(Transient, match=r"cut short|not JSON"):
                cut(splitter(), written(ANSWER)[:end], 1)


def test_something_else_in_place_of_an_answer_is_told(subtests):
    for (name, splitter), size, body in itertools.product(
        SPLITTERS.items(),
        [1, 3, None],
        [
            *(b"", b"  ", b"[]", b"null", b"{}", b"<html><body>Bad gateway}</body></html>", b'{"molecules":{}}'),
            *(b'{"error_message":"Sorry"}', b"{'molecules':[]}", b'{"molecules":[],}', b'{"molecules":["\xff"]}'),
            *(b'{"molecules":[]}}', b'{"molecules":[]}x', b'{"molecules":[]}{"molecules":[]}', b'{"molecules":[NaN]}'),
        ],
    ):
        with subtests.test(case=name, size=size, body=body), pytest.raises(Transient):
            cut(splitter(), body, size)


def test_blanks_around_an_answer_change_nothing_and_repeat_nothing(subtests):
    for size in [1, 2, 5, None]:
        with subtests.test(size=size):
            body = b" \r\n" + written(ANSWER, indent=2) + b"\n\n  \n"

            assert [one for one, _ in cut(parse.molecule_records([ONE, TWO, THREE]), body, size)] == [ONE, TWO]


def test_records_come_with_the_last_brace():
    splitter = parse.molecule_records([ONE])

    assert splitter.feed(b'{"molecules":[{"molecule_chembl_id":"CHEMBL1"}') == []
    assert splitter.feed(b"]") == []
    assert splitter.feed(b"}") == [(ONE, b'{"molecule_chembl_id":"CHEMBL1"}')]
    assert splitter.feed(b"\n") == []
    splitter.close()


@pytest.mark.parametrize("splitter", SPLITTERS.values(), ids=SPLITTERS)
def test_what_is_beyond_the_cap_is_refused_before_it_is_whole(splitter):
    feeding = splitter()
    feeding.feed(b'{"molecules":["')
    for _ in range(LARGEST // MIB - 1):
        feeding.feed(b"x" * MIB)

    with pytest.raises(BodyTooLarge, match="64 MiB"):
        feeding.feed(b"x" * MIB)


def mechanism(parent, molecule_id=None, **fields):
    return {"parent_molecule_chembl_id": parent, "molecule_chembl_id": molecule_id or parent} | fields


def rows(ids, told, *, total=None):
    body = {"mechanisms": told} | ({} if total is None else {"page_meta": {"total_count": total}})
    keys = ("parent_molecule_chembl_id", "molecule_chembl_id")
    records = cut(parse.rows(ids, "mechanisms", *keys), written(body))
    return {one: parse.kept(record, "mechanisms") for one, record in records}


def test_rows_are_grouped_by_id_and_an_id_without_rows_has_an_empty_list():
    first, second, third = mechanism(ONE, mec_id=1), mechanism(THREE, mec_id=2), mechanism(ONE, "CHEMBL8", mec_id=3)

    assert rows([ONE, TWO, THREE], [first, second, third]) == {
        ONE: ([first, third], False),
        TWO: ([], False),
        THREE: ([second], False),
    }


def test_a_row_without_a_parent_counts_for_its_own_molecule(subtests):
    for parent in [None, "", " ", 4, []]:
        with subtests.test(parent=parent):
            row = mechanism(parent, ONE)

            assert rows([ONE], [row]) == {ONE: ([row], False)}


def test_rows_of_ids_that_were_not_asked_for_and_rows_without_any_are_passed_over():
    assert rows([ONE], [mechanism("CHEMBL9", ONE), {}, {"mec_id": 1}, None, "x"]) == {ONE: ([], False)}


def test_a_list_that_goes_on_says_so_in_each_of_its_records(subtests):
    for total, is_cut in [(None, False), (0, False), (2, False), (3, True), (5000, True)]:
        with subtests.test(total=total, is_cut=is_cut):
            told = [mechanism(ONE), mechanism(ONE)]

            assert rows([ONE, TWO], told, total=total) == {ONE: (told, is_cut), TWO: ([], is_cut)}


def test_the_recorded_lists_are_grouped_by_the_ids_in_them():
    drug = recording("chembl/drug_indication_CHEMBL1094636_ws.json")
    keys = ("parent_molecule_chembl_id", "molecule_chembl_id")

    records = cut(parse.rows(["CHEMBL1094636", "CHEMBL25"], "drug_indications", *keys), drug, 100)

    kept = {one: parse.kept(record, "drug_indications") for one, record in records}
    assert kept == {"CHEMBL1094636": (json.loads(drug)["drug_indications"], False), "CHEMBL25": ([], False)}


def test_a_kept_record_without_rows_has_none(subtests):
    for payload in [b"{}", b'{"mechanisms":null}', b'{"mechanisms":[],"is_cut":1}', b'{"other":[{}]}']:
        with subtests.test(payload=payload):
            assert parse.kept(payload, "mechanisms") == ([], False)


texts = st.text(max_size=10) | st.sampled_from(['"}', "}", "}}", "\\", '\\"}', ONE, '{"molecules":[]}'])
fields = st.dictionaries(
    st.sampled_from(["pref_name", "molecule_structures", "molfile", "x"]) | texts,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**6), 10**6) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    ),
    max_size=4,
)


@pytest.mark.parametrize("examples", [60, pytest.param(300, marks=pytest.mark.sweep)])
def test_any_molecules_and_rows_come_back_however_they_were_written_and_cut(examples):
    @given(
        told=st.dictionaries(
            st.sampled_from([ONE, TWO, THREE, "CHEMBL10"]), st.none() | fields, min_size=1, max_size=4
        ),
        indent=st.sampled_from([None, 1, 4]),
        is_ascii=st.booleans(),
        cuts=st.lists(st.integers(0, 1500), max_size=12),
        end=st.sampled_from(["", "\n", " \r\n\t"]),
    )
    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    def hold(told, indent, is_ascii, cuts, end):
        found = [one | molecule(native_id) for native_id, one in told.items() if one is not None]
        absent = [native_id for native_id, one in told.items() if one is None]
        document = {"molecules": found, "not_found": absent}
        body = (json.dumps(document, indent=indent, ensure_ascii=is_ascii) + end).encode()
        ends = sorted({min(one, len(body)) for one in cuts} | {0, len(body)})
        as_molecules = {one["molecule_chembl_id"]: trimmed(one) for one in found}
        as_rows = {native_id: {"molecules": [], "is_cut": False} for native_id in absent}
        as_rows |= {one["molecule_chembl_id"]: {"molecules": [one], "is_cut": False} for one in found}

        assert at_once(parse.molecule_records([*told]), body, ends) == as_molecules
        assert at_once(parse.rows([*told], "molecules", "molecule_chembl_id"), body, ends) == as_rows

    hold()


def at_once(splitter, body, ends):
    """The records of a body that is cut at these places, each of which is told once."""
    records = [record for start, stop in itertools.pairwise(ends) for record in splitter.feed(body[start:stop])]
    splitter.close()
    found = values(records)
    assert len(records) == len(found)
    return found
