"""Searches page by page: hits that lead, the service's own list without them, and lists in the service's order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from biofact.core.errors import UpstreamError
from biofact.protocol.listing import Candidate, ListSlice, NumberedPages, OffsetPages, OffsetPosition, WholeList
from biofact.protocol.search import (
    FilteredList,
    HitList,
    ListGroup,
    MergedPages,
    MergedPosition,
    PagePosition,
    SearchPosition,
)
from tests import virtual_time

pytestmark = pytest.mark.quick

HITS = list("abcdefgh")


def test_the_next_hits_are_those_that_do_not_lead(subtests):
    cases = [
        ([], 0, 3, "abc", 3),
        (["b"], 0, 3, "acd", 4),
        (["a", "b"], 0, 2, "cd", 4),
        (["d", "e"], 0, 3, "abc", 5),  # those that lead and come next are skipped at once
        (["h"], 0, 7, "abcdefg", 8),
        (["x"], 0, 2, "ab", 2),
        (HITS, 0, 3, "", 8),
        ([], 0, 0, "", 0),
        (["a"], 0, 0, "", 1),
        ([], 5, 10, "fgh", 8),
    ]
    for lead, start, count, expected, next_start in cases:
        with subtests.test(lead=lead):
            assert HitList(HITS[start:], len(HITS)).following(lead, start, count) == (list(expected), next_start)


def test_a_part_of_the_list_leads_on_behind_it():
    assert HitList(["c", "d"], 8).following([], 2, 5) == (["c", "d"], 4)


def test_a_list_that_ends_before_its_count_has_ended():
    assert HitList([], 8).following([], 4, 5) == ([], 8)


pages = given(
    listed=st.lists(st.integers(0, 30), unique=True, max_size=25).map(
        lambda numbers: [str(number) for number in numbers]
    ),
    lead=st.lists(st.integers(0, 30).map(str), unique=True, max_size=8),
    size=st.integers(1, 7),
    chunk=st.integers(1, 12),
)


@pages
@settings(max_examples=60, deadline=None, derandomize=True)
def test_page_by_page_every_other_hit_is_shown_once_and_in_order(listed, lead, size, chunk):
    check_pages(listed, lead, size, chunk)


@pytest.mark.sweep
@pages
@settings(max_examples=300, deadline=None, derandomize=True)
def test_of_many_lists_every_other_hit_is_shown_once_and_in_order(listed, lead, size, chunk):
    check_pages(listed, lead, size, chunk)


def check_pages(hits, lead, size, chunk):
    shown_hits, offset = [], 0
    while offset < len(hits):
        before = offset
        page_hits, offset = HitList(hits[offset : offset + chunk], len(hits)).following(lead, offset, size)
        assert len(page_hits) <= size
        assert offset > before
        shown_hits += page_hits

    assert shown_hits == [hit for hit in hits if hit not in lead]
    assert offset == len(hits)


def place(**fields):
    return SearchPosition(**{"lead": ["a", "b"], "shown": 2, "offset": 5, "total": 5, "score": 0.5} | fields)


def test_a_list_is_at_its_end_when_both_parts_are_shown():
    assert place().is_end
    assert place(shown=9).is_end
    assert not place(shown=1).is_end
    assert not place(offset=4).is_end
    assert not place(total=None).is_end


SCORES = (0.9, 0.3, 1.0, 0.2)


def in_order_of_service(scores, total=None):
    """A service's list with these scores."""
    rows = [Candidate(id=str(place), score=score, match="text") for place, score in enumerate(scores)]

    async def fetch(position, size):
        part = rows[position.offset : position.offset + size]
        return ListSlice(part, len(rows) if total is None else total)

    return OffsetPages(fetch)


def pages_of(pages, size):
    async def walk():
        walked_pages = [await pages.first(size)]
        while walked_pages[-1].position:
            walked_pages.append(await pages.after(walked_pages[-1].position, size))
        return walked_pages

    return virtual_time.run(walk())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_pages_of_any_size_are_the_same_rows_with_scores_that_never_rise(size):
    pages = pages_of(in_order_of_service(SCORES), size)

    rows = [row for page in pages for row in page.rows]
    assert [(row.id, row.score) for row in rows] == [("0", 0.9), ("1", 0.3), ("2", 0.3), ("3", 0.2)]
    assert {page.total for page in pages} == {4}


def test_a_list_that_is_shorter_than_counted_ends():
    assert [len(page.rows) for page in pages_of(in_order_of_service(SCORES, total=9), 2)] == [2, 2, 0]


def test_an_empty_list_has_no_second_page():
    (page,) = pages_of(in_order_of_service(()), 5)

    assert (page.rows, page.total, page.position) == ([], 0, None)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9])
