"""A process's membership among the replicas that share one Redis: its lease, and what it knows of the others."""

import asyncio
import hashlib
import logging
import os
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from biofact.core import events
from biofact.core.folder_files import FolderFile
from biofact.gateway.link import RedisFault, RedisLink, RedisLost, seconds_of
from biofact.gateway.replicas import BEAT_SECONDS, Member, Permission, Register, Replicas
from biofact.transport.private_files import make_private
from biofact.transport.timing import Timing

KEY = "biofact:replicas"
SINCE, WRITES = "since", "writes"
PROBE_SECONDS = 1.5
SLOW_SECONDS = 0.07
"""The longest time between a slot's time and its use: after more the service would see too many in a second."""

_HANDOVER_SECONDS = 2.0  # longer than any window


class Membership:
    """Renews a lease in Redis for as long as it is open, and probes for Redis while it is lost."""

    def __init__(self, link: RedisLink, timing: Timing, replica: str, *, configured_count: int = 0) -> None:
        self._link = link
        self._timing = timing
        self._id = secrets.token_hex(8)
        self.replicas = Replicas(self._id, replica, configured_count=configured_count, start_time=timing.clock())
        self.fault: RedisFault | None = None
        self._lost_at: float | None = None
        self._is_tried = False
        self._low = self._high = 0.0
        """The difference of Redis's clock from ours, at least and at most."""
        self._lock = asyncio.Lock()
        self._beats: asyncio.Task[None] | None = None

    @property
    def is_answering(self) -> bool:
        """Whether Redis answered when it was last asked."""
        return self._is_tried and self._lost_at is None

    @property
    def lost_since(self) -> float | None:
        """By the wall clock; None while Redis is there."""
        if self._lost_at is None:
            return None
        return self._timing.wall_clock() - (self._timing.clock() - self._lost_at)

    async def join(self) -> None:
        """Return after one first request for a lease, whatever its outcome.

        Raises:
            WrongSetting: the URL cannot work, and never did.
        """
        if self._is_tried:
            return
        async with self._lock:
            if self._is_tried:
                return
            try:
                await self._beat(is_late=False)
            except RedisLost as loss:
                if loss.fault == "settings":
                    raise loss.wrong_setting() from loss
                self.lose(loss)
            self._is_tried = True
            self._beats = asyncio.create_task(self._run())

    def permission(self, limit: int, window: float) -> Permission:
        """The place where a slot may be taken now."""
        now = self._timing.clock()
        return self.replicas.permission(now + self._low, now + self._high, limit, window)

    def lose(self, loss: RedisLost) -> None:
        """Take no slots from Redis until it has answered a probe."""
        is_new = self._lost_at is None or self.fault != loss.fault
        self.fault = loss.fault
        if self._lost_at is None:
            self._lost_at = self._timing.clock()
        if is_new:
            level = logging.ERROR if loss.fault == "settings" else logging.WARNING
            events.REDIS.log(level, "Redis is lost for rate limits: %s; asking again every few seconds", loss.reason)

    async def aclose(self) -> None:
        """Leave the other replicas, so that they reserve nothing for this one."""
        if self._beats is not None:
            self._beats.cancel()
            await asyncio.wait({self._beats})
            self._beats = None
        self._is_tried = False

    async def _run(self) -> None:
        try:
            while True:
                pause = BEAT_SECONDS if self._lost_at is None else PROBE_SECONDS
                await self._timing.sleep(pause * (0.75 + self._timing.random() / 2))
                try:
                    await self._beat(is_late=True)
                except RedisLost as loss:
                    self.lose(loss)
        finally:
            with suppress(RedisLost):
                await self._leave()

    async def _beat(self, *, is_late: bool) -> None:
        """Take a lease, or renew it; if Redis was lost, probe first whether it answers fast enough.

        Raises:
            RedisLost: there is no lease, as far as is known.
        """
        if self._lost_at is not None:
            await self._probe()
        if self.replicas.own_member is None:
            own_member = await self._enter(is_late=is_late)
        else:
            previous, now = self.replicas.own_member, self._timing.clock()
            own_member = self.replicas.renew(now + self._low, now + self._high)
            try:
                await self._renew(own_member)
            except RedisLost as loss:
                if loss.fault not in {"away", "slow"}:
                    self.replicas.own_member = previous  # Redis answered that it did nothing
                raise
        self.replicas.confirm(own_member)
        if self._lost_at is not None:
            events.REDIS.warning("Redis is back for rate limits after %.0f s", self._timing.clock() - self._lost_at)
            self._lost_at = None

    async def _probe(self) -> None:
        sent_at = self._timing.clock()
        fields, time = await self._link.ask(_read)
        if self._timing.clock() - sent_at > SLOW_SECONDS:
            raise RedisLost("it answers too slowly to share a rate", "slow")
        self._learn(fields, time, sent_at)

    async def _enter(self, *, is_late: bool) -> Member:
        """Take a number that no other replica has."""

        async def transaction(pipe: Any) -> Member:
            sent_at = self._timing.clock()
            fields = await pipe.hgetall(KEY)
            self.replicas.own_member = None
            self._learn(fields, await pipe.time(), sent_at)
            now = self._timing.clock()
            own_member = self.replicas.renew(now + self._low, now + self._high, is_late=is_late)
            pipe.multi()
            self._write(pipe, own_member)
            return own_member

        async def question(client: Any) -> Member:
            own_member: Member = await client.transaction(transaction, KEY, value_from_callable=True)
            return own_member

        return await self._link.ask(question)

    async def _renew(self, own_member: Member) -> None:
        async def question(client: Any) -> list[Any]:
            pipe = client.pipeline(transaction=True)
            self._write(pipe, own_member)
            pipe.hgetall(KEY)
            pipe.time()
            result: list[Any] = await pipe.execute()
            return result

        sent_at = self._timing.clock()
        *_, fields, time = await self._link.ask(question)
        self._learn(fields, time, sent_at)

    def _write(self, pipe: Any, own_member: Member) -> None:
        """Write this member and those that Redis has lost; remove those that need not be remembered."""
        pipe.hsetnx(KEY, SINCE, f"{self._timing.clock() + self._low:.3f} {self._id}")
        pipe.hincrby(KEY, WRITES, 1)  # a lower count than before shows that Redis lost some
        pipe.hset(KEY, own_member.id, str(own_member))
        for member in self.replicas.missing_members:
            pipe.hsetnx(KEY, member.id, str(member))
        for member_id in self.replicas.expired_ids:
            pipe.hdel(KEY, member_id)

    def _learn(self, fields: Mapping[Any, Any], time: tuple[int, int], sent_at: float) -> None:
        now = seconds_of(time)
        self._low, self._high = now - self._timing.clock(), now - sent_at  # Redis read its clock between the two
        texts = {_text(name): _text(value) for name, value in fields.items()}
        since, writes = texts.pop(SINCE, ""), texts.pop(WRITES, "0")
        parsed = (Member.read(name, text) for name, text in texts.items())
        members = {member.id: member for member in parsed if member is not None}
        self.replicas.learn(Register(members, since, int(writes), now))

    async def _leave(self) -> None:
        """Remove this member, unless its replica's share is still reserved, or Redis is lost."""
        own_member, now = self.replicas.own_member, self._timing.clock()
        if (
            own_member is None
            or self._lost_at is not None
            or own_member.is_apart(now + self._high, window=_HANDOVER_SECONDS)
        ):
            return

        async def question(client: Any) -> None:
            await client.hdel(KEY, own_member.id)

        await self._link.ask(question)


