"""How a process stands with the Redis that it shares with other replicas."""

from dataclasses import dataclass

from biofact.transport.redis_link import RedisFault


@dataclass(frozen=True, slots=True)
class RedisState:
    """How a process stands with the Redis that it shares with others."""

    is_ok: bool
    is_ready: bool
    """Whether it may ask services: with Redis, or with a share of which it knows how large it is."""
    lost_since: float | None
    """By the wall clock; None while Redis is there."""
    fault: RedisFault | None
    """What is wrong, or was the last time."""
    replicas: int
    """How many there are, as far as is known."""
    share: float
    """The part of each service's budget that this replica may take now: 1.0 with Redis, where all take from one."""
