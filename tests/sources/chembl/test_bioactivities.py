"""Measurements of a compound: order, filters, pages; compared with the facts by code of these tests' own."""

import itertools

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity
from biofact.sandbox.services.chembl.corpus import rows_of_starter, whole_rows
from biofact.sources.chembl import parse
from biofact.sources.chembl.measurements import MeasurementFilter
from tests import virtual_time
from tests.each_of import each_of
from tests.notices import codes, message
from tests.sources.chembl.made_client import all_pages, client_of, run
from tests.sources.chembl.made_compounds import AAA, KINASE, activity
from tests.sources.chembl.made_compounds import FACTS as MADE_ROWS
from tests.tiers import sample_and_rest

pytestmark = pytest.mark.quick

ROWS = whole_rows(rows_of_starter())
ERLOTINIB, EGFR = "CHEMBL:553", "CHEMBL:203"
MOLECULE_CHEMBL_IDS = sorted({row["molecule_chembl_id"] for row in ROWS["activity"]})
ACCESSIONS = {
    row["target_chembl_id"]: [component["accession"] for component in row["target_components"]]
    for row in ROWS["target"]
}


def expected(molecule, targets=None):
    """Numbers of the measurements: the strongest pChEMBL first, ties by number; then those without, by number."""
    rows = [
        row
        for row in ROWS["activity"]
        if row["molecule_chembl_id"] == molecule and (not targets or row["target_chembl_id"] in targets)
    ]
    return [row["activity_id"] for row in sorted(rows, key=strength)]


def strength(row):
    value = row["pchembl_value"]
    return (value is None, -float(value or 0), row["activity_id"])


def bioactivities_of(chembl_id, *, facts=None, **options):
    return run(lambda chembl: chembl.get_bioactivities(chembl_id, **options), facts=facts)


def numbers(pages):
    return [row.activity_id for page in pages for row in page.items]


def test_the_strongest_come_first_and_values_without_pchembl_last():
    page = bioactivities_of(ERLOTINIB, page_size=100).answer
    strengths = [row.pchembl for row in page.items]
    known_values = [value for value in strengths if value is not None]

    assert known_values == sorted(known_values, reverse=True)
    assert strengths == [*known_values, *[None] * (len(strengths) - len(known_values))]
    assert len(known_values) > 10
    assert len(strengths) > len(known_values)
    assert numbers([page]) == expected("CHEMBL553")


def test_relations_values_and_doubts_are_kept_as_they_are():
    page = bioactivities_of("CHEMBL:1", facts=MADE_ROWS).answer
    rows = {row.activity_id: row.model_dump(exclude_none=True, exclude={"notices"}) for row in page.items}

    assert list(rows) == [4, 1, 3, 5]
    assert rows[3] == {
        "activity_id": 3,
        "molecule": "CHEMBL:1",
        "target": "CHEMBL:100",
        "target_name": "First kinase",
        "organism": "Homo sapiens",
        "assay_type": "binding",
        "standard_type": "IC50",
        "relation": ">",
        "value": 50000.0,
        "units": "nM",
        "assay": "CHEMBL:200",
        "document": "CHEMBL:300",
    }
    assert (rows[4]["pchembl"], rows[4]["possible_duplicate"], rows[4]["standard_type"]) == (9.0, True, "Ki")
    assert (rows[5]["validity_comment"], rows[5]["units"]) == ("Outside range", "%")


@pytest.fixture(scope="module", params=sample_and_rest(MOLECULE_CHEMBL_IDS, 12))
def pages_of(request):
    """The rows of starter compounds, by all of their pages."""

    async def ask(chembl):
        result = {}
        for molecule in request.param:

            async def get_page(owner=f"CHEMBL:{molecule[6:]}", **options):
                return await chembl.get_bioactivities(owner, **options)

            result[molecule] = [row for page in await all_pages(get_page, 4) for row in page.items]
        return result

    return run(ask).answer


