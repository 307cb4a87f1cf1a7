"""When the next slot of a service is due: one rule, and the ledgers that keep count by it."""

import json
import sqlite3
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, TypeVar

from biofact.core.call import Lane
from biofact.core.errors import WrongSetting
from biofact.core.records import Notice
from biofact.core.settings import Settings
from biofact.transport.backends import REDIS_URL, registered
from biofact.transport.private_files import identity, make_private
from biofact.transport.service import HOUR, SlotTooLate
from biofact.transport.timing import Timing
from biofact.transport.turns.shares import BULK_HANDICAP, Claim, ReadyRequest, Shares

T = TypeVar("T")

_SKEW_SECONDS = 60.0
"""By which times in a row may be later than the row: rounding, and a gap after the last slot."""
_LATEST_TIME = 1e11
"""In the year 5138, when clocks count milliseconds."""
LONGEST_WAIT_SECONDS = HOUR  # Ensembl counts by the clock hour; whatever is further ahead is no slot


@dataclass(frozen=True, slots=True)
class Row:
    """One service's row."""

    next: float = 0.0
    """When the next slot is due, on the wall clock, which is what processes share."""
    intent: str | None = None
    """The owner whose interactive call that slot is kept for, until one gap after it is due."""
    slot_times: tuple[float, ...] = ()
    """When the last slots were taken, oldest first."""
    written_at: float = field(default=0.0, compare=False)
    shares: Shares | None = None
    """The shares of the subjects, where several wait; they take the place of ``intent``."""
    is_mended: bool = field(default=False, compare=False)
    """Whether the stored row had numbers that no ledger writes."""

    @classmethod
    def read(cls, text: str | bytes | None) -> "Row":
        """The row that ``str`` has written; an empty row for a service without requests so far.

        A row that cannot be read, damaged or of another release, counts as empty. Times that no ledger writes, such as
        that of a slot in the year 2090, are mended: a slot was taken before the row was written, and none is due more
        than ``LONGEST_WAIT_SECONDS`` after that. Else a damaged number would have a service wait for ever.
        """
        if text is None:
            return cls()
        try:
            next_slot, intent, slot_times, written_at, *shares = json.loads(text)
            stored = cls(float(next_slot), intent, tuple(map(float, slot_times)), float(written_at))
            valid = stored._within_bounds()
        except (ValueError, TypeError, OverflowError, RecursionError):
            return cls(is_mended=True)
        try:
            return replace(valid, shares=Shares.read(*shares)) if shares else valid
        except (ValueError, TypeError, OverflowError):
            return replace(valid, is_mended=True)

    def _within_bounds(self) -> "Row":
        """The row with times as a ledger writes them.

        Raises:
            ValueError: nothing in it can be believed.
        """
        latest = self.written_at + _SKEW_SECONDS
        if not 0 <= self.written_at < _LATEST_TIME or not isinstance(self.intent, str | None):
            raise ValueError("It was never written.")
        slot_times = tuple(sorted(time if 0 <= time <= latest else self.written_at for time in self.slot_times))
        is_next_valid = 0 <= self.next <= latest + LONGEST_WAIT_SECONDS
        valid = replace(self, next=self.next if is_next_valid else self.written_at, slot_times=slot_times)
        return valid if valid == self else replace(valid, is_mended=True)

    def __str__(self) -> str:
        shares = () if self.shares is None else (self.shares.plain(),)
        return json.dumps(
            (self.next, self.intent, self.slot_times, self.written_at, *shares)
        )  # astuple takes ten times as long


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """One process's request for a slot of one service."""

    name: str
    owner: str
    gap: float
    """Seconds between slots."""
    limit: int
    """Slots in any ``limit`` gaps: what the service allows in its window."""
    lane: Lane | None = None
    """None takes no slot."""
    hold: float = 0.0
    """Seconds of a pause that the service asked for."""
    is_lifting: bool = False
    """Whether to forget the service's pause."""
    demand: Mapping[str, int] = field(default_factory=dict)
    """Slots that each subject waits for, or is expected to; empty where there is one subject only."""
    claims: tuple[Claim, ...] = ()
    """Requests that are ready for the slot, the first to go first; without any the slot is for the priority alone."""

    @property
    def window(self) -> float:
        """The service's window in seconds, which never holds more than ``limit`` slots."""
        return self.limit * self.gap

    def narrowed(self, limit: int, hold: float = 0.0) -> "SlotRequest":
        """The request for fewer slots in the same window, and for none in the next ``hold`` seconds."""
        is_lifting = self.is_lifting and not hold
        return replace(self, limit=limit, gap=self.window / limit, hold=max(self.hold, hold), is_lifting=is_lifting)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The reason why a ledger gives no slots, where the service has not asked for a pause."""

    reason: str
    """As in the message of an error, after the service's title."""
    retry_seconds: float
    is_lasting: bool
    """Whether there will be no slot within the time of a call, as far as is known."""

    def refusal(self) -> SlotTooLate:
        """The refusal of a request."""
        return SlotTooLate(self.reason, retry_after_seconds=self.retry_seconds)


