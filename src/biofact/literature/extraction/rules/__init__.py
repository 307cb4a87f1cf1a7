"""Reviewers' features of an article by rules alone. Pure: no model, no network, no clock."""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from biofact.literature.extraction.findings import Finding, with_others
from biofact.literature.extraction.rules.arm_sizes import sized_arms
from biofact.literature.extraction.rules.availability import code_availability, data_availability, registration
from biofact.literature.extraction.rules.contribution import key_contribution, key_findings, novelty
from biofact.literature.extraction.rules.dataset_size import dataset_size
from biofact.literature.extraction.rules.effects import confidence_interval, effect_size
from biofact.literature.extraction.rules.follow_up import follow_up
from biofact.literature.extraction.rules.limitations import limitations
from biofact.literature.extraction.rules.names import canonical
from biofact.literature.extraction.rules.p_values import p_value, statistical_significance
from biofact.literature.extraction.rules.performance import computational_cost, performance_improvement
from biofact.literature.extraction.rules.pico import PICO
from biofact.literature.extraction.rules.result_rows import is_primary, merged, outcome_results, with_names
from biofact.literature.extraction.rules.study_type import study_type
from biofact.literature.extraction.rules.technology import benchmarks_used, technology_domain
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted.study_size import sample_size
from biofact.sources.pubmed.records import CanonicalPubMedArticle

__all__ = ["FIELDS", "READ_BESIDE", "Finder", "all_arms", "all_outcomes", "canonical", "found", "rows"]

Finder = Callable[[Document], Finding | None]

FIELDS: Mapping[str, Finder] = MappingProxyType(
    {
        "study_type": study_type,
        "sample_size": sample_size,
        "arms": sized_arms,
        "dataset_size": dataset_size,
        "p_value": p_value,
        "statistical_significance": statistical_significance,
        "effect_size": effect_size,
        "confidence_interval": confidence_interval,
        **PICO,
        "follow_up": follow_up,
        "registration": registration,
        "data_availability": data_availability,
        "code_availability": code_availability,
        "limitations": limitations,
        "key_contribution": key_contribution,
        "key_findings": key_findings,
        "novelty": novelty,
        "technology_domain": technology_domain,
        "benchmarks_used": benchmarks_used,
        "performance_improvement": performance_improvement,
        "computational_cost": computational_cost,
    }
)
"""What rules can read, by canonical name."""
ROWS: Mapping[str, Finder] = MappingProxyType({"outcome_results": outcome_results})
"""What they read for lists only."""
READ_BESIDE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "outcome": frozenset(("outcome_results",)),
        "outcome_results": frozenset(("outcome",)),
        "arms": frozenset(("intervention", "comparator")),
    }
)
"""What is read, too, where a field is asked for."""


def found(article: CanonicalPubMedArticle, fields: Collection[str]) -> dict[str, Finding]:
    """What the article states of these fields, by canonical name; what it does not state is not there."""
    document = Document(article)
    read = ((name, document.once(finder)) for name, finder in {**FIELDS, **ROWS}.items() if name in fields)
    return {name: finding for name, finding in read if finding is not None}


def rows(kind: str, read: Mapping[str, Finding]) -> list[Finding]:
    """The entries of a list of objects: arms, or outcomes with their results and then those of which none is stated."""
    finding = all_arms(read) if kind == "arms" else read.get(kind)
    each = [] if finding is None else [finding, *finding.others]
    outcome = read.get("outcome") if kind == "outcome_results" else None
    return each if outcome is None else merged(each, [outcome, *outcome.others])


def all_arms(read: Mapping[str, Finding]) -> Finding | None:
    """The arms with their sizes; where none are counted, what was given and what it was compared with, by name."""
    given, beside = read.get("intervention"), read.get("comparator")
    if "arms" in read or given is None or beside is None:
        return read.get("arms")
    return with_others([Finding({"name": one.value}, one.evidence) for one in (given, beside, *beside.others)])


def all_outcomes(read: Mapping[str, Finding], *, primary_only: bool = False) -> Finding | None:
    """The outcome with all others: those found as phrases, and those of which a result is stated, or primary ones."""
    main, results = read.get("outcome"), read.get("outcome_results")
    each = [] if main is None else [main, *(() if primary_only else main.others)]
    if results is not None:
        stated = (results, *results.others)
        each = with_names(each, [row for row in stated if is_primary(row) or not primary_only])
    return with_others(each) if each else None
