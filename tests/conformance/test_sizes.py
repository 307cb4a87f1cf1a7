"""Answers are as long as their caller can read, at the largest arguments too; what is cut is there behind the cursor.

The starter facts are few, so the callers here read less than a host does: what holds for their lists holds for longer
ones. Batches of 200 are held to what a host reads.
"""

import functools
import json
from contextlib import nullcontext

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.interfaces.mcp import caller
from biofact.interfaces.schemas import input_schema
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.conformance.cases import answered, cases, is_paged, pages_to_the_end, results, sandboxed_client
from tests.conformance.items import check_each, few_and_others, in_turn, tools_of
from tests.conformance.test_pages import FEW_PAGED, LARGE, RANKED_BY_PAGE, rows_of, walked
from tests.sandboxed import WHOLE
from tests.served import served

pytestmark = pytest.mark.quick

FEW, SOME = 2_600, 6_000
"""Characters that callers here read: two or three rows beside what stands beside them, or some more."""
ROWS = ("page_size", "limit", "max_results")
MOST_ROWS = 1_000
MOST_ANSWERS = 6
"""In how many a caller reads a long list in the quick tier."""
BATCH = 200
KINDS = ("genes", "transcripts", "variants", "regulatory_elements")
PAGED = cases(is_paged)
REGIONS = cases(lambda case: case.spec.ref.method == "search_region")


def of_caller(case, most, walk):
    """What a walk through the pages of a list gives a caller who reads so many characters; all, for None."""

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            with nullcontext() if most is None else on_behalf_of(Caller(most_characters=most)):
                return await walk(client, case)

    return virtual_time.run(scenario())


def is_cut(page):
    return any("rows of this page are shown" in notice["message"] for notice in page.get("notices", []))


