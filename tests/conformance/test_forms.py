"""Short forms and batches: the same record in each, only shorter; a batch keeps order, doubles and failures."""

import functools
import json

import pytest
from rs_bpe.bpe import openai

from biofact.core.errors import AmbiguousQuery
from tests import virtual_time
from tests.conformance.cases import (
    cases,
    first_of_each_tool,
    has_slim,
    id_list,
    result_of,
    sandboxed_client,
)
from tests.conformance.claims import done, holds, quality
from tests.conformance.items import in_turn, split_cases

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
MOST_TOKENS = 35
EXEMPT_TOKENS = {"chembl": 52, "ensembl": 40, "entrez": 40, "pubmed": 61}
"""The token budget of a short row for sources with a reason in ``quality.toml``."""
SLIM = cases(has_slim)
BATCHES = first_of_each_tool(cases(lambda case: id_list(case) is not None))
ONE_AT_A_TIME = "exempt: the service takes one ID a request"
"""Why a batch may cost a request for each ID, even a short one."""
SLIM_BATCHES = [
    case
    for case in BATCHES
    if has_slim(case) and quality(case.source)["silver"]["batch_without_n_plus_1"] != ONE_AT_A_TIME
]
WHOLE_BATCHES = [case for case in BATCHES if "batch_without_n_plus_1" in done(case.source)]
MINIMUM = 3


def records(case, *, slim):
    """The rows of a call in one form, without the failures of a batch."""

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            return await result_of(client, case.with_arguments(slim=slim))

    result = virtual_time.run(scenario())
    rows = getattr(result, result.listed) if result.listed else [result]
    return [row for row in rows if hasattr(row, "slim_fields")]


@holds("slim_within_token_budget")
@in_turn(*split_cases(SLIM), rest=pytest.mark.sweep)
def test_a_short_row_keeps_the_fields_of_its_short_form_and_no_others_and_costs_an_agent_little(case):
    short, whole = records(case, slim=True), records(case, slim=False)

    assert short
    for short_row, full in zip(short, whole, strict=True):
        fields = short_row.model_dump(exclude={"notices", "replaces"})
        assert set(fields) <= set(type(short_row).slim_fields)
        assert fields == {name: value for name, value in full.model_dump().items() if name in fields}
        assert set(full.model_dump(exclude={"notices"})) > set(fields), "nothing to shorten: the tool needs no `slim`"
    assert max(TOKENS.count(row.model_dump_json(exclude={"notices"})) for row in short) <= most_tokens(case.source)


def most_tokens(source):
    """The token budget of a short row of a source."""
    is_claimed = "slim_within_token_budget" in done(source)
    return MOST_TOKENS if is_claimed else EXEMPT_TOKENS.get(source, max(EXEMPT_TOKENS.values()))


def call_with_ids(case, ids):
    """A batch of these IDs: the entries on the wire, and the number of requests; computed once."""
    return _call_with_ids(case, tuple(ids))


@functools.cache
def _call_with_ids(case, ids):
    async def scenario():
        async with sandboxed_client(case) as (client, sandbox):
            result = await result_of(client, case.with_arguments(**{id_list(case): [*ids]}))
            return json.loads(result.model_dump_json())["items"], len(sandbox.requests)

    return virtual_time.run(scenario())


@in_turn(BATCHES)
def test_the_example_of_a_batch_has_enough_ids_to_see_their_order(case):
    entries, _ = call_with_ids(case, case.arguments[id_list(case)])

    assert len({entry["id"] for entry in entries}) >= MINIMUM


@in_turn(BATCHES)
def test_a_batch_answers_in_the_order_asked_and_keeps_doubles(case):
    ids = case.arguments[id_list(case)]
    entries, _ = call_with_ids(case, ids)
    single_rows = [call_with_ids(case, [row_id])[0][0] for row_id in ids]

    assert entries == single_rows
    assert call_with_ids(case, [*reversed(ids), *ids, ids[0]])[0] == [
        *reversed(single_rows),
        *single_rows,
        single_rows[0],
    ]


@in_turn(BATCHES)
def test_an_id_that_fails_costs_the_others_nothing_and_is_named_in_its_place(case):
    first, *ids = case.arguments[id_list(case)]
    entries, _ = call_with_ids(case, [first, "no such ID", *ids])

    first_row, wrong, *other_rows = entries
    assert [first_row, *other_rows] == call_with_ids(case, [first, *ids])[0]
    assert wrong["success"] is False
    assert (wrong["error"]["code"], wrong["error"]["invalid_input"]) == ("UNRESOLVED_ENTITY", "no such ID")


@holds("batch_without_n_plus_1")
@in_turn(WHOLE_BATCHES)
def test_a_batch_takes_no_more_requests_than_one_of_its_ids(case):
    ids = case.arguments[id_list(case)]

    assert call_with_ids(case, ids)[1] == call_with_ids(case, ids[:1])[1]


@in_turn(SLIM_BATCHES)
def test_a_short_batch_takes_no_more_requests_than_one_of_its_ids(case):
    ids = case.arguments[id_list(case)]

    assert (
        call_with_ids(case.with_arguments(slim=True), ids)[1]
        == call_with_ids(case.with_arguments(slim=True), ids[:1])[1]
        == 1
    )


@in_turn(BATCHES)
def test_a_batch_of_nothing_or_too_much_is_refused(case):
    async def scenario(ids):
        async with sandboxed_client(case) as (client, sandbox):
            try:
                await result_of(client, case.with_arguments(**{id_list(case): ids}))
            except AmbiguousQuery:
                return len(sandbox.requests)
            return None

    first_id = case.arguments[id_list(case)][0]
    assert [virtual_time.run(scenario(ids)) for ids in ([], [first_id] * 201)] == [0, 0]
