"""A service that answers with another entity than asked for: it is never believed, nor taken for what was asked."""

import dataclasses
import json
import re

import pytest

from tests import virtual_time
from tests.conformance.cases import (
    cases,
    first_of_each_tool,
    id_list,
    is_paged,
    outcome,
    sandboxed_client,
)
from tests.conformance.items import in_turn
from tests.conformance.services import body_of, changed, native, replacing, whole
from tests.sandboxed import LIFE

pytestmark = pytest.mark.quick

FILED = {"ensembl", "entrez"}
"""Sources whose services file short records under their IDs; elsewhere a record names itself alone."""
REFUSED = {"UPSTREAM_ERROR", "ENTITY_NOT_FOUND"}


def subject(case):
    """The ID that a call is about, as it wrote it; empty where it is about none, or names it in words."""
    first = case.spec.parameters[0]
    is_id = first.is_required and not first.is_list and (first.id_kind or first.name in {"id", "entity_id"})
    written = case.arguments[first.name] if is_id else ""
    return written if any(sign.isdigit() for sign in written) else ""


def kind(written):
    """IDs of one kind differ in their numbers only."""
    return re.sub(r"[0-9]+", "0", native(written))


def others(case, asked):
    """The first ID of the same kind in the examples of the source, that names another entity; none if there is none."""
    several = [subject(one) for one in KNOWN if one.source == case.source]
    batches = [one for batch in BATCHES if batch.source == case.source for one in batch.arguments[id_list(batch)]]
    return [one for one in (*several, *batches) if kind(one) == kind(asked) and native(one) != native(asked)][:1]


KNOWN = cases(lambda case: bool(subject(case)))
BATCHES = first_of_each_tool(cases(lambda case: id_list(case) is not None))
RECORDS = [case for case in KNOWN if not case.spec.returns.listed and others(case, subject(case))]
LISTS = [case for case in KNOWN if is_paged(case) and others(case, subject(case))]


async def asked_of_a_liar(case, asked, answered):
    """What comes of a call when the service hears one ID for another."""
    lie = changed(replacing(whole(asked), native(answered)))
    # Within the time of a call: a lie is asked about again and again.
    async with sandboxed_client(case, stand_ins=lie, timing=LIFE) as (client, _):
        return await outcome(client, case)


@in_turn(RECORDS)
def test_a_record_of_another_entity_is_not_believed(case):
    (other,) = others(case, subject(case))
    code, answer = virtual_time.run(asked_of_a_liar(case, subject(case), other))

    assert code in REFUSED, answer


def filed_under(asked, sent):
    """Replies in which what belongs to one ID stands under another, as in a table with its rows shifted."""

    def shifted(value):
        if isinstance(value, list):
            return [asked if one == sent else shifted(one) for one in value]
        if isinstance(value, dict):
            return {asked if name == sent else name: shifted(one) for name, one in value.items()}
        return value

    def damage(reply):
        if not reply.content_type.startswith("application/json"):
            return reply
        return dataclasses.replace(reply, body=json.dumps(shifted(json.loads(body_of(reply)))).encode())

    return damage


def has_short_form(case):
    """The tool answers in one request for each ID: with ``slim``, where it has that."""
    return any(parameter.name == "slim" for parameter in case.spec.parameters)


@in_turn([case for case in RECORDS if case.source in FILED])
def test_a_record_filed_under_the_id_of_another_is_not_believed(case):
    (other,) = others(case, subject(case))
    asked, sent = native(subject(case)), native(other)
    lie = changed(replacing(whole(subject(case)), sent), filed_under(asked, sent))

    async def scenario():
        async with sandboxed_client(case, stand_ins=lie) as (client, _):
            return await outcome(client, case.given(slim=True) if has_short_form(case) else case)

    code, answer = virtual_time.run(scenario())

    assert code in REFUSED, answer


@in_turn(BATCHES)
def test_a_record_of_another_entity_is_not_believed_in_a_batch(case):
    asked, other, *_ = case.arguments[id_list(case)]
    lying = case.given(**{id_list(case): [asked]})
    code, answer = virtual_time.run(asked_of_a_liar(lying, asked, other))

    assert code == "found"
    (entry,) = answer["items"]
    assert entry.get("success") is False, entry
    assert entry["error"]["code"] in REFUSED


@in_turn(LISTS)
def test_rows_about_another_entity_are_not_shown(case):
    (other,) = others(case, subject(case))

    async def honest():
        async with sandboxed_client(case) as (client, _):
            return await outcome(client, case.sized(100))

    _, answer = virtual_time.run(honest())
    code, lie = virtual_time.run(asked_of_a_liar(case.sized(100), subject(case), other))

    assert code in REFUSED or [row for row in lie["items"] if row not in answer["items"]] == []
