"""The part of each feature in the score of one article, as far as it can be told without the other articles."""

from collections.abc import Mapping, Sequence
from typing import Any

from biofact.literature.extraction.schema import ExtractionSchema, SchemaField
from biofact.literature.scoring import ScoringCriteria, criteria
from biofact.literature.scoring.functions import DEFAULTS, column
from biofact.literature.scoring.measures import is_effect_name, is_ratio_name, with_measures
from biofact.literature.scoring.values import Array, Unfit, numbers, years

_KINDS = {"integer": "number", "number": "number", "boolean": "boolean", "array": "array"}
"""The kind of values by which a function is chosen, by that of the schema's field."""


def functions_of(criteria: ScoringCriteria, schema: ExtractionSchema) -> dict[str, criteria.Function]:
    """A scoring function for every weighted feature: the one asked for, or the one that fits the schema's field.

    Raises:
        ValueError: a feature is not in the schema, or its function compares texts with those of all other articles.
    """
    fields = {field.name: field for field in schema.fields}
    functions = {}
    for feature in criteria.weights:
        if feature not in fields:
            known = ", ".join(fields)
            raise ValueError(f"{feature!r:.80} has a weight and is not in the schema, which has {known}.")
        functions[feature] = criteria.function(feature) or _fitting(feature, fields[feature])
        _check_alone(feature, functions[feature])
    return functions


def parts(
    features: Sequence[Mapping[str, Any]],
    functions: Mapping[str, criteria.Function],
    quotes: Sequence[Mapping[str, Any]],
) -> dict[str, Array]:
    """By feature a number for each article, NaN where it states none: the score before normalisation; for a function
    that compares numbers with those of all articles, the number.

    ``quotes`` are those of each article, by feature.
    """
    measured = [with_measures(one, own) for one, own in zip(features, quotes, strict=True)]
    return {
        feature: _part(feature, [one.get(feature) for one in measured], function)
        for feature, function in functions.items()
    }


def _part(feature: str, values: list[Any], function: criteria.Function) -> Array:
    if isinstance(function, criteria.Inverse | criteria.Rank):
        return numbers(values, Unfit())
    if isinstance(function, criteria.Recency):
        return years(values, Unfit())
    return column(feature, values, function).scored


def _fitting(feature: str, field: SchemaField) -> criteria.Function:
    """The function for a field of the schema where none is named."""
    is_number = _KINDS.get(field.kind) == "number"
    if is_effect_name(feature) and (is_number or field.kind == "object"):
        return DEFAULTS["effect"]
    if is_number and is_ratio_name(feature):
        return criteria.Effect(measure="ratio")
    return DEFAULTS[_KINDS.get(field.kind, "string")]


def _check_alone(feature: str, function: criteria.Function) -> None:
    if isinstance(function, criteria.KeywordMatch) and function.keywords is None:
        raise ValueError(f"keyword_match for {feature!r:.80} needs keywords: a corpus is not read twice to find some.")
    if isinstance(function, criteria.TextSimilarity):
        raise ValueError(  # noqa: TRY004  # of a value of the criteria
            f"text_similarity for {feature!r:.80} compares each text with those of all articles, which a corpus is not"
            " read twice for; keyword_match and text_quality judge each by itself."
        )
