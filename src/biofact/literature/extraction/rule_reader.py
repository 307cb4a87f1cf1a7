"""One article read by rules: what its schema's names mean to them, and what they find. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from biofact.literature.extraction import record_fields, rules
from biofact.literature.extraction.coercion import PRESENCES, TYPES, coerce, requested_unit
from biofact.literature.extraction.fields import SchemaField
from biofact.literature.extraction.findings import Finding, Value
from biofact.literature.extraction.outcomes import Outcome
from biofact.literature.extraction.rules.effects import direction
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.extraction.selection import matching_findings, plain_name
from biofact.sources.pubmed.records import CanonicalPubMedArticle

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
_MEMBERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "effect_size": {
        "value": ("value", "estimate", "point_estimate", "number", "size", "effect"),
        "measure": ("measure", "type", "metric", "name", "kind", "statistic"),
        "favours": ("favours", "favors", "in_favour_of", "in_favor_of"),
        "direction": ("direction", "effect_direction"),
        **_BOUNDS,
    },
    "confidence_interval": _BOUNDS,
    "p_value": {"value": ("value", "number"), "operator": ("operator", "sign", "comparison"), "text": ("text",)},
    "performance_improvement": {"value": ("value", "number", "percent"), "unit": ("unit",), "text": ("text",)},
    "follow_up": {"value": ("value", "number"), "unit": ("unit", "units"), "text": ("text", "description")},
    "data_availability": {"repository": ("repository",), "accessions": ("accessions",), "url": ("url", "link")},
    "code_availability": {"repository": ("repository",), "url": ("url", "link")},
}


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a leaf is to the rules."""

    canonical: str
    member: str | None = None
    """The part of the finding's object that is asked for."""
    is_of_record: bool = False
    """A field of the record rather than one of the rules."""


@dataclass(frozen=True)
class RuleReader:
    """Reads articles by one schema; what its names mean is worked out once."""

    schema: ExtractionSchema
    _meanings: dict[str, _Meaning] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for leaf, group in _leaves(self.schema.fields, None):
            if (meaning := _meaning(leaf, group)) is not None:
                self._meanings[leaf.path] = meaning

    @cached_property
    def not_read(self) -> tuple[str, ...]:
        """The fields that rules cannot read, by dotted path."""
        return tuple(leaf.path for leaf in self.schema.leaves if not self._is_read(leaf))

    def read(self, article: CanonicalPubMedArticle) -> Outcome:
        """What the article states of the fields that rules can read."""
        found = self._read_fields(article)
        outcome = Outcome(method="rules")
        for leaf in self.schema.leaves:
            findings = list(self._rows(leaf, found) if leaf.holds_groups else self._leaf_findings(leaf, found))
            if not findings:
                continue
            kept = findings if leaf.kind == "array" else findings[:1]
            value: Any = [finding.value for finding in kept] if leaf.kind == "array" else kept[0].value
            outcome.add(leaf, value, kept)
        return outcome

    def _read_fields(self, article: CanonicalPubMedArticle) -> dict[str, Finding]:
        """The requested fields as found by the rules and in the record."""
        by_rules = {meaning.canonical for meaning in self._meanings.values() if not meaning.is_of_record}
        of_record = {meaning.canonical for meaning in self._meanings.values() if meaning.is_of_record}
        held = {name: record_fields.record_finding(article, name) for name in of_record}
        return rules.found(article, by_rules) | {name: finding for name, finding in held.items() if finding}

    def _is_read(self, leaf: SchemaField) -> bool:
        if not leaf.holds_groups:
            return leaf.path in self._meanings
        return any(part.path in self._meanings for part in (leaf.items.fields if leaf.items else ()))

    def _leaf_findings(self, leaf: SchemaField, found: Mapping[str, Finding]) -> Iterator[Finding]:
        """The values of one leaf, the best first; the entries of a list one by one."""
        meaning = self._meanings.get(leaf.path)
        if meaning is None or meaning.canonical not in found:
            return
        finding = found[meaning.canonical]
        is_part = meaning.member is not None  # whose name says which part, not which finding
        fitting = (finding, *finding.others) if is_part else matching_findings(leaf.name, meaning.canonical, finding)
        for each in fitting:
            yield from _convert(leaf, meaning, each)

    def _rows(self, leaf: SchemaField, found: Mapping[str, Finding]) -> Iterator[Finding]:
        """The entries of a list of objects: one for each finding of the thing that the list is of."""
        parts = leaf.items.fields if leaf.items else ()
        meanings = {part.name: self._meanings[part.path] for part in parts if part.path in self._meanings}
        canonical = next((meaning.canonical for meaning in meanings.values()), "")
        for finding in matching_findings(leaf.name, canonical, found[canonical]) if canonical in found else ():
            row: dict[str, Value] = {}
            for part in parts:
                if part.name in meanings:
                    converted = next(_convert(part, meanings[part.name], finding), None)
                    row |= {} if converted is None else {part.name: converted.value}
            if row:
                yield Finding(row, finding.evidence, is_derived=finding.is_derived)


