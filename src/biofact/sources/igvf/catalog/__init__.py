"""The Catalog's endpoints, declared as data: parameters, sources and edges of each. Pure.

Every request is built from these declarations, the stand-in refuses whatever is not in them, and a test compares each
with the service's contract (OpenAPI, version 1.2.0, read 2026-11-22).
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

from pydantic import TypeAdapter

from biofact.dialects.genomic.genomes import Organism

Values = tuple[str, ...]
Type = str | Values
"""``text``, ``number``, ``boolean``, ``flag`` (true or false as text), ``range`` (a number, or gt:, gte:, lt:, lte: and
a number), ``region`` (0-based half-open), or the values that are valid.
"""

IN_ALL = ("regulatory", "genetic", "physical", "functional", "pharmacological", "structure", "coding", "ld")
"""In the order in which ``all`` shows them."""
RELATIONSHIPS = (*IN_ALL, "nearest_genes")
"""Each has a file of its own. That a gene lies near says nothing about it: it is no part of ``all``."""
SPECIES: dict[Organism, str] = {"human": "Homo sapiens", "mouse": "Mus musculus"}


@dataclass(frozen=True, slots=True)
class Start:
    """An end from which an endpoint can be queried."""

    kind: str
    """The kind of entity: gene, variant, term ..."""
    parameter: str
    """The parameter that takes it."""
    prefixes: Values = ()
    """The ontologies whose terms it takes; empty for all, and for other kinds."""
    value: Literal["id", "name"] = "id"
    """Whether the parameter takes the entity's ID or its name."""
    by_name: str = ""
    """The parameter that takes the name which several such entities share."""
    enumerated_parameter: str = ""
    """A parameter that the service requires: one request is sent for each of its values."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One path of the service."""

    path: str
    operation: str
    """The name in the service's contract."""
    parameters: Mapping[str, Type]
    max_rows: int | None = None
    """Rows a page: the service silently cuts a greater limit. None if it publishes no limit; a page then has 25."""
    widest: int | None = None
    """Bases of the longest region that it takes; None for any."""
    needs: Values = ()
    """Parameters of which the service needs one."""
    required: Values = ()
    """Parameters that the service needs in every request."""
    record: str = ""
    """The kind of entity that its rows are, for an endpoint of entities."""
    relationship: str = ""
    edge: str = ""
    """The edge of its rows, for an endpoint of associations."""
    starts: tuple[Start, ...] = ()
    verbose: bool = False
    """Whether rows are requested with whole entities at their ends, not just IDs."""
    declared_sources: Values = ()
    unused_reason: str = ""
    """The reason that no tool queries it."""

    @property
    def sources(self) -> Values:
        """The sources of its rows."""
        values = self.parameters.get("source", ())
        return self.declared_sources or (() if isinstance(values, str) else values)

    @property
    def organisms(self) -> Values:
        """``human``, ``mouse`` or both; an endpoint that takes no organism has human rows only."""
        values = self.parameters.get("organism", ("Homo sapiens",))
        return tuple(name for name, species in SPECIES.items() if species in values)


@dataclass(frozen=True, slots=True)
class End:
    """One end of an edge."""

    kind: str
    fields: Values
    """Fields of a row; the first that is present counts."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The two ends that a kind of rows joins."""

    name: str
    subject: End
    object: End
    predicate: str
    """A Biolink predicate."""
    relation_field: str = ""
    """The field of a row that ``predicates`` and ``aspects`` go by."""
    predicates: Mapping[str, str] = field(default_factory=dict)
    aspects: Mapping[str, str] = field(default_factory=dict)
    """The affected aspects of the object, by the value of ``relation_field``."""
    aspect: str = ""
    has: frozenset[str] = frozenset()
    """The filters and orders that can be checked on its rows, besides source, method and label."""
    lacks: frozenset[str] = frozenset()
    """The filters among source, method and label that its rows do not have."""


@functools.cache
def endpoints() -> Mapping[str, Endpoint]:
    """Every endpoint of the service, by path."""
    words = _table("vocabularies")
    validate = TypeAdapter(Endpoint).validate_python
    entries = {path: entry for name in ("nodes", *RELATIONSHIPS, "unasked") for path, entry in _table(name).items()}
    return {
        path: validate(
            {
                **entry,
                "path": path,
                "parameters": {name: _type(value, words) for name, value in entry["parameters"].items()},
                "declared_sources": entry.get("sources", ()),
            }
        )
        for path, entry in entries.items()
    }


@functools.cache
def endpoint_of(kind: str) -> Endpoint:
    """The endpoint that looks up entities of a kind."""
    return next(endpoint for endpoint in endpoints().values() if endpoint.record == kind)


@functools.cache
def edges() -> Mapping[str, Edge]:
    """Every edge, by name."""
    validate = TypeAdapter(Edge).validate_python
    return {name: validate({**entry, "name": name}) for name, entry in _table("edges").items()}


@functools.cache
def coordinates() -> Mapping[str, str]:
    """The base of each coordinate field."""
    return _table("coordinates")


@functools.cache
def sources() -> Mapping[str, Mapping[str, Any]]:
    """The sources of the Catalog's data, by name: the description, categories, methods and labels of each."""
    return _table("sources")


@functools.cache
def names_of_relationships() -> Mapping[str, Mapping[str, Any]]:
    """Other names of relationships, each with its relationship, edges and method."""
    return _table("names")


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / f"{name}.toml").read_text("utf-8"))


def _type(value: str | list[str], words: Mapping[str, list[str]]) -> str | list[str]:
    """``@labs`` stands for the values under that name in ``vocabularies.toml``."""
    return words[value[1:]] if isinstance(value, str) and value.startswith("@") else value