@pytest.mark.parametrize("total", [0, 1, 4, 6, 8])
def test_numbered_pages_are_the_same_list_on_pages_of_any_size(size, total):
    listed = [Candidate(id=str(number), score=0.5, match="text") for number in range(total)]
    numbers = []

    async def numbered_page(number):
        numbers.append(number)
        return ListSlice(listed[(number - 1) * 4 : number * 4], total)

    async def scenario():
        pages = OffsetPages(NumberedPages(numbered_page, 4).slice)
        page, rows = await pages.first(size), []
        while True:
            rows += page.rows
            if page.position is None:
                return rows
            page = await pages.after(page.position, size)

    assert virtual_time.run(scenario()) == listed
    assert set(numbers) == set(range(1, max(2, -(-total // 4) + 1)))  # no page behind the last


def test_a_list_that_is_sent_as_a_whole_has_pages_too():
    listed = [Candidate(id=str(number), score=0.5, match="text") for number in range(5)]

    async def fetch():
        return listed

    async def scenario():
        pages = OffsetPages(WholeList(fetch).slice)
        first = await pages.first(3)
        return first, await pages.after(first.position, 3)

    first, second = virtual_time.run(scenario())

    assert [*first.rows, *second.rows] == listed
    assert (first.total, second.position) == (5, None)


def test_an_id_that_leads_may_be_a_curie():
    assert SearchPosition(lead=["HGNC:1100"]).leading(1) == ["HGNC:1100"]


def test_a_row_that_a_page_holds_twice_comes_once_and_the_next_page_begins_behind_both():
    rows = [Candidate(id=entry, score=1.0, match="text") for entry in ("a", "a", "b", "c")]

    async def fetch(position, size):
        return ListSlice.from_list(rows, position.offset, size)

    pages = pages_of(OffsetPages(fetch), 2)

    assert [[row.id for row in page.rows] for page in pages] == [["a"], ["b", "c"]]


@pytest.mark.parametrize("values", [{"offset": -1}, {"offset": 10**9}, {"score": 1.5}])
def test_a_position_that_no_list_has_is_refused(values):
    with pytest.raises(ValidationError):
        OffsetPosition(**values)


ODD, EVEN, NONE = range(1, 30, 2), range(0, 8, 2), range(0)


def merged(*values_of_lists, sort=None, failing=()):
    """Lists of rows that a service sends three at a time; rows divisible by 7 are dropped."""

    async def fetch(position, size):
        need = position.out + size + 1 if sort else size
        lists = []
        for key, values in enumerate(values_of_lists):
            if (start := position.start(str(key))) is None:
                continue
            part = FilteredList(str(key), start)
            if key in failing:
                part.failure = UpstreamError(f"list {key}", hint="")
            for place in part.pages(need, 20) if part.failure is None else ():
                page = values[3 * place.page :][:3]
                rows = [Candidate(id=str(value), score=1, match="text") for value in page if value % 7]
                part.add(rows, PagePosition(place.page + 1) if len(page) == 3 else None)
            lists.append(part)
        return ListGroup(lists)

    return MergedPages(fetch, sort)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 40])
def test_several_lists_in_turn_have_each_row_once_on_pages_of_any_size(size):
    pages = pages_of(merged(ODD, EVEN, NONE), size)

    ids = [int(row.id) for page in pages for row in page.rows]
    expected = [value for value in (*ODD, *EVEN) if value % 7]
    assert sorted(ids) == sorted(expected)
    assert [value for value in ids if value % 2] == [value for value in expected if value % 2]
    assert all(len(page.rows) == size for page in pages[:-2])
    assert [page.total for page in pages] == [len(expected) if size == 40 else None] + [None] * (len(pages) - 1)


def test_several_lists_in_one_order_are_one_list():
    def descending(rows):
        return sorted(rows, key=lambda row: -int(row.id))

    pages = pages_of(merged(range(29, 0, -2), EVEN[::-1], sort=descending), 4)

    ids = [int(row.id) for page in pages for row in page.rows]
    assert ids == sorted([value for value in (*ODD, *EVEN) if value % 7], reverse=True)


def test_a_list_that_fails_is_missing_from_later_pages_and_is_no_empty_list():
    pages = pages_of(merged(ODD, EVEN, failing=(0,)), 2)

    assert [row.id for page in pages for row in page.rows] == ["2", "4", "6"]
    assert pages[0].position.start("0") is None
    assert [page.total for page in pages] == [None, None]
    with pytest.raises(UpstreamError, match="list 0"):
        pages_of(merged(ODD, failing=(0,)), 2)


def test_an_order_is_not_continued_without_a_list_that_it_began_with():
    async def ask():
        await merged(ODD, EVEN, sort=list, failing=(1,)).after(MergedPosition(out=2), 2)

    with pytest.raises(UpstreamError, match="list 1"):
        virtual_time.run(ask())
