"""Upstreams that lie, ignore what was asked or send odd shapes: honest errors, and never another compound's facts."""

import pytest
from pydantic import BaseModel

from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.sandbox import Fault, Sandbox
from biofact.sandbox.services.chembl.requests import as_get, is_json
from biofact.sandbox.standin import Ask, Reply, written
from biofact.sources.chembl.search import ON_TARGET
from tests import virtual_time
from tests.sources.chembl.made_client import (
    all_pages,
    client_of,
    codes,
    listed,
    message,
    run,
    told,
)
from tests.sources.chembl.made_compounds import FACTS

pytestmark = pytest.mark.quick

ONE = {"molecule_chembl_id": "CHEMBL1", "pref_name": "AAANOL"}
OTHER = {"molecule_chembl_id": "CHEMBL2", "pref_name": "BETANOL"}


class Anything(BaseModel, extra="allow"):
    """A place that nobody has checked."""


def asked(tool, *arguments, faults=(), **options):
    return run(lambda chembl: getattr(chembl, tool)(*arguments, **options), *faults, facts=FACTS).answer


def compound(*faults, **options):
    return asked("get_compound", "CHEMBL:1", faults=faults, **{"include": ["all"], **options})


def bioactivities(*faults, **options):
    return asked("get_bioactivities", "CHEMBL:1", faults=faults, **options)


def of_target(*faults, **options):
    return asked("find_compounds_for_target", "CHEMBL:100", faults=faults, **options)


def activity(number, **more):
    known = {
        "activity_id": number,
        "molecule_chembl_id": "CHEMBL1",
        "parent_molecule_chembl_id": "CHEMBL1",
        "target_chembl_id": "CHEMBL100",
        "pchembl_value": "7.00",
        "standard_type": "IC50",
    }
    return {**known, **more}


def activities(*rows):
    """These rows for the next question."""
    return told(listed("activities", list(rows)), "/activity.json", times=1)


# Molecules


@pytest.mark.parametrize("slim", [True, False])
@pytest.mark.parametrize(
    "content",
    [
        {"molecules": [OTHER]},
        {"molecules": []},
        {"molecules": [{**ONE, "molecule_chembl_id": "CHEMBL:1"}]},
        {"molecules": [{"pref_name": "AAANOL"}]},
        {"molecules": [OTHER], "not_found": ["CHEMBL2"]},
        {"molecules": None},
        {"molecule": ONE},
        [ONE],
        {},
    ],
)
def test_another_molecule_than_asked_is_never_passed_on(content, slim):
    with pytest.raises(UpstreamError, match="ChEMBL"):
        compound(told(content, "/molecule/set"), slim=slim, include=None)


def test_a_molecule_beside_the_one_asked_for_is_left_out():
    assert compound(told({"molecules": [OTHER, ONE]}, "/molecule/set"), slim=True, include=None).name == "AAANOL"


def test_a_batch_never_mixes_molecules_up():
    swapped = told({"molecules": [OTHER, ONE]}, "/molecule/set")
    page = asked("get_compounds_batch", ["CHEMBL:1", "CHEMBL:2"], faults=[swapped])

    assert [(item.id, item.name) for item in page.items] == [("CHEMBL:1", "AAANOL"), ("CHEMBL:2", "BETANOL")]


@pytest.mark.parametrize("body", [b"", b"<html>Not Found</html>", b'{"error_message": "Not found"}'])
def test_a_404_for_a_set_does_not_say_that_there_is_no_such_compound(body):
    nowhere = Fault("status", status=404, body=body, times=None)

    with pytest.raises(UpstreamError):
        compound(nowhere)


def test_of_a_set_that_leaves_one_out_the_others_are_passed_on():
    lacking = told({"molecules": [ONE]}, "/molecule/set", times=None)
    page = asked("get_compounds_batch", ["CHEMBL:1", "CHEMBL:2"], faults=[lacking])

    assert page.items[0].name == "AAANOL"
    assert page.items[1].error.code == "UPSTREAM_ERROR"


STRANGER = {
    "molecule_chembl_id": "CHEMBL777",
    "pref_name": "STRANGER",
    "molecule_structures": {"standard_inchi_key": "BBBBBBBBBBBBBB-BBBBBBBBBB-B", "standard_inchi": "InChI=1S/H2O/h1H2"},
}