def _convert(leaf: SchemaField, meaning: _Meaning, finding: Finding) -> Iterator[Finding]:
    """The finding as the leaf wants it; nothing where its meaning would change."""
    value: Any = finding.value
    canonical: str | None = meaning.canonical
    if meaning.member is not None:
        value = _member_value(value, meaning.member)
        canonical = None
    converted = None if value is None else coerce(value, leaf, canonical)
    if converted is None:
        return
    pairs = len(finding.evidence) == len(converted) if isinstance(converted, list) else False
    for place, entry in enumerate(converted if isinstance(converted, list) and leaf.kind == "array" else [converted]):
        evidence = (finding.evidence[place],) if pairs else finding.evidence
        yield Finding(entry, evidence, is_derived=finding.is_derived)


def _member_value(value: Any, member: str) -> Value | None:
    """The part of a finding's object; the direction of an effect is worked out."""
    if not isinstance(value, dict):
        return None
    return direction(value) if member == "direction" else value.get(member)


def _leaves(
    fields: tuple[SchemaField, ...], group: SchemaField | None
) -> Iterator[tuple[SchemaField, SchemaField | None]]:
    """Every leaf with the object that it is part of; those in the entries of a list likewise."""
    for each in fields:
        if each.is_group:
            yield from _leaves(each.fields, each)
        elif each.holds_groups and each.items is not None:
            yield from ((part, each) for part in each.items.fields if not part.fields and not part.holds_groups)
        else:
            yield each, group


def _meaning(leaf: SchemaField, group: SchemaField | None) -> _Meaning | None:
    meaning = _top_level_meaning(leaf) if group is None else _part_meaning(leaf, group)
    if meaning is None or meaning.member is not None or meaning.is_of_record:
        return meaning
    if leaf.kind not in TYPES[meaning.canonical]:
        return None
    needs_unit = meaning.canonical == "follow_up" and leaf.kind in {"number", "integer"}
    return None if needs_unit and requested_unit(leaf) is None else meaning


def _top_level_meaning(leaf: SchemaField) -> _Meaning | None:
    canonical = _canonical(leaf.name)
    if canonical is not None:
        return _Meaning(canonical)
    name = record_fields.field_of_record(plain_name(leaf.name), leaf.items.kind if leaf.items else leaf.kind)
    return None if name is None else _Meaning(name, is_of_record=True)


def _canonical(name: str) -> str | None:
    """The field of the rules that a name means; of several things, and of durations with their unit, too."""
    plain = plain_name(name)
    spellings = (name, plain.removesuffix("s"), _UNIT.sub("", plain))
    return next((result for spelling in spellings if (result := rules.canonical(spelling)) is not None), None)


def _part_meaning(leaf: SchemaField, group: SchemaField) -> _Meaning | None:
    """What a part of an object means: of the thing that the object is about, or by its own name in one that gathers."""
    name, about = plain_name(leaf.name), _canonical(group.name)
    own, joined = _canonical(leaf.name), rules.canonical(f"{group.name}_{leaf.name}")
    is_neutral = plain_name(group.name) in _NEUTRAL
    members = _MEMBERS.get(about or "", {})
    member = next((member for member, names in members.items() if name in names), None)
    if member is not None:
        return _Meaning(str(about), member)
    if joined is not None and not group.holds_groups:
        return _Meaning(joined)
    if (whole := _whole_meaning(about, leaf, name)) is not None:
        return _Meaning(whole)
    if about is not None and not is_neutral:
        is_same = name in _GENERIC or own == about or (own in _EFFECTS and about in _EFFECTS and not group.holds_groups)
        return _Meaning(own if own in _EFFECTS and about in _EFFECTS else about) if is_same else None
    if own is not None and is_neutral and not group.holds_groups:
        return _Meaning(own)
    return _Meaning(about) if about is not None and name in {"type", "design", *_GENERIC} else None


def _whole_meaning(about: str | None, leaf: SchemaField, name: str) -> str | None:
    """The field that a part stands for as a whole: how many a population is, whether code is available."""
    if about == "population" and leaf.kind in {"number", "integer"} and name in _COUNTS:
        return "sample_size"
    return about if about in PRESENCES and leaf.kind == "boolean" and name in _YES_NO else None
