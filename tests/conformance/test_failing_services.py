"""Every tool with each set of its services failing_call: a call ends in its deadline, and reports what is missing."""

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from biofact import sources
from biofact.core import call
from biofact.core.tool import spec_of, specs_of
from biofact.identity.client import IdentityClient
from biofact.interfaces import every_source
from biofact.sandbox import Fault
from tests import virtual_time
from tests.conformance.cases import Case, cases, first_of_each_tool, is_service_asked, outcome, undisturbed_outcome
from tests.conformance.test_damage import without_times
from tests.each_of import check_each
from tests.sandboxed import LIFE, sandboxed, transported

pytestmark = pytest.mark.quick

DEADLINE_SECONDS = LIFE.deadline_seconds
GRACE_SECONDS = 1.0
FAILURES = {
    "hangs": {"kind": "delay", "seconds": 3600.0},
    "answers 500": {"kind": "status", "status": 500},
    "asks for a long pause": {"kind": "status", "status": 429, "headers": {"Retry-After": "120"}},
    "drips": {"kind": "slow_body", "size": 1, "seconds": 5.0},
    "is slow": {"kind": "delay", "seconds": 9.0},
}
FAILURE_CODES = {"UPSTREAM_ERROR", "RATE_LIMITED"}
ABOUT_ANSWER = {"provenance", "notices", "release"}
"""Fields that are about the answer, and no part of a record; the release is named where it is known in time."""
EXAMPLES = {name: [case for case in cases(is_service_asked) if case.source == name] for name in every_source.toolsets()}
TOOLS = {name: first_of_each_tool(examples) for name, examples in EXAMPLES.items()}


@dataclass(frozen=True)
class FailingCall:
    """A call while some services fail in one way."""

    case: Case
    services: frozenset[str]
    failure: str

    def __str__(self) -> str:
        return f"{self.case} while {', '.join(sorted(self.services))} {self.failure}"


def service_names(source: str) -> tuple[str, ...]:
    """The services that the tools of a source, or of a toolset above the sources, may ask."""
    names = [source] if source in sources.names() else sources.names()
    return tuple(dict.fromkeys(service.name for name in names for service in every_source.client_class(name).services))


def failing_sets(names: Sequence[str]) -> list[frozenset[str]]:
    """Each service alone, each pair, all but one, and all."""
    sizes = dict.fromkeys(size for size in (1, 2, len(names) - 1, len(names)) if 0 < size <= len(names))
    return [frozenset(subset) for size in sizes for subset in itertools.combinations(names, size)]


def all_calls(case: Case) -> Iterator[FailingCall]:
    """A case with each set of services, failing in each way."""
    for services, failure in itertools.product(failing_sets(service_names(case.source)), FAILURES):
        yield FailingCall(case, services, failure)


def selected_calls() -> Iterator[FailingCall]:
    """Every tool with one of the services, in turn as the ways of failing; the last tool of each toolset with each of
    them and all, and with all but one and pairs of neighbours, which hang: that takes longest.
    """
    failures = itertools.cycle(FAILURES)
    for source, (*other_tools, last_tool) in TOOLS.items():
        names = service_names(source)
        for case, name in zip(other_tools, itertools.cycle(names), strict=False):
            yield FailingCall(case, frozenset({name}), next(failures))
        neighbours = set(map(frozenset, itertools.pairwise(names)))
        for services in failing_sets(names):
            if len(services) in {1, len(names)}:
                yield FailingCall(last_tool, services, next(failures))
            elif len(services) != 2 or services in neighbours:
                yield FailingCall(last_tool, services, "hangs")


async def _timed(failing_call: FailingCall) -> tuple[float, str, dict[str, Any]]:
    """The seconds of the call, its code and its answer."""
    async with sandboxed(failing_call.case.source) as (client, sandbox):
        fault = FAILURES[failing_call.failure]
        sandbox.faults.set(*(Fault(service=name, times=None, **fault) for name in failing_call.services))
        code, answer = await outcome(client, failing_call.case)
        return virtual_time.now(), code, answer


