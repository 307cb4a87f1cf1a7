"""Answers are as long as their caller can read, at the largest arguments too; cut rows follow behind the cursor.

The starter facts are few, so the callers here read less than a host does: what is true of their lists is true of longer
ones. Batches of 200 are held to what a host reads.
"""

import functools
import json
from contextlib import nullcontext

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.interfaces.mcp import calls
from biofact.interfaces.schemas import input_schema
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.conformance.cases import answer_of, cases, is_paged, pages_to_the_end, results, sandboxed_client
from tests.conformance.items import check_each, in_turn, split_cases, tools_of
from tests.conformance.test_pages import LARGE, RANKED_BY_PAGE, pages_of, rows_of
from tests.sandboxed import WHOLE
from tests.served import replies

pytestmark = pytest.mark.quick

SHORT_ANSWER, LONG_ANSWER = 2_600, 6_000
"""Characters that callers here read: enough for two or three rows and the fields beside them, or for some more."""
ROWS = ("page_size", "limit", "max_results")
MOST_ROWS = 1_000
MOST_ANSWERS = 4
"""The number of answers in which a caller reads a long list in the quick tier."""
BESIDE_ROWS = 2_000
"""Characters that a list leaves for what is no row."""
BATCH = 200
KINDS = ("genes", "transcripts", "variants", "regulatory_elements")
PAGED_CASES = cases(is_paged)
FEW_PAGED, _ = split_cases(PAGED_CASES, 3)
REGIONS = cases(lambda case: case.spec.ref.method == "search_region")


def of_caller(case, max_characters, walk):
    """The pages of a list for a caller who reads ``max_characters``; all, for None."""

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            with nullcontext() if max_characters is None else on_behalf_of(Caller(most_characters=max_characters)):
                return await walk(client, case)

    return virtual_time.run(scenario())


def is_cut(page):
    return any("rows of this page are shown" in notice["message"] for notice in page.get("notices", []))


