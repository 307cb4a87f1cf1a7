"""Memberships that are shared within an event loop: a process is one member, however many transports it has."""

import asyncio
from pathlib import Path
from typing import ClassVar
from weakref import WeakKeyDictionary

from biofact.transport.membership import Membership, replica_id
from biofact.transport.redis_link import RedisLink
from biofact.transport.timing import Timing


class SharedMembership:
    """A membership that all on one event loop share who share cache folder and Redis, and how many those are."""

    _open: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, Path], "SharedMembership"]]] = (
        WeakKeyDictionary()
    )

    def __init__(self, link: RedisLink, membership: Membership) -> None:
        self.link = link
        self.membership = membership
        self.users = 1

    @classmethod
    def of(cls, link: RedisLink, folder: Path | None, timing: Timing, declared: int) -> "SharedMembership":
        """The one that is open here; else a new one."""
        here = cls._open.setdefault(asyncio.get_running_loop(), {})
        if folder is not None and (link.url, folder) in here:
            shared = here[link.url, folder]
            shared.users += 1
            return shared
        shared = cls(link, Membership(link, timing, replica_id(folder), declared=declared))
        if folder is not None:
            here[link.url, folder] = shared
        return shared

    async def release(self) -> None:
        """Close what nobody uses any more."""
        self.users -= 1
        if self.users:
            return
        here = self._open.get(asyncio.get_running_loop(), {})
        for key in [key for key, shared in here.items() if shared is self]:
            del here[key]
        await self.membership.aclose()
        await self.link.aclose()
