"""The budget of several replicas: from Redis while it is there, else from a ledger of this replica's own."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

from biofact.core.records import Notice
from biofact.transport.ledger_redis import RedisLedger
from biofact.transport.membership import PROBE_SECONDS, Membership
from biofact.transport.quota import Charge
from biofact.transport.redis_link import RedisLink, RedisLost
from biofact.transport.replica_state import RedisState
from biofact.transport.replicas import Standing
from biofact.transport.service import TurnTooLate
from biofact.transport.shared_membership import SharedMembership
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import SlotRequest, Turn

Local = Callable[[SlotRequest, int], Awaitable[Turn]]
"""A turn of the replica's own ledger, which that many processes share."""

_PAUSE_WINDOWS = 1.01  # no slot is further ahead than a window, unless the service asked for a pause


class ReplicaLedger:
    """Turns of a budget that replicas share. Never lost: without Redis they come from ``local``, or not at all."""

    def __init__(
        self, link: RedisLink, timing: Timing, *, shared: Callable[[], SharedMembership], local: Local
    ) -> None:
        self._link = link
        self._timing = timing
        self._open = shared
        self._local = local
        self._shared: SharedMembership | None = None
        self._redis: RedisLedger | None = None
        self._paused_until: dict[str, float] = {}
        self._places: dict[str, str] = {}
        self._notified_loss: float | None = None

    async def join(self) -> None:
        """Return when Redis was asked once.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        await self._joined()

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, redis = await self._joined()
        self._note_pause(ask)
        standing = membership.standing(ask.most, _window(ask))
        ask = self._with_pause(ask, standing.place)
        turn = Turn(False, standing.seconds)
        if standing.place == "own":
            turn = await self._local(_narrowed(ask, standing.most), membership.replicas.processes())
        elif standing.place == "redis" and membership.is_answering:
            try:
                turn = await redis.turn(ask, membership.replicas.allowance)
            except RedisLost as lost:
                membership.lose(lost)
                return Turn(False, _window(ask) / 4)
        else:
            return Turn(False, max(min(turn.wait, PROBE_SECONDS), self._pause_seconds(ask.name)))
        self._places[ask.name] = standing.place
        self._learn_pause(ask, turn)
        return turn

    async def refusal(self, ask: SlotRequest) -> TurnTooLate | None:
        """Why no slot can be had as long as Redis is lost; None while there can be one.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, _ = await self._joined()
        standing = membership.standing(ask.most, _window(ask))
        if membership.is_answering or not standing.is_lasting:
            return None
        return TurnTooLate(f"is not asked: {standing.reason}", retry_after_seconds=math.ceil(2 * PROBE_SECONDS))

    async def charge(self, charge: Charge) -> float | None:
        """The seconds until a charge of a quota fits, by the counts in Redis; None while it is lost.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, redis = await self._joined()
        if not membership.is_answering:
            return None
        try:
            return await redis.charge(charge)
        except RedisLost as lost:
            membership.lose(lost)
            return None

    def stretch(self, ask: SlotRequest) -> float:
        """How many times as far apart slots are now as they are when this replica has all of them."""
        standing = self._standing(ask)
        return ask.most / standing.most if standing is not None and standing.most else 1.0

    def is_used(self) -> bool:
        """Whether slots come from Redis now, or are not asked for yet."""
        return self._shared is None or self._shared.membership.is_answering

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get of Redis; waits for it.

        Raises:
            RedisLost: it does not answer.
        """
        if self._redis is None:
            return RedisLedger(self._link, self._timing).peek(ask)
        return self._redis.peek(ask)

    async def look(self, ask: SlotRequest) -> Turn | None:
        """What ``ask`` would get of Redis, as ``peek`` has it, while others go on; None while it is lost.

        Raises:
            RedisLost: it does not answer.
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, redis = await self._joined()
        return await redis.look(ask) if membership.is_answering else None

    def share_request(self, ask: SlotRequest) -> SlotRequest:
        """The request to this replica's own ledger, for its share."""
        standing = self._standing(ask)
        return _narrowed(ask, standing.most) if standing is not None and standing.place == "own" else ask

    def state(self) -> RedisState | None:
        """How this process stands with Redis; None before it was asked."""
        if self._shared is None:
            return None
        membership = self._shared.membership
        replicas = membership.replicas
        is_ok = membership.is_answering
        return RedisState(
            is_ok=is_ok,
            is_ready=is_ok or replicas.is_countable,
            lost_since=membership.lost_since,
            fault=membership.fault,
            replicas=replicas.seats,
            share=1.0 if is_ok else 1 / replicas.seats if replicas.is_countable else 0.0,
        )

    def take_notice(self) -> Notice | None:
        """What a user should know, once for each time that Redis is lost."""
        membership = self._shared.membership if self._shared else None
        if membership is None or membership.is_answering:
            self._notified_loss = None
            return None
        if self._notified_loss is not None:
            return None
        self._notified_loss = membership.lost_since
        part = f"1/{membership.replicas.seats} of each"
        message = f"Redis, by which replicas share rate limits, is lost: until it is back this one keeps to {part}."
        return Notice(code="CACHE_IN_MEMORY", message=message)

    async def aclose(self) -> None:
        """Leave the other replicas."""
        if self._shared is not None:
            await self._shared.release()
        self._shared = self._redis = None

    async def _joined(self) -> tuple[Membership, RedisLedger]:
        if self._shared is None or self._redis is None:
            self._shared = self._open()
            self._redis = RedisLedger(self._shared.link, self._timing)
        await self._shared.membership.join()
        return self._shared.membership, self._redis

    def _standing(self, ask: SlotRequest) -> Standing | None:
        return self._shared.membership.standing(ask.most, _window(ask)) if self._shared else None

    def _note_pause(self, ask: SlotRequest) -> None:
        """A pause outlives the ledger that it was first written to."""
        if ask.is_lifting:
            self._paused_until.pop(ask.name, None)
        elif ask.hold:
            until = self._timing.clock() + ask.hold
            self._paused_until[ask.name] = max(until, self._paused_until.get(ask.name, until))

    def _with_pause(self, ask: SlotRequest, place: str) -> SlotRequest:
        """The request to a ledger that may not know of a pause."""
        seconds = self._pause_seconds(ask.name)
        return ask if place == self._places.get(ask.name) else replace(ask, hold=max(ask.hold, seconds))

    def _learn_pause(self, ask: SlotRequest, turn: Turn) -> None:
        """What the ledger says of a pause: another process may have been asked for it, or have lifted it."""
        if not turn.is_taken and turn.wait > _PAUSE_WINDOWS * _window(ask):
            self._paused_until[ask.name] = self._timing.clock() + turn.wait
        else:
            self._paused_until.pop(ask.name, None)

    def _pause_seconds(self, name: str) -> float:
        return max(0.0, self._paused_until.get(name, 0.0) - self._timing.clock())


def _narrowed(ask: SlotRequest, most: int) -> SlotRequest:
    """The request for fewer slots in a window."""
    return replace(ask, most=most, gap=_window(ask) / most)


def _window(ask: SlotRequest) -> float:
    return ask.most * ask.gap
