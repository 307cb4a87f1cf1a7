"""Parts of an answer that come from elsewhere: the answer stands without one that cannot be had, and says so."""

from collections.abc import Awaitable
from typing import TypeVar

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.provenance import Notice, without

T = TypeVar("T")


async def optional_leg(leg: Awaitable[T], name: str) -> tuple[T | None, list[Notice]]:
    """What a leg brings; None, and a LEG_FAILED notice that names it, when its service fails or is too slow."""
    try:
        return await leg, []
    except (RateLimited, UpstreamError) as failure:
        return None, [without(name, failure.message)]
