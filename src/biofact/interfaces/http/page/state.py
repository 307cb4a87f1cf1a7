"""How a gateway stands, as JSON: the services of each source, their budgets, the cache, Redis. Asks no service.

It is shown to whoever may call: it holds no address, path, key or query, and nothing of single callers.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from starlette.concurrency import run_in_threadpool

from biofact import __version__
from biofact.interfaces.mcp.offer import Offer
from biofact.protocol.client import LifeSciencesClient
from biofact.transport.ask.retry import OFFLINE
from biofact.transport.service import Service
from biofact.transport.stack import Transport
from biofact.transport.turns.ledgers import REDIS_URL

Json = dict[str, Any]
Exposition = Callable[[], bytes]
"""Prometheus' text of the gateway's metrics."""

LOOK_SECONDS = 1.0
"""Between two looks, however many people watch."""
CACHE_SECONDS = 10.0
"""Between two looks at how much the cache holds, which has to be counted."""

_SERVICE_METRICS = {
    "biofact_upstream_requests_in_progress": "under_way",
    "biofact_budget_waiting_requests": "waiting",
    "biofact_breaker_open": "down",
    "biofact_upstream_requests_total": "requests",
    "biofact_upstream_rate_limits_total": "rate_limited",
}


@dataclass(slots=True)
class _Look:
    """What was seen, and when that is too old."""

    body: Json = field(default_factory=dict)
    until: float = -math.inf


class State:
    """The state of one gateway, looked at once a second at most."""

    def __init__(self, offer: Callable[[], Offer], exposition: Exposition | None = None) -> None:
        self._offer = offer
        self._exposition = exposition
        self._looking = asyncio.Lock()
        self._whole = _Look()
        self._size = _Look()

    async def body(self) -> Json:
        """How it stands now, or stood a second ago."""
        async with self._looking:
            if _now() >= self._whole.until:
                self._whole = _Look(await self._seen(), _now() + LOOK_SECONDS)
            return self._whole.body

    async def _seen(self) -> Json:
        offer = self._offer()
        transport = await offer.transport()
        sources = await asyncio.to_thread(_services, offer)  # the first time, this imports them
        metrics = service_metrics(await run_in_threadpool(self._exposition)) if self._exposition else {}
        uncounted = dict.fromkeys(_SERVICE_METRICS.values(), 0) if self._exposition else {}
        services = {service.name: service for of_one in sources.values() for service in of_one}
        budgets = await asyncio.gather(*(_budget(transport, service) for service in services.values()))
        return {
            "version": __version__,
            "is_offline": transport.settings.is_on(OFFLINE),
            "sources": {name: [service.name for service in of_one] for name, of_one in sources.items()},
            "services": {
                name: budget | uncounted | metrics.get(name, {}) for name, budget in zip(services, budgets, strict=True)
            },
            "cache": await self._cache(transport),
            "has_redis": transport.settings.is_set(REDIS_URL),
        }

    async def _cache(self, transport: Transport) -> Json:
        if _now() >= self._size.until:
            stats = await transport.cache.stats()
            body = {"kept_in": stats.kind, "entries": stats.entries, "bytes": stats.bytes}
            self._size = _Look(body, _now() + CACHE_SECONDS)
        return self._size.body


def service_metrics(exposition: bytes) -> dict[str, dict[str, int]]:
    """What is counted of each service: requests that are under way or waiting, and how often things happened."""
    # Whoever imports it before the metrics know where several processes count makes them count alone.
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415

    found: dict[str, dict[str, int]] = defaultdict(dict)
    for family in text_string_to_metric_families(exposition.decode()):
        for sample in family.samples:
            if name := _SERVICE_METRICS.get(sample.name):
                counts = found[sample.labels["service"]]
                counts[name] = counts.get(name, 0) + int(sample.value)
    return found


def _services(offer: Offer) -> dict[str, Iterable[Service]]:
    """The services that each source asks; none for what asks all sources."""
    catalog = offer.spelling.catalog
    names = [name for name in offer.toolsets if name in catalog.names()]
    return {name: cast("type[LifeSciencesClient]", catalog.client_class(name)).services for name in names}


async def _budget(transport: Transport, service: Service) -> Json:
    stats = await transport.budgets.look(service)
    return {
        "title": service.title,
        "per_second": stats.per_second,
        "next_slot_seconds": round(stats.next_slot_seconds, 1),
        "is_paused": stats.is_paused,
        "kept_in": stats.kept,
    }


def _now() -> float:
    return asyncio.get_running_loop().time()
