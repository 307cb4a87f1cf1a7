"""Many cases of one sentence in one test: each is a subtest, which fails by its own name and lets the others run."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

_FIXTURE = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)


Cases = Iterable[Any]


def each(
    names: str | Sequence[str], cases: Cases | Callable[[], Cases]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As ``pytest.mark.parametrize``, in one test. The cases share the fixtures; two of these make all combinations.

    What has to be read or made for the cases is, by a function, when the test runs.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        asked = inspect.signature(test).parameters

        @functools.wraps(test)
        def every_case(subtests: Any, **fixtures: Any) -> None:
            shared = {**fixtures, **({"subtests": subtests} if "subtests" in asked else {})}
            every = list(cases() if callable(cases) else cases)
            assert every, "a test without a case proves nothing"
            for case in every:
                given = dict(zip(keys, case if len(keys) > 1 else (case,), strict=True))
                with subtests.test(**given):
                    test(**shared, **given)

        others = [one for name, one in asked.items() if name not in {*keys, "subtests"}]
        vars(every_case)["__signature__"] = inspect.Signature([_FIXTURE, *others])
        return every_case

    return decorated
