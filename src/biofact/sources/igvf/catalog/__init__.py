"""The Catalog's endpoints, declared as data: what each takes, from whom it has its rows, and what these join. Pure.

Every request is built from these declarations, the stand-in refuses whatever is not in them, and a test compares each
with the service's contract (OpenAPI, version 1.2.0, read 2026-11-22).
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

from biofact.dialects.genomic.genomes import Organism

Relationship = Literal[
    "regulatory", "genetic", "physical", "functional", "pharmacological", "structure", "coding", "ld", "all"
]
Values = tuple[str, ...]
Type = str | Values
"""``text``, ``number``, ``boolean``, ``flag`` (true or false as text), ``range`` (a number, or gt:, gte:, lt:, lte: and
a number), ``region`` (0-based half-open), or the values that are valid.
"""

RELATIONSHIPS = ("regulatory", "genetic", "physical", "functional", "pharmacological", "structure", "coding", "ld")
"""In the order in which ``all`` shows them; each has a file of its own."""
SPECIES: dict[Organism, str] = {"human": "Homo sapiens", "mouse": "Mus musculus"}


@dataclass(frozen=True, slots=True)
class Start:
    """An end from which an endpoint can be asked."""

    kind: str
    """Of the entity: gene, variant, term ..."""
    by: str
    """The parameter that takes it."""
    prefixes: Values = ()
    """Of terms: the ontologies whose terms it takes."""
    value: Literal["id", "name"] = "id"
    """Whether the parameter takes the entity's ID or its name."""
    by_name: str = ""
    """The parameter that takes the name which several such entities share."""
    each: str = ""
    """A parameter without which the service refuses: it is asked once for each of its values."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One path of the service."""

    path: str
    operation: str
    """The name in the service's contract."""
    parameters: Mapping[str, Type]
    most: int | None = None
    """Rows a page: the service silently cuts a greater limit. None where it publishes none; a page then has 25."""
    widest: int | None = None
    """Bases of the longest region that it takes; None for any."""
    needs: Values = ()
    """Parameters one of which has to be given."""
    required: Values = ()
    """Parameters all of which have to be given."""
    record: str = ""
    """The kind of entity that its rows are, for an endpoint of entities."""
    relationship: str = ""
    edge: str = ""
    """What its rows join, for an endpoint of associations."""
    starts: tuple[Start, ...] = ()
    verbose: bool = False
    """Whether rows are requested with whole entities at their ends, not just IDs."""
    declared_sources: Values = ()
    why: str = ""
    """Why no tool asks it."""

    @property
    def sources(self) -> Values:
        """Whose data its rows are."""
        values = self.parameters.get("source", ())
        return self.declared_sources or (() if isinstance(values, str) else values)

    @property
    def organisms(self) -> Values:
        """``human``, ``mouse`` or both; an endpoint that takes no organism knows human only."""
        values = self.parameters.get("organism", ("Homo sapiens",))
        return tuple(name for name, species in SPECIES.items() if species in values)


@dataclass(frozen=True, slots=True)
class End:
    """One end of an edge."""

    kind: str
    fields: Values
    """Of a row, the first that is there."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What a kind of rows joins."""

    name: str
    subject: End
    object: End
    predicate: str
    """A Biolink predicate."""
    by: str = ""
    """The field of a row that ``predicates`` and ``aspects`` go by."""
    predicates: Mapping[str, str] = field(default_factory=dict)
    aspects: Mapping[str, str] = field(default_factory=dict)
    """What of the object is affected."""
    aspect: str = ""
    has: frozenset[str] = frozenset()
    """The filters and orders that can be checked on its rows, besides source, method and label."""
    lacks: frozenset[str] = frozenset()
    """Those of source, method and label that its rows do not have."""


@dataclass(frozen=True, slots=True)
class Source:
    """Somebody whose data the Catalog holds."""

    name: str
    describes: str
    categories: Values
    methods: Values = ()
    """By which its rows can be filtered."""
    labels: Values = ()


@functools.cache
def endpoints() -> Mapping[str, Endpoint]:
    """Every endpoint of the service, by path."""
    words = _table("vocabularies")
    files = ("nodes", *RELATIONSHIPS, "unasked")
    return {path: _endpoint(path, entry, words) for name in files for path, entry in _table(name).items()}


@functools.cache
def edges() -> Mapping[str, Edge]:
    """What rows join, by name."""
    return {name: _edge(name, entry) for name, entry in _table("edges").items()}


@functools.cache
def coordinates() -> Mapping[str, str]:
    """The base of each coordinate field."""
    return _table("coordinates")


@functools.cache
def sources() -> Mapping[str, Source]:
    """Those whose data the Catalog holds, by name."""
    return {name: _source(name, entry) for name, entry in _table("sources").items()}


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / f"{name}.toml").read_text("utf-8"))


def _endpoint(path: str, entry: Mapping[str, Any], words: Mapping[str, list[str]]) -> Endpoint:
    plain = {
        name: entry[name]
        for name in ("operation", "most", "widest", "record", "relationship", "edge", "verbose", "why")
        if name in entry
    }
    return Endpoint(
        path=path,
        parameters={name: _type(value, words) for name, value in entry["parameters"].items()},
        needs=tuple(entry.get("needs", ())),
        required=tuple(entry.get("required", ())),
        starts=tuple(_start(start) for start in entry.get("starts", ())),
        declared_sources=tuple(entry.get("sources", ())),
        **plain,
    )


def _type(value: str | list[str], words: Mapping[str, list[str]]) -> Type:
    """``@labs`` stands for the values under that name in ``vocabularies.toml``."""
    if isinstance(value, list):
        return tuple(value)
    return tuple(words[value[1:]]) if value.startswith("@") else value


def _start(entry: Mapping[str, Any]) -> Start:
    return Start(**{**entry, "prefixes": tuple(entry.get("prefixes", ()))})


def _source(name: str, entry: Mapping[str, Any]) -> Source:
    lists = {key: tuple(entry.get(key, ())) for key in ("categories", "methods", "labels")}
    return Source(name, entry["describes"], **lists)


def _edge(name: str, entry: Mapping[str, Any]) -> Edge:
    subject, other = (End(entry[end]["kind"], tuple(entry[end]["fields"])) for end in ("subject", "object"))
    rest = {key: value for key, value in entry.items() if key not in {"subject", "object", "has", "lacks"}}
    return Edge(name, subject, other, has=frozenset(entry["has"]), lacks=frozenset(entry.get("lacks", ())), **rest)
