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
    """Worked out from several places, as a sum of stated numbers is."""
    others: tuple["Finding", ...] = field(default=())
    """Further values of the field in the same article, in the order of the text."""


def with_others(findings: Sequence[Finding], place: int = 0) -> Finding:
    """One of several findings, the others beside it in their order."""
    return replace(findings[place], others=(*findings[:place], *findings[place + 1 :]))


def span(where: str, text: str, start: int, end: int) -> Evidence:
    """The evidence that ``text[start:end]`` is."""
    return Evidence(where=where, quote=text[start:end], start=start, end=end)


def in_one_place(finding: Finding, texts: Mapping[str, str]) -> Finding:
    """The finding on one piece of evidence: the stretch that holds all of it, or the first where that is far apart."""
    first, *more = finding.evidence
    same = [one for one in more if one.where == first.where and one.start is not None and one.end is not None]
    if not more:
        return finding
    if first.start is None or first.end is None or first.where not in texts:
        return replace(finding, evidence=(first,))
    start = min(first.start, *(one.start or 0 for one in same)) if same else first.start
    end = max(first.end, *(one.end or 0 for one in same)) if same else first.end
    cover = span(first.where, texts[first.where], start, end) if end - start <= LONGEST_STRETCH else first
    return replace(finding, evidence=(cover,))


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
