"""``/healthz`` and ``/readyz``: whether the process answers, and whether it should be sent calls.

Open to all: they show no address, no path, no secret and no version but ours. Neither ever asks a service.
"""

import asyncio
import math
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
"""Between two looks at the parts, however often anybody asks."""
PART_SECONDS = 0.03
"""How long an answer waits for a part; a slower one is shown as it was before."""
SILENT_SECONDS = 10.0
"""After so long without an answer a part has failed."""

State = Literal["ok", "degraded", "failed"]


@dataclass(frozen=True, slots=True)
class PartState:
    """How a part of the gateway is."""

    state: State
    """``degraded``: calls are answered all the same, as well as can be. ``failed``: do not send any."""
    reason: str = ""
    """In a few words, without addresses, paths and secrets: everybody may read it."""


class Part(Protocol):
    """What the gateway cannot do without, or not well: its cache, its ledger, Redis, its being up."""

    @property
    def name(self) -> str:
        """Its key in the answer."""

    async def state(self) -> PartState:
        """How it is now. Asks no service and raises nothing; may take its time, nobody waits for long."""


@dataclass(frozen=True, slots=True)
class ShutdownPart:
    """Whether the server goes on taking calls."""

    is_shutting_down: Callable[[], bool]
    name: str = "server"

    async def state(self) -> PartState:
        """Failed from when it begins to shut down."""
        return PartState("failed", "shutting down") if self.is_shutting_down() else PartState("ok")


@dataclass(frozen=True, slots=True)
class PlacePart:
    """What a transport keeps at the first of several places that works."""

    name: str
    transport: Callable[[], Awaitable[Transport]]
    place: Callable[[Transport], Awaitable[str]]
    """Which that is now, after a look at it."""

    async def state(self) -> PartState:
        """Degraded where it is not the place that the settings name."""
        transport = await self.transport()
        place, chosen = await self.place(transport), "redis" if transport.settings[REDIS_URL] else "sqlite"
        return PartState("ok", place) if place == chosen else PartState("degraded", f"{place} in place of {chosen}")


@dataclass(frozen=True, slots=True)
class RedisPart:
    """The Redis that replicas share. Without it each goes on with its share, as soon as it knows how large that is."""

    transport: Callable[[], Awaitable[Transport]]
    name: str = "redis"

    async def state(self) -> PartState:
        """Failed while nobody can say how many replicas share the budgets."""
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
        PlacePart("cache", transport, lambda opened: opened.cache.place()),
        PlacePart("ledger", transport, lambda opened: opened.budgets.place()),
    )


@dataclass(slots=True)
class _Look:
    """The last answer of a part, and the look at it that is under way."""

    part: Part
    state: PartState = PartState("failed", "not known yet")
    answered_at: float = -math.inf
    task: "asyncio.Task[PartState] | None" = None

    def start(self) -> "asyncio.Task[PartState]":
        """Look now; a part that has not answered yet is not asked again."""
        if self.task is None:
            self.task = asyncio.create_task(self.part.state())
            self.task.add_done_callback(self._answered)
        return self.task

    def current(self) -> PartState:
        """What it last answered, unless that is too long ago."""
        is_silent = self.task is not None and _now() - self.answered_at > SILENT_SECONDS
        return PartState("failed", "does not answer") if is_silent else self.state

    def _answered(self, task: "asyncio.Task[PartState]") -> None:
        self.task = None
        if not task.cancelled():
            self.state, self.answered_at = task.result(), _now()


class Readiness:
    """How the parts are, each looked at once a second at most, however many ask."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._looks = [_Look(part) for part in parts]
        self._looked_at = -math.inf

    async def states(self) -> dict[str, PartState]:
        """The state of each part by its name, within some 30 milliseconds."""
        if _now() - self._looked_at >= LOOK_SECONDS:
            self._looked_at = _now()
            for look in self._looks:
                look.start()
        under_way = [look.task for look in self._looks if look.task is not None]
        if under_way:
            await asyncio.wait(under_way, timeout=PART_SECONDS)
        return {look.part.name: look.current() for look in self._looks}


def routes(parts: Sequence[Part]) -> list[Route]:
    """``/healthz`` and ``/readyz``. The routes of one process: what they know is not shared with other workers."""
    readiness = Readiness(parts)

    async def healthz(_: Request) -> JSONResponse:
        return _answer(200, {"status": "ok", "version": __version__})

    async def readyz(_: Request) -> JSONResponse:
        states = await readiness.states()
        is_ready = all(part.state != "failed" for part in states.values())
        parts = {name: _shown(part) for name, part in states.items()}
        return _answer(200 if is_ready else 503, {"status": "ready" if is_ready else "not ready", "parts": parts})

    return [Route("/healthz", healthz, methods=["GET"]), Route("/readyz", readyz, methods=["GET"])]


def _shown(part: PartState) -> dict[str, str]:
    return {"state": part.state} | ({"reason": part.reason} if part.reason else {})


def _answer(status: int, body: dict[str, Any]) -> JSONResponse:
    return JSONResponse(body, status, {"cache-control": "no-store"})


def _now() -> float:
    return asyncio.get_running_loop().time()
