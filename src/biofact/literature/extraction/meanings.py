"""The meanings of a schema's names: fields of the rules or the record, parts of objects, lists of rows. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.literature.extraction.coercion import requested_unit
from biofact.literature.extraction.fields import FIELDS
from biofact.literature.extraction.fields.field import plain_name
from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.schema import Kind, SchemaField
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FIELD_OF_NAME: Mapping[str, str] = {
    name: field.name for field in FIELDS.values() if not field.is_row for name in field.all_names
}
LEADING_WORD = re.compile(r"^(?:the|study|article|paper|has|is|reported|stated)_")
"""As in: the_reported_effect, reported_effect."""


def canonical_field(name: str) -> str | None:
    """The field of the rules that a schema's name means; None if rules have no such field."""
    plain = plain_name(name)
    return FIELD_OF_NAME.get(plain) or FIELD_OF_NAME.get(LEADING_WORD.sub("", plain))


Texts = Callable[[CanonicalPubMedArticle], list[str]]

_RECORD_KINDS: frozenset[Kind] = frozenset(("string", "array", "any"))
_NUMBER_KINDS: frozenset[Kind] = frozenset(("number", "integer"))
_DATE_KINDS: frozenset[Kind] = frozenset(("date",))

_RECORD_NAMES: Mapping[str, str] = {
    "title": "title article_title paper_title",
    "year": "year publication_year pub_year year_of_publication published_year",
    "publication_date": "publication_date date_of_publication pub_date published date",
    "journal": "journal journal_name journal_title",
    "doi": "doi",
    "authors": "authors author_list author_names",
    "keywords": "keywords key_words author_keywords",
    "mesh": "mesh mesh_terms mesh_headings",
    "grants": "funding funders funding_sources funder grants sponsors",
    "conflict_of_interest": "conflict_of_interest conflicts_of_interest competing_interests coi",
    "language": "language languages",
}
_RECORD_FIELDS = {name: field for field, names in _RECORD_NAMES.items() for name in names.split()}
_RECORD_TEXTS: Mapping[str, Texts] = {
    "mesh": lambda article: [heading.name for heading in article.mesh],
    "grants": lambda article: list(dict.fromkeys(grant.agency for grant in article.grants if grant.agency)),
}


def field_of_record(plain_name: str, kind: Kind) -> str | None:
    """The field of a record that a name means, where it can be expressed as that kind."""
    name = _RECORD_FIELDS.get(plain_name)
    further_kinds: Mapping[str | None, frozenset[Kind]] = {"year": _NUMBER_KINDS, "publication_date": _DATE_KINDS}
    return name if kind in _RECORD_KINDS | further_kinds.get(name, frozenset()) else None


def record_finding(article: CanonicalPubMedArticle, name: str) -> Finding | None:
    """The value of a field of the record; None if it is empty."""
    value: Any = _RECORD_TEXTS[name](article) if name in _RECORD_TEXTS else getattr(article, name)
    if not value:
        return None
    if name == "title":
        return Finding(value, (span("title", value, 0, len(value)),))
    quotes = value if isinstance(value, list) else [str(value)]
    return Finding(value, tuple(Evidence(where=name, quote=quote) for quote in quotes))


def matching_findings(name: str, canonical: str, finding: Finding) -> list[Finding]:
    """The finding and its alternatives that fit the field's name; the best stays first."""
    field, plain = FIELDS.get(canonical), plain_name(name)
    if field is None:  # one of the record
        return [*finding.series]
    return [match for candidate in finding.series for match in field.narrow(plain, candidate)]


_EFFECTS = frozenset(("effect_size", "confidence_interval", "p_value", "statistical_significance"))
_NEUTRAL = frozenset(
    (
        "study", "study_details", "article", "paper", "design", "method", "methods", "result", "results", "finding",
        "findings", "main_result", "main_finding", "statistics", "stats", "details", "metadata", "trial", "quality",
        "pico", "picos", "characteristics", "study_characteristics", "summary", "availability", "overview", "key_facts",
    )
)  # fmt: skip
"""Names of objects that only gather fields; names that narrow the meaning, such as ``women``, are left unfilled."""
_GENERIC = frozenset(("value", "name", "text", "description", "label", "statement", "count", "number", "total"))
"""Names of the part that is the object's own value."""
_COUNTS = frozenset(("count", "total", "number", "n", "size"))
_YES_NO = frozenset(("available", "is_available", "shared", "is_shared", "open", "is_open", "public", "is_public"))
_UNIT = re.compile(r"_(?:in_)?(?:days?|weeks?|months?|years?)$")
"""As in: a name such as follow_up_in_months."""
_RESULT_LISTS = frozenset(
    ("results", "result", "findings", "main_results", "comparisons", "outcome_results", "estimates")
)
"""Names of lists that are of outcomes if their entries name an outcome."""
_STATISTIC_PARTS = frozenset(("effect", "interval", "p_value", "value"))
_ENTRY_NAMES = frozenset(("name", "label", "description", "title", "text"))
"""Names for the name of any entry, of an outcome or of something else."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The field of the rules or the record that a leaf of a schema asks for."""

    canonical: str
    member: str | None = None
    """The part of the finding's object that is asked for."""
    is_of_record: bool = False
    """A field of the record rather than one of the rules."""


