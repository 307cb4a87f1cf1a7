"""How long a client waits for the tools, and a person for the version: ours beside the plain thing, spawned in turns.

    python -m benchmarks.startup [--runs 15] [--json FILE]

Each server is a process of its own that is asked over stdio, from the spawn to the answer. The plain one has as many
tools, small ones; the empty one has none. Ratios are of the two runs of one round, and the figure is their median.
All write and read bytecode, as installed packages do.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.report import Result, at_most, run

TOOLS = 33
Command = tuple[str, ...]
OWN_COMMAND: Command = (sys.executable, "-m", "biofact", "serve")
EMPTY: Command = (
    sys.executable,
    "-c",
    "from fastmcp import FastMCP; FastMCP('empty').run('stdio', show_banner=False, log_level='WARNING')",
)
PLAIN: Command = (
    sys.executable,
    "-c",
    f"""
from fastmcp import FastMCP
server = FastMCP('plain')
def made(number):
    def find(query: str, limit: int = 50, slim: bool = False) -> dict:
        'Find things by words.'
        return {{}}
    find.__name__ = f'find_{{number}}'
    return find
for number in range({TOOLS}):
    server.tool(made(number))
server.run('stdio', show_banner=False, log_level='WARNING')
""",
)
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
VERSION: Command = (sys.executable, "-m", "biofact", "--version")
LIBRARIES: Command = (sys.executable, "-c", "import cyclopts, rich.console, rich.markdown, rich.table")
HELP = ("", "entrez", "entrez get-gene", "igvf find-associations", "pubmed search", "literature review", "resolve")
"""Commands whose help is timed: of all sources, of one, of tools with few and many options, of two by hand."""
FIND: Command = (sys.executable, "-m", "biofact", "find", "which drugs hit EGFR")
EMPTY_COMMAND: Command = (sys.executable, "-c", "pass")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def measure(runs: int = 15) -> list[Result]:
    """Every figure."""
    return [
        _ratio("tools/list over stdio, times a plain FastMCP server", 1.0, runs, tools_seconds, OWN_COMMAND, PLAIN),
        _ratio("initialize over stdio, times an empty FastMCP server", 1.15, runs, hello_seconds, OWN_COMMAND, EMPTY),
        _ratio("--version, times an empty interpreter", 6.0, runs, run_seconds, VERSION, EMPTY_COMMAND),
        *(
            _ratio(
                f"{' '.join((*words, '--help'))}, times its libraries' import",
                2.0,
                runs,
                run_seconds,
                command,
                LIBRARIES,
            )
            for words in map(str.split, HELP)
            for command in [(sys.executable, "-m", "biofact", *words, "--help")]
        ),
        _ratio("find, times the libraries' import", 2.5, runs, run_seconds, FIND, LIBRARIES),
    ]


def _ratio(promise: str, bar: float, runs: int, measure: Callable[[Command], float], *commands: Command) -> Result:
    """The median of the ratios of each round; a first round fills the file cache and is not counted."""
    rounds = [_round(measure, commands, is_turned=bool(number % 2)) for number in range(runs + 1)][1:]
    figure = statistics.median(own_time / plain for own_time, plain in rounds)
    own_median, plain = (statistics.median(seconds) for seconds in zip(*rounds, strict=True))
    note = f"median of {runs} rounds; medians {own_median:.3f} s beside {plain:.3f} s"
    return at_most(promise, figure, bar, "x", note=note)


def _round(measure: Callable[[Command], float], commands: tuple[Command, ...], *, is_turned: bool) -> tuple[float, ...]:
    """The seconds of each command; every other round goes through them backwards."""
    order = commands[::-1] if is_turned else commands
    seconds = {command: measure(command) for command in order}
    return tuple(seconds[command] for command in commands)


def tools_seconds(command: Command) -> float:
    """Seconds from the spawn of a server to its list of tools."""
    seconds, answer = _ask(command, INITIALIZE, READY, LIST)
    if len(answer["result"]["tools"]) != TOOLS:
        raise ValueError(f"{len(answer['result']['tools'])} tools are listed; expected {TOOLS}")
    return seconds


def hello_seconds(command: Command) -> float:
    """Seconds from the spawn of a server to its answer to ``initialize``."""
    seconds, answer = _ask(command, INITIALIZE)
    assert "serverInfo" in answer["result"]
    return seconds


def run_seconds(command: Command) -> float:
    """Seconds that a command takes."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def _ask(command: Command, *messages: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Seconds to the answer to the last message, and that; each is sent when the one before has been answered."""
    start = time.perf_counter()
    with subprocess.Popen(  # our own interpreter
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answer: dict[str, Any] = {}
        for message in messages:
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            if "id" in message:
                answer = json.loads(server.stdout.readline())
        seconds = time.perf_counter() - start
        server.stdin.close()
    return seconds, answer


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
