"""Options that make a request of the library: what it refuses is told by the name of the option."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from biofact.core.usage import WrongUsage

T = TypeVar("T")

_WRONG = {"extra_forbidden": "no part of it", "missing": "missing"}
_OPTIONS = {"extraction_schema": "--schema", "min_score_threshold": "--min-score"} | dict.fromkeys(
    ("criteria", "weights", "scoring_functions"), "--criteria"
)
"""Of fields that have another name than their option."""


def options_of(kind: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that a request of this kind has, and that were given."""
    return {name: given[name] for name in kind.model_fields if given.get(name) is not None}


def checked(make: Callable[[], T], command: str, options: Mapping[str, str] = MappingProxyType({})) -> T:
    """What is made of the options of a command; ``options`` are further ones by field.

    Raises:
        WrongUsage: the library refuses one, which is named where it is one alone.
    """
    try:
        return make()
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")  # a misspelt name explains most
        *_, place = [part for part in first["loc"] if isinstance(part, str)] or [""]
        named = (_OPTIONS | dict(options)).get(place, f"--{place.replace('_', '-')}")
        problem = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
        given = "" if isinstance(first["input"], dict | list) else f" (given {first['input']!r:.60})"
        if first["type"] in {"extra_forbidden", "missing"}:
            named, problem, given = "--criteria", f"{place!r} is {_WRONG[first['type']]}", ""
        message = f"{named}: {problem}{given}" if place else problem
        raise WrongUsage(f"{message}.", hint=f"See {command} --help.") from error
