"""The backend registered for ``redis://``, ``rediss://`` and ``unix://``: budgets and cache in one Redis."""

import functools
from pathlib import Path

from biofact.core.settings import Settings
from biofact.gateway import link
from biofact.gateway.ledger import ReplicaLedger
from biofact.gateway.link import REPLICAS, RedisLink
from biofact.gateway.membership import SharedMembership
from biofact.gateway.store import ReplicaStore
from biofact.transport.backends import REDIS_URL
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import LocalLedger

_PATIENCE_SECONDS = 0.5  # a caller waits who could be served from memory, or by the service


class RedisBackend:
    """One Redis, shared by the replicas that have its URL."""

    def check(self, url: str) -> None:
        """Do nothing where a Redis answers, or may do so later.

        Raises:
            WrongSetting: nothing at this URL ever will, as it is set.
        """
        link.check(url)

    def ledger(self, settings: Settings, timing: Timing, folder: Path | None, local: LocalLedger) -> ReplicaLedger:
        """The budgets that replicas share; ``local`` is this replica's own ledger, for when Redis is lost."""
        redis = RedisLink(settings[REDIS_URL], patience_seconds=_PATIENCE_SECONDS)
        count = settings[REPLICAS]
        configured_count = int(count) if count.isascii() and count.isdecimal() else 0
        membership = functools.partial(SharedMembership.of, redis, folder, timing, configured_count)
        return ReplicaLedger(redis, timing, shared=membership, local=local)

    def store(self, settings: Settings, timing: Timing) -> ReplicaStore:
        """The answers that replicas share."""
        return ReplicaStore(RedisLink(settings[REDIS_URL], patience_seconds=_PATIENCE_SECONDS), timing)


backend = RedisBackend()
