"""The cost of watching a call: a gene that is kept already, with metrics and more beside without.

``python -m benchmarks.watch [--runs 2000] [--json FILE]``. One server and its client in one process, so that little
else is in the figures: over HTTP they would be smaller. Calls with and without take turns, now the one first and now
the other; the figure is the median of the ratios of processor time, which others on the machine change little. Spans
are measured where the extra ``serve`` is installed.
"""

import asyncio
import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.server.middleware import Middleware

from benchmarks.report import Result, at_most, run
from biofact.core import events
from biofact.core.settings import Settings
from biofact.gateway.metrics import Metrics
from biofact.interfaces import telemetry
from biofact.interfaces.clients import open_clients
from biofact.interfaces.http.audit import audit_of
from biofact.interfaces.mcp.server import gateway

CALL = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
WARM_UP = 50


def measure(runs: int = 2000) -> list[Result]:
    """The ratios, each in a run of its own."""
    bars = {"metrics": 1.05, "metrics and an audit log": 1.15}
    if importlib.util.find_spec("opentelemetry.sdk"):
        bars["metrics and spans"] = 1.1
    return [asyncio.run(_result(way, bar, runs)) for way, bar in bars.items()]


class Watch:
    """One way to watch, which can be taken up and given up between two calls."""

    def __init__(self, way: str, folder: str) -> None:
        self._way = way
        self._metrics = Metrics()
        settings = Settings({"BIOFACT_AUDIT_LOG": f"{folder}/audit.jsonl"})
        self._audit = audit_of(settings, lambda: "0123456789abcdef") if "audit" in way else None
        self._tracer = _tracer() if "spans" in way else None

    @contextmanager
    def keep(self, middleware: list[Middleware]) -> Iterator[None]:
        """Watch within."""
        if self._audit:
            middleware.insert(0, self._audit)
        try:
            with events.subscription(self._metrics.listener), _spans(self._tracer):
                yield
        finally:
            if self._audit:
                middleware.remove(self._audit)


@contextmanager
def _spans(tracer: Any) -> Iterator[None]:
    if tracer is None:
        yield
        return
    with telemetry.spans_of(tracer):
        yield


def _tracer() -> Any:
    """A tracer of a provider that drops its spans when they end: sending them is another thread's work."""
    sdk = importlib.import_module("opentelemetry.sdk.trace")
    return sdk.TracerProvider().get_tracer("benchmark")


async def _result(way: str, bar: float, runs: int) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(way, folder)
        settings = Settings({"BIOFACT_CACHE_DIR": folder})
        server = gateway(partial(open_clients, settings, sandbox=Path(folder)))
        async with Client(server) as client:
            turns = [await _turn(client, watch, server.middleware, number) for number in range(WARM_UP + runs)]
    turns = turns[WARM_UP:]
    ratio = statistics.median(watched_time / plain for watched_time, plain in turns)
    added = statistics.median(watched_time - plain for watched_time, plain in turns) * 1e6
    plain = statistics.median(plain for _, plain in turns) * 1e6
    note = f"{added:.0f} us more than {plain:.0f} us, medians of {runs} pairs"
    return at_most(f"a kept gene with {way}, times one without", ratio, bar, "x", note=note)


async def _turn(client: Client[Any], watch: Watch, middleware: list[Middleware], number: int) -> tuple[float, float]:
    """Seconds of a call that is watched, and of one that is not."""

    async def watched_call() -> float:
        with watch.keep(middleware):
            return await gene_seconds(client)

    if number % 2:
        return await watched_call(), await gene_seconds(client)
    plain = await gene_seconds(client)
    return await watched_call(), plain


async def gene_seconds(client: Client[Any]) -> float:
    """Processor time of a call for a gene that is kept already."""
    start = time.process_time()
    result = await client.call_tool_mcp(*CALL)
    seconds = time.process_time() - start
    if result.is_error:
        raise ValueError(f"no gene: {result.content}")
    return seconds


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
