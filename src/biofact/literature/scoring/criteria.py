"""Scoring criteria: weights, a function with options for each feature, normalisation. Loads no numpy.

``functions.py`` and ``texts.py`` compute them; docs/scoring.md has the definitions.
"""

import difflib
import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.quoting import quoted, summary


def _checked_keywords(keywords: list[str]) -> list[str]:
    if any(not word.strip(" *") for word in keywords):
        raise ValueError("has an empty keyword")
    return list(dict.fromkeys(" ".join(word.casefold().split()) for word in keywords))


Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]


class Function(BaseModel):
    """One scoring function with the options that were given for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]

    @property
    def is_bounded(self) -> bool:
        """Whether scores lie between 0 and 1 and have a meaning for one article alone."""
        return True


class _Scale(Function):
    """A scale with both ends or none; between the ends the score runs from 0 to 1."""

    low: Finite | None = None
    """The value that scores 0."""
    high: Finite | None = None
    """The value that scores 1; it may be the lower one."""

    @model_validator(mode="after")
    def _check_ends(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("needs both low and high, or none of them")
        if self.low is not None and self.low == self.high:
            raise ValueError(f"low and high are both {self.low:g}; they have to differ")
        return self

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are given."""
        return self.low is not None


class LogScale(_Scale):
    """Numbers that count by their order of magnitude."""

    name = "log_scale"
    magnitude: bool = False
    """Whether the sign is ignored: -0.8 scores as 0.8."""


class Linear(_Scale):
    """Numbers as they are."""

    name = "linear"
    magnitude: bool = False


class Inverse(Function):
    """Numbers of which less is better, such as p-values."""

    name = "inverse"
    half: Positive | None = None
    """The value that scores 0.5; the median of the positive ones unless it is given."""


class Rank(Function):
    """Numbers by their place among the others."""

    name = "rank"
    reverse: bool = False
    """Whether the lowest number scores highest."""


class Effect(Function):
    """Effects by their distance from none: a ratio of 0.5 counts as one of 2."""

    name = "effect"
    measure: Literal["ratio", "difference"] | None = None
    """The measure of numbers that do not name one."""
    towards: Literal["lower", "higher"] | None = None
    """The direction that counts: with lower, ratios below 1 and differences below 0; all others score 0."""
    full: Positive | None = None
    """The distance that scores 1, as a natural logarithm: 0.69 for a ratio of 2 or 0.5."""

    @property
    def is_bounded(self) -> bool:
        """Whether ``full`` is given."""
        return self.full is not None


class Threshold(Function):
    """1 for numbers that reach a limit, 0 for others."""

    name = "threshold"
    at: Finite
    reverse: bool = False
    """Whether the limit is an upper one."""


class InRange(Function):
    """1 for numbers within a range, less the farther outside."""

    name = "in_range"
    low: Finite
    high: Finite

    @model_validator(mode="after")
    def _check_ends(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"low is {self.low:g} and high is {self.high:g}; high has to be more than low")
        return self


class Recency(Function):
    """Years, the newest highest."""

    name = "recency"
    half_life: Positive = 5.0
    """Years in which the score halves."""
    newest: Annotated[int, Field(ge=1800, le=2200)] | None = None
    """The year that scores 1; the newest of the articles unless it is given."""


class Boolean(Function):
    """1 for true, 0 for false."""

    name = "boolean"
    reverse: bool = False


class Presence(Function):
    """1 for a feature that is stated, 0 for one that is not."""

    name = "presence"


class Count(Function):
    """The number of entries of a list."""

    name = "count"
    enough: Annotated[int, Field(ge=1)] | None = None
    """The number of entries that scores 1."""

    @property
    def is_bounded(self) -> bool:
        """Whether ``enough`` is given."""
        return self.enough is not None


class CategoricalScore(Function):
    """Points by category."""

    name = "categorical_score"
    points: Annotated[dict[Text, Finite], Field(min_length=1)] | None = None
    """Study types by the usual hierarchy of evidence, and grades in words, unless they are given."""
    other: Finite | None = None
    """For a category without points; halfway between the fewest and the most unless it is given."""

    @property
    def is_bounded(self) -> bool:
        """Whether all points lie between 0 and 1."""
        values = [*(self.points or {}).values(), *([] if self.other is None else [self.other])]
        return all(0 <= points <= 1 for points in values)


class KeywordMatch(Function):
    """The share of keywords in a text."""

    name = "keyword_match"
    keywords: Annotated[list[Text], Field(min_length=1), AfterValidator(_checked_keywords)] | None = None
    """Words or phrases; an asterisk at the end stands for any ending."""
    enough: Annotated[int, Field(ge=1)] | None = None
    """The number of keywords that scores 1; all of them by default."""


class TextSimilarity(Function):
    """The similarity of a text to a reference."""

    name = "text_similarity"
    reference: Annotated[str, Field(pattern=r"\w")] | None = None
    reverse: bool = False
    """Whether the least similar text scores highest."""


