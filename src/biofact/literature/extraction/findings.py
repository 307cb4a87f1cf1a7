"""A value found in an article, and its evidence. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from biofact.literature.records import Evidence

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
