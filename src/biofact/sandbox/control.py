"""The sandbox's own paths: faults to set, and requests to look at, for a process that steers it from outside."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass

from biofact.sandbox.faults import LEAK_PATH, Faults, read_faults
from biofact.sandbox.server import Incoming, Outgoing

PREFIX = "/sandbox/"


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request as the sandbox saw it, without its secrets."""

    service: str
    """Empty for a path of no service."""
    path: str
    """Below the service's base URL."""
    params: tuple[tuple[str, str], ...]
    status: int
    """As answered; 0 when the connection was closed without an answer."""
    at: float
    """When it arrived: seconds on the sandbox's clock."""


class Control:
    """``POST``, ``GET``, ``DELETE`` of ``/sandbox/faults``; ``GET``, ``DELETE`` of ``/sandbox/requests``."""

    def __init__(self, faults: Faults, requests: list[LoggedRequest]) -> None:
        self._faults = faults
        self._requests = requests
        self._answers: dict[str, Callable[[bytes], Outgoing]] = {
            "POST /sandbox/faults": self._set_faults,
            "GET /sandbox/faults": self._list_faults,
            "DELETE /sandbox/faults": self._clear_faults,
            "GET /sandbox/requests": self._list_requests,
            "DELETE /sandbox/requests": self._forget_requests,
            f"GET {LEAK_PATH}": self._leak,
        }

    def respond(self, request: Incoming) -> Outgoing:
        """The answer to a request of the sandbox's own."""
        answer = self._answers.get(f"{request.method} {request.target.partition('?')[0]}")
        return (
            answer(request.body) if answer else Outgoing(f"There is: {', '.join(self._answers)}.".encode(), status=404)
        )

    def _set_faults(self, body: bytes) -> Outgoing:
        try:
            faults = read_faults(body)
        except ValueError as error:
            return Outgoing(str(error).encode(), status=400)
        self._faults.set(*faults)
        return _json_reply([fault.to_json() for fault in faults])

    def _list_faults(self, _body: bytes = b"") -> Outgoing:
        return _json_reply([fault.to_json() for fault in self._faults.all()])

    def _clear_faults(self, _body: bytes) -> Outgoing:
        self._faults.clear()
        return self._list_faults()

    def _list_requests(self, _body: bytes = b"") -> Outgoing:
        counts = Counter(request.path for request in self._requests)
        return _json_reply({"counts": counts, "requests": [asdict(request) for request in self._requests]})

    def _forget_requests(self, _body: bytes) -> Outgoing:
        self._requests.clear()
        return self._list_requests()

    def _leak(self, _body: bytes) -> Outgoing:
        """What an external entity refers to; that it was fetched stands among the requests."""
        self._requests.append(LoggedRequest("", LEAK_PATH, (), 200, asyncio.get_running_loop().time()))
        return Outgoing(b"<!-- fetched -->", "text/xml; charset=UTF-8")


def _json_reply(content: object) -> Outgoing:
    return Outgoing(json.dumps(content).encode(), "application/json")
