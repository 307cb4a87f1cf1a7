"""Releases of a database: which one a service has, when it came out, and whether a newer one is overdue."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar

from biofact.core import call
from biofact.core.errors import BiofactError
from biofact.core.records import Notice, Provenance
from biofact.protocol.lookup import ErrorOf, Upstream, side_request
from biofact.transport.service import ABSENT_SECONDS, HOUR, Service
from biofact.transport.stack import Transport

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReleaseTable:
    """The releases of a database that are known, with their months."""

    title: str
    """The name of the database in sentences."""
    months: dict[str, str]
    """The month of each release, such as ``2026-06``, by its name; the newest last."""
    read_on: str
    """The day on which the table was read."""

    @property
    def newest(self) -> str:
        """The newest release of the table."""
        return next(reversed(self.months))

    def overdue(self, now: float) -> Notice | None:
        """The notice that the newest release of the table is older than a year; None before that."""
        today = datetime.fromtimestamp(now, UTC)
        year, month = map(int, self.months[self.newest].split("-"))
        if (today.year - 1, today.month) <= (year, month):
            return None
        message = (
            f"The newest release of {self.title} that biofact knows, {self.newest}, is of {self.months[self.newest]},"
            f" over a year ago: its facts may be out of date, or biofact is, whose list is of {self.read_on}."
        )
        return Notice(code="OLD_RELEASE", message=message)

    def dated(self, answer: Provenance, release: str) -> Provenance:
        """The provenance of an answer of a service that now has ``release``; unchanged if the answer is older."""
        month = self.months.get(release)
        is_older = answer.origin == "stale" if month is None else answer.retrieved_at < month
        return answer if is_older else answer.model_copy(update={"release": release, "release_date": month})


class CurrentRelease:
    """The release that a service has, for the provenance of its answers, which do not name it.

    It is asked for beside whole records and kept for a day; where it cannot be had, answers go without.
    """

    noted_titles: ClassVar[set[str]] = set()
    """The databases whose overdue release this process has already given notice of."""

    def __init__(
        self,
        transport: Transport,
        service: Service,
        table: ReleaseTable,
        ask: Callable[[], Coroutine[Any, Any, str]],
    ) -> None:
        self.service = service
        self._transport = transport
        self._table = table
        self._ask = ask
        self._name: str | None = None
        self._due = -math.inf

    async def beside(self, answer: Coroutine[Any, Any, T]) -> T:
        """The answer, with the release in the provenance of the call under way."""
        value = await (self._learn_beside(answer) if self._now >= self._due else answer)
        self.sign()
        return value

    def sign(self) -> None:
        """Name the release, if it is known, in the provenance of the call under way; note once that it is overdue."""
        current = call.current()
        if self._name is not None:
            current.answers[:] = [self._dated(provenance, self._name) for provenance in current.answers]
        title = self._table.title
        if title not in self.noted_titles and (notice := self._table.overdue(self._now)):
            self.noted_titles.add(title)
            current.notices.append(notice)

    @property
    def _now(self) -> float:
        return self._transport.timing.wall_clock()

    async def _learn_beside(self, answer: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(answer)
        try:
            # Behind the requests of the answer, which would wait for a slot after it.
            await asyncio.wait({task}, timeout=2 * self._transport.timing.batch_window_seconds)
            is_failed = task.done() and (task.cancelled() or task.exception() is not None)
            await asyncio.gather(task, *(() if is_failed else (self._learn(),)))
            return task.result()
        finally:
            task.cancel()

    async def _learn(self) -> None:
        with call.prefetch() as prefetch_call:
            prefetch_call.notices = []  # none of them is about the answer
            # Behind the requests of an interactive call, of which joinable ones would yield to it; ahead of bulk work.
            prefetch_call.lane = "bulk" if prefetch_call.lane == "interactive" else "interactive"
            side_leg = self._transport.side_leg(self._ask())
            self._name, failures = await side_request(side_leg, "the release", failures=(BiofactError,))
        self._due = self._now + (ABSENT_SECONDS if failures else HOUR)

    def _dated(self, provenance: Provenance, release: str) -> Provenance:
        is_of_service = provenance.source == self.service.name and provenance.release is None
        return self._table.dated(provenance, release) if is_of_service else provenance


class DatedUpstream(Upstream):
    """Questions to a service whose release their provenance names, once it is known."""

    def __init__(self, transport: Transport, title: str, error_of: ErrorOf, release: CurrentRelease) -> None:
        super().__init__(transport, title, error_of)
        self._release = release

    async def accepted(self, service: Service, answer: Awaitable[T]) -> T:
        """The answer; a refusal becomes the source's error.

        Raises:
            BiofactError: the service refused.
        """
        value = await super().accepted(service, answer)
        if service is self._release.service and value is not None:  # a call that finds nothing shows no notice
            self._release.sign()
        return value
