"""Cutting an answer for many IDs into records."""

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biofact.sources.chembl import parse
from biofact.sources.chembl.parse.lists import trimmed
from biofact.transport.service import MIB, WHOLE_CAP, BodyTooLarge, Transient
from tests.recordings import recording
from tests.sources.chembl.recorded_molecules import MOLECULES
from tests.sources.splitting import records_of as cut

pytestmark = pytest.mark.quick

ITEM, TWO, THREE = "CHEMBL1", "CHEMBL2", "CHEMBL3"


def values(records):
    return {item: json.loads(record) for item, record in records}


def encoded(answer, indent=None):
    return json.dumps(answer, indent=indent).encode()


def molecule(native_id, **fields):
    return {"molecule_chembl_id": native_id} | fields


def recorded_rows():
    """A set of all molecules recorded alone, and of one that does not exist; in ChEMBL's envelope, as described."""
    bodies = [recording(f"chembl/{name}") for name in MOLECULES]
    ids = [json.loads(body)["molecule_chembl_id"] for body in bodies]
    return ids, b'{\n "molecules": [%s],\n "not_found": ["CHEMBL999999999"]\n}\n' % b",".join(bodies)


def test_recorded_molecules_are_the_same_in_chunks_of_any_size(subtests):
    for size in [*range(1, 8), 50, 64, 1000, 4096, 65_536]:
        with subtests.test(size=size):
            ids, body = recorded_rows()
            request = [*ids, "CHEMBL999999999"]

            records = cut(parse.molecule_records(request), body, size)

            assert records == cut(parse.molecule_records(request), body)
            assert [item for item, _ in records] == ids


def test_a_record_of_a_set_is_read_like_the_molecule_alone():
    ids, body = recorded_rows()

    records = cut(parse.molecule_records(ids), body)

    for (item, record), name in zip(records, MOLECULES, strict=True):
        whole = recording(f"chembl/{name}")
        assert json.loads(record) == json.loads(whole)  # these have no drawing
        assert parse.compound(record, parse.SideFacts()) == parse.compound(whole, parse.SideFacts())
        assert parse.molecule_hit(record).id == item


def test_drawings_are_dropped_and_all_else_is_kept():
    (*sample, _) = json.loads(recording("chembl/client_demo_cell25_molecule.json"))
    ids = [item["molecule_chembl_id"] for item in sample]

    records = cut(parse.molecule_records(ids), encoded({"molecules": sample}))

    assert all(b"molfile" not in record for _, record in records)
    for original in sample:
        value = values(records)[original["molecule_chembl_id"]]
        assert original["molecule_structures"].pop("molfile")
        assert value == original


def test_a_molecule_without_a_drawing_stays_as_it_is(subtests):
    for structures in [None, [], "x", {}, {"canonical_smiles": "C"}]:
        with subtests.test(structures=structures):
            assert trimmed(molecule(ITEM, molecule_structures=structures)) == molecule(
                ITEM, molecule_structures=structures
            )


def test_molecules_come_in_the_requested_order_without_those_not_found():
    body = encoded({"molecules": [molecule(THREE), molecule(ITEM)], "not_found": [TWO]})

    records = cut(parse.molecule_records([ITEM, TWO, THREE]), body)

    assert [item for item, _ in records] == [ITEM, THREE]


def test_a_molecule_that_was_not_asked_for_is_passed_over():
    body = encoded({"molecules": [molecule(ITEM), molecule("CHEMBL9"), {"pref_name": "X"}, None]})

    assert values(cut(parse.molecule_records([ITEM]), body)) == {ITEM: molecule(ITEM)}


