"""Whether a service is known to be down, so that nobody waits for it in vain."""

import math
from collections.abc import Hashable

from biofact.core import events
from biofact.core.events import BreakerChanged
from biofact.transport.timing import Timing


class Breaker:
    """Trips when several different requests in a row fail; a request that fails again and again counts once."""

    def __init__(self, timing: Timing, service: str, part: str = "") -> None:
        self._timing = timing
        self._service = service
        self._part = part
        self._failed: set[Hashable] = set()
        self._answered_at = -math.inf
        self._tripped_at = -math.inf
        self._down_until: float | None = None

    def wait_seconds(self) -> float:
        """How long a new call must stay away; 0 lets it pass. While the service is down one in a while may try."""
        now = self._timing.clock()
        if self._down_until is None:
            return 0.0
        if now < self._down_until:
            return self._down_until - now
        self._trip(now)  # this one is the probe: the others wait for its fate
        return 0.0

    def failed(self, request: Hashable, sent_at: float) -> None:
        """A request that was sent at this time failed. What was sent before the last answer, or before the service was
        known to be down, says nothing about how it is now.
        """
        if sent_at < max(self._answered_at, self._tripped_at):
            return
        self._failed.add(request)
        if self._down_until is not None or len(self._failed) >= self._timing.breaker_failures:
            self._trip(self._timing.clock())

    def answered(self) -> None:
        """The service is up, whatever it said."""
        self._answered_at = self._timing.clock()
        self.forget()

    def forget(self) -> None:
        """What failed lately says nothing of the service: there was no way to it."""
        if self._down_until is not None:
            self._report(is_open=False)
        self._failed.clear()
        self._tripped_at = -math.inf
        self._down_until = None

    def _trip(self, now: float) -> None:
        if self._down_until is None:
            self._report(is_open=True)
        self._tripped_at = now
        self._down_until = now + self._timing.breaker_seconds

    def _report(self, *, is_open: bool) -> None:
        events.emit(BreakerChanged(self._service, self._part, is_open))
