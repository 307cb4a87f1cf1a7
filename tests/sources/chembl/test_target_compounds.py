"""The compounds of a target: order, salts, pages, requests; compared with the facts by code of these tests' own."""

import asyncio
import functools
import itertools

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UnresolvedEntity
from biofact.sandbox.services.chembl.corpus import rows_of_starter, whole_rows
from tests import virtual_time
from tests.notices import codes, message
from tests.sources.chembl.made_client import all_pages, client_of, run
from tests.sources.chembl.made_compounds import AAA, ANTIBODY, KINASE, SALT, activity, mechanism, molecule

pytestmark = pytest.mark.quick

FACTS = rows_of_starter()
EGFR = "UniProtKB:P00533"
TARGETS = [row["target_chembl_id"] for row in FACTS["target"]]


def parents(facts):
    ids = ((row["molecule_chembl_id"], row["molecule_hierarchy"]) for row in facts["molecule"])
    return {uid: hierarchy.get("parent_chembl_id", uid) for uid, hierarchy in ids}


def drugs(facts, targets):
    """Compounds with a mechanism on the targets, by their best phase, then by number."""
    best, parent = {}, parents(facts)
    for row in facts.get("mechanism", ()):
        if row["target_chembl_id"] in targets:
            compound = parent[row["molecule_chembl_id"]]
            best[compound] = max(best.get(compound, 0), row["max_phase"] or 0)
    return sorted(best, key=lambda compound: (-best[compound], int(compound[6:])))


def measured_only(facts, targets):
    """The other compounds: strongest pChEMBL first, ties by number of the measurement; with both."""
    best, parent = {}, parents(facts)
    for row in whole_rows(facts)["activity"]:
        if row["target_chembl_id"] in targets and row["pchembl_value"]:
            compound = parent[row["molecule_chembl_id"]]
            best[compound] = min(best.get(compound, (0, 0)), (-float(row["pchembl_value"]), row["activity_id"]))
    known_values = drugs(facts, targets)
    keys = {compound: key for compound, key in best.items() if compound not in known_values}
    return [(compound, -key[0], key[1]) for compound, key in sorted(keys.items(), key=lambda pair: pair[1])]


def expected(targets, facts=FACTS):
    return [*((compound, None, None) for compound in drugs(facts, targets)), *measured_only(facts, targets)]


def with_component(accession):
    return {
        row["target_chembl_id"]
        for row in FACTS["target"]
        if accession in {component["accession"] for component in row["target_components"]}
    }


def compounds_and_notices(pages):
    rows = [row for page in pages for row in page.items]
    return [(row.id.replace(":", ""), row.pchembl, row.activity_id) for row in rows]


def pages_of(target_id, page_size, facts=None):
    async def ask(chembl):
        async def get_page(**options):
            return await chembl.find_compounds_for_target(target_id, **options)

        return await all_pages(get_page, page_size)

    return run(ask, facts=facts).answer


ABL1, COX_2, DRD2 = "UniProtKB:P00519", "UniProtKB:P35354", "UniProtKB:P14416"
EGFRS = [(EGFR, 7), ("CHEMBL:203", 50), (COX_2, 1)]
PRODUCT = [pair for pair in itertools.product((EGFR, "CHEMBL:203", ABL1, COX_2, DRD2), (1, 7, 50)) if pair not in EGFRS]


@pytest.mark.parametrize(
    ("target_id", "page_size"), [*EGFRS, *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in PRODUCT)]
)
def test_every_compound_comes_once_in_its_place_for_any_page_size(target_id, page_size):
    pages = pages_of(target_id, page_size)
    targets = {target_id.replace(":", "")} if "CHEMBL" in target_id else with_component(target_id[10:])

    assert compounds_and_notices(pages) == expected(targets)
    assert all(len(page.items) == page_size for page in pages[:-1])


