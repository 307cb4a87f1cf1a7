"""Answers that are cut, of another type or empty: a failure of the service, and never an empty list."""

import dataclasses
import functools

import pytest

from biofact.sandbox import Fault
from tests import virtual_time
from tests.conformance.cases import (
    answered,
    each_case,
    first_from_services,
    outcome_of_damaged,
    sandboxed_client,
)
from tests.conformance.claims import holds
from tests.conformance.services import body_of

pytestmark = pytest.mark.quick

ASKING = first_from_services()


def cut(reply):
    """The first half, ended as if that were all."""
    body = body_of(reply)
    return dataclasses.replace(reply, body=body[: len(body) // 2])


def empty(reply):
    return dataclasses.replace(reply, body=b"")


def of_another_type(reply):
    """Well-formed JSON or XML that is no answer to anything."""
    body = body_of(reply).lstrip()
    other = b'["text", 1]' if body.startswith(b"{") else b'{"text": 1}' if body.startswith(b"[") else b"<other/>"
    return dataclasses.replace(reply, body=other)


def of_no_fields(reply):
    """An object, or a list of one, that has nothing of what was asked for."""
    is_list = body_of(reply).lstrip().startswith(b"[")
    return dataclasses.replace(reply, body=b'[{"text": 1}]' if is_list else b'{"text": 1}')


def null(reply):
    return dataclasses.replace(reply, body=b"null", content_type="application/json")


def text(reply):
    return dataclasses.replace(reply, body=b"Service temporarily unavailable", content_type="text/plain")


DAMAGES = (cut, empty, of_another_type, of_no_fields, null, text)


def failures(code, answer):
    """The codes of a call that failed, or of the entries of a batch that did."""
    entries = answer.get("items", [])
    return {code} if code != "found" else {entry["error"]["code"] for entry in entries if entry.get("success") is False}


@holds("partial_payloads_survive")
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@each_case(ASKING)
def test_a_damaged_answer_is_a_failure_of_the_service(case, damage):
    code, answer, requests = outcome_of_damaged(case, damage)

    assert failures(code, answer) == {"UPSTREAM_ERROR"}, answer
    assert requests > 0


async def asked(case, *faults):
    async with sandboxed_client(case) as (client, sandbox):
        sandbox.faults.set(*faults)
        return await answered(client, case), len(sandbox.requests)


@functools.cache
def untroubled(case):
    return virtual_time.run(asked(case))


@holds("partial_payloads_survive")
@pytest.mark.parametrize("kind", ["truncate", "short", "reset"])
@each_case(ASKING)
def test_an_answer_that_broke_off_is_asked_for_again(case, kind):
    answer, requests = untroubled(case)
    again, more = virtual_time.run(asked(case, Fault(kind, at=60)))

    assert without_times(again) == without_times(answer)
    assert more > requests


TIMES = {"search_metadata", "extraction_statistics", "retrieved_at"}


def without_times(answer):
    """An answer without when it came and how long it took."""
    if isinstance(answer, list):
        return [without_times(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    return {name: without_times(value) for name, value in answer.items() if name not in TIMES}
