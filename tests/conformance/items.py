"""What an item of the suite goes through: the cases of one tool, each named where it fails.

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
        """The source whose tool it is."""
        return self.spec.ref.source


def tools_of(several: Iterable[Case]) -> list[Tool]:
    """The cases by their tools."""
    by_tool: dict[str, list[Case]] = {}
    for case in several:
        by_tool.setdefault(str(case.spec.ref), []).append(case)
    return [Tool(own[0].spec, tuple(own)) for own in by_tool.values()]


def few_and_others(several: Iterable[Case], most: int = 2) -> tuple[list[Case], list[Case]]:
    """The first cases of each tool, for the quick tier, and the others, for a sweep."""
    tools = tools_of(several)
    few = [case for tool in tools for case in tool.cases[:most]]
    return few, [case for tool in tools for case in tool.cases[most:]]


def each_tool(
    several: Iterable[Case], others: Iterable[Case] = (), rest: pytest.MarkDecorator | None = None
) -> pytest.MarkDecorator:
    """Run a test on the cases of each tool; on ``others`` with the mark ``rest``."""
    marks = [rest] if rest else []
    further = [pytest.param(tool, id=f"{tool} others", marks=marks) for tool in tools_of(others)]
    assert rest or not further, "others need a mark"
    return pytest.mark.parametrize("tool", [*tools_of(several), *further], ids=str)


def in_turn(
    several: Iterable[Case], others: Iterable[Case] = (), rest: pytest.MarkDecorator | None = None
) -> Callable[[Callable[[Case], None]], Any]:
    """Run a test on each case, all those of a tool in one item; on ``others`` with the mark ``rest``."""

    def decorated(test: Callable[[Case], None]) -> Any:
        @functools.wraps(test)
        def test_of_tool(tool: Tool) -> None:
            check_each(tool.cases, test)

        taken = inspect.Parameter("tool", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test_of_tool.__signature__ = inspect.Signature([taken])  # type: ignore[attr-defined]  # what pytest looks at
        return each_tool(several, others, rest)(test_of_tool)

    return decorated


def with_kinds(
    several: Sequence[Case],
    kinds: Mapping[str, T],
    *,
    least: int,
    rest: pytest.MarkDecorator,
    always: Sequence[str] = (),
) -> Callable[[Callable[[Case, T], None]], Any]:
    """Run a test on a case of each tool with every kind of a fault, all those of a tool in one item.

    Quick are ``always`` and at least so many of the others, in turn, so that each source is shown all kinds; the others
    have the mark ``rest``.
    """
    rows = []
    for case in several:
        quick, others = _shared([kind for kind in kinds if kind not in always], case, several, least)
        quick = [*always, *quick]
        rows.append(pytest.param(case, quick, id=str(case.spec.ref)))
        if others:
            rows.append(pytest.param(case, others, id=f"{case.spec.ref} others", marks=rest))

    def decorated(test: Callable[[Case, T], None]) -> Any:
        @functools.wraps(test)
        def test_of_tool(case: Case, names: Sequence[str]) -> None:
            check_each(names, lambda name: test(case, kinds[name]))

        taken = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("case", "names")]
        test_of_tool.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]  # what pytest looks at
        return pytest.mark.parametrize(("case", "names"), rows)(test_of_tool)

    return decorated


def _shared(kinds: list[str], case: Case, beside: Sequence[Case], least: int) -> tuple[list[str], list[str]]:
    own = [one for one in beside if one.source == case.source]
    size = min(len(kinds), max(least, math.ceil(len(kinds) / len(own))))
    places = {(own.index(case) * size + step) % len(kinds) for step in range(size)}
    return [kinds[one] for one in sorted(places)], [kind for one, kind in enumerate(kinds) if one not in places]
