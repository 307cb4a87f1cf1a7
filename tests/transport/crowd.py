"""Callers of one service who take slots all the time, as those of a gateway do, and their slots."""

import asyncio
import bisect
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from biofact.core.call import Call
from biofact.transport.service import SlotTooLate
from biofact.transport.turns.budget import GUARD, Budgets
from tests.transport.machines import NCBI, now

SERVICE_WITH_KEY = replace(NCBI, per_second=10.0)
GAP = GUARD / 10.0
DEADLINE_SECONDS = 29.5
_CONNECT_SECONDS = 0.02
_ANSWER_SECONDS = 0.3


@dataclass(slots=True)
class Crowd:
    """The slots, waits and refusals of some callers."""

    slots: list[tuple[float, str]] = field(default_factory=list)
    """The time and subject of each slot."""
    waits: list[tuple[str, float]] = field(default_factory=list)
    refusals: list[tuple[str, float, float]] = field(default_factory=list)
    """The subject, the seconds until the refusal, and the seconds after which to retry."""
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def ask_once(self, budgets: Budgets, subject: str, **options: object) -> bool:
        """Whether a request got its slot."""
        start = now()
        call = Call(subject=subject, **{"deadline": start + DEADLINE_SECONDS, **options})
        try:
            async with budgets.slot(SERVICE_WITH_KEY, call) as ready:
                await asyncio.sleep(_CONNECT_SECONDS)
                await ready()
                self.slots.append((now(), subject))
                self.waits.append((subject, now() - start))
                await asyncio.sleep(_ANSWER_SECONDS)
        except SlotTooLate as late:
            self.refusals.append((subject, now() - start, late.retry_after_seconds or 0.0))
            return False
        return True

    def ask(self, subject: str, count: int, *replicas: Budgets, **options: object) -> None:
        """Let a caller keep ``count`` requests going, each by the next replica."""

        async def ask_again(first: int) -> None:
            for turn in itertools.count(first):
                if not await self.ask_once(replicas[turn % len(replicas)], subject, **options):
                    await asyncio.sleep(self.refusals[-1][2] or 1.0)

        self.tasks += [asyncio.create_task(ask_again(number)) for number in range(count)]

    async def end(self) -> None:
        """Cancel all callers."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def counts(self, since: float = 0.0) -> Counter[str]:
        """Slots by caller."""
        return Counter(subject for time, subject in self.slots if time >= since)

    def longest_wait(self, but: str = "") -> float:
        """The waits of the callers that got a slot."""
        return max(seconds for subject, seconds in self.waits if subject != but)


def most_in_a_window(slots: Sequence[tuple[float, str]], seconds: float = 1.1) -> int:
    """The most slots that any window holds."""
    times = sorted(time for time, _ in slots)
    return max(bisect.bisect_left(times, begin + seconds) - place for place, begin in enumerate(times))
