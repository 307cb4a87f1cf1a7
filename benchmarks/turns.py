"""The cost of a slot in this process, with few and with very many who wait for it: virtual time, so all CPU.

``python -m benchmarks.turns [--json FILE]``. Needs neither recordings nor the sandbox.
"""

import asyncio
import sys
import time
from dataclasses import replace

from tests import virtual_time

from benchmarks.report import Result, at_most, run
from biofact.core.call import Call
from biofact.core.settings import Settings
from biofact.dialects.eutils import NCBI
from biofact.transport.turns.budget import GUARD, Budgets

RATE = 10.0
GAP_MILLISECONDS = 1000.0 * GUARD / RATE
SECONDS = 30.0
"""Seconds of virtual time; every caller asks again as soon as it is answered."""

_DEADLINE_SECONDS = 1000.0
_ANSWER_SECONDS = 0.3
_SERVICE = replace(NCBI, per_second=RATE, per_second_with_key=RATE)


def milliseconds_per_slot(callers: int, subjects: int) -> float:
    """CPU time of this process for each slot, while ``callers`` of ``subjects`` wait, each with one request."""
    slot_seconds: list[float] = []

    async def caller(budgets: Budgets, subject: str) -> None:
        while True:
            call = Call(subject=subject, deadline=virtual_time.now() + _DEADLINE_SECONDS)
            async with budgets.slot(_SERVICE, call) as ready:
                await ready()
                slot_seconds.append(time.process_time())
                await asyncio.sleep(_ANSWER_SECONDS)

    async def main() -> None:
        budgets = Budgets(Settings({}), virtual_time.timing(), None)
        names = [f"{number % subjects:016x}" if subjects > 1 else "" for number in range(callers)]
        tasks = [asyncio.create_task(caller(budgets, name)) for name in names]
        await asyncio.sleep(SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await budgets.aclose()

    virtual_time.run(main())
    settled_slots = slot_seconds[len(slot_seconds) // 10 :]  # they have all come by then
    return 1000.0 * (settled_slots[-1] - settled_slots[0]) / (len(settled_slots) - 1)


def measure() -> list[Result]:
    """The promises, measured side by side."""
    single_figure = milliseconds_per_slot(20, 1)
    usual = milliseconds_per_slot(300, 20)
    one_caller, many_callers = milliseconds_per_slot(2000, 1), milliseconds_per_slot(2000, 200)
    return [
        at_most("CPU of a slot, 20 requests of one caller", single_figure, 0.01 * GAP_MILLISECONDS, "ms"),
        at_most("CPU of a slot, 300 requests of 20 callers", usual, 0.03 * GAP_MILLISECONDS, "ms"),
        at_most("CPU of a slot, 2,000 requests of 200 callers", many_callers, 0.15 * GAP_MILLISECONDS, "ms"),
        at_most("200 callers against one, 2,000 requests", many_callers / one_caller, 4.0, "times"),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
