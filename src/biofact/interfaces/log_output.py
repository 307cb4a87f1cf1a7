"""What commands and servers write of the log: lines on stderr, never on stdout, from ``BIOFACT_LOG`` up.

As text for people, or as JSON, an object a line. A server that others reach hides what its callers wrote, in lines of
libraries, too, unless ``BIOFACT_LOG_QUERIES`` asks for it. Secrets are hidden everywhere.
"""

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import Any

from biofact.core import events
from biofact.core.events import CallAnswered, Event
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal

FIELDS = "biofact_fields"
"""Attribute of a record: a mapping of what its message says, for lines of JSON."""
OUTLINE = "biofact_outline"
"""Attribute of a record: what takes the place of its message where callers' words are hidden."""
LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
_OWN_HANDLERS = ("fastmcp", "uvicorn", "uvicorn.error", "uvicorn.access")
"""Libraries that would write on stderr themselves."""
_ASKED = {"tools/call", "resources/read", "prompts/get"}
_QUOTED = re.compile(r"""(?<!\w)'[^'\n]*'|"[^"\n]*\"""")
_TIMED = "%(asctime)s.%(msecs)03d %(name)s: %(message)s"


@contextmanager
def on_stderr(settings: Settings | None = None) -> Iterator[None]:
    """Write the log of biofact within.

    Raises:
        WrongUsage: there is no such level or format.
    """
    settings = settings or Settings()
    handler = _handler(settings, hides_words=False)
    before = events.ROOT.level
    events.ROOT.addHandler(handler)
    events.ROOT.setLevel(_level(settings))
    try:
        with events.heard_by(_CallLines(settings)) if events.CALLS.isEnabledFor(logging.INFO) else ExitStack():
            yield
    finally:
        events.ROOT.setLevel(before)
        events.ROOT.removeHandler(handler)


@contextmanager
def of_a_host(settings: Settings) -> Iterator[None]:
    """Write the log of a server that others reach within ``on_stderr``: that of libraries, too, from warnings up.

    Raises:
        WrongUsage: there is no such format.
    """
    handler = _handler(settings, hides_words=not settings.is_on(events.QUERIES))
    least = max(_level(settings), logging.WARNING)
    handler.addFilter(lambda record: is_ours(record) or record.levelno >= least)
    with ExitStack() as stack:
        for name in (events.ROOT.name, *_OWN_HANDLERS):
            stack.enter_context(_without_handlers(logging.getLogger(name)))
        root = logging.getLogger()
        root.addHandler(handler)
        stack.callback(root.removeHandler, handler)
        logging.captureWarnings(capture=True)
        stack.callback(logging.captureWarnings, capture=False)
        yield


def _level(settings: Settings) -> int:
    text = settings[events.LEVEL]
    if text.lower() not in LEVELS:
        raise WrongUsage(f"{events.LEVEL.name} is {text!r}, no level.", hint=f"Set it to one of {', '.join(LEVELS)}.")
    return LEVELS[text.lower()]


class _StderrHandler(logging.Handler):
    """Writes where stderr is now, without what a terminal would obey."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, a line of it after the other."""
        try:
            is_json = isinstance(self.formatter, JsonLines)
            terminal.write_messages(self.format(record).splitlines(), is_wrapped=not is_json)
        except (OSError, ValueError):  # stderr is gone, and with it whoever would read that
            return


def _handler(settings: Settings, *, hides_words: bool) -> _StderrHandler:
    handler = _StderrHandler()
    match settings[events.FORMAT].lower():
        case "json":
            handler.setFormatter(JsonLines(settings, hides_words=hides_words))
        case "text":
            is_timed = _level(settings) < logging.WARNING
            handler.setFormatter(TextLines(settings, is_timed=is_timed, hides_words=hides_words))
        case other:
            raise WrongUsage(f"{events.FORMAT.name} is {other!r}, no format.", hint="Set it to text or json.")
    return handler


@contextmanager
def _without_handlers(logger: logging.Logger) -> Iterator[None]:
    """Let those above a logger write for it."""
    handlers, propagates = logger.handlers[:], logger.propagate
    for handler in handlers:
        logger.removeHandler(handler)
    logger.propagate = True
    try:
        yield
    finally:
        for handler in handlers:
            logger.addHandler(handler)
        logger.propagate = propagates