@pytest.mark.parametrize(
    "query", ["AAAAAAAAAAAAAA-AAAAAAAAAA-A", "InChI=1S/CH4/h1H4", "C(C)(C)(C)Cl", "zq", "zqxyzw", "STRANGERS"]
)
def test_a_filter_that_is_ignored_never_brings_strangers(query):
    table = told(listed("molecules", [STRANGER], total=2_400_000), "/molecule.json", times=None)
    nothing = told(listed("molecules", []), "/molecule/search", times=None)

    with pytest.raises(UpstreamError, match=r"not asked for|fit into one answer"):
        asked("search_compounds", query, faults=[nothing, table])


def test_a_compound_that_is_listed_and_not_sent_is_a_failure_for_a_search_too():
    unsent = told({"molecules": [], "not_found": ["CHEMBL1"]}, "/molecule/set", times=None)

    with pytest.raises(UpstreamError, match="did not send"):
        asked("search_compounds", "CHEMBL1", faults=[unsent])


def test_a_molecule_both_sent_and_not_found_is_taken_as_sent():
    assert (
        compound(told({"molecules": [ONE], "not_found": ["CHEMBL1"]}, "/molecule/set"), slim=True, include=None).id
        == "CHEMBL:1"
    )


def test_a_molecule_that_is_its_own_parent_or_names_an_odd_one_is_a_molecule():
    for hierarchy in ({"parent_chembl_id": "CHEMBL1"}, {"parent_chembl_id": 5}, {"parent_chembl_id": None}, "x", []):
        record = compound(told({"molecules": [{**ONE, "molecule_hierarchy": hierarchy}]}, "/molecule/set"))

        assert (record.id, record.parent) == ("CHEMBL:1", None)


# Tables whose filter is ignored: the beginning of the whole table comes back


def mechanism(molecule, **more):
    return {
        "molecule_chembl_id": molecule,
        "parent_molecule_chembl_id": molecule,
        "mechanism_of_action": "Binds",
        "target_chembl_id": "CHEMBL100",
        **more,
    }


def test_mechanisms_and_indications_of_others_are_left_out():
    strangers = [mechanism("CHEMBL77"), mechanism("CHEMBL1", mechanism_of_action="Own")]
    ill = [{"parent_molecule_chembl_id": "CHEMBL77", "efo_term": "other"}, {"efo_term": "nobody's"}]
    record = compound(
        told(listed("mechanisms", strangers), "/mechanism.json"),
        told(listed("drug_indications", ill), "/drug_indication.json"),
    )

    assert [one.mechanism for one in record.mechanisms] == ["Own"]
    assert record.indications == []


@pytest.mark.parametrize(
    ("path", "name"), [("/mechanism.json", "mechanisms"), ("/drug_indication.json", "drug_indications")]
)
def test_the_beginning_of_a_whole_table_is_no_answer(path, name):
    rows = [mechanism(f"CHEMBL{number}", efo_term="x") for number in range(5000, 6000)]
    record = compound(told(listed(name, rows, total=7500), path))

    assert (record.id, "LEG_FAILED" in codes(record)) == ("CHEMBL:1", True)
    assert not (record.mechanisms if name == "mechanisms" else record.indications)


def test_a_target_that_was_not_asked_for_describes_nothing():
    other = {"target_chembl_id": "CHEMBL777", "pref_name": "Other", "target_components": [{"accession": "P99999"}]}
    record = compound(told(listed("targets", [other]), "/target.json"))

    assert [(one.target, one.target_name) for one in record.mechanisms] == [("CHEMBL:100", None)]
    assert record.cross_references.uniprot is None


@pytest.mark.parametrize("target_id", ["CHEMBL:100", "UniProtKB:P00001"])
def test_the_beginning_of_all_targets_is_no_target(target_id):
    rows = [{"target_chembl_id": f"CHEMBL{number}", "target_components": []} for number in range(5000, 6000)]

    with pytest.raises(UpstreamError, match="more targets than fit"):
        asked("find_compounds_for_target", target_id, faults=[told(listed("targets", rows, total=17_000), "target")])


