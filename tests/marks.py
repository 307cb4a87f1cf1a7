"""Marks on tests: the requirement or claim behind each."""

from collections.abc import Callable
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])


def mark(name: str, value: object) -> Callable[[Test], Test]:
    """A decorator that stores a value under a name on a test."""

    def decorator(test: Test) -> Test:
        test.__dict__[name] = value
        return test

    return decorator


def requirement(*rows: str) -> Callable[[Test], Test]:
    """Mark a test that fails if these rows of a specification are not met, like ``"000 R2-id"``.

    ``tools/requirements.py`` reads the rows off the source.
    """
    return mark("requirements", rows)
