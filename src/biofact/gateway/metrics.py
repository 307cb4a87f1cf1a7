"""Prometheus metrics of a gateway: a listener that counts, and the page that shows the counts.

Names and units follow Prometheus' conventions; docs/gateway.md explains each. Several workers count into files of one
folder, so that whichever of them is asked answers for all.
"""

import operator
import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """The counts of this process, and a page of them; with a folder, of those of all processes that share it.

    prometheus_client is imported here and not before: the folder has to be known to it by then.
    """

    def __init__(self, multiprocess_folder: Path | None = None) -> None:
        """The folder is empty when the first process starts, and only this user can write to it.

        Raises:
            RuntimeError: there is a folder, and prometheus_client was imported before its setting.
        """
        if multiprocess_folder is not None:
            os.environ[_FOLDER] = str(multiprocess_folder)
        from prometheus_client import CollectorRegistry, values  # noqa: PLC0415

        from biofact.gateway.event_metrics import Counts  # noqa: PLC0415

        if multiprocess_folder is not None and not getattr(values.ValueClass, "_multiprocess", False):
            raise RuntimeError(f"prometheus_client was imported before {_FOLDER} was set.")
        self._folder = multiprocess_folder
        self._registry = CollectorRegistry()
        self.listener = Counts(self._registry).add
        """Counts an event: for ``events.subscription``."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a GET of ``/metrics`` as an ASGI app, in the format that the client prefers.

        ``Route("/metrics", metrics, methods=["GET"])``, or with ``RequireAuthMiddleware(metrics, [])`` of FastMCP.
        """
        accept = Request(scope).headers.get("accept", "")
        body, kind = await run_in_threadpool(self.page, accept)  # with several workers it reads files
        await Response(body, headers={"content-type": kind, "cache-control": "no-store"})(scope, receive, send)

    def page(self, accept: str = "") -> tuple[bytes, str]:
        """The counts as text, and its media type."""
        from prometheus_client import CollectorRegistry, exposition, multiprocess  # noqa: PLC0415

        registry = self._registry
        pids: list[int | str] = ["self"]
        if self._folder is not None:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry, str(self._folder))  # type: ignore[no-untyped-call]
            pids = [*_workers(self._folder)]
        write, kind = exposition.choose_encoder(accept)
        return write(_Page(registry, pids)), kind


def forget_worker(multiprocess_folder: Path, pid: int) -> None:
    """Remove the gauges of a worker that has ended from the metrics; its counters stay."""
    from prometheus_client import multiprocess  # noqa: PLC0415

    multiprocess.mark_process_dead(pid, str(multiprocess_folder))  # type: ignore[no-untyped-call]


class _Collector(Protocol):
    def collect(self) -> "Iterable[Metric]": ...


class _Page:
    """The counts, and the system's metrics of the counting processes, summed over all of them."""

    def __init__(self, registry: _Collector, pids: Iterable[int | str]) -> None:
        self._registry = registry
        self._pids = pids

    def collect(self) -> "Iterator[Metric]":
        """The metrics, for prometheus_client to write."""
        from prometheus_client import ProcessCollector  # noqa: PLC0415

        yield from self._registry.collect()
        sums: dict[str, Metric] = {}
        for pid in self._pids:
            for metric in ProcessCollector(pid=partial(str, pid), registry=None).collect():
                _add(sums.setdefault(metric.name, metric), metric)
        yield from sums.values()


def _add(total: "Metric", metric: "Metric") -> None:
    """Add the same metric of another process; of the start times the earliest stays."""
    from prometheus_client.samples import Sample  # noqa: PLC0415

    if total is metric:
        return
    combined = min if metric.name.endswith("start_time_seconds") else operator.add
    total.samples = [
        Sample(sample.name, sample.labels, combined(sample.value, addend.value))
        for sample, addend in zip(total.samples, metric.samples, strict=True)
    ]


def _workers(folder: Path) -> Iterator[int]:
    """The IDs of the processes that count into a folder, but for those that ``forget_worker`` has removed."""
    for file in folder.glob("gauge_livesum_*.db"):
        yield int(file.stem.rpartition("_")[2])