class SlotReply(NamedTuple):
    """A ledger's reply: whether the slot is taken, and the seconds until it is worth asking again."""

    is_taken: bool
    wait: float
    shares: Shares | None = None
    claim: int = 0
    """The index of the claim that gets the slot."""
    obstacle: Obstacle | None = None
    """Why there is no slot, if neither the rate nor a pause is the reason."""


def take_slot(row: Row, request: SlotRequest, now: float) -> tuple[Row, SlotReply]:
    """The row after a request, and the reply to the request.

    A slot is taken when it is due, never reserved ahead, so that a process that dies or gives up leaves no hole.
    Among several subjects it goes to the one that has had least; the processes of others leave it that slot, but not
    for long. With one subject, an interactive call that is too early leaves its intent, to the same end.
    Up to half a gap of lateness is caught up, so that the grid holds, but no window ever holds more than ``limit``.
    """
    set_back = max(0.0, row.written_at - now)  # a row from the future: the clock was set back, and the row goes with it
    slot_times = tuple(time - set_back for time in row.slot_times)
    latest = now if request.is_lifting else now + LONGEST_WAIT_SECONDS
    grid = min(max(row.next - set_back, now + request.hold if request.hold else 0.0), latest)
    due = max(grid, slot_times[-request.limit] + request.window) if len(slot_times) >= request.limit else grid
    claims = request.claims or (Claim(("",), BULK_HANDICAP if request.lane == "bulk" else 0.0),)
    ready, shares = _published(row.shares, request, claims, now)
    if request.lane is None or now < due:
        intent = None if shares else row.intent or (request.owner if request.lane == "interactive" else None)
        return Row(grid, intent, slot_times, now, shares), SlotReply(False, max(0.0, due - now), shares)
    late = (now - due) / request.gap
    if shares:
        claim = shares.award(request.owner, ready, late, request.gap)
    else:
        claim = 0 if row.intent in {None, request.owner} or late >= 1 else None
    if claim is None:  # the slot is kept for another process; soon enough to leave the next intent
        return Row(grid, row.intent, slot_times, now, shares), SlotReply(False, request.gap / 16, shares)
    if shares:
        shares = shares.after_award(request.owner, ready, claim, claims[claim].subjects)
    is_idle = now > grid + request.gap
    following = (now if is_idle else max(grid, now - request.gap / 2)) + request.gap
    row = Row(following, None, (*slot_times, now)[-request.limit :], now, shares)
    return row, SlotReply(True, following - now, shares, claim)


def _published(
    shares: Shares | None, request: SlotRequest, claims: tuple[Claim, ...], now: float
) -> tuple[tuple[ReadyRequest, ...], Shares | None]:
    """The claims as other processes see them, and the shares with this process's demand; none with one subject only."""
    if shares is None and not request.demand:
        return (), None
    shares = Shares() if shares is None else shares
    process = shares.process(now, request.demand, claims)
    return process.ready, shares.published(request.owner, process, request.gap)


class Pauses:
    """The pauses that a process has heard of, and carries to a ledger that does not know of them."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._paused_until: dict[str, float] = {}
        self._places: dict[str, Hashable] = {}
        """By service, the ledger whose reply was the last, and which knows of the pause."""

    def seconds(self, name: str) -> float:
        """The seconds that are left of a service's pause."""
        return max(0.0, self._paused_until.get(name, 0.0) - self._clock())

    def note(self, request: SlotRequest) -> None:
        """Remember the pause in a request, whatever becomes of the request; or forget a lifted one."""
        if request.is_lifting:
            self._paused_until.pop(request.name, None)
        elif request.hold:
            until = self._clock() + request.hold
            self._paused_until[request.name] = max(until, self._paused_until.get(request.name, until))
            self._places.pop(request.name, None)

    def carried(self, request: SlotRequest, place: Hashable) -> SlotRequest:
        """The request to the ledger at a place, with the pause that it may not know of."""
        if place == self._places.get(request.name):
            return request
        return replace(request, hold=max(request.hold, self.seconds(request.name)))

    def learn(self, request: SlotRequest, reply: SlotReply, place: Hashable) -> None:
        """Take over the pause from a reply: the service may have asked another process for it, or another lifted it."""
        is_older = not request.hold and place != self._places.get(request.name)  # than a pause noted meanwhile
        if is_older and self.seconds(request.name):
            return
        self._places[request.name] = place
        if not reply.is_taken and reply.wait > _PAUSE_WINDOWS * request.window:
            self._paused_until[request.name] = self._clock() + reply.wait
        else:
            self._paused_until.pop(request.name, None)


