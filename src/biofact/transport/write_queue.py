"""What waits to be written to a store. Shared by the event loop, which reads it too, and the thread that writes."""

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from biofact.transport.store import Entry


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entry on its way to the disk."""

    entry: Entry
    used_at: float


class WriteQueue:
    """What waits for the writer, bounded by those who fill it. Its lock is held for moments only."""

    def __init__(self) -> None:
        self.bytes = 0
        self.drained: Future[None] | None = None
        """Until nothing waits; None when there is no writer."""
        self._entries: dict[bytes, Waiting] = {}
        self._uses: dict[bytes, float] = {}
        self._lock = threading.Lock()

    def find(self, key: bytes) -> Waiting | None:
        """What waits under a key."""
        return self._entries.get(key)

    def all(self) -> dict[bytes, Entry]:
        """Every entry that is not known to be stored."""
        with self._lock:
            return {key: waiting.entry for key, waiting in self._entries.items()}

    def add(self, entries: Mapping[bytes, Entry], now: float) -> bool:
        """Have entries wait, in place of others under their keys; whether a writer has to be started."""
        with self._lock:
            for key, entry in entries.items():
                self._drop(key)
                self._entries[key] = Waiting(entry, now)
                self.bytes += entry.weight
            return self._needs_writer()

    def add_use(self, key: bytes, now: float) -> bool:
        """Have it noted that an entry was used; whether a writer has to be started."""
        with self._lock:
            self._uses[key] = now
            return self._needs_writer()

    def some(self, most: int, most_bytes: int) -> tuple[dict[bytes, Waiting], dict[bytes, float]]:
        """As many entries as one transaction takes, which go on waiting; and all uses."""
        chosen: dict[bytes, Waiting] = {}
        room = most_bytes
        with self._lock:
            for key, waiting in self._entries.items():
                if room <= 0 or len(chosen) == most:
                    break
                chosen[key] = waiting
                room -= waiting.entry.weight
            uses, self._uses = self._uses, {}
        return chosen, uses

    def remove(self, stored: Mapping[bytes, Waiting]) -> None:
        """These are stored, and wait no more, unless newer ones have taken their places."""
        with self._lock:
            for key, waiting in stored.items():
                if self._entries.get(key) is waiting:
                    self._drop(key)

    def clear(self) -> int:
        """Forget everything; returns how many entries that was."""
        with self._lock:
            count = len(self._entries)
            self._entries.clear()
            self._uses.clear()
            self.bytes = 0
        return count

    def end(self, *, even_if_some_wait: bool = False) -> bool:
        """Let the writer go, if nothing waits; whether it goes."""
        with self._lock:
            if (self._entries or self._uses) and not even_if_some_wait:
                return False
            drained, self.drained = self.drained, None
        if drained is not None:
            drained.set_result(None)
        return True

    def _needs_writer(self) -> bool:
        if self.drained is not None:
            return False
        self.drained = Future()
        self.drained.set_running_or_notify_cancel()  # whoever stops waiting does not stop the writer
        return True

    def _drop(self, key: bytes) -> None:
        if waiting := self._entries.pop(key, None):
            self.bytes -= waiting.entry.weight