class _CallLines:
    """Logs each call when it is answered: what a client asks for itself at info, lists and greetings at debug."""

    def __init__(self, settings: Settings) -> None:
        self._shows_arguments = settings.is_on(events.QUERIES)

    def __call__(self, event: Event) -> None:
        """Log a call that has been answered."""
        if not isinstance(event, CallAnswered):
            return
        began = event.began
        level = logging.INFO if began.method in _ASKED else logging.DEBUG
        fields: dict[str, Any] = {
            "subject": began.subject,
            "method": began.method,
            "tool": began.tool,
            "outcome": event.outcome,
            "seconds": round(event.seconds, 4),
        }
        text = ""
        if self._shows_arguments and began.arguments is not None:
            fields["arguments"] = began.arguments
            text = " " + json.dumps(began.arguments, default=str)
        values = (began.tool or began.method, event.outcome, event.seconds, text)
        events.CALLS.log(level, "%s: %s in %.2f s%s", *values, extra={FIELDS: fields})


class TextLines(logging.Formatter):
    """Lines for people: the message alone, or with time and logger before it."""

    def __init__(self, settings: Settings, *, is_timed: bool, hides_words: bool) -> None:
        super().__init__(_TIMED if is_timed else None, "%H:%M:%S")
        self._settings = settings
        self._hides_words = hides_words

    def format(self, record: logging.LogRecord) -> str:
        """One record in one or several lines."""
        shown = logging.makeLogRecord(record.__dict__)  # other handlers get it as it is
        shown.msg, shown.args = _message(record, hides_words=self._hides_words), None
        shown.exc_text, shown.exc_info = _exception(record, hides_words=self._hides_words) or None, None
        return _redacted(super().format(shown), self._settings)


class JsonLines(logging.Formatter):
    """Lines for programs: one object each, of ASCII letters, with what is known of the call under way."""

    def __init__(self, settings: Settings, *, hides_words: bool) -> None:
        super().__init__()
        self._settings = settings
        self._hides_words = hides_words

    def format(self, record: logging.LogRecord) -> str:
        """One record in one line."""
        from biofact.core import call  # noqa: PLC0415  # most servers begin without

        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record, hides_words=self._hides_words),
            "call": events.call_number.get(),
            "subject": call.caller().subject,
            **_trace(),
            **getattr(record, FIELDS, {}),
            "exception": _exception(record, hides_words=self._hides_words),
        }
        return json.dumps(_all_redacted({k: v for k, v in line.items() if v not in (None, "")}, self._settings))


def is_ours(record: logging.LogRecord) -> bool:
    """Whether biofact wrote it, and no library."""
    return record.name == "biofact" or record.name.startswith("biofact.")


def outline(error: BaseException) -> str:
    """Where an error happened, and below which others, without their words: these may be a caller's."""
    return "".join(_outlines(error))


def _outlines(error: BaseException) -> Iterator[str]:
    if error.__cause__ is not None:
        yield from _outlines(error.__cause__)
        yield "\nThe cause of:\n\n"
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _outlines(error.__context__)
        yield "\nMeanwhile:\n\n"
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _outlines(each)
        yield "\nTogether:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__qualname__}\n"


def _message(record: logging.LogRecord, *, hides_words: bool) -> str:
    """What a record says. What a library quotes may be a caller's."""
    if not hides_words:
        return record.getMessage()
    if is_ours(record):
        return str(getattr(record, OUTLINE, None) or record.getMessage())
    return _QUOTED.sub("[hidden]", record.getMessage())


def _exception(record: logging.LogRecord, *, hides_words: bool) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return "" if hides_words else record.exc_text or ""
    return (outline(error) if hides_words else "".join(traceback.format_exception(error))).rstrip()


def _trace() -> dict[str, str]:
    """The span under way, if somebody makes spans."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return {}
    context = trace.get_current_span().get_span_context()
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"} if context.is_valid else {}


def _redacted(text: str, settings: Settings) -> str:
    from biofact.transport.service import redacted  # noqa: PLC0415  # with the first line; most processes write none

    return redacted(text, settings)


def _all_redacted(value: Any, settings: Settings) -> Any:
    """Every text within a value of JSON redacted."""
    match value:
        case str():
            return _redacted(value, settings)
        case dict():
            return {_redacted(str(k), settings): _all_redacted(v, settings) for k, v in value.items()}
        case list() | tuple():
            return [_all_redacted(each, settings) for each in value]
        case _ if value is None or isinstance(value, bool | int | float):
            return value
        case _:
            return _redacted(str(value), settings)
