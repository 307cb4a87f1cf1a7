"""Effects that an article states, in one shape whatever the schema, and short texts of its values. Pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.literature.extraction.fields.effects import RATIOS
from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.ranking.records import flatten
from biofact.literature.report.markup import plain_number
from biofact.literature.report.view import canonical_fields

IN_UNITS = frozenset({"MD", "WMD", "RD", "beta", "ES"})
"""Measures whose size depends on the unit or scale of the outcome, so that two of them are not on one axis."""
NOT_PLOTTED = frozenset({"NNT"})
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
    """An effect as stated, in the direction of its number."""

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
        return self.has_interval and bool(self.measure) and self.measure not in NOT_PLOTTED and is_possible


def effects_of(extraction: Mapping[str, Any]) -> list[Effect]:
    """Every effect of an article, the main one first; the same one stated in two fields is listed once."""
    names = [name for name in extraction if canonical_field(name) == "effect_size"]
    own_effects = (effect for name in names for effect in _field_effects(name, extraction[name], extraction))
    outcome_effects = (effect for value in extraction.values() for effect in _outcome_effects(value))
    by_key: dict[tuple[str, float], Effect] = {}
    for effect in (*own_effects, *outcome_effects):
        key = (effect.measure, effect.value)
        if key not in by_key or (effect.has_interval and not by_key[key].has_interval):
            by_key[key] = effect
    return list(by_key.values())


def _field_effects(name: str, value: Any, extraction: Mapping[str, Any]) -> Iterator[Effect]:
    """The effects in a field; a bare number has the measure in the field's name."""
    entries = value if isinstance(value, list | tuple) else [value]
    for place, entry in enumerate(entries):
        fields = dict(entry) if isinstance(entry, Mapping) else {"value": entry, "measure": _measure_of_name(name)}
        if place == 0 and not _has_ends(fields):
            own_fields = (value for name, value in extraction.items() if canonical_field(name) == "confidence_interval")
            fields |= {"interval": next(own_fields, None)}
        effect = _effect(fields)
        if effect is not None:
            yield effect


def _outcome_effects(value: Any) -> Iterator[Effect]:
    """The effects in a list of outcomes, primary outcomes first."""
    rows = [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []
    for row in sorted(rows, key=lambda row: not row.get("primary")):
        value = row.get("effect")
        if value is None:
            continue
        fields = dict(value) if isinstance(value, Mapping) else {"value": value, "measure": row.get("measure")}
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
    interval_fields = interval if isinstance(interval, Mapping) else {}
    pair = list(interval) if isinstance(interval, list | tuple) and len(interval) == _ENDS else [None, None]
    low, high = (
        _number(end if (end := _first(fields, keys)) is not None else _first(interval_fields, keys, pair[place]))
        for place, keys in enumerate((_LOW_KEYS, _HIGH_KEYS))
    )
    level = _number(fields.get("level", interval_fields.get("level")))
    return low, high, level if level is not None else USUAL_LEVEL


def _has_ends(fields: Mapping[str, Any]) -> bool:
    return _ends(fields)[0] is not None


def _measure(value: Any) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return _ALIASES.get(text.casefold(), text)


def _measure_of_name(name: str) -> str:
    words = name.replace("_", " ").removesuffix(" value").strip()
    return _ALIASES.get(words, words.upper() if words.upper() in RATIOS else "")


def _first(fields: Mapping[str, Any], names: Sequence[str], default: Any = None) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), default)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_number else None


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


SHOWN_VALUES = 3
"""Values of a list in a table; the article's card has the rest."""
_LARGEST_PLAIN = 9999  # without separators, so that years have none
_NAME_KEYS = ("name", "value", "label", "outcome")


def in_words(value: Any) -> str:
    """A value as text for readers."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {in_words(entry)}" for name, entry in flatten(value))
    if isinstance(value, list | tuple):
        return "; ".join(map(in_words, value))
    return f"{value:,}" if isinstance(value, int) and value > _LARGEST_PLAIN else str(value)


def values_of(value: Any) -> list[str]:
    """One value or a list as texts, the primary one first; an object is its name, with the size of an arm."""
    entries = value if isinstance(value, list | tuple) else [value]
    return list(dict.fromkeys(filter(None, map(_one_value, entries))))


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
    """``synthestatin v placebo``; the intervention alone without a comparator."""
    fields = canonical_fields(extraction)
    parts = (values_of(fields.get(name))[:1] for name in ("intervention", "comparator"))
    return " v ".join(text for part in parts for text in part)


def shown_values(values: Sequence[str]) -> Iterator[str]:
    """The values for a table, and the number of the others."""
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
