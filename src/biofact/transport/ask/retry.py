"""The meaning of answers, and retries: deadline, backoff, Retry-After, breaker, outages.

Why the loop is ours stands in docs/decisions/0009.
"""

import asyncio
import itertools
import math
import re
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from biofact.core import call, events
from biofact.core.call import Call
from biofact.core.errors import USE_SANDBOX, BiofactError, NoNetwork, RetryAfter, UpstreamError
from biofact.core.events import BreakerChanged, RateLimitHit
from biofact.core.settings import Setting, Settings, declare
from biofact.transport.service import (
    IS_DOWN,
    NO_ANSWER_IN_TIME,
    SLOW_DOWN,
    Answer,
    BodyTooLarge,
    Ready,
    Refused,
    Service,
    SlotTooLate,
    Transient,
    Unreachable,
    Verdict,
    failure_error,
    redacted,
)
from biofact.transport.timing import Timing
from biofact.transport.turns.budget import Budgets
from biofact.transport.waiters import Waiter

T = TypeVar("T")


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
        """The seconds for which a new call must not ask; 0 lets it pass, as one now and then as a probe."""
        now = self._timing.clock()
        if self._down_until is None:
            return 0.0
        if now < self._down_until:
            return self._down_until - now
        self._trip(now)  # this call is the probe: all others wait for its result
        return 0.0

    def add_failure(self, request: Hashable, sent_at: float) -> None:
        """Count the failure of a request that was sent at this time.

        A request sent before the last answer, or before the service was known to be down, says nothing about now.
        """
        if sent_at < max(self._answered_at, self._tripped_at):
            return
        self._failed.add(request)
        if self._down_until is not None or len(self._failed) >= self._timing.breaker_failures:
            self._trip(self._timing.clock())

    def add_answer(self) -> None:
        """Count any answer: the service is up."""
        self._answered_at = self._timing.clock()
        self.forget()

    def forget(self) -> None:
        """Forget the failures, as those of requests that never reached the service."""
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


OUTAGE_SECONDS = 1.0
"""For which a service out of reach is not tried again: no longer than a network takes to come back."""
REACHED_SECONDS = 10.0
"""Since which a service may have been reached for its network to count as there."""
_SHORT_SECONDS = 1.0  # a failure that takes longer is not tried again
_MOST_DOUBLINGS = 30  # of the wait between attempts, which has reached its cap long before

_WAIT_SECONDS = 10  # for a name that may be known again
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_PROBLEMS = {"no name": "the name {host} is not known", "no route": "no route leads to {host}"}


@dataclass(frozen=True, slots=True)
class _Outage:
    failure: Unreachable
    time: float
    is_certain: bool
    """No further attempt is due."""


class Connectivity:
    """The outages of the ways to services, as one event loop knows them."""

    def __init__(self, settings: Settings, timing: Timing) -> None:
        self._settings = settings
        self._clock = timing.clock
        self._reached_at: dict[str, float] = {}
        self._outages: dict[str, _Outage] = {}

    def add_connection(self, service: Service) -> None:
        """Note that a connection to the service stands."""
        self._outages.pop(service.name, None)
        if urlsplit(self._settings[service.base_url]).hostname not in _LOCAL_HOSTS:  # these need no network
            self._reached_at[service.name] = self._clock()

    def add_outage(self, service: Service, failure: Unreachable, seconds: float, *, is_last: bool = False) -> None:
        """Note that an attempt failed after some seconds; ``is_last`` if there is to be no other."""
        self._reached_at.pop(service.name, None)
        is_certain = is_last or seconds > _SHORT_SECONDS or self._is_offline()
        self._outages[service.name] = _Outage(failure, self._clock(), is_certain)

    def recent_failure(self, service: Service, since: float = -math.inf) -> Unreachable | None:
        """The failure of an attempt after ``since``, which other requests share for a moment; None for none."""
        outage = self._recent(service)
        return None if outage is None or outage.time <= since else outage.failure

    def is_certain(self, service: Service) -> bool:
        """Whether another attempt would be in vain."""
        outage = self._recent(service)
        return outage is not None and outage.is_certain

    def error(self, service: Service, failure: Unreachable) -> UpstreamError:
        """The error for callers."""
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
        return outage if outage is not None and self._clock() - outage.time < OUTAGE_SECONDS else None

    def _is_other_reached(self, service: Service) -> bool:
        since = self._clock() - REACHED_SECONDS
        return any(time >= since for name, time in self._reached_at.items() if name != service.name)

    def _is_offline(self) -> bool:
        """Whether another service was found out of reach a moment ago, and none was reached."""
        now = self._clock()
        outages = (outage for outage in self._outages.values() if now - outage.time < OUTAGE_SECONDS)
        is_out = any(outage.is_certain for outage in outages)
        return is_out and not any(time >= now - REACHED_SECONDS for time in self._reached_at.values())


