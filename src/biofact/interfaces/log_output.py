"""The log of commands and servers: lines on stderr, never on stdout, from the level ``BIOFACT_LOG`` up.

As text for people, or as JSON, an object a line. A server hides the words of its callers, unless
``BIOFACT_LOG_QUERIES`` asks for them: of a library's message it shows what stands in the library's code. Secrets are
hidden everywhere, and control characters are escaped.
"""

import inspect
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
"""Attribute of a record: the facts of its message as a mapping, for lines of JSON."""
OUTLINE = "biofact_outline"
"""Attribute of a record: the message where callers' words are hidden."""
LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
_OWN_HANDLERS = ("fastmcp", "uvicorn", "uvicorn.error", "uvicorn.access")
"""Libraries with handlers of their own for stderr."""
_USER_METHODS = {"tools/call", "resources/read", "prompts/get"}
_HIDDEN = "[hidden]"
_DIRECTIVE = re.compile(r"%(?:\((?P<name>\w+)\))?(?P<form>[-#0 +]*\d*(?:\.\d+)?)(?P<kind>[a-zA-Z%])")
"""A place for a value in a message, as in ``%s``, ``%5.2f`` and ``%(count)d``."""
_NUMBER_KINDS = frozenset("dixXoeEfFgG")
_SHORTEST_LITERAL = 4  # characters; shorter ones stand in any text
_WARNING = re.compile(r".*?:\d+: \w+(?=: )")
"""The place and category of a warning, before its text."""
_TIMED = "%(asctime)s.%(msecs)03d %(name)s: %(message)s"


@contextmanager
def on_stderr(settings: Settings | None = None) -> Iterator[None]:
    """Write the log of biofact to stderr within.

    Raises:
        WrongUsage: the level or format is unknown.
    """
    settings = settings or Settings()
    handler = _handler(settings, hides_words=False)
    before = events.ROOT.level
    events.ROOT.addHandler(handler)
    events.ROOT.setLevel(_level(settings))
    try:
        with events.subscription(_CallLines(settings)) if events.CALLS.isEnabledFor(logging.INFO) else ExitStack():
            yield
    finally:
        events.ROOT.setLevel(before)
        events.ROOT.removeHandler(handler)


@contextmanager
def of_a_server(settings: Settings) -> Iterator[None]:
    """Within ``on_stderr``, write the log of a server, with warnings of libraries.

    Raises:
        WrongUsage: the format is unknown.
    """
    handler = _handler(settings, hides_words=not settings.is_on(events.QUERIES))
    lowest_level = max(_level(settings), logging.WARNING)
    handler.addFilter(lambda record: is_ours(record) or record.levelno >= lowest_level)
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
    """Writes to the current stderr, without control characters."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, line by line."""
        try:
            is_json = isinstance(self.formatter, JsonLines)
            terminal.write_messages(terminal.plain(self.format(record)).split("\n"), is_wrapped=not is_json)
        except (OSError, ValueError):  # stderr is closed
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
    """Leave the records of a logger to the loggers above it."""
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
    """Logs each call when it is answered: tools, resources and prompts at info, lists and handshakes at debug."""

    def __init__(self, settings: Settings) -> None:
        self._shows_arguments = settings.is_on(events.QUERIES)

    def __call__(self, event: Event) -> None:
        """Log the call of a ``CallAnswered``."""
        if not isinstance(event, CallAnswered):
            return
        call = event.began
        level = logging.INFO if call.method in _USER_METHODS else logging.DEBUG
        fields: dict[str, Any] = {
            "subject": call.subject,
            "method": call.method,
            "tool": call.tool,
            "outcome": event.outcome,
            "seconds": round(event.seconds, 4),
        }
        text = ""
        if self._shows_arguments and call.arguments is not None:
            fields["arguments"] = call.arguments
            text = " " + json.dumps(call.arguments, default=str)
        values = (call.tool or call.method, event.outcome, event.seconds, text)
        events.CALLS.log(level, "%s: %s in %.2f s%s", *values, extra={FIELDS: fields})


