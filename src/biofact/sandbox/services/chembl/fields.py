"""The resources and their fields: what these hold, and so how they can be filtered and ordered."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from biofact.sandbox.tables import Row, starter_rows

Kind = Literal["text", "number", "flag"]
"""Numbers are compared as numbers, though the wire has many of them as text."""
_KINDS: tuple[Kind, ...] = ("text", "number", "flag")


@dataclass(frozen=True, slots=True)
class ResourceFields:
    """The fields of one resource."""

    kinds: Mapping[str, Kind]
    """By name; ``__`` goes down into an object or a list of objects."""
    top: frozenset[str]
    """The names at the top of a row, by which a reply is trimmed."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that only filters have, each of one of ``kinds``."""


@dataclass(frozen=True, slots=True)
class Resource:
    """What is declared of a resource."""

    plural: str
    """What the list of its rows is called in a payload."""
    key: str
    """The field that identifies a row."""
    fields: ResourceFields


@functools.cache
def resources() -> Mapping[str, Resource]:
    """By name."""
    rows = starter_rows(__package__, "resource.jsonl")
    return {row["name"]: Resource(row["plural"], row["key"], _fields(row)) for row in rows}


def _fields(row: Row) -> ResourceFields:
    """Those in ``unfiltered`` can only be left out of a reply."""
    kinds = {name: kind for kind in _KINDS for name in row[kind]}
    top = frozenset((*(name.partition("__")[0] for name in kinds), *row["unfiltered"]))
    return ResourceFields(kinds, top, row["alias"])