class TextQuality(Function):
    """The quality of a text by its form: length, variety, numbers."""

    name = "text_quality"
    length: Positive = 15.0
    """Words at which a text has 63 % of what length brings, twice as many 86 %, thrice 95 %."""


_LONGEST_NAME, _MOST_NAMED = 80, 5

FUNCTIONS: dict[str, type[Function]] = {
    function.name: function
    for function in (
        CategoricalScore, LogScale, Linear, Inverse, Rank, Effect, Threshold, InRange, Recency, Boolean, Presence,
        Count, KeywordMatch, TextSimilarity, TextQuality,
    )
}  # fmt: skip


def function(feature: str, choice: str | Mapping[str, Any]) -> Function:
    """The function chosen for ``feature``, with its options.

    Raises:
        ValueError: There is no function of that name, or it has no such option or value; the message lists them.
    """
    options = {"name": choice} if isinstance(choice, str) else dict(choice)
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in FUNCTIONS:
        matches = difflib.get_close_matches(name[:_LONGEST_NAME], FUNCTIONS, 1) if isinstance(name, str) else ()
        question = f" Is {matches[0]!r} meant?" if matches else ""
        raise ValueError(
            f"{quoted(name)} for {feature!r:.80} is not a scoring function.{question} Known are {', '.join(FUNCTIONS)}."
        )
    kind = FUNCTIONS[name]
    unknown = sorted(map(str, options.keys() - kind.model_fields.keys()))
    if unknown:
        option_list = f"its options are {', '.join(kind.model_fields)}" if kind.model_fields else "it has none"
        raise ValueError(
            f"{name} for {feature!r:.80} has no option {', '.join(map(quoted, unknown[:_MOST_NAMED]))}; {option_list}."
        )
    try:
        return kind.model_validate(options)
    except ValidationError as error:
        raise ValueError(f"{name} for {feature!r:.80}: {'; '.join(map(_words, error.errors()))}.") from error


def _words(error: Any) -> str:
    """One error of pydantic in a line: the option, the fault, the value."""
    message = str(error["msg"]).removeprefix("Value error, ")
    if not error["loc"]:
        return message
    place = ".".join(map(str, error["loc"]))
    given_value = "" if error["type"] == "missing" else f" (given {quoted(error['input'])})"
    return f"{place}: {message[0].lower()}{message[1:]}{given_value}"


Normalization = Literal["min_max", "z_score", "none"]


_FUNCTION = f"one of {', '.join(FUNCTIONS)}, or an object of that name and its options"


class ScoringCriteria(BaseModel):
    """The weight of each feature and its scoring function."""

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
                f"{summary(weights)} is not an object of weights by feature, such as {{'sample_size': 0.5}}."
            )
        numbers = {feature: _weight(weight) for feature, weight in weights.items()}
        wrong = [
            InvalidPart(
                (feature,),
                weights[feature],
                f"The weight of {feature!r:.80} is {quoted(weights[feature])}; a weight is a number from 0 to 1.",
                "a number from 0 to 1",
            )
            for feature, weight in numbers.items()
            if weight is None
        ]
        if wrong:
            raise InvalidValues(wrong)
        weights = {feature: weight for feature, weight in numbers.items() if weight is not None}
        if not math.fsum(weights.values()) > 0:
            problem = "All weights are 0" if weights else "There are no weights"
            raise ValueError(f"{problem}; at least one feature needs a weight above 0.")
        return weights

    @field_validator("scoring_functions", mode="before")
    @classmethod
    def _check_functions(cls, functions: Any) -> Any:
        if not isinstance(functions, Mapping):
            raise ValueError(f"{summary(functions)} is not an object of scoring functions by feature.")  # noqa: TRY004
        wrong = [
            InvalidPart((feature,), choice, problem, _FUNCTION)
            for feature, choice in functions.items()
            if (problem := _problem(str(feature), choice))
        ]
        if wrong:
            raise InvalidValues(wrong)
        return functions

    @property
    def shares(self) -> dict[str, float]:
        """The weights divided by their sum, which is then 1."""
        largest = max(self.weights.values())  # divided first, so that weights near the smallest float keep their ratios
        whole = math.fsum(weight / largest for weight in self.weights.values())
        return {feature: weight / largest / whole for feature, weight in self.weights.items()}

    def function(self, feature: str) -> Function | None:
        """The chosen function of a feature; None if its values decide."""
        choice = self.scoring_functions.get(feature)
        return None if choice is None else function(feature, choice)


def _weight(value: object) -> float | None:
    """A number from 0 to 1, or a text of one; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        weight = float(value)
    except (ValueError, OverflowError):
        return None
    return weight if 0 <= weight <= 1 else None


def _problem(feature: str, choice: object) -> str:
    """The fault of one scoring function; empty if it has none."""
    if not isinstance(choice, str | Mapping):
        return (
            f"The scoring function of {feature!r:.80} is {quoted(choice)}; expected a name, or an object such as "
            "{'name': 'keyword_match', 'keywords': ['mortality']}."
        )
    try:
        function(feature, choice)
    except ValueError as error:
        return str(error)
    return ""
