"""What the names of a schema mean to the rules: fields, parts of their objects, and lists of rows. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biofact.literature.extraction import record_fields, rules
from biofact.literature.extraction.coercion import PRESENCES, TYPES, requested_unit
from biofact.literature.extraction.fields import SchemaField
from biofact.literature.extraction.selection import plain_name

_EFFECTS = frozenset(("effect_size", "confidence_interval", "p_value", "statistical_significance"))
_NEUTRAL = frozenset(
    (
        "study", "study_details", "article", "paper", "design", "method", "methods", "result", "results", "finding",
        "findings", "main_result", "main_finding", "statistics", "stats", "details", "metadata", "trial", "quality",
        "pico", "picos", "characteristics", "study_characteristics", "summary", "availability", "overview", "key_facts",
    )
)  # fmt: skip
"""Names of objects that only gather; those that narrow what is meant, such as ``women``, are not ours to fill."""
_GENERIC = frozenset(("value", "name", "text", "description", "label", "statement", "count", "number", "total"))
"""Names for what an object is about."""
_COUNTS = frozenset(("count", "total", "number", "n", "size"))
_YES_NO = frozenset(("available", "is_available", "shared", "is_shared", "open", "is_open", "public", "is_public"))
_UNIT = re.compile(r"_(?:in_)?(?:days?|weeks?|months?|years?)$")
_BOUNDS: Mapping[str, tuple[str, ...]] = {
    "low": ("low", "lower", "ci_low", "ci_lower", "lower_ci", "lower_bound", "lower_limit", "min"),
    "high": ("high", "upper", "ci_high", "ci_upper", "upper_ci", "upper_bound", "upper_limit", "max"),
    "level": ("level", "ci_level", "confidence_level"),
}
_NAMES = ("name", "label", "description", "title", "text")
_ESTIMATE: Mapping[str, tuple[str, ...]] = {
    "value": ("value", "estimate", "point_estimate", "number", "size", "effect"),
    "measure": ("measure", "type", "metric", "name", "kind", "statistic"),
    "favours": ("favours", "favors", "in_favour_of", "in_favor_of"),
    "direction": ("direction", "effect_direction"),
    **_BOUNDS,
}
MEMBERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "effect_size": _ESTIMATE,
    "confidence_interval": _BOUNDS,
    "p_value": {"value": ("value", "number"), "operator": ("operator", "sign", "comparison"), "text": ("text",)},
    "arms": {
        "name": (*_NAMES, "arm", "group", "treatment", "intervention", "arm_name", "group_name"),
        "n": (
            "n", "size", "number", "count", "total", "participants", "patients", "subjects", "sample_size", "value",
            "n_patients", "n_participants", "number_of_participants", "number_of_patients", "participant_count",
            "n_randomized", "n_randomised", "arm_size", "group_size",
        ),
    },
    "outcome_results": {
        "name": (*_NAMES, "outcome", "endpoint", "end_point", "outcome_name", "outcome_measure", "variable"),
        "primary": ("primary", "is_primary", "primary_outcome", "is_primary_outcome"),
        "rank": ("type", "role", "rank", "hierarchy", "kind"),
        "effect": (
            "effect", "effect_size", "estimate", "effect_estimate", "treatment_effect", "effect_value", "hazard_ratio",
            "odds_ratio", "risk_ratio", "relative_risk", "rate_ratio", "mean_difference", "hr", "or", "rr",
        ),
        "interval": ("interval", "ci", "confidence_interval", "ci_95", "ci95", "95_ci", "95_confidence_interval"),
        "p_value": ("p_value", "p", "pvalue", "p_val"),
        "comparator": ("comparator", "comparison", "control", "versus", "compared_with", "compared_to", "reference"),
        "significant": ("significant", "is_significant", "statistically_significant", "statistical_significance"),
        "measure": ("measure", "effect_measure", "metric", "statistic"),
        "value": ("value", "point_estimate"),
        "favours": _ESTIMATE["favours"],
        "direction": _ESTIMATE["direction"],
        **_BOUNDS,
    },
    "performance_improvement": {"value": ("value", "number", "percent"), "unit": ("unit",), "text": ("text",)},
    "follow_up": {"value": ("value", "number"), "unit": ("unit", "units"), "text": ("text", "description")},
    "data_availability": {"repository": ("repository",), "accessions": ("accessions",), "url": ("url", "link")},
    "code_availability": {"repository": ("repository",), "url": ("url", "link")},
}  # fmt: skip
"""The parts of the rules' objects, and what schemas call them."""
_RESULT_LISTS = frozenset(
    ("results", "result", "findings", "main_results", "comparisons", "outcome_results", "estimates")
)
"""Names of lists that are of outcomes where their entries name one."""
_STATISTICS = ("effect", "interval", "p_value", "value")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a leaf is to the rules."""

    canonical: str
    member: str | None = None
    """The part of the finding's object that is asked for."""
    is_of_record: bool = False
    """A field of the record rather than one of the rules."""


