"""The services of a source as its client asks them: what they refuse is raised as the error that it is."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import urlencode

import orjson

from biofact.core.errors import BiofactError, UpstreamError
from biofact.dialects import json_values
from biofact.transport.service import LIST_SECONDS, Keep, Refused, Request, Service
from biofact.transport.stack import Transport

T = TypeVar("T")

_LONGEST_KEY = 200
ErrorOf = Callable[[Service, Refused], BiofactError]
"""What it means to a caller that a service refused a request."""


class Upstream:
    """The transport as one source uses it. ``title`` names the source in messages.

    Without ``error_of`` no refusal can be helped, and a service says why as ``json_values.judge`` has it.
    """

    def __init__(self, transport: Transport, title: str, error_of: ErrorOf | None = None) -> None:
        self.transport = transport
        self.title = title
        self._error_of = error_of or _refusal_in_json

    async def fetch(self, request: Request, read: Callable[[bytes], T], kind: str, seconds: float = LIST_SECONDS) -> T:
        """What ``read`` makes of the answer, which is kept for ``seconds`` under the whole of the request; ``kind`` as
        in ``Keep``.

        Raises:
            RateLimited, UpstreamError: the service failed and nothing that is kept may stand in.
            BiofactError: the service refused.
        """
        keep = Keep(kind, _key(request), seconds)
        return await self.accepted(request.service, self.transport.fetch(request, read, keep=keep))

    async def accepted(self, service: Service, answer: Awaitable[T]) -> T:
        """The answer.

        Raises:
            BiofactError: the service refused.
        """
        try:
            return await answer
        except Refused as refused:
            raise self._error_of(service, refused) from refused


def _key(request: Request) -> str:
    """The whole of a request; of a long one, such as a list of a thousand IDs, a digest."""
    key = f"{request.quoted_path}?{urlencode(request.params)}"
    if request.json is not None:
        key += f"#{orjson.dumps(request.json).decode()}"
    return key if len(key) <= _LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def _refusal_in_json(service: Service, refused: Refused) -> UpstreamError:
    words = json_values.error_words(refused.answer.body, *json_values.ERROR_NAMES)
    return refusal(service, words, refused)


def refusal(service: Service, words: str | None, refused: Refused) -> UpstreamError:
    """The error of a refusal that nobody can do anything about, in the service's own ``words`` where it has any."""
    reason = words or f"HTTP {refused.answer.status}"
    message = f"{service.title} refused the request: {reason:.200}."
    return UpstreamError(message, hint="Asking again will not help; report it.")
