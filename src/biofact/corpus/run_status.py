"""How far a run is, by what lies in its folder: whoever works on it, wherever."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biofact.corpus.folder import CorpusFolder

_RECENT = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class Status:
    """How far a run is."""

    shards: int
    done: int
    articles: int
    """To be read in all."""
    read: int
    errors: int
    """Articles that cannot be read."""
    rate: float | None
    """Articles a second over the last ten minutes in which shards ended; None where too few did."""
    remaining_seconds: float | None
    failed: dict[int, str] = field(default_factory=dict)
    """Shards that are tried no more, with the last reason."""
    failing: Counter[str] = field(default_factory=Counter)
    """How often shards have failed, by reason."""


def status(folder: Path) -> Status:
    """How far the run in a folder is.

    Raises:
        FolderRefused: the folder holds no plan.
    """
    place = CorpusFolder(folder)
    plan = place.plan()
    ends: list[tuple[float, dict[str, Any]]] = []
    for shard in plan.shards:
        end = place.done(shard.number, plan.key)
        if end is not None:
            ends.append((place.done_file(shard.number).stat().st_mtime, end))
    counts: Counter[str] = Counter()
    for _, end in ends:
        counts.update(end["counts"])
    rate = _rate(ends)
    remaining = plan.articles - counts["read"] - counts["error"]
    return Status(
        shards=len(plan.shards),
        done=len(ends),
        articles=plan.articles,
        read=counts["read"],
        errors=counts["error"],
        rate=rate,
        remaining_seconds=remaining / rate if rate else None,
        failed=place.failed(plan),
        failing=place.failure_reasons(),
    )


def _rate(ends: list[tuple[float, dict[str, Any]]]) -> float | None:
    """Articles a second between the first and the last shard that ended of late; the first one's are before that."""
    latest = max((time for time, _ in ends), default=0.0)
    recent = sorted((time, sum(end["counts"].values())) for time, end in ends if time > latest - _RECENT)
    seconds = recent[-1][0] - recent[0][0] if recent else 0.0
    return sum(count for _, count in recent[1:]) / seconds if seconds else None
