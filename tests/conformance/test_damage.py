"""Answers that are cut, of another type or empty: a failure of the service, and never an empty list."""

import dataclasses

import pytest

from biofact.sandbox import Fault
from tests import virtual_time
from tests.conformance.cases import first_from_services, outcome_and_requests, outcome_of_damaged, undisturbed_outcome
from tests.conformance.claims import holds
from tests.conformance.items import with_kinds
from tests.conformance.services import body_of

pytestmark = pytest.mark.quick

CASES = first_from_services()


def cut(reply):
    """The first half as a complete body."""
    body = body_of(reply)
    return dataclasses.replace(reply, body=body[: len(body) // 2])


def empty(reply):
    return dataclasses.replace(reply, body=b"")


def of_another_type(reply):
    """Well-formed JSON or XML that answers no request."""
    body = body_of(reply).lstrip()
    other = b'["text", 1]' if body.startswith(b"{") else b'{"text": 1}' if body.startswith(b"[") else b"<other/>"
    return dataclasses.replace(reply, body=other)


def of_no_fields(reply):
    """An object, or a list of one, without any requested field."""
    is_list = body_of(reply).lstrip().startswith(b"[")
    return dataclasses.replace(reply, body=b'[{"text": 1}]' if is_list else b'{"text": 1}')


def null(reply):
    return dataclasses.replace(reply, body=b"null", content_type="application/json")


def text(reply):
    return dataclasses.replace(reply, body=b"Service temporarily unavailable", content_type="text/plain")


def page_of_a_proxy(reply):
    return dataclasses.replace(reply, status=404, body=b"<html>Not Found</html>", content_type="text/html")


def text_of_a_proxy(reply):
    return dataclasses.replace(reply, status=404, body=b"404 page not found", content_type="text/plain")


FOREIGN_404S = (page_of_a_proxy, text_of_a_proxy)
"""A 404 that is not the service's own: it does not say that there is no such record."""
DAMAGES = {damage.__name__: damage for damage in (cut, empty, of_another_type, of_no_fields, null, text, *FOREIGN_404S)}
BREAKS = {kind: Fault(kind, at=60) for kind in ("truncate", "short", "reset")}


def failures(code, answer):
    """The codes of a call that failed, or of the entries of a batch that did."""
    entries = answer.get("items", [])
    return {code} if code != "found" else {entry["error"]["code"] for entry in entries if entry.get("success") is False}


@holds("partial_payloads_survive")
@with_kinds(CASES, DAMAGES, minimum=1, rest=pytest.mark.sweep, fixed_kinds=["cut"])
def test_a_damaged_answer_is_a_failure_of_the_service(case, damage):
    code, answer, requests = outcome_of_damaged(case, damage)

    assert failures(code, answer) == {"UPSTREAM_ERROR"}, answer
    assert requests > 0


@holds("partial_payloads_survive")
@with_kinds(CASES, BREAKS, minimum=1, rest=pytest.mark.sweep, fixed_kinds=["truncate"])
def test_an_answer_that_broke_off_is_asked_for_again(case, fault):
    (code, answer), requests = undisturbed_outcome(case)
    (second_code, second_answer), second_requests = virtual_time.run(outcome_and_requests(case, fault))

    assert (second_code, code) == ("found", "found")
    assert without_times(second_answer) == without_times(answer)
    assert len(second_requests) > requests


TIMES = {"search_metadata", "extraction_statistics", "retrieved_at"}


def without_times(answer):
    """An answer without its time and duration."""
    if isinstance(answer, list):
        return [without_times(item) for item in answer]
    if not isinstance(answer, dict):
        return answer
    return {name: without_times(value) for name, value in answer.items() if name not in TIMES}
