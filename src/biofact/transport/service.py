"""Services, requests, answers and payloads, and how they are shown without secrets. No I/O."""

import math
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import quote, quote_plus, urlencode

from biofact.core.errors import RateLimited, RetryAfter, UpstreamError
from biofact.core.settings import Setting, Settings

Verdict = Literal["good", "transient", "relayed", "limited", "refused"]
"""``relayed`` is the failure of a server behind the service under a status that blames the request: retried once."""
Obstacle = Literal["no name", "no route", "no proxy", "proxy refused", "untrusted"]

Ready = Callable[[], Awaitable[None]]
"""Awaited when client and connection are ready; returns when the slot is due and taken."""

MIB = 1 << 20
WHOLE_CAP = 16 * MIB
"""Bytes of an answer that is read as a whole, after decompression; the largest that we ask for has some 10 MB."""

_DOT_SEGMENTS = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class Service:
    """A host with one budget, breaker and connection cap, shared by all its callers."""

    name: str
    title: str
    base_url: Setting
    per_second: float
    judge: Callable[["Answer"], Verdict]
    """Returns the meaning of an answer; of a stream it sees the head of the body only."""
    key: Setting | None = None
    per_second_with_key: float | None = None
    sign: Callable[[Settings], Mapping[str, str]] = lambda settings: {}
    """Parameters that every request carries (tool, e-mail, key); they appear in no cache key or provenance."""
    sign_headers: Callable[[Settings], Mapping[str, str]] = lambda settings: {}
    """Headers that every request carries, for a service that wants its key there."""
    form_headers: tuple[tuple[str, str], ...] | None = None
    """Set for a service that takes a request too long for an address as a form: the headers that mark one."""
    reads_pairs: bool = False
    """Whether it reads such a request as JSON and not as a form: pairs of a name and a percent-encoded value."""
    licence: str = ""
    max_connections: int = 10
    longest_pause_seconds: float = 300.0
    """The service's own window: it never asks for a longer pause, and a longer Retry-After is a mistake."""
    probe_path: str = ""
    """A cheap GET that tells whether the service is reachable (``biofact doctor``)."""

    def rate(self, settings: Settings) -> float:
        """Requests a second that the service allows this user."""
        if self.key is not None and settings[self.key] and self.per_second_with_key:
            return self.per_second_with_key
        return self.per_second


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a service, without its secrets."""

    service: Service
    path: str | tuple[str, ...]
    """Below the service's address: as it stands, or in segments, which are quoted, as one may be a caller's input."""
    params: tuple[tuple[str, str], ...] = ()
    method: Literal["GET", "POST"] = "GET"
    """POST sends ``params`` as a form, or ``json`` or ``text`` as the body."""
    json: object = None
    text: str | None = None
    """A body that is sent by POST as it stands, as plain text."""
    accept: str = "*/*"
    part: str = ""
    """The part of the service, if it is known to fail while the others stand: it has a breaker of its own."""
    is_absent: Callable[["Answer"], bool] | None = None
    """Whether an answer reports that there is no such record: a status, and a body that the service itself writes, as a
    proxy has a 404 of its own. The answer then counts as an empty body, and is kept as long as absence is. Any other
    empty body is damaged. In a batch it reports that all are absent.
    """
    is_gone: Callable[["Answer"], bool] | None = None
    """Whether an answer that shows no absence reports that the service has this path no more, be it as a redirect or a
    web page. It is refused at once, as another path may answer.
    """
    payload: Callable[["Answer"], bytes] | None = None
    """Reads the bytes to keep of a good answer, if not only its body: such as a total in a header. Pure."""

    @property
    def endpoint(self) -> str:
        """The path without callers' input: the part, if the service has several, else the first segment."""
        segments = self.path.strip("/").split("/") if isinstance(self.path, str) else self.path
        return self.part or f"/{segments[0].partition('?')[0]}{'/...' if len(segments) > 1 else ''}"

    @property
    def quoted_path(self) -> str:
        """The path as it is sent.

        Raises:
            UpstreamError: a segment is ``.`` or ``..``, which no quoting keeps from being another path.
        """
        if isinstance(self.path, str):
            return self.path
        if not _DOT_SEGMENTS.isdisjoint(self.path):
            message = f"{self.service.title} cannot be asked for {'/'.join(self.path)!r:.80}."
            raise UpstreamError(message, hint="Check what was asked for.")
        return "".join(f"/{quote(segment, safe='')}" for segment in self.path)


@dataclass(frozen=True, slots=True)
class Answer:
    """A service's answer: with its whole body, or the head of one that streams."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    url: str
    """Redacted."""


@dataclass(frozen=True, slots=True)
class Keep:
    """The name under which a payload is kept, and how long. Names hold no secrets."""

    kind: str
    """The kind of payload, with the version of the trimmed form, such as ``gene/1``."""
    id: str
    seconds: float


DAY = 86_400.0
HOUR = 3_600.0
RECORD_SECONDS = DAY
LIST_SECONDS = HOUR
ABSENT_SECONDS = 600.0
STALE_SECONDS = 30 * DAY


class Refused(Exception):
    """The service refused the request; the source knows the meaning."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"HTTP {answer.status} from {answer.url}")
        self.answer = answer


