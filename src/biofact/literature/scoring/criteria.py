"""By what articles are scored: weights, a function per feature, normalisation. Loads no numpy."""

import math
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.quoting import quoted, shown
from biofact.literature.scoring.options import FUNCTIONS, Function, function

Normalization = Literal["min_max", "z_score", "none"]


_FUNCTION = f"one of {', '.join(FUNCTIONS)}, or an object of that name and its options"


class ScoringCriteria(BaseModel):
    """What each feature is worth and how it is scored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weights: dict[str, float]
    """By feature, 0-1; they are divided by their sum."""
    scoring_functions: dict[str, str | dict[str, Any]] = Field(default_factory=dict)
    """By feature: a name, or an object with name and options; chosen by the values where none is given."""
    normalization_method: Normalization = "min_max"

    @field_validator("weights", mode="before")
    @classmethod
    def _check_weights(cls, weights: Any) -> Any:
        if not isinstance(weights, Mapping):
            raise ValueError(  # noqa: TRY004  # pydantic collects ValueError only
                f"{shown(weights)} is not an object of weights by feature, such as {{'sample_size': 0.5}}."
            )
        read = {feature: _weight(weight) for feature, weight in weights.items()}
        wrong = [
            InvalidPart(
                (feature,),
                weights[feature],
                f"The weight of {feature!r:.80} is {quoted(weights[feature])}; a weight is a number from 0 to 1.",
                "a number from 0 to 1",
            )
            for feature, weight in read.items()
            if weight is None
        ]
        if wrong:
            raise InvalidValues(wrong)
        weights = {feature: weight for feature, weight in read.items() if weight is not None}
        if not math.fsum(weights.values()) > 0:
            given = "All weights are 0" if weights else "There are no weights"
            raise ValueError(f"{given}; at least one feature needs a weight above 0.")
        return weights

    @field_validator("scoring_functions", mode="before")
    @classmethod
    def _check_functions(cls, functions: Any) -> Any:
        if not isinstance(functions, Mapping):
            raise ValueError(f"{shown(functions)} is not an object of scoring functions by feature.")  # noqa: TRY004
        wrong = [
            InvalidPart((feature,), given, problem, _FUNCTION)
            for feature, given in functions.items()
            if (problem := _problem(str(feature), given))
        ]
        if wrong:
            raise InvalidValues(wrong)
        return functions

    @property
    def shares(self) -> dict[str, float]:
        """The weights divided by their sum, which is then 1."""
        largest = max(self.weights.values())  # first, so that weights near the smallest float keep their ratios
        whole = math.fsum(weight / largest for weight in self.weights.values())
        return {feature: weight / largest / whole for feature, weight in self.weights.items()}

    def function(self, feature: str) -> Function | None:
        """The function asked for; None where the values shall decide."""
        given = self.scoring_functions.get(feature)
        return None if given is None else function(feature, given)


def _weight(given: object) -> float | None:
    """A number from 0 to 1, or a text of one; None for anything else."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        weight = float(given)
    except (ValueError, OverflowError):
        return None
    return weight if 0 <= weight <= 1 else None


def _problem(feature: str, given: object) -> str:
    """What is wrong with one scoring function; nothing where nothing is."""
    if not isinstance(given, str | Mapping):
        return (
            f"The scoring function of {feature!r:.80} is {quoted(given)}; expected a name, or an object such as "
            "{'name': 'keyword_match', 'keywords': ['mortality']}."
        )
    try:
        function(feature, given)
    except ValueError as error:
        return str(error)
    return ""
