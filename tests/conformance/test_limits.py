"""The services' limits and transient failures, on the sandbox, which enforces the same limits."""

import asyncio

import pytest

from biofact.interfaces import every_source
from biofact.sandbox import Fault
from tests import virtual_time
from tests.conformance.cases import (
    THREE_TRIES,
    cases,
    each_source,
    first_from_services,
    first_of_each_tool,
    is_of_source,
    outcome,
    outcome_and_requests,
    undisturbed_outcome,
)
from tests.conformance.claims import holds
from tests.conformance.items import with_kinds
from tests.conformance.test_damage import failures, without_times
from tests.marks import requirement
from tests.sandboxed import WHOLE, sandboxed

pytestmark = pytest.mark.quick

CASES = first_from_services()
TRANSIENT_FAULTS = {
    "429": Fault("status", status=429, headers={"Retry-After": "1"}),
    "429 without a time": Fault("status", status=429),
    "503": Fault("status", status=503),
    "closed": Fault("close"),
}
LASTING_FAULTS = {"429": (429, "RATE_LIMITED"), "503": (503, "UPSTREAM_ERROR")}
FASTER = 4.0
"""The factor by which we are faster than the service of that day allows."""


@requirement("004 EH-2")
@holds("retry_and_limit_on_the_sandbox")
@with_kinds(CASES, TRANSIENT_FAULTS, minimum=1, rest=pytest.mark.sweep)
def test_a_failure_that_passes_is_not_noticed(case, fault):
    (code, answer), requests = undisturbed_outcome(case)
    (second_code, second_answer), second_requests = virtual_time.run(outcome_and_requests(case, fault))

    assert (second_code, without_times(second_answer)) == (code, without_times(answer))
    assert len(second_requests) > requests


@requirement("000 R4-err-5xx", "004 S-err-net")
@holds("retry_and_limit_on_the_sandbox")
@with_kinds(CASES, LASTING_FAULTS, minimum=1, rest=pytest.mark.sweep)
def test_a_failure_that_stays_is_named_with_when_to_come_back(case, failure):
    status, expected = failure
    fault = Fault("status", status=status, times=None)
    (code, answer), requests = virtual_time.run(outcome_and_requests(case, fault, timing=THREE_TRIES))

    assert failures(code, answer) == {expected}
    assert len(requests) > 1


def own_cases(source):
    """Every example of a source that finds something."""
    return cases(lambda case: case.source == source and is_of_source(case))


async def all_at_once(source, cases, **options):
    """The outcomes of concurrent calls, and the requests to the sandbox."""
    async with sandboxed(source, timing=WHOLE, **options) as (client, sandbox):
        outcomes = await asyncio.gather(*(outcome(client, case) for case in cases))
        return {code for code, _ in outcomes}, sandbox.requests


def most_in_a_second(requests, service):
    """The highest number of requests to a service within any one second."""
    times = [request.at for request in requests if request.service == service.name]
    return max((sum(start <= moment < start + 1.0 for moment in times) for start in times), default=0)


@requirement("000 R4-3rps", "001 FR-017", "001 SC-002", "002 FR-003", "004 S-rate")
@holds("retry_and_limit_on_the_sandbox")
@each_source
def test_no_limit_is_broken_by_any_number_of_concurrent_calls(source):
    codes, requests = virtual_time.run(all_at_once(source, own_cases(source)))

    assert codes == {"found"}
    assert {request.status for request in requests} <= {200, 400, 404}
    for service in every_source.client_class(source).services:
        assert most_in_a_second(requests, service) <= service.per_second


@holds("retry_and_limit_on_the_sandbox")
@pytest.mark.parametrize(
    "choose", [first_of_each_tool, pytest.param(list, marks=pytest.mark.sweep)], ids=["one a tool", "all"]
)
@each_source
def test_a_lower_limit_than_was_known_costs_no_answer(source, choose):
    own_case_list = choose(own_cases(source))
    codes, requests = virtual_time.run(all_at_once(source, own_case_list, rate_factor=1 / FASTER))

    assert codes == {"found"}
    assert 200 in {request.status for request in requests}
