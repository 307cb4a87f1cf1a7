"""Entries of lists of objects: arms, and outcomes with their results, as a schema's parts ask for them. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from biofact.literature.extraction.coercion import coerce
from biofact.literature.extraction.fields import SchemaField
from biofact.literature.extraction.findings import Value
from biofact.literature.extraction.meanings import MEMBERS
from biofact.literature.extraction.rules.effects import direction
from biofact.literature.extraction.rules.p_values import significance
from biofact.literature.extraction.selection import fits_measure, plain_name

_OF_EFFECT = frozenset(("measure", "value", "low", "high", "level", "favours", "direction"))
"""Parts of the effect that stand beside the outcome's name in a flat row."""
_CANONICAL = {"effect": "effect_size", "interval": "confidence_interval", "p_value": "p_value"}
"""What parts of a row are to the rules."""


def row(parts: Sequence[SchemaField], stated: Any, canonical: str) -> dict[str, Value]:
    """What is stated, under the names that the schema gives its parts; parts that are not stated are not there."""
    members = MEMBERS.get(canonical, {})
    stated = _of_measure(parts, stated)
    value: dict[str, Value] = {}
    for part in parts:
        plain = plain_name(part.name)
        member = next((member for member, names in members.items() if plain in names), None)
        found = None if member is None else member_value(stated, member)
        if found is None:
            continue
        inner = _CANONICAL.get(str(member))
        made = row(part.fields, found, str(inner)) if part.fields else coerce(found, part, inner)
        value |= {part.name: made} if made not in (None, {}) else {}
    return value


def _of_measure(parts: Sequence[SchemaField], stated: Any) -> Any:
    """The row without an effect, and its interval, of another measure than the name of a part asks for."""
    effect = stated.get("effect") if isinstance(stated, Mapping) else None
    if effect is None or all(fits_measure(plain_name(part.name), effect) for part in parts):
        return stated
    return {name: value for name, value in stated.items() if name not in {"effect", "interval"}}


def member_value(stated: Any, member: str) -> Any:
    """The part of a finding's object; what follows from others is worked out."""
    if not isinstance(stated, Mapping):
        return None
    if member in _OF_EFFECT and isinstance(stated.get("effect"), Mapping):
        stated = stated["effect"]
    match member:
        case "direction":
            return direction(dict(stated))
        case "significant":
            return significance(stated["p_value"]) if isinstance(stated.get("p_value"), Mapping) else None
        case "rank" if "primary" in stated:
            return "primary" if stated["primary"] else "secondary"
        case _:
            return stated.get(member)
