"""A value in the type and among the members that a schema asks for, where its meaning survives. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.findings import Value
from biofact.literature.extraction.schema import Scalar, SchemaField

_SYNONYMS: tuple[tuple[str, ...], ...] = (
    ("randomized controlled trial", "rct", "randomized trial", "randomized clinical trial"),
    ("secondary analysis of a randomized trial", "secondary analysis", "post hoc analysis", "post hoc"),
    ("clinical trial", "trial", "controlled clinical trial", "interventional study", "interventional"),
    ("meta analysis", "metaanalysis", "systematic review and meta analysis"),
    ("systematic review", "systematic literature review"),
    ("review", "narrative review", "literature review", "review article"),
    ("cohort study", "cohort", "longitudinal study", "longitudinal"),
    ("case control study", "case control"),
    ("cross sectional study", "cross sectional"),
    ("observational study", "observational"),
    ("case report", "case reports", "case study"),
    ("case series",),
    ("animal study", "animal", "animal experiment", "in vivo", "in vivo study", "preclinical", "preclinical study"),
    ("in vitro study", "in vitro", "cell study", "laboratory study"),
    ("computational study", "computational", "in silico", "in silico study", "modeling study", "simulation study"),
    ("qualitative study", "qualitative", "qualitative research"),
    ("genetic association study", "gwas", "genome wide association study"),
    ("diagnostic study", "diagnostic accuracy study", "diagnostic test accuracy study", "diagnostic"),
    ("protocol", "study protocol", "trial protocol"),
    ("guideline", "practice guideline", "clinical practice guideline", "clinical guideline"),
    ("editorial",),
    ("significant", "yes", "statistically significant"),
    ("not significant", "no", "non significant", "nonsignificant", "not statistically significant"),
)  # fmt: skip
"""Names of one thing, the rules' own first."""
_BROADER_KIND: dict[str, str] = {
    "randomized controlled trial": "clinical trial",
    "cohort study": "observational study",
    "case control study": "observational study",
    "cross sectional study": "observational study",
    "meta analysis": "systematic review",
    "systematic review": "review",
}
"""The kind of study that includes each of these."""
_SYNONYMS_OF = {name: names for names in _SYNONYMS for name in names}


def member_for(value: Scalar, members: Sequence[Scalar]) -> Scalar | None:
    """The member equal to a value: the same, else with another spelling, else a synonym, else of a broader kind."""
    if isinstance(value, bool) or not isinstance(value, str):
        return next((member for member in members if member == value and not isinstance(member, bool)), None)
    # reversed, so that of members spelled alike the first stands
    by_spelling = {_spelling(member): member for member in reversed(members) if isinstance(member, str)}
    kind: str | None = _spelling(value)
    while kind is not None:
        names = _SYNONYMS_OF.get(kind, (kind,))
        result = next((by_spelling[name] for name in (kind, *names) if name in by_spelling), None)
        if result is not None:
            return result
        kind = _BROADER_KIND.get(names[0])
    return None


def _spelling(text: str) -> str:
    """Small letters, single blanks, American spelling."""
    plain = re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
    return plain.replace("randomis", "randomiz").replace("modelling", "modeling")


_NUMBER = re.compile(r"[-\u2212+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.\u00b7]\d+)?\s?%?")
_YES = frozenset(("yes", "true", "y"))
_NO = frozenset(("no", "false", "n"))
_LARGEST = 1e15  # of a number that is written out
_IN_DAYS = {"day": 1, "week": 7}
_IN_MONTHS = {"month": 1, "year": 12}
_UNITS = re.compile(r"(?<![a-z])(day|week|month|year)s?(?![a-z])|(?<![a-z])(yrs?|mos?|wks?)(?![a-z])")
_ANY_NUMBER = SchemaField("", "", "number")
_SHORT_UNITS = {"yr": "year", "mo": "month", "wk": "week"}


def coerce(  # noqa: PLR0911  # one a type
    value: Any, field: SchemaField, canonical: str | None = None
) -> Value | None:
    """The value in the type of the field; None where that would change its meaning.

    ``canonical``: the field of the rules that the value comes from, by which its objects are understood.
    """
    match field.kind:
        case "array":
            return _list_value(value, field, canonical)
        case "object":
            return value if isinstance(value, dict) and value else None
        case "boolean":
            return _truth(value, canonical)
        case "number" | "integer":
            return _member(_number(value, field, canonical), field)
        case "date":
            return value if isinstance(value, str) and not any(field.problems(value)) else None
        case "any" if isinstance(value, int | float):
            return _member(value, field)
        case _:
            return _member(_text(value, canonical), field)


