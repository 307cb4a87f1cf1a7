"""A value found in an article on its evidence, and all values of one article. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from biofact.literature.extraction.schema import SchemaField, nest_values
from biofact.literature.records import Evidence, Method

LONGEST_STRETCH = 600
"""Characters between the first and the last word of an entry's evidence."""
Value = str | int | float | bool | list["Value"] | dict[str, "Value"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A value of one field on the evidence for it."""

    value: Value
    evidence: tuple[Evidence, ...]
    is_derived: bool = False
    """Computed from several places, as a sum of stated numbers is."""
    siblings: tuple["Finding", ...] = field(default=())
    """Further values of the field in the same article, in the order of the text."""

    @property
    def series(self) -> tuple["Finding", ...]:
        """The finding, then its siblings."""
        return (self, *self.siblings)


def main_finding(findings: Sequence[Finding], place: int = 0) -> Finding | None:
    """One of several findings of a field, with the others as its siblings in their order; None if there are none."""
    return replace(findings[place], siblings=(*findings[:place], *findings[place + 1 :])) if findings else None


def span(part: str, text: str, start: int, end: int) -> Evidence:
    """``text[start:end]`` as evidence from a part of the article, such as ``abstract``."""
    return Evidence(where=part, quote=text[start:end], start=start, end=end)


def in_one_place(finding: Finding, texts: Mapping[str, str]) -> Finding:
    """The finding on one piece of evidence: the stretch that covers all pieces, or the first if they are far apart."""
    first, *remaining = finding.evidence
    adjacent = [
        piece for piece in remaining if piece.where == first.where and piece.start is not None and piece.end is not None
    ]
    if not remaining:
        return finding
    if first.start is None or first.end is None or first.where not in texts:
        return replace(finding, evidence=(first,))
    start = min(first.start, *(piece.start or 0 for piece in adjacent)) if adjacent else first.start
    end = max(first.end, *(piece.end or 0 for piece in adjacent)) if adjacent else first.end
    cover = span(first.where, texts[first.where], start, end) if end - start <= LONGEST_STRETCH else first
    return replace(finding, evidence=(cover,))


@dataclass(slots=True)
class ArticleFeatures:
    """The values of one article, each on its evidence."""

    method: Method
    values: dict[str, Any] = field(default_factory=dict)
    """By dotted path."""
    evidence: dict[str, list[Evidence]] = field(default_factory=dict)
    derived: list[str] = field(default_factory=list)
    not_read: list[str] = field(default_factory=list)
    """Absent fields of which the text holds candidates."""
    ungrounded_count: int = 0
    violations: list[str] = field(default_factory=list)
    """Problems of values that break the schema and are left out."""
    is_misshapen: bool = False
    """Whether the model gave bare values, without room for a quote."""
    failure: str | None = None
    """The reason that the article could not be read."""

    @property
    def extraction(self) -> dict[str, Any]:
        """The values as the schema nests them."""
        return nest_values(self.values)

    def add(self, leaf: SchemaField, value: Any, findings: Sequence[Finding]) -> None:
        """Store a value with the findings that it is made of, or its problems if it breaks the schema.

        Each entry of a list has a finding of its own, on one piece of evidence.
        """
        if problems := list(leaf.problems(value)):
            self.violations += problems
            return
        self.values[leaf.path] = value
        if leaf.kind == "array":
            self.evidence[leaf.path] = [finding.evidence[0] for finding in findings]
        else:
            self.evidence[leaf.path] = list(dict.fromkeys(piece for finding in findings for piece in finding.evidence))
        if any(finding.is_derived for finding in findings):
            self.derived.append(leaf.path)
