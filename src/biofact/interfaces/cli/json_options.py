"""Options whose value is a JSON object, written out or in a file: what to extract, and how to score it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biofact.core.usage import WrongUsage
from biofact.literature.scoring import ScoringCriteria

_HINT = "Write a JSON object, or @FILE for one that holds it."


def json_object(option: str, given: str | None) -> dict[str, Any] | None:
    """What an option holds that is an object, written out or in a file; None where it is not given.

    Raises:
        WrongUsage: it is no object, or the file cannot be read.
    """
    if given is None:
        return None
    try:
        text = Path(given[1:]).read_text("utf-8-sig") if given.startswith("@") else given
        value = json.loads(text)
    except OSError as error:
        raise WrongUsage(f"{given[1:]!r} cannot be read: {str(error.strerror).lower()}.", hint=_HINT) from error
    except ValueError as error:
        raise WrongUsage(f"{option} is not JSON: {error}.", hint=_HINT) from error
    if not isinstance(value, dict):
        raise WrongUsage(f"{option} is not an object.", hint=_HINT)
    return value


def criteria_of(given: str | None, schema: Mapping[str, Any] | None, usual: ScoringCriteria) -> ScoringCriteria:
    """The criteria of ``--criteria``; else the usual ones, as far as the schema has their features; else all that it
    has, weighted alike.

    Raises:
        WrongUsage: what is given is no JSON object.
        ValueError: it makes no criteria.
    """
    criteria = json_object("--criteria", given)
    if criteria is not None:
        return ScoringCriteria.model_validate(criteria)
    if schema is None:
        return usual
    names = schema.get("properties", schema) if isinstance(schema.get("properties"), Mapping) else schema
    weights = {name: weight for name, weight in usual.weights.items() if name in names}
    functions = {name: usual.scoring_functions[name] for name in weights}
    if weights:
        return ScoringCriteria(weights=weights, scoring_functions=functions, normalization_method="none")
    return ScoringCriteria(weights=dict.fromkeys(names, 1.0))
