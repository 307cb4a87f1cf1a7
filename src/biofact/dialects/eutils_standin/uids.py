"""UIDs in their order, and as a set."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property


class Uids(tuple[str, ...]):  # noqa: SLOT001  # what is cached needs a dictionary
    """UIDs that are looked up again and again: 200,000 of them need not be put into a set each time."""

    @cached_property
    def members(self) -> frozenset[str]:
        """All of them, in no order."""
        return frozenset(self)


def members(uids: Sequence[str] | None) -> AbstractSet[str]:
    """The UIDs without their order; none for None."""
    return uids.members if isinstance(uids, Uids) else set(uids or ())