def test_every_relation_of_the_facts_comes_through(pages_of):
    rows = {row.activity_id: row for result in pages_of.values() for row in result}

    for sent_values in [row for row in ROWS["activity"] if row["molecule_chembl_id"] in pages_of]:
        row = rows[sent_values["activity_id"]]
        assert (row.relation, row.units) == (sent_values["standard_relation"], sent_values["standard_units"])
        assert row.value == (float(sent_values["standard_value"]) if sent_values["standard_value"] else None)
        assert row.pchembl == (float(sent_values["pchembl_value"]) if sent_values["pchembl_value"] else None)
        assert row.target == f"CHEMBL:{sent_values['target_chembl_id'][6:]}"
    assert {sent_values["standard_relation"] for sent_values in ROWS["activity"]} >= {"=", ">", "<"}


@pytest.mark.parametrize("page_size", [3, 50, *(pytest.param(size, marks=pytest.mark.sweep) for size in (1, 7))])
def test_pages_to_the_end_give_every_measurement_once_and_in_order(page_size):
    async def ask(chembl):
        async def get_page(**options):
            return await chembl.get_bioactivities(ERLOTINIB, **options)

        return await all_pages(get_page, page_size)

    pages = run(ask).answer
    whole = expected("CHEMBL553")

    assert numbers(pages) == whole
    assert [len(page.items) for page in pages[:-1]] == [page_size] * (len(pages) - 1)
    assert {page.pagination.total_count for page in pages} == {len(whole)}
    assert pages[-1].items


def test_pages_of_every_starter_compound_give_all_starter_measurements(pages_of):
    activity_ids = {molecule: [row.activity_id for row in rows] for molecule, rows in pages_of.items()}

    assert activity_ids == {molecule: expected(molecule) for molecule in pages_of}
    assert all(activity_ids.values())


def test_page_sizes_may_change_on_the_way():
    async def ask(chembl):
        pages = [await chembl.get_bioactivities(ERLOTINIB, page_size=2)]
        for size in (9, 1, 100):
            pages.append(await chembl.get_bioactivities(ERLOTINIB, page_size=size, cursor=pages[-1].pagination.cursor))
        return pages

    pages = run(ask).answer

    assert numbers(pages) == expected("CHEMBL553")
    assert pages[-1].pagination.cursor is None


FEW_TARGETS = [("CHEMBL553", "CHEMBL203"), ("CHEMBL941", "CHEMBL240")]
ALL_TARGETS = {
    *itertools.product(("CHEMBL553", "CHEMBL1173655", "CHEMBL941"), ("CHEMBL203", "CHEMBL1824", "CHEMBL240"))
}


@pytest.mark.parametrize(
    ("molecule", "target"),
    [
        *FEW_TARGETS,
        *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in sorted(ALL_TARGETS - {*FEW_TARGETS})),
    ],
)
def test_a_target_lets_only_its_own_measurements_through(molecule, target):
    page = bioactivities_of(f"CHEMBL:{molecule[6:]}", target=f"CHEMBL:{target[6:]}", page_size=100).answer

    assert numbers([page]) == expected(molecule, {target})
    assert page.pagination.total_count == len(page.items)
    assert {row.target for row in page.items} <= {f"CHEMBL:{target[6:]}"}


FEW_ENTRIES = [("CHEMBL553", "P00533"), ("CHEMBL941", "P00519")]
ALL_ENTRIES = {*itertools.product(("CHEMBL553", "CHEMBL941", "CHEMBL25"), ("P00533", "P00519", "P35354"))}


@pytest.mark.parametrize(
    ("molecule", "accession"),
    [
        *FEW_ENTRIES,
        *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in sorted(ALL_ENTRIES - {*FEW_ENTRIES})),
    ],
)
def test_a_uniprot_entry_stands_for_every_target_that_it_is_a_component_of(molecule, accession):
    page = bioactivities_of(f"CHEMBL:{molecule[6:]}", target=f"UniProtKB:{accession}", page_size=100).answer
    targets = {target for target, accessions in ACCESSIONS.items() if accession in accessions}

    assert len(targets) > 1
    assert numbers([page]) == expected(molecule, targets)
    assert f"is a component of {len(targets)} targets" in message(page, "QUERY_UNDERSTOOD")


