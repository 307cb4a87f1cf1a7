"""The IGVF Catalog's side of the wire: what the sandbox answers."""

import functools
from pathlib import Path

from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.standin import StandIn
from biofact.sandbox.tables import starter_tables

__all__ = ["IgvfStandIn", "stand_ins"]


def stand_ins(recordings: Path | None = None) -> list[StandIn]:  # noqa: ARG001
    """The Catalog over the starter rows; recordings bring no rows of their own."""
    return [_igvf()]


@functools.cache
def _igvf() -> IgvfStandIn:
    """Read once in a process; it keeps nothing of what it is asked."""
    return IgvfStandIn(starter_tables(__package__))
