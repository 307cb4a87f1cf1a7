"""What every engine does: shards in, their ends out, in any order."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Protocol

from biofact.corpus.shard_run import ShardEnd

IN_FLIGHT = 2
"""Shards a worker: the next is at hand when one ends, and no more are lost with it."""


class ShardLost(Exception):
    """Whoever did a shard is gone; nobody knows whether the shard was why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


class Engine(Protocol):
    """Does shards of one folder side by side."""

    workers: int

    def ends(self, folder: Path, numbers: Sequence[int]) -> AsyncIterator[ShardEnd | ShardLost]:
        """How each of these shards ends, as it does. Nothing but counts comes back from a worker.

        Raises:
            WriteFailed: the system refuses a write; shards under way may not be done.
        """