def test_the_reading_of_a_target_is_reported_on_page_one_only():
    async def ask(chembl):
        async def get_page(**options):
            return await chembl.get_bioactivities(ERLOTINIB, target="UniProtKB:P00533", **options)

        return await all_pages(get_page, 3)

    pages = run(ask).answer

    assert [codes(page) for page in pages] == [["QUERY_UNDERSTOOD"], *[[]] * (len(pages) - 1)]


@pytest.mark.parametrize("page_size", [1, 2, 10])
def test_equal_values_come_by_number_for_any_order_of_the_table(page_size):
    rows = [activity(number, pchembl_value="7.00") for number in (9, 3, 8, 5)]
    other_values = [activity(4, pchembl_value="8.00"), activity(1), activity(7)]
    facts = {"molecule": [AAA], "target": [KINASE], "activity": [*rows, *other_values]}

    async def ask(chembl):
        async def get_page(**options):
            return await chembl.get_bioactivities("CHEMBL:1", **options)

        return await all_pages(get_page, page_size)

    assert numbers(run(ask, facts=facts).answer) == [4, 3, 5, 8, 9, 1, 7]


def test_a_compound_without_measurements_has_an_empty_list():
    run = bioactivities_of("CHEMBL:3", facts=MADE_ROWS)

    assert (run.answer.items, run.answer.pagination.total_count, run.answer.pagination.cursor) == ([], 0, None)
    assert codes(run.answer) == []


def test_measurements_of_a_salt_stand_under_its_own_id():
    assert numbers([bioactivities_of("CHEMBL:2", facts=MADE_ROWS).answer]) == [2]


def test_a_target_that_is_a_compound_is_refused_with_what_it_is():
    with pytest.raises(UnresolvedEntity, match="CHEMBL:25 is a ChEMBL compound, not a target"):
        bioactivities_of(ERLOTINIB, target="CHEMBL:25")


def test_a_compound_that_is_a_target_is_refused_with_the_tool_for_it():
    with pytest.raises(UnresolvedEntity, match="CHEMBL:203 is a ChEMBL target, not a compound") as raises:
        bioactivities_of(EGFR)

    assert raises.value.recovery.arguments == {"target_id": EGFR}


@pytest.mark.parametrize(
    ("chembl_id", "target"),
    [("CHEMBL:99999999", None), (ERLOTINIB, "CHEMBL:99999999"), (ERLOTINIB, "UniProtKB:P99999")],
)
def test_a_record_that_chembl_does_not_have_is_not_found(chembl_id, target):
    with pytest.raises(EntityNotFound):
        bioactivities_of(chembl_id, target=target)


def test_a_cursor_of_another_compound_or_target_is_refused():
    async def ask(chembl):
        page = await chembl.get_bioactivities(ERLOTINIB, page_size=1)
        for chembl_id, target in ((f"{ERLOTINIB}9", None), (ERLOTINIB, EGFR)):
            with pytest.raises(AmbiguousQuery, match="cursor"):
                await chembl.get_bioactivities(chembl_id, target=target, cursor=page.pagination.cursor)
        return True

    assert run(ask).answer


def test_a_page_costs_two_requests_besides_the_names_of_compound_and_target():
    async def scenario():
        async with client_of() as (chembl, sandbox):
            counts, cursor = [], None
            while True:
                page = await chembl.get_bioactivities(ERLOTINIB, target=EGFR, page_size=5, cursor=cursor)
                cursor = page.pagination.cursor
                counts.append([request.path.split("/")[1] for request in sandbox.requests])
                sandbox.requests.clear()
                if cursor is None:
                    return counts

    first, *other_values = virtual_time.run(scenario())
    assert sorted(first) == ["activity.json", "activity.json", "molecule", "target.json"]
    assert all(len(request) <= 2 for request in other_values)


FILTERS = [
    {"min_pchembl": 7},
    {"min_pchembl": 7.5, "activity_type": "IC50"},
    {"activity_type": "Inhibition"},
    {"assay_type": "functional"},
    {"min_pchembl": 6, "activity_type": "IC50", "assay_type": "binding"},
    {"activity_type": "IC50", "target": EGFR},
]


