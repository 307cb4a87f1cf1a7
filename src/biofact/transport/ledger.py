"""When the next slot of a service is due: one rule, wherever that is kept."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from biofact.core.call import Lane
from biofact.transport.service import HOUR

LONGEST_WAIT_SECONDS = HOUR  # Ensembl counts by the clock hour; whatever is further ahead is no slot


@dataclass(frozen=True, slots=True)
class Row:
    """One service's row."""

    next: float = 0.0
    """When the next slot is due, on the wall clock, which is what processes share."""
    intent: str | None = None
    """The owner whose interactive call that slot is kept for, until one gap after it is due."""
    taken: tuple[float, ...] = ()
    """When the last slots were taken, oldest first."""
    written: float = field(default=0.0, compare=False)

    @classmethod
    def read(cls, text: str | bytes | None) -> "Row":
        """A row as ``str`` writes it; none is a service that nobody asked yet.

        One that cannot be read, damaged or of another release, counts as none: the next turn writes it anew.
        """
        try:
            next_slot, intent, taken, written = json.loads(text or "null")
            return cls(float(next_slot), intent, tuple(map(float, taken)), float(written))
        except (ValueError, TypeError):
            return cls()

    def __str__(self) -> str:
        return json.dumps((self.next, self.intent, self.taken, self.written))  # astuple takes ten times as long


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """One process's request for a slot of one service."""

    name: str
    owner: str
    gap: float
    """Seconds between slots."""
    most: int
    """Slots in any ``most`` gaps: what the service allows in its window."""
    lane: Lane | None = None
    """None takes no slot."""
    hold: float = 0.0
    """Seconds that the service wants to be left alone."""
    is_lifting: bool = False
    """Whether to forget that it wants to be left alone."""


class Turn(NamedTuple):
    """Whether the slot is ours, and the seconds until it is worth asking again."""

    is_taken: bool
    wait: float


def turn(row: Row, ask: SlotRequest, now: float) -> tuple[Row, Turn]:
    """The row as an ask leaves it, and what the ask gets.

    A slot is taken when it is due, never reserved ahead, so that nobody who dies or gives up leaves a hole.
    Too early, an interactive call leaves its intent: the others then leave it that slot.
    Up to half a gap of lateness is caught up, so that the grid holds, but no window ever holds more than ``most``.
    """
    set_back = max(0.0, row.written - now)  # a row from the future: the clock was set back, and the row goes with it
    taken = tuple(time - set_back for time in row.taken)
    latest = now if ask.is_lifting else now + LONGEST_WAIT_SECONDS
    grid = min(max(row.next - set_back, now + ask.hold if ask.hold else 0.0), latest)
    due = max(grid, taken[-ask.most] + ask.most * ask.gap) if len(taken) >= ask.most else grid
    if ask.lane is None or now < due:
        intent = row.intent or (ask.owner if ask.lane == "interactive" else None)
        return Row(grid, intent, taken, now), Turn(False, max(0.0, due - now))
    if row.intent not in {None, ask.owner} and now < due + ask.gap:
        return Row(grid, row.intent, taken, now), Turn(False, ask.gap / 16)  # soon enough to leave the next intent
    is_idle = now > grid + ask.gap
    following = (now if is_idle else max(grid, now - ask.gap / 2)) + ask.gap
    return Row(following, None, (*taken, now)[-ask.most :], now), Turn(True, following - now)


class LedgerLost(Exception):
    """A ledger cannot be used; the text says why."""


class Ledger(Protocol):
    """Rows by service, changed by one asker at a time."""

    kind: str

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets.

        Raises:
            LedgerLost: the ledger cannot be used.
        """

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get, told at once: for a person who looks, not for a caller who waits."""

    async def aclose(self) -> None:
        """Let go of files and connections; the ledger opens them again when asked again."""


class MemoryLedger:
    """Rows of this process only. Never lost."""

    kind = "memory"

    def __init__(self, wall_clock: Callable[[], float]) -> None:
        self._wall_clock = wall_clock
        self._rows: dict[str, Row] = {}

    async def turn(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        return self.peek(ask)

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` gets."""
        self._rows[ask.name], result = turn(self._rows.get(ask.name, Row()), ask, self._wall_clock())
        return result

    async def aclose(self) -> None:
        """Nothing to let go of."""
