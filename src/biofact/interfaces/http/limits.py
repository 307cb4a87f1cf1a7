"""How much a server takes of what callers send, and how long it waits for them. Per process, and for all callers alike:
a limit by address would count all users of a hosting vendor as one.
"""

import sys
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Limits:
    """What one process takes; tests and benchmarks set smaller ones."""

    head_bytes: int = 32 * 2**10
    """Of a request's line and headers; tokens of some issuers take 8 KiB."""
    body_bytes: int = 4 * 2**20
    """Of a request's body; 100 articles with all their fields take less than half."""
    bodies_bytes: int = 64 * 2**20
    """Of all bodies at once."""
    head_seconds: float = 10.0
    """From the first byte of a head to its last, and from a connection to its first head."""
    body_seconds: float = 30.0
    """From the end of a head to that of its body."""
    idle_seconds: float = 75.0
    """Between two requests; proxies keep connections for 60, and must be the first to close them."""
    unread_seconds: float = 30.0
    """For a caller who does not read the answer."""
    connections: int = 1024
    """At once; of more the quietest are closed, those that have waited longest for a whole request."""
    requests: int = 512
    """Under way at once; more are told to come again."""
    sessions: int = 1000
    """Of callers of older protocols who lend a model; further ones are served without a session."""
    session_seconds: float = 600.0
    """Without a request, until a session ends."""
    closing_seconds: float = 10.0
    """For what is under way when the server is stopped."""


def allowed_by_system(limits: Limits) -> Limits:
    """The same with no more connections than this process may have files, once it has asked for as many as it needs."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  # Windows has none

        wanted = limits.connections + _OTHER_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            return replace(limits, connections=max(1, min(limits.connections, soft - _OTHER_FILES)))
    return limits


_OTHER_FILES = 256
"""For the cache, connections to services, and what Python reads."""
RETRY_AFTER_SECONDS = 1
"""What is told to whoever comes while there is no room."""
