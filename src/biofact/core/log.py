"""The loggers below ``biofact``: silent until somebody listens. No line holds a query or an ID unless a host asks for
that, and none a secret.
"""

import logging
from contextvars import ContextVar

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
"""Which attempt at its request is under way."""

call_number: ContextVar[int | None] = ContextVar("biofact_call_number", default=None)
"""Of the call under way, or of the last one that was answered here: by it lines belong together."""
