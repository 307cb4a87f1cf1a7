"""Finds what ``import biofact`` offers, when it is first asked for."""

import importlib
from collections.abc import Iterator, Sequence
from typing import Any

from biofact import sources

SHARED = (
    "biofact.core.errors",
    "biofact.core.provenance",
    "biofact.core.xrefs",
    "biofact.core.envelopes",
    "biofact.protocol.client",
)
PIPELINE = ("biofact.literature.records", "biofact.literature.query.records", "biofact.literature.pipeline")


def homes() -> Iterator[str]:
    """Modules that hold what is offered, the lightest first: an error class should not cost a client."""
    yield from SHARED
    for module in ("records", "client"):
        yield from (f"{sources.__name__}.{name}.{module}" for name in sources.names())
    yield from PIPELINE


def found(name: str, offered: Sequence[str]) -> Any:
    """The public thing of this name, if it is one of those offered.

    Raises:
        AttributeError: it is not.
    """
    if name in offered:
        for home in map(importlib.import_module, homes()):
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module 'biofact' has no attribute {name!r}")
