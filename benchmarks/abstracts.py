"""Main results, sizes and designs that abstracts state, as rules read them, held against labels.

``python -m benchmarks.abstracts [--misses_of FIELD] [--part dev|held|all] [--json FILE]``. Abstracts in the styles
of real ones, with several numbers of each kind, were written and labelled by readers who had not seen the rules
(``tests/literature/abstracts``). Those of ``held.jsonl`` are held back from work on the rules and weights.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.report import Result, at_most, run
from biofact.literature.extraction.fields import read_fields, row_findings
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FOLDER = Path(__file__).parents[1] / "tests" / "literature" / "abstracts"
HELD = FOLDER / "held.jsonl"
FIELDS = ("study_type", "sample_size", "p_value", "statistical_significance", "effect_size")
MEASURES = {
    "HR": "hazard ratio", "RR": "relative risk", "OR": "odds ratio", "MD": "mean difference", "WMD": "mean difference",
    "SMD": "standardized mean difference", "RD": "risk difference", "IRR": "incidence rate ratio",
    "rate ratio": "incidence rate ratio", "r": "correlation",
}  # fmt: skip
"""Our measures by the labels' names; others are "other"."""


@dataclass(frozen=True, slots=True)
class LabelledAbstract:
    """An abstract, and what a reader found in it."""

    article: CanonicalPubMedArticle
    labels: Mapping[str, Any]


@cache
def labelled_abstracts(part: str = "all") -> tuple[LabelledAbstract, ...]:
    """The abstracts of a part: ``held``, with which no rule was made, ``dev`` with the others, or ``all``."""
    files = {
        "held": [HELD],
        "dev": [file for file in sorted(FOLDER.glob("*.jsonl")) if file.name != HELD.name],
        "all": sorted(FOLDER.glob("*.jsonl")),
    }[part]
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return tuple(LabelledAbstract(_article(line), line["labels"]) for line in lines)


def _article(line: Mapping[str, Any]) -> CanonicalPubMedArticle:
    return CanonicalPubMedArticle(
        id=f"PMID:{ord(line['id'][0])}{line['id'][1:]}",  # A01 is PMID:6501
        title=line["title"],
        abstract=line["abstract"],
        publication_types=line["publication_types"],
    )


def expected(labels: Mapping[str, Any], field: str) -> Any:
    """The labelled value of a field in our terms; None where there is none."""
    match field:
        case "statistical_significance":
            return labels["significant"]
        case "p_value" if labels["p_value"]:
            return labels["p_value"]["operator"], labels["p_value"]["value"]
        case "effect_size" if effect := labels["effect"]:
            return tuple(abs(effect[name]) for name in ("value", "low", "high") if name in effect)
        case "effect_size" | "p_value":
            return None
    return labels[field]


def stated(article: CanonicalPubMedArticle) -> dict[str, Any]:
    """The values that the rules read."""
    findings = read_fields(article, FIELDS)
    values: dict[str, Any] = {name: finding.value for name, finding in findings.items()}
    if p_value := values.get("p_value"):
        values["p_value"] = p_value["operator"], p_value["value"]
    if effect := values.get("effect_size"):
        values["effect_size"] = tuple(abs(effect[name]) for name in ("value", "low", "high") if name in effect)
    return values


def is_right(field: str, label: Any, value: Any) -> bool:
    """Whether a value is the labelled one; an interval may be left out of an effect's label."""
    if field == "effect_size" and label and value:
        return bool(value[: len(label)] == label)
    return bool(label == value)


@dataclass(frozen=True, slots=True)
class RowShares:
    """The shares of labelled results that stand in a row."""

    primary: float
    """The share of abstracts with a row of the primary outcome and its number, among those that state one."""
    effects: float
    """The share of all labelled ratios and differences."""


def row_shares(abstracts: Sequence[LabelledAbstract]) -> RowShares:
    """The labelled results of studies that stand in rows of outcomes."""
    primary, effects = [], []
    for item in (item for item in abstracts if item.labels["study_type"]):
        findings = read_fields(item.article, ("outcome", "outcome_results"))
        rows: list[Any] = [row.value for row in row_findings("outcome_results", findings)]
        outcomes = item.labels["outcomes"]
        with_number = [row for row in outcomes if row["role"] == "primary" and {"p_value", "effect"} & row.keys()]
        primary += [any(_has_result(row, label) for row in rows if row.get("primary")) for label in with_number[:1]]
        stated_effects = [label["effect"]["value"] for label in outcomes if _is_measured(label)]
        read = {abs(row["effect"]["value"]) for row in rows if "effect" in row}
        effects += [abs(value) in read for value in stated_effects]
    return RowShares(sum(primary) / max(1, len(primary)), sum(effects) / max(1, len(effects)))


def _is_measured(label: Mapping[str, Any]) -> bool:
    return bool(label.get("effect")) and label["effect"]["measure"] != "other"


def _has_result(row: Mapping[str, Any], label: Mapping[str, Any]) -> bool:
    effect, p_value = row.get("effect", {}).get("value"), row.get("p_value", {})
    is_effect = "effect" in label and effect is not None and abs(effect) == abs(label["effect"]["value"])
    return is_effect or (
        "p_value" in label and {name: p_value.get(name) for name in label["p_value"]} == label["p_value"]
    )


def misses(field: str, part: str) -> Iterator[str]:
    """Each abstract of which a field is read otherwise than labelled."""
    for item in labelled_abstracts(part):
        label, value = expected(item.labels, field), stated(item.article).get(field)
        if not is_right(field, label, value):
            yield f"{item.article.id} {field}: {label!r}, read {value!r} | {item.labels['traps']}"


def measure(*, misses_of: str = "", part: str = "all") -> list[Result]:
    """The share of abstracts of which each field is read as labelled, absent ones included."""
    abstracts = labelled_abstracts(part)
    if misses_of:
        for field in FIELDS if misses_of == "all" else (misses_of,):
            print(*misses(field, part), sep="\n", file=sys.stderr)
    pairs = {
        field: [(expected(item.labels, field), stated(item.article).get(field)) for item in abstracts]
        for field in FIELDS
    }
    right = {field: sum(is_right(field, *pair) for pair in pairs[field]) for field in FIELDS}
    rows = row_shares(abstracts)
    wrong = sum(None not in pair and pair[0] != pair[1] for pair in pairs["statistical_significance"])
    return [
        *(
            Result(f"{field} as labelled, of {len(abstracts)}", right[field] / len(abstracts), 0.95, "")
            for field in FIELDS
        ),
        Result("primary outcomes with their result in a row", rows.primary, 0.7, ""),
        Result("ratios and differences in a row", rows.effects, 0.9, ""),
        at_most("significance the wrong way round", wrong, 0, "abstracts"),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
