"""Acme's side of the wire: what the sandbox answers."""

from pathlib import Path

from biofact.sandbox.services.acme.standin import AcmeStandIn
from biofact.sandbox.standin import StandIn
from biofact.sandbox.tables import starter_rows


def stand_ins(recordings: Path | None = None) -> list[StandIn]:  # noqa: ARG001
    """Acme over the starter rows."""
    return [AcmeStandIn(starter_rows(__name__, "entries.jsonl"))]
