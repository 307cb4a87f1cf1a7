"""``/healthz`` and ``/readyz``: whether the process answers, and whether it should be sent calls.

Open to all: they show no address, no path, no secret and no version but ours. Neither ever asks a service.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from biofact import __version__
from biofact.core.errors import WrongSetting
from biofact.transport.backends import REDIS_URL
from biofact.transport.stack import Transport

LOOK_SECONDS = 1.0
"""Between two checks of the parts, however often the routes are asked."""
PART_SECONDS = 0.03
"""How long an answer waits for a part; a slower one is shown in its last known state."""
SILENT_SECONDS = 10.0
"""Without an answer for this long, a part has failed."""

START_SECONDS = 5.0
"""How long a server waits for the first answers of its parts before it answers itself."""

State = Literal["ok", "degraded", "starting", "failed"]


@dataclass(frozen=True, slots=True)
class PartState:
    """The state of one part of the gateway."""

    state: State
    """``degraded``: calls are answered as well as can be. ``starting``: not yet. ``failed``: do not send any."""
    reason: str = ""
    """In a few words, without addresses, paths and secrets: it is public."""


class Part(Protocol):
    """A part that the gateway needs: its cache, its ledger, Redis, its own server."""

    @property
    def name(self) -> str:
        """The key of the part in the answer."""

    async def state(self) -> PartState:
        """The current state. Asks no service and raises nothing; may be slow, because no answer waits for long."""


@dataclass(frozen=True, slots=True)
class ShutdownPart:
    """The server itself: whether it still takes calls."""

    is_shutting_down: Callable[[], bool]
    name: str = "server"

    async def state(self) -> PartState:
        """Failed as soon as the server begins to shut down."""
        return PartState("failed", "shutting down") if self.is_shutting_down() else PartState("ok")


@dataclass(frozen=True, slots=True)
class PlacePart:
    """A store of a transport, which is kept in the first of several places that works."""

    name: str
    transport: Callable[[], Awaitable[Transport]]
    place: Callable[[Transport], Awaitable[str]]
    """The place that is used now, after a check of it."""

    async def state(self) -> PartState:
        """Degraded where the store is not in the place that the settings name."""
        transport = await self.transport()
        place, expected = await self.place(transport), "redis" if transport.settings[REDIS_URL] else "sqlite"
        return PartState("ok", place) if place == expected else PartState("degraded", f"{place} in place of {expected}")


@dataclass(frozen=True, slots=True)
class RedisPart:
    """The Redis that replicas share. Without it each continues with its share, as soon as that share is known."""

    transport: Callable[[], Awaitable[Transport]]
    name: str = "redis"

    async def state(self) -> PartState:
        """Failed while the number of replicas that share the budgets is unknown."""
        transport = await self.transport()
        try:
            await transport.join()
        except WrongSetting:
            return PartState("failed", "cannot work as it is set")
        redis = transport.redis_state
        if redis is None:
            return PartState("ok", "not set")
        if redis.is_ok:
            return PartState("ok", f"{redis.replicas} replicas" if redis.replicas != 1 else "1 replica")
        if not redis.is_ready:
            return PartState("failed", "lost, and the number of replicas is not known")
        return PartState("degraded", f"lost; this replica takes {redis.share:.0%} of each budget")


def kept_parts(transport: Callable[[], Awaitable[Transport]]) -> tuple[Part, Part]:
    """The cache and the ledger of a transport, as ``Offer.transport`` opens it."""
    return (
        PlacePart("cache", transport, lambda stack: stack.cache.place()),
        PlacePart("ledger", transport, lambda stack: stack.budgets.ledgers.place()),
    )


@dataclass(slots=True)
class _Look:
    """The last answer of a part, and the check that is under way."""

    part: Part
    state: PartState = PartState("starting", "its first answer is awaited")
    answered_at: float | None = None
    """The time of the last answer; until there is one, of the first check."""
    task: "asyncio.Task[PartState] | None" = None

    def start(self) -> "asyncio.Task[PartState]":
        """Start a check; a part that has not answered yet is not asked again."""
        if self.answered_at is None:
            self.answered_at = _now()
        if self.task is None:
            self.task = asyncio.create_task(self.part.state())
            self.task.add_done_callback(self._store_answer)
        return self.task

    def current(self) -> PartState:
        """The last answer, or a failure where that is too old."""
        is_silent = self.task and self.answered_at is not None and _now() - self.answered_at > SILENT_SECONDS
        return PartState("failed", "does not answer") if is_silent else self.state

    def _store_answer(self, task: "asyncio.Task[PartState]") -> None:
        self.task = None
        if not task.cancelled():
            self.state, self.answered_at = task.result(), _now()


class Readiness:
    """The states of the parts, each checked once a second at most, however many clients ask."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._looks = [_Look(part) for part in parts]
        self._looked_at: float | None = None

    async def states(self, seconds: float = PART_SECONDS) -> dict[str, PartState]:
        """The state of each part by its name. A part that takes longer than ``seconds`` has its last one."""
        if self._looked_at is None or _now() - self._looked_at >= LOOK_SECONDS:
            self._looked_at = _now()
            for look in self._looks:
                look.start()
        under_way = [look.task for look in self._looks if look.task is not None]
        if under_way:
            await asyncio.wait(under_way, timeout=seconds)
        return {look.part.name: look.current() for look in self._looks}


def routes(readiness: Readiness) -> list[Route]:
    """``/healthz`` and ``/readyz``. The routes of one process: workers do not share their states."""

    async def healthz(_: Request) -> JSONResponse:
        return _answer(200, {"status": "ok", "version": __version__})

    async def readyz(_: Request) -> JSONResponse:
        states = await readiness.states()
        is_ready = all(part.state in {"ok", "degraded"} for part in states.values())
        parts = {
            name: {"state": part.state} | ({"reason": part.reason} if part.reason else {})
            for name, part in states.items()
        }
        return _answer(200 if is_ready else 503, {"status": "ready" if is_ready else "not ready", "parts": parts})

    return [Route("/healthz", healthz, methods=["GET"]), Route("/readyz", readyz, methods=["GET"])]


def _answer(status: int, body: dict[str, Any]) -> JSONResponse:
    return JSONResponse(body, status, {"cache-control": "no-store"})


def _now() -> float:
    return asyncio.get_running_loop().time()
