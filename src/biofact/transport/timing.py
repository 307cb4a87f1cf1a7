"""How long things take and by which clock."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Timing:
    """Deadlines, waits and the clock: one object, so that tests run faster than life."""

    deadline_seconds: float = 30.0
    stale_patience_seconds: float = 8.0
    """How long to try for a new answer when an expired one is at hand."""
    side_leg_seconds: float = 2.0
    batch_window_seconds: float = 0.010
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
