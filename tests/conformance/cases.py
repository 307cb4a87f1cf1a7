"""The calls of the conformance suite: each source's own examples, by the abilities of their tools."""

import dataclasses
import functools
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from biofact import sources
from biofact.core.errors import BiofactError
from biofact.core.records import Result
from biofact.core.tool import Example, ToolSpec, specs_of
from biofact.interfaces import every_source
from biofact.sandbox import Fault, LoggedRequest, Sandbox
from tests import virtual_time
from tests.conformance.services import Damage, changed
from tests.sandboxed import WHOLE, sandboxed

SIZES = ("page_size", "limit", "max_results")
"""Names of the argument that sets how many rows an answer holds."""
Outcome = tuple[str, dict[str, Any]]
"""``found`` and the answer, or the code of a failure and None."""
THREE_TRIES = virtual_time.timing(backoff_seconds=16.0, backoff_cap_seconds=16.0)
"""The deadlines of real use: there is time to ask a failing service three times, not eight."""


@dataclass(frozen=True, eq=False)
class Case:
    """One call of one tool. Its ID begins with the source, so that ``-k '[entrez.'`` chooses a source's cases."""

    spec: ToolSpec
    arguments: Mapping[str, Any]
    example: Example | None = None

    def __str__(self) -> str:
        return f"{self.spec.ref} {dict(self.arguments)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def source(self) -> str:
        """The source of the tool."""
        return self.spec.ref.source

    def with_arguments(self, **changes: Any) -> "Case":
        """The same call with other arguments; None removes one."""
        arguments = {name: value for name, value in {**self.arguments, **changes}.items() if value is not None}
        return dataclasses.replace(self, arguments=arguments)

    def with_page_size(self, rows: int) -> "Case":
        """The same call with this page size."""
        return self.with_arguments(**{size_name(self.spec): rows})

    def rows(self, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of a list, or the record itself if the tool returns one."""
        return answer[self.spec.returns.listed] if self.spec.returns.listed else [answer]


@functools.cache
def all_cases() -> tuple[Case, ...]:
    """Every example of every source."""
    return tuple(
        Case(spec, example.arguments, example)
        for source in every_source.toolsets()
        for spec in specs_of(every_source.client_class(source))
        for example in every_source.examples(source)
        if example.tool == spec.ref.method
    )


def cases(is_chosen: Callable[[Case], bool]) -> list[Case]:
    """The examples that find something, if ``is_chosen`` accepts them."""
    found = (case for case in all_cases() if case.example.outcome == "found" and not case.example.is_empty)
    return [case for case in found if is_chosen(case)]


def first_of_each_tool(cases: Iterable[Case]) -> list[Case]:
    """The first case of each tool."""
    by_tool: dict[str, Case] = {}
    for case in cases:
        by_tool.setdefault(str(case.spec.ref), case)
    return list(by_tool.values())


def first_from_services() -> list[Case]:
    """The first case of each tool of a source whose answer needs a service; with a single name, if it takes several."""
    first = first_of_each_tool(cases(lambda case: is_service_asked(case) and is_of_source(case)))
    return [
        case.with_arguments(names=case.arguments["names"][:1]) if "names" in case.arguments else case for case in first
    ]


def each_case(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """Run a test on each of the cases."""
    return pytest.mark.parametrize("case", list(cases), ids=str)


each_source = pytest.mark.parametrize("source", every_source.names())


def parameter_names(spec: ToolSpec) -> set[str]:
    """The arguments that a tool takes."""
    return {parameter.name for parameter in spec.parameters}


def size_name(spec: ToolSpec) -> str | None:
    """The argument that sets how many rows an answer holds; None if a tool has none."""
    return next((name for name in SIZES if name in parameter_names(spec)), None)


def is_paged(case: Case) -> bool:
    """Whether a cursor leads from page to page of one list."""
    return "cursor" in parameter_names(case.spec) and case.spec.returns.listed is not None


def is_service_asked(case: Case) -> bool:
    """Whether the answer needs a service."""
    return case.example.is_from_service


def is_of_source(case: Case) -> bool:
    """Whether the tool is the source's own; tools beside it may answer without a service that fails."""
    return case.source not in sources.names() or hasattr(sources.client_class(case.source), case.spec.ref.method)


def has_slim(case: Case) -> bool:
    """Whether the tool has a short form."""
    return "slim" in parameter_names(case.spec)


def id_list(case: Case) -> str | None:
    """The argument that takes several IDs of one kind; None if a tool has none."""
    return next((parameter.name for parameter in case.spec.parameters if parameter.id_kind and parameter.is_list), None)


async def result_of(client: object, case: Case) -> Result:
    """The result of a call.

    Raises:
        BiofactError: the tool failed.
    """
    return await case.spec.call(client, case.arguments)


async def answer_of(client: object, case: Case) -> dict[str, Any]:
    """The result on the wire.

    Raises:
        BiofactError: the tool failed.
    """
    return (await result_of(client, case)).model_dump(mode="json", by_alias=True)


async def outcome(client: object, case: Case) -> Outcome:
    """``found`` and the answer, or the code of the failure."""
    try:
        return "found", await answer_of(client, case)
    except BiofactError as error:
        return error.code, {}


@asynccontextmanager
async def sandboxed_client(case: Case, **options: Any) -> AsyncIterator[tuple[Any, Sandbox]]:
    """A client with the tool of a case, a cache of its own, and time for whole answers."""
    async with sandboxed(case.source, **{"timing": WHOLE, **options}) as (client, sandbox):
        yield client, sandbox


@functools.cache
def results(source: str) -> dict[Case, Result]:
    """The result of each example of a source, asked once."""

    async def ask() -> dict[Case, Result]:
        async with sandboxed(source, timing=WHOLE) as (client, _):
            return {case: await result_of(client, case) for case in cases(lambda case: case.source == source)}

    return virtual_time.run(ask())


async def outcome_and_requests(
    case: Case, *faults: Fault, **options: Any
) -> tuple[tuple[str, dict[str, Any]], Sequence[LoggedRequest]]:
    """The outcome of a call with these faults of the services, and the requests to the sandbox."""
    async with sandboxed_client(case, **options) as (client, sandbox):
        sandbox.faults.set(*faults)
        return await outcome(client, case), sandbox.requests


@functools.cache
def undisturbed_outcome(case: Case) -> tuple[Outcome, int]:
    """The outcome of a call without faults, and the number of its requests; computed once."""
    answer, requests = virtual_time.run(outcome_and_requests(case))
    return answer, len(requests)


def outcome_of_damaged(case: Case, damage: Damage = lambda reply: reply) -> tuple[str, dict[str, Any], int]:
    """The code and the answer of a case whose service sends damaged replies, and the number of requests."""

    async def scenario() -> tuple[str, dict[str, Any], int]:
        async with sandboxed_client(case, stand_ins=changed(damage=damage), timing=THREE_TRIES) as (client, sandbox):
            return *await outcome(client, case), len(sandbox.requests)

    return virtual_time.run(scenario())


async def pages_to_the_end(client: object, case: Case) -> list[dict[str, Any]]:
    """The pages of a list, from the first to the one without a cursor."""
    pages = [await answer_of(client, case)]
    while cursor := pages[-1]["pagination"]["cursor"]:
        assert len(pages) < _MOST_PAGES, "the cursors lead in a circle"
        pages.append(await answer_of(client, case.with_arguments(cursor=cursor)))
    return pages


def codes(answer: Mapping[str, Any]) -> set[str]:
    """The codes of the notices of an answer."""
    return {notice["code"] for notice in answer.get("notices", [])}


_MOST_PAGES = 200