def few_characters(case):
    """A number of characters for which a caller reads a list in several answers, and a long list in no more."""
    characters = len(text_of(rows_of(pages_of(case, LARGE))))
    return max(min(SHORT_ANSWER, BESIDE_ROWS + characters // 2), characters // MOST_ANSWERS)


def text_of(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@functools.cache
def cut(case, max_characters):
    """A list for a caller who reads ``max_characters``."""
    return of_caller(case.with_page_size(LARGE), max_characters, pages_to_the_end)


def in_order(case, pages):
    """The rows as texts; those that are ranked page by page without their scores and sorted."""
    rows = rows_of(pages)
    if str(case.spec.ref) not in RANKED_BY_PAGE:
        return rows
    return sorted(json.dumps({**row, "score": None}) for row in rows)


def assert_the_next_row_follows(case, max_characters):
    whole, pages = pages_of(case, LARGE), cut(case, max_characters)

    assert rows_of(pages) == rows_of(whole)
    assert {page["pagination"]["total_count"] for page in pages} == {
        page["pagination"]["total_count"] for page in whole
    }
    for page in pages:
        assert len(text_of(page)) <= max_characters or len(page["items"]) == 1
    assert len(pages) == len(whole) + sum(map(is_cut, pages))


def assert_smaller_pages_may_follow(case, max_characters, size):
    first, whole = cut(case, max_characters)[0], pages_of(case, LARGE)
    cursor = first["pagination"]["cursor"]
    if is_cut(first):
        rest = of_caller(case.with_page_size(size).with_arguments(cursor=cursor), max_characters, pages_to_the_end)

        assert all(len(page["items"]) <= size for page in rest)
        assert in_order(case, (first, *rest)) == in_order(case, whole)


@in_turn(FEW_PAGED)
def test_a_list_that_is_cut_continues_with_the_next_row_in_smaller_pages_too(case):
    max_characters = few_characters(case)
    remaining_rows = len(rows_of(pages_of(case, LARGE))) - len(cut(case, max_characters)[0]["items"])

    assert_the_next_row_follows(case, max_characters)
    assert_smaller_pages_may_follow(case, max_characters, max(1, remaining_rows // MOST_ANSWERS))


@pytest.mark.sweep
@in_turn(PAGED_CASES)
def test_a_list_that_is_cut_continues_row_by_row(case):
    assert_the_next_row_follows(case, SHORT_ANSWER)
    assert_smaller_pages_may_follow(case, SHORT_ANSWER, 1)


def test_some_list_of_every_source_that_has_lists_is_cut_here():
    cut_here = {case.source for case in FEW_PAGED if is_cut(cut(case, few_characters(case))[0])}

    too_short = {case.source for case in PAGED_CASES} - cut_here

    assert not too_short, "no example lists three rows, which can be cut: a wider query, or more starter rows"


async def regions_to_the_end(client, case):
    pages = [await answer_of(client, case)]
    while cursor := pages[-1].get("cursor"):
        pages.append(await answer_of(client, case.with_arguments(cursor=cursor)))
    return pages


@in_turn(*split_cases(REGIONS, 4), rest=pytest.mark.sweep)
def test_a_region_that_is_cut_continues_kind_by_kind(case):
    region_case = case.with_arguments(include=list(KINDS), limit=100)
    whole, cut = (of_caller(region_case, max_characters, regions_to_the_end) for max_characters in (None, SHORT_ANSWER))

    for kind in KINDS:
        assert [row for page in cut for row in page.get(kind) or []] == [
            row for page in whole for row in page.get(kind) or []
        ]
    assert len(cut) == len(whole) + sum(map(is_cut, cut))
    for page in cut:
        rows = sum(len(page.get(kind) or []) for kind in KINDS)
        assert len(text_of(page)) <= SHORT_ANSWER or rows <= 1


def largest(case):
    """The call with the most rows and all their parts, and batches of the largest size."""
    arguments = dict(case.arguments)
    for name, schema in input_schema(case.spec)["properties"].items():
        if name in ROWS:
            arguments[name] = min(schema["maximum"], MOST_ROWS)
        elif name == "include" and case.spec.ref.method == "search_region":
            arguments[name] = list(KINDS)
        elif name == "include":
            arguments[name] = ["all"]
        elif schema.get("maxItems") == BATCH and arguments.get(name):
            arguments[name] = (arguments[name] * BATCH)[:BATCH]
        elif name == "slim":
            arguments[name] = False
    return arguments


def is_batch(case):
    return any(isinstance(value, list) and len(value) == BATCH for value in largest(case).values())


def texts(cases):
    """The text of each answer at the largest arguments; its client has held it to the output schema."""

    return [
        reply.text for reply in replies(*((prefixed(case.spec.ref), largest(case)) for case in cases), timing=WHOLE)
    ]


def longest_of_each_tool(cases):
    """The case of each tool whose answer is the longest."""
    return [max(tool.cases, key=lambda case: len(results(case.source)[case].to_json())) for tool in tools_of(cases)]


@pytest.mark.parametrize(
    "choose", [longest_of_each_tool, pytest.param(list, marks=pytest.mark.sweep)], ids=["one a tool", "all"]
)
@pytest.mark.parametrize("source", sorted({case.source for case in cases(lambda case: True)}))
def test_no_answer_is_longer_than_its_caller_reads(source, choose, monkeypatch):
    monkeypatch.setattr(calls, "MOST_CHARACTERS", LONG_ANSWER)
    selected = choose(cases(lambda case: case.source == source and not is_batch(case)))

    lengths = {str(case): len(text) for case, text in zip(selected, texts(selected), strict=True)}
    assert {case: length for case, length in lengths.items() if length > LONG_ANSWER} == {}


@pytest.mark.parametrize("source", sorted({case.source for case in cases(is_batch)}))
def test_no_batch_is_longer_than_a_host_reads_and_every_row_is_in_its_place(source):
    batch_cases = cases(lambda case: case.source == source and is_batch(case))

    by_case = dict(zip(batch_cases, texts(batch_cases), strict=True))

    check_each(batch_cases, lambda case: assert_every_row_is_in_its_place(case, by_case[case]))


def assert_every_row_is_in_its_place(case, text):
    answer = json.loads(text)
    id_count = len(case.arguments[next(name for name, value in largest(case).items() if isinstance(value, list))])
    row_ids = [row.get("id", row.get("input", row.get("error"))) for row in answer["items"]]

    assert len(text) <= calls.MOST_CHARACTERS
    assert len(answer["items"]) == BATCH
    assert row_ids[id_count:] == row_ids[: BATCH - id_count]