def few_characters(case):
    """So many that a caller reads a list in several answers, of which a long one makes no more than others."""
    return max(FEW, len(text_of(rows_of(walked(case, LARGE)))) // MOST_ANSWERS)


def text_of(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@functools.cache
def cut(case, most):
    """A list as a caller gets it who reads so many characters."""
    return of_caller(case.sized(LARGE), most, pages_to_the_end)


def in_order(case, pages):
    """The rows as texts; those that are ranked page by page without their scores, in no order of theirs."""
    rows = rows_of(pages)
    if str(case.spec.ref) not in RANKED_BY_PAGE:
        return rows
    return sorted(json.dumps({**row, "score": None}) for row in rows)


def assert_the_next_row_follows(case, most):
    whole, pages = walked(case, LARGE), cut(case, most)

    assert rows_of(pages) == rows_of(whole)
    assert {page["pagination"]["total_count"] for page in pages} == {
        page["pagination"]["total_count"] for page in whole
    }
    for page in pages:
        assert len(text_of(page)) <= most or len(page["items"]) == 1
    assert len(pages) == len(whole) + sum(map(is_cut, pages))


def assert_smaller_pages_may_follow(case, most, size):
    first, whole = cut(case, most)[0], walked(case, LARGE)
    cursor = first["pagination"]["cursor"]
    if is_cut(first):
        rest = of_caller(case.sized(size).given(cursor=cursor), most, pages_to_the_end)

        assert all(len(page["items"]) <= size for page in rest)
        assert in_order(case, (first, *rest)) == in_order(case, whole)


@in_turn(FEW_PAGED)
def test_a_list_that_is_cut_goes_on_with_the_next_row_in_smaller_pages_too(case):
    most = few_characters(case)
    left = len(rows_of(walked(case, LARGE))) - len(cut(case, most)[0]["items"])

    assert_the_next_row_follows(case, most)
    assert_smaller_pages_may_follow(case, most, max(1, left // MOST_ANSWERS))


@pytest.mark.sweep
@in_turn(PAGED)
def test_a_list_that_is_cut_goes_on_row_by_row(case):
    assert_the_next_row_follows(case, FEW)
    assert_smaller_pages_may_follow(case, FEW, 1)


def test_some_list_of_every_source_that_has_lists_is_cut_here():
    cut_here = {case.source for case in FEW_PAGED if is_cut(cut(case, few_characters(case))[0])}

    assert cut_here == {case.source for case in PAGED}


async def regions_to_the_end(client, case):
    pages = [await answered(client, case)]
    while cursor := pages[-1].get("cursor"):
        pages.append(await answered(client, case.given(cursor=cursor)))
    return pages


@in_turn(*few_and_others(REGIONS, 4), rest=pytest.mark.sweep)
def test_a_region_that_is_cut_goes_on_kind_by_kind(case):
    asked = case.given(include=list(KINDS), limit=100)
    whole, cut = (of_caller(asked, most, regions_to_the_end) for most in (None, FEW))

    for kind in KINDS:
        assert [row for page in cut for row in page.get(kind) or []] == [
            row for page in whole for row in page.get(kind) or []
        ]
    assert len(cut) == len(whole) + sum(map(is_cut, cut))
    for page in cut:
        rows = sum(len(page.get(kind) or []) for kind in KINDS)
        assert len(text_of(page)) <= FEW or rows <= 1


def largest(case):
    """The call with the most rows, all that each can tell, and batches as long as they may be."""
    given = dict(case.arguments)
    for name, schema in input_schema(case.spec)["properties"].items():
        if name in ROWS:
            given[name] = min(schema["maximum"], MOST_ROWS)
        elif name == "include" and case.spec.ref.method == "search_region":
            given[name] = list(KINDS)
        elif name == "include":
            given[name] = ["all"]
        elif schema.get("maxItems") == BATCH and given.get(name):
            given[name] = (given[name] * BATCH)[:BATCH]
        elif name == "slim":
            given[name] = False
    return given


def is_batch(case):
    return any(isinstance(value, list) and len(value) == BATCH for value in largest(case).values())


def texts(chosen):
    """The text of each answer at the largest arguments; its client has held it to the output schema."""

    async def scenario():
        async with served(timing=WHOLE) as gateway:
            return [(await gateway.call(prefixed(case.spec.ref), largest(case))).text for case in chosen]

    return virtual_time.run(scenario())


def longest_of_each_tool(several):
    """The case of each tool whose answer is the longest."""
    return [max(tool.cases, key=lambda case: len(results(case.source)[case].to_json())) for tool in tools_of(several)]


@pytest.mark.parametrize(
    "choose", [longest_of_each_tool, pytest.param(list, marks=pytest.mark.sweep)], ids=["one a tool", "all"]
)
@pytest.mark.parametrize("source", sorted({case.source for case in cases(lambda case: True)}))
def test_no_answer_is_longer_than_its_caller_reads(source, choose, monkeypatch):
    monkeypatch.setattr(caller, "MOST_CHARACTERS", SOME)
    chosen = choose(cases(lambda case: case.source == source and not is_batch(case)))

    lengths = {str(case): len(text) for case, text in zip(chosen, texts(chosen), strict=True)}
    assert {case: length for case, length in lengths.items() if length > SOME} == {}


@pytest.mark.parametrize("source", sorted({case.source for case in cases(is_batch)}))
def test_no_batch_is_longer_than_a_host_reads_and_every_row_is_in_its_place(source):
    chosen = cases(lambda case: case.source == source and is_batch(case))

    by_case = dict(zip(chosen, texts(chosen), strict=True))

    check_each(chosen, lambda case: assert_every_row_is_in_its_place(case, by_case[case]))


def assert_every_row_is_in_its_place(case, text):
    answer = json.loads(text)
    few = len(case.arguments[next(name for name, value in largest(case).items() if isinstance(value, list))])
    named = [row.get("id", row.get("input", row.get("error"))) for row in answer["items"]]

    assert len(text) <= caller.MOST_CHARACTERS
    assert len(answer["items"]) == BATCH
    assert named[few:] == named[: BATCH - few]
