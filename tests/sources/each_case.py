"""Many cases of one sentence in one test: each is a subtest, which fails by its own name and lets the others run."""

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Cases = Iterable[Any]
Test = Callable[..., None]

_FIXTURE = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def each(names: str | Sequence[str], cases: Cases | Callable[[], Cases]) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, in one test. The cases share the fixtures; two of these make all combinations.

    What has to be read or made for the cases is, by a function, when the test runs.
    """
    keys = [names] if isinstance(names, str) else list(names)

    def table() -> list[dict[str, Any]]:
        every = list(cases() if callable(cases) else cases)
        assert every, "a test without a case proves nothing"
        return [dict(zip(keys, case if len(keys) > 1 else (case,), strict=True)) for case in every]

    def decorated(test: Test) -> Test:
        inner, tables = vars(test).get("each_case", (test, ()))
        tables = (table, *tables)

        @functools.wraps(test)
        def every_case(subtests: Any, **fixtures: Any) -> None:
            for parts in itertools.product(*(one() for one in tables)):
                case = {name: value for part in parts for name, value in part.items()}
                with subtests.test(**case):
                    inner(**fixtures, **case)

        others = [one for name, one in inspect.signature(test).parameters.items() if name not in {*keys, "subtests"}]
        vars(every_case)["__signature__"] = inspect.Signature([_FIXTURE, *others])
        vars(every_case)["each_case"] = (inner, tables)
        return every_case

    return decorated
