"""Effects that an article states, in one shape whatever the schema, and short texts of its values. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.records import flatten
from biofact.literature.report.markup import plain_number
from biofact.literature.report.reading import canonical_fields

RATIOS = frozenset({"HR", "OR", "IRR", "rate ratio", "RR", "PR"})
"""Measures that mean no effect at 1, and that are as far from it at 0.5 as at 2."""
IN_UNITS = frozenset({"MD", "WMD", "RD", "beta", "ES"})
"""Measures whose size depends on the unit or scale of the outcome, so that two of them are not on one axis."""
UNPLOTTED = frozenset({"NNT"})
"""Measures whose intervals may run through infinity."""
USUAL_LEVEL = 95

_ALIASES = {
    "hazard ratio": "HR",
    "odds ratio": "OR",
    "relative risk": "RR",
    "risk ratio": "RR",
    "incidence rate ratio": "IRR",
    "prevalence ratio": "PR",
    "mean difference": "MD",
    "weighted mean difference": "WMD",
    "standardised mean difference": "SMD",
    "standardized mean difference": "SMD",
    "risk difference": "RD",
    "correlation coefficient": "r",
    "area under the curve": "AUC",
}
_MEASURE_KEYS, _VALUE_KEYS = ("measure", "kind", "type", "name"), ("value", "estimate", "effect_size", "size")
_LOW_KEYS, _HIGH_KEYS = ("low", "lower", "ci_low", "ci_lower"), ("high", "upper", "ci_high", "ci_upper")
_INTERVAL_KEYS = ("interval", "ci", "confidence_interval", "range")
_ENDS = 2


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect as stated. Its direction is that of the number: nothing is turned round."""

    measure: str
    """Short, such as HR; empty where it is not stated."""
    value: float
    low: float | None = None
    high: float | None = None
    level: float = USUAL_LEVEL
    outcome: str | None = None
    comparator: str | None = None
    p_value: float | str | None = None

    @property
    def has_interval(self) -> bool:
        """Whether both ends are stated, in their order, with the value between them."""
        return self.low is not None and self.high is not None and self.low <= self.value <= self.high

    @property
    def can_be_drawn(self) -> bool:
        """Whether it has a place in a forest plot."""
        is_possible = self.measure not in RATIOS or (self.low or 0) > 0
        return self.has_interval and bool(self.measure) and self.measure not in UNPLOTTED and is_possible


def effects_of(extraction: Mapping[str, Any]) -> list[Effect]:
    """Every effect of an article, the main one first; the same one stated in two fields is listed once."""
    effects: list[Effect] = []
    for name, given in extraction.items():
        if canonical_field(name) == "effect_size":
            effects += _field_effects(name, given, extraction)
    for given in extraction.values():
        effects += _outcome_effects(given)
    known: dict[tuple[str, float], Effect] = {}
    for effect in effects:
        key = (effect.measure, effect.value)
        if key not in known or (effect.has_interval and not known[key].has_interval):
            known[key] = effect
    return list(known.values())


def _field_effects(name: str, given: Any, extraction: Mapping[str, Any]) -> Iterator[Effect]:
    """Of a field that means an effect; a bare number has the measure that its field is named after."""
    many = given if isinstance(given, list | tuple) else [given]
    for place, one in enumerate(many):
        fields = dict(one) if isinstance(one, Mapping) else {"value": one, "measure": _measure_of_name(name)}
        if place == 0 and not _has_ends(fields):
            fields |= {"interval": _separate_interval(extraction)}
        effect = _effect(fields)
        if effect is not None:
            yield effect


def _outcome_effects(given: Any) -> Iterator[Effect]:
    """Of a list of outcomes with their effects, the primary ones first."""
    rows = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list | tuple) else []
    for row in sorted(rows, key=lambda one: not one.get("primary")):
        stated = row.get("effect")
        if stated is None:
            continue
        fields = dict(stated) if isinstance(stated, Mapping) else {"value": stated, "measure": row.get("measure")}
        fields |= {"interval": row.get("interval")} if row.get("interval") and not _has_ends(fields) else {}
        fields |= {"outcome": row.get("name"), "comparator": row.get("comparator"), "p_value": row.get("p_value")}
        effect = _effect(fields)
        if effect is not None:
            yield effect


