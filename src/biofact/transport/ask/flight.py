"""Single flight: identical questions asked at the same time share one answer."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from biofact.core import events
from biofact.core.call import Call
from biofact.core.errors import BiofactError, ClientClosed, RateLimited, RetryAfter, UpstreamError
from biofact.transport.service import Service, Transient
from biofact.transport.timing import Timing
from biofact.transport.waiters import Waiter

T = TypeVar("T")

NO_ANSWER = "No answer"
"""The start of the message to a call whose time is over, whatever it waited for."""

_STALL_SECONDS = 5.0
"""Beyond the deadline, for a flight that keeps its starter's: it ends by itself, on a stalled machine later."""


KnownError = Callable[[Service, Call], BiofactError | None]
"""The error by which a service has failed in a call, if it has not answered since."""


def _unknown(service: Service, current: Call) -> None: ...


@dataclass(slots=True, eq=False)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    subjects: list[str] = field(default_factory=list)
    """The subjects of the calls that wait for it."""
    waiters: list[Waiter] = field(default_factory=list)
    """The tasks of the calls that wait for it."""


class Flights(Generic[T]):
    """The requests under way, each sent once for all calls that wait for it."""

    def __init__(self, timing: Timing, known_error: KnownError = _unknown, *, keeps_deadline: bool = True) -> None:
        """``keeps_deadline``: a flight ends with the deadline of the call that started it."""
        self._timing = timing
        self._known_error = known_error
        self._keeps_deadline = keeps_deadline
        self._flights: dict[Hashable, _Flight[T]] = {}

    async def join(
        self, key: Hashable, service: Service, current: Call, fly: Callable[[], Coroutine[Any, Any, T]]
    ) -> T:
        """The answer under ``key``: that of the flight under way, or of ``fly``, started now.

        A cancelled call disturbs no other; a flight without waiting calls is cancelled.
        A call that joined, and still has time when the flight ran out of its starter's, starts another.
        """
        while True:
            flight = self._flights.get(key)
            is_starter = flight is None
            if flight is None:
                flight = self._start(key, fly)
            else:
                events.REQUESTS.debug("%s: joined a request under way", service.name)
            waiter = Waiter(current)
            try:
                return await self._wait(key, flight, service, waiter, is_starter=is_starter)
            except (RateLimited, UpstreamError) as error:
                is_passing = isinstance(error.__cause__, Transient) and error is not waiter.error
                if is_starter or not is_passing or self._remaining_seconds(current) <= self._timing.backoff_seconds:
                    raise

    def subjects(self, key: Hashable) -> list[str]:
        """The subjects of the calls that wait for the flight under ``key``; the list changes as they come and go."""
        return self._flights[key].subjects

    def waiters(self, key: Hashable) -> list[Waiter]:
        """The calls that wait for the flight under ``key``; the list changes as they come and go."""
        return self._flights[key].waiters

    async def aclose(self) -> None:
        """Cancel every flight; the calls that wait for one fail."""
        tasks = [flight.task for flight in self._flights.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, key: Hashable, fly: Callable[[], Coroutine[Any, Any, T]]) -> _Flight[T]:
        flight = _Flight(asyncio.create_task(fly()))
        self._flights[key] = flight

        def finish(task: asyncio.Task[T]) -> None:
            self._forget(key, flight)
            if not task.cancelled():
                task.exception()  # marks it as retrieved: asyncio would complain of a failure without waiting calls

        flight.task.add_done_callback(finish)
        return flight

    def _patience_seconds(self, current: Call, is_starter: bool) -> float:
        # A flight gives up at its own deadline, and its reason says more than ours: let it speak first.
        last_words = _STALL_SECONDS if is_starter and self._keeps_deadline else self._timing.last_words_seconds
        return max(0.0, (current.deadline or 0.0) + last_words - self._timing.clock())

    async def _wait(
        self, key: Hashable, flight: _Flight[T], service: Service, waiter: Waiter, *, is_starter: bool
    ) -> T:
        patience_seconds = self._patience_seconds(waiter.call, is_starter)
        flight.subjects.append(waiter.call.subject)
        flight.waiters.append(waiter)
        try:
            async with asyncio.timeout(patience_seconds):
                with waiter:
                    return await asyncio.shield(flight.task)
        except TimeoutError as error:
            raise self._known_error(service, waiter.call) or UpstreamError(
                f"{NO_ANSWER} of {service.title} came within the {self._timing.deadline_seconds:g} seconds of a call:"
                " it is slow, or many callers share its rate.",
                hint="Call again: an answer that arrives late is kept.",
                recovery=RetryAfter(1),
            ) from error
        except asyncio.CancelledError as error:
            if flight.task.cancelled() and not is_cancelled():
                raise ClientClosed from error
            raise
        finally:
            flight.subjects.remove(waiter.call.subject)
            flight.waiters.remove(waiter)
            if not flight.subjects:
                self._forget(key, flight)
                flight.task.cancel()

    def _forget(self, key: Hashable, flight: _Flight[T]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _remaining_seconds(self, current: Call) -> float:
        return max(0.0, (current.deadline or 0.0) - self._timing.clock())


def is_cancelled() -> bool:
    """Whether the task under way is cancelled, so that a CancelledError is meant for it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
