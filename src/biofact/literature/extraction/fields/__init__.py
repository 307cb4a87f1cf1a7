"""The fields that rules read, each in a module of its own. Pure: no model, no network, no clock.

A finder takes a document and returns the main finding, with further values as its siblings, or None. A new field is a
finder, a row of ``FIELDS``, its names in ``meanings.FIELD_NAMES`` and its types in ``coercion.TYPES``.
"""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from biofact.literature.extraction.fields import (
    arms,
    availability,
    claims,
    dataset_size,
    follow_up,
    main_result,
    outcome_rows,
    performance,
    pico,
    sample_size,
    study_type,
    technology,
)
from biofact.literature.extraction.fields.document_kind import kind_without_study
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Finder = Callable[[Document], Finding | None]

FIELDS: Mapping[str, Finder] = MappingProxyType(
    {
        "study_type": study_type.study_type,
        "sample_size": sample_size.sample_size,
        "arms": arms.sized_arms,
        "dataset_size": dataset_size.dataset_size,
        "p_value": main_result.p_value,
        "statistical_significance": main_result.statistical_significance,
        "effect_size": main_result.effect_size,
        "confidence_interval": main_result.confidence_interval,
        **pico.PICO,
        "follow_up": follow_up.follow_up,
        "registration": availability.registration,
        "data_availability": availability.data_availability,
        "code_availability": availability.code_availability,
        "limitations": claims.limitations,
        "key_contribution": claims.key_contribution,
        "key_findings": claims.key_findings,
        "novelty": claims.novelty,
        "technology_domain": technology.technology_domain,
        "benchmarks_used": technology.benchmarks_used,
        "performance_improvement": performance.performance_improvement,
        "computational_cost": performance.computational_cost,
    }
)
"""The finders of all fields that a schema can name, by canonical name."""
ROWS: Mapping[str, Finder] = MappingProxyType({"outcome_results": outcome_rows.outcome_rows})
"""Finders of fields that only lists of objects are made from."""
OF_A_STUDY = frozenset(
    ("study_type", "sample_size", "arms", "dataset_size", "p_value", "statistical_significance", "effect_size",
     "confidence_interval", "follow_up", "outcome_results")
)  # fmt: skip
"""Fields of a design, its size and results: a document that reports no study of its own has none, it may quote some."""
COMPANIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "outcome": frozenset(("outcome_results",)),
        "outcome_results": frozenset(("outcome",)),
        "arms": frozenset(("intervention", "comparator")),
    }
)
"""Further fields from which the values of a field are completed."""


def read_fields(article: CanonicalPubMedArticle, names: Collection[str]) -> dict[str, Finding]:
    """The findings of these fields, by canonical name; a field that the article does not state is absent."""
    document = Document(article)
    if kind_without_study(article):
        names = set(names) - OF_A_STUDY
    findings = ((name, document.cached(finder)) for name, finder in {**FIELDS, **ROWS}.items() if name in names)
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
