"""How much of a processor some work takes: another program's share does not count, and a stop does not."""

import time
from collections.abc import Callable

_TRIES = 3


def least_seconds(work: Callable[[], object], enough: float) -> float:
    """Seconds of processor, the least of three tries unless one is below ``enough`` before: the first may load modules
    and compile patterns, and beside a busy program the same work takes up to twice as long.
    """
    seconds = float("inf")
    for _ in range(_TRIES):
        start = time.process_time()
        work()
        seconds = min(seconds, time.process_time() - start)
        if seconds < enough:
            break
    return seconds