class TextLines(logging.Formatter):
    """Lines for people: the message alone, or with time and logger before it."""

    def __init__(self, settings: Settings, *, is_timed: bool, hides_words: bool) -> None:
        super().__init__(_TIMED if is_timed else None, "%H:%M:%S")
        self._settings = settings
        self._hides_words = hides_words

    def format(self, record: logging.LogRecord) -> str:
        """One record in one or several lines; all but the first are indented, so that none looks like a record."""
        shown_record = logging.makeLogRecord(record.__dict__)  # other handlers get the record unchanged
        shown_record.msg, shown_record.args = _message(record, hides_words=self._hides_words), None
        shown_record.exc_text, shown_record.exc_info = _exception(record, hides_words=self._hides_words) or None, None
        return "\n  ".join(_redacted(super().format(shown_record), self._settings).split("\n"))


class JsonLines(logging.Formatter):
    """Lines for programs: one JSON object each, in ASCII, with the call under way."""

    def __init__(self, settings: Settings, *, hides_words: bool) -> None:
        super().__init__()
        self._settings = settings
        self._hides_words = hides_words

    def format(self, record: logging.LogRecord) -> str:
        """One record in one line."""
        from biofact.core import call  # noqa: PLC0415  # not loaded before the first line

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
    """Whether a record is biofact's, and no library's."""
    return record.name == "biofact" or record.name.startswith("biofact.")


def outline(error: BaseException) -> str:
    """The traceback of an error and its causes without their messages, which may hold a caller's words."""
    return "".join(_outlines(error))


def _outlines(error: BaseException) -> Iterator[str]:
    if error.__cause__ is not None:
        yield from _outlines(error.__cause__)
        yield "\nThe cause of:\n\n"
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _outlines(error.__context__)
        yield "\nMeanwhile:\n\n"
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _outlines(member)
        yield "\nTogether:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__qualname__}\n"


def _message(record: logging.LogRecord, *, hides_words: bool) -> str:
    """The message of a record; that of a library is one line."""
    if is_ours(record):
        return str((hides_words and getattr(record, OUTLINE, None)) or record.getMessage())
    return (_literal_message(record) if hides_words else record.getMessage()).rstrip("\n").replace("\n", "\\n")


def _literal_message(record: logging.LogRecord) -> str:
    """The parts of a library's message that stand in its code, with numbers where it has a place for them.

    Everything else may be a caller's words: libraries put the name of a tool or the ID of a request into a message.
    """
    if record.name == "py.warnings" and (match := _WARNING.match(record.getMessage())):
        return f"{match[0]}: {_HIDDEN}"
    literals = _literals_of_caller(record)
    if str(record.msg) in literals:
        return _with_numbers(str(record.msg), record.args) if record.args else str(record.msg)
    pattern = "|".join(re.escape(text) for text in sorted(literals, key=len, reverse=True))
    parts = re.split(f"({pattern})", record.getMessage()) if pattern else [record.getMessage()]
    return "".join(part if part in literals else _HIDDEN for part in parts if part)


def _literals_of_caller(record: logging.LogRecord) -> frozenset[str]:
    """The texts in the code of the function that logs a record, which is still running."""
    frame = inspect.currentframe()
    while frame and (frame.f_code.co_filename, frame.f_code.co_name) != (record.pathname, record.funcName):
        frame = frame.f_back
    constants = frame.f_code.co_consts if frame else ()
    return frozenset(text for text in constants if isinstance(text, str) and len(text) >= _SHORTEST_LITERAL)


def _with_numbers(template: str, arguments: Any) -> str:
    """A template of ``logging`` with the numbers among its arguments; everything else is hidden."""
    values = iter(arguments if isinstance(arguments, tuple) else ())

    def shown(place: re.Match[str]) -> str:
        if place["kind"] == "%":
            return "%"
        value = arguments.get(place["name"]) if place["name"] else next(values, None)
        is_number = place["kind"] in _NUMBER_KINDS and isinstance(value, int | float)
        return f"%{place['form']}{place['kind']}" % value if is_number else _HIDDEN

    return _DIRECTIVE.sub(shown, template)


def _exception(record: logging.LogRecord, *, hides_words: bool) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return "" if hides_words else record.exc_text or ""
    return (outline(error) if hides_words else "".join(traceback.format_exception(error))).rstrip()


def _trace() -> dict[str, str]:
    """The IDs of the span under way, if there is one."""
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
            return [_all_redacted(item, settings) for item in value]
        case _ if value is None or isinstance(value, bool | int | float):
            return value
        case _:
            return _redacted(str(value), settings)
