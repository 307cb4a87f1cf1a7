"""Prometheus metrics, and the events that change them."""

import platform
from collections.abc import Callable
from typing import Any

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from biofact import __version__
from biofact.core.events import (
    AuditFailed,
    BreakerChanged,
    CacheRead,
    CallAnswered,
    CallBegan,
    DefectFound,
    Event,
    ModelAnswered,
    QuotaReached,
    RateLimitHit,
    RequestBegan,
    RequestEnded,
    RequestRefused,
    StaleAnswered,
    WaitBegan,
    WaitEnded,
)

MOST_CALLERS = 200
"""Callers that a process counts one by one; the calls of later ones are added up as ``other``."""

_CALL_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)
_REQUEST_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_WAIT_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]  # it would double the number of series


class Counts:
    """The metrics of one process in a registry, changed by events.

    A gauge of several workers is the sum over those that run, except for values that all of them share.
    """

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._callers: set[str] = set()
        self._changes: dict[type, Callable[[Any], None]] = {
            **self._of_calls(),
            **self._of_requests(),
            **self._of_turns(),
            **self._of_services(),
            **self._of_the_cache(),
            **self._of_models(),
            **self._of_quotas(),
            **self._of_refusals(),
            **self._of_faults(),
        }
        build = self._gauge("build_info", "Which version is running.", "version", "python", mode="livemax")
        build.labels(__version__, platform.python_version()).set(1)

    def add(self, event: Event) -> None:
        """Update the metrics of an event."""
        if change := self._changes.get(type(event)):
            change(event)

    def _of_calls(self) -> dict[type, Callable[[Any], None]]:
        calls = self._counter("calls", "Requests of clients that were answered.", "tool", "outcome")
        seconds = self._histogram("call_duration_seconds", "Until the answer.", _CALL_SECONDS, "tool", "outcome")
        under_way = self._gauge("calls_in_progress", "Requests of clients that wait for their answer.")
        callers = self._counter("caller_calls", "Requests of clients by the hash of their caller.", "caller")

        def on_call_answered(event: CallAnswered) -> None:
            labels = (event.began.tool or event.began.method, event.outcome)
            under_way.dec()
            calls.labels(*labels).inc()
            seconds.labels(*labels).observe(event.seconds)
            callers.labels(self._caller(event.began.subject)).inc()

        return {CallBegan: lambda _: under_way.inc(), CallAnswered: on_call_answered}

    def _of_requests(self) -> dict[type, Callable[[Any], None]]:
        requests = self._counter("upstream_requests", "Requests to services.", "service", "status")
        seconds = self._histogram("upstream_request_duration_seconds", "From sending on.", _REQUEST_SECONDS, "service")
        under_way = self._gauge("upstream_requests_in_progress", "Requests to services under way.", "service")
        retries = self._counter("upstream_retries", "Requests that were a further attempt.", "service")
        size = self._counter("upstream_received_bytes", "Bytes of bodies, unpacked.", "service")

        def on_request_ended(event: RequestEnded) -> None:
            under_way.labels(event.service).dec()
            status = f"{event.status // 100}xx" if event.status else "none"
            requests.labels(event.service, status).inc()
            seconds.labels(event.service).observe(event.seconds)
            size.labels(event.service).inc(event.size)
            if event.attempt > 1:
                retries.labels(event.service).inc()

        return {RequestBegan: lambda event: under_way.labels(event.service).inc(), RequestEnded: on_request_ended}

    def _of_turns(self) -> dict[type, Callable[[Any], None]]:
        labels = ("service", "lane")
        queue_length = self._gauge("budget_waiting_requests", "Requests that wait for their turn.", *labels)
        seconds = self._histogram("budget_wait_seconds", "Until the turn of a request.", _WAIT_SECONDS, *labels)
        timeouts = self._counter("budget_turnless_requests", "Requests whose turn did not come in time.", *labels)
        rate = self._gauge(
            "budget_requests_per_second", "Rate that a service allows.", "service", mode="livemostrecent"
        )

        def on_wait_ended(event: WaitEnded) -> None:
            queue_length.labels(event.service, event.lane).dec()
            rate.labels(event.service).set(event.per_second)
            if event.is_turn:
                seconds.labels(event.service, event.lane).observe(event.seconds)
            else:
                timeouts.labels(event.service, event.lane).inc()

        return {
            WaitBegan: lambda event: queue_length.labels(event.service, event.lane).inc(),
            WaitEnded: on_wait_ended,
        }

    def _of_services(self) -> dict[type, Callable[[Any], None]]:
        limits = self._counter("upstream_rate_limits", "Answers that asked us to slow down, as HTTP 429.", "service")
        trips = self._counter("breaker_trips", "Times that a service became known to be down.", "service")
        is_open = self._gauge("breaker_open", "Processes that know the service, or a part, to be down.", "service")

        def on_breaker_changed(event: BreakerChanged) -> None:
            is_open.labels(event.service).inc(1 if event.is_open else -1)
            if event.is_open:
                trips.labels(event.service).inc()

        return {
            RateLimitHit: lambda event: limits.labels(event.service).inc(),
            BreakerChanged: on_breaker_changed,
        }

    def _of_the_cache(self) -> dict[type, Callable[[Any], None]]:
        lookups = self._counter("cache_lookups", "Records looked for in the cache.", "service", "result")
        stale = self._counter("stale_answers", "Expired answers that stood in for a service.", "service")

        def on_cache_read(event: CacheRead) -> None:
            for result, count in (("hit", event.fresh), ("stale", event.stale), ("miss", event.missing)):
                if count:
                    lookups.labels(event.service, result).inc(count)

        return {CacheRead: on_cache_read, StaleAnswered: lambda event: stale.labels(event.service).inc()}

    def _of_models(self) -> dict[type, Callable[[Any], None]]:
        questions = self._counter("model_questions", "Questions to the configured language model.", "model", "outcome")
        tokens = self._counter("model_tokens", "Tokens of questions and answers, where it reports them.", "model")

        def on_model_answered(event: ModelAnswered) -> None:
            questions.labels(event.model, "failed" if event.is_failure else "OK").inc()
            tokens.labels(event.model).inc(event.tokens)

        return {ModelAnswered: on_model_answered}

    def _of_quotas(self) -> dict[type, Callable[[Any], None]]:
        refusals = self._counter("quota_refusals", "What callers were refused beyond their quotas.", "quota")
        return {QuotaReached: lambda event: refusals.labels(event.kind).inc()}

    def _of_refusals(self) -> dict[type, Callable[[Any], None]]:
        refusals = self._counter("refused_requests", "Requests refused before they were read.", "reason")
        return {RequestRefused: lambda event: refusals.labels(event.reason).inc()}

    def _of_faults(self) -> dict[type, Callable[[Any], None]]:
        defects = self._counter("defects", "Calls that hit a defect of biofact.")
        audit = self._counter("audit_failures", "Calls and refused requests not written to the audit log.")
        return {DefectFound: lambda _: defects.inc(), AuditFailed: lambda _: audit.inc()}

    def _caller(self, subject: str) -> str:
        """The label of a caller: a bounded number of them."""
        if subject in self._callers or not subject:
            return subject or "none"
        if len(self._callers) >= MOST_CALLERS:
            return "other"
        self._callers.add(subject)
        return subject

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"biofact_{name}", meaning, labels, registry=self._registry)

    def _gauge(self, name: str, meaning: str, *labels: str, mode: Any = "livesum") -> Gauge:
        return Gauge(f"biofact_{name}", meaning, labels, registry=self._registry, multiprocess_mode=mode)

    def _histogram(self, name: str, meaning: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"biofact_{name}", meaning, labels, registry=self._registry, buckets=buckets)
