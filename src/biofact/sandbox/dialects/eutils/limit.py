"""NCBI's rate limit, with its own refusal."""

import json
from collections import deque

from biofact.sandbox.standin import Admission, Ask, Reply
from biofact.transport.service import Service


class NcbiLimit:
    """So many requests in any second: 3 for an address, 10 for an API key (recorded 429 of 2026-08-06)."""

    def __init__(self, service: Service, factor: float = 1.0) -> None:
        self._per_second = max(1, round(service.per_second * factor))
        self._per_second_with_key = max(1, round((service.per_second_with_key or service.per_second) * factor))
        self._admitted: dict[str, deque[float]] = {}

    def admit(self, ask: Ask, caller: str, now: float) -> Admission:
        """Let it in if fewer than the limit were let in during the second before; a refused one does not count."""
        key = ask.one("api_key")
        limit = self._per_second_with_key if key else self._per_second
        recent = self._admitted.setdefault(key or caller, deque())
        while recent and recent[0] <= now - 1.0:
            recent.popleft()
        if len(recent) >= limit:
            return Admission(_refusal(key or caller, limit), _headers(limit, 0))
        recent.append(now)
        return Admission(None, _headers(limit, limit - len(recent)))


def _headers(limit: int, remaining: int) -> dict[str, str]:
    return {"X-RateLimit-Limit": str(limit), "X-RateLimit-Remaining": str(remaining)}


def _refusal(key: str, limit: int) -> Reply:
    payload = {"error": "API rate limit exceeded", "api-key": key, "count": str(limit + 1), "limit": str(limit)}
    body = json.dumps(payload, separators=(",", ":")).encode()
    return Reply(body, "application/json", 429, {"Retry-After": "2"})
