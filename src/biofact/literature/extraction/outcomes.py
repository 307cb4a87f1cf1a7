"""What was found in one article, by whatever means. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from biofact.literature.extraction.fields import SchemaField
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.schema import nest_values
from biofact.literature.records import Evidence, Method


@dataclass(slots=True)
class Outcome:
    """The values of one article, each on its evidence."""

    method: Method
    values: dict[str, Any] = field(default_factory=dict)
    """By dotted path."""
    evidence: dict[str, list[Evidence]] = field(default_factory=dict)
    derived: list[str] = field(default_factory=list)
    ungrounded: int = 0
    breaking: list[str] = field(default_factory=list)
    """What broke the schema, and is not among the values."""
    is_misshapen: bool = False
    """Whether values came without a place to put their quote."""
    failure: str | None = None
    """Why the article was not read."""

    @property
    def extraction(self) -> dict[str, Any]:
        """The values as the schema nests them."""
        return nest_values(self.values)

    def add(self, leaf: SchemaField, value: Any, findings: Sequence[Finding]) -> None:
        """Take a value with the findings that it is made of, unless it breaks the schema.

        The entries of a list have a finding each, on one piece of evidence.
        """
        if problems := list(leaf.problems(value)):
            self.breaking += problems
            return
        self.values[leaf.path] = value
        if leaf.kind == "array":
            self.evidence[leaf.path] = [finding.evidence[0] for finding in findings]
        else:
            self.evidence[leaf.path] = list(dict.fromkeys(each for finding in findings for each in finding.evidence))
        if any(finding.is_derived for finding in findings):
            self.derived.append(leaf.path)
