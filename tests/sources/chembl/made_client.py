"""A client of ChEMBL on a sandbox of its three services, with starter facts or made ones."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from biofact.sandbox import Fault, LoggedRequest, Sandbox
from biofact.sandbox.services.chembl.standin import ChemblStandIn, PdbeStandIn, UniChemStandIn, stand_ins
from biofact.sandbox.tables import Rows
from biofact.sources.chembl.client import ChEMBLClient
from biofact.transport.timing import Timing
from tests import virtual_time
from tests.sandboxed import LIFE, transported


def stand_ins_for(facts: Rows | None) -> list[Any]:
    """The stand-ins of the three services."""
    if facts is None:
        return stand_ins()
    return [ChemblStandIn(facts), UniChemStandIn(facts), PdbeStandIn(facts)]


@asynccontextmanager
async def client_of(facts: Rows | None = None, *, timing: Timing = LIFE) -> AsyncIterator[tuple[ChEMBLClient, Sandbox]]:
    """A client and the sandbox behind it; the cache is new and is deleted afterwards."""
    async with transported(stand_ins=stand_ins_for(facts), timing=timing) as (transport, sandbox):
        yield ChEMBLClient(transport), sandbox


@dataclass(frozen=True)
class ClientRun:
    """The answer of a client on a sandbox, and its requests."""

    answer: Any
    requests: list[LoggedRequest]

    @property
    def counts(self) -> Counter[tuple[str, str]]:
        """The number of requests to each service for each resource."""
        return Counter((request.service, resource(request)) for request in self.requests)


def resource(logged_request: LoggedRequest) -> str:
    """The first part of a path, such as ``molecule``; the second of PDBe's."""
    return logged_request.path.removeprefix("/pdb").split("/")[1].removesuffix(".json")


def run(
    ask: Callable[[ChEMBLClient], Awaitable[Any]],
    *faults: Fault,
    facts: Rows | None = None,
    timing: Timing = LIFE,
) -> ClientRun:
    """The result of ``ask`` with a client while these faults strike, and the requests."""

    async def scenario() -> ClientRun:
        async with client_of(facts, timing=timing) as (chembl, sandbox):
            sandbox.faults.set(*faults)
            answer = await ask(chembl)
            return ClientRun(answer, list(sandbox.requests))

    return virtual_time.run(scenario())


def fixed_answer(document: object, path: str = "", *, times: int | None = None, **options: Any) -> Fault:
    """This document in place of the answers below a path."""
    return Fault("body", path=path, body=json.dumps(document).encode(), times=times, **options)


def list_answer(name: str, rows: list[Any], *, total: int | None = None, offset: int = 0, limit: int = 1000) -> Any:
    """A list as ChEMBL answers it."""
    count = len(rows) if total is None else total
    meta = {"limit": limit, "next": None, "offset": offset, "previous": None, "total_count": count}
    return {name: rows, "page_meta": meta}


async def all_pages(ask: Callable[..., Awaitable[Any]], page_size: int, limit: int = 400) -> list[Any]:
    """Every page of a list, by its cursors."""
    pages = [await ask(page_size=page_size)]
    while cursor := pages[-1].pagination.cursor:
        pages.append(await ask(page_size=page_size, cursor=cursor))
        assert len(pages) < limit
    return pages
