"""Several gateways as on machines of their own: each its own process and folders, with one Redis and one upstream."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from benchmarks import gateway_upstream, redis_server
from benchmarks.gateway_callers import Crowd, Outcome
from benchmarks.gateway_upstream import Arrivals, Upstream
from benchmarks.http_limits import LISTENING_LINE, new_tokens
from benchmarks.redis_server import RedisServer

PER_SECOND = 10
"""NCBI's limit with a key."""

_FIRST_ADDRESS = "127.0.0.1:0"


class Gateway:
    """``biofact serve --http``, which can be killed and started again in the same place."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        folder.mkdir()
        self._log = folder / "stderr"
        own_folders = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "BIOFACT_CACHE_DIR")}
        self._environment = {**os.environ, **own_folders, **environment}
        self.url = self._started(_FIRST_ADDRESS)

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        self._process.kill()
        self._process.wait()

    def start(self) -> None:
        """Start it again, as a supervisor would: at the same address, with the same folders."""
        self._started(self.url.netloc)

    def end(self) -> None:
        """Let it finish what is under way, and end."""
        self._process.terminate()
        self._process.wait()

    def _started(self, address: str) -> SplitResult:
        command = (sys.executable, "-m", "biofact", "serve", "--http", address)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stderr=log, env=self._environment)
        while (match := LISTENING_LINE.search(self._log.read_text())) is None:
            if self._process.poll() is not None:
                raise RuntimeError(f"a gateway did not start: {self._log.read_text()}")
            time.sleep(0.05)
        return urlsplit(match[1])


@dataclass(frozen=True, slots=True)
class Scene:
    """All that runs, and the tokens of the subjects that may ask."""

    gateways: Sequence[Gateway]
    redis: RedisServer
    upstream: Upstream
    tokens: Sequence[str]


Act = Callable[[Scene], Any]
Step = tuple[Act | None, float]
"""A change to a scene, and the seconds until the next step."""


@dataclass(frozen=True, slots=True)
class Run:
    """The observations of callers and upstream."""

    outcomes: Sequence[Outcome]
    arrivals: Arrivals
    marks: Sequence[float]
    """When each step was done, and the last wait over."""

    def used(self, begin: float, end: float) -> float:
        """The part of what the upstream allows that was asked of it between two times."""
        return self.arrivals.count_between(begin, end) / ((end - begin) * PER_SECOND)

    def ended_between(self, begin: float, end: float) -> list[Outcome]:
        """The calls that ended between two times."""
        return [outcome for outcome in self.outcomes if begin <= outcome.end < end]


@contextmanager
def scene(folder: Path, *, gateways: int, subjects: int) -> Iterator[Scene]:
    """Everything started; everything ended after the block."""
    tokens = new_tokens(folder / "tokens.json", subjects)
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server.server(folder))
        upstream = stack.enter_context(gateway_upstream.upstream_process(PER_SECOND))
        environment = {
            "BIOFACT_TOKENS": str(folder / "tokens.json"),
            "BIOFACT_REDIS_URL": redis.url,
            "BIOFACT_NCBI_URL": upstream.url,
            "NCBI_API_KEY": "0123456789abcdef0123456789abcdef0123",
        }
        running = []
        for number in range(gateways):
            running.append(Gateway(folder / f"machine-{number}", environment))
            stack.callback(running[-1].end)
        yield Scene(running, redis, upstream, tokens)


async def observed(scene: Scene, callers: int, flood: int, *steps: Step) -> Run:
    """The observations while ``callers`` of each subject, and ``flood`` more of the first, ask all the time."""
    crowd = Crowd([gateway.url for gateway in scene.gateways], scene.tokens)
    for subject in range(len(scene.tokens)):
        crowd.add(callers + (0 if subject else flood), subject)
    marks = []
    for act, seconds in steps:
        if act is not None:
            await asyncio.to_thread(act, scene)
        marks.append(time.monotonic())
        await asyncio.sleep(seconds)
    marks.append(time.monotonic())
    await crowd.end()
    return Run(crowd.outcomes, scene.upstream.arrivals(), marks)