_PAUSE_WINDOWS = 1.01  # no slot is further ahead than a window, unless the service asked for a pause


class LedgerLost(Exception):
    """A ledger cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class RedisState:
    """The state of a process towards the Redis that it shares with others."""

    is_ok: bool
    is_ready: bool
    """Whether it may ask services: with Redis, or with a share of a known size."""
    lost_since: float | None
    """By the wall clock; None while Redis answers."""
    fault: str | None
    """The present or last fault of Redis."""
    replicas: int
    """The number of replicas, as far as is known."""
    share: float
    """The part of each service's budget that this replica may take now: 1.0 with Redis, where all take from one."""


class SharedLedger(Protocol):
    """A ledger that machines share. Never lost: it falls back on the process's own."""

    kind: str

    async def join(self) -> None:
        """Return after one first request to the shared place.

        Raises:
            WrongSetting: its URL cannot work, and never did.
        """

    async def take(self, request: SlotRequest) -> SlotReply:
        """The reply to a request; raises as ``join`` does."""

    async def refusal(self, request: SlotRequest) -> SlotTooLate | None:
        """The reason why there can be no slot for now, or None; raises as ``join`` does."""

    def stretch(self, request: SlotRequest) -> float:
        """The factor by which slots are further apart now than their gap."""

    def is_used(self) -> bool:
        """Whether slots come from the shared place now, or have not been asked for yet."""

    async def look(self, request: SlotRequest) -> SlotReply | None:
        """The reply that a request would get; None while the shared place is lost."""

    def share_request(self, request: SlotRequest) -> SlotRequest:
        """The request to this process's own ledger, for its share."""

    def state(self) -> RedisState | None:
        """The state of the shared place; None before the first request to it."""

    def take_notice(self) -> Notice | None:
        """A notice for users, once for each loss."""

    async def aclose(self) -> None:
        """Close connections."""


def mended_notice(services: set[str]) -> Notice:
    """The notice that stored limits of these services were damaged; it is given once."""
    names = ", ".join(sorted(services))
    services.clear()
    return Notice(
        code="LIMIT_MENDED", message=f"The stored rate limit of {names} was damaged; what of it cannot be is left out."
    )


LocalLedger = Callable[[SlotRequest, int], Awaitable[SlotReply]]
"""The reply of this process's own ledger, which that many processes share."""


class LedgerBackend(Protocol):
    """A backend, as registered under ``backends.GROUP``, that has a ledger."""

    def ledger(self, settings: Settings, timing: Timing, folder: Path | None, local: LocalLedger) -> SharedLedger:
        """The ledger at the URL in the settings."""


class MemoryLedger:
    """Rows of this process only. Never lost."""

    kind = "memory"

    def __init__(self, wall_clock: Callable[[], float]) -> None:
        self._wall_clock = wall_clock
        self._rows: dict[str, Row] = {}

    async def take(self, request: SlotRequest) -> SlotReply:
        """The reply to a request."""
        row = self._rows.get(request.name, Row())
        self._rows[request.name], reply = take_slot(row, request, self._wall_clock())
        return reply


