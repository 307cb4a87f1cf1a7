"""What one event loop has of a transport: everything that waits there. A loop never sees another's."""

import asyncio
import math
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from biofact.core.errors import ClientClosed, RetryAfter, UpstreamError
from biofact.core.settings import Settings
from biofact.transport.batch import Batch
from biofact.transport.budget import Budgets
from biofact.transport.cache import Cache
from biofact.transport.flight import Flights, is_cancelled
from biofact.transport.retry import Retry, judged
from biofact.transport.scheduler import Ready
from biofact.transport.service import Answer, Batching, Request
from biofact.transport.store import Entry
from biofact.transport.timing import Timing

if TYPE_CHECKING:
    from biofact.transport.wire import Network, Wire

T = TypeVar("T")


class Session:
    """The flights, batches, budgets and connections of one event loop."""

    def __init__(
        self, settings: Settings, timing: Timing, *, cache: Cache, budgets: Budgets, network: "Network | None"
    ) -> None:
        self.budgets = budgets
        self.retry = Retry(settings, timing, budgets)
        self.flights: Flights[Entry] = Flights(timing)
        self._settings = settings
        self._timing = timing
        self._cache = cache
        self._network = network
        self._batches: dict[int, Batch] = {}
        self._legs: set[asyncio.Future[Any]] = set()
        self._opened_wire: Wire | None = None

    def batch(self, batching: Batching) -> Batch:
        """The lookups of this kind that join here."""
        if id(batching) not in self._batches:
            self._batches[id(batching)] = Batch(
                batching, cache=self._cache, retry=self.retry, stream=self._stream, timing=self._timing
            )
        return self._batches[id(batching)]

    async def side_leg(self, leg: Coroutine[Any, Any, T]) -> T:
        """The leg's result, if it comes within the time that a record waits; it is left to finish if it does not.

        Raises:
            UpstreamError: it takes longer. Whatever the leg raises.
        """
        seconds = self._timing.side_leg_seconds
        task = asyncio.create_task(leg)
        self._legs.add(task)
        task.add_done_callback(self._leg_ended)
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            message = f"There was no answer within {seconds:g} seconds, as long as a record waits; call again."
            raise UpstreamError(message, hint="Call again.", recovery=RetryAfter(math.ceil(seconds)))
        if task.cancelled() and not is_cancelled():
            raise ClientClosed
        return task.result()

    def wire(self) -> "Wire":
        """What sends requests, opened when the first is due."""
        if self._opened_wire is None:
            from biofact.transport.wire import Wire  # noqa: PLC0415  # loads the HTTP library: only when needed

            self._opened_wire = Wire(self._settings, self._timing, self._network)
        return self._opened_wire

    async def aclose(self) -> None:
        """Call off what is under way and let go of everything."""
        for leg in self._legs:
            leg.cancel()
        await asyncio.gather(*self._legs, return_exceptions=True)
        for batch in self._batches.values():
            await batch.aclose()
        await self.flights.aclose()
        self.retry.forget()
        if self._opened_wire is not None:
            await self._opened_wire.aclose()
            self._opened_wire = None
        await self.budgets.aclose()

    def abandon(self) -> None:
        """Let go of files; all else went with the event loop."""
        self.retry.forget()
        self.budgets.abandon()

    @asynccontextmanager
    async def _stream(self, request: Request, ready: Ready) -> AsyncIterator[tuple[Answer, AsyncIterator[bytes]]]:
        async with self.wire().stream(request, ready) as (answer, chunks):
            self.budgets.observe(request.service, answer.headers)
            yield judged(answer, request.service, self._settings, self._timing), chunks

    def _leg_ended(self, task: "asyncio.Future[Any]") -> None:
        self._legs.discard(task)
        if not task.cancelled():
            task.exception()  # seen: whoever waited no longer does


class Sessions:
    """The sessions of a transport, one for each event loop that uses it.

    A loop that has ended leaves nothing behind, nor does a process to its fork: neither's connections can be used.
    """

    def __init__(self, make: Callable[[], Session]) -> None:
        self._make = make
        self._pid = os.getpid()
        self._open: dict[asyncio.AbstractEventLoop, Session] = {}
        self._lock = threading.Lock()

    @property
    def here(self) -> Session:
        """That of the running loop."""
        loop = asyncio.get_running_loop()
        session = self._open.get(loop)
        if session is None or self._pid != os.getpid():
            with self._lock:
                self._forget_ended()
                session = self._open.setdefault(loop, self._make())
        return session

    async def aclose(self) -> None:
        """Close all of them, each on its own loop."""
        here = asyncio.get_running_loop()
        with self._lock:
            self._forget_ended()
            sessions, self._open = self._open, {}
        for loop, session in sessions.items():
            if loop is here:
                await session.aclose()
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(session.aclose(), loop))
            else:
                session.abandon()

    def _forget_ended(self) -> None:
        if self._pid != os.getpid():
            _inherited.extend(self._open.values())
            self._open, self._pid = {}, os.getpid()
        for loop in [loop for loop in self._open if loop.is_closed()]:
            self._open.pop(loop).abandon()


_inherited: list[Session] = []
"""Of the process that we were forked from. To close what they hold would disturb it: they are kept as they are."""
