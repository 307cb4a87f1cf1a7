"""Answers are as long as their caller can read, at the largest arguments too; what is cut is there behind the cursor.

The starter facts are few, so the callers here read less than a host does: what holds for their lists holds for longer
ones. Batches of 200 are held to what a host reads.
"""

import json
from contextlib import nullcontext

import pytest

from biofact.core.call import Caller, made_by
from biofact.interfaces.mcp import caller
from biofact.interfaces.schemas import input_schema
from biofact.interfaces.spelling import prefixed
from tests import virtual_time
from tests.conformance.cases import answered, cases, each_case, is_paged, pages_to_the_end, sandboxed_client
from tests.conformance.test_pages import RANKED_BY_PAGE
from tests.sandboxed import WHOLE
from tests.served import served

pytestmark = pytest.mark.quick

FEW, SOME = 2_600, 6_000
"""Characters that callers here read: two or three rows beside what stands beside them, or some more."""
ROWS = ("page_size", "limit", "max_results")
MOST_ROWS = 1_000
BATCH = 200
KINDS = ("genes", "transcripts", "variants", "regulatory_elements")
PAGED = cases(is_paged)
REGIONS = cases(lambda case: case.spec.ref.method == "search_region")


def of_caller(case, most, walk):
    """What a walk through the pages of a list gives a caller who reads so many characters; all, for None."""

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            with nullcontext() if most is None else made_by(Caller(most_characters=most)):
                return await walk(client, case)

    return virtual_time.run(scenario())


def is_cut(page):
    return any("rows of this page are shown" in notice["message"] for notice in page.get("notices", []))


@each_case(PAGED)
def test_a_list_that_is_cut_goes_on_with_the_next_row(case):
    whole = of_caller(case.sized(100), None, pages_to_the_end)
    cut = of_caller(case.sized(100), FEW, pages_to_the_end)

    assert [row for page in cut for row in page["items"]] == [row for page in whole for row in page["items"]]
    assert {page["pagination"]["total_count"] for page in cut} == {page["pagination"]["total_count"] for page in whole}
    for page in cut:
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= FEW or len(page["items"]) == 1
    assert len(cut) == len(whole) + sum(map(is_cut, cut))


def in_order(case, pages):
    """The rows as texts; those that are ranked page by page without their scores, in no order of theirs."""
    rows = [row for page in pages for row in page["items"]]
    if str(case.spec.ref) not in RANKED_BY_PAGE:
        return rows
    return sorted(json.dumps({**row, "score": None}) for row in rows)


@each_case(PAGED)
def test_a_cut_list_may_go_on_with_smaller_pages(case):
    async def then_one_by_one(client, paged):
        first = await answered(client, paged)
        cursor = first["pagination"]["cursor"]
        rest = await pages_to_the_end(client, paged.sized(1).given(cursor=cursor)) if cursor else []
        return [first, *rest]

    whole = of_caller(case.sized(100), None, pages_to_the_end)
    first, *rest = of_caller(case.sized(100), FEW, then_one_by_one)

    if is_cut(first):
        assert all(len(page["items"]) <= 1 for page in rest)
        assert in_order(case, (first, *rest)) == in_order(case, whole)


def test_some_list_of_every_source_that_has_lists_is_cut_here():
    sources = {case.source for case in PAGED}

    def cuts(source):
        return (is_cut(of_caller(case.sized(100), FEW, answered)) for case in PAGED if case.source == source)

    assert {source for source in sources if any(cuts(source))} == sources


async def regions_to_the_end(client, case):
    pages = [await answered(client, case)]
    while cursor := pages[-1].get("cursor"):
        pages.append(await answered(client, case.given(cursor=cursor)))
    return pages


@each_case(REGIONS)
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
        assert len(json.dumps(page, ensure_ascii=False, separators=(",", ":"))) <= FEW or rows <= 1


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


@pytest.mark.parametrize("source", sorted({case.source for case in cases(lambda case: True)}))
def test_no_answer_is_longer_than_its_caller_reads(source, monkeypatch):
    monkeypatch.setattr(caller, "MOST_CHARACTERS", SOME)
    chosen = cases(lambda case: case.source == source and not is_batch(case))

    for case, text in zip(chosen, texts(chosen), strict=True):
        assert len(text) <= SOME, case


@pytest.mark.parametrize("source", sorted({case.source for case in cases(is_batch)}))
def test_no_batch_is_longer_than_a_host_reads_and_every_row_is_in_its_place(source):
    chosen = cases(lambda case: case.source == source and is_batch(case))

    for case, text in zip(chosen, texts(chosen), strict=True):
        answer = json.loads(text)
        assert len(text) <= caller.MOST_CHARACTERS, case
        assert len(answer["items"]) == BATCH
        few = len(case.arguments[next(name for name, value in largest(case).items() if isinstance(value, list))])
        named = [row.get("id", row.get("input", row.get("error"))) for row in answer["items"]]
        assert named[few:] == named[: BATCH - few]
