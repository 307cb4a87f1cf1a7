"""Items of the suite: the cases of one tool, each named where it fails.

The ID of an item begins with its source, so that ``-k '[entrez.'`` chooses those of a source. The mark of what is not
quick is given by each test, as its file is read in a tier only if it names that.
"""

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from biofact.core.tool import ToolSpec
from tests.conformance.cases import Case
from tests.each_of import check_each

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Tool:
    """The cases of one tool."""

    spec: ToolSpec
    cases: tuple[Case, ...]

    def __str__(self) -> str:
        return str(self.spec.ref)

    @property
    def source(self) -> str:
        """The source of the tool."""
        return self.spec.ref.source


def tools_of(cases: Iterable[Case]) -> list[Tool]:
    """The cases by their tools."""
    by_tool: dict[str, list[Case]] = {}
    for case in cases:
        by_tool.setdefault(str(case.spec.ref), []).append(case)
    return [Tool(tool_cases[0].spec, tuple(tool_cases)) for tool_cases in by_tool.values()]


def split_cases(cases: Iterable[Case], limit: int = 2) -> tuple[list[Case], list[Case]]:
    """The first cases of each tool, for the quick tier, and the others, for a sweep."""
    tools = tools_of(cases)
    first_cases = [case for tool in tools for case in tool.cases[:limit]]
    return first_cases, [case for tool in tools for case in tool.cases[limit:]]


def each_tool(
    cases: Iterable[Case], other_cases: Iterable[Case] = (), rest: pytest.MarkDecorator | None = None
) -> pytest.MarkDecorator:
    """Run a test on the cases of each tool; on ``others`` with the mark ``rest``."""
    marks = [rest] if rest else []
    params = [pytest.param(tool, id=f"{tool} others", marks=marks) for tool in tools_of(other_cases)]
    assert rest or not params, "others need a mark"
    return pytest.mark.parametrize("tool", [*tools_of(cases), *params], ids=str)


def in_turn(
    cases: Iterable[Case], other_cases: Iterable[Case] = (), rest: pytest.MarkDecorator | None = None
) -> Callable[[Callable[[Case], None]], Any]:
    """Run a test on each case, all those of a tool in one item; on ``others`` with the mark ``rest``."""

    def decorator(test: Callable[[Case], None]) -> Any:
        @functools.wraps(test)
        def test_of_tool(tool: Tool) -> None:
            check_each(tool.cases, test)

        parameter = inspect.Parameter("tool", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test_of_tool.__signature__ = inspect.Signature([parameter])  # type: ignore[attr-defined]  # what pytest looks at
        return each_tool(cases, other_cases, rest)(test_of_tool)

    return decorator


def with_kinds(
    cases: Sequence[Case],
    kinds: Mapping[str, T],
    *,
    minimum: int,
    rest: pytest.MarkDecorator,
    fixed_kinds: Sequence[str] = (),
) -> Callable[[Callable[[Case, T], None]], Any]:
    """Run a test on a case of each tool with every kind of a fault, all those of a tool in one item.

    Quick are ``always`` and at least ``minimum`` of the others, in turn, so that each source meets all kinds; the
    others have the mark ``rest``.
    """
    rows = []
    for case in cases:
        quick, other_kinds = _shared([kind for kind in kinds if kind not in fixed_kinds], case, cases, minimum)
        quick = [*fixed_kinds, *quick]
        rows.append(pytest.param(case, quick, id=str(case.spec.ref)))
        if other_kinds:
            rows.append(pytest.param(case, other_kinds, id=f"{case.spec.ref} others", marks=rest))

    def decorator(test: Callable[[Case, T], None]) -> Any:
        @functools.wraps(test)
        def test_of_tool(case: Case, names: Sequence[str]) -> None:
            check_each(names, lambda name: test(case, kinds[name]))

        parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("case", "names")]
        test_of_tool.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what pytest looks at
        return pytest.mark.parametrize(("case", "names"), rows)(test_of_tool)

    return decorator


def _shared(kinds: list[str], case: Case, cases: Sequence[Case], minimum: int) -> tuple[list[str], list[str]]:
    source_cases = [candidate for candidate in cases if candidate.source == case.source]
    size = min(len(kinds), max(minimum, math.ceil(len(kinds) / len(source_cases))))
    places = {(source_cases.index(case) * size + step) % len(kinds) for step in range(size)}
    return [kinds[place] for place in sorted(places)], [kind for place, kind in enumerate(kinds) if place not in places]
