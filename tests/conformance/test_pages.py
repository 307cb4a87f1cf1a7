"""Lists: walked page by page they are the whole list, in its order; what counts and leads through them is right."""

import functools
import itertools

import pytest

from biofact.core.errors import AmbiguousQuery
from tests import virtual_time
from tests.conformance.cases import (
    answered,
    cases,
    codes,
    each_case,
    first_of_each_tool,
    is_paged,
    pages_to_the_end,
    sandboxed_client,
    size_name,
)
from tests.conformance.claims import holds

pytestmark = pytest.mark.quick

PAGED = cases(is_paged)
SIZED = cases(
    lambda case: size_name(case.spec) is not None and case.spec.returns.listed is not None and not is_paged(case)
)
SMALL, LARGE = 2, 100
FEW = 3
ABOUT_A_PAGE = {"LEGS", "LIST_CUT", "ORDER"}
"""Codes of notices that speak of a page, not of the list."""
RANKED_BY_PAGE = {"entrez.search_genes", "ensembl.search_genes"}
"""Behind the genes that lead by name these rank what the service lists page by page (docs/decisions/0004)."""
LEADING_SCORE = 0.65


@functools.cache
def walked(case, size):
    """All pages of a list, asked with a cache of its own."""

    async def walk():
        async with sandboxed_client(case) as (client, _):
            return await pages_to_the_end(client, case.sized(size))

    return virtual_time.run(walk())


def rows_of(pages):
    return list(itertools.chain.from_iterable(page["items"] for page in pages))


def in_fixed_order(case, rows):
    """The rows; those that are ranked page by page in the order of their IDs, and without their scores."""
    if str(case.spec.ref) not in RANKED_BY_PAGE:
        return rows
    leading = list(itertools.takewhile(lambda row: row["score"] >= LEADING_SCORE and row["match"] != "name", rows))
    ordered = [*leading, *sorted(rows[len(leading) :], key=lambda row: row["id"])]
    return [{name: value for name, value in row.items() if name != "score"} for row in ordered]


@holds("pages_to_the_end")
@each_case(PAGED)
def test_pages_of_two_are_the_whole_list_in_its_order(case):
    whole = rows_of(walked(case, LARGE))
    pages = walked(case, SMALL)

    assert whole
    assert in_fixed_order(case, rows_of(pages)) == in_fixed_order(case, whole)
    assert all(len(page["items"]) <= SMALL for page in pages)
    assert all(page["pagination"]["page_size"] == SMALL for page in pages)


@each_case(PAGED)
def test_no_row_comes_twice(case):
    rows = rows_of(walked(case, SMALL))

    assert [row for place, row in enumerate(rows) if row in rows[:place]] == []


@each_case(PAGED)
def test_totals_agree_with_the_rows_and_with_each_other(case):
    pages = walked(case, SMALL)
    whole = walked(case, LARGE)

    totals = {page["pagination"]["total_count"] for page in (*pages, *whole)} - {None}
    assert totals <= {len(rows_of(pages))}
    if len(whole) == 1:
        assert whole[0]["pagination"]["total_count"] == len(whole[0]["items"])


@each_case(PAGED)
def test_scores_of_a_search_never_rise(case):
    rows = rows_of(walked(case, SMALL))
    scores = [row["score"] for row in rows if "match" in row]

    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@each_case(PAGED)
def test_what_there_is_to_know_of_a_list_stands_on_its_first_page(case):
    first, *_ = walked(case, SMALL)
    whole, *_ = walked(case, LARGE)

    assert codes(first) - ABOUT_A_PAGE == codes(whole) - ABOUT_A_PAGE


@holds("pages_to_the_end")
@each_case(SIZED)
def test_a_short_list_is_the_head_of_the_long_one(case):
    async def scenario(size):
        async with sandboxed_client(case) as (client, _):
            return await answered(client, case.sized(size))

    first, whole = (virtual_time.run(scenario(size)) for size in (SMALL, LARGE))
    short, long = case.rows(first), case.rows(whole)

    assert len(short) == min(SMALL, len(long))
    assert short == long[:SMALL]
    assert first.get("total_results") == whole.get("total_results")
    assert whole.get("total_results", len(long)) == len(long)


@holds("pages_to_the_end")
@each_case(first_of_each_tool(PAGED))
def test_a_cursor_of_another_query_is_refused(case):
    own = [one.sized(1) for one in PAGED if one.spec.ref == case.spec.ref]

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            cursors = [(one, (await answered(client, one))["pagination"]["cursor"]) for one in own]
            pairs = [(cursor, other) for one, cursor in cursors if cursor for other in own if other != one]
            for cursor, other in pairs:
                with pytest.raises(AmbiguousQuery) as refusal:
                    await answered(client, other.given(cursor=cursor))
                assert refusal.value.invalid_input == cursor
                assert refusal.value.recovery.tool == other.spec.ref
            return len(pairs)

    assert virtual_time.run(scenario()) > 0


@each_case(first_of_each_tool(PAGED))
def test_a_damaged_cursor_is_refused(case):
    async def scenario():
        async with sandboxed_client(case) as (client, _):
            own = [one.sized(1) for one in PAGED if one.spec.ref == case.spec.ref]
            cursors = [(one, (await answered(client, one))["pagination"]["cursor"]) for one in own]
            one, cursor = next(pair for pair in cursors if pair[1])
            for damaged in (cursor[:-2], cursor[1:], f"{cursor[:-4]}AAAA", f"A{cursor[1:]}", "-"):
                with pytest.raises(AmbiguousQuery):
                    await answered(client, one.given(cursor=damaged))

    virtual_time.run(scenario())


@each_case(first_of_each_tool(PAGED))
def test_examples_of_a_tool_that_pages_find_enough_to_turn_the_page(case):
    own = [one for one in PAGED if one.spec.ref == case.spec.ref]

    assert max(len(rows_of(walked(one, LARGE))) for one in own) >= FEW
