"""A sandbox in a process of its own, so that a benchmark measures the client alone."""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from biofact.sandbox.faults import Fault
from biofact.sandbox.latency import Latency
from biofact.sandbox.recordings import Era
from biofact.sandbox.sandbox import serve

_PROGRAM = "from biofact.sandbox.process import main; main()"


class SandboxProcess:
    """``with SandboxProcess() as sandbox``: like ``Sandbox``, steered over its control paths.

    It ends with the process that started it, even one that is killed.
    """

    def __init__(
        self,
        *,
        recordings: Path | None = None,
        era: Era | None = None,
        rate_factor: float = 1.0,
        latency: Latency | None = None,
        is_lenient: bool = False,
    ) -> None:
        self._options = {
            "recordings": str(recordings) if recordings else None,
            "era": era,
            "rate_factor": rate_factor,
            "latency": [dict(latency.seconds), latency.jitter_seconds] if latency else None,
            "is_lenient": is_lenient,
        }
        self._environment: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-c", _PROGRAM, json.dumps(self._options)]
        self._process = subprocess.Popen(  # noqa: S603  # our own
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=environment
        )
        assert self._process.stdout is not None  # noqa: S101  # a pipe was asked for
        for line in self._process.stdout:
            if line.startswith("#"):
                return self
            name, _, value = line.removeprefix("export ").strip().partition("=")
            self._environment[name] = value
        self.__exit__()
        raise RuntimeError("The sandbox ended before it listened; its error stands above.")

    def __exit__(self, *_: object) -> None:
        if self._process is None:
            return
        self._process.terminate()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

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
        """What was asked so far, as in ``Asked``."""
        requests: list[dict[str, Any]] = self._control("GET", "requests")["requests"]
        return requests

    def forget_requests(self) -> None:
        """Begin to count anew."""
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


def main() -> None:
    """What the process runs: ``serve`` with the options of its one argument, until its standard input ends."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    options: Mapping[str, Any] = json.loads(sys.argv[1])
    latency = Latency(options["latency"][0], tuple(options["latency"][1])) if options["latency"] else None
    recordings = Path(options["recordings"]) if options["recordings"] else None
    serving = serve(
        recordings=recordings,
        era=options["era"],
        rate_factor=options["rate_factor"],
        latency=latency,
        is_lenient=options["is_lenient"],
    )
    try:
        asyncio.run(serving)
    except KeyboardInterrupt:
        sys.exit(130)


def _end_with_input() -> None:
    """Leave when the other end of the pipe has gone, which only the process that started this one holds."""
    sys.stdin.buffer.read()
    os._exit(0)  # nothing is kept
