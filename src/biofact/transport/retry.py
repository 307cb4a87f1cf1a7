"""What an answer means, and trying again: deadline, backoff, Retry-After, breaker, connection cap.

Why the loop is ours stands in docs/decisions/0009.
"""

import asyncio
import itertools
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from biofact.core import call
from biofact.core.call import Call, Lane
from biofact.core.errors import BiofactError, RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.redaction import redacted
from biofact.transport.service import Answer, BodyTooLarge, Refused, Service, Transient, Verdict
from biofact.transport.timing import Timing

T = TypeVar("T")

OFFLINE = declare(Setting("BIOFACT_OFFLINE", "Answer from the cache only; nothing goes on the wire."))

_LONGEST_PAUSE_SECONDS = 3600.0  # Ensembl's quota renews hourly; a longer wish is a mistake
_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_KEPT_FOR_URGENT = 2  # connections that bulk work leaves free


class Slots(Protocol):
    """What the retry asks of the budgets."""

    async def take(self, service: Service, lane: Lane) -> None:
        """Return when a slot is due and taken."""

    def pause(self, service: Service, seconds: float) -> None:
        """Let everybody wait."""


def judged(answer: Answer, service: Service, settings: Settings, timing: Timing) -> Answer:
    """The answer, if it is a good one.

    Raises:
        Transient: it may be better next time.
        Refused: the source says what it means; secrets that the body echoes are blotted out.
        UpstreamError: the service has moved.
    """
    wish = retry_after_seconds(answer.headers.get("retry-after", ""), timing)
    if 300 <= answer.status < 400:  # noqa: PLR2004  # redirects are not followed: they could carry the key elsewhere
        raise UpstreamError(
            f"{service.title} answered HTTP {answer.status}: it has moved.",
            hint=f"Set {service.base_url.name} to its new address.",
        )
    match _verdict(answer, service):
        case "limited":
            raise Transient("asked us to slow down", retry_after_seconds=wish, is_rate_limit=True)
        case "transient":
            raise Transient(_reason(answer), retry_after_seconds=wish)
        case "refused":
            body = redacted(answer.body.decode("latin-1"), settings).encode("latin-1")
            raise Refused(replace(answer, body=body))
        case "good":
            return answer


def _verdict(answer: Answer, service: Service) -> Verdict:
    if answer.status == 429:  # noqa: PLR2004
        return "limited"
    if answer.status == 408 or answer.status >= 500 or _is_web_page(answer.body):  # noqa: PLR2004
        return "transient"
    return service.judge(answer)


def _reason(answer: Answer) -> str:
    what = "sent a web page in place of data" if _is_web_page(answer.body) else "failed"
    return f"{what} (HTTP {answer.status})"


def _is_web_page(body: bytes) -> bool:
    return _WEB_PAGE.match(body) is not None


def retry_after_seconds(text: str, timing: Timing) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or a date; None where it tells nothing."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - timing.wall_clock()
        except ValueError:
            return None
    return min(max(seconds, 0.0), _LONGEST_PAUSE_SECONDS) if math.isfinite(seconds) else None


class Breaker:
    """Whether a service is known to be down."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._failures = 0
        self._down_until: float | None = None

    def wait_seconds(self) -> float:
        """How long a new call must stay away; 0 lets it pass. While the service is down one in a while may try."""
        now = self._timing.clock()
        if self._down_until is None:
            return 0.0
        if now < self._down_until:
            return self._down_until - now
        self._down_until = now + self._timing.breaker_seconds  # this one is the probe: the others wait for its fate
        return 0.0

    def failed(self) -> None:
        """Count a failure; enough of them in a row mean that the service is down."""
        self._failures += 1
        if self._failures >= self._timing.breaker_failures:
            self._down_until = self._timing.clock() + self._timing.breaker_seconds

    def answered(self) -> None:
        """The service is up, whatever it said."""
        self._failures = 0
        self._down_until = None


class Connections:
    """At most so many requests to a service at once; bulk work leaves some for urgent callers.

    Taken before a slot, so that a slot is used the moment it is due and never in a burst.
    """

    def __init__(self, most: int) -> None:
        self._all = asyncio.Semaphore(most)
        self._bulk = asyncio.Semaphore(max(1, most - _KEPT_FOR_URGENT))

    @asynccontextmanager
    async def one(self, lane: Lane) -> AsyncIterator[None]:
        """Hold one connection."""
        async with self._bulk if lane == "bulk" else nullcontext(), self._all:
            yield


class _CutShort(Transient):
    """The call's own deadline ended the attempt."""


