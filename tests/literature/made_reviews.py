"""Reviews on the sandbox, and the contents of their folders."""

import json
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from typing import Any

from biofact.literature.endpoint import configured_endpoint
from biofact.literature.query.records import QueryRequest
from biofact.literature.review.plan import ReviewPlan
from biofact.literature.review.run import ReviewResult, review
from biofact.sandbox.control import LoggedRequest
from biofact.sandbox.scripted_model import ScriptedModel
from tests import virtual_time
from tests.sandboxed import sandboxed

GOAL = "Does metformin prevent type 2 diabetes?"


def plan(goal: str = GOAL, **options: Any) -> ReviewPlan:
    """A plan of the sandbox."""
    return ReviewPlan(request=QueryRequest(research_goal=goal), **options)


def run(
    review_plan: ReviewPlan, folder: Path, *, model: ScriptedModel | None = None, faults: Any = (), **options: Any
) -> tuple[ReviewResult, list[LoggedRequest]]:
    """One start of a review, and the requests to the services; every start has a cache of its own."""

    async def start() -> tuple[ReviewResult, list[LoggedRequest]]:
        async with sandboxed("pubmed", model=model) as (client, sandbox), AsyncExitStack() as stack:
            sandbox.faults.set(*faults)
            transport = client.transport
            reader = configured_endpoint(transport.settings, timing=transport.timing, network=transport.network)
            for opened_file in filter(None, (model, reader)):
                await stack.enter_async_context(aclosing(opened_file))
            result = await review(review_plan, folder, transport, version="1.2.3", model=reader, **options)
            return result, list(sandbox.requests)

    return virtual_time.run(start())


def outputs(folder: Path) -> dict[str, bytes]:
    """The visible files of a folder; the manifest without its times of day."""
    bodies = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    if "manifest.json" in bodies:
        payload = json.loads(bodies["manifest.json"])
        del payload["times"]
        bodies["manifest.json"] = json.dumps(payload).encode()
    return bodies


def work(folder: Path, kind: str) -> list[Path]:
    """The files of one kind of answer."""
    return sorted((folder / ".work" / kind).iterdir())
