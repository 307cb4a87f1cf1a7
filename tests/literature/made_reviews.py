"""Reviews on the sandbox, faster than life, and what their folders hold."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biofact.core.settings import Settings
from biofact.literature.endpoint import endpoint
from biofact.literature.query import QueryRequest
from biofact.literature.review import Plan, Reviewed, review
from biofact.sandbox.control import Asked
from biofact.transport.timing import Timing
from tests.sandboxed import FAST, sandboxed

GOAL = "Does metformin prevent type 2 diabetes?"


def plan(goal: str = GOAL, **options: Any) -> Plan:
    """A plan of the sandbox."""
    return Plan(request=QueryRequest(research_goal=goal), **options)


def run(
    made: Plan,
    folder: Path,
    *,
    settings: Mapping[str, str] | None = None,
    faults: Any = (),
    timing: Timing = FAST,
    **options: Any,
) -> tuple[Reviewed, list[Asked]]:
    """One start of a review, and what the services were asked; every start has a cache of its own."""

    async def start() -> tuple[Reviewed, list[Asked]]:
        async with sandboxed("pubmed", settings=dict(settings or {}), timing=timing) as (client, sandbox):
            sandbox.faults.set(*faults)
            model = endpoint(Settings(dict(settings)), timing=timing) if settings else None
            try:
                found = await review(made, folder, client.transport, version="1.2.3", model=model, **options)
            finally:
                if model is not None:
                    await model.aclose()
            return found, list(sandbox.requests)

    return asyncio.run(start())


def outputs(folder: Path) -> dict[str, bytes]:
    """What a user sees in a folder; the manifest without its times of day."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    if "manifest.json" in found:
        told = json.loads(found["manifest.json"])
        del told["times"]
        found["manifest.json"] = json.dumps(told).encode()
    return found


def work(folder: Path, kind: str) -> list[Path]:
    """The files of one kind of answer."""
    return sorted((folder / ".work" / kind).iterdir())