@pytest.mark.sweep
def test_the_lists_of_all_starter_targets_are_those_of_the_facts():
    async def ask(chembl):
        async def compounds_of(target):
            async def get_page(**options):
                return await chembl.find_compounds_for_target(f"CHEMBL:{target[6:]}", **options)

            return compounds_and_notices(await all_pages(get_page, 10))

        return dict(zip(TARGETS, await asyncio.gather(*map(compounds_of, TARGETS)), strict=True))

    answer = run(ask).answer

    assert answer == {target: expected({target}) for target in TARGETS}
    assert len(answer["CHEMBL203"]) > 30


@functools.cache
def on_egfr():
    [page] = pages_of(EGFR, 100)
    return page


def test_drugs_come_first_and_by_phase():
    page = on_egfr()
    evidence = [row.evidence for row in page.items]
    phases = [row.max_phase or 0 for row in page.items if row.evidence == "mechanism"]

    assert evidence == sorted(evidence, reverse=True)
    assert set(evidence) == {"mechanism", "activity"}
    assert phases == sorted(phases, reverse=True)
    assert {row.id for row in page.items if row.evidence == "mechanism"} >= {"CHEMBL:553", "CHEMBL:939"}


def test_a_row_says_what_it_stands_on():
    page = on_egfr()
    drug = next(row for row in page.items if row.id == "CHEMBL:939")
    other = next(row for row in page.items if row.evidence == "activity")
    row = next(row for row in whole_rows(FACTS)["activity"] if row["activity_id"] == other.activity_id)

    assert drug.model_dump(exclude_none=True, exclude={"notices"}) == {
        "id": "CHEMBL:939",
        "name": "GEFITINIB",
        "evidence": "mechanism",
        "target": "CHEMBL:203",
        "max_phase": 4.0,
        "mechanism": "Epidermal growth factor receptor erbB1 inhibitor",
        "action": "INHIBITOR",
    }
    assert (other.pchembl, other.standard_type) == (float(row["pchembl_value"]), row["standard_type"])
    assert other.target == f"CHEMBL:{row['target_chembl_id'][6:]}"
    assert (other.mechanism, other.action) == (None, None)


def test_mechanisms_on_complexes_and_families_count_for_their_proteins():
    page = on_egfr()

    assert {row.target for row in page.items if row.evidence == "mechanism"} >= {"CHEMBL:203", "CHEMBL:2363049"}
    assert "a component of 5 targets" in message(page, "QUERY_UNDERSTOOD")


def test_salts_count_as_the_compound_itself():
    [page] = pages_of("UniProtKB:P00519", 100)
    ids = [row.id for row in page.items]

    assert ids[0] == "CHEMBL:941"  # its mechanism is filed on the mesylate
    assert "CHEMBL:1642" not in ids
    assert page.items[0].name == "IMATINIB"


# Made facts


def test_the_measurement_of_a_salt_counts_for_its_parent():
    facts = {
        "molecule": [AAA, SALT],
        "target": [KINASE],
        "activity": [
            activity(1, pchembl_value="7.00"),
            activity(2, pchembl_value="8.00", molecule_chembl_id="CHEMBL2"),
        ],
    }
    [page] = pages_of("CHEMBL:100", 10, facts)

    assert compounds_and_notices([page]) == [("CHEMBL1", 8.0, 2)]
    assert page.items[0].name == "AAAMAB FREE"
    assert page.pagination.total_count == 1


def test_of_equal_measurements_the_lowest_number_stands_for_the_compound():
    activities = tuple(activity(number, pchembl_value="7.00") for number in (9, 3, 5))

    assert compounds_and_notices(
        pages_of("CHEMBL:100", 10, {"molecule": [AAA], "target": [KINASE], "activity": activities})
    ) == [("CHEMBL1", 7.0, 3)]