def test_targets_without_the_protein_asked_for_do_not_count():
    rows = [
        {"target_chembl_id": "CHEMBL100", "target_components": [{"accession": "P00001"}]},
        {"target_chembl_id": "CHEMBL555", "target_components": [{"accession": "P00009"}]},
    ]
    page = asked("find_compounds_for_target", "UniProtKB:P00001", faults=[told(listed("targets", rows), "target")])

    assert {row.target for row in page.items} == {"CHEMBL:100"}
    assert codes(page) == []


def test_mechanisms_on_other_targets_are_left_out_and_counted():
    rows = [mechanism("CHEMBL77", target_chembl_id="CHEMBL101"), mechanism("CHEMBL3")]
    page = of_target(told(listed("mechanisms", rows), "/mechanism.json"), activities())

    assert [row.id for row in page.items] == ["CHEMBL:3"]
    assert message(page, "DROPPED").endswith(": 1.")


def test_the_beginning_of_all_mechanisms_is_no_list_of_drugs():
    with pytest.raises(UpstreamError, match="more mechanisms than fit into one answer: 7500"):
        of_target(told(listed("mechanisms", [mechanism("CHEMBL3")], total=7500), "/mechanism.json"))


# Measurements of something else


STRANGE = {
    "another molecule": {"molecule_chembl_id": "CHEMBL2"},
    "another target": {"target_chembl_id": "CHEMBL101"},
    "no target": {"target_chembl_id": None},
    "nulls": dict.fromkeys(activity(0)),
    "an odd number": {"activity_id": "x"},
}


@pytest.mark.parametrize("name", STRANGE)
def test_measurements_of_something_else_are_left_out_and_counted(name):
    page = bioactivities(activities(activity(5), {**activity(9), **STRANGE[name]}), target="CHEMBL:100", page_size=2)

    assert [row.activity_id for row in page.items] == [5]
    assert message(page, "DROPPED").endswith(": 1.")


@pytest.mark.parametrize("name", [name for name in STRANGE if name != "another molecule"])
def test_measurements_on_something_else_are_no_evidence(name):
    page = of_target(activities(activity(5), {**activity(9), "parent_molecule_chembl_id": "CHEMBL5", **STRANGE[name]}))

    assert [(row.id, row.evidence) for row in page.items] == [("CHEMBL:1", "mechanism")]
    assert message(page, "DROPPED").endswith(": 1.")


@pytest.mark.parametrize("tool", [bioactivities, of_target])
def test_a_page_of_nothing_but_strangers_is_refused(tool):
    rows = [activity(number, molecule_chembl_id="CHEMBL7", target_chembl_id="CHEMBL8") for number in range(100, 200)]

    with pytest.raises(UpstreamError, match="measurements of something else"):
        tool(told(listed("activities", rows, total=100), "/activity.json"), page_size=100)


def test_a_value_without_pchembl_is_no_strongest_one():
    page = bioactivities(activities(activity(1), activity(2, pchembl_value=None)), page_size=2)

    assert [(row.activity_id, row.pchembl) for row in page.items] == [(1, 7.0)]
    assert message(page, "DROPPED").endswith(": 1.")


def test_rows_of_nulls_only_are_counted_and_end():
    rows = [dict.fromkeys(activity(0)) for _ in range(2)]

    for tool in (bioactivities, of_target):
        page = tool(activities(*rows), page_size=50)
        assert {row.evidence for row in page.items if tool is of_target} <= {"mechanism"}
        assert ("DROPPED" in codes(page), page.pagination.cursor) == (True, None)


def test_infinite_and_odd_values_are_absent():
    odd = activity(1, standard_value="inf", standard_relation=5, standard_units=[], potential_duplicate="x")
    [row] = bioactivities(activities(odd), page_size=1).items

    assert (row.value, row.relation, row.units, row.possible_duplicate) == (None, None, None, None)


# Pages and counts that lie


@pytest.mark.parametrize(("count", "total"), [(3, 300), (50, 3), (0, 5), (3, 0)])
@pytest.mark.parametrize("tool", [bioactivities, of_target])
def test_a_page_that_contradicts_its_count_is_asked_for_again(tool, count, total):
    rows = [activity(number) for number in range(1, count + 1)]
    lie = told(listed("activities", rows, total=total), "/activity.json", times=1)

    assert tool(lie).model_dump() == tool().model_dump()
    with pytest.raises(UpstreamError):
        tool(told(listed("activities", rows, total=total), "/activity.json"))