def leaves_of(
    fields: tuple[SchemaField, ...], group: SchemaField | None
) -> Iterator[tuple[SchemaField, SchemaField | None]]:
    """Every leaf with the object that it is part of; those in the entries of a list likewise."""
    for each in fields:
        if each.is_group:
            yield from leaves_of(each.fields, each)
        elif each.holds_groups and each.items is not None:
            yield from ((part, each) for part in each.items.fields if not part.fields and not part.holds_groups)
        else:
            yield each, group


def meaning_of(leaf: SchemaField, group: SchemaField | None) -> Meaning | None:
    """What a leaf, or a part of an object, is to the rules; nothing where they cannot read it or its type."""
    meaning = _top_level_meaning(leaf) if group is None else _part_meaning(leaf, group)
    if meaning is None or meaning.member is not None or meaning.is_of_record:
        return meaning
    if leaf.kind not in TYPES[meaning.canonical]:
        return None
    needs_unit = meaning.canonical == "follow_up" and leaf.kind in {"number", "integer"}
    return None if needs_unit and requested_unit(leaf) is None else meaning


def _top_level_meaning(leaf: SchemaField) -> Meaning | None:
    canonical = canonical_name(leaf.name)
    if canonical is not None:
        return Meaning(canonical)
    name = record_fields.field_of_record(plain_name(leaf.name), leaf.items.kind if leaf.items else leaf.kind)
    return None if name is None else Meaning(name, is_of_record=True)


def canonical_name(name: str) -> str | None:
    """The field of the rules that a name means; of several things, and of durations with their unit, too."""
    plain = plain_name(name)
    spellings = (name, plain.removesuffix("s"), _UNIT.sub("", plain))
    return next((result for spelling in spellings if (result := rules.canonical(spelling)) is not None), None)


def _part_meaning(leaf: SchemaField, group: SchemaField) -> Meaning | None:
    """What a part of an object means: of the thing that the object is about, or by its own name in one that gathers."""
    name, about = plain_name(leaf.name), canonical_name(group.name)
    own, joined = canonical_name(leaf.name), rules.canonical(f"{group.name}_{leaf.name}")
    is_neutral = plain_name(group.name) in _NEUTRAL
    members = MEMBERS.get(about or "", {})
    member = next((member for member, names in members.items() if name in names), None)
    if member is not None:
        return Meaning(str(about), member)
    if joined is not None and not group.holds_groups:
        return Meaning(joined)
    if (whole := _whole_meaning(about, leaf, name)) is not None:
        return Meaning(whole)
    if about is not None and not is_neutral:
        is_same = name in _GENERIC or own == about or (own in _EFFECTS and about in _EFFECTS and not group.holds_groups)
        return Meaning(own if own in _EFFECTS and about in _EFFECTS else about) if is_same else None
    if own is not None and is_neutral and not group.holds_groups:
        return Meaning(own)
    return Meaning(about) if about is not None and name in {"type", "design", *_GENERIC} else None


def _whole_meaning(about: str | None, leaf: SchemaField, name: str) -> str | None:
    """The field that a part stands for as a whole: how many a population is, whether code is available."""
    if about == "population" and leaf.kind in {"number", "integer"} and name in _COUNTS:
        return "sample_size"
    return about if about in PRESENCES and leaf.kind == "boolean" and name in _YES_NO else None


def rows_meant(leaf: SchemaField) -> str | None:
    """What the entries of a list of objects are: arms, or outcomes with their results; none for other lists."""
    parts = leaf.items.fields if leaf.holds_groups and leaf.items else ()
    names = {plain_name(part.name) for part in parts}
    about = canonical_name(leaf.name)
    if about == "arms" or (about == "intervention" and not names.isdisjoint(MEMBERS["arms"]["n"])):
        return "arms"
    outcomes = MEMBERS["outcome_results"]
    has_statistics = any(not names.isdisjoint(outcomes[member]) for member in _STATISTICS)
    is_named = not names.isdisjoint(set(outcomes["name"]) - set(_NAMES))
    is_list = plain_name(leaf.name) in _RESULT_LISTS or about == "effect_size"
    return "outcome_results" if parts and (about == "outcome" or (is_list and is_named and has_statistics)) else None
