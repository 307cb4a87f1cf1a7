"""The budget of several replicas: from Redis while it is there, else from a ledger of this replica's own."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from biofact.core.records import Notice
from biofact.gateway.counts import Charge, charge_in_redis
from biofact.gateway.link import RedisLink, RedisLost, seconds_of
from biofact.gateway.membership import KEY, PROBE_SECONDS, SINCE, Membership, SharedMembership
from biofact.gateway.replicas import LOST, NEW, Permission
from biofact.transport.service import NOT_ASKED, SlotTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import (
    LONGEST_WAIT_SECONDS,
    LocalLedger,
    Obstacle,
    Pauses,
    RedisState,
    Row,
    SlotReply,
    SlotRequest,
    mended_notice,
    take_slot,
)

Allowance = Callable[[float, int, float], int]
"""How many of ``limit`` slots in a window may be taken together, at a time of Redis's."""


class RedisLedger:
    """Rows of all replicas that use one Redis, by its clock. Optimistic: a process that was overtaken reads again."""

    def __init__(self, link: RedisLink, timing: Timing) -> None:
        self._link = link
        self._clock = timing.clock
        self.mended: set[str] = set()
        """Services whose rows were damaged, and are mended."""
        self._known_rows: dict[str, Row] = {}
        """By service, the row as this process last read or wrote it."""
        self._doubtful_until: dict[str, float] = {}
        """By service, the time of Redis's until which slots may have been taken that are in no row."""
        self._late_replies = 0

    async def take(self, request: SlotRequest, allowance: Allowance) -> SlotReply:
        """The reply to a request, within the allowance.

        Raises:
            RedisLost: Redis does not answer, or so slowly that slots are over when their replies arrive. A slot taken
                all the same is not used.
        """
        read_at = 0.0

        async def transaction(pipe: Any) -> tuple[SlotReply, Row | None]:
            nonlocal read_at
            stored = await pipe.get(_PREFIX + request.name)
            # needed only where Redis may have lost the row
            since = await pipe.hget(KEY, SINCE) if stored is None else None
            read_at = self._clock()
            time = seconds_of(await pipe.time())
            limit = allowance(time, request.limit, request.window)
            if not limit:
                return SlotReply(False, request.window / 4), None
            row, hold = self._recover(request, stored, since, time)
            self.mended |= {request.name} if row.is_mended else set()
            changed, reply = take_slot(row, request.narrowed(limit, hold), time)
            reply = self._explained(request, reply, time, hold)
            if changed == row:
                return reply, row
            changed = (
                replace(changed, slot_times=_as_many_as(row, changed, request.limit)) if reply.is_taken else changed
            )
            pipe.multi()
            pipe.set(_PREFIX + request.name, str(changed), ex=int(2 * LONGEST_WAIT_SECONDS))
            return reply, changed

        async def question(client: Any) -> tuple[SlotReply, Row | None]:
            answer: tuple[SlotReply, Row | None] = await client.transaction(
                transaction, _PREFIX + request.name, value_from_callable=True
            )
            return answer

        reply, row = await self._link.ask(question)
        if row is not None:
            self._known_rows[request.name] = row
        return self._in_time(reply, request, self._clock() - read_at)

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge of a quota fits; 0.0 where it is counted.

        Raises:
            RedisLost: Redis does not answer.
        """
        return await charge_in_redis(self._link, charge)

    async def look(self, request: SlotRequest) -> SlotReply:
        """The reply that a request would get.

        Raises:
            RedisLost: Redis does not answer.
        """

        async def question(client: Any) -> tuple[bytes | None, tuple[int, int]]:
            return await client.get(_PREFIX + request.name), await client.time()

        stored, time = await self._link.ask(question)
        return take_slot(Row.read(stored), request, seconds_of(time))[1]

    def _recover(
        self, request: SlotRequest, stored: bytes | None, since: bytes | None, time: float
    ) -> tuple[Row, float]:
        """The newest known row, and the seconds until there may be a slot.

        Where Redis lost the row, or its last version, some slots may be in no row: then a window has to pass.
        """
        row, known_row = Row.read(stored), self._known_rows.get(request.name, Row())
        doubtful_at = 0.0
        if stored is None:
            doubtful_at = time if known_row.written_at + request.window > time else _emptied_at(since, time)
        elif known_row.written_at > row.written_at:
            doubtful_at = time
        return max(row, known_row, key=lambda row: row.written_at), max(0.0, doubtful_at + request.window - time)

    def _explained(self, request: SlotRequest, reply: SlotReply, time: float, hold: float) -> SlotReply:
        """The reply; with the obstacle, where a window has to pass, which is no pause of the service."""
        if hold:
            self._doubtful_until[request.name] = time + hold
        is_doubtful = time + reply.wait <= self._doubtful_until.get(request.name, 0.0)
        if reply.is_taken or not is_doubtful:
            return reply
        return reply._replace(obstacle=_obstacle(Permission("nowhere", reason=NEW)))

    def _in_time(self, reply: SlotReply, request: SlotRequest, seconds: float) -> SlotReply:
        """The reply, unless its slot was taken so long ago that its use would come too close to later ones."""
        if not reply.is_taken or seconds <= max(request.window / 16, _CLOCK_SECONDS):
            self._late_replies = 0 if reply.is_taken else self._late_replies
            return reply
        self._late_replies += 1
        if self._late_replies < _MOST_LATE_REPLIES:
            return reply._replace(is_taken=False)
        self._late_replies = 0
        raise RedisLost("it answers too slowly to share a rate", "slow")


def _as_many_as(before: Row, after: Row, limit: int) -> tuple[Any, ...]:
    """The times of the slots taken, as many as the process with the greatest allowance has to see."""
    cut = len(before.slot_times) + 1 - len(after.slot_times)
    return (*before.slot_times[:cut], *after.slot_times)[-limit:]


def _emptied_at(mark: bytes | str | None, time: float) -> float:
    """The time when Redis was last empty: now, where no mark says it."""
    text = mark.decode() if isinstance(mark, bytes) else mark or ""
    try:
        return float(text.partition(" ")[0])
    except ValueError:
        return time


_CLOCK_SECONDS = 0.02
_MOST_LATE_REPLIES = 4
_PREFIX = "biofact:budget:"


def _obstacle(permission: Permission) -> Obstacle:
    reason = permission.reason or LOST
    return Obstacle(f"{NOT_ASKED}: {reason}", math.ceil(2 * PROBE_SECONDS), permission.is_lasting)


class ReplicaLedger:
    """Slots of a budget that replicas share. Never lost: without Redis they come from ``local``, or not at all."""

    kind = "redis"

    def __init__(
        self, link: RedisLink, timing: Timing, *, shared: Callable[[], SharedMembership], local: LocalLedger
    ) -> None:
        self._link = link
        self._timing = timing
        self._open = shared
        self._local = local
        self._shared: SharedMembership | None = None
        self._redis: RedisLedger | None = None
        self._pauses = Pauses(timing.clock)
        self._notified_loss: float | None = None

    async def join(self) -> None:
        """Return after one first request to Redis.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        await self._join()

    async def take(self, request: SlotRequest) -> SlotReply:
        """The reply to a request, from Redis or from the ledger of this replica's own.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        self._pauses.note(request)
        membership, redis = await self._join()
        permission = membership.permission(request.limit, request.window)
        request = self._pauses.carried(request, permission.place)
        if permission.place == "own":
            reply = await self._local(request.narrowed(permission.limit), membership.replicas.processes())
        elif permission.place == "redis" and membership.is_answering:
            try:
                reply = await redis.take(request, membership.replicas.allowance)
            except RedisLost as loss:
                membership.lose(loss)
                return self._reply_nowhere(request, permission, request.window / 4)
        else:
            return self._reply_nowhere(request, permission, min(permission.seconds, PROBE_SECONDS))
        self._pauses.learn(request, reply, permission.place)
        return reply

    async def refusal(self, request: SlotRequest) -> SlotTooLate | None:
        """The reason why there can be no slot until Redis is back; None while there can be one.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, _ = await self._join()
        permission = membership.permission(request.limit, request.window)
        if membership.is_answering or not permission.is_lasting:
            return None
        return _obstacle(permission).refusal()

    async def charge(self, charge: Charge) -> float | None:
        """The seconds until a charge of a quota fits, by the counts in Redis; None while it is lost.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, redis = await self._join()
        if not membership.is_answering:
            return None
        try:
            return await redis.charge(charge)
        except RedisLost as loss:
            membership.lose(loss)
            return None

    def stretch(self, request: SlotRequest) -> float:
        """The factor by which slots are further apart now than when this replica has all of them."""
        permission = self._permission(request)
        return request.limit / permission.limit if permission is not None and permission.limit else 1.0

    def is_used(self) -> bool:
        """Whether slots come from Redis now, or have not been asked for yet."""
        return self._shared is None or self._shared.membership.is_answering

    async def look(self, request: SlotRequest) -> SlotReply | None:
        """The reply that a request would get of Redis; None while it is lost.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        membership, redis = await self._join()
        with suppress(RedisLost):
            return await redis.look(request) if membership.is_answering else None
        return None

    def share_request(self, request: SlotRequest) -> SlotRequest:
        """The request to this replica's own ledger, for its share."""
        permission = self._permission(request)
        return request.narrowed(permission.limit) if permission is not None and permission.place == "own" else request

    def state(self) -> RedisState | None:
        """The state of this process towards Redis; None before the first request to it."""
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
            replicas=replicas.replica_count,
            share=1.0 if is_ok else 1 / replicas.replica_count if replicas.is_countable else 0.0,
        )

    def take_notice(self) -> Notice | None:
        """A notice for users, once for each time that Redis is lost."""
        if self._redis is not None and self._redis.mended:
            return mended_notice(self._redis.mended)
        membership = self._shared.membership if self._shared else None
        if membership is None or membership.is_answering:
            self._notified_loss = None
            return None
        if self._notified_loss is not None:
            return None
        self._notified_loss = membership.lost_since
        part = f"1/{membership.replicas.replica_count} of each"
        message = f"Redis, by which replicas share rate limits, is lost: until it is back this one keeps to {part}."
        return Notice(code="CACHE_IN_MEMORY", message=message)

    async def aclose(self) -> None:
        """Leave the other replicas."""
        if self._shared is not None:
            await self._shared.release()
        self._shared = self._redis = None

    async def _join(self) -> tuple[Membership, RedisLedger]:
        if self._shared is None or self._redis is None:
            self._shared = self._open()
            self._redis = RedisLedger(self._shared.link, self._timing)
        await self._shared.membership.join()
        return self._shared.membership, self._redis

    def _reply_nowhere(self, request: SlotRequest, permission: Permission, wait: float) -> SlotReply:
        """The reply while neither Redis nor the own ledger may give slots."""
        pause = self._pauses.seconds(request.name)
        return SlotReply(False, pause) if pause > wait else SlotReply(False, wait, obstacle=_obstacle(permission))

    def _permission(self, request: SlotRequest) -> Permission | None:
        return self._shared.membership.permission(request.limit, request.window) if self._shared else None
