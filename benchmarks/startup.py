"""How long a client waits for ``initialize``: our server beside an empty FastMCP server, spawned in turns over stdio.

python -m benchmarks.startup [--runs 15] [--json FILE]
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.results import Result, told

OURS = (sys.executable, "-m", "biofact", "serve")
EMPTY = (
    sys.executable,
    "-c",
    "from fastmcp import FastMCP; FastMCP('empty').run('stdio', show_banner=False, log_level='WARNING')",
)
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


def main() -> int:
    """Measure, print the table, and fail when the promise is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    return told(measured(options.runs), options.json)


def measured(runs: int = 15) -> list[Result]:
    """The ratio of the two medians; a first spawn of each fills the file cache and is not counted."""
    times: dict[tuple[str, ...], list[float]] = {OURS: [], EMPTY: []}
    for _ in range(runs + 1):
        for command, seconds in times.items():
            seconds.append(first_answer_seconds(command))
    ours, empty = (statistics.median(seconds[1:]) for seconds in times.values())
    note = f"medians of {runs}: {ours:.3f} s beside {empty:.3f} s"
    return [Result("initialize, times an empty FastMCP server", ours / empty, 1.15, "x", is_at_most=True, note=note)]


def first_answer_seconds(command: tuple[str, ...]) -> float:
    """Seconds from the spawn to the answer to ``initialize``."""
    start = time.perf_counter()
    with subprocess.Popen(  # our own interpreter
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        seconds = time.perf_counter() - start
        server.stdin.close()
    assert "serverInfo" in answer["result"]
    return seconds


if __name__ == "__main__":
    sys.exit(main())
