"""Many cases of one sentence as one test: all of them are tried, and each that fails is named."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Test = Callable[..., None]


def each_of(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, in one test: an item of its own costs more than most cases do.

    The test raises one group of the errors of all cases that fail, each with a note that names its case.
    """
    tried = list(cases)
    assert tried, f"no case of {names}"

    def of_test(test: Test) -> Test:
        @functools.wraps(test)
        def all_of_them(*instance: Any, **fixtures: Any) -> None:
            errors: list[BaseException] = []
            for case in tried:
                given = {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                try:
                    test(*instance, **given, **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # raised below, with all others
                    error.add_note(f"with {given}")
                    errors.append(error)
            if errors:
                raise BaseExceptionGroup(f"{len(errors)} of {len(tried)} cases fail", errors)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name != names and name not in names]
        all_of_them.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return all_of_them

    return of_test