def test_a_drug_measured_too_comes_once_as_a_drug():
    facts = {
        "molecule": [AAA, SALT, ANTIBODY],
        "target": [KINASE],
        "mechanism": [
            mechanism(1, "CHEMBL3", "CHEMBL100", "Binds", action_type="BINDING AGENT", max_phase=2),
            mechanism(2, "CHEMBL2", "CHEMBL100", "Inhibits", max_phase=4),
            mechanism(3, "CHEMBL1", "CHEMBL100", "Inhibits too", max_phase=3),
        ],
        "activity": [
            activity(1, pchembl_value="9.00"),
            activity(2, pchembl_value="8.00", molecule_chembl_id="CHEMBL3"),
        ],
    }
    [page] = pages_of("CHEMBL:100", 10, facts)

    assert [(row.id, row.mechanism) for row in page.items] == [("CHEMBL:1", "Inhibits"), ("CHEMBL:3", "Binds")]


def test_values_without_pchembl_are_no_evidence():
    facts = {
        "molecule": [AAA],
        "target": [KINASE],
        "activity": [activity(1, standard_value="50000", standard_relation=">")],
    }
    [page] = pages_of("CHEMBL:100", 10, facts)

    assert (page.items, page.pagination.total_count) == ([], 0)


def crowded_facts(item):
    """Three compounds, each with more measurements than several pages upstream hold."""
    molecules = [molecule(f"CHEMBL{number}") for number in (1, 2, 3)]
    activities = tuple(
        activity(
            1000 * place + row,
            molecule_chembl_id=molecule["molecule_chembl_id"],
            pchembl_value=f"{9 - place - row / item:.2f}",
        )
        for place, molecule in enumerate(molecules)
        for row in range(1, item + 1)
    )
    return {"molecule": molecules, "target": [KINASE], "activity": activities}


OPTIONS = [(1, 450), (2, 150), (50, 150)]


@pytest.mark.parametrize(
    ("page_size", "item"), [(1, 260), *(pytest.param(*pair, marks=pytest.mark.sweep) for pair in OPTIONS)]
)
def test_compounds_measured_hundreds_of_times_come_once(page_size, item):
    facts = crowded_facts(item)
    pages = pages_of("CHEMBL:100", page_size, facts)

    assert compounds_and_notices(pages) == expected({"CHEMBL100"}, facts)
    assert all(page.items for page in pages[:-1])


def test_a_compound_is_not_shown_again_where_its_strongest_value_is_a_thousand_rows_above():
    molecules = [molecule(f"CHEMBL{number}") for number in (1, 2, 3)]
    facts = {
        "molecule": molecules,
        "target": [KINASE],
        "activity": [
            *(activity(number, pchembl_value="8.00") for number in range(1, 1051)),
            activity(2001, pchembl_value="7.00", molecule_chembl_id="CHEMBL2"),
            activity(2002, pchembl_value="6.00", molecule_chembl_id="CHEMBL2"),
            activity(2003, pchembl_value="5.80"),
            activity(2004, pchembl_value="5.50", molecule_chembl_id="CHEMBL3"),
        ],
    }

    assert compounds_and_notices(pages_of("CHEMBL:100", 1, facts)) == [
        ("CHEMBL1", 8.0, 1),
        ("CHEMBL2", 7.0, 2001),
        ("CHEMBL3", 5.5, 2004),
    ]


# Number of requests


def requests_per_page(target_id, page_size):
    async def scenario():
        async with client_of() as (chembl, sandbox):
            counts, cursor = [], None
            while True:
                page = await chembl.find_compounds_for_target(target_id, page_size=page_size, cursor=cursor)
                cursor = page.pagination.cursor
                counts.append([request.path for request in sandbox.requests])
                sandbox.requests.clear()
                if cursor is None:
                    return counts

    return virtual_time.run(scenario())


@pytest.mark.parametrize(
    ("target_id", "page_size"),
    [
        *((EGFR, 7), ("CHEMBL:203", 50)),
        *(pytest.param(EGFR, size, marks=pytest.mark.sweep) for size in (1, 50, 100)),
        *(pytest.param("CHEMBL:203", size, marks=pytest.mark.sweep) for size in (1, 7, 100)),
    ],
)
def test_a_page_costs_four_requests_at_most_besides_that_for_the_target(target_id, page_size):
    first, *other_values = requests_per_page(target_id, page_size)

    assert first[0] == "/target.json"
    assert len(first) <= 1 + 4, first
    assert all(len(request) <= 4 for request in other_values), other_values
    assert not any("target" in path for request in other_values for path in request)


