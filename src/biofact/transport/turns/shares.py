"""Fair queueing over subjects: the shares of a service's callers, across processes. Pure.

A subject's start is the number of slots it has had, counted from the start of the neediest subject that waited when it
came: an idle subject gets no credit. The next slot goes to the lowest start with a request that is ready.
"""

import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BULK_HANDICAP = 8.0
"""Slots that an interactive request's subject may have had more than a bulk one's, and still goes first: a call or two.
The limit keeps one caller's flood from starving the bulk requests of others."""
JOINABLE_HANDICAP = 4.0
"""The same for a request that calls may still join: half, so that it goes before bulk in any case."""

_MOST_BEHIND = 16.0
"""Slots that a subject can catch up after it waited for connections while others had them: it must not starve these."""
_CLOSE = 0.5
"""Starts that differ by no more are equal: the first to ask is served, as to wait for another would cost time."""

_PATIENCE_GAPS = 1 / 2
"""The lateness for which a slot waits for a needier process: as much is caught up."""
_COURTESY_GAPS = 1 / 8
"""The same for a process that is as needy, and has a request older by ``_OLDER_GAPS``."""
_OLDER_GAPS = 8.0
_FRESH_GAPS = 10.0
"""The time after which a process that has not asked again counts as gone; one that waits asks in every gap."""

_MOST_PUBLISHED = 32  # subjects that a process writes into the row
_MOST_PROCESSES = 16  # that the row has room for
_MOST_STARTS = 256
_OUT_OF_REACH = 1e11
"""More slots than a service answers in centuries, and a later time than clocks show: such a number is damaged."""


class Claim(NamedTuple):
    """A request that is ready to be sent."""

    subjects: tuple[str, ...]
    """The subjects of its calls, which share its slot."""
    handicap: float = 0.0
    """Slots that other subjects may have had more, and still go first."""
    seconds: float = 0.0
    """The age of its oldest call."""


class ReadyRequest(NamedTuple):
    """A claim as it is published."""

    subject: str
    """The neediest of its subjects."""
    handicap: float
    since: float