@dataclass(frozen=True, slots=True)
class _State:
    connections: Connections
    breakers: dict[str, Breaker] = field(default_factory=dict)
    """By part of the service."""


class Retry:
    """Repeats an attempt until it succeeds, is refused, or the call has no time left."""

    def __init__(self, settings: Settings, timing: Timing, slots: Slots) -> None:
        self._settings = settings
        self._timing = timing
        self._slots = slots
        self._states: dict[str, _State] = {}

    def current(self, *, has_stale: bool = False) -> Call:
        """The call under way. Its first request sets its deadline; with an expired answer at hand it waits less."""
        current = call.current()
        now = self._timing.clock()
        if current.deadline is None:
            current.deadline = now + self._timing.deadline_seconds
        if not has_stale:
            return current
        patient = current.stale_deadline or now + self._timing.stale_patience_seconds
        return replace(current, deadline=min(current.deadline, patient))

    async def run(self, service: Service, current: Call, attempt: Callable[[], Awaitable[T]], *, part: str = "") -> T:
        """The outcome of the first attempt that does not fail in passing; each attempt takes a slot.

        Raises:
            RateLimited: the service asks for more patience than the call has.
            UpstreamError: it failed until the end, is known to be down, or must not be asked.
            Refused: as the attempt raised it; BodyTooLarge likewise.
        """
        breaker = self._state(service).breakers.setdefault(part, Breaker(self._timing))
        self._check(service, breaker)
        told: Transient | None = None
        for tries in itertools.count():
            try:
                outcome = await self._attempt(service, current, attempt)
            except Transient as failure:
                if failure.is_rate_limit:
                    breaker.answered()
                else:
                    breaker.failed()
                if told is None or not isinstance(failure, _CutShort):
                    told = failure  # what the service itself said says more than that we could not wait
                wait = self._wait_seconds(service, failure, tries)
                if self._timing.clock() + wait >= (current.deadline or 0.0):
                    raise self._given_up(service, told, wait) from failure
                await self._timing.sleep(wait)
            except (Refused, BodyTooLarge, BiofactError):
                breaker.answered()
                raise
            else:
                breaker.answered()
                return outcome
        raise AssertionError

    def _check(self, service: Service, breaker: Breaker) -> None:
        if self._settings.is_on(OFFLINE):
            raise UpstreamError(
                f"{service.title} was not asked: {OFFLINE.name} is set and the answer is not in the cache.",
                hint=f"Unset {OFFLINE.name} to ask the service.",
            )
        if wait := breaker.wait_seconds():
            raise UpstreamError(
                f"{service.title} is down: it failed {self._timing.breaker_failures} times in a row.",
                hint=f"Wait {math.ceil(wait)} seconds, then call again.",
                recovery=RetryAfter(math.ceil(wait)),
            )

    async def _attempt(self, service: Service, current: Call, attempt: Callable[[], Awaitable[T]]) -> T:
        is_sent = False
        try:
            async with (
                asyncio.timeout((current.deadline or 0.0) - self._timing.clock()),
                self._state(service).connections.one(current.lane),
            ):
                await self._slots.take(service, current.lane)
                is_sent = True
                return await attempt()
        except TimeoutError as error:
            if is_sent:
                raise _CutShort("did not answer in time") from error
            raise _CutShort("has more questions waiting than its rate allows", is_rate_limit=True) from error

    def _wait_seconds(self, service: Service, failure: Transient, tries: int) -> float:
        backoff = min(self._timing.backoff_seconds * 2.0**tries, self._timing.backoff_cap_seconds)
        wait = backoff * (0.5 + self._timing.random() / 2)
        if failure.retry_after_seconds is not None:
            self._slots.pause(service, failure.retry_after_seconds)
            wait = failure.retry_after_seconds
        return wait

    def _given_up(self, service: Service, failure: Transient, wait: float) -> BiofactError:
        seconds = math.ceil(wait) or 1
        message = redacted(f"{service.title} {failure.reason}.", self._settings)
        hint = f"Wait {seconds} second{'s' if seconds > 1 else ''}, then call again."
        if not failure.is_rate_limit:
            return UpstreamError(message, hint=hint, recovery=RetryAfter(seconds))
        if service.key is not None and not self._settings[service.key]:
            hint += f" Setting {service.key.name} raises the limit."
        return RateLimited(message, hint=hint, recovery=RetryAfter(seconds))

    def _state(self, service: Service) -> _State:
        if service.name not in self._states:
            self._states[service.name] = _State(Connections(service.max_connections))
        return self._states[service.name]
