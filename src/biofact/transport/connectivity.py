"""Which services could not be reached a moment ago, so that nobody tries in vain, and whether others could."""

import math
from dataclasses import dataclass
from urllib.parse import urlsplit

from biofact.core.errors import USE_SANDBOX, NoNetwork, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.service import Service, Unreachable
from biofact.transport.timing import Timing

HELD_SECONDS = 1.0
"""How long a service that could not be reached is not tried anew: no longer than a network takes to come back."""
LATELY_SECONDS = 10.0
"""How long ago a service may have been reached for its network to count as there."""
SHORT_SECONDS = 1.0
"""A failure that takes longer is not tried again."""

_WAIT_SECONDS = 10  # for a name that may be known again
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_PROBLEMS = {"no name": "the name {host} is not known", "no route": "no route leads to {host}"}


@dataclass(frozen=True, slots=True)
class _Outage:
    failure: Unreachable
    at: float
    is_certain: bool
    """No further attempt is due."""


class Connectivity:
    """What one event loop knows of the ways to its services."""

    def __init__(self, settings: Settings, timing: Timing) -> None:
        self._settings = settings
        self._clock = timing.clock
        self._reached_at: dict[str, float] = {}
        self._outages: dict[str, _Outage] = {}

    def reached(self, service: Service) -> None:
        """A connection to the service stands."""
        self._outages.pop(service.name, None)
        if urlsplit(self._settings[service.base_url]).hostname not in _LOCAL_HOSTS:  # these need no network
            self._reached_at[service.name] = self._clock()

    def unreached(self, service: Service, failure: Unreachable, seconds: float, *, is_last: bool = False) -> None:
        """An attempt took so long to fail; ``is_last`` if there is to be no other."""
        self._reached_at.pop(service.name, None)
        is_certain = is_last or seconds > SHORT_SECONDS or self._is_offline()
        self._outages[service.name] = _Outage(failure, self._clock(), is_certain)

    def recent_failure(self, service: Service, since: float = -math.inf) -> Unreachable | None:
        """Why an attempt after ``since`` failed a moment ago, for others to share; None if there was none."""
        outage = self._recent(service)
        return None if outage is None or outage.at <= since else outage.failure

    def is_certain(self, service: Service) -> bool:
        """Whether another attempt would be in vain."""
        outage = self._recent(service)
        return outage is not None and outage.is_certain

    def error(self, service: Service, failure: Unreachable) -> UpstreamError:
        """What a caller is to know."""
        host = failure.host
        evidence = ""
        match failure.obstacle:
            case "untrusted":
                return UpstreamError(
                    f"{service.title} was not asked: {host} {failure.reason}.",
                    hint="Check the clock; where a proxy reads along, set SSL_CERT_FILE to its certificates.",
                )
            case "proxy refused":
                return UpstreamError(f"{service.title} was not asked: {failure.reason}.", hint="Check HTTPS_PROXY.")
            case "no proxy":
                problem, check = f"the proxy {host} cannot be reached", "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY"
            case _ if self._is_other_reached(service):
                return self._host_error(service, failure)
            case _:
                problem, check = "there seems to be no network", self._base_url_then(service, "HTTPS_PROXY")
                evidence = _PROBLEMS[failure.obstacle].format(host=host)
        hint = f"Check the connection and {check}. To try biofact without a network, {USE_SANDBOX}."
        return NoNetwork(service.title, problem, hint=hint, evidence=evidence)

    def _host_error(self, service: Service, failure: Unreachable) -> UpstreamError:
        problem = _PROBLEMS[failure.obstacle].format(host=failure.host)
        return UpstreamError(
            f"{service.title} cannot be reached: {problem}, while another service was reached lately.",
            hint=f"Check {self._base_url_then(service, 'the name server')}, or wait {_WAIT_SECONDS} seconds, "
            "then call again.",
            recovery=RetryAfter(_WAIT_SECONDS),
        )

    def _base_url_then(self, service: Service, other: str) -> str:
        return f"{service.base_url.name} or {other}" if self._settings.is_set(service.base_url) else other

    def _recent(self, service: Service) -> _Outage | None:
        outage = self._outages.get(service.name)
        return outage if outage is not None and self._clock() - outage.at < HELD_SECONDS else None

    def _is_other_reached(self, service: Service) -> bool:
        since = self._clock() - LATELY_SECONDS
        return any(at >= since for name, at in self._reached_at.items() if name != service.name)

    def _is_offline(self) -> bool:
        """Whether another service was given up a moment ago, and none was reached."""
        now = self._clock()
        is_given_up = any(each.is_certain and now - each.at < HELD_SECONDS for each in self._outages.values())
        return is_given_up and not any(at >= now - LATELY_SECONDS for at in self._reached_at.values())
