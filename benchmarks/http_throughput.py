"""How many calls a server takes over HTTP: a gene that is kept already, beside a tool that does nothing.

``python -m benchmarks.http_throughput [--rounds 15] [--seconds 1] [--json FILE]``. A hundred callers ask one server
after the other, in turns, from a process of their own. ``empty`` is a FastMCP tool that does nothing, served as we
serve ours; ``FastMCP`` is the same tool as FastMCP serves it, without sessions, with JSON for answers, without a log.
A ratio is the median of those of the rounds, of calls in a second of the server's processor time: neighbours on the
machine change that less than calls by the clock, which stand beside it. It comes from /proc, so this wants Linux.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastmcp import FastMCP

from benchmarks.http_load import Load
from benchmarks.report import Result, write_report
from biofact.gateway.hosting import PATH, Hosting, listening_socket, socket_url
from biofact.interfaces import serve

CALLERS = 100
ERAS = ("old", "new")
GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
NOTHING: tuple[str, dict[str, str]] = ("nothing", {})
LISTENING = re.compile(r"biofact: (http://\S+/mcp)")
OURS = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    url: str
    process: int
    call: tuple[str, dict[str, str]]

    def processor_seconds(self) -> float:
        """What it has used, its children included."""
        return sum(map(_processor_seconds, [self.process, *_children(self.process)]))


@dataclass(frozen=True, slots=True)
class Turn:
    """One server's turn."""

    load: Load
    processor_seconds: float

    @property
    def milliseconds(self) -> float:
        """Processor time of a call."""
        return self.processor_seconds / self.load.calls * 1000


def measured(rounds: int = 15, seconds: float = 1.0) -> list[Result]:
    """Both promises, with all servers in one run."""
    with ExitStack() as stack:

        def start(call: tuple[str, dict[str, str]], *command: str) -> Served:
            return stack.enter_context(_listening(call, *command))

        ours, two = start(GENE, *OURS), start(GENE, *OURS, "--workers", "2")
        empty, plain = (
            start(NOTHING, sys.executable, "-m", "benchmarks.http_throughput", name) for name in ("empty", "fastmcp")
        )
        for served in (ours, two, two, two, two, empty, plain):  # each process of two has a cache of its own in memory
            _turn(served, "new", 1.0)
        found = []
        for era in ERAS:
            turns = [[_turn(served, era, seconds) for served in (ours, empty, plain)] for _ in range(rounds)]
            found += _beside_empty(era, turns)
        found += _workers([(_turn(ours, "new", seconds), _turn(two, "new", seconds)) for _ in range(rounds)])
        return found


def _beside_empty(era: str, turns: list[list[Turn]]) -> list[Result]:
    kept, empty, plain = zip(*turns, strict=True)
    note = f"{_described('kept', kept)}; {_described('empty', empty)}; {_described('FastMCP', plain)}"
    return [
        Result(f"a kept gene, {era} era: throughput of an empty tool", _ratio(kept, empty), 0.85, "x", note=note),
        Result(f"a kept gene, {era} era: throughput of FastMCP's own", _ratio(kept, plain), 0.85, "x"),
    ]


def _workers(turns: list[tuple[Turn, Turn]]) -> list[Result]:
    one, two = zip(*turns, strict=True)
    by_clock = statistics.median(b.load.rate / a.load.rate for a, b in turns)
    figure = 2 * statistics.median(a.milliseconds / b.milliseconds for a, b in turns)
    note = f"{by_clock:.2f} by the clock; {_described('one', one)}; {_described('two', two)}"
    return [Result("two processes: throughput of one, a core for each", figure, 1.8, "x", note=note)]


def _ratio(ours: tuple[Turn, ...], others: tuple[Turn, ...]) -> float:
    return statistics.median(b.milliseconds / a.milliseconds for a, b in zip(ours, others, strict=True))


def _described(name: str, turns: tuple[Turn, ...]) -> str:
    rate, cost, p99 = (
        statistics.median(value)
        for value in zip(*((turn.load.rate, turn.milliseconds, turn.load.p99 * 1000) for turn in turns), strict=True)
    )
    return f"{name} {rate:.0f}/s, {cost:.2f} ms of processor, p99 {p99:.0f} ms"


def _turn(served: Served, era: str, seconds: float) -> Turn:
    tool, arguments = served.call
    command = [sys.executable, "-m", "benchmarks.http_load", served.url, era, str(CALLERS), str(seconds)]
    before = served.processor_seconds()
    output = subprocess.run([*command, tool, json.dumps(arguments)], capture_output=True, text=True, check=True).stdout
    used = served.processor_seconds() - before
    seen = Load(**json.loads(output))
    if seen.failures:
        raise ValueError(f"{seen.failures} of {seen.calls} calls of {tool} failed")
    return Turn(seen, used)


@contextmanager
def _listening(call: tuple[str, dict[str, str]], *command: str) -> Iterator[Served]:
    """A server that says on stderr where it listens."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "BIOFACT_CACHE_DIR": folder}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stderr is not None
            try:
                url = next(found[1] for line in server.stderr if (found := LISTENING.search(line)))
                yield Served(url, server.pid, call)
            finally:
                server.terminate()


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()]


def _empty() -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("empty")

    @server.tool
    async def nothing() -> dict[str, Any]:
        return {}

    return server


def _serve_plainly() -> None:
    """The empty tool as FastMCP serves it."""
    app = _empty().http_app(stateless_http=True, json_response=True, host_origin_protection=True)

    listens = listening_socket("127.0.0.1:0")
    print(f"biofact: {socket_url(listens, PATH)}", file=sys.stderr, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listens])


def main() -> int:
    """Measure, or be a server that is measured beside ours."""
    if sys.argv[1:] == ["empty"]:
        serve.serve_http(Hosting("127.0.0.1:0"), _empty)
        return 0
    if sys.argv[1:] == ["fastmcp"]:
        _serve_plainly()
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return write_report(measured(options.rounds, options.seconds), options.json)


if __name__ == "__main__":
    sys.exit(main())
