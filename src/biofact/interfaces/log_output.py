"""What commands and servers write of the log: lines on stderr, never on stdout, from ``BIOFACT_LOG`` up.

As text for people, or as JSON, an object a line. A server that others reach hides what its callers wrote, in lines of
libraries, too, unless ``BIOFACT_LOG_QUERIES`` asks for it. Secrets are hidden everywhere.
"""

import json
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from biofact.core import events
from biofact.core.events import CallAnswered, Event
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.log_lines import FIELDS, JsonLines, TextLines, is_ours

LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
_OWN_HANDLERS = ("fastmcp", "uvicorn", "uvicorn.error", "uvicorn.access")
"""Libraries that would write on stderr themselves."""


class _StderrHandler(logging.Handler):
    """Writes where stderr is now, without what a terminal would obey."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, a line of it after the other."""
        try:
            is_json = isinstance(self.formatter, JsonLines)
            terminal.write_messages(self.format(record).splitlines(), is_wrapped=not is_json)
        except (OSError, ValueError):  # stderr is gone, and with it whoever would read that
            return


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


_ASKED = {"tools/call", "resources/read", "prompts/get"}


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


def _level(settings: Settings) -> int:
    text = settings[events.LEVEL]
    if text.lower() not in LEVELS:
        raise WrongUsage(f"{events.LEVEL.name} is {text!r}, no level.", hint=f"Set it to one of {', '.join(LEVELS)}.")
    return LEVELS[text.lower()]
