"""Finds what ``import biofact`` offers, when it is first asked for."""

import importlib
from collections.abc import Sequence
from typing import Any

# The lightest first: an error class should not cost a client.
HOMES = (
    "biofact.core.errors",
    "biofact.core.provenance",
    "biofact.core.xrefs",
    "biofact.core.envelopes",
    "biofact.transport.client",
    "biofact.sources.entrez.records",
    "biofact.sources.entrez.client",
)


def found(name: str, offered: Sequence[str]) -> Any:
    """The public thing of this name, if it is one of those offered.

    Raises:
        AttributeError: it is not.
    """
    if name in offered:
        for home in map(importlib.import_module, HOMES):
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module 'biofact' has no attribute {name!r}")
