"""How many calls a server takes over HTTP: a gene that is kept already, beside a tool that does nothing.

``python -m benchmarks.http_throughput [--rounds 15] [--seconds 1] [--json FILE]``. A hundred callers ask one server
after the other, in turns, from a process of their own. ``empty`` is a FastMCP tool that does nothing, served as we
serve ours; ``FastMCP`` is the same tool as FastMCP serves it, without sessions, with JSON for answers, without a log.
A ratio is the median of those of the rounds, of calls in a second of the server's processor time: neighbours on the
machine change that less than calls by the clock, which stand beside it. It comes from /proc, so this wants Linux.
"""

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
from benchmarks.report import Result, run
from biofact.gateway.hosting import PATH, Hosting, listening_socket, socket_url
from biofact.interfaces import serve

CALLERS = 100
ERAS = ("old", "new")
GENE = ("entrez_get_gene", {"entrez_id": "NCBIGene:672"})
NO_CALL: tuple[str, dict[str, str]] = ("no_work", {})
LISTENING_LINE = re.compile(r"biofact: (http://\S+/mcp)")
OWN_COMMAND = (sys.executable, "-m", "biofact", "serve", "--sandbox", "--http", "127.0.0.1:0")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs."""

    url: str
    process: int
    call: tuple[str, dict[str, str]]

    def processor_seconds(self) -> float:
        """Processor time used, its children's included."""
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


def measure(rounds: int = 15, seconds: float = 1.0) -> list[Result]:
    """Both promises, with all servers in one run."""
    with ExitStack() as stack:

        def start(call: tuple[str, dict[str, str]], *command: str) -> Server:
            return stack.enter_context(_server(call, *command))

        one_process, two = start(GENE, *OWN_COMMAND), start(GENE, *OWN_COMMAND, "--workers", "2")
        empty, plain = (
            start(NO_CALL, sys.executable, "-m", "benchmarks.http_throughput", name) for name in ("empty", "fastmcp")
        )
        for server in (
            one_process,
            two,
            two,
            two,
            two,
            empty,
            plain,
        ):  # each process of two has a cache of its own in memory
            _turn(server, "new", 1.0)
        all_results = []
        for era in ERAS:
            turns = [[_turn(server, era, seconds) for server in (one_process, empty, plain)] for _ in range(rounds)]
            all_results += _beside_empty(era, turns)
        all_results += _workers(
            [(_turn(one_process, "new", seconds), _turn(two, "new", seconds)) for _ in range(rounds)]
        )
        return all_results


def _beside_empty(era: str, turns: list[list[Turn]]) -> list[Result]:
    own_turns, empty, plain = zip(*turns, strict=True)
    note = f"{_turns_note('kept', own_turns)}; {_turns_note('empty', empty)}; {_turns_note('FastMCP', plain)}"
    return [
        Result(f"a kept gene, {era} era: throughput of an empty tool", _ratio(own_turns, empty), 0.85, "x", note=note),
        Result(f"a kept gene, {era} era: throughput of FastMCP's own", _ratio(own_turns, plain), 0.85, "x"),
    ]


def _workers(turns: list[tuple[Turn, Turn]]) -> list[Result]:
    one_process, two = zip(*turns, strict=True)
    by_clock = statistics.median(b.load.rate / a.load.rate for a, b in turns)
    figure = 2 * statistics.median(a.milliseconds / b.milliseconds for a, b in turns)
    note = f"{by_clock:.2f} by the clock; {_turns_note('one', one_process)}; {_turns_note('two', two)}"
    return [Result("two processes: throughput of one, a core for each", figure, 1.8, "x", note=note)]


def _ratio(own_turns: tuple[Turn, ...], other_turns: tuple[Turn, ...]) -> float:
    return statistics.median(b.milliseconds / a.milliseconds for a, b in zip(own_turns, other_turns, strict=True))


def _turns_note(name: str, turns: tuple[Turn, ...]) -> str:
    rate, cost, p99 = (
        statistics.median(value)
        for value in zip(*((turn.load.rate, turn.milliseconds, turn.load.p99 * 1000) for turn in turns), strict=True)
    )
    return f"{name} {rate:.0f}/s, {cost:.2f} ms of processor, p99 {p99:.0f} ms"


def _turn(server: Server, era: str, seconds: float) -> Turn:
    tool, arguments = server.call
    command = [sys.executable, "-m", "benchmarks.http_load", server.url, era, str(CALLERS), str(seconds)]
    before = server.processor_seconds()
    output = subprocess.run([*command, tool, json.dumps(arguments)], capture_output=True, text=True, check=True).stdout
    used = server.processor_seconds() - before
    load = Load(**json.loads(output))
    if load.failures:
        raise ValueError(f"{load.failures} of {load.calls} calls of {tool} failed")
    return Turn(load, used)


@contextmanager
def _server(call: tuple[str, dict[str, str]], *command: str) -> Iterator[Server]:
    """A server that says on stderr where it listens."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "BIOFACT_CACHE_DIR": folder}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stderr is not None
            try:
                url = next(match[1] for line in server.stderr if (match := LISTENING_LINE.search(line)))
                yield Server(url, server.pid, call)
            finally:
                server.terminate()


def _processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()]


def _empty() -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("empty")

    @server.tool
    async def no_work() -> dict[str, Any]:
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
    return run(measure, __doc__)


if __name__ == "__main__":
    sys.exit(main())
