"""Outcomes as rows, each with what the text states of it: effect, interval, p-value, role and comparator."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from biofact.literature.extraction.fields.effects import BOUND_PARTS, ESTIMATE_PARTS
from biofact.literature.extraction.fields.field import Field
from biofact.literature.extraction.fields.labelling.signs import long_forms
from biofact.literature.extraction.fields.main_result import main_result, readings
from biofact.literature.extraction.fields.outcome_results import (
    Clause,
    ResultRole,
    is_same_outcome,
    outcome_of,
    stated_outcomes,
)
from biofact.literature.extraction.findings import Finding, Value, main_finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.records import Evidence

COMPARISON = re.compile(
    r"(?i)\b(?:compared (?:with|to)|versus|vs\.?|relative to|than|over)(?: (?:with|in|for|to|those|patients|that|on"
    r"|receiving|the))* (?P<c>[^\d\W][\w -]{2,80}?)(?=\s*(?:[,;.()\[\]]|$|\b(?:at|in|for|and|was|were|had|after|during"
    r"|did|showed|with|over|but|except|who|which|that|when|while|as|by|on|from)\b))"
)
"""As in: compared with placebo."""
NO_COMPARATOR = re.compile(
    r"(?i)(?:baseline|before|expected|one|half|it|that|did|was|were|this|time|normal|usual)\b(?! care)"
)
"""Earlier values, which are no comparator. As in: baseline and before"""
NO_OUTCOME = frozenset(("baseline", "heterogeneity", "interaction", "model"))
"""Roles of results that are of no outcome."""
MOST_ROWS = 20


class NamedResult(NamedTuple):
    """The statistics of a clause, the outcome that they are of, and its role."""

    clause: Clause
    name: Finding | None
    role: ResultRole


def outcome_rows(document: Document) -> Finding | None:
    """The outcomes, primary ones first, each with the statistics of its own clause."""
    stated_names = document.cached(stated_outcomes)
    rows = [row for result in document.cached(named_results) for row in row_of(result)]
    names = list(map(name_of, rows))
    rows += [
        Finding({"name": outcome.value, "primary": is_primary}, outcome.evidence)
        for outcomes, is_primary in ((stated_names.primary, True), (stated_names.secondary, False))
        for outcome in unmatched(outcomes, names)
    ]
    rows.sort(key=lambda row: {True: 0, None: 1, False: 2}[is_primary(row)])  # secondary outcomes last
    return main_finding(rows[:MOST_ROWS])


def named_results(document: Document) -> list[NamedResult]:
    """The results with their roles and outcomes: that of the clause, with its short form written out; else the one that
    its sentence names before, or that of the result before it in the sentence; else the primary outcome.
    """
    forms = document.cached(long_forms)
    primary = next(iter(document.cached(stated_outcomes).primary), None)
    main = document.cached(main_result) if primary is not None else None
    results: list[NamedResult] = []
    for reading in document.cached(readings):
        clause, role = reading.result.clause, reading.role
        if main is not None and main.clause.statistics[0] == clause.statistics[0]:
            role = "primary"
        before = results[-1].name if results and results[-1].clause.sentence is clause.sentence else None
        ranked = reading.outcome or primary
        name = reading.result.name or mention_before(clause, document) or before
        name = name or (None if ranked is None else named_in(clause, ranked))
        if name is not None and (form := forms.get(str(name.value))):
            name = replace(name, value=form.text)
        results.append(NamedResult(clause, name, role))
    return results


def named_in(clause: Clause, outcome: Finding) -> Finding:
    """An outcome on its words in the sentence of a clause; where they are not there, as it is named elsewhere."""
    sentence = clause.sentence
    place = sentence.lower.find(str(outcome.value).lower(), 0, clause.end)
    if place < 0:
        return outcome
    start, end = sentence.start + place, sentence.start + place + len(str(outcome.value))
    return Finding(sentence.whole[start:end], (sentence.evidence(start, end),))


def mention_before(clause: Clause, document: Document) -> Finding | None:
    """The last outcome that the sentence of a clause names before it."""
    return outcome_of(clause._replace(start=0), document)


def merge_rows(rows: Sequence[Finding], outcomes: Sequence[Finding]) -> list[Finding]:
    """The rows, and one for each further outcome, by its name alone."""
    new_outcomes = unmatched(outcomes, list(map(name_of, rows)))
    return [*rows, *(Finding({"name": outcome.value}, outcome.evidence) for outcome in new_outcomes)][:MOST_ROWS]


def unmatched(outcomes: Sequence[Finding], names: Sequence[str]) -> list[Finding]:
    """The outcomes that have none of these names."""
    return [outcome for outcome in outcomes if not any(is_same_outcome(str(outcome.value), name) for name in names)]


def add_row_names(outcomes: Sequence[Finding], rows: Sequence[Finding]) -> list[Finding]:
    """The outcomes, and those of the rows that are not among them, on the evidence of their rows."""
    findings = [replace(outcome, siblings=()) for outcome in outcomes]
    for row in rows:
        if name_of(row) and not any(is_same_outcome(name_of(row), str(outcome.value)) for outcome in findings):
            findings.append(Finding(name_of(row), row.evidence))
    return findings


def name_of(row: Finding) -> str:
    """The outcome of a row; empty where it has none."""
    return str(row.value.get("name", "")) if isinstance(row.value, dict) else ""


def is_primary(row: Finding) -> bool | None:
    """Whether a row is of a primary outcome; None where the text does not say."""
    primary = row.value.get("primary") if isinstance(row.value, dict) else None
    return primary if isinstance(primary, bool) else None


def row_of(result: NamedResult) -> Iterator[Finding]:
    """The row of a result, without a name where the text does not say of what it is."""
    clause, name, role = result
    if role in NO_OUTCOME:
        return
    value: dict[str, Value] = {} if name is None else {"name": name.value}
    value |= {"role": role} if role else {}
    value |= {"primary": role == "primary"} if role in {"primary", "secondary"} else {}
    comparator = comparator_of(clause)
    for finding in clause.statistics:
        value = statistic(finding) | value  # the first of a kind stands
    value |= {"comparator": comparator.value} if comparator else {}
    parts = [*clause.statistics, *filter(None, (name, comparator))]
    yield Finding(value, (covering_evidence(clause.sentence, parts),))


def statistic(finding: Finding) -> dict[str, Value]:
    """An effect with its interval, or a p-value, as parts of a row."""
    value = finding.value
    if not isinstance(value, dict):
        return {}
    if "operator" in value:
        return {"p_value": value}
    interval: dict[str, Value] = {name: value[name] for name in ("low", "high", "level") if name in value}
    return {"effect": value, **({"interval": interval} if interval else {})}


def covering_evidence(sentence: Sentence, findings: Sequence[Finding]) -> Evidence:
    """The stretch of the sentence that covers all findings; evidence elsewhere is left out."""
    pieces = [piece for finding in findings for piece in finding.evidence if piece.where == sentence.part]
    spans = [
        (piece.start or 0, piece.end or 0) for piece in pieces if sentence.start <= (piece.start or 0) < sentence.end
    ]
    return sentence.evidence(min(start for start, _ in spans), max(end for _, end in spans))


def comparator_of(clause: Clause) -> Finding | None:
    """The comparator that the clause names."""
    for match in COMPARISON.finditer(clause.plain):
        if not NO_COMPARATOR.match(match["c"]):
            first = clause.sentence.start + clause.start + match.start("c")
            name = match["c"].rstrip()
            return Finding(name, (clause.sentence.evidence(first, first + len(name)),))
    return None


OUTCOME_RESULTS = Field(
    name="outcome_results",
    find=outcome_rows,
    kinds=frozenset(("array", "any")),
    parts=MappingProxyType(
        {
            "name": "label description title text outcome endpoint end_point outcome_name outcome_measure variable",
            "primary": "is_primary primary_outcome is_primary_outcome",
            "rank": "type role hierarchy kind",
            "effect": (
                "effect_size estimate effect_estimate treatment_effect effect_value hazard_ratio odds_ratio "
                "risk_ratio relative_risk rate_ratio mean_difference hr or rr"
            ),
            "interval": "ci confidence_interval ci_95 ci95 95_ci 95_confidence_interval",
            "p_value": "p pvalue p_val",
            "comparator": "comparison control versus compared_with compared_to reference",
            "significant": "is_significant statistically_significant statistical_significance",
            "measure": "effect_measure metric statistic",
            "value": "point_estimate",
            "favours": ESTIMATE_PARTS["favours"],
            "direction": ESTIMATE_PARTS["direction"],
            **BOUND_PARTS,
        }
    ),
    is_of_study=True,
    is_row=True,
    companions=frozenset(("outcome",)),
)
