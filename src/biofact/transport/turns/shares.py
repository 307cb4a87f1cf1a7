"""How the callers of a service share its slots, whichever process they ask by: fair queueing over subjects. Pure.

A subject's start is how many slots it has had, counted from where the neediest of those stood who waited when it came:
who was idle gets no credit for that. The next slot goes to the lowest start that somebody is ready to use.
"""

import heapq
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BULK_HANDICAP = 8.0
"""Slots that an interactive request's subject may have had more than a bulk one's, and still goes first. It lets a
whole call or two pass, and ends, so that nobody's flood starves the bulk of others."""
JOINABLE_HANDICAP = 4.0
"""The same for a request that others may still join: half, so that it goes before bulk in any case."""

_MOST_BEHIND = 16.0
"""Slots that a subject can fetch up, having waited for connections while others had them: it must not starve these."""
_CLOSE = 0.5
"""Starts that differ by no more are equal: whoever asks first is served, as to wait for another would cost time."""

_PATIENCE_GAPS = 1 / 2
"""For a needier process to fetch its slot: so much lateness is caught up."""
_COURTESY_GAPS = 1 / 8
"""For a process that is as needy, and has a request older by:"""
_OLDER_GAPS = 8.0
_FRESH_GAPS = 10.0
"""For how long a process is believed to wait that has not asked again; it does in every gap."""

_MOST_PUBLISHED = 32  # subjects that a process writes into the row
_MOST_PROCESSES = 16  # that the row has room for
_MOST_STARTS = 256


class Claim(NamedTuple):
    """A request that is ready to be sent."""

    subjects: tuple[str, ...]
    """Whose it is; of one that several callers wait for, all of them: they share its slot."""
    handicap: float = 0.0
    """Slots that others may have had more, and still go first."""
    seconds: float = 0.0
    """The age of its call; of several, the oldest one's."""


class ReadyRequest(NamedTuple):
    """A claim as it is published."""

    subject: str
    """The neediest of its own."""
    handicap: float
    since: float