OFFLINE = declare(Setting("BIOFACT_OFFLINE", "Answer from the cache only; nothing goes on the wire.", is_switch=True))

_WEB_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attempt(Generic[T]):
    """One way to send a request, and its identity for those who count."""

    service: Service
    send: Callable[[Ready], Awaitable[T]]
    """Awaits its argument when client and connection are ready, then sends the request at once."""
    key: Callable[[], Hashable]
    """The same for the same request: one that fails again and again does not make the service look down."""
    part: str = ""
    """The part of the service, as in ``Request.part``."""
    payers: Sequence[str] = ()
    """The payers, as in ``Call``, where several calls wait for this one request."""
    waiters: Callable[[], Iterable[Waiter]] = tuple
    """The calls that wait for it now."""

    def add_failure(self, failure: Transient | None, current: Call) -> None:
        """Note how the service failed in the call that sends this and those that wait for it; None if it answered."""
        for waiting_call in (current, *(waiter.call for waiter in self.waiters())):
            if failure is None:
                waiting_call.failures.pop(self.service.name, None)
            else:
                waiting_call.failures[self.service.name] = failure

    def with_payers(self, current: Call) -> Call:
        """The call with the payers of this request."""
        return replace(current, payers=self.payers) if self.payers else current


def good_answer(answer: Answer, service: Service, settings: Settings, timing: Timing) -> Answer:
    """The answer, if it is a good one.

    Raises:
        Transient: it may be better next time.
        Refused: the source knows its meaning; secrets that the body echoes are blotted out.
        UpstreamError: the service has moved.
    """
    wish = retry_after_seconds(answer.headers.get("retry-after", ""), service, timing)
    if 300 <= answer.status < 400:  # noqa: PLR2004  # redirects are not followed: they could carry the key elsewhere
        raise UpstreamError(
            f"{service.title} answered HTTP {answer.status}: it has moved.",
            hint=f"Set {service.base_url.name} to its new address.",
        )
    match _verdict(answer, service):
        case "limited":
            events.emit(RateLimitHit(service.name))
            raise Transient(SLOW_DOWN, retry_after_seconds=wish, is_rate_limit=True)
        case "transient":
            raise Transient(_reason(answer), retry_after_seconds=wish)
        case "relayed":
            reason = f"relays the failure of a server behind it (HTTP {answer.status})"
            raise Transient(reason, retry_after_seconds=wish, is_relayed=True)
        case "refused":
            raise refused(answer, settings)
        case "good":
            return answer


def refused(answer: Answer, settings: Settings) -> Refused:
    """The refusal that an answer is; secrets that its body echoes are blotted out."""
    return Refused(replace(answer, body=redacted(answer.body.decode("latin-1"), settings).encode("latin-1")))


def _verdict(answer: Answer, service: Service) -> Verdict:
    if answer.status == 429:  # noqa: PLR2004
        return "limited"
    if answer.status == 408 or answer.status >= 500 or _is_web_page(answer.body):  # noqa: PLR2004
        return "transient"
    return service.judge(answer)


def _reason(answer: Answer) -> str:
    failure = "sent a web page in place of data" if _is_web_page(answer.body) else "failed"
    return f"{failure} (HTTP {answer.status})"


def _is_web_page(body: bytes) -> bool:
    return _WEB_PAGE.match(body) is not None


def retry_after_seconds(text: str, service: Service, timing: Timing) -> float | None:
    """The seconds that a Retry-After header asks for, as a number or a date; None for any other text.

    Never more than the service's own window: a longer wish is a mistake.
    """
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - timing.wall_clock()
        except (ValueError, OverflowError):  # the second for a year or zone of twenty digits
            return None
    return min(max(seconds, 0.0), service.longest_pause_seconds) if math.isfinite(seconds) else None


class _CutShort(Transient):
    """The call's own deadline ended the attempt."""