def _effect(fields: Mapping[str, Any]) -> Effect | None:
    value = _number(_first(fields, _VALUE_KEYS))
    if value is None:
        return None
    low, high, level = _ends(fields)
    p_value = fields.get("p_value")
    return Effect(
        measure=_measure(_first(fields, _MEASURE_KEYS)),
        value=value,
        low=low,
        high=high,
        level=level,
        outcome=_text(fields.get("outcome")),
        comparator=_text(fields.get("comparator")),
        p_value=p_value if isinstance(p_value, int | float | str) and not isinstance(p_value, bool) else None,
    )


def _ends(fields: Mapping[str, Any]) -> tuple[float | None, float | None, float]:
    interval = _first(fields, _INTERVAL_KEYS)
    inside = interval if isinstance(interval, Mapping) else {}
    pair = list(interval) if isinstance(interval, list | tuple) and len(interval) == _ENDS else [None, None]
    low, high = (
        _number(found if (found := _first(fields, keys)) is not None else _first(inside, keys, pair[place]))
        for place, keys in enumerate((_LOW_KEYS, _HIGH_KEYS))
    )
    level = _number(fields.get("level", inside.get("level")))
    return low, high, level if level is not None else USUAL_LEVEL


def _has_ends(fields: Mapping[str, Any]) -> bool:
    return _ends(fields)[0] is not None


def _separate_interval(extraction: Mapping[str, Any]) -> Any:
    """The interval that stands in a field of its own."""
    return next((value for name, value in extraction.items() if canonical_field(name) == "confidence_interval"), None)


def _measure(given: Any) -> str:
    text = " ".join(given.split()) if isinstance(given, str) else ""
    return _ALIASES.get(text.casefold(), text)


def _measure_of_name(name: str) -> str:
    words = name.replace("_", " ").removesuffix(" value").strip()
    return _ALIASES.get(words, words.upper() if words.upper() in RATIOS else "")


def _first(fields: Mapping[str, Any], names: Sequence[str], otherwise: Any = None) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), otherwise)


def _number(given: Any) -> float | None:
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
    return float(given) if is_number else None


def _text(given: Any) -> str | None:
    return given.strip() or None if isinstance(given, str) else None


SHOWN_VALUES = 3
"""Of a list in a table; the rest is counted, and stands with the article."""
_LARGEST_PLAIN = 9999  # without separators, so that years have none
_NAME_KEYS = ("name", "value", "label", "outcome")


def in_words(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(one)}" for name, one in flatten(value))
    if isinstance(value, list | tuple):
        return "; ".join(map(in_words, value))
    return f"{value:,}" if isinstance(value, int) and value > _LARGEST_PLAIN else str(value)


def values_of(value: Any) -> list[str]:
    """One value or many as texts, the primary one first; of an object its name, with the number of an arm."""
    many = value if isinstance(value, list | tuple) else [value]
    return list(dict.fromkeys(filter(None, map(_one_value, many))))


def _one_value(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, Mapping):
        return " ".join(in_words(value).split())
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    if name is None:
        return in_words(value)
    size = value.get("n")
    return f"{name} (n = {in_words(size)})" if isinstance(size, int) and not isinstance(size, bool) else name


def comparison_of(extraction: Mapping[str, Any]) -> str:
    """``synthestatin v placebo``; the intervention alone where nothing is compared with."""
    stated = canonical_fields(extraction)
    parts = (values_of(stated.get(name))[:1] for name in ("intervention", "comparator"))
    return " v ".join(text for part in parts for text in part)


def more_than(values: Sequence[str]) -> Iterator[str]:
    """Those that a table shows, and how many more there are."""
    yield from values[:SHOWN_VALUES]
    if len(values) > SHOWN_VALUES:
        yield f"and {len(values) - SHOWN_VALUES} more"


def effect_numbers(effect: Effect) -> str:
    """``0.71 (0.55 to 0.92)``; the level only where it is not the usual one."""
    value = plain_number(effect.value)
    if not effect.has_interval or effect.low is None or effect.high is None:
        return value
    level = f", {plain_number(effect.level)}%" if effect.level != USUAL_LEVEL else ""
    return f"{value} ({plain_number(effect.low)} to {plain_number(effect.high)}{level})"


def effect_in_words(effect: Effect) -> str:
    """``HR 0.71 (0.55 to 0.92)``."""
    return f"{effect.measure or 'Effect'} {effect_numbers(effect)}"
