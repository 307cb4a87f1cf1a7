"""Short texts of what an article states: one value or a list of them, what was compared, effects. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biofact.literature.ranking.records import flatten
from biofact.literature.report.effects import USUAL_LEVEL, Effect
from biofact.literature.report.markup import plain_number
from biofact.literature.report.signals import canonical_fields

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
