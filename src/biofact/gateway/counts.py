"""Counts of what each caller uses: one rule, and the places that keep counts: memory, the disk, Redis."""

import json
import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from biofact.gateway.link import RedisLink, seconds_of
from biofact.transport.quotas import STEPS, step

_MOST = 10**15
Counts = Mapping[int, int]
"""Amounts used, by the number of the step since the epoch."""


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount that a caller uses, or wants to use."""

    name: str
    """The kind of quota and the caller."""
    amount: int
    """0 asks whether anything is left."""
    limit: int
    """The bound in any window."""
    window: float
    """In seconds."""
    is_used: bool = False
    """Used already: it counts in any case, and cannot be refused."""

    @property
    def lasting_seconds(self) -> float:
        """The seconds for which a count matters, from its first use on."""
        return self.window + self.window / STEPS


def charged(counts: Counts, charge: Charge, now: float) -> tuple[dict[int, int], float]:
    """The counts after a charge, and the seconds until it fits: 0.0 if counted, infinite if more than a whole quota.

    No window ever holds more than ``limit``, except by charges that were used already. A refused charge counts nothing.
    Counts that cannot be are damaged, and left out.
    """
    current = step(now, charge.window)
    live: dict[int, int] = {}
    for number, amount in counts.items():
        if current - number <= STEPS and 0 < amount <= _MOST:
            step_number = min(number, current)  # from the future if the clock was set back: the count goes with it
            live[step_number] = live.get(step_number, 0) + amount
    wait = 0.0 if charge.is_used else _wait(live, charge, now)
    if not wait and charge.amount:
        live[current] = live.get(current, 0) + charge.amount
    return live, wait


def _wait(live: Counts, charge: Charge, now: float) -> float:
    """Seconds until enough of the counted amounts have run out."""
    excess = sum(live.values()) + max(charge.amount, 1) - charge.limit
    if excess <= 0:
        return 0.0
    for number, amount in sorted(live.items()):
        excess -= amount
        if excess <= 0:
            return (number + STEPS + 1) * charge.window / STEPS - now
    return math.inf


def counts_of(text: str | bytes | None) -> dict[int, int]:
    """The counts in a ledger's JSON; none if the text cannot be read, damaged or of another release."""
    try:
        return {int(number): int(amount) for number, amount in json.loads(text or "{}").items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return {}


class MemoryCounts:
    """Counts of this process only."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[dict[int, int], float]] = {}
        """By name, the counts and the time until which they matter."""

    def charge(self, charge: Charge, now: float) -> float:
        """The seconds until a charge fits, by the rule of ``charged``."""
        if charge.name not in self._counts:
            self._counts = {name: entry for name, entry in self._counts.items() if entry[1] > now}
        counts, wait = charged(self._counts.get(charge.name, ({}, 0.0))[0], charge, now)
        if not wait and charge.amount:
            self._counts[charge.name] = counts, now + charge.lasting_seconds
        return wait


_TABLE = "CREATE TABLE IF NOT EXISTS quota (name TEXT PRIMARY KEY, counts TEXT NOT NULL, until REAL NOT NULL)"


def charge_in_sqlite(database: sqlite3.Connection, charge: Charge, now: float) -> float:
    """The seconds until a charge fits, by the rule of ``charged``; within a transaction of the caller's."""
    database.execute(_TABLE)
    stored = database.execute("SELECT counts FROM quota WHERE name = ?", [charge.name]).fetchone()
    if stored is None:  # one more row: drop those that matter no more
        database.execute("DELETE FROM quota WHERE until < ?", [now])
    before = counts_of(stored[0] if stored else None)
    counts, wait = charged(before, charge, now)
    is_ahead = max(before, default=0) > step(now, charge.window)  # written at once, or it would stay ahead for ever
    if is_ahead or (not wait and charge.amount):
        row = (charge.name, json.dumps(counts), now + charge.lasting_seconds)
        database.execute("REPLACE INTO quota VALUES (?, ?, ?)", row)
    return wait


_PREFIX = "biofact:quota:"


async def charge_in_redis(link: RedisLink, charge: Charge) -> float:
    """The seconds until a charge fits, by the rule of ``charged``.

    The charge is counted first and taken back if other replicas were quicker, so that no call waits for a lock or tries
    again. A charge that is refused at once writes nothing.

    Raises:
        RedisLost: there is no answer. The charge may be counted all the same.
    """
    key = _PREFIX + charge.name

    async def question(client: Any) -> float:
        head = client.pipeline(transaction=False)
        head.time()
        head.hgetall(key)
        time, fields = await head.execute()
        now, counts = seconds_of(time), _counts(fields)
        wait = charged(counts, charge, now)[1]
        if wait or not charge.amount:
            return wait
        current = step(now, charge.window)
        write = client.pipeline(transaction=True)
        write.hincrby(key, str(current), charge.amount)
        for number in counts:
            if current - number > STEPS:
                write.hdel(key, str(number))
        write.expire(key, math.ceil(charge.lasting_seconds))
        write.hgetall(key)
        *_, fields = await write.execute()
        other_counts = _counts(fields)
        other_counts[current] -= charge.amount  # the charge itself is in the counts by now
        wait = charged(other_counts, charge, now)[1]
        if wait:
            await client.hincrby(key, str(current), -charge.amount)
        return wait

    return await link.ask(question)


def _counts(fields: Mapping[bytes, bytes]) -> dict[int, int]:
    """Counts by step; a field that cannot be read counts as none, as in ``counts_of``."""
    return {int(number): int(amount) for number, amount in fields.items() if _is_whole(number) and _is_whole(amount)}


def _is_whole(text: bytes) -> bool:
    return text.removeprefix(b"-").isdigit()
