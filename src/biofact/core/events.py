"""Events of calls, requests and caches, from which listeners make metrics, spans and lines of a log; and the loggers.

Transport and interfaces do not know the listeners. Without any, an event costs one look at ``listeners``:

    if events.listeners:
        events.emit(StaleAnswered(service.name))

A listener is a function of one event. It runs at once, on the thread and in the context of what happened, so it is
quick and raises nothing. Only ``CallBegan.arguments`` holds what a caller wrote; no event holds a key or a token.

The loggers below ``biofact`` are silent until a handler listens. No line holds a query or an ID unless a host asks for
that, and none a secret.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeAlias

from biofact.core.settings import Setting, declare

LEVEL = declare(
    Setting(
        "BIOFACT_LOG",
        "What commands and servers write on stderr: error, warning, info (calls) or debug (requests, waits, cache).",
        default="warning",
    )
)
FORMAT = declare(
    Setting("BIOFACT_LOG_FORMAT", "How they write it: text, or json, an object a line.", default="text"),
)
QUERIES = declare(
    Setting("BIOFACT_LOG_QUERIES", "Log what callers ask for, too: arguments, and the words of errors.", is_switch=True)
)

ROOT = logging.getLogger("biofact")
ROOT.addHandler(logging.NullHandler())
REQUESTS = logging.getLogger("biofact.requests")
WAITS = logging.getLogger("biofact.waits")
CACHE = logging.getLogger("biofact.cache")
CALLS = logging.getLogger("biofact.calls")
REDIS = logging.getLogger("biofact.redis")
LOGGERS = (REQUESTS, WAITS, CACHE, CALLS, REDIS)

attempt: ContextVar[int] = ContextVar("biofact_attempt", default=1)
"""The number of the attempt under way at a request."""

call_number: ContextVar[int | None] = ContextVar("biofact_call_number", default=None)
"""The number of the call under way, or of the last one that was answered here: it groups lines."""


@dataclass(frozen=True, slots=True, eq=False)
class CallBegan:
    """A client's request to our server has arrived."""

    method: str
    """A method of the protocol, such as ``tools/call``; ``other`` for an unknown one."""
    tool: str = ""
    """The tool of a ``tools/call``; ``unknown`` where none has its name."""
    subject: str = ""
    """The caller, as in ``Call.subject``."""
    session_id: str = ""
    protocol: str = ""
    """Version of the protocol that its client speaks."""
    arguments: Mapping[str, object] | None = None
    """The caller's arguments. A listener shows them only where the host has asked for that."""


@dataclass(frozen=True, slots=True, eq=False)
class CallAnswered:
    """The answer to a client's request is about to be sent."""

    began: CallBegan
    outcome: str
    """``OK``, an envelope's code, ``INPUT_REQUIRED``, ``CANCELLED``, or ``REFUSED`` by an error of the protocol."""
    seconds: float


@dataclass(frozen=True, slots=True)
class RequestBegan:
    """A request to a service is about to be sent, as soon as its turn has come."""

    service: str


@dataclass(frozen=True, slots=True)
class RequestEnded:
    """A request to a service has been answered, or has failed."""

    service: str
    method: str
    url: str
    """The service's address with the path, without words of callers: ``https://.../efetch.fcgi``, ``https://.../lookup/...``."""
    status: int
    """The HTTP status; 0 without an answer."""
    failure: str
    """Class of the failure on the way; empty where the answer arrived."""
    attempt: int
    size: int
    """Bytes of the body that arrived, unpacked."""
    seconds: float
    """Seconds since it was sent."""


@dataclass(frozen=True, slots=True)
class WaitBegan:
    """A request has begun to wait for its turn at a service."""

    service: str
    lane: str
    """``interactive`` or ``bulk``."""


@dataclass(frozen=True, slots=True)
class WaitEnded:
    """A wait has ended: the turn has come, or the request was given up."""

    service: str
    lane: str
    seconds: float
    is_turn: bool
    per_second: float
    """The requests that the service allows."""


@dataclass(frozen=True, slots=True)
class RateLimitHit:
    """A service asked us to slow down."""

    service: str


@dataclass(frozen=True, slots=True)
class BreakerChanged:
    """A service, or a part of it, is known to be down from now on, or is no longer."""

    service: str
    part: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class CacheRead:
    """The cache was asked for records of a service."""

    service: str
    fresh: int
    stale: int
    missing: int


@dataclass(frozen=True, slots=True)
class StaleAnswered:
    """An expired answer stood in for a service that could not be asked."""

    service: str


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """The configured language model has answered a question, or failed to."""

    model: str
    tokens: int
    """Tokens of question and answer, where the model reports them."""
    seconds: float
    is_failure: bool


@dataclass(frozen=True, slots=True)
class QuotaReached:
    """A request of a caller was refused because the host's quota is used up."""

    kind: str
    """``calls``, ``model_tokens`` or ``collections``."""


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """A request over HTTP was refused before it was read."""

    method: str
    """The HTTP method; ``other`` for an unknown one."""
    path: str
    """The path; ``other`` for one that the server does not have."""
    status: int
    reason: str
    """``no_token``, ``invalid_token``, ``insufficient_scope``, ``foreign_host`` or ``foreign_origin``."""


@dataclass(frozen=True, slots=True)
class DefectFound:
    """A call has hit a defect of biofact."""


@dataclass(frozen=True, slots=True)
class AuditFailed:
    """A call, or a refused request, could not be written to the audit log."""


Event: TypeAlias = (
    CallBegan
    | CallAnswered
    | RequestBegan
    | RequestEnded
    | WaitBegan
    | WaitEnded
    | RateLimitHit
    | BreakerChanged
    | CacheRead
    | StaleAnswered
    | ModelAnswered
    | QuotaReached
    | RequestRefused
    | DefectFound
    | AuditFailed
)
Listener: TypeAlias = Callable[[Event], None]

listeners: tuple[Listener, ...] = ()
"""All listeners of the process."""


def emit(event: Event) -> None:
    """Call every listener."""
    for listener in listeners:
        listener(event)


@contextmanager
def subscription(listener: Listener) -> Iterator[None]:
    """Call ``listener`` with every event within."""
    global listeners  # noqa: PLW0603  # one attribute, so that looking at it costs next to nothing
    listeners = (*listeners, listener)
    try:
        yield
    finally:
        rest = list(listeners)
        rest.remove(listener)
        listeners = tuple(rest)
