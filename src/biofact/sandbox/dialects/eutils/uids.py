"""UIDs in their order, and as a set."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache


class Uids(list[str]):
    """UIDs that are looked up again and again: 200,000 of them need not be put into a set each time."""

    @cached_property
    def members(self) -> frozenset[str]:
        """All of them, in no order."""
        return frozenset(self)


def members(uids: Sequence[str] | None) -> AbstractSet[str]:
    """The UIDs without their order; none for None."""
    return uids.members if isinstance(uids, Uids) else set(uids or ())


def union(first: AbstractSet[str], second: AbstractSet[str]) -> AbstractSet[str]:
    """All of both. Sets that do not change are united once: query after query keeps to the same organisms."""
    if isinstance(first, frozenset) and isinstance(second, frozenset):
        return _united(first, second)
    return first | second


@lru_cache(maxsize=16)
def _united(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return first | second
