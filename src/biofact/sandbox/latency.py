"""How long the services take: fixed seconds for each path, and jitter on the way in."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Latency:
    """Waits that the sandbox adds to every answer."""

    seconds: Mapping[str, float] = field(default_factory=dict)
    """By the last part of a path, such as ``esearch.fcgi``, ``""`` for all others; spent once a request is counted."""
    jitter_seconds: tuple[float, float] = (0.0, 0.0)
    """The least and the most; spent before, so that evenly sent requests arrive unevenly, as through a network."""
    uniform: Callable[[float, float], float] = random.uniform

    def on_the_way_in(self) -> float:
        """Seconds until a request arrives."""
        return self.uniform(*self.jitter_seconds)

    def of(self, path: str) -> float:
        """Seconds that the service takes for ``path``."""
        return self.seconds.get(path.rsplit("/", 1)[-1], self.seconds.get("", 0.0))


EVERYDAY = Latency({"esearch.fcgi": 0.100, "esummary.fcgi": 0.150, "efetch.fcgi": 0.300}, (0.010, 0.040))
"""What NCBI takes on an ordinary day; benchmarks run with it."""