def test_an_answer_that_omits_a_molecule_is_refused(subtests):
    for answer in [
        {"molecules": []},
        {"molecules": [molecule(ITEM)]},
        {"molecules": [molecule(ITEM)], "not_found": None},
        {"molecules": [molecule(ITEM)], "not_found": TWO},
        {"molecules": [molecule(ITEM)], "not_found": [["CHEMBL2"], {}, {"id": TWO}, None, 2]},
        {"molecules": [molecule(ITEM), molecule("chembl2"), molecule(None)], "not_found": []},
    ]:
        with subtests.test(answer=answer), pytest.raises(Transient, match="left out"):
            cut(parse.molecule_records([ITEM, TWO]), encoded(answer))


ANSWER = {"molecules": [molecule(ITEM, pref_name="}"), molecule(TWO)], "not_found": [THREE], "page_meta": {}}
SPLITTERS = {
    "molecules": lambda: parse.molecule_records([ITEM, TWO, THREE]),
    "rows": lambda: parse.rows([ITEM, TWO, THREE], "molecules", "molecule_chembl_id"),
}


def test_a_body_that_ends_early_is_refused_wherever_it_ends(subtests):
    for (name, splitter), end in itertools.product(SPLITTERS.items(), range(len(encoded(ANSWER)))):
        with subtests.test(case=name, end=end):
            with pytest.raises(Transient, match=r"cut short|not JSON"):
                cut(splitter(), encoded(ANSWER)[:end])
            with pytest.raises(Transient, match=r"cut short|not JSON"):
                cut(splitter(), encoded(ANSWER)[:end], 1)


def test_something_else_in_place_of_an_answer_is_refused(subtests):
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
            body = b" \r\n" + encoded(ANSWER, indent=2) + b"\n\n  \n"

            assert [item for item, _ in cut(parse.molecule_records([ITEM, TWO, THREE]), body, size)] == [ITEM, TWO]


def test_records_come_with_the_last_brace():
    splitter = parse.molecule_records([ITEM])

    assert splitter.feed(b'{"molecules":[{"molecule_chembl_id":"CHEMBL1"}') == []
    assert splitter.feed(b"]") == []
    assert splitter.feed(b"}") == [(ITEM, b'{"molecule_chembl_id":"CHEMBL1"}')]
    assert splitter.feed(b"\n") == []
    splitter.close()


