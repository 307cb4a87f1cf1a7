"""A source's client on the sandbox, faster than life."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from biofact.core.settings import Settings
from biofact.interfaces import every_source
from biofact.sandbox import Sandbox
from biofact.transport.stack import Transport
from biofact.transport.timing import Timing

SPEED = 50.0
FAST = Timing(
    rate_factor=SPEED,
    deadline_seconds=3.0,
    backoff_seconds=0.01,
    backoff_cap_seconds=0.1,
    connect_seconds=1.0,
    read_seconds=1.0,
    breaker_seconds=0.2,
)
BRIEF = replace(FAST, deadline_seconds=1.2)
"""For what fails beside something that has to succeed: it is tried until then."""
HOPELESS = replace(FAST, deadline_seconds=0.3)
"""For what can only fail."""


@asynccontextmanager
async def sandboxed(
    source: str, *, recordings: Path | None = None, timing: Timing = FAST, settings: dict[str, str] | None = None
) -> AsyncIterator[tuple[Any, Sandbox]]:
    """A client of ``source`` and the sandbox it talks to; the cache is new and goes afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(recordings=recordings, rate_factor=SPEED * 1.2) as sandbox:
            environment = {**sandbox.environment(), "BIOFACT_CACHE_DIR": folder, **(settings or {})}
            transport = Transport(Settings(environment), timing=timing)
            try:
                yield every_source.client_class(source)(transport), sandbox
            finally:
                await transport.aclose()
