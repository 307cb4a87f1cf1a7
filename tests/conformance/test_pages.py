"""Lists: page by page they are the whole list, in its order; counts and cursors are right."""

import functools
import itertools
import math

import pytest

from biofact.core.errors import AmbiguousQuery
from tests import virtual_time
from tests.conformance.cases import (
    answer_of,
    cases,
    codes,
    is_paged,
    pages_to_the_end,
    sandboxed_client,
    size_name,
)
from tests.conformance.claims import holds
from tests.conformance.items import check_each, each_tool, in_turn, split_cases

pytestmark = pytest.mark.quick

PAGED_CASES = cases(is_paged)
FEW_PAGED, _ = split_cases(PAGED_CASES, 5)
SIZED_CASES = cases(
    lambda case: size_name(case.spec) is not None and case.spec.returns.listed is not None and not is_paged(case)
)
SMALL, LARGE = 2, 100
MOST_PAGES = 6
"""The number of small pages of a long list in the quick tier."""
MINIMUM = 3
ABOUT_A_PAGE = {"LEGS", "LIST_CUT", "ORDER"}
"""Codes of notices about a page, not the list."""
RANKED_BY_PAGE = {"entrez.search_genes", "ensembl.search_genes"}
"""Searches that rank the service's own list page by page behind genes that lead by name (docs/decisions/0004)."""
LEADING_SCORE = 0.65


@functools.cache
def pages_of(case, size):
    """All pages of a list, requested with a cache of its own."""

    async def walk():
        async with sandboxed_client(case) as (client, _):
            return await pages_to_the_end(client, case.with_page_size(size))

    return virtual_time.run(walk())


def rows_of(pages):
    return list(itertools.chain.from_iterable(page["items"] for page in pages))


def in_fixed_order(case, rows):
    """The rows; those that are ranked page by page in the order of their IDs, and without their scores."""
    if str(case.spec.ref) not in RANKED_BY_PAGE:
        return rows
    leading = list(itertools.takewhile(lambda row: row["score"] >= LEADING_SCORE and row["match"] != "name", rows))
    sorted_rows = [*leading, *sorted(rows[len(leading) :], key=lambda row: row["id"])]
    return [{name: value for name, value in row.items() if name != "score"} for row in sorted_rows]


def small_size(case):
    """Two rows a page, or more of a long list."""
    return max(SMALL, math.ceil(len(rows_of(pages_of(case, LARGE))) / MOST_PAGES))


def are_the_whole_list_in_its_order(case, pages, whole):
    size = pages[0]["pagination"]["page_size"]

    assert rows_of(whole)
    assert in_fixed_order(case, rows_of(pages)) == in_fixed_order(case, rows_of(whole))
    assert all(len(page["items"]) <= size for page in pages)
    assert {page["pagination"]["page_size"] for page in pages} == {size}


def have_no_row_twice(_, pages, __):
    rows = rows_of(pages)

    assert [row for place, row in enumerate(rows) if row in rows[:place]] == []


def have_totals_that_agree_with_the_rows_and_with_each_other(_, pages, whole):
    totals = {page["pagination"]["total_count"] for page in (*pages, *whole)} - {None}

    assert totals <= {len(rows_of(pages))}
    if len(whole) == 1:
        assert whole[0]["pagination"]["total_count"] == len(whole[0]["items"])


def have_scores_that_never_rise(_, pages, __):
    scores = [row["score"] for row in rows_of(pages) if "match" in row]

    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def say_on_the_first_what_there_is_to_know_of_the_list(_, pages, whole):
    assert codes(pages[0]) - ABOUT_A_PAGE == codes(whole[0]) - ABOUT_A_PAGE


RULES = (
    are_the_whole_list_in_its_order,
    have_no_row_twice,
    have_totals_that_agree_with_the_rows_and_with_each_other,
    have_scores_that_never_rise,
    say_on_the_first_what_there_is_to_know_of_the_list,
)


def assert_every_rule(case, size):
    pages, whole = pages_of(case, size), pages_of(case, LARGE)
    assert pages[0]["pagination"]["page_size"] == size
    rules_by_name = {rule.__name__: rule for rule in RULES}

    check_each(rules_by_name, lambda name: rules_by_name[name](case, pages, whole))


@holds("pages_to_the_end")
@in_turn(FEW_PAGED)
def test_small_pages_are_the_whole_list_in_its_order(case):
    assert_every_rule(case, small_size(case))


@pytest.mark.sweep
@in_turn(PAGED_CASES)
def test_pages_of_two_are_the_whole_list_in_its_order(case):
    assert_every_rule(case, SMALL)


@holds("pages_to_the_end")
@in_turn(SIZED_CASES)
def test_a_short_list_is_the_head_of_the_long_one(case):
    async def scenario(size):
        async with sandboxed_client(case) as (client, _):
            return await answer_of(client, case.with_page_size(size))

    first, whole = (virtual_time.run(scenario(size)) for size in (SMALL, LARGE))
    short, long = case.rows(first), case.rows(whole)

    assert len(short) == min(SMALL, len(long))
    assert short == long[:SMALL]
    assert first.get("total_results") == whole.get("total_results")
    assert whole.get("total_results", len(long)) == len(long)


def paged_cases(tool):
    """The cases of a tool, one row a page."""
    return [case.with_page_size(1) for case in tool.cases]


@holds("pages_to_the_end")
@each_tool(PAGED_CASES)
def test_a_cursor_of_another_query_or_a_damaged_one_is_refused(tool):
    async def scenario():
        async with sandboxed_client(tool.cases[0]) as (client, _):
            cursors = [(case, (await answer_of(client, case))["pagination"]["cursor"]) for case in paged_cases(tool)]
            await assert_others_are_refused(client, cursors)
            await assert_damaged_ones_are_refused(client, cursors)

    virtual_time.run(scenario())


async def assert_others_are_refused(client, cursors):
    pairs = [(cursor, other) for case, cursor in cursors if cursor for other, _ in cursors if other != case]

    assert pairs, "two examples of the tool need several rows each: a cursor of the one is refused by the other"
    for cursor, other in pairs:
        with pytest.raises(AmbiguousQuery) as refusal:
            await answer_of(client, other.with_arguments(cursor=cursor))
        assert refusal.value.invalid_input == cursor
        assert refusal.value.recovery.tool == other.spec.ref


async def assert_damaged_ones_are_refused(client, cursors):
    case, cursor = next(pair for pair in cursors if pair[1])
    other = "B" if cursor[0] == "A" else "A"
    for damaged_cursor in (cursor[:-2], cursor[1:], f"{cursor[:-4]}----", f"{other}{cursor[1:]}", "-"):
        with pytest.raises(AmbiguousQuery):
            await answer_of(client, case.with_arguments(cursor=damaged_cursor))


@each_tool(PAGED_CASES)
def test_examples_of_a_tool_that_pages_find_enough_to_turn_the_page(tool):
    assert any(len(rows_of(pages_of(case, LARGE))) >= MINIMUM for case in tool.cases), (
        f"no example of {tool} finds {MINIMUM} rows: a wider query, or more starter rows"
    )