def is_wanted(row, min_pchembl=None, activity_type=None, assay_type=None, target=None):
    return (
        (min_pchembl is None or float(row["pchembl_value"] or 0) >= min_pchembl)
        and activity_type in {None, row["standard_type"]}
        and assay_type in {None, {"B": "binding", "F": "functional"}.get(row["assay_type"])}
        and (target is None or row["target_chembl_id"] == "CHEMBL203")
    )


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_filters_choose_measurements_page_by_page_with_the_right_total(filters):
    chosen = [row for row in ROWS["activity"] if row["molecule_chembl_id"] == "CHEMBL553" and is_wanted(row, **filters)]
    order = [row["activity_id"] for row in sorted(chosen, key=strength)]

    async def ask(chembl):
        async def get_page(**options):
            return await chembl.get_bioactivities(ERLOTINIB, **filters, **options)

        return await all_pages(get_page, 2)

    pages = run(ask).answer

    assert order
    assert len(order) < len(expected("CHEMBL553"))
    assert numbers(pages) == order
    assert {page.pagination.total_count for page in pages} == {len(order)}


@each_of(
    ("spelling", "name"),
    [("ic50", "IC50"), ("IC-50", "IC50"), (" kd ", "Kd"), ("inhibition", "Inhibition"), ("EC50", "EC50")],
)
def test_common_types_are_taken_in_any_spelling(spelling, name):
    page = bioactivities_of(ERLOTINIB, activity_type=spelling).answer

    assert page.items
    assert {row.standard_type for row in page.items} == {name}


def test_an_empty_list_names_its_filters_and_how_types_are_written():
    page = bioactivities_of(ERLOTINIB, activity_type="Kdd", min_pchembl=12).answer
    plain = bioactivities_of(ERLOTINIB, min_pchembl=12).answer

    assert (page.items, page.pagination.total_count, codes(page)) == ([], 0, ["UNMATCHED"])
    assert message(page, "UNMATCHED").startswith(
        "No measurement of CHEMBL:553 has min_pchembl=12, activity_type=Kdd; without a filter there may be some."
    )
    assert "IC50, Ki" in message(page, "UNMATCHED")
    assert "IC50" not in message(plain, "UNMATCHED")


@each_of(
    ("filters", "valid"),
    [
        ({"assay_type": "in vivo"}, "functional"),
        ({"min_pchembl": -1}, "from 0 to 20"),
        ({"min_pchembl": "strong"}, "number"),
        ({"activity_type": "IC50, Ki"}, "IC50, Ki, Kd"),
        ({"activity_type": "--"}, "IC50, Ki, Kd"),
    ],
)
def test_a_bad_filter_is_refused_with_valid_ones(filters, valid):
    with pytest.raises(AmbiguousQuery) as refusal:
        bioactivities_of(ERLOTINIB, **filters)

    assert valid in f"{refusal.value.message} {refusal.value.hint}"


def test_a_cursor_of_other_filters_is_refused():
    async def ask(chembl):
        page = await chembl.get_bioactivities(ERLOTINIB, min_pchembl=7, page_size=2)
        await chembl.get_bioactivities(ERLOTINIB, min_pchembl=8, page_size=2, cursor=page.pagination.cursor)

    with pytest.raises(AmbiguousQuery):
        run(ask)


@pytest.mark.parametrize(
    ("filters", "values"),
    [
        ({"min_pchembl": 7}, {"pchembl_value": "6.9"}),
        ({"activity_type": "Ki"}, {"standard_type": "IC50"}),
        ({"assay_type": "functional"}, {"assay_type": "B"}),
    ],
)
def test_rows_that_do_not_meet_a_filter_are_not_shown(filters, values):
    right = {"pchembl_value": "8.0", "standard_type": "Ki", "assay_type": "F"}
    rows = [wire_row(1, **right), wire_row(2, **{**right, **values})]
    wanted = MeasurementFilter(**filters)

    assert [wanted.holds(parse.measurement(row)) for row in rows] == [True, False]


def wire_row(number, **values):
    return {"activity_id": number, "molecule_chembl_id": "CHEMBL1", "target_chembl_id": "CHEMBL100", **values}
