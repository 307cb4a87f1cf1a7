"""A search page by page: every row once, few requests, and the remaining rows when ChEMBL fails."""

import pytest

from biofact.core.envelopes import Cursor
from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sandbox import Fault
from biofact.sources.chembl.identifiers import SEARCH
from biofact.sources.chembl.search import MOST_LEADING, CompoundPosition
from biofact.sources.chembl.search.ranking import BEGINS
from tests.notices import messages
from tests.recordings import FOLDER, needs_recordings
from tests.sources.chembl.searching import ids, on_sandbox

pytestmark = pytest.mark.quick

SIZES = (1, 2, 3, 7)


async def pages_of(chembl, query, page_size):
    """The rows of all pages, and the number of pages."""
    rows, count, cursor = [], 0, None
    while count == 0 or cursor:
        page = await chembl.search_compounds(query, page_size=page_size, cursor=cursor)
        cursor = page.pagination.cursor
        assert len(page.items) <= page_size
        assert page.items or not cursor
        rows, count = [*rows, *page.items], count + 1
    return rows, count


QUERIES = ("acid", "dopamine", "imatinib", "di", "met", "in", "ziprasidone", "acid 2", "diamine")
STARTER = ("acid", "met")  # in the quick tier
RECORDINGS = "di"


@pytest.mark.parametrize(
    ("query", "folder"),
    [
        *((query, None) for query in STARTER),
        pytest.param(RECORDINGS, FOLDER, marks=needs_recordings),
        *(pytest.param(query, None, marks=pytest.mark.sweep) for query in QUERIES if query not in STARTER),
        *(
            pytest.param(query, FOLDER, marks=[needs_recordings, pytest.mark.sweep])
            for query in QUERIES
            if query != RECORDINGS
        ),
    ],
)
def test_pages_of_any_size_hold_every_row_once_in_one_order(query, folder):
    async def scenario(chembl, _):
        return {size: await pages_of(chembl, query, size) for size in (100, *SIZES)}

    parts = on_sandbox(scenario, folder)

    whole, count = parts.pop(100)
    forms = {form.id for row in whole for form in row.salt_forms}
    most_leading = min(
        MOST_LEADING, sum(row.score >= BEGINS for row in whole)
    )  # other rows know the forms of their page only
    assert count == 1
    for size, (rows, pages) in parts.items():
        assert [row.id for row in rows] == [row.id for row in whole], size
        if not folder:  # a recorded record answers for one compound alone, with the names of its year
            assert rows[:most_leading] == whole[:most_leading], size
        assert len({row.id for row in rows} - forms) == len(rows), size
        assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True), size
        assert pages == max(1, -(-len(rows) // size)), size


def test_a_total_is_shown_if_the_list_ends_on_page_1():
    async def scenario(chembl, _):
        return [await chembl.search_compounds("acid", page_size=size) for size in (3, 100)]

    part, whole = on_sandbox(scenario)

    assert (part.pagination.total_count, whole.pagination.total_count) == (None, len(whole.items))
    assert (len(messages(part, "ORDER")), len(messages(whole, "ORDER"))) == (1, 0)


def test_a_list_of_ids_is_refused_with_the_batch_as_the_way_on():
    async def scenario(chembl, sandbox):
        with pytest.raises(AmbiguousQuery) as raises:
            await chembl.search_compounds("CHEMBL25, chembl:941;CHEMBL1642")
        return raises.value.recovery, len(sandbox.requests)

    recovery, requests = on_sandbox(scenario)

    assert str(recovery.tool) == "chembl.get_compounds_batch"
    assert recovery.arguments == {"chembl_ids": ["CHEMBL:25", "CHEMBL:941", "CHEMBL:1642"]}
    assert requests == 0


def test_a_cursor_of_another_query_or_a_damaged_one_is_refused():
    async def scenario(chembl, _):
        cursor = (await chembl.search_compounds("acid", page_size=2)).pagination.cursor
        for query, arguments in [("acids", cursor), ("acid", cursor[:-2]), ("acid", "x")]:
            with pytest.raises(AmbiguousQuery, match="damaged or belongs to another"):
                await chembl.search_compounds(query, page_size=2, cursor=arguments)
        return await chembl.search_compounds("acid", page_size=2, cursor=cursor)

    assert len(on_sandbox(scenario).items) == 2


def test_the_longest_cursor_fits_what_a_tool_takes():
    limit = {"lead": [f"CHEMBL{10**11 + number}" for number in range(30)], "parents": ".".join(["zzzzzzz9"] * 150)}
    place = CompoundPosition(**limit, shown=30, number=0, offset=10_000, total=1_000_000, score=0.123)

    assert len(Cursor(SEARCH, {"query": "x" * 300}).write(place)) <= 4000


def test_a_place_with_other_parents_than_numbers_is_none(subtests):
    for parents in ["A", "1/2", "1 2", "\u0662", "1." * 701]:
        with subtests.test(parents=parents), pytest.raises(ValueError, match="parents"):
            CompoundPosition(lead=[], shown=0, number=0, offset=0, total=0, score=0.5, parents=parents)


def paths_of_page_1(query):
    async def scenario(chembl, sandbox):
        await chembl.search_compounds(query)
        return [request.path for request in sandbox.requests]

    return on_sandbox(scenario)


def test_page_1_takes_few_requests(subtests):
    for query, minimum, limit in [
        ("imatinib", 1, 1),
        ("insulin glargine", 1, 1),
        ("Paxlovid", 1, 1),
        ("ASA", 4, 4),  # and what it stands for
        ("AZD9291", 4, 4),  # and with its hyphen
        ("imat", 3, 4),
        ("di", 2, 4),
        ("human insulin", 3, 4),
        ("ibuprofin", 4, 6),
        ("nothing of the kind", 3, 6),
        ("xqzzt", 4, 6),
        ("CHEMBL25", 1, 1),
        ("CHEMBL203", 2, 2),
        ("CC(=O)Oc1ccccc1C(=O)O", 1, 1),
        ("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", 1, 1),
        ("%%", 0, 0),
    ]:
        with subtests.test(query=query):
            assert minimum <= len(paths_of_page_1(query)) <= limit


@needs_recordings
@pytest.mark.parametrize(
    "query", ["di", *(pytest.param(query, marks=pytest.mark.sweep) for query in ("acid 2", "dopamine", "in"))]
)
def test_a_later_page_takes_one_request_and_one_more_while_hits_lead(query):
    async def scenario(chembl, sandbox):
        counts = []
        page = await chembl.search_compounds(query, page_size=3)
        while page.pagination.cursor:
            sandbox.requests.clear()
            page = await chembl.search_compounds(query, page_size=3, cursor=page.pagination.cursor)
            set_requests = sum("/set/" in request.path for request in sandbox.requests)
            counts.append((set_requests, len(sandbox.requests) - set_requests))
        return counts

    counts = on_sandbox(scenario, FOLDER)

    assert max(set_requests for set_requests, _ in counts) <= 1
    assert max(listed_values for _, listed_values in counts) <= 1


@pytest.mark.parametrize(
    ("query", "compound"), [("imatinib", "CHEMBL:941"), ("Gleevec", "CHEMBL:941"), ("paracetamol", "CHEMBL:112")]
)
def test_while_the_search_is_down_whole_names_are_found_with_a_notice(query, compound):
    async def scenario(chembl, sandbox):
        sandbox.faults.set(Fault("status", path="molecule/search", status=500, times=None))
        return await chembl.search_compounds(query)

    page = on_sandbox(scenario)

    assert ids(page) == [compound]
    assert len(messages(page, "LEG_FAILED")) == 1
    assert page.pagination.cursor is None


FIVE_NAMES = ("imatinib", "aspirin", "ibuprofen", "caffeine", "metformin")


def test_a_search_that_stays_down_is_not_asked_again_and_other_calls_are_answered():
    async def scenario(chembl, sandbox):
        sandbox.faults.set(Fault("status", path="molecule/search", status=500, times=None))
        first, *_ = [await chembl.search_compounds(name) for name in FIVE_NAMES]  # one bad name proves nothing
        request_count = len(sandbox.requests)
        second = await chembl.search_compounds("Gleevec")
        return (
            first,
            second,
            await chembl.get_compound("CHEMBL:25"),
            [request.path for request in sandbox.requests[request_count:]],
        )

    first, second, compound, request = on_sandbox(scenario)

    assert ids(first) == ids(second) == ["CHEMBL:941"]
    assert compound.name == "ASPIRIN"
    assert "/molecule/search.json" not in request


@pytest.mark.parametrize("query", ["imat", "ibuprofin", "2-(acetyloxy)benzoic acid"])
def test_when_the_search_is_down_what_is_no_whole_name_fails(query):
    async def scenario(chembl, sandbox):
        sandbox.faults.set(Fault("status", path="molecule/search", status=500, times=None))
        await chembl.search_compounds(query)

    with pytest.raises(UpstreamError):
        on_sandbox(scenario)


@pytest.mark.parametrize("query", ["imatinib", "CHEMBL25", "CC(=O)Oc1ccccc1C(=O)O"])
def test_when_everything_is_down_a_search_fails(query):
    async def scenario(chembl, sandbox):
        sandbox.faults.set(Fault("status", service="chembl", status=500, times=None))
        await chembl.search_compounds(query)

    with pytest.raises(UpstreamError):
        on_sandbox(scenario)


def test_a_later_page_fails_with_its_list():
    async def scenario(chembl, sandbox):
        page = await chembl.search_compounds("acid", page_size=2)
        sandbox.faults.set(Fault("status", path="molecule/search", status=500, times=None))
        await chembl.search_compounds("acid", page_size=50, cursor=page.pagination.cursor)

    with pytest.raises(UpstreamError):
        on_sandbox(scenario)
