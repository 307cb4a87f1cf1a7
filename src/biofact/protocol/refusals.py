"""What it means to a caller that a service refused a request."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from biofact.core.errors import BiofactError, UpstreamError
from biofact.transport.service import Refused, Service

T = TypeVar("T")


async def accepted(answer: Awaitable[T], error_of: Callable[[Refused], BiofactError]) -> T:
    """The answer.

    Raises:
        BiofactError: the service refused; ``error_of`` says what that means.
    """
    try:
        return await answer
    except Refused as refused:
        raise error_of(refused) from refused


def refusal(service: Service, words: str | None, refused: Refused) -> UpstreamError:
    """The error of a refusal that nobody can do anything about, in the service's own ``words`` where it has any."""
    reason = words or f"HTTP {refused.answer.status}"
    message = f"{service.title} refused the request: {reason:.200}."
    return UpstreamError(message, hint="Asking again will not help; report it.")