# Refusals


def test_a_compound_in_place_of_a_target_is_refused_with_the_tool_for_it():
    with pytest.raises(UnresolvedEntity, match="CHEMBL:25 is a ChEMBL compound, not a target") as raises:
        pages_of("CHEMBL:25", 10)

    assert raises.value.recovery.arguments == {"chembl_id": "CHEMBL:25"}


@pytest.mark.parametrize("target_id", ["UniProtKB:P99999", "CHEMBL:99999999"])
def test_an_unknown_target_is_not_found(target_id):
    with pytest.raises(EntityNotFound, match="no target"):
        pages_of(target_id, 10)


def test_a_target_that_nothing_works_on_has_an_empty_list():
    [page] = pages_of("CHEMBL:614835", 10)

    assert (page.items, page.pagination.total_count, codes(page)) == ([], 0, [])


def test_a_cursor_of_another_target_is_refused():
    async def ask(chembl):
        page = await chembl.find_compounds_for_target(EGFR, page_size=1)
        with pytest.raises(AmbiguousQuery, match="cursor"):
            await chembl.find_compounds_for_target("UniProtKB:P00519", cursor=page.pagination.cursor)
        return True

    assert run(ask).answer


def best_measured(targets, *, min_pchembl=0.0, standard_type=None, letter=None):
    """Compounds and numbers of their best measurements of those that are meant, drugs among the others."""
    best, parent = {}, parents(FACTS)
    for row in whole_rows(FACTS)["activity"]:
        is_wanted = (
            row["target_chembl_id"] in targets
            and row["pchembl_value"]
            and float(row["pchembl_value"]) >= min_pchembl
            and standard_type in {None, row["standard_type"]}
            and letter in {None, row["assay_type"]}
        )
        if is_wanted:
            compound = parent[row["molecule_chembl_id"]]
            best[compound] = min(best.get(compound, (0, 0)), (-float(row["pchembl_value"]), row["activity_id"]))
    return [(compound, key[1]) for compound, key in sorted(best.items(), key=lambda pair: pair[1])]


@pytest.mark.parametrize(
    ("filters", "facts"),
    [
        ({"min_pchembl": 8}, {"min_pchembl": 8}),
        ({"activity_type": "kd"}, {"standard_type": "Kd"}),
        ({"assay_type": "functional"}, {"letter": "F"}),
        (
            {"min_pchembl": 6, "activity_type": "IC50", "assay_type": "binding"},
            {"min_pchembl": 6, "standard_type": "IC50", "letter": "B"},
        ),
    ],
    ids=str,
)
def test_filters_leave_the_best_measurement_of_each_compound_that_is_meant(filters, facts):
    async def ask(chembl):
        async def get_page(**options):
            return await chembl.find_compounds_for_target(EGFR, **filters, **options)

        return await all_pages(get_page, 3)

    pages = run(ask).answer
    rows = [(f"CHEMBL{row.id[7:]}", row.activity_id) for page in pages for row in page.items]

    assert len(rows) > 3
    assert rows == best_measured(with_component("P00533"), **facts)
    assert {row.evidence for page in pages for row in page.items} == {"activity"}
    assert set(drugs(FACTS, with_component("P00533"))) & {compound for compound, _ in rows}


def test_a_target_without_compounds_so_potent_is_an_empty_list_with_a_notice():
    page = run(lambda chembl: chembl.find_compounds_for_target(EGFR, min_pchembl=15)).answer

    assert (page.items, page.pagination.total_count) == ([], 0)
    assert message(page, "UNMATCHED").startswith(f"No measurement of {EGFR} has min_pchembl=15")