async def _read(client: Any) -> tuple[Mapping[Any, Any], tuple[int, int]]:
    """The members in Redis, and its time."""
    pipe = client.pipeline(transaction=True)
    pipe.hgetall(KEY)
    pipe.time()
    fields, time = await pipe.execute()
    return fields, time


def replica_id(folder: Path | None) -> str:
    """The name of the replica: the same for all processes of this machine that use one folder, 16 hex digits.

    If the folder cannot be used, each process has a ledger of its own, and is a replica.
    """
    mark = secrets.token_hex(8)
    with suppress(OSError):
        mark = mark if folder is None else _mark_in(folder, mark)
    return hashlib.blake2b(f"{socket.gethostname()}\0{mark}".encode(), digest_size=8).hexdigest()


def _mark_in(folder: Path, mark: str) -> str:
    """The mark in the folder: the given one, if there is none yet."""
    path = folder / "replica"
    if not path.exists():
        draft = folder / f"replica.{mark}"
        make_private(draft)
        draft.write_text(mark, "ascii")
        with suppress(FileExistsError):
            os.link(draft, path)  # all of it or nothing, and the first wins
        draft.unlink()
    return FolderFile.at_path(path).read_bytes().decode("ascii", "replace")


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


class SharedMembership:
    """A membership of all transports of one event loop with the same cache folder and Redis, and their number."""

    _open: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, Path], "SharedMembership"]]] = (
        WeakKeyDictionary()
    )

    def __init__(self, link: RedisLink, membership: Membership) -> None:
        self.link = link
        self.membership = membership
        self.users = 1

    @classmethod
    def of(cls, link: RedisLink, folder: Path | None, timing: Timing, configured_count: int) -> "SharedMembership":
        """The one that is open on this event loop; else a new one."""
        memberships = cls._open.setdefault(asyncio.get_running_loop(), {})
        if folder is not None and (link.url, folder) in memberships:
            shared = memberships[link.url, folder]
            shared.users += 1
            return shared
        shared = cls(link, Membership(link, timing, replica_id(folder), configured_count=configured_count))
        if folder is not None:
            memberships[link.url, folder] = shared
        return shared

    async def release(self) -> None:
        """Close the membership with its last user."""
        self.users -= 1
        if self.users:
            return
        memberships = self._open.get(asyncio.get_running_loop(), {})
        for key in [key for key, shared in memberships.items() if shared is self]:
            del memberships[key]
        await self.membership.aclose()
        await self.link.aclose()