class Transient(Exception):
    """A failure that may pass: retried until the deadline, or once. ``retry_after_seconds`` is the Retry-After."""

    def __init__(
        self,
        reason: str,
        *,
        retry_after_seconds: float | None = None,
        is_rate_limit: bool = False,
        is_relayed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_seconds = retry_after_seconds
        self.is_rate_limit = is_rate_limit
        self.is_relayed = is_relayed
        """Whether it is retried once only: a failure under a status that blames the request rarely passes."""


class Unreachable(Transient):
    """No connection came about, for a reason on the way to the service: to wait for it within a call is in vain."""

    def __init__(self, reason: str, obstacle: Obstacle, host: str) -> None:
        super().__init__(reason)
        self.obstacle = obstacle
        self.host = host
        """The host that was tried: the service's, or the proxy's."""

    def copy(self) -> "Unreachable":
        """The same failure, for another request."""
        return Unreachable(self.reason, self.obstacle, self.host)


class SlotTooLate(Transient):
    """The slot of a request comes only after the deadline of its call, so that to wait for it would be in vain.

    ``retry_after_seconds`` is the time after which a caller that comes back will be served.
    """


def failure_error(service: Service, failure: Transient, wait: float, settings: Settings) -> RateLimited | UpstreamError:
    """The error of a call that a failure ended, and that may come back after some seconds."""
    seconds = math.ceil(wait) or 1
    message = redacted(f"{service.title} {failure.reason}.", settings)
    hint = f"Wait {seconds} second{'s' if seconds > 1 else ''}, then call again."
    if not failure.is_rate_limit:
        return UpstreamError(message, hint=hint, recovery=RetryAfter(seconds))
    if service.key is not None and not settings[service.key]:
        hint += f" Setting {service.key.name} raises the limit."
    return RateLimited(message, hint=hint, recovery=RetryAfter(seconds))


SLOW_DOWN = "asked us to slow down"
DO_NOT_DISTURB = "asked not to be disturbed for a while"
QUEUE_TOO_LONG = "has more requests waiting than its rate allows"
NO_ANSWER_IN_TIME = "did not answer in time"
IS_DOWN = "is down"
NOT_ASKED = "is not asked"
"""The reasons of failures in messages, for readers who tell one from another, such as ``benchmarks.chaos``."""


class BodyTooLarge(Exception):
    """A body or a record beyond the cap; never retried."""


class Splitter(Protocol):
    """Cuts a streamed body into records as it arrives. Pure; lives in a source's ``parse``."""

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """The records that this chunk completes: ID and trimmed bytes.

        Raises:
            Transient: the body is damaged, or an error in place of data.
            BodyTooLarge: one record is beyond the cap.
        """

    def close(self) -> None:
        """End the body.

        Raises:
            Transient: it ended before its end.
        """


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One request for many IDs, and the splitter of its body. IDs without a record in it are absent."""

    request: Request
    splitter: Splitter


@dataclass(frozen=True, slots=True)
class Batching:
    """The way in which lookups of one kind join: built once by a client, which hands down this one batched call."""

    kind: str
    """As in ``Keep.kind``."""
    limit: int
    """IDs a request."""
    ask: Callable[[tuple[str, ...]], BatchCall]
    seconds: float = RECORD_SECONDS
    absent_seconds: float = ABSENT_SECONDS


HIDDEN = "[hidden]"

_LONGEST_URL = 200
_USER = re.compile(r"(?<=//)[^/@\s]*@")
# As a query writes them (api_key=...), and as NCBI's 429 body echoes them ("api-key":"...").
_SIGNATURE = re.compile(r"""(?i)\b((?:api[_-]?key|email|tool)(?:=|"\s*:\s*"))[^&\s"'<>]+""")


def redacted(text: str, settings: Settings) -> str:
    """``text`` with each secret setting, key, e-mail and login replaced."""
    for secret in settings.secrets():
        for spelling in (secret, quote(secret, safe=""), quote_plus(secret)):
            text = text.replace(spelling, HIDDEN)
    return _SIGNATURE.sub(rf"\1{HIDDEN}", _USER.sub("", text))


def address(request: Request, settings: Settings) -> str:
    """The whole address of a request, unsigned: the wire adds its signature."""
    return f"{settings[request.service.base_url].rstrip('/')}/{request.quoted_path.lstrip('/')}"


def shown_url(request: Request, settings: Settings) -> str:
    """The address that provenance and errors show of a request: redacted, and cut if it lists hundreds of IDs."""
    query = urlencode(request.params, safe=",:")
    url = redacted(address(request, settings) + (f"?{query}" if query else ""), settings)
    return url if len(url) <= _LONGEST_URL else url[: _LONGEST_URL - 3] + "..."
