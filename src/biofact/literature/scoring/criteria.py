"""By what articles are scored: weights, a function per feature, normalisation. Loads no numpy."""

import math
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from biofact.literature.scoring.options import Function, function

Normalization = Literal["min_max", "z_score", "none"]
ScoringMethod = Literal["weighted_sum", "composite", "ml_model"]


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
            raise ValueError(f"{weights!r:.80} is not an object of weights by feature, such as {{'sample_size': 0.5}}.")  # noqa: TRY004  # pydantic collects ValueError only
        for feature, weight in weights.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
                raise ValueError(f"The weight of {feature!r} is {weight!r:.80}; a weight is a number from 0 to 1.")
        if not math.fsum(weights.values()) > 0:
            given = "All weights are 0" if weights else "There are no weights"
            raise ValueError(f"{given}; at least one feature needs a weight above 0.")
        return weights

    @field_validator("scoring_functions", mode="before")
    @classmethod
    def _check_functions(cls, functions: Any) -> Any:
        if not isinstance(functions, Mapping):
            raise ValueError(f"{functions!r:.80} is not an object of scoring functions by feature.")  # noqa: TRY004
        for feature, given in functions.items():
            if not isinstance(given, str | Mapping):
                raise ValueError(  # noqa: TRY004
                    f"The scoring function of {feature!r} is {given!r:.80}; expected a name, or an object such as "
                    "{'name': 'keyword_match', 'keywords': ['mortality']}."
                )
            function(str(feature), given)
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
