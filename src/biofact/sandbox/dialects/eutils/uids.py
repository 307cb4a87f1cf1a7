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


def union(left: AbstractSet[str], right: AbstractSet[str]) -> AbstractSet[str]:
    """All of both. Sets that do not change are united once: query after query keeps to the same organisms."""
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return _united(left, right)
    return left | right


@lru_cache(maxsize=16)
def _united(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
    return left | right
