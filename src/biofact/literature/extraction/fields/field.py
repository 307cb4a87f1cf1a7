"""A field that rules read, and all that schemas, reviews and reports know of it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.schema import Kind
from biofact.literature.extraction.text.document import Document

Finder = Callable[[Document], Finding | None]
"""The main finding, with further values as its siblings; None where the text states none."""
Narrow = Callable[[str, Finding], Iterator[Finding]]
"""The findings, of one finding, that a schema's name asks for, such as the part that ``github_url`` means."""
Parts = Mapping[str, str]
"""The parts of a field's object, each with further names by which schemas ask for it."""

TEXT: frozenset[Kind] = frozenset(("string", "array", "any"))
YES_NO: frozenset[Kind] = TEXT | {"boolean"}
COUNT: frozenset[Kind] = TEXT | {"number", "integer"}
OBJECT: frozenset[Kind] = TEXT | {"object"}
AMOUNT: frozenset[Kind] = OBJECT | {"number"}
CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""As in: sampleSize, nPatients."""
NO_PARTS: Parts = MappingProxyType({})


def plain_name(name: str) -> str:
    """A schema's name in small letters with underscores between its words."""
    return re.sub(r"[^a-z0-9]+", "_", CAMEL_CASE.sub("_", name).lower()).strip("_")


def has_none(_: Document) -> bool:
    """Whether the text holds a candidate: never known."""
    return False


def as_it_is(_: str, finding: Finding) -> Iterator[Finding]:
    """The finding, whatever the name."""
    yield finding


@dataclass(frozen=True, slots=True)
class Column:
    """The use of a field in reviews: its type, its weight and its place."""

    place: int = 0
    """Among the columns of a review; 0 is none."""
    kind: Any = "string"
    """The type in the schema of a review."""
    weight: float = 0.0
    """The share of an article's score."""
    scale: Any = "presence"
    """The scoring function, where it has a weight."""
    group: str = ""
    """The column of the evidence table that shows it."""
    prefix: str = ""
    """Written before its value there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field: a module of this folder that holds one is read, and nothing else has to know of it.

    ``examples``: texts of abstracts, each with the value that they state, or None; the suite reads them all.
    """

    name: str
    find: Finder
    names: str = ""
    """Further names by which schemas ask for it, in small letters."""
    kinds: frozenset[Kind] = TEXT
    """The types in which it can be expressed."""
    parts: Parts = field(default_factory=lambda: NO_PARTS)
    narrow: Narrow = as_it_is
    has_candidates: Callable[[Document], bool] = has_none
    """Whether a second reading finds anything in the text that may be a value: then an absent one is not read, rather
    than not stated."""
    unit: str = ""
    """The unit that its numbers count or measure."""
    is_of_study: bool = False
    """A design, size or result: a document that reports no study of its own has none."""
    is_presence: bool = False
    """A value means yes."""
    is_duration: bool = False
    """A schema that asks for a number has to name the unit."""
    is_row: bool = False
    """Read only for lists of objects."""
    companions: frozenset[str] = frozenset()
    """Fields from which its values are completed."""
    label: str = ""
    """The heading, where that is not the name in words."""
    column: Column | None = None
    examples: tuple[tuple[str, Any], ...] = field(default=(), repr=False)

    @property
    def all_names(self) -> tuple[str, ...]:
        """All names by which schemas ask for it."""
        return (self.name, *self.names.split())

    def part_named(self, name: str) -> str | None:
        """The part of its object for which a schema asks by a plain name."""
        return next((part for part, names in self.parts.items() if name == part or name in names.split()), None)
