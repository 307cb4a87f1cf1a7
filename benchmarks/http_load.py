"""Callers over HTTP in a process of their own, as cheap as they can be: what they cost is not what is measured.

``python -m benchmarks.http_load URL ERA CALLERS SECONDS TOOL ARGUMENTS`` has this many callers ask the same thing again
and again, each on a connection that stays, and prints a ``Load`` as JSON. ``ERA`` is ``old`` or ``new``.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from urllib.parse import SplitResult, urlsplit

VERSIONS = {"old": "2025-11-25", "new": "2026-07-28"}


@dataclass(frozen=True, slots=True)
class Load:
    """The observations of callers, in seconds of the clock; and of what processor time that took them."""

    calls: int
    failures: int
    seconds: float
    median: float
    p99: float
    own_processor_seconds: float

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


def request(url: SplitResult, era: str, tool: str, arguments: dict[str, object], *, token: str = "") -> bytes:
    """A call as it stands on the wire."""
    version = VERSIONS[era]
    params: dict[str, object] = {"name": tool, "arguments": arguments}
    headers = {
        "host": url.netloc,
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
    }
    if era == "new":
        prefix = "io.modelcontextprotocol"
        client = {"name": "load", "version": "1"}
        params["_meta"] = {
            f"{prefix}/protocolVersion": version,
            f"{prefix}/clientInfo": client,
            f"{prefix}/clientCapabilities": {},
        }
        headers |= {"mcp-method": "tools/call", "mcp-name": tool}
    if token:
        headers["authorization"] = f"Bearer {token}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    lines = [f"POST {url.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"content-length: {len(body)}", "", ""]).encode() + body


class Caller(asyncio.Protocol):
    """One connection, and whoever asks on it until ``end``."""

    def __init__(self, message: bytes, end: float) -> None:
        self.latencies: list[float] = []
        self.failures = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._message = message
        self._end = end
        self._received = b""
        self._asked_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the first time."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ask()

    def data_received(self, data: bytes) -> None:
        """Ask again when the answer is whole."""
        self._received += data
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator or len(body) < _length(head):
            return
        now = time.perf_counter()
        self.latencies.append(now - self._asked_at)
        if not head.startswith(b"HTTP/1.1 200") or b'"isError":true' in body or b'"error":{' in body[:40]:
            self.failures += 1
        self._received = b""
        if now < self._end:
            self._ask()
        else:
            self.done.set_result(None)
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """No more answers."""
        if not self.done.done():
            self.done.set_exception(exc or ConnectionError("the server hung up"))

    def _ask(self) -> None:
        self._asked_at = time.perf_counter()
        self._transport.write(self._message)


def _length(head: bytes) -> int:
    """How long the body is; the servers here answer with JSON, and state its length beforehand."""
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


async def load(url: str, era: str, callers: int, seconds: float, call: tuple[str, dict[str, object]]) -> Load:
    """The observations of ``callers`` that ask for ``seconds``."""
    parts = urlsplit(url)
    message = request(parts, era, *call)
    loop = asyncio.get_running_loop()
    start, own_start = time.perf_counter(), time.process_time()
    end = start + seconds
    place = (parts.hostname or "", parts.port or 80)
    callers_at_once = [(await loop.create_connection(lambda: Caller(message, end), *place))[1] for _ in range(callers)]
    await asyncio.gather(*(caller.done for caller in callers_at_once))
    duration = time.perf_counter() - start
    latencies = sorted(latency for caller in callers_at_once for latency in caller.latencies)
    count = len(latencies)
    return Load(
        calls=count,
        failures=sum(caller.failures for caller in callers_at_once),
        seconds=duration,
        median=latencies[count // 2],
        p99=latencies[count * 99 // 100],
        own_processor_seconds=time.process_time() - own_start,
    )


def main() -> int:
    """Ask, and print what came of it."""
    url, era, callers, seconds, tool, arguments = sys.argv[1:]
    result = asyncio.run(load(url, era, int(callers), float(seconds), (tool, json.loads(arguments))))
    print(json.dumps(asdict(result)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
