"""The audit log of a host that wants one: who asked what, when, and what became of it. A line of JSON for each call,
and for each request that was refused before it was one.

It is the one place that holds what callers wrote and who they are. docs/gateway.md says what a host can rely on.
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
_LOST, _SKIPPED = "LOST", "SKIPPED"
MOST_REFUSALS = 100
"""Of requests without a good token, in a minute of a process: whoever tries many shall not fill the disk."""
_MINUTE = 60.0


class Audit(Middleware):
    """Writes each call down before its answer leaves, refused ones too, if it is the outermost."""

    name = "audit"

    def __init__(
        self,
        file: AuditFile,
        subject: Callable[[], str],
        *,
        is_required: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``subject`` is whose call is under way, as in ``Call.subject``."""
        self._file = file
        self._subject = subject
        self._is_required = is_required
        self._failure = ""
        self._lost = 0
        self._anonymous = _Allowance(clock)

    async def __call__(self, context: Any, call_next: Any) -> Any:
        """The answer of what is within; an error in its place where it cannot be written down but has to be.

        Raises:
            ToolError: so it is.
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
        """Write down a refused request: for ``events.heard_by``. Of those without a good token, so many a minute."""
        if not isinstance(event, RequestRefused):
            return
        subject = self._subject()
        if not subject and not self._anonymous.take():
            return
        self._record(
            {
                "time": _now(),
                "subject": subject,
                **_owner(),
                "method": event.method,
                "path": event.path,
                "outcome": "REFUSED",
                "status": event.status,
                "reason": event.reason,
            }
        )

    async def state(self) -> PartState:
        """Whether calls are written down: a part of readiness. Where the last one was not, it tries anew.

        Else a gateway that is sent no calls, as it is not ready, would never be ready again.
        """
        if self._add():
            return PartState("ok")
        return PartState("failed" if self._is_required else "degraded", "calls cannot be written")

    def _write(self, context: Any, outcome: str, seconds: float) -> bool:
        message = context.message if isinstance(context.message, Mapping) else vars(context.message)
        line = {
            "time": _now(),
            "subject": self._subject(),
            **_owner(),
            "method": context.method,
            "tool": message.get("name") or str(message.get("uri", "")),
            "arguments": message.get("arguments"),
            "outcome": outcome,
            "seconds": round(seconds, 4),
        }
        return self._record(line)

    def _record(self, line: Mapping[str, Any]) -> bool:
        is_written = self._add(line)
        self._lost += not is_written
        if not is_written:
            events.emit(AuditFailed())
        return is_written

    def _add(self, *lines: Mapping[str, Any]) -> bool:
        """Whether the file takes these lines, behind those that say what is missing before them."""
        if skipped := self._anonymous.skipped_before():
            lines = ({"time": _now(), "method": "audit", "outcome": _SKIPPED, "requests": skipped}, *lines)
        if self._lost:
            lines = ({"time": _now(), "method": "audit", "outcome": _LOST, "calls": self._lost}, *lines)
        try:
            for line in lines:
                self._file.add(line)
                if line["outcome"] == _LOST:
                    self._lost = 0
                elif line["outcome"] == _SKIPPED:
                    self._anonymous.skipped = 0
        except OSError as error:
            self._fail(error.strerror or str(error))
            return False
        self._failure = ""
        return True

    def _fail(self, reason: str) -> None:
        if reason != self._failure:  # one line for as long as it lasts
            log.error("The audit log cannot be written: %s. Calls go unrecorded until it can.", reason)
        self._failure = reason


class _Allowance:
    """How many lines there may still be in this minute, and how many were left out."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.skipped = 0
        self._clock = clock
        self._began = clock()
        self._remaining = MOST_REFUSALS

    def take(self) -> bool:
        """Whether one more may be written."""
        if self._is_over():
            self._began, self._remaining = self._clock(), MOST_REFUSALS
        if self._remaining:
            self._remaining -= 1
            return True
        self.skipped += 1
        return False

    def skipped_before(self) -> int:
        """How many were left out, once their minute is over."""
        return self.skipped if self._remaining or self._is_over() else 0

    def _is_over(self) -> bool:
        return self._clock() - self._began >= _MINUTE


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def audit_of(settings: Settings, subject: Callable[[], str]) -> Audit | None:
    """The audit that the settings ask for; None where they name no file.

    Raises:
        WrongUsage: the file cannot be written, or others could read it; or a log is required and none is named.
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
    """Who the token of the call under way was issued to, by its issuer's words or the name that it has here."""
    token = get_access_token()
    if token is None:
        return {}
    owner = {"issuer": token.claims.get("iss"), "sub": token.subject, "client": token.client_id}
    return {name: str(value) for name, value in owner.items() if value}
