"""The sandbox's own paths, which set faults and list requests; a sandbox in a process of its own, steered by them."""

import asyncio
import http.client
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from biofact.sandbox.faults import LEAK_PATH, Fault, Faults, Latency, read_faults
from biofact.sandbox.recordings import Era
from biofact.sandbox.server import Incoming, Outgoing, Pipe
from biofact.sandbox.sizes import Sizes

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
    """Status of the answer; 0 if the connection was closed without one."""
    at: float
    """Arrival time: seconds on the sandbox's clock."""


class Control:
    """``POST``, ``GET``, ``DELETE`` of ``/sandbox/faults``; ``GET``, ``DELETE`` of ``/sandbox/requests``."""

    def __init__(self, faults: Faults, requests: list[LoggedRequest], pipes: Mapping[str, Pipe]) -> None:
        self._faults = faults
        self._requests = requests
        self._pipes = pipes
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
        if answer is None:
            return Outgoing(f"There is: {', '.join(self._answers)}.".encode(), status=404)
        return answer(request.body)

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
        requests = [asdict(request) for request in self._requests]
        sent_bytes = {service: pipe.sent_bytes for service, pipe in self._pipes.items()}
        return _json_reply({"counts": counts, "sent_bytes": sent_bytes, "requests": requests})

    def _forget_requests(self, _body: bytes) -> Outgoing:
        self._requests.clear()
        for pipe in self._pipes.values():
            pipe.sent_bytes = 0
        return self._list_requests()

    def _leak(self, _body: bytes) -> Outgoing:
        """The target of an external entity; a fetch of it is logged among the requests."""
        self._requests.append(LoggedRequest("", LEAK_PATH, (), 200, asyncio.get_running_loop().time()))
        return Outgoing(b"<!-- fetched -->", "text/xml; charset=UTF-8")


def _json_reply(content: object) -> Outgoing:
    return Outgoing(json.dumps(content).encode(), "application/json")


_PROGRAM = "from biofact.sandbox.sandbox import main; main()"


class SandboxProcess:
    """``with SandboxProcess() as sandbox``: like ``Sandbox``, steered over its control paths.

    It ends with the process that started it, even one that is killed.
    """

    def __init__(  # noqa: PLR0913  # options, by keyword only
        self,
        *,
        recordings: Path | None = None,
        era: Era | None = None,
        rate_factor: float = 1.0,
        latency: Latency | None = None,
        is_lenient: bool = False,
        sizes: Sizes = "starter",
        bytes_per_second: float | None = None,
        first_byte_seconds: Mapping[str, float] | None = None,
    ) -> None:
        self._options = {
            "recordings": str(recordings) if recordings else None,
            "era": era,
            "rate_factor": rate_factor,
            "latency": [dict(latency.seconds), latency.jitter_seconds] if latency else None,
            "is_lenient": is_lenient,
            "sizes": sizes,
            "bytes_per_second": bytes_per_second,
            "first_byte_seconds": dict(first_byte_seconds or {}),
        }
        self._environment: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        # This process's own biofact, wherever it lies.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-c", _PROGRAM, json.dumps(self._options)]
        self._process = subprocess.Popen(  # noqa: S603  # our own
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=environment
        )
        assert self._process.stdout is not None  # noqa: S101  # a pipe was asked for
        for line in self._process.stdout:
            if line.startswith("#"):  # the line that serve writes when it listens
                return self
            name, _, value = line.removeprefix("export ").strip().partition("=")
            self._environment[name] = value
        self.__exit__()  # or it would stay a zombie
        raise RuntimeError("The sandbox ended before it listened; its error stands above.")

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            with self._process:  # closes the pipes, and waits for its end
                pass

    def environment(self) -> dict[str, str]:
        """The settings that point clients at the sandbox."""
        return dict(self._environment)

    @property
    def url(self) -> str:
        """The sandbox's own address."""
        parts = urlsplit(next(iter(self._environment.values())))
        return f"{parts.scheme}://{parts.netloc}"

    def set_faults(self, *faults: Fault) -> None:
        """Add faults behind those that are set."""
        self._control("POST", "faults", [fault.to_json() for fault in faults])

    def clear_faults(self) -> None:
        """Remove all faults."""
        self._control("DELETE", "faults")

    def requests(self) -> list[dict[str, Any]]:
        """Requests so far, each with the fields of ``LoggedRequest``."""
        requests: list[dict[str, Any]] = self._control("GET", "requests")["requests"]
        return requests

    def sent_bytes(self) -> dict[str, int]:
        """Bytes of bodies on the wire so far, by service."""
        sent_bytes: dict[str, int] = self._control("GET", "requests")["sent_bytes"]
        return sent_bytes

    def forget_requests(self) -> None:
        """Clear the list of requests, and the counts of bytes."""
        self._control("DELETE", "requests")

    def _control(self, method: str, name: str, content: object = None) -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc)
        try:
            connection.request(method, f"/sandbox/{name}", body=json.dumps(content) if content is not None else None)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status >= http.client.BAD_REQUEST:
            raise ValueError(body.decode())
        return json.loads(body)