@pytest.mark.parametrize("splitter", SPLITTERS.values(), ids=SPLITTERS)
def test_a_body_beyond_the_cap_is_refused_before_it_is_whole(splitter):
    feed_splitter = splitter()
    feed_splitter.feed(b'{"molecules":["')
    for _ in range(WHOLE_CAP // MIB - 1):
        feed_splitter.feed(b"x" * MIB)

    with pytest.raises(BodyTooLarge, match="16 MiB"):
        feed_splitter.feed(b"x" * MIB)


def mechanism(parent, molecule_id=None, **fields):
    return {"parent_molecule_chembl_id": parent, "molecule_chembl_id": molecule_id or parent} | fields


def rows(ids, answer, *, total=None):
    body = {"mechanisms": answer} | ({} if total is None else {"page_meta": {"total_count": total}})
    keys = ("parent_molecule_chembl_id", "molecule_chembl_id")
    records = cut(parse.rows(ids, "mechanisms", *keys), encoded(body))
    return {item: parse.rows_of_id(record, "mechanisms") for item, record in records}


def test_rows_are_grouped_by_id_and_an_id_without_rows_has_an_empty_list():
    first, second, third = mechanism(ITEM, mec_id=1), mechanism(THREE, mec_id=2), mechanism(ITEM, "CHEMBL8", mec_id=3)

    assert rows([ITEM, TWO, THREE], [first, second, third]) == {
        ITEM: ([first, third], False),
        TWO: ([], False),
        THREE: ([second], False),
    }


def test_a_row_without_a_parent_counts_for_its_own_molecule(subtests):
    for parent in [None, "", " ", 4, []]:
        with subtests.test(parent=parent):
            row = mechanism(parent, ITEM)

            assert rows([ITEM], [row]) == {ITEM: ([row], False)}


def test_rows_of_ids_that_were_not_asked_for_and_rows_without_any_are_passed_over():
    assert rows([ITEM], [mechanism("CHEMBL9", ITEM), {}, {"mec_id": 1}, None, "x"]) == {ITEM: ([], False)}


def test_a_list_beyond_the_answer_is_marked_in_each_of_its_records(subtests):
    for total, is_cut in [(None, False), (0, False), (2, False), (3, True), (5000, True)]:
        with subtests.test(total=total, is_cut=is_cut):
            mechanisms = [mechanism(ITEM), mechanism(ITEM)]

            assert rows([ITEM, TWO], mechanisms, total=total) == {ITEM: (mechanisms, is_cut), TWO: ([], is_cut)}


def test_the_recorded_lists_are_grouped_by_the_ids_in_them():
    drug = recording("chembl/drug_indication_CHEMBL1094636_ws.json")
    keys = ("parent_molecule_chembl_id", "molecule_chembl_id")

    records = cut(parse.rows(["CHEMBL1094636", "CHEMBL25"], "drug_indications", *keys), drug, 100)

    kept_values = {item: parse.rows_of_id(record, "drug_indications") for item, record in records}
    assert kept_values == {"CHEMBL1094636": (json.loads(drug)["drug_indications"], False), "CHEMBL25": ([], False)}


def test_a_kept_record_without_rows_has_none(subtests):
    for payload in [b"{}", b'{"mechanisms":null}', b'{"mechanisms":[],"is_cut":1}', b'{"other":[{}]}']:
        with subtests.test(payload=payload):
            assert parse.rows_of_id(payload, "mechanisms") == ([], False)


texts = st.text(max_size=10) | st.sampled_from(['"}', "}", "}}", "\\", '\\"}', ITEM, '{"molecules":[]}'])
fields = st.dictionaries(
    st.sampled_from(["pref_name", "molecule_structures", "molfile", "x"]) | texts,
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**6), 10**6) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    ),
    max_size=4,
)


@pytest.mark.parametrize("examples", [60, pytest.param(300, marks=pytest.mark.sweep)])
def test_any_molecules_and_rows_come_back_from_any_form_and_chunks(examples):
    @given(
        answer=st.dictionaries(
            st.sampled_from([ITEM, TWO, THREE, "CHEMBL10"]), st.none() | fields, min_size=1, max_size=4
        ),
        indent=st.sampled_from([None, 1, 4]),
        is_ascii=st.booleans(),
        cuts=st.lists(st.integers(0, 1500), max_size=12),
        end=st.sampled_from(["", "\n", " \r\n\t"]),
    )
    @settings(max_examples=examples, deadline=None, derandomize=True, database=None)
    def hold(answer, indent, is_ascii, cuts, end):
        molecules = [value | molecule(native_id) for native_id, value in answer.items() if value is not None]
        absent = [native_id for native_id, value in answer.items() if value is None]
        document = {"molecules": molecules, "not_found": absent}
        body = (json.dumps(document, indent=indent, ensure_ascii=is_ascii) + end).encode()
        ends = sorted({min(cut, len(body)) for cut in cuts} | {0, len(body)})
        as_molecules = {item["molecule_chembl_id"]: trimmed(item) for item in molecules}
        as_rows = {native_id: {"molecules": [], "is_cut": False} for native_id in absent}
        as_rows |= {item["molecule_chembl_id"]: {"molecules": [item], "is_cut": False} for item in molecules}

        assert at_once(parse.molecule_records([*answer]), body, ends) == as_molecules
        assert at_once(parse.rows([*answer], "molecules", "molecule_chembl_id"), body, ends) == as_rows

    hold()


def at_once(splitter, body, ends):
    """The records of a body that is cut at these places, each of which comes once."""
    records = [record for start, stop in itertools.pairwise(ends) for record in splitter.feed(body[start:stop])]
    splitter.close()
    result = values(records)
    assert len(records) == len(result)
    return result
