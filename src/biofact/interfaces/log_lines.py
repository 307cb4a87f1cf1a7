"""The form of a line of the log: text or JSON, without secrets, and where it must be without callers' words."""

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from biofact.core import events
from biofact.core.settings import Settings

FIELDS = "biofact_fields"
"""Attribute of a record: a mapping of what its message says, for lines of JSON."""
OUTLINE = "biofact_outline"
"""Attribute of a record: what takes the place of its message where callers' words are hidden."""

_QUOTED = re.compile(r"""(?<!\w)'[^'\n]*'|"[^"\n]*\"""")
_TIMED = "%(asctime)s.%(msecs)03d %(name)s: %(message)s"


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