def lacks(answer: Any, expected: Any) -> bool:
    """Whether something of the expected answer is missing or different; more is fine."""
    if isinstance(expected, dict):
        names = expected.keys() - ABOUT_ANSWER
        return any(name not in answer or lacks(answer[name], expected[name]) for name in names)
    if isinstance(expected, list):
        return len(answer) < len(expected) or any(map(lacks, answer, expected))
    return bool(answer != expected)


def reports_failure(answer: Any) -> bool:
    """Whether a notice or an entry of the answer, at any depth, is about a service that failed."""
    if isinstance(answer, list):
        return any(map(reports_failure, answer))
    if not isinstance(answer, dict):
        return False
    return answer.get("code") in {"LEG_FAILED", *FAILURE_CODES} or any(map(reports_failure, answer.values()))


def check(failing_call: FailingCall) -> None:
    """Check the duration of the call, and that it fails as documented, or lacks nothing that it does not report."""
    seconds, code, answer = virtual_time.run(_timed(failing_call))

    assert seconds <= DEADLINE_SECONDS + GRACE_SECONDS
    assert code in {"found", *FAILURE_CODES}
    if code == "found" and not reports_failure(answer):
        (_, full_answer), _ = undisturbed_outcome(failing_call.case)
        assert not lacks(answer, without_times(full_answer)), answer


def test_each_tool_ends_in_its_deadline_and_reports_what_failing_services_leave_out():
    check_each(selected_calls(), check)


@pytest.mark.sweep
@pytest.mark.parametrize("source", every_source.toolsets())
def test_every_example_ends_in_its_deadline_whichever_services_fail_and_however(source):
    check_each(itertools.chain.from_iterable(map(all_calls, EXAMPLES[source])), check)


def test_every_tool_that_asks_services_is_tried():
    assert {failing_call.case.spec.ref for failing_call in selected_calls()} == {
        spec.ref
        for toolset in every_source.toolsets()
        for spec in specs_of(every_source.client_class(toolset))
        if spec.asks_services
    }


@pytest.mark.parametrize("failure", ["hangs", "answers 500", "asks for a long pause"])
def test_a_long_column_ends_in_the_deadline_of_a_call(failure):
    rsids = [f"rs{number}" for number in range(1, 61)]
    case = Case(spec_of(IdentityClient, "resolve"), {"names": rsids})

    seconds, code, answer = virtual_time.run(_timed(FailingCall(case, frozenset({"igvf"}), failure)))

    assert seconds <= DEADLINE_SECONDS + GRACE_SECONDS
    assert (code, len(answer["items"])) == ("found", len(rsids))
    assert all(reports_failure(row) for row in answer["items"]), answer["items"]


def test_a_long_column_of_names_that_cost_a_request_each_is_asked_whole_in_a_job():
    async def scenario():
        async with sandboxed("identity") as (client, _):
            answers = client.resolve_many([f"rs{number}" for number in range(1, 201)])
            return [answer.model_dump(mode="json") async for answer in answers], virtual_time.now()

    answers, seconds = virtual_time.run(scenario())

    assert seconds > DEADLINE_SECONDS
    assert not any(map(reports_failure, answers))


def test_a_part_of_a_tool_call_has_the_rest_of_its_time():
    async def scenario():
        async with transported() as (transport, _):
            with call.session(transport.timing.deadline()) as whole:
                await asyncio.sleep(20.0)
                with transport.afresh() as part, call.session(transport.timing.deadline()) as inner:
                    return whole.deadline, part.deadline, inner.deadline

    whole, part, inner = virtual_time.run(scenario())

    assert part == inner == whole


def test_a_question_of_a_job_has_the_whole_time_of_a_call_from_its_turn():
    async def scenario():
        async with transported() as (transport, _):
            with call.session() as job:
                job.deadline = transport.timing.deadline()
                await asyncio.sleep(20.0)
                with transport.afresh() as part:
                    return part.deadline - job.deadline

    assert virtual_time.run(scenario()) == pytest.approx(20.0)
