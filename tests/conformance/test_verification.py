"""A service that answers with another entity than requested: its answer is never taken for the requested one."""

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
from tests.conformance.claims import exempt, holds
from tests.conformance.items import in_turn
from tests.conformance.services import body_of, changed, native, replacement_of, whole
from tests.sandboxed import LIFE

pytestmark = pytest.mark.quick

FILING_SOURCES = {"ensembl", "entrez"}
"""Sources whose services file short records under their IDs; elsewhere only the record names itself."""
REFUSAL_CODES = {"UPSTREAM_ERROR", "ENTITY_NOT_FOUND"}


def subject(case):
    """The ID in a call, as it wrote it; empty if it has none, or names the entity in words."""
    first = case.spec.parameters[0]
    is_id = first.is_required and not first.is_list and (first.id_kind or first.name in {"id", "entity_id"})
    argument = case.arguments[first.name] if is_id else ""
    return argument if any(sign.isdigit() for sign in argument) else ""


def kind(text):
    """The form of an ID without its number: IDs of one kind differ in their numbers only."""
    return re.sub(r"[0-9]+", "0", native(text))


def other_subjects(case, entity_id):
    """The first ID of the same kind in the examples of the source that names another entity; None if there is none."""
    single_subjects = [subject(known_case) for known_case in KNOWN_CASES if known_case.source == case.source]
    batches = [
        batch_id for batch in BATCHES if batch.source == case.source for batch_id in batch.arguments[id_list(batch)]
    ]
    return [
        subject_id
        for subject_id in (*single_subjects, *batches)
        if kind(subject_id) == kind(entity_id) and native(subject_id) != native(entity_id)
    ][:1]


KNOWN_CASES = cases(lambda case: bool(subject(case)))
BATCHES = first_of_each_tool(cases(lambda case: id_list(case) is not None))
RECORDS = [case for case in KNOWN_CASES if not case.spec.returns.listed and other_subjects(case, subject(case))]
SUBJECT_CLAIM = "rows_name_their_subject"
LISTS = [
    case
    for case in KNOWN_CASES
    if is_paged(case) and other_subjects(case, subject(case)) and SUBJECT_CLAIM not in exempt(case.source)
]


async def asked_of_a_liar(case, requested_id, answered_id):
    """The outcome of a call when the service gets another ID."""
    lie = changed(replacement_of(whole(requested_id), native(answered_id)))
    # Within the time of a call: a lie is asked about again and again.
    async with sandboxed_client(case, stand_ins=lie, timing=LIFE) as (client, _):
        return await outcome(client, case)


@in_turn(RECORDS)
def test_a_record_of_another_entity_is_not_believed(case):
    (other,) = other_subjects(case, subject(case))
    code, answer = virtual_time.run(asked_of_a_liar(case, subject(case), other))

    assert code in REFUSAL_CODES, answer


def filed_under(requested_id, native_id):
    """Replies in which the facts of one ID stand under another, as in a table with its rows shifted."""

    def with_requested_id(value):
        if isinstance(value, list):
            return [requested_id if item == native_id else with_requested_id(item) for item in value]
        if isinstance(value, dict):
            return {
                requested_id if name == native_id else name: with_requested_id(item) for name, item in value.items()
            }
        return value

    def damage(reply):
        if not reply.content_type.startswith("application/json"):
            return reply
        return dataclasses.replace(reply, body=json.dumps(with_requested_id(json.loads(body_of(reply)))).encode())

    return damage


def has_short_form(case):
    """Whether the tool has a short form."""
    return any(parameter.name == "slim" for parameter in case.spec.parameters)


@in_turn([case for case in RECORDS if case.source in FILING_SOURCES])
def test_a_record_filed_under_the_id_of_another_is_not_believed(case):
    (other,) = other_subjects(case, subject(case))
    requested_native, native_id = native(subject(case)), native(other)
    lie = changed(replacement_of(whole(subject(case)), native_id), filed_under(requested_native, native_id))

    async def scenario(form):
        async with sandboxed_client(form, stand_ins=lie) as (client, _):
            return await outcome(client, form)

    for form in {case, case.with_arguments(slim=True) if has_short_form(case) else case}:
        code, answer = virtual_time.run(scenario(form))

        assert code in REFUSAL_CODES, (form, answer)


@in_turn(BATCHES)
def test_a_record_of_another_entity_is_not_believed_in_a_batch(case):
    requested_id, other, *_ = case.arguments[id_list(case)]
    lying_case = case.with_arguments(**{id_list(case): [requested_id]})
    code, answer = virtual_time.run(asked_of_a_liar(lying_case, requested_id, other))

    assert code == "found"
    (entry,) = answer["items"]
    assert entry.get("success") is False, entry
    assert entry["error"]["code"] in REFUSAL_CODES


@holds(SUBJECT_CLAIM)
@in_turn(LISTS)
def test_rows_about_another_entity_are_not_shown(case):
    (other,) = other_subjects(case, subject(case))

    async def honest():
        async with sandboxed_client(case) as (client, _):
            return await outcome(client, case.with_page_size(100))

    _, answer = virtual_time.run(honest())
    code, lie = virtual_time.run(asked_of_a_liar(case.with_page_size(100), subject(case), other))

    assert code in REFUSAL_CODES or [row for row in lie["items"] if row not in answer["items"]] == [], (
        f"rows of {other} were taken for those of {subject(case)}: check what they name in parse, "
        f"or, where they name nothing, say why in quality.toml: {SUBJECT_CLAIM} = 'exempt: ...'"
    )
