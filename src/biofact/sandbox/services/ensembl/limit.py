"""Ensembl's rate limit, with its own refusal."""

import math
from collections import Counter

from biofact.sandbox.standin import Admission, Ask, Reply

_PER_HOUR = 55_000
_PERIOD_SECONDS = 3600


class EnsemblLimit:
    """So many requests in a fixed hour of the clock: 55,000 for an address (headers recorded 2025-03-07)."""

    def __init__(self, factor: float = 1.0) -> None:
        self._most = max(1, round(_PER_HOUR * factor))
        self._hour = 0
        self._admitted = Counter[str]()

    def admit(self, ask: Ask, caller: str, now: float) -> Admission:  # noqa: ARG002  # as the protocol has it
        """Let it in if the hour's number is not used up; a refused one does not count."""
        hour = int(now // _PERIOD_SECONDS)
        if hour != self._hour:
            self._hour = hour
            self._admitted.clear()
        reset_seconds = math.ceil((hour + 1) * _PERIOD_SECONDS - now)
        if self._admitted[caller] >= self._most:
            return Admission(self._refusal(reset_seconds), self._headers(0, reset_seconds))
        self._admitted[caller] += 1
        return Admission(None, self._headers(self._most - self._admitted[caller], reset_seconds))

    def _headers(self, remaining: int, reset_seconds: int) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self._most),
            "X-RateLimit-Reset": str(reset_seconds),
            "X-RateLimit-Period": str(_PERIOD_SECONDS),
            "X-RateLimit-Remaining": str(remaining),
        }

    def _refusal(self, reset_seconds: int) -> Reply:
        text = f"Too many requests: {self._most} an hour are allowed."
        return Reply(text.encode(), "text/plain", 429, {"Retry-After": str(float(reset_seconds))})
