"""Relationships by our names and by other common names. Pure."""

import difflib
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.sources.igvf.catalog import IN_ALL, RELATIONSHIPS, endpoints, names_of_relationships

_CHOICES = (*RELATIONSHIPS, "all")
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship as a caller names it."""

    name: str
    relationships: tuple[str, ...]
    """The relationships of ours that it stands for."""
    edges: frozenset[str] = frozenset()
    """The edges of these relationships that it is limited to; empty for all."""
    method: str | None = None
    """The method of rows that it is limited to."""
    end: str = ""
    """The kind of entity that it names; the edges then depend on the start entity."""

    @property
    def is_renamed(self) -> bool:
        """Whether it is not one of ours by its own name."""
        return self.name not in _CHOICES

    def includes(self, relationship: str, edge: str) -> bool:
        """Whether it includes an endpoint of this relationship with rows of this edge."""
        return relationship in self.relationships and (not self.edges or edge in self.edges)


@functools.cache
def relationship_named(name: str) -> Relationship:
    """The relationship of a name, in any letter case, singular or plural.

    Raises:
        InvalidValues: nothing; the error names the nearest names.
    """
    if name in _CHOICES:
        return Relationship(name, IN_ALL if name == "all" else (name,))
    plain = _plain(name[:_LONGEST])
    if choice := next((choice_name for choice_name in _CHOICES if _plain(choice_name) == plain), None):
        return relationship_named(choice)
    relationship = _by_name().get(plain)
    if relationship is None:
        close = difflib.get_close_matches(plain, [*map(_plain, _CHOICES), *_by_name()], _MOST_NAMED)
        nearest = f"; the nearest names are {', '.join(close)}" if close else ""
        raise InvalidValues([InvalidPart((), name, expected=f"one of {', '.join(_CHOICES)}{nearest}")])
    return replace(relationship, name=name)


def relationships_of(edges: Iterable[str]) -> tuple[str, ...]:
    """The relationships of these edges, in our order."""
    edge_names = frozenset(edges)
    names = {endpoint.relationship for endpoint in endpoints().values() if endpoint.edge in edge_names}
    return tuple(name for name in RELATIONSHIPS if name in names)


def _check(name: str) -> str:
    relationship = relationship_named(name)
    return name if relationship.is_renamed else relationship.name


RelationshipName = Annotated[str, AfterValidator(_check), WithJsonSchema({"type": "string", "enum": list(_CHOICES)})]
"""The schema lists our own names; other common names are accepted too."""


@functools.cache
def _by_name() -> Mapping[str, Relationship]:
    relationships: dict[str, Relationship] = {}
    for name, entry in names_of_relationships().items():
        edges = frozenset(entry.get("edges", ()))
        relationship_names = relationships_of(edges) if edges else (entry["relationship"],)
        relationship = Relationship(name, relationship_names, edges, entry.get("method"), entry.get("end", ""))
        relationships |= {_plain(alias): relationship for alias in (name, *entry.get("also", ()))}
    return relationships


def _plain(name: str) -> str:
    """In small letters, the words singular and joined by blanks."""
    words = re.findall(r"[a-z]+", name.casefold())
    return " ".join(re.sub(r"(?<=x)es$|s$", "", word) if len(word) > _SHORT else word for word in words)


_LONGEST = 100  # characters of a name; a longer text is compared up to there
_SHORT = 3
"""Letters of a word whose last s is its own: gwas has four, and is written alike everywhere."""
