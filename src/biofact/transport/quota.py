"""Whether a caller may use more of what is counted for them: one rule, wherever the counts are kept. Pure."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

STEPS = 12
"""Into which a window is divided. What is used counts from its step on until a window after the end of that step."""

Counts = Mapping[int, int]
"""What was used, by the number of the step: steps since the epoch."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What somebody uses, or wants to."""

    name: str
    """Whose, and of what."""
    amount: int
    """0 asks whether there is anything left."""
    most: int
    """In any window."""
    window: float
    """In seconds."""
    is_used: bool = False
    """It cannot be refused any more, and counts in any case."""

    @property
    def lasting_seconds(self) -> float:
        """How long a count matters, from its first use on."""
        return self.window + self.window / STEPS


def step(time: float, window: float) -> int:
    """The number of the step at a time."""
    return int(time * STEPS // window)


def charged(counts: Counts, charge: Charge, now: float) -> tuple[dict[int, int], float]:
    """The counts as a charge leaves them, and the seconds until it fits: 0.0 where it is counted, infinite where it is
    more than a whole quota.

    No window ever holds more than ``most``, unless what was used already is counted. A refused charge counts nothing.
    """
    current = step(now, charge.window)
    live: dict[int, int] = {}
    for number, amount in counts.items():
        if current - number <= STEPS:
            known = min(number, current)  # one from the future: the clock was set back, and the count goes with it
            live[known] = live.get(known, 0) + amount
    wait = 0.0 if charge.is_used else _wait(live, charge, now)
    if not wait and charge.amount:
        live[current] = live.get(current, 0) + charge.amount
    return live, wait


def _wait(live: Counts, charge: Charge, now: float) -> float:
    """Seconds until enough of what is counted counts no more."""
    over = sum(live.values()) + max(charge.amount, 1) - charge.most
    if over <= 0:
        return 0.0
    for number, amount in sorted(live.items()):
        over -= amount
        if over <= 0:
            return (number + STEPS + 1) * charge.window / STEPS - now
    return math.inf


def counts_of(text: str | bytes | None) -> dict[int, int]:
    """Counts as ``text_of`` writes them; none where they cannot be read, damaged or of another release."""
    try:
        return {int(number): int(amount) for number, amount in json.loads(text or "{}").items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def text_of(counts: Counts) -> str:
    """Counts as a ledger keeps them."""
    return json.dumps(counts)


class MemoryCounts:
    """Counts of this process only."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[dict[int, int], float]] = {}
        """By name, and until when they matter."""

    def charge(self, charge: Charge, now: float) -> float:
        """The seconds until it fits, as ``charged`` has them."""
        if charge.name not in self._counts:
            self._counts = {name: entry for name, entry in self._counts.items() if entry[1] > now}
        counts, wait = charged(self._counts.get(charge.name, ({}, 0.0))[0], charge, now)
        if not wait and charge.amount:
            self._counts[charge.name] = counts, now + charge.lasting_seconds
        return wait