@pytest.mark.parametrize("tool", ["get_bioactivities", "find_compounds_for_target"])
def test_an_offset_that_is_answered_with_page_one_is_refused(tool):
    async def ask(chembl):
        page = await getattr(chembl, tool)({"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100"), page_size=1)
        return page.pagination.cursor

    async def scenario():
        async with client_of(FACTS) as (chembl, sandbox):
            cursor = await ask(chembl)
            rows = [activity(number) for number in range(1, 51)]
            sandbox.faults.set(told(listed("activities", rows[:1], total=50, offset=3), "/activity.json"))
            name = {"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100")
            return await getattr(chembl, tool)(name, page_size=1, cursor=cursor)

    with pytest.raises(UpstreamError):
        virtual_time.run(scenario())


class Repeating:
    """Answers for ChEMBL, but has one page of measurements for every offset, and no end of them."""

    def __init__(self, standin, rows, total):
        self.service = standin.service
        self._standin, self._rows, self._total = standin, rows, total

    def reply(self, ask: Ask) -> Reply:
        if ask.path != "/activity.json" or not is_json(ask):
            return self._standin.reply(ask)
        if ask.one("parent_molecule_chembl_id__in") or ask.one("pchembl_value__isnull") == "true":
            return self._standin.reply(ask)
        asked = as_get(ask)
        limit, offset = int(asked.one("limit")), int(asked.one("offset"))
        return written(listed("activities", self._rows[:limit], total=self._total, offset=offset))


@pytest.mark.parametrize("page_size", [10, 100])
@pytest.mark.parametrize("tool", ["get_bioactivities", "find_compounds_for_target"])
def test_a_list_that_repeats_itself_for_ever_ends(tool, page_size, monkeypatch):
    rows = [activity(number, parent_molecule_chembl_id=f"CHEMBL{number}") for number in range(1, 1001)]
    name = {"get_bioactivities": "CHEMBL:1"}.get(tool, "CHEMBL:100")
    real = Sandbox.__init__

    def repeating(self, *, stand_ins, **options):
        real(self, stand_ins=[Repeating(stand_ins[0], rows, 10**9), *stand_ins[1:]], **options)

    monkeypatch.setattr(Sandbox, "__init__", repeating)

    async def ask(chembl):
        async def one(**options):
            return await getattr(chembl, tool)(name, **options)

        return await all_pages(one, page_size, most=5)

    with pytest.raises(UpstreamError, match="measurements again"):
        run(ask, facts=FACTS)


def test_a_forged_cursor_is_refused(subtests):
    for change in [{"offset": -1}, {"offset": 10**12}, {"drugs": -1}, {"drugs": "x"}, {"last": []}]:
        with subtests.test(change=change):
            place = {"drugs": 0, "offset": 0, "last": 0}
            forged = Cursor(ON_TARGET, {"target_id": "CHEMBL:100"}).write(Anything(**{**place, **change}))

            with pytest.raises(AmbiguousQuery, match="damaged or belongs to another query"):
                of_target(cursor=forged)


@pytest.mark.parametrize("offset", [5, 10**8])
def test_a_place_behind_the_end_is_an_end(offset):
    behind = Cursor(ON_TARGET, {"target_id": "CHEMBL:100"}).write(Anything(drugs=9, offset=offset, last=0))
    page = of_target(cursor=behind)

    assert (page.items, page.pagination.cursor) == ([], None)


# Any answer at all


@pytest.mark.parametrize("body", [b"{}", b"[]", b"", b'{"page_meta":{}}'])
@pytest.mark.parametrize(
    ("tool", "argument"),
    [("get_compound", "CHEMBL:1"), ("get_bioactivities", "CHEMBL:1"), ("find_compounds_for_target", "CHEMBL:100")],
)
def test_an_answer_of_another_shape_to_everything_is_a_failure_of_the_service(tool, argument, body):
    with pytest.raises(BiofactError) as failed:
        asked(tool, argument, faults=[Fault("body", body=body, times=None)])

    assert failed.value.code == "UPSTREAM_ERROR"