def _member(value: Value | None, field: SchemaField) -> Value | None:
    """The member of the field's enum that the value is; the value itself where there is no enum."""
    if value is None or not field.enum or isinstance(value, list | dict):
        return value
    return member_for(value, field.enum)


def _list_value(value: Any, field: SchemaField, canonical: str | None) -> Value | None:
    items = field.items
    if items is None:
        return None
    if canonical == "confidence_interval" and isinstance(value, dict) and items.kind in {"number", "any"}:
        value = [value["low"], value["high"]]
    elif canonical and isinstance(value, dict) and value.get("accessions"):
        value = value["accessions"]
    entries = (coerce(entry, items, canonical) for entry in (value if isinstance(value, list) else [value]))
    return [entry for entry in entries if entry is not None] or None


def _truth(value: Any, canonical: str | None) -> bool | None:
    if isinstance(value, bool):
        return value
    if canonical is not None and canonical in FIELDS and FIELDS[canonical].is_presence:
        return not (isinstance(value, dict) and value.get("is_available") is False) if value else None
    word = value.strip().lower() if isinstance(value, str) else ""
    return True if word in _YES else False if word in _NO else None


def _number(value: Any, field: SchemaField, canonical: str | None) -> float | None:
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(value, dict) and canonical:
        value = _duration(value, field) if canonical in FIELDS and FIELDS[canonical].is_duration else value.get("value")
    if isinstance(value, str):
        text = value.strip()
        digits = text.rstrip("% ").replace(",", "").replace("\u2212", "-").replace("\u00b7", ".")
        value = float(digits) if _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or any(_ANY_NUMBER.problems(value)):
        return None
    is_whole = float(value).is_integer()
    return int(value) if is_whole else value if field.kind == "number" else None


def requested_unit(field: SchemaField) -> str | None:
    """The unit of time that a field's name or description asks for, if it is one."""
    words = re.sub(r"[^a-z]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", f"{field.name} {field.description}").lower())
    units = {match[1] or _SHORT_UNITS[match[2].rstrip("s")] for match in _UNITS.finditer(words)}
    return units.pop() if len(units) == 1 else None


def _duration(value: Mapping[str, Any], field: SchemaField) -> float | None:
    """A duration in the unit asked for: weeks and days, and years and months, convert exactly."""
    unit, target_unit, amount = str(value.get("unit")), requested_unit(field), value.get("value")
    if target_unit is None or not isinstance(amount, int | float):
        return None
    for worth in (_IN_DAYS, _IN_MONTHS):
        if unit in worth and target_unit in worth:
            return amount * worth[unit] / worth[target_unit]
    return None


def _text(value: Any, canonical: str | None) -> str | None:  # noqa: PLR0911  # one a type
    match value:
        case bool() if canonical == "statistical_significance":
            return "significant" if value else "not significant"
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip() or None
        case int() | float():
            return f"{value:.15g}" if abs(value) < _LARGEST and not math.isnan(value) else None
        case list():
            texts = [_text(entry, canonical) for entry in value if not isinstance(entry, list)]
            return "; ".join(text for text in texts if text) or None
        case dict() if canonical:
            return _object_as_text(value)
        case _:
            return None


def _object_as_text(value: Mapping[str, Any]) -> str | None:  # noqa: PLR0911  # one a shape
    """An object of the rules in one line, such as ``HR 0.74 (95% CI 0.52-1.05)``."""
    match value:
        case {"operator": operator, "value": number}:
            return f"p{operator}{number:.15g}"
        case {"measure": measure, "value": number, "low": _, "high": _}:
            return f"{measure} {number:.15g} ({_interval(value)})"
        case {"measure": measure, "value": number}:
            return f"{measure} {number:.15g}"
        case {"low": _, "high": _}:
            return _interval(value)
        case {"text": str(text)} | {"name": str(text)}:
            return text
        case {"repository": repository, "accessions": list(accessions)}:
            return f"{repository}: {', '.join(map(str, accessions))}"
        case _:
            return None


def _interval(value: Mapping[str, Any]) -> str:
    low, high = (f"{value[name]:.15g}" for name in ("low", "high"))
    # -0.5--0.3 would be hard to read
    dash = " to " if "-" in low + high else "-"
    level = f"{value['level']:.15g}% " if "level" in value else ""
    return f"{level}CI {low}{dash}{high}"
