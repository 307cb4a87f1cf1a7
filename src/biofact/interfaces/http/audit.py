"""The audit log of a host: caller, tool, arguments, time and outcome, as a line of JSON for each call and each refusal.

No other output holds the words and the identity of callers. docs/gateway.md says what a host can rely on.
"""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.dependencies import get_access_token
from fastmcp.server.middleware import Middleware

from biofact.core import events
from biofact.core.events import AuditFailed, Event, RequestRefused
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.gateway.audit import FILE, REQUIRED, AuditFile
from biofact.gateway.health import PartState
from biofact.interfaces.mcp.call_events import observe

log = logging.getLogger("biofact")

_USER_METHODS = frozenset(("tools/call", "resources/read", "prompts/get"))
_LOST_CALLS, _SKIPPED = "LOST", "SKIPPED"
MOST_REFUSALS = 100
"""Refused requests without a valid token that are logged per minute and process, so that guessing fills no disk."""
_MINUTE = 60.0


class Audit(Middleware):
    """Writes each call to the file before its answer is sent, refused ones too, if it is the outermost middleware."""

    name = "audit"

    def __init__(
        self,
        file: AuditFile,
        subject: Callable[[], str],
        *,
        is_required: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``subject`` gives the caller of the call under way, as in ``Call.subject``."""
        self._file = file
        self._subject = subject
        self._is_required = is_required
        self._failure = ""
        self._lost_count = 0
        self._anonymous = _Allowance(clock)

    async def __call__(self, context: Any, call_next: Any) -> Any:
        """The answer of the inner middleware.

        Raises:
            ToolError: the call has to be logged, and could not be.
        """
        if context.method not in _USER_METHODS:
            return await call_next(context)
        is_written = False

        def write(outcome: str, seconds: float) -> None:
            nonlocal is_written
            is_written = self._write(context, outcome, seconds)

        result = await observe(call_next(context), write)
        if self._is_required and not is_written:
            raise ToolError("This server must write every call to its audit log, and could not. Call again later.")
        return result

    def listener(self, event: Event) -> None:
        """Log a refused request: for ``events.subscription``. Without a valid token, ``MOST_REFUSALS`` a minute."""
        if not isinstance(event, RequestRefused):
            return
        if self._subject() or self._anonymous.take():
            facts = {"outcome": "REFUSED", "status": event.status, "reason": event.reason}
            self._record({"method": event.method, "path": event.path, **facts})

    async def state(self) -> PartState:
        """Whether calls can be logged: a part of readiness. It tries to write again where the last line failed.

        Otherwise a gateway that gets no calls because it is not ready would never become ready.
        """
        if self._add():
            return PartState("ok")
        return PartState("failed" if self._is_required else "degraded", "calls cannot be written")

    def _write(self, context: Any, outcome: str, seconds: float) -> bool:
        message = context.message if isinstance(context.message, Mapping) else vars(context.message)
        tool = message.get("name") or str(message.get("uri", ""))
        call = {"method": context.method, "tool": tool, "arguments": message.get("arguments")}
        return self._record({**call, "outcome": outcome, "seconds": round(seconds, 4)})

    def _record(self, facts: Mapping[str, Any]) -> bool:
        is_written = self._add({"time": _now(), "subject": self._subject(), **_owner(), **facts})
        self._lost_count += not is_written
        if not is_written:
            events.emit(AuditFailed())
        return is_written

    def _add(self, *lines: Mapping[str, Any]) -> bool:
        """Append the lines, after lines on missing entries before them; False where the file cannot be written."""
        if skipped := self._anonymous.skipped_before():
            lines = ({"time": _now(), "method": "audit", "outcome": _SKIPPED, "requests": skipped}, *lines)
        if self._lost_count:
            lines = ({"time": _now(), "method": "audit", "outcome": _LOST_CALLS, "calls": self._lost_count}, *lines)
        try:
            for line in lines:
                self._file.add(line)
                if line["outcome"] == _LOST_CALLS:
                    self._lost_count = 0
                elif line["outcome"] == _SKIPPED:
                    self._anonymous.skipped = 0
        except OSError as error:
            self._fail(error.strerror or str(error))
            return False
        self._failure = ""
        return True

    def _fail(self, reason: str) -> None:
        if reason != self._failure:  # one line for each failure, however many calls it affects
            log.error("The audit log cannot be written: %s. Calls go unrecorded until it can.", reason)
        self._failure = reason


class _Allowance:
    """The number of lines left in this minute, and of those skipped."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.skipped = 0
        self._clock = clock
        self._minute_start = clock()
        self._remaining = MOST_REFUSALS

    def take(self) -> bool:
        """Whether another line may be written; counts it as written or skipped."""
        if self._is_over():
            self._minute_start, self._remaining = self._clock(), MOST_REFUSALS
        if self._remaining:
            self._remaining -= 1
            return True
        self.skipped += 1
        return False

    def skipped_before(self) -> int:
        """The number of skipped lines, once their minute is over."""
        return self.skipped if self._remaining or self._is_over() else 0

    def _is_over(self) -> bool:
        return self._clock() - self._minute_start >= _MINUTE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def audit_of(settings: Settings, subject: Callable[[], str]) -> Audit | None:
    """The audit of the settings; None where they name no file.

    Raises:
        WrongUsage: the file cannot be written, others could read it, or a required log is not set.
    """
    if not settings[FILE]:
        if settings.is_on(REQUIRED):
            hint = f"Set {FILE.name} to a file, or unset {REQUIRED.name}."
            raise WrongUsage(f"{REQUIRED.name} is set, but there is no audit log.", hint=hint)
        return None
    path = Path(settings[FILE]).expanduser()
    try:
        file = AuditFile(path)
    except OSError as error:
        hint = f"Set {FILE.name} to a file in a folder that biofact can write to; make it private with chmod 600."
        raise WrongUsage(f"{str(path)!r} cannot be the audit log: {error.strerror or error}.", hint=hint) from error
    return Audit(file, subject, is_required=settings.is_on(REQUIRED))


def _owner() -> dict[str, str]:
    """The owner of the token of the call under way: issuer and subject, or the token's name."""
    token = get_access_token()
    if token is None:
        return {}
    owner = {"issuer": token.claims.get("iss"), "sub": token.subject, "client": token.client_id}
    return {name: str(value) for name, value in owner.items() if value}
