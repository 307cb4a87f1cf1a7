"""A cluster of Dask on this machine, in a process beside ours that ends with us.

Dask starts its workers by multiprocessing, and so each would run our main module again, which a script without a guard
does not survive. Here the main module is a line that starts the cluster. It listens on loopback, by TLS and with a key
that passes through a pipe and is never written: no other user of the machine can make it run anything.
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import dask
from distributed import Client, LocalCluster
from distributed.security import Security

from biofact.literature.processes import ONE_THREAD

_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides, and closes
import json, sys
wanted = json.loads(sys.stdin.readline())
sys.path[:] = wanted["path"]
from biofact.corpus.dask_cluster import serve
serve(wanted["workers"])
"""
_KEYS = ("tls_ca_file", "tls_client_key", "tls_client_cert")
_CLOSE_SECONDS = 20
"""Until the cluster is ended instead of asked to end."""
_CONFIGURATION = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.nanny.pre-spawn-environ": {},
}
"""No profile of a worker's threads is read, and its malloc need not return memory after each small thing: with the
usual settings a worker takes a tenth longer.
"""
_WORKER_SECONDS = 0.5
"""For a worker to end; one in the middle of a shard does not by itself, and need not come to its end."""


@asynccontextmanager
async def client_of(workers: int) -> AsyncIterator[Client]:
    """A connection to a new cluster of ``workers`` processes with a thread each.

    Raises:
        OSError: it does not start.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", _PROGRAM),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**ONE_THREAD, **os.environ},
    )
    try:
        cluster = await _started(process, workers)
        security = Security(**{name: cluster[name] for name in _KEYS}, require_encryption=True)
        client = Client(cluster["address"], security=security, asynchronous=True, set_as_default=False)
        async with client:
            yield client
    finally:
        await _end(process)


async def _started(process: asyncio.subprocess.Process, workers: int) -> dict[str, Any]:
    """The address of the cluster, and the keys to it."""
    assert process.stdin is not None and process.stdout is not None  # noqa: PT018, S101  # pipes were asked for
    process.stdin.write(json.dumps({"path": sys.path, "workers": workers}).encode() + b"\n")
    answer = await process.stdout.readline()
    if not answer:
        raise OSError("the local cluster ended as it started")
    cluster: dict[str, Any] = json.loads(answer)
    return cluster


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let the cluster close; where that takes long, it is killed, and its workers end by themselves."""
    assert process.stdin is not None  # noqa: S101  # a pipe was asked for
    process.stdin.close()
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def serve(workers: int) -> None:
    """Run the cluster until the process that started this one closes its end, or is gone."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # printed text is no answer
    asyncio.run(_serve(workers, answers))


async def _serve(workers: int, answers: Any) -> None:
    dask.config.set(_CONFIGURATION)
    security = Security.temporary()
    async with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        security=security,
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL,  # a dead worker is replaced, and a lost shard is listed
        asynchronous=True,
    ) as cluster:
        answers.write(json.dumps({"address": cluster.scheduler_address, **_keys(security)}) + "\n")
        answers.flush()
        await asyncio.to_thread(sys.stdin.read)
        await asyncio.gather(*(worker.close(timeout=_WORKER_SECONDS) for worker in cluster.workers.values()))


def _keys(security: Security) -> dict[str, str]:
    return {name: getattr(security, name) for name in _KEYS}
