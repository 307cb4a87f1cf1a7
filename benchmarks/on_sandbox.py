"""Sandboxes of both sizes, clients with an empty cache each, and what a sandbox counted of their requests."""

import bisect
import functools
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from http import HTTPStatus
from typing import Any, TypeVar

from benchmarks.report import Result
from biofact.core.settings import Settings
from biofact.sandbox import Sandbox, SandboxProcess
from biofact.sources.chembl.service import PDBE
from biofact.transport.stack import Transport

Client = TypeVar("Client")

LINE = 5_000_000
"""Bytes a second, after gzip, that each service sends where sizes are real."""
SIZES: Mapping[str, Mapping[str, Any]] = {
    "starter sizes": {},
    "real sizes, 5 MB/s": {"sizes": "real", "bytes_per_second": LINE},
}
_size: ContextVar[Mapping[str, Any]] = ContextVar("_size", default=SIZES["starter sizes"])


def at_both_sizes(measure: Callable[[], list[Result]]) -> Callable[[], list[Result]]:
    """A measurement made at starter sizes, then at real ones; each promise says at which."""

    @functools.wraps(measure)
    def both() -> list[Result]:
        results = []
        for label, options in SIZES.items():
            token = _size.set(options)
            try:
                results += [replace(result, promise=f"{result.promise} ({label})") for result in measure()]
            finally:
                _size.reset(token)
        return results

    return both


def sandbox_process(**options: Any) -> SandboxProcess:
    """A sandbox in a process of its own, of the size that is measured."""
    return SandboxProcess(**options, **_size.get())


@asynccontextmanager
async def open_transport(environment: Mapping[str, str], **options: Any) -> AsyncIterator[Transport]:
    """A transport with an empty cache and a fresh budget."""
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(Settings({**environment, "BIOFACT_CACHE_DIR": folder}), **options)
        try:
            yield transport
        finally:
            await transport.aclose()


@asynccontextmanager
async def open_client(
    client_class: Callable[[Transport], Client], sandbox: Sandbox | SandboxProcess
) -> AsyncIterator[Client]:
    """A client with an empty cache and a fresh budget."""
    async with open_transport(sandbox.environment()) as transport:
        yield client_class(transport)


async def count_requests(sandbox: SandboxProcess, ask: Callable[[], Awaitable[object]]) -> int:
    """The number of requests that ``ask`` makes, all of which the sandbox has to answer."""
    sandbox.forget_requests()
    await ask()
    return len(answered_requests(sandbox))


def answered_requests(sandbox: SandboxProcess) -> list[dict[str, Any]]:
    """The requests so far.

    Raises:
        ValueError: the sandbox refused one; 404 is PDBe's answer for a ligand that it does not know.
    """
    requests = sandbox.requests()
    expected = {(PDBE.name, HTTPStatus.NOT_FOUND)}
    failed = [row for row in requests if row["status"] != HTTPStatus.OK]
    if failed := [row for row in failed if (row["service"], row["status"]) not in expected]:
        raise ValueError(f"the sandbox refused {failed[0]['path']} with {failed[0]['status']}")
    return requests


def most_in_a_second(requests: Sequence[Mapping[str, Any]]) -> int:
    """The most requests that arrived within a second."""
    arrivals = sorted(request["at"] for request in requests)
    return max(bisect.bisect_left(arrivals, first + 1.0) - place for place, first in enumerate(arrivals))