def leaves_of(
    fields: tuple[SchemaField, ...], group: SchemaField | None
) -> Iterator[tuple[SchemaField, SchemaField | None]]:
    """Every leaf with the object that it is part of; those in the entries of a list likewise."""
    for field in fields:
        if field.is_group:
            yield from leaves_of(field.fields, field)
        elif field.holds_groups and field.items is not None:
            yield from ((part, field) for part in field.items.fields if not part.fields and not part.holds_groups)
        else:
            yield field, group


def meaning_of(leaf: SchemaField, group: SchemaField | None) -> Meaning | None:
    """The meaning of a leaf or a part of an object; None if the rules cannot read it or its type."""
    meaning = _top_level_meaning(leaf) if group is None else _part_meaning(leaf, group)
    if meaning is None or meaning.member is not None or meaning.is_of_record:
        return meaning
    if leaf.kind not in FIELDS[meaning.canonical].kinds:
        return None
    needs_unit = FIELDS[meaning.canonical].is_duration and leaf.kind in {"number", "integer"}
    return None if needs_unit and requested_unit(leaf) is None else meaning


def _top_level_meaning(leaf: SchemaField) -> Meaning | None:
    canonical = resolve_field(leaf.name)
    if canonical is not None:
        return Meaning(canonical)
    name = field_of_record(plain_name(leaf.name), leaf.items.kind if leaf.items else leaf.kind)
    return None if name is None else Meaning(name, is_of_record=True)


def resolve_field(name: str) -> str | None:
    """The field of the rules that a name means; plurals, and durations with their unit, count too."""
    plain = plain_name(name)
    spellings = (name, plain.removesuffix("s"), _UNIT.sub("", plain))
    return next((result for spelling in spellings if (result := canonical_field(spelling)) is not None), None)


def _part_meaning(leaf: SchemaField, group: SchemaField) -> Meaning | None:
    """The meaning of a part: of the field that the object is, or by its own name in an object that only gathers."""
    name, group_field = plain_name(leaf.name), resolve_field(group.name)
    leaf_field, compound_field = resolve_field(leaf.name), canonical_field(f"{group.name}_{leaf.name}")
    is_neutral = plain_name(group.name) in _NEUTRAL
    member = FIELDS[group_field].part_named(name) if group_field else None
    if member is not None:
        return Meaning(str(group_field), member)
    # sample: {size} asks for sample_size
    if compound_field is not None and not group.holds_groups:
        return Meaning(compound_field)
    if (whole := _whole_meaning(group_field, leaf, name)) is not None:
        return Meaning(whole)
    if group_field is not None and not is_neutral:
        # a p-value within an effect is the p-value, not the effect
        is_of_effects = leaf_field in _EFFECTS and group_field in _EFFECTS
        is_same = name in _GENERIC or leaf_field == group_field or (is_of_effects and not group.holds_groups)
        return Meaning(str(leaf_field) if is_of_effects else group_field) if is_same else None
    if leaf_field is not None and is_neutral and not group.holds_groups:
        return Meaning(leaf_field)
    return Meaning(group_field) if group_field is not None and name in {"type", "design", *_GENERIC} else None


def _whole_meaning(group_field: str | None, leaf: SchemaField, name: str) -> str | None:
    """The field that a part stands for as a whole: the size of a population, the availability of code."""
    if group_field == "population" and leaf.kind in {"number", "integer"} and name in _COUNTS:
        return "sample_size"
    is_presence = group_field is not None and FIELDS[group_field].is_presence
    return group_field if is_presence and leaf.kind == "boolean" and name in _YES_NO else None


def row_kind(leaf: SchemaField) -> str | None:
    """The kind of the entries of a list of objects: arms, or outcomes with their results; None for other lists."""
    parts = leaf.items.fields if leaf.holds_groups and leaf.items else ()
    names = {plain_name(part.name) for part in parts}
    list_field = resolve_field(leaf.name)
    has_sizes = any(FIELDS["arms"].part_named(name) == "n" for name in names)
    if list_field == "arms" or (list_field == "intervention" and has_sizes):
        return "arms"
    members = {name: FIELDS["outcome_results"].part_named(name) for name in names}
    has_statistics = not _STATISTIC_PARTS.isdisjoint(members.values())
    is_named = any(member == "name" and name not in _ENTRY_NAMES for name, member in members.items())
    is_list = plain_name(leaf.name) in _RESULT_LISTS or list_field == "effect_size"
    is_of_outcomes = list_field == "outcome" or (is_list and is_named and has_statistics)
    return "outcome_results" if parts and is_of_outcomes else None
