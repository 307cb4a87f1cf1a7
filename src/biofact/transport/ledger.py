"""When the next slot of a service is due: one rule, wherever that is kept."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from biofact.core.call import Lane
from biofact.transport.service import HOUR
from biofact.transport.shares import BULK_HANDICAP, Claim, ReadyRequest, Shares

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
    shares: Shares = field(default_factory=Shares)
    """Of the callers; where there are several, they take the place of ``intent``."""

    @classmethod
    def read(cls, text: str | bytes | None) -> "Row":
        """A row as ``str`` writes it; none is a service that nobody asked yet.

        One that cannot be read, damaged or of another release, counts as none: the next turn writes it anew.
        """
        try:
            next_slot, intent, taken, written, *shares = json.loads(text or "null")
            row = cls(float(next_slot), intent, tuple(map(float, taken)), float(written))
            return replace(row, shares=Shares.read(*shares)) if shares else row
        except (ValueError, TypeError):
            return cls()

    def __str__(self) -> str:
        shares = (self.shares.plain(),) if self.shares else ()
        return json.dumps(
            (self.next, self.intent, self.taken, self.written, *shares)
        )  # astuple takes ten times as long


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
    demand: Mapping[str, int] = field(default_factory=dict)
    """Slots that each subject waits for, or is expected to; empty where there is one subject only."""
    claims: tuple[Claim, ...] = ()
    """Requests that are ready for the slot, who goes first first; without any it is for the lane and for no subject."""


class Turn(NamedTuple):
    """Whether the slot is ours, and the seconds until it is worth asking again."""

    is_taken: bool
    wait: float
    shares: Shares = Shares()
    claim: int = 0
    """For which of the claims the slot is."""


def turn(row: Row, ask: SlotRequest, now: float) -> tuple[Row, Turn]:
    """The row as an ask leaves it, and what the ask gets.

    A slot is taken when it is due, never reserved ahead, so that nobody who dies or gives up leaves a hole.
    Among several subjects it goes to the one that has had least; the processes of others leave it that slot, but not
    for long. With one subject, an interactive call that is too early leaves its intent, to the same end.
    Up to half a gap of lateness is caught up, so that the grid holds, but no window ever holds more than ``most``.
    """
    set_back = max(0.0, row.written - now)  # a row from the future: the clock was set back, and the row goes with it
    taken = tuple(time - set_back for time in row.taken)
    latest = now if ask.is_lifting else now + LONGEST_WAIT_SECONDS
    grid = min(max(row.next - set_back, now + ask.hold if ask.hold else 0.0), latest)
    due = max(grid, taken[-ask.most] + ask.most * ask.gap) if len(taken) >= ask.most else grid
    claims = ask.claims or (Claim(("",), BULK_HANDICAP if ask.lane == "bulk" else 0.0),)
    ready, shares = _published(row.shares, ask, claims, now)
    if ask.lane is None or now < due:
        intent = None if shares else row.intent or (ask.owner if ask.lane == "interactive" else None)
        return Row(grid, intent, taken, now, shares), Turn(False, max(0.0, due - now), shares)
    late = (now - due) / ask.gap
    if shares:
        claim = shares.award(ask.owner, ready, late, ask.gap)
    else:
        claim = 0 if row.intent in {None, ask.owner} or late >= 1 else None
    if claim is None:  # the slot is kept for others; soon enough to leave the next intent
        return Row(grid, row.intent, taken, now, shares), Turn(False, ask.gap / 16, shares)
    if shares:
        shares = shares.awarded(ask.owner, ready, claim, claims[claim].subjects)
    is_idle = now > grid + ask.gap
    following = (now if is_idle else max(grid, now - ask.gap / 2)) + ask.gap
    return Row(following, None, (*taken, now)[-ask.most :], now, shares), Turn(True, following - now, shares, claim)


def _published(
    shares: Shares, ask: SlotRequest, claims: tuple[Claim, ...], now: float
) -> tuple[tuple[ReadyRequest, ...], Shares]:
    """The claims as others see them, and the shares with what the process says of those who wait there."""
    if not shares and not ask.demand:
        return (), shares
    process = shares.process(now, ask.demand, claims)
    return process.ready, shares.published(ask.owner, process, ask.gap)


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
