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
    found,
    has_slim,
    id_list,
    sandboxed_client,
)
from tests.conformance.claims import done, holds, quality
from tests.conformance.items import few_and_others, in_turn

pytestmark = pytest.mark.quick

TOKENS = openai.o200k_base()
MOST_TOKENS = 35
EXEMPT_TOKENS = {"chembl": 52, "ensembl": 40, "entrez": 40, "pubmed": 61}
"""What a short row may cost where ``quality.toml`` says why it may cost more."""
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
FEW = 3


def records(case, *, slim):
    """The rows of a call in one form, the failures of a batch left out."""

    async def scenario():
        async with sandboxed_client(case) as (client, _):
            return await found(client, case.given(slim=slim))

    result = virtual_time.run(scenario())
    rows = getattr(result, result.listed) if result.listed else [result]
    return [row for row in rows if hasattr(row, "slim_fields")]


@holds("slim_within_token_budget")
@in_turn(*few_and_others(SLIM), rest=pytest.mark.sweep)
def test_a_short_row_keeps_the_fields_of_its_short_form_and_no_others_and_costs_an_agent_little(case):
    short, whole = records(case, slim=True), records(case, slim=False)

    assert short
    for one, full in zip(short, whole, strict=True):
        kept = one.model_dump(exclude={"notices", "replaces"})
        assert set(kept) <= set(type(one).slim_fields)
        assert kept == {name: value for name, value in full.model_dump().items() if name in kept}
        assert set(full.model_dump(exclude={"notices"})) > set(kept), "nothing to shorten: the tool needs no `slim`"
    assert max(TOKENS.count(row.model_dump_json(exclude={"notices"})) for row in short) <= most_tokens(case.source)


def most_tokens(source):
    """What a short row of a source may cost."""
    is_claimed = "slim_within_token_budget" in done(source)
    return MOST_TOKENS if is_claimed else EXEMPT_TOKENS.get(source, max(EXEMPT_TOKENS.values()))


def asked_with(case, ids):
    """A batch of these IDs: the entries as they stand on the wire, and how many requests it took; asked once."""
    return _asked_with(case, tuple(ids))


@functools.cache
def _asked_with(case, ids):
    async def scenario():
        async with sandboxed_client(case) as (client, sandbox):
            result = await found(client, case.given(**{id_list(case): [*ids]}))
            return json.loads(result.model_dump_json())["items"], len(sandbox.requests)

    return virtual_time.run(scenario())


@in_turn(BATCHES)
def test_the_example_of_a_batch_has_enough_ids_to_see_their_order(case):
    entries, _ = asked_with(case, case.arguments[id_list(case)])

    assert len({entry["id"] for entry in entries}) >= FEW


@in_turn(BATCHES)
def test_a_batch_answers_in_the_order_asked_and_keeps_doubles(case):
    ids = case.arguments[id_list(case)]
    entries, _ = asked_with(case, ids)
    alone = [asked_with(case, [one])[0][0] for one in ids]

    assert entries == alone
    assert asked_with(case, [*reversed(ids), *ids, ids[0]])[0] == [*reversed(alone), *alone, alone[0]]


@in_turn(BATCHES)
def test_an_id_that_fails_costs_the_others_nothing_and_is_named_in_its_place(case):
    first, *others = case.arguments[id_list(case)]
    entries, _ = asked_with(case, [first, "no such ID", *others])

    one, wrong, *further = entries
    assert [one, *further] == asked_with(case, [first, *others])[0]
    assert wrong["success"] is False
    assert (wrong["error"]["code"], wrong["error"]["invalid_input"]) == ("UNRESOLVED_ENTITY", "no such ID")


@holds("batch_without_n_plus_1")
@in_turn(WHOLE_BATCHES)
def test_a_batch_takes_no_more_requests_than_one_of_its_ids(case):
    ids = case.arguments[id_list(case)]

    assert asked_with(case, ids)[1] == asked_with(case, ids[:1])[1]


@in_turn(SLIM_BATCHES)
def test_a_short_batch_takes_no_more_requests_than_one_of_its_ids(case):
    ids = case.arguments[id_list(case)]

    assert asked_with(case.given(slim=True), ids)[1] == asked_with(case.given(slim=True), ids[:1])[1] == 1


@in_turn(BATCHES)
def test_a_batch_of_nothing_or_too_much_is_refused(case):
    async def scenario(ids):
        async with sandboxed_client(case) as (client, sandbox):
            try:
                await found(client, case.given(**{id_list(case): ids}))
            except AmbiguousQuery:
                return len(sandbox.requests)
            return None

    one = case.arguments[id_list(case)][0]
    assert [virtual_time.run(scenario(ids)) for ids in ([], [one] * 201)] == [0, 0]
