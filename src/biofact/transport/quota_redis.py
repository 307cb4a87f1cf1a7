"""Counts of quotas in Redis, for all replicas that use it, by its clock."""

import math
from collections.abc import Mapping
from typing import Any

from biofact.transport.quota import STEPS, Charge, charged, step
from biofact.transport.redis_link import RedisLink

_PREFIX = "biofact:quota:"


async def charge_in_redis(link: RedisLink, charge: Charge) -> float:
    """The seconds until a charge fits, as ``charged`` has them.

    It is counted first and taken back where others were quicker, so that nobody waits for a lock or tries again. Who
    is refused at once writes nothing.

    Raises:
        RedisLost: there is no answer. The charge may be counted all the same.
    """
    key = _PREFIX + charge.name

    async def question(client: Any) -> float:
        read = client.pipeline(transaction=False)
        read.time()
        read.hgetall(key)
        (seconds, microseconds), fields = await read.execute()
        now = seconds + microseconds / 1e6
        counts = _counts(fields)
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
        others = _counts(fields)
        others[current] -= charge.amount
        wait = charged(others, charge, now)[1]
        if wait:
            await client.hincrby(key, str(current), -charge.amount)
        return wait

    return await link.ask(question)


def _counts(fields: Mapping[bytes, bytes]) -> dict[int, int]:
    """Counts by step; a field that cannot be read counts as none, as in ``counts_of``."""
    return {int(number): int(amount) for number, amount in fields.items() if _is_whole(number) and _is_whole(amount)}


def _is_whole(text: bytes) -> bool:
    return text.removeprefix(b"-").isdigit()
