"""All by which a gateway is watched, put together: metrics, health, traces, log and audit log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastmcp import FastMCP

from biofact.core import events
from biofact.core.settings import Settings
from biofact.gateway.health import Part, RedisPart, kept_parts
from biofact.gateway.metrics import Metrics
from biofact.interfaces import log_output, telemetry
from biofact.interfaces.http.audit import audit_of
from biofact.interfaces.mcp.offer import Offer
from biofact.interfaces.mcp.server import OnDemand
from biofact.transport.turns.ledgers import REDIS_URL


@dataclass(frozen=True, slots=True)
class Observation:
    """What an app shows of its server."""

    metrics: Metrics
    """An ASGI app, which needs a token wherever calls do."""
    parts: tuple[Part, ...]
    """For ``health.routes``, with the parts that the app knows of."""


@contextmanager
def observed(
    server: FastMCP[Any], settings: Settings, subject: Callable[[], str], *, multiprocess_folder: Path | None = None
) -> Iterator[Observation]:
    """Watch a server within, as the settings ask for it.

    Each worker has its own; ``multiprocess_folder`` is that of ``Metrics``. ``subject`` is whose call is under way.

    Raises:
        WrongUsage: a setting cannot be followed.
    """
    audit = audit_of(settings, subject)
    if audit is not None:
        server.middleware.insert(0, audit)
    made = (provider.offer for provider in server.providers if isinstance(provider, OnDemand))
    offers = [offer for offer in made if isinstance(offer, Offer)]  # others keep nothing
    metrics = Metrics(multiprocess_folder)
    audited = events.heard_by(audit.listener) if audit else nullcontext()
    with log_output.of_a_host(settings), telemetry.traced(settings), events.heard_by(metrics.listener), audited:
        parts: tuple[Part, ...] = tuple(part for offer in offers for part in kept_parts(offer.transport))
        if settings[REDIS_URL]:
            parts += tuple(RedisPart(offer.transport) for offer in offers)
        yield Observation(metrics, (*parts, audit) if audit else parts)
