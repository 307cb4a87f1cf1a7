"""Times of calls and requests, and their clock."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Timing:
    """Deadlines, waits and the clock: one object, so that tests can have a clock of their own."""

    deadline_seconds: float = 30.0
    stale_patience_seconds: float = 8.0
    """The time of trying for a new answer when an expired one is in the cache."""
    side_leg_seconds: float = 2.0
    batch_window_seconds: float = 0.010
    join_seconds: float = 2.0
    """The time for which a request that calls can join lets those pass that cannot be joined."""
    connect_seconds: float = 10.0
    read_seconds: float = 20.0
    backoff_seconds: float = 0.5
    backoff_cap_seconds: float = 8.0
    breaker_failures: int = 5
    breaker_seconds: float = 10.0
    rate_factor: float = 1.0
    """Multiplies every service's rate."""
    clock: Callable[[], float] = time.monotonic
    wall_clock: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = field(default=random.random)

    @property
    def last_words_seconds(self) -> float:
        """The end of a call's time, left to a request that several calls wait for, to report why it failed."""
        return min(0.5, self.deadline_seconds / 10)

    def deadline(self) -> float:
        """The time by which the requests of a call that begins now have to be answered."""
        return self.clock() + self.deadline_seconds - self.last_words_seconds
