"""The ledger of all replicas that use one Redis: the rows that they share there."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

from biofact.transport.membership import KEY, SINCE
from biofact.transport.quota import Charge
from biofact.transport.quota_redis import charge_in_redis
from biofact.transport.redis_link import RedisLink, RedisLost, losses
from biofact.transport.timing import Timing
from biofact.transport.turns.ledgers import LONGEST_WAIT_SECONDS, Row, SlotRequest, Turn, turn

Allowance = Callable[[float, int, float], int]
"""How many of ``most`` slots in a window may be taken together, at a time of Redis's."""


class RedisLedger:
    """Rows of all replicas that use one Redis, by its clock. Optimistic: who was overtaken reads again."""

    kind = "redis"

    def __init__(self, link: RedisLink, timing: Timing) -> None:
        self._link = link
        self._clock = timing.clock
        self._seen: dict[str, Row] = {}
        """Each row as this process last knew it to be."""
        self._late_turns = 0

    async def turn(self, ask: SlotRequest, allowance: Allowance) -> Turn:
        """What ``ask`` gets of what is allowed.

        Raises:
            RedisLost: Redis does not answer, or so slowly that slots are over when they are known to be ours. One that
                was taken all the same is not used.
        """
        read_at = 0.0

        async def transaction(pipe: Any) -> tuple[Turn, Row | None]:
            nonlocal read_at
            stored = await pipe.get(_PREFIX + ask.name)
            since = await pipe.hget(KEY, SINCE) if stored is None else None
            read_at = self._clock()
            time = _seconds(await pipe.time())
            most = allowance(time, ask.most, _window(ask))
            if not most:
                return Turn(False, _window(ask) / 4), None
            row, hold = self._recovered(ask, stored, since, time)
            changed, result = turn(row, _narrowed(ask, most, hold), time)
            if changed == row:
                return result, row
            changed = replace(changed, taken=_as_many_as(row, changed, ask.most)) if result.is_taken else changed
            pipe.multi()
            pipe.set(_PREFIX + ask.name, str(changed), ex=int(2 * LONGEST_WAIT_SECONDS))
            return result, changed

        async def question(client: Any) -> tuple[Turn, Row | None]:
            answer: tuple[Turn, Row | None] = await client.transaction(
                transaction, _PREFIX + ask.name, value_from_callable=True
            )
            return answer

        result, row = await self._link.ask(question)
        if row is not None:
            self._seen[ask.name] = row
        return self._in_time(result, ask, self._clock() - read_at)

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge of a quota fits; 0.0 where it is counted.

        Raises:
            RedisLost: Redis does not answer.
        """
        return await charge_in_redis(self._link, charge)

    def peek(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get; waits for Redis.

        Raises:
            RedisLost: Redis does not answer.
        """
        with losses(), closing(self._link.waiting_client()) as client:
            row = Row.read(client.get(_PREFIX + ask.name))
            return turn(row, ask, _seconds(client.time()))[1]

    async def look(self, ask: SlotRequest) -> Turn:
        """What ``ask`` would get, as ``peek`` has it, while others go on.

        Raises:
            RedisLost: Redis does not answer.
        """

        async def question(client: Any) -> tuple[bytes | None, tuple[int, int]]:
            return await client.get(_PREFIX + ask.name), await client.time()

        stored, time = await self._link.ask(question)
        return turn(Row.read(stored), ask, _seconds(time))[1]

    def paused_seconds(self, name: str, time: float) -> float:
        """How far ahead the next slot was in the row that was last seen."""
        return max(0.0, self._seen[name].next - time) if name in self._seen else 0.0

    def _recovered(self, ask: SlotRequest, stored: bytes | None, since: bytes | None, time: float) -> tuple[Row, float]:
        """The row as it is or was known last, and the seconds until there may be a slot. Where Redis lost the row, or
        what was written last, nobody knows who took what since: then a window has to pass.
        """
        row, seen = Row.read(stored), self._seen.get(ask.name, Row())
        doubtful_at = 0.0
        if stored is None:
            doubtful_at = time if seen.written + _window(ask) > time else _emptied_at(since, time)
        elif seen.written > row.written:
            doubtful_at = time
        return max(row, seen, key=lambda each: each.written), max(0.0, doubtful_at + _window(ask) - time)

    def _in_time(self, result: Turn, ask: SlotRequest, seconds: float) -> Turn:
        """The turn, unless its slot was taken so long ago that its use would come too close to later ones."""
        if not result.is_taken or seconds <= max(_window(ask) / 16, _CLOCK_SECONDS):
            self._late_turns = 0 if result.is_taken else self._late_turns
            return result
        self._late_turns += 1
        if self._late_turns < _MOST_LATE_TURNS:
            return result._replace(is_taken=False)
        self._late_turns = 0
        raise RedisLost("it answers too slowly to share a rate", "slow")


def _window(ask: SlotRequest) -> float:
    return ask.most * ask.gap


def _narrowed(ask: SlotRequest, most: int, hold: float) -> SlotRequest:
    """The request for fewer slots in a window, and none for some seconds."""
    is_lifting = ask.is_lifting and not hold
    return replace(ask, most=most, gap=_window(ask) / most, hold=max(ask.hold, hold), is_lifting=is_lifting)


def _as_many_as(before: Row, after: Row, most: int) -> tuple[Any, ...]:
    """The slots taken in a row, as many as whoever may take most has to see."""
    cut = len(before.taken) + 1 - len(after.taken)
    return (*before.taken[:cut], *after.taken)[-most:]


def _emptied_at(mark: bytes | str | None, time: float) -> float:
    """When Redis was emptied: now, where nothing marks it."""
    text = mark.decode() if isinstance(mark, bytes) else mark or ""
    try:
        return float(text.partition(" ")[0])
    except ValueError:
        return time


def _seconds(time: tuple[int, int]) -> float:
    seconds, microseconds = time
    return seconds + microseconds / 1e6


_CLOCK_SECONDS = 0.02
_MOST_LATE_TURNS = 4
_PREFIX = "biofact:budget:"
