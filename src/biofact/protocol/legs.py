"""Parts of an answer that come from elsewhere: the answer stands without one that cannot be had, and says so."""

from collections.abc import Awaitable
from typing import TypeVar

from biofact.core.errors import BiofactError, RateLimited, UpstreamError
from biofact.core.records import Notice, missing_part

T = TypeVar("T")


async def optional_leg(
    leg: Awaitable[T], name: str, *, failures: tuple[type[BiofactError], ...] = (RateLimited, UpstreamError)
) -> tuple[T | None, list[Notice]]:
    """What a leg brings; None, and a LEG_FAILED notice that names it, when its service fails or is too slow.

    ``failures`` are what counts as such: a leg whose question nobody but us has written may be refused, too.
    """
    try:
        return await leg, []
    except failures as failure:
        return None, [missing_part(name, failure.message)]