class Process(NamedTuple):
    """Those who wait in one process, as it said when it last asked."""

    seen: float
    demand: Mapping[str, int]
    """Slots that each subject waits for, or is expected to."""
    ready: tuple[ReadyRequest, ...]
    """Requests that can be sent at once."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What the subjects have had that wait for one service; empty where only one does that has no name."""

    floor: float = 0.0
    """Where a subject starts that is not named in ``starts``."""
    starts: Mapping[str, float] = field(default_factory=dict)
    """Of subjects that have had more than the neediest of all who wait."""
    processes: Mapping[str, Process] = field(default_factory=dict)
    """By owner, as in ``SlotRequest``."""

    @classmethod
    def read(cls, value: Any) -> "Shares":
        """What ``plain`` has made of shares.

        Raises:
            ValueError, TypeError: it has not.
        """
        floor, starts, processes = value
        return cls(
            float(floor),
            {str(subject): float(start) for subject, start in dict(starts).items()},
            {str(owner): _process(*process) for owner, process in dict(processes).items()},
        )

    def plain(self) -> tuple[Any, ...]:
        """Itself as plain values, for JSON."""
        return self.floor, self.starts, self.processes

    def start(self, subjects: Iterable[str]) -> float:
        """Of the neediest of some subjects."""
        return min(map(self._start, subjects))

    def neediest(self, subjects: Iterable[str]) -> str:
        """Of some subjects, the one with the lowest start."""
        return min(subjects, key=self._start)

    def published(self, owner: str, process: Process, gap: float) -> "Shares | None":
        """The shares with the present demand of a process; None where nobody waits but a subject without a name."""
        fresh = _FRESH_GAPS * gap
        processes = {name: each for name, each in self.processes.items() if abs(each.seen - process.seen) <= fresh}
        before = processes.get(owner)
        if not process.demand:
            processes.pop(owner, None)
        elif before is None or before[1:] != process[1:] or process.seen > before.seen + gap:  # else it is not written
            processes[owner] = process
        processes = dict(itertools.islice(processes.items(), _MOST_PROCESSES))
        waiting = {subject for each in processes.values() for subject in each.demand}
        return self._with(waiting, processes) if waiting - {""} else None

    def award(self, owner: str, ready: tuple[ReadyRequest, ...], late: float, gap: float) -> int | None:
        """Which of a process's requests gets the slot that is due for ``late`` gaps now; None if it is kept for another
        process, which has a better one.
        """
        best = min(range(len(ready)), key=lambda each: self._rank(ready[each]))  # of equals the first: the oldest call
        if late < _PATIENCE_GAPS and any(self._needier(owner, ready[best])):
            return None
        if late < _COURTESY_GAPS and any(self._older(owner, ready[best], _OLDER_GAPS * gap)):
            return None
        return best

    def awarded(self, owner: str, ready: tuple[ReadyRequest, ...], best: int, subjects: tuple[str, ...]) -> "Shares":
        """As they are when a process has taken the slot for one of its requests, which is that of ``subjects``."""
        missed = set(self._needier(owner, ready[best]))  # they had time, and may be dead
        unused = {**dict.fromkeys(missed, ()), owner: ready[:best] + ready[best + 1 :]}
        processes = {
            name: process._replace(ready=unused.get(name, process.ready)) for name, process in self.processes.items()
        }
        part = 1 / len(subjects)
        starts = {subject: round(self._start(subject) + part, 4) for subject in subjects}
        return Shares(self.floor, {**self.starts, **starts}, processes)

    def process(self, seen: float, demand: Mapping[str, int], claims: Iterable[Claim]) -> Process:
        """What a process says of those who wait there: of the neediest, if they are many."""
        needy = demand if len(demand) <= _MOST_PUBLISHED else heapq.nsmallest(_MOST_PUBLISHED, demand, key=self._start)
        ready = [
            ReadyRequest(self.neediest(subjects), handicap, round(seen - seconds, 1))
            for subjects, handicap, seconds in claims
        ]
        return Process(round(seen, 3), {subject: demand[subject] for subject in needy}, tuple(ready))

    def has_claims(self, owner: str) -> bool:
        """Whether others will leave a process a slot."""
        return owner in self.processes and bool(self.processes[owner].ready)

    def elsewhere(self, owner: str) -> dict[str, list[int]]:
        """The slots that subjects will use in each other process."""
        demand: defaultdict[str, list[int]] = defaultdict(list)
        for name, process in self.processes.items():
            if name != owner:
                for subject, count in process.demand.items():
                    demand[subject].append(count)
        return dict(demand)

    def _with(self, waiting: Iterable[str], processes: Mapping[str, Process]) -> "Shares":
        """Without the starts of those who have had no more than the neediest who waits."""
        starts = list(map(self._start, waiting))
        floor = max(min(starts), max(starts) - _MOST_BEHIND)
        above = {subject: start for subject, start in self.starts.items() if start > floor}
        most = heapq.nlargest(_MOST_STARTS, above, key=above.__getitem__) if len(above) > _MOST_STARTS else above
        return Shares(floor, {subject: above[subject] for subject in most}, processes)

    def _start(self, subject: str) -> float:
        return self.starts.get(subject, self.floor)

    def _rank(self, one: ReadyRequest) -> float:
        return self._start(one.subject) + one.handicap

    def _needier(self, owner: str, one: ReadyRequest) -> Iterator[str]:
        """Other processes with a request of somebody who has had clearly less."""
        most = self._rank(one) - _CLOSE
        for name, process in self.processes.items():
            if name != owner and any(self._rank(other) < most for other in process.ready):
                yield name

    def _older(self, owner: str, one: ReadyRequest, seconds: float) -> Iterator[str]:
        """Other processes with a request that is older by so much, of somebody who has had no more."""
        most, before = self._rank(one) + _CLOSE, one.since - seconds
        for name, process in self.processes.items():
            if name != owner and any(other.since < before and self._rank(other) <= most for other in process.ready):
                yield name


def _process(seen: Any, demand: Any, ready: Any) -> Process:
    return Process(
        float(seen),
        {str(subject): int(count) for subject, count in dict(demand).items()},
        tuple(ReadyRequest(str(subject), float(handicap), float(since)) for subject, handicap, since in ready),
    )
