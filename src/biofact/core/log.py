"""The loggers below ``biofact``: silent until somebody listens. No line of theirs holds a query, an ID or a secret."""

import logging
from contextvars import ContextVar

from biofact.core.settings import Setting, declare

LEVEL = declare(
    Setting(
        "BIOFACT_LOG",
        "What commands and servers write on stderr: error, warning, info or debug (requests, waits, cache).",
        default="warning",
    )
)

ROOT = logging.getLogger("biofact")
ROOT.addHandler(logging.NullHandler())
REQUESTS = logging.getLogger("biofact.requests")
WAITS = logging.getLogger("biofact.waits")
CACHE = logging.getLogger("biofact.cache")
REDIS = logging.getLogger("biofact.redis")
LOGGERS = (REQUESTS, WAITS, CACHE, REDIS)

attempt: ContextVar[int] = ContextVar("biofact_attempt", default=1)
"""Which attempt at its request is under way."""
