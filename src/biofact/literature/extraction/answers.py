"""One article's part of a model's answer, made into values that the article bears out. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.literature.extraction.coercion import coerce
from biofact.literature.extraction.fields import SchemaField, short_repr
from biofact.literature.extraction.findings import Finding, in_one_place
from biofact.literature.extraction.grounding import Claim, ground, is_nothing
from biofact.literature.extraction.notation import LONGEST_NAME, MOST_FIELDS
from biofact.literature.extraction.outcomes import Outcome
from biofact.literature.extraction.quotes import ArticleTexts
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.records import Method
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_MOST_ENTRIES = 200  # of one list


@dataclass(frozen=True, slots=True)
class _ArticleReading:
    """One article being read."""

    passages: ArticleTexts
    texts: Mapping[str, str]
    """Title and abstract."""
    outcome: Outcome
    coerces: bool


def read(
    schema: ExtractionSchema,
    article: CanonicalPubMedArticle,
    given: Mapping[str, Any],
    *,
    method: Method,
    coerces: bool,
) -> Outcome:
    """The values that fit the schema and stand in the article. ``coerces`` what is of another type, where it can be.

    What was not asked for is left out.
    """
    outcome = Outcome(method=method)
    texts = {"title": article.title, "abstract": article.abstract or ""}
    reading = _ArticleReading(ArticleTexts(article), texts, outcome, coerces)
    for field in schema.fields:
        _take(reading, field, given.get(field.name))
    return outcome


def _take(reading: _ArticleReading, field: SchemaField, given: Any) -> None:
    if is_nothing(given):
        return
    if not field.is_group:
        findings = list(_leaf_findings(reading, field, given))
        if findings and field.kind == "array":
            findings = [in_one_place(each, reading.texts) for each in findings]
        if findings:
            value = [each.value for each in findings] if field.kind == "array" else findings[0].value
            reading.outcome.add(field, value, findings)
    elif isinstance(given, dict):
        for part in field.fields:
            _take(reading, part, given.get(part.name))
    else:
        reading.outcome.breaking.append(f"{field.path}: {short_repr(given)} is not an object")


def _leaf_findings(reading: _ArticleReading, field: SchemaField, given: Any) -> Iterator[Finding]:
    """What of a leaf survives: one finding, or one for each entry of a list."""
    if field.items is not None:
        entries = given if isinstance(given, list) else [given]
        if not isinstance(given, list) and not reading.coerces:
            reading.outcome.breaking.append(f"{field.path}: {short_repr(given)} is not a list")
            return
        for entry in entries[:_MOST_ENTRIES]:
            yield from () if is_nothing(entry) else _leaf_findings(reading, field.items, entry)
    elif field.kind == "object":
        yield from _object(reading, field, given)
    else:
        yield from _scalar_finding(reading, field, given)


def _object(reading: _ArticleReading, field: SchemaField, given: Any) -> Iterator[Finding]:
    """An object in one piece: the parts that survive, on the evidence of all of them."""
    if not isinstance(given, dict):
        reading.outcome.breaking.append(f"{field.path}: {short_repr(given)} is not an object")
        return
    named = {part.name: part for part in field.fields}
    parts: dict[str, Any] = {}
    findings: list[Finding] = []
    for name, entry in list(given.items())[:MOST_FIELDS]:
        part = named.get(name) if named else _free_part(field, name)
        if part is not None and not is_nothing(entry):
            found = list(_leaf_findings(reading, part, entry))
            findings += found
            parts |= {name: [each.value for each in found] if part.kind == "array" else found[0].value} if found else {}
    if parts:
        evidence = tuple(dict.fromkeys(each for finding in findings for each in finding.evidence))
        yield Finding(parts, evidence, is_derived=any(finding.is_derived for finding in findings))


def _free_part(field: SchemaField, name: str) -> SchemaField | None:
    """A part of an object of which the schema names none: whatever the model calls it, within bounds."""
    is_sound = 1 <= len(name) <= LONGEST_NAME and name.isprintable()
    return SchemaField(name, f"{field.path}.{name}", "any") if is_sound else None


def _scalar_finding(reading: _ArticleReading, field: SchemaField, given: Any) -> Iterator[Finding]:
    claim = _claim(given)
    if claim is None:
        reading.outcome.is_misshapen = True
        reading.outcome.ungrounded += 1
        return
    if problems := list(field.problems(claim.value)):
        value = coerce(claim.value, field) if reading.coerces else None
        if value is None or any(field.problems(value)):
            reading.outcome.breaking += problems
            return
        claim = Claim(value, claim.quote, claim.where, claim.is_derived)
    finding = ground(reading.passages, claim, field)
    if finding is None:
        reading.outcome.ungrounded += 1
    else:
        yield finding


def _claim(given: Any) -> Claim | None:
    if not isinstance(given, dict) or "value" not in given:
        return None
    quote, where = given.get("quote"), given.get("where")
    if isinstance(quote, list):
        quote = " ... ".join(part for part in quote if isinstance(part, str))
    return Claim(
        given["value"],
        quote if isinstance(quote, str) else "",
        where if isinstance(where, str) else "",
        is_derived=given.get("derived") is True,
    )
