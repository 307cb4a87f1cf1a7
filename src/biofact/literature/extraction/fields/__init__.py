"""The fields that rules read, each in a module of its own. Pure: no model, no network, no clock.

A module that holds a ``Field`` is found by itself: a new field is one file (docs/extraction.md shows one).
"""

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from biofact.literature.extraction.fields import outcome_rows
from biofact.literature.extraction.fields.document_kind import kind_without_study
from biofact.literature.extraction.fields.field import Field
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle


def _declared_fields() -> Iterator[Field]:
    """The fields of all modules of this folder."""
    for module in iter_modules(__path__, f"{__name__}."):
        yield from (value for value in vars(import_module(module.name)).values() if isinstance(value, Field))


_LAST = 1000


def _by_column(field: Field) -> tuple[int, str]:
    """Fields of reviews first, in the order of their columns."""
    return (field.column.place or _LAST if field.column else _LAST, field.name)


FIELDS: Mapping[str, Field] = MappingProxyType(
    {field.name: field for field in sorted(_declared_fields(), key=_by_column)}
)
"""All fields that a schema can name, by canonical name."""


def read_fields(
    article: CanonicalPubMedArticle, names: Collection[str], document: Document | None = None
) -> dict[str, Finding]:
    """The findings of these fields, by canonical name; a field that the article does not state is absent."""
    document = document or Document(article)
    is_study = not kind_without_study(article)
    fields = (field for name, field in FIELDS.items() if name in names and (is_study or not field.is_of_study))
    findings = ((field.name, document.cached(field.find)) for field in fields)
    return {name: document.located(finding) for name, finding in findings if finding is not None}


def row_findings(kind: str, findings: Mapping[str, Finding]) -> list[Finding]:
    """The entries of a list of objects: arms, or outcomes with their results followed by those without any."""
    finding = all_arms(findings) if kind == "arms" else findings.get(kind)
    rows = [] if finding is None else [*finding.series]
    outcome = findings.get("outcome") if kind == "outcome_results" else None
    return rows if outcome is None else outcome_rows.merge_rows(rows, [*outcome.series])


def all_arms(findings: Mapping[str, Finding]) -> Finding | None:
    """The arms with their sizes; where none is counted, intervention and comparators by name."""
    intervention, comparator = findings.get("intervention"), findings.get("comparator")
    if "arms" in findings or intervention is None or comparator is None:
        return findings.get("arms")
    treatments = (intervention, comparator, *comparator.siblings)
    return main_finding([Finding({"name": treatment.value}, treatment.evidence) for treatment in treatments])


def all_outcomes(findings: Mapping[str, Finding], *, primary_only: bool = False) -> Finding | None:
    """The outcome with all others: those named as phrases, then those with a stated result, or only primary ones."""
    main, results = findings.get("outcome"), findings.get("outcome_results")
    outcomes = [] if main is None else [main, *(() if primary_only else main.siblings)]
    if results is not None:
        rows = [row for row in results.series if outcome_rows.is_primary(row) or not primary_only]
        outcomes = outcome_rows.add_row_names(outcomes, rows)
    return main_finding(outcomes)