class Process(NamedTuple):
    """The waiting requests of one process, as of its last request to the ledger."""

    seen_at: float
    demand: Mapping[str, int]
    """Slots that each subject waits for, or is expected to."""
    ready: tuple[ReadyRequest, ...]
    """Requests that can be sent at once."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The slots that the waiting subjects of one service have had."""

    floor: float = 0.0
    """The start of each subject that is not in ``starts``."""
    starts: Mapping[str, float] = field(default_factory=dict)
    """The starts of subjects that have had more than the neediest one that waits."""
    processes: Mapping[str, Process] = field(default_factory=dict)
    """By owner, as in ``SlotRequest``."""

    @classmethod
    def read(cls, value: Any) -> "Shares":
        """The shares of the value that ``plain`` made.

        Raises:
            ValueError, TypeError: it is no such value.
        """
        floor, starts, processes = value
        return cls(
            _number(floor),
            {str(subject): _number(start) for subject, start in dict(starts).items()},
            {str(owner): _process(*process) for owner, process in dict(processes).items()},
        )

    def plain(self) -> tuple[Any, ...]:
        """The shares as plain values, for JSON."""
        return self.floor, self.starts, self.processes

    def start(self, subjects: Iterable[str]) -> float:
        """The start of the neediest of some subjects."""
        return min(map(self._start, subjects))

    def neediest(self, subjects: Iterable[str]) -> str:
        """The one of some subjects with the lowest start."""
        return min(subjects, key=self._start)

    def published(self, owner: str, process: Process, gap: float) -> "Shares | None":
        """The shares with the present demand of a process; None if only a subject without a name waits."""
        fresh = _FRESH_GAPS * gap
        processes = {
            name: other for name, other in self.processes.items() if abs(other.seen_at - process.seen_at) <= fresh
        }
        before = processes.get(owner)
        if not process.demand:
            processes.pop(owner, None)
        elif (
            before is None or before[1:] != process[1:] or process.seen_at > before.seen_at + gap
        ):  # else it is not written
            processes[owner] = process
        processes = dict(itertools.islice(processes.items(), _MOST_PROCESSES))
        waiting = {subject for other in processes.values() for subject in other.demand}
        return self._trimmed(waiting, processes) if waiting - {""} else None

    def award(self, owner: str, ready: tuple[ReadyRequest, ...], late: float, gap: float) -> int | None:
        """The index of the request that gets the slot that is due for ``late`` gaps now; None if it is kept for another
        process, which has a better request.
        """
        best = min(range(len(ready)), key=lambda index: self._rank(ready[index]))  # of equals the first: the oldest
        if late < _PATIENCE_GAPS and any(self._needier(owner, ready[best])):
            return None
        if late < _COURTESY_GAPS and any(self._older(owner, ready[best], _OLDER_GAPS * gap)):
            return None
        return best

    def after_award(
        self, owner: str, ready: tuple[ReadyRequest, ...], best: int, subjects: tuple[str, ...]
    ) -> "Shares":
        """The shares after a process has taken the slot for one of its requests, which is that of ``subjects``."""
        late_processes = set(self._needier(owner, ready[best]))  # processes that had time, and may be dead
        unused = {**dict.fromkeys(late_processes, ()), owner: ready[:best] + ready[best + 1 :]}
        processes = {
            name: process._replace(ready=unused.get(name, process.ready)) for name, process in self.processes.items()
        }
        part = 1 / len(subjects)
        starts = {subject: round(self._start(subject) + part, 4) for subject in subjects}
        return Shares(self.floor, {**self.starts, **starts}, processes)

    def process(self, seen_at: float, demand: Mapping[str, int], claims: Iterable[Claim]) -> Process:
        """The published state of a process: of its neediest subjects, if there are many."""
        needy = demand if len(demand) <= _MOST_PUBLISHED else heapq.nsmallest(_MOST_PUBLISHED, demand, key=self._start)
        ready = [
            ReadyRequest(self.neediest(subjects), handicap, round(seen_at - seconds, 1))
            for subjects, handicap, seconds in claims
        ]
        return Process(round(seen_at, 3), {subject: demand[subject] for subject in needy}, tuple(ready))

    def has_claims(self, owner: str) -> bool:
        """Whether other processes will leave a slot to this one."""
        return owner in self.processes and bool(self.processes[owner].ready)

    def other_demand(self, owner: str) -> dict[str, list[int]]:
        """By subject, the slots that it will use in each other process."""
        demand: defaultdict[str, list[int]] = defaultdict(list)
        for name, process in self.processes.items():
            if name != owner:
                for subject, count in process.demand.items():
                    demand[subject].append(count)
        return dict(demand)

    def _trimmed(self, waiting: Iterable[str], processes: Mapping[str, Process]) -> "Shares":
        """The shares without the starts of subjects that have had no more than the neediest one that waits."""
        starts = list(map(self._start, waiting))
        floor = max(min(starts), max(starts) - _MOST_BEHIND)
        higher = {subject: start for subject, start in self.starts.items() if start > floor}
        subjects = (
            heapq.nlargest(_MOST_STARTS, higher, key=higher.__getitem__) if len(higher) > _MOST_STARTS else higher
        )
        return Shares(floor, {subject: higher[subject] for subject in subjects}, processes)

    def _start(self, subject: str) -> float:
        return self.starts.get(subject, self.floor)

    def _rank(self, request: ReadyRequest) -> float:
        return self._start(request.subject) + request.handicap

    def _needier(self, owner: str, request: ReadyRequest) -> Iterator[str]:
        """The other processes with a request of a subject that has had clearly less."""
        limit = self._rank(request) - _CLOSE
        for name, process in self.processes.items():
            if name != owner and any(self._rank(other) < limit for other in process.ready):
                yield name

    def _older(self, owner: str, request: ReadyRequest, seconds: float) -> Iterator[str]:
        """The other processes with a request older by some seconds, of a subject that has had no more."""
        limit, latest = self._rank(request) + _CLOSE, request.since - seconds
        for name, process in self.processes.items():
            if name != owner and any(other.since < latest and self._rank(other) <= limit for other in process.ready):
                yield name


def _number(value: Any) -> float:
    """The number.

    Raises:
        ValueError, TypeError: it is none, or one that shares do not reach.
    """
    number = float(value)
    if not abs(number) < _OUT_OF_REACH:
        raise ValueError("It is no number of slots or seconds.")
    return number


def _process(seen_at: Any, demand: Any, ready: Any) -> Process:
    return Process(
        _number(seen_at),
        {str(subject): int(_number(count)) for subject, count in dict(demand).items()},
        tuple(ReadyRequest(str(subject), _number(handicap), _number(since)) for subject, handicap, since in ready),
    )
