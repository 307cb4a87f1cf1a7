"""Absence: cached for ten minutes, so that no client repeats the request at once, and requested again afterwards."""

import asyncio
import dataclasses

import pytest

from tests import virtual_time
from tests.conformance.cases import (
    all_cases,
    cases,
    first_of_each_tool,
    id_list,
    outcome,
    outcome_of_damaged,
    sandboxed_client,
)
from tests.conformance.items import in_turn
from tests.conformance.services import body_of, changed, native, replacement_of, whole
from tests.conformance.test_damage import FOREIGN_404S
from tests.conformance.test_verification import KNOWN_CASES, kind, subject

pytestmark = pytest.mark.quick

MINUTE = 60.0
ABSENT = [case for case in all_cases() if case.example.outcome == "ENTITY_NOT_FOUND" and case.example.is_from_service]
BATCHES = first_of_each_tool(cases(lambda case: id_list(case) is not None))
KEPT_MINUTES = {"NCBIGene:544580": 24 * 60}
"""For how long an absence with more facts is cached: the record of a withdrawn gene."""
ABSENT_IDS = {"CHEMBL": "CHEMBL99999999", "ENSG0": "ENSG99999999999", "ENST0": "ENST99999999999", "rs": "rs9999999999"}
"""IDs of no entity, by the prefix of their kind."""


def unknown(text):
    """The service's spelling of an ID of the same kind that names nothing: as an example has it, if no number."""
    if native(text).isdigit():
        return "999999999"
    prefixed_ids = [absent_id for start, absent_id in ABSENT_IDS.items() if native(text).startswith(start)]
    natives = [native(subject(case)) for case in ABSENT if kind(subject(case)) == kind(text)]
    return [*prefixed_ids, *natives, "999999999"][0]


def can_be_hidden(case):
    return not case.spec.returns.listed and (native(subject(case)).isdigit() or not unknown(subject(case)).isdigit())


HIDDEN_CASES = first_of_each_tool(filter(can_be_hidden, KNOWN_CASES))


async def after(client, sandbox, case, minutes):
    """The outcome of the call some minutes later, and the number of requests."""
    await asyncio.sleep(minutes * MINUTE)
    before = len(sandbox.requests)
    return *await outcome(client, case), len(sandbox.requests) - before


@in_turn(ABSENT)
def test_absence_is_asked_for_again_after_ten_minutes(case):
    kept_minutes = KEPT_MINUTES.get(subject(case), 10)

    async def scenario():
        async with sandboxed_client(case) as (client, sandbox):
            return [await after(client, sandbox, case, minutes) for minutes in (0, 0, kept_minutes + 1)]

    first, second, third = virtual_time.run(scenario())

    assert {code for code, _, _ in (first, second, third)} == {"ENTITY_NOT_FOUND"}
    assert first[2] > second[2] == 0
    assert third[2] > 0


@in_turn(first_of_each_tool(ABSENT))
def test_a_404_of_a_proxy_is_no_absence(case):
    for damage in FOREIGN_404S:
        code, answer, _ = outcome_of_damaged(case, damage)

        assert code == "UPSTREAM_ERROR", (damage.__name__, answer)


@in_turn([*HIDDEN_CASES, *BATCHES])
def test_a_new_record_is_found_ten_minutes_later(case):
    """For ten minutes the service gets an unknown ID instead, and its answer is written as if to the requested one."""
    ids = [subject(case)] if case in HIDDEN_CASES else case.arguments[id_list(case)][:1]
    case = case if case in HIDDEN_CASES else case.with_arguments(**{id_list(case): ids})
    hide = replacement_of(whole(ids[0]), unknown(ids[0]))
    is_there = []

    async def scenario():
        stand_ins = changed(lambda ask: ask if is_there else hide(ask), lambda reply: with_unknown_id(reply, ids[0]))
        async with sandboxed_client(case, stand_ins=stand_ins) as (client, sandbox):
            before = await after(client, sandbox, case, 0)
            is_there.append(True)
            return before, await after(client, sandbox, case, 11)

    before, third = virtual_time.run(scenario())

    assert entry_code(before) == "ENTITY_NOT_FOUND"
    assert entry_code(third) == "found", third


def with_unknown_id(reply, text):
    """The reply with the unknown ID replaced by the requested one."""
    return dataclasses.replace(reply, body=body_of(reply).replace(unknown(text).encode(), native(text).encode()))


def entry_code(answer):
    """The outcome of a call, or of the only entry of a batch."""
    code, body, _ = answer
    entries = body.get("items", [{}])
    return entries[0]["error"]["code"] if entries[0].get("success") is False else code
