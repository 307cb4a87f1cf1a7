"""Answers in another shape than promised: each value is true or absent, and a renamed field is no empty list."""

import dataclasses
import functools
import json
import re

import pytest

from tests.conformance.cases import first_from_services, outcome_of_damaged
from tests.conformance.claims import holds
from tests.conformance.items import in_turn, with_kinds
from tests.conformance.services import body_of, native

pytestmark = pytest.mark.quick

CASES = first_from_services()
OF_ASSERTIONS = {"verdict", "cause", "points_back", "url", "retrieved_at"}
NOT_FACTS = {
    "notices",
    "pagination",
    "search_metadata",
    "collection",
    "score",
    "match",
    "listed",
    "reason",
    *OF_ASSERTIONS,
}
"""Fields of an answer about itself, not about an entity."""


def rewritten(reply, change):
    """A JSON reply with every object changed, the inner ones first; other replies as they are."""
    body = body_of(reply)
    if not body.lstrip().startswith((b"{", b"[")):
        return dataclasses.replace(reply, body=body)
    document = mapped_value(json.loads(body), change)
    return dataclasses.replace(reply, body=json.dumps(document).encode())


def mapped_value(value, change):
    if isinstance(value, dict):
        return change({name: mapped_value(part, change) for name, part in value.items()})
    return [mapped_value(part, change) for part in value] if isinstance(value, list) else value


def of_values(change):
    """A change of the values of an object that are no objects or lists, in lists too."""

    def leaf(value):
        if isinstance(value, list):
            return [leaf(part) for part in value]
        return value if isinstance(value, dict) else change(value)

    return lambda parts: {name: leaf(part) for name, part in parts.items()}


def with_doubled_rows(reply):
    """Every row of a list comes twice."""
    return rewritten(
        reply,
        lambda parts: {
            name: [row for row in part for _ in range(2)] if isinstance(part, list) else part
            for name, part in parts.items()
        },
    )


def with_more_fields(reply):
    return rewritten(reply, lambda parts: parts | {"unheard_of": {"new": [1, None, "x"]}})


def with_numbers_as_text(reply):
    return rewritten(reply, of_values(lambda value: str(value) if type(value) in {int, float} else value))


def with_text_as_numbers(reply):
    return rewritten(reply, of_values(lambda value: int(value) if re.fullmatch(r"[1-9]\d{0,8}", str(value)) else value))


def with_nulls(reply):
    """Every second value is null."""
    return rewritten(
        reply,
        lambda parts: {
            name: None if place % 2 and not isinstance(part, dict | list) else part
            for place, (name, part) in enumerate(parts.items())
        },
    )


def with_renamed_fields(reply):
    """Every field and element has another name."""
    body = body_of(reply)
    if body.lstrip().startswith(b"<"):
        return dataclasses.replace(reply, body=re.sub(rb"<(/?)([A-Za-z])", rb"<\1X\2", body))
    return rewritten(reply, lambda parts: {f"x_{name}": part for name, part in parts.items()})


ODDITIES = {
    oddity.__name__: oddity
    for oddity in (with_doubled_rows, with_more_fields, with_numbers_as_text, with_text_as_numbers, with_nulls)
}


def facts(value):
    """Every value in an answer, at any depth: a missing name may be replaced by a synonym or the ID."""
    if isinstance(value, dict):
        return {fact for name, part in value.items() if name not in NOT_FACTS for fact in facts(part)}
    if isinstance(value, list):
        return {fact for part in value for fact in facts(part)}
    return {value, native(value)} if isinstance(value, str) else {value}


def rows(answer):
    """The IDs of the rows of a list."""
    return [row.get("id") for row in answer.get("items", []) if row.get("id")]


def takes_parts(spec):
    """Whether the tool returns more of a record on request."""
    return any(parameter.name == "include" and "all" in str(parameter.annotation) for parameter in spec.parameters)


@functools.cache
def known_facts(case):
    """The honest answer, and all facts that the service sent for it or the tool derived from them."""
    argument_facts = set()

    def note(reply):
        body = body_of(reply)
        if body.lstrip().startswith((b"{", b"[")):
            argument_facts.update(facts(json.loads(body)))
        return dataclasses.replace(reply, body=body)

    code, plain, _ = outcome_of_damaged(case, note)
    assert code == "found"
    _, whole, _ = outcome_of_damaged(case.with_arguments(include=["all"])) if takes_parts(case.spec) else ("", plain, 0)
    return plain, facts(plain) | facts(whole) | argument_facts


@holds("partial_payloads_survive")
@with_kinds(CASES, ODDITIES, minimum=2, rest=pytest.mark.sweep)
def test_an_odd_answer_is_read_rightly_or_refused(case, oddity):
    plain, true = known_facts(case)
    code, odd, _ = outcome_of_damaged(case, oddity)

    if code != "found":
        assert code == "UPSTREAM_ERROR"
        return
    entries = [entry for entry in odd.get("items", []) if entry.get("success") is not False]
    compared_answer = odd | {"items": entries} if "items" in odd else odd
    assert facts(compared_answer) <= true, facts(compared_answer) - true
    assert len(set(rows(compared_answer))) == len(rows(compared_answer)) or len(set(rows(plain))) < len(rows(plain))


@holds("partial_payloads_survive")
@in_turn(CASES)
def test_renamed_fields_are_never_an_empty_list(case):
    code, answer, _ = outcome_of_damaged(case, with_renamed_fields)

    assert code == "UPSTREAM_ERROR" or {
        entry["error"]["code"] for entry in answer["items"] if entry.get("success") is False
    } == {"UPSTREAM_ERROR"}, answer