class SqliteLedger:
    """Rows of all processes that use one folder.

    A slot is one transaction of some 60 microseconds. It never waits for the lock while the event loop stands still.
    The journal stays in memory and nothing is synced: a crash may cost the file, which holds nothing worth keeping.
    """

    kind = "sqlite"

    def __init__(self, path: Path, timing: Timing) -> None:
        self._path = path
        self._timing = timing
        self._database: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self.openings = 0
        """The number of times that a file was opened: each may be a new one, which knows nothing."""
        self.mended: set[str] = set()
        """Services whose rows were damaged, and are mended."""

    async def take(self, request: SlotRequest) -> SlotReply:
        """The reply to a request.

        Raises:
            LedgerLost: the ledger cannot be used.
        """
        return await self.change(lambda database: self.reply(database, request))

    async def change(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """The result of a change of the file in one transaction, as soon as no other process holds the lock.

        Raises:
            LedgerLost: the ledger cannot be used.
        """
        give_up = self._timing.clock() + _LOCK_PATIENCE_SECONDS
        with self._losses():
            while (result := self._try(change, give_up)) is None:
                await self._timing.sleep(_LOCK_POLL_SECONDS * self._timing.random())
        return result

    def reply(self, database: sqlite3.Connection, request: SlotRequest) -> SlotReply:
        """The reply to a request, within a change."""
        stored = database.execute("SELECT row FROM budget WHERE service = ?", [request.name]).fetchone()
        row = Row.read(stored[0] if stored else None)
        changed, reply = take_slot(row, request, self._timing.wall_clock())
        self.mended |= {request.name} if row.is_mended else set()
        if changed != row or row.is_mended:
            database.execute("REPLACE INTO budget VALUES (?, ?)", [request.name, str(changed)])
        return reply

    def close(self) -> None:
        """Close the file; the next request opens it again."""
        if self._database is not None:
            self._database.close()
        self._database = self._file = None

    def _try(self, change: Callable[[sqlite3.Connection], T], give_up: float) -> T | None:
        """The result of a change; None if another try may succeed: the lock is held, or a damaged file is gone now."""
        try:
            return self._transaction(change)
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
            if code not in _LOCKED | _DAMAGE or self._timing.clock() > give_up:
                raise
            if code in _DAMAGE:
                self.close()
                self._path.unlink(missing_ok=True)
            return None

    def _transaction(self, change: Callable[[sqlite3.Connection], T]) -> T:
        database = self._open()
        database.execute("BEGIN IMMEDIATE")
        with database:
            return change(database)

    def _open(self) -> sqlite3.Connection:
        """The database at our path; opened again if the file there has been replaced or deleted."""
        if self._database is not None and self._file == identity(self._path):
            return self._database
        self.close()
        make_private(self._path)
        self._database = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        for statement in _SCHEMA:
            self._database.execute(statement)
        self._file = identity(self._path)
        self.openings += 1
        return self._database

    @contextmanager
    def _losses(self) -> Iterator[None]:
        """Raise any failure of the disk as LedgerLost."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise LedgerLost(f"the cache folder cannot be used ({error})") from error


_SCHEMA = (
    "PRAGMA synchronous = OFF",
    "PRAGMA journal_mode = MEMORY",  # as fast as WAL here (60 microseconds a slot, a file journal 140), in one file
    "CREATE TABLE IF NOT EXISTS budget (service TEXT PRIMARY KEY, row TEXT NOT NULL)",
)
_PRIMARY_CODE = 0xFF
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}  # the last: not our table
_LOCK_POLL_SECONDS = 0.002
_LOCK_PATIENCE_SECONDS = 5.0  # to fall back on memory would break the limit; a stalled disk does not last that long

LOST_SECONDS = 30.0
"""How long a disk that failed is not tried again."""
_LOOK = SlotRequest("readiness", owner="", gap=1.0, limit=1)
"""Takes no slot, and none of a service."""


class Ledgers:
    """The ledger that machines share if its URL is set, else this machine's disk, else memory: the first that works."""

    _noted_messages: ClassVar[set[str]] = set()
    """Messages that this process has already put into a notice."""

    def __init__(self, settings: Settings, timing: Timing, folder: Path | None) -> None:
        self._settings = settings
        self._timing = timing
        self._folder = folder
        self._shared: SharedLedger | None = None
        self._disk = SqliteLedger(folder / "budgets.sqlite", timing) if folder is not None else None
        self._memory = MemoryLedger(timing.wall_clock)
        self._pauses = Pauses(timing.clock)
        self._lost_until = 0.0
        self._pending_notice: Notice | None = None

    def shared(self) -> SharedLedger | None:
        """The ledger that machines share, opened if need be; None where no URL is set.

        Raises:
            WrongSetting: no backend is registered for the URL.
        """
        if self._shared is None and (url := self._settings[REDIS_URL]):
            backend: LedgerBackend = registered(url)
            self._shared = backend.ledger(self._settings, self._timing, self._folder, self._take_here)
        return self._shared

    async def take(self, request: SlotRequest) -> SlotReply:
        """The reply of the first ledger that works: the shared one, or this process's own.

        Raises:
            WrongSetting: the URL of the shared ledger cannot work, and never did.
        """
        shared = self.shared()
        return await (self._take_here(request) if shared is None else shared.take(request))

    async def change_on_disk(self, change: Callable[[sqlite3.Connection], T]) -> T | None:
        """The result of a change of this machine's ledger; None without a disk that works."""
        if disk := self._usable_disk:
            with self._losing_disk():
                return await disk.change(change)
        return None

    async def refusal(self, request: SlotRequest) -> SlotTooLate | None:
        """The reason why this process may not ask the service at all for now, or None.

        Raises:
            WrongSetting: the URL of the shared ledger cannot work, and never did.
        """
        shared = self.shared()
        return None if shared is None else await shared.refusal(request)

    async def join(self) -> None:
        """Return after one first request to the shared ledger, where its URL is set.

        Raises:
            WrongSetting: it cannot be used as it is set.
        """
        if shared := self.shared():
            await shared.join()

    def stretch(self, request: SlotRequest) -> float:
        """The factor by which slots are further apart than their gap: more than 1 where the shared ledger is lost."""
        return 1.0 if self._shared is None else self._shared.stretch(request)

    async def look(self, request: SlotRequest) -> tuple[str, SlotReply]:
        """The kind of the first ledger that works, and the reply that a request would get, which takes no slot."""
        if shared := self._shared_if_registered():
            with suppress(WrongSetting):
                reply = await shared.look(request)
                if reply is not None:
                    return shared.kind, reply
            request = shared.share_request(request)
        return await self._reply_here(request)

    async def place(self) -> str:
        """The kind of the first ledger that works, after a look at it; a shared one is looked at all the time."""
        if (shared := self._shared_if_registered()) and shared.is_used():
            return shared.kind
        return (await self._reply_here(_LOOK))[0]

    def redis_state(self) -> RedisState | None:
        """The state towards the shared ledger; None without its URL, and before the first request to it."""
        return None if self._shared is None else self._shared.state()

    def take_notice(self) -> Notice | None:
        """A notice about the ledgers for users, once."""
        notice, self._pending_notice = self._pending_notice, None
        if self._disk is not None and self._disk.mended:
            notice = notice or mended_notice(self._disk.mended)
        return notice or (self._shared.take_notice() if self._shared else None)

    async def aclose(self) -> None:
        """Close all ledgers."""
        if self._shared is not None:
            await self._shared.aclose()
        self.abandon()

    def abandon(self) -> None:
        """Close the file of the disk, which needs no event loop."""
        if self._disk is not None:
            self._disk.close()

    def _shared_if_registered(self) -> SharedLedger | None:
        with suppress(WrongSetting):
            return self.shared()
        return None

    async def _take_here(self, request: SlotRequest, processes: int = 1) -> SlotReply:
        return (await self._reply_here(request, processes))[1]

    async def _reply_here(self, request: SlotRequest, processes: int = 1) -> tuple[str, SlotReply]:
        """The disk's reply; of memory only a part of the slots, as each of some processes has a memory of its own."""
        self._pauses.note(request)
        if disk := self._usable_disk:
            with self._losing_disk():
                return disk.kind, await self._disk_reply(disk, request)
        limit = request.limit // processes
        if not limit:
            return self._memory.kind, SlotReply(False, max(request.window, self._pauses.seconds(request.name)))
        request = self._pauses.carried(request, self._memory.kind)
        reply = await self._memory.take(request if processes == 1 else request.narrowed(limit))
        self._pauses.learn(request, reply, self._memory.kind)
        return self._memory.kind, reply

    async def _disk_reply(self, disk: SqliteLedger, request: SlotRequest) -> SlotReply:
        def change(database: sqlite3.Connection) -> tuple[SlotRequest, SlotReply]:
            carried = self._pauses.carried(request, disk.openings)
            return carried, disk.reply(database, carried)

        carried, reply = await disk.change(change)
        self._pauses.learn(carried, reply, disk.openings)
        return reply

    @property
    def _usable_disk(self) -> SqliteLedger | None:
        """The ledger on the disk; None without one, and for a while after it was lost."""
        return self._disk if self._lost_until <= self._timing.clock() else None

    @contextmanager
    def _losing_disk(self) -> Iterator[None]:
        """Go on in memory when the disk is lost."""
        try:
            yield
        except LedgerLost as loss:
            message = f"Rate limits are kept for fewer processes than they should be: {loss}."
            if message not in self._noted_messages:
                self._noted_messages.add(message)
                self._pending_notice = Notice(code="CACHE_IN_MEMORY", message=message)
            self._lost_until = self._timing.clock() + LOST_SECONDS
