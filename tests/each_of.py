"""Many cases of one sentence as one test: all of them are tried, and failing ones are named.

A test item of its own costs pytest more than most cases do.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
Test = Callable[..., None]
Cases = Iterable[Any]


def check_each(cases: Iterable[T], check: Callable[[T], None]) -> None:
    """Check all cases, whatever fails.

    Raises:
        BaseExceptionGroup: the failures, each with a note that names its case.
    """
    count, errors = 0, []
    for case in cases:
        count += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # raised below, with all others
            error.add_note(f"That was {case}.")
            errors.append(error)
    assert count, "a test without a case proves nothing"
    if errors:
        raise BaseExceptionGroup(f"{len(errors)} of {count} cases fail", errors)


def each_of(names: str | Sequence[str], cases: Cases | Callable[[], Cases]) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, in one test. The cases share its fixtures; two of these make all combinations.

    A function makes the cases when the test runs.
    """
    keys = [names] if isinstance(names, str) else [*names]

    def table() -> list[dict[str, Any]]:
        all_cases = cases() if callable(cases) else case_list
        return [dict(zip(keys, (case,) if isinstance(names, str) else case, strict=True)) for case in all_cases]

    case_list = [] if callable(cases) else [*cases]

    def decorator(test: Test) -> Test:
        @functools.wraps(test)
        def every_case(*instance: Any, **fixtures: Any) -> None:
            check_each(table(), lambda case: test(*instance, **fixtures, **case))

        signature = inspect.signature(test)
        other_parameters = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        vars(every_case)["__signature__"] = signature.replace(parameters=other_parameters)
        return every_case

    return decorator