def _known_failure(service: Service, current: Call, failure: Transient) -> Transient:
    """The failure that the service reported to this call, perhaps to another request of it; else the one given."""
    known_failure = current.failures.get(service.name)
    return known_failure if isinstance(known_failure, Transient) else failure


class Retry:
    """Repeats an attempt until it succeeds, is refused, or the call has no time left."""

    def __init__(self, settings: Settings, timing: Timing, budgets: Budgets) -> None:
        self._settings = settings
        self._timing = timing
        self._budgets = budgets
        self._connectivity = Connectivity(settings, timing)
        self._breakers: dict[tuple[str, str], Breaker] = {}
        """By service and part of it."""

    def forget(self) -> None:
        """Forget which services are down: they were out of reach, or are not asked here any more."""
        for breaker in self._breakers.values():
            breaker.forget()

    def current(self, *, has_stale: bool = False) -> Call:
        """The call under way. Its first request sets its deadline; with an expired answer at hand it waits less."""
        current = call.current()
        now = self._timing.clock()
        current.began_at = min(current.began_at, now)
        if current.deadline is None:
            current.deadline = self._timing.deadline()
        if not has_stale:
            return current
        stale_deadline = current.stale_deadline or now + self._timing.stale_patience_seconds
        return replace(current, deadline=min(current.deadline, stale_deadline))

    async def run(self, request: Attempt[T], current: Call) -> T:
        """The outcome of the first attempt that does not fail in passing; each attempt takes a slot.

        Raises:
            RateLimited: the service asks for more patience than the call has.
            UpstreamError: it failed until the end, is known to be down, or must not be asked.
            Refused, BodyTooLarge: as the attempt raised them.
        """
        service = request.service
        self._check(request)
        unreached_at = -math.inf
        for tries in itertools.count():
            events.attempt.set(tries + 1)
            try:
                outcome = await self._attempt(request, current, unreached_at)
            except SlotTooLate as late:
                reason = _known_failure(service, current, late)
                raise self._final_error(service, reason, late.retry_after_seconds or 0.0) from late
            except Unreachable as failure:
                wait = self._wait_seconds(service, failure, 0)
                has_time = self._timing.clock() + wait < (current.deadline or 0.0)
                if unreached_at > -math.inf or not has_time or self._connectivity.is_certain(service):
                    raise self._unreachable(service, failure) from failure
                unreached_at = self._timing.clock()
                await self._rest(request, current, failure, wait)
            except Transient as failure:
                if not isinstance(failure, _CutShort):
                    request.add_failure(failure, current)
                # The service's own failure says more than that our time was over.
                reason = _known_failure(service, current, failure)
                wait = self._wait_seconds(service, failure, tries)
                if failure.is_relayed and tries:
                    raise self._final_error(service, failure, wait) from failure
                await self._rest(request, current, reason, wait)
            else:
                request.add_failure(None, current)
                return outcome
        raise AssertionError

    def known_error(self, service: Service, current: Call) -> BiofactError | None:
        """The error by which the service has failed in a call; None if it has not, or has answered since."""
        failure = current.failures.get(service.name)
        return self._final_error(service, failure, 1.0) if isinstance(failure, Transient) else None

    async def wait_to_join(self, service: Service, seconds: float, waiters: Callable[[], Iterable[Waiter]]) -> None:
        """Sleep while further calls may join the request of those that wait, which hear of a pause meanwhile."""
        if seconds:
            await self._budgets.rest(service, seconds, Call(), waiters)

    async def _rest(self, request: Attempt[T], current: Call, reason: Transient, wait: float) -> None:
        """Sleep until the next attempt, if the call has time for one.

        Raises:
            RateLimited, UpstreamError: it has not.
        """
        service = request.service
        if self._timing.clock() + wait >= (current.deadline or 0.0):
            raise self._final_error(service, reason, wait) from reason
        events.WAITS.debug("%s: %.2f s until attempt %d", service.name, wait, events.attempt.get() + 1)
        try:
            await self._budgets.rest(service, wait, current, request.waiters)
        except SlotTooLate as late:
            raise self._final_error(service, reason, late.retry_after_seconds or 0.0) from late

    def _check(self, request: Attempt[T]) -> None:
        service = request.service
        title = service.title
        if self._settings.is_on(OFFLINE):
            raise UpstreamError(
                f"{title} was not asked: {OFFLINE.name} is set and the answer is not in the cache.",
                hint=f"Unset {OFFLINE.name} to ask the service.",
            )
        failure = self._connectivity.recent_failure(service)
        if failure is not None and self._connectivity.is_certain(service):
            raise self._unreachable(service, failure) from failure
        if wait := self._breaker(request).wait_seconds():
            events.WAITS.debug("%s: known to be down for %.2f s more", service.name, wait)
            raise UpstreamError(
                f"{title} {IS_DOWN}: {self._timing.breaker_failures} different requests in a row failed.",
                hint=f"Wait {math.ceil(wait)} seconds, then call again.",
                recovery=RetryAfter(math.ceil(wait)),
            )

    async def _attempt(self, request: Attempt[T], current: Call, unreached_at: float) -> T:
        """The outcome of one attempt; the breaker counts it, if it was sent at all."""
        sent_at: list[float] = []
        breaker = self._breaker(request)
        try:
            outcome = await self._within_deadline(request, current, sent_at, unreached_at)
        except SlotTooLate:
            raise
        except Unreachable:
            breaker.forget()
            raise
        except Transient as failure:
            if sent_at and failure.is_rate_limit:
                breaker.add_answer()
            elif sent_at:
                breaker.add_failure(request.key(), sent_at[-1])
            raise
        except (Refused, BodyTooLarge, BiofactError):
            if sent_at:
                breaker.add_answer()
            raise
        breaker.add_answer()
        return outcome

    async def _within_deadline(
        self, request: Attempt[T], current: Call, sent_at: list[float], unreached_at: float
    ) -> T:
        clock = self._timing.clock
        stages = ["queued"]
        try:
            async with asyncio.timeout((current.deadline or 0.0) - clock()) as limit:
                slot = self._budgets.slot(request.service, request.with_payers(current), request.waiters)
                async with slot as ready:
                    stages.append("connecting")

                    async def start() -> None:
                        stages.append("connected")
                        await ready()
                        sent_at.append(clock())
                        self._connectivity.add_connection(request.service)
                        if current.answer_seconds is not None:  # counted from here, once
                            current.deadline = min(current.deadline or 0.0, clock() + current.answer_seconds)
                            current.answer_seconds = None
                            limit.reschedule(asyncio.get_running_loop().time() + current.deadline - clock())

                    return await self._send(request, start, unreached_at)
        except TimeoutError as error:
            if sent_at or stages[-1] == "connecting":
                raise _CutShort(NO_ANSWER_IN_TIME) from error
            delay = self._budgets.delay(request.service)
            raise _CutShort(delay.reason, is_rate_limit=delay.is_rate_limit) from error

    async def _send(self, request: Attempt[T], start: Ready, unreached_at: float) -> T:
        """The outcome of the request. A request that waited for a connection meanwhile shares the failure of others to
        reach the service since its last attempt, and makes none.

        Raises:
            Unreachable: the service cannot be reached.
        """
        service = request.service
        if failure := self._connectivity.recent_failure(service, unreached_at):
            raise failure.copy()
        start_time = self._timing.clock()
        try:
            return await request.send(start)
        except Unreachable as failure:
            is_last = unreached_at > -math.inf
            self._connectivity.add_outage(service, failure, self._timing.clock() - start_time, is_last=is_last)
            raise

    def _wait_seconds(self, service: Service, failure: Transient, tries: int) -> float:
        first, longest = self._timing.backoff_seconds, self._timing.backoff_cap_seconds
        wait = min(first * 2.0 ** min(tries, _MOST_DOUBLINGS), longest) * (0.5 + self._timing.random() / 2)
        if failure.retry_after_seconds is not None:
            self._budgets.pause(service, failure.retry_after_seconds, is_rate_limit=failure.is_rate_limit)
            if failure.retry_after_seconds >= first:  # "Retry-After: 0" is no leave to ask without a pause
                wait = failure.retry_after_seconds
        return wait

    def _unreachable(self, service: Service, failure: Unreachable) -> BiofactError:
        error = self._connectivity.error(service, failure)
        if isinstance(error, NoNetwork):  # earlier failures were the network's, and no service's
            self.forget()
        return error

    def _final_error(self, service: Service, failure: Transient, wait: float) -> BiofactError:
        return failure_error(service, failure, wait, self._settings)

    def _breaker(self, request: Attempt[T]) -> Breaker:
        key = (request.service.name, request.part)
        if key not in self._breakers:
            self._breakers[key] = Breaker(self._timing, *key)
        return self._breakers[key]
