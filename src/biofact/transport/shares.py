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

MOST_PUBLISHED = 32  # subjects that one process writes into the row
_MOST_LINES = 16  # processes that a row has room for
_MOST_STARTS = 256
_FRESH_GAPS = 10.0
"""For how long a process is believed to wait that has not asked again; it does in every gap."""
_CLOSE = 0.5
"""Starts that differ by no more are equal: whoever asks first is served, as to wait for another would cost time."""
_OLDER_GAPS = 8.0
_PATIENCE = 1 / 2  # of a gap, for a needier process to fetch its slot: so much lateness is caught up
_COURTESY = 1 / 8  # of a gap, for an equally needy one whose request is older


class Claim(NamedTuple):
    """A request that is ready to be sent."""

    subjects: tuple[str, ...]
    """Whose it is; of one that answers several callers, all of them: they share its slot."""
    handicap: float = 0.0
    """Slots that others may have had more, and still go first."""
    seconds: float = 0.0
    """For how long it has waited."""


class Ready(NamedTuple):
    """A claim as it is published."""

    subject: str
    """The neediest of its own."""
    handicap: float
    since: float


class Line(NamedTuple):
    """Those who wait in one process, as it said when it last asked."""

    seen: float
    demand: Mapping[str, int]
    """Slots that each subject waits for, or is expected to."""
    ready: tuple[Ready, ...]
    """Requests that can be sent at once."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What the subjects have had that wait for one service; empty where only one does that has no name."""

    floor: float = 0.0
    """Where a subject starts that is not named in ``starts``."""
    starts: Mapping[str, float] = field(default_factory=dict)
    """Of subjects that have had more than the neediest of all who wait."""
    lines: Mapping[str, Line] = field(default_factory=dict)
    """By process."""

    @classmethod
    def read(cls, value: Any) -> "Shares":
        """What ``plain`` has made of shares.

        Raises:
            ValueError, TypeError: it has not.
        """
        floor, starts, lines = value
        return cls(
            float(floor),
            {str(subject): float(start) for subject, start in dict(starts).items()},
            {str(owner): _line(*line) for owner, line in dict(lines).items()},
        )

    def plain(self) -> tuple[Any, ...]:
        """Itself as plain values, for JSON."""
        return self.floor, self.starts, self.lines

    def __bool__(self) -> bool:
        return bool(self.lines)

    def start(self, subjects: Iterable[str]) -> float:
        """Of the neediest of some subjects."""
        return min(max(self.floor, self.starts.get(subject, self.floor)) for subject in subjects)

    def neediest(self, subjects: Iterable[str]) -> str:
        """Of some subjects, the one with the lowest start."""
        return min(subjects, key=lambda subject: self.starts.get(subject, self.floor))

    def published(self, owner: str, line: Line, gap: float) -> "Shares":
        """With what a process says now of those who wait there."""
        if not self.lines and line.demand.keys() <= {""}:
            return self
        lines = {name: old for name, old in self.lines.items() if abs(line.seen - old.seen) <= _FRESH_GAPS * gap}
        before = lines.get(owner)
        if not line.demand:
            lines.pop(owner, None)
        elif before is None or before[1:] != line[1:] or line.seen - before.seen > gap:  # else no need to write it
            lines[owner] = line
        lines = dict(itertools.islice(lines.items(), _MOST_LINES))
        waiting = set(itertools.chain.from_iterable(each.demand for each in lines.values()))
        if waiting <= {""}:
            return Shares()
        return self._from(self.start(waiting), lines)

    def award(self, owner: str, ready: tuple[Ready, ...], late: float, gap: float) -> int | None:
        """Which of a process's requests gets the slot that is due for ``late`` gaps now; None if it is kept for another
        process, which has a better one.
        """
        best = min(range(len(ready)), key=lambda each: (self._rank(ready[each]), ready[each].since))
        if late < _PATIENCE and any(self._needier(owner, ready[best])):
            return None
        if late < _COURTESY and any(self._older(owner, ready[best], _OLDER_GAPS * gap)):
            return None
        return best

    def awarded(self, owner: str, ready: tuple[Ready, ...], best: int, subjects: tuple[str, ...]) -> "Shares":
        """As they are when a process has taken the slot for one of its requests, which is that of ``subjects``."""
        missed = set(self._needier(owner, ready[best]))  # they had time, and may be dead
        lines = {name: line._replace(ready=()) if name in missed else line for name, line in self.lines.items()}
        if owner in lines:
            lines[owner] = lines[owner]._replace(ready=ready[:best] + ready[best + 1 :])
        part = 1 / len(subjects)
        starts = {subject: round(self.start([subject]) + part, 4) for subject in subjects}
        return Shares(self.floor, {**self.starts, **starts}, lines)

    def line(self, seen: float, demand: Mapping[str, int], claims: Iterable[Claim]) -> Line:
        """What a process says of those who wait there: the neediest, if they are many."""
        named = heapq.nsmallest(MOST_PUBLISHED, demand, key=lambda subject: self.start([subject]))
        ready = (Ready(self.neediest(own), handicap, round(seen - seconds, 1)) for own, handicap, seconds in claims)
        return Line(round(seen, 3), {subject: demand[subject] for subject in named}, tuple(ready))

    def has_claims(self, owner: str) -> bool:
        """Whether others will leave a process a slot."""
        return owner in self.lines and bool(self.lines[owner].ready)

    def elsewhere(self, owner: str) -> dict[str, list[int]]:
        """The slots that subjects will use in each other process."""
        demand: defaultdict[str, list[int]] = defaultdict(list)
        for name, line in self.lines.items():
            if name != owner:
                for subject, count in line.demand.items():
                    demand[subject].append(count)
        return dict(demand)

    def _from(self, floor: float, lines: Mapping[str, Line]) -> "Shares":
        """Without those who have had no more than anybody would start with."""
        floor = max(self.floor, floor)
        starts = {subject: start for subject, start in self.starts.items() if start > floor}
        if len(starts) > _MOST_STARTS:
            starts = {
                subject: starts[subject] for subject in heapq.nlargest(_MOST_STARTS, starts, key=starts.__getitem__)
            }
        return Shares(floor, starts, lines)

    def _rank(self, one: Ready) -> float:
        return self.start([one.subject]) + one.handicap

    def _needier(self, owner: str, one: Ready) -> Iterator[str]:
        """Other processes with a request of somebody who has had clearly less."""
        most = self._rank(one) - _CLOSE
        for name, line in self.lines.items():
            if name != owner and any(self._rank(other) < most for other in line.ready):
                yield name

    def _older(self, owner: str, one: Ready, seconds: float) -> Iterator[str]:
        """Other processes with a request that is older by so much, of somebody who has had no more."""
        most, before = self._rank(one) + _CLOSE, one.since - seconds
        for name, line in self.lines.items():
            if name != owner and any(other.since < before and self._rank(other) <= most for other in line.ready):
                yield name


def _line(seen: Any, demand: Any, ready: Any) -> Line:
    return Line(
        float(seen),
        {str(subject): int(count) for subject, count in dict(demand).items()},
        tuple(Ready(str(subject), float(handicap), float(since)) for subject, handicap, since in ready),
    )
