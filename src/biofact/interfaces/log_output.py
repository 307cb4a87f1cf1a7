"""What commands and servers write of the log: lines on stderr, never on stdout, from ``BIOFACT_LOG`` up."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from biofact.core import log
from biofact.core.settings import Settings
from biofact.interfaces import terminal
from biofact.interfaces.usage import WrongUsage

LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}


class _StderrHandler(logging.Handler):
    """Writes where stderr is now, without secrets and what a terminal would obey."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record, a line of it after the other."""
        from biofact.transport.redaction import redacted  # noqa: PLC0415  # with the first; most servers write none

        try:
            terminal.write_messages(redacted(self.format(record), self._settings).splitlines())
        except (OSError, ValueError):  # stderr is gone, and with it whoever would read that
            return


@contextmanager
def on_stderr(settings: Settings | None = None) -> Iterator[None]:
    """Write the log within.

    Raises:
        WrongUsage: there is no such level.
    """
    settings = settings or Settings()
    level = _level(settings)
    handler = _StderrHandler(settings)
    if level < logging.WARNING:
        handler.setFormatter(logging.Formatter("%(asctime)s.%(msecs)03d %(name)s: %(message)s", "%H:%M:%S"))
    before = log.ROOT.level
    log.ROOT.addHandler(handler)
    log.ROOT.setLevel(level)
    try:
        yield
    finally:
        log.ROOT.setLevel(before)
        log.ROOT.removeHandler(handler)


def _level(settings: Settings) -> int:
    text = settings[log.LEVEL]
    if text.lower() not in LEVELS:
        raise WrongUsage(f"{log.LEVEL.name} is {text!r}, no level.", hint=f"Set it to one of {', '.join(LEVELS)}.")
    return LEVELS[text.lower()]
