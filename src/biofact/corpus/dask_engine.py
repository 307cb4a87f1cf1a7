"""Workers of Dask: those of a cluster, or processes of this machine.

A worker that dies is Dask's to replace: it does the shard elsewhere. That a shard is then done twice at a time does no
harm, for the same shard is the same bytes.
"""

import asyncio
import concurrent.futures
import functools
import gc
import logging
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biofact.core.extras import install_command
from biofact.core.folder_files import PART
from biofact.core.quoting import name_list
from biofact.corpus.inputs import error_text
from biofact.corpus.records import VERSION
from biofact.corpus.runs import Ends, EngineUnavailable, ShardLost, in_flight
from biofact.corpus.shards import ShardEnd, shard_end
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed

if TYPE_CHECKING:
    from distributed import Client

_CONNECT_SECONDS = 10
_WORKERS_SECONDS = 30
_MOST_NAMED = 5


class DaskEngine:
    """Does shards by the workers of a Dask cluster, one by one on each: workers with one thread each are the fastest.

    The cluster is that of an address, such as ``tcp://10.0.0.1:8786`` or ``tls://…``, which Dask's own settings say how
    to speak to. Its workers need this version of biofact, and have to see the folder and the input files under the same
    paths. A cluster without TLS runs programs of anyone who can reach it, which is for its owner to prevent. Without an
    address there are ``workers`` processes of this machine, which no other user can reach and which end with the run.
    """

    def __init__(self, address: str | None = None, *, workers: int = 1) -> None:
        self.address = address
        self.workers = workers

    async def ends(self, folder: Path, numbers: Sequence[int]) -> Ends:
        """The end of each shard, as it comes."""
        async with AsyncExitStack() as stack:
            client = await self._client(stack, len(numbers))
            place = folder.absolute()  # noqa: ASYNC240  # asks for the working directory; workers have their own
            await _check_workers(client, place)
            _check_not_cancelled()

            def workers() -> int:
                self.workers = client.scheduler_info()["n_workers"]
                return self.workers

            async for end in in_flight(numbers, functools.partial(_end, client, place), workers):
                yield end

    async def _client(self, stack: AsyncExitStack, shards: int) -> "Client":
        """A connection to the cluster, which has a worker at least."""
        try:
            from distributed import Client  # noqa: PLC0415  # of the extra
            from distributed.utils import silence_logging_cmgr  # noqa: PLC0415

            from biofact.corpus.dask_cluster import client_of  # noqa: PLC0415
        except ImportError as error:
            hint = f"Install it: {install_command('corpus')}"
            raise EngineUnavailable("Dask is not installed.", hint=hint) from error
        stack.enter_context(silence_logging_cmgr(logging.CRITICAL))  # we report lost workers ourselves
        try:
            if self.address is None:
                client = await stack.enter_async_context(client_of(min(self.workers, max(shards, 1))))
            else:
                client = Client(self.address, asynchronous=True, set_as_default=False, timeout=_CONNECT_SECONDS)
                stack.push_async_callback(client.close)
                await client
        except (OSError, TypeError, ValueError) as error:  # refused, no answer in time; TLS without keys; no address
            raise _unreachable(self.address, error) from error
        try:
            await client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
        except TimeoutError as error:
            hint = "Start some there: dask worker ADDRESS --nthreads 1"
            raise EngineUnavailable(
                f"The Dask cluster {client.scheduler.address} has no workers.", hint=hint
            ) from error
        return client


def _check_not_cancelled() -> None:
    """Raise an interrupt that Dask swallowed, as it does with one that comes while it connects (2026.8).

    Raises:
        asyncio.CancelledError: the run is to end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _unreachable(address: str | None, error: Exception) -> EngineUnavailable:
    if address is None:
        hint = "Read what it wrote above, or use processes: --jobs N"
        return EngineUnavailable(f"Dask does not start on this machine: {error}.", hint=hint)
    detail = f"in {_CONNECT_SECONDS} seconds" if isinstance(error, OSError) else f"({error_text(error)})"
    hint = "Give the address that dask scheduler names, such as tcp://10.0.0.1:8786, or local for this machine."
    return EngineUnavailable(f"No Dask cluster answers at {address!r:.200} {detail}.", hint=hint)


async def _end(client: "Client", folder: Path, number: int) -> ShardEnd | ShardLost:
    """The end of one shard; where workers died of it, Dask has tried several."""
    future = client.submit(_shard_end, folder, number, pure=False)  # a pure one would not run again
    try:
        failure = await future.exception()
        end = ShardLost(number, _reason(failure)) if failure else await future
    except concurrent.futures.CancelledError as cancelled:
        raise _connection_lost() from cancelled
    if isinstance(end, WriteFailed | FolderRefused):
        raise end
    return end


def _shard_end(folder: Path, number: int) -> ShardEnd | WriteFailed | FolderRefused:
    """The end of a shard, for a worker."""
    gc.freeze()  # modules of Dask last as long as the worker, and each collection would look through them
    return shard_end(folder, number)


def _connection_lost() -> EngineUnavailable:
    hint = "Run it again when there is one: what is done is kept."
    return EngineUnavailable("The connection to the Dask scheduler is lost.", hint=hint)


def _reason(failure: BaseException) -> str:
    """The reason why a shard was lost.

    Raises:
        concurrent.futures.CancelledError: it was not, but the scheduler is gone.
    """
    from distributed import KilledWorker  # noqa: PLC0415  # of the extra

    if isinstance(failure, concurrent.futures.CancelledError):
        raise failure
    if isinstance(failure, KilledWorker):
        return f"the workers that it was given to ended, {failure.allowed_failures + 1} of them"
    return error_text(failure)


async def _check_workers(client: "Client", folder: Path) -> None:
    """Hold every worker to what a shard needs.

    Raises:
        EngineUnavailable: one lacks biofact, has another version, or does not see the folder.
        WriteFailed: the system refuses the write.
    """
    token = folder / f"{PART}{secrets.token_hex(8)}"
    files.write(token, token.name.encode())
    try:
        answers: Mapping[str, Any] = await client.run(_fault, token, VERSION, on_error="return")
    except OSError as error:
        raise _connection_lost() from error
    finally:
        token.unlink(missing_ok=True)
    faults: defaultdict[str, list[str]] = defaultdict(list)
    for worker, fault in answers.items():
        faults[_fault_text(fault)].append(worker)
    faults.pop("", None)
    for fault, workers in faults.items():
        hint = f"Each worker needs biofact[corpus] {VERSION}, and the folder under the same path. Nothing was run."
        raise EngineUnavailable(
            f"{len(workers)} of {len(answers)} workers of Dask {fault}: {name_list(workers, _MOST_NAMED)}.", hint=hint
        )


def _fault_text(fault: Any) -> str:
    """A worker's answer or failure in words; nothing where it is gone, as workers may be at any time."""
    if not isinstance(fault, Exception):
        return str(fault)
    if isinstance(fault, OSError):
        return ""
    text = error_text(fault)
    return "cannot import biofact" if "No module named 'biofact" in text else f"failed ({text})"


def _fault(token: Path, version: str) -> str:
    """The fault of this worker in words; nothing for a good one."""
    if version != VERSION:
        return f"have biofact {VERSION} instead of {version}"
    try:
        is_seen = token.read_bytes() == token.name.encode()
    except OSError:
        is_seen = False
    return "" if is_seen else f"do not see {str(token.parent)!r}"
