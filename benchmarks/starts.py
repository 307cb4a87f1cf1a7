"""Commands that start at once on one cache: all answer rightly, and the first long before the last.

    python -m benchmarks.starts [--processes 300] [--json FILE]

Each is a process of its own that asks for the same gene, on one sandbox with the services' limits. They need as much of
the processors as one after the other, and some minutes on two cores; memory is that of all of them, at its peak.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from benchmarks.report import Result, at_most, run
from biofact.sandbox import SandboxProcess

GENE = "NCBIGene:672"
COMMAND = (sys.executable, "-m", "biofact", "entrez", "get-gene", GENE, "--format", "json")
GIB = 1 << 30
_POLL_SECONDS = 0.5


@dataclass
class Start:
    """A process under way, and when it ended."""

    process: subprocess.Popen[bytes]
    output: IO[bytes]
    seconds: float | None = None

    @property
    def is_right(self) -> bool:
        """The command ended well, with the gene and without a word on standard error."""
        self.output.seek(0)
        text = self.output.read()
        return self.process.returncode == 0 and text.startswith(b"{") and json.loads(text)["id"] == GENE

    def memory_bytes(self) -> int:
        """The memory that only this process has; 0 where the system does not say, or it has ended."""
        try:
            text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text("ascii")
        except OSError:
            return 0
        lines = (line.split() for line in text.splitlines() if line.startswith("Private_"))
        return sum(int(words[1]) * 1024 for words in lines)


def _spawn(environment: Mapping[str, str]) -> Start:
    output = tempfile.TemporaryFile()  # noqa: SIM115  # read when the process has ended
    process = subprocess.Popen(
        COMMAND, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
    )
    return Start(process, output)


def _watch(starts: Sequence[Start], began: float) -> int:
    """Wait for all; returns the most memory that they had at once."""
    peak = 0
    while running := [start for start in starts if start.seconds is None]:
        peak = max(peak, sum(start.memory_bytes() for start in running))
        for start in running:
            if start.process.poll() is not None:
                start.seconds = time.monotonic() - began
        time.sleep(_POLL_SECONDS)
    return peak


def measure(processes: int = 300) -> list[Result]:
    """Every figure."""
    with tempfile.TemporaryDirectory() as folder, SandboxProcess() as sandbox:
        environment = {**os.environ, **sandbox.environment(), "BIOFACT_CACHE_DIR": folder}
        began = time.monotonic()
        starts = [_spawn(environment) for _ in range(processes)]
        peak = _watch(starts, began)
        requests = len(sandbox.requests())
    ends = sorted(start.seconds or 0.0 for start in starts)
    right = sum(start.is_right for start in starts) / processes
    return [
        Result(f"{processes} commands at once, the share with the right answer", right, 1.0, "of 1"),
        at_most("the first answer, by the time of the last", ends[0] / ends[-1], 0.25, "times", f"{ends[-1]:.0f} s"),
        at_most("requests for the one gene", requests / processes, 0.2, "a command"),
        at_most("memory of all at the peak", peak / GIB, 6.0, "GiB"),
    ]


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
