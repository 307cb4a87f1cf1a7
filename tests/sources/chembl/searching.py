"""Searches on the sandbox, and their pages."""

from contextlib import asynccontextmanager

import pytest

from biofact.sandbox.services.chembl.standin import stand_ins
from biofact.sources.chembl.client import ChEMBLClient
from tests import virtual_time
from tests.recordings import FOLDER, needs_recordings
from tests.sandboxed import transported

PARAMS = [pytest.param(None, id="starter"), pytest.param(FOLDER, id="recorded", marks=needs_recordings)]
"""The starter facts alone, and with the recorded molecules among them."""


@asynccontextmanager
async def client_of(folder):
    """A folder with the recordings of ChEMBL alone: those of genes take ten seconds to read."""
    options = {"recordings": folder, "stand_ins": stand_ins(folder)} if folder else {}
    async with transported(**options) as (transport, sandbox):
        yield ChEMBLClient(transport), sandbox


def on_sandbox(scenario, folder=None):
    """The result of ``scenario``, called with a client and its sandbox."""

    async def run():
        async with client_of(folder) as (chembl, sandbox):
            return await scenario(chembl, sandbox)

    return virtual_time.run(run())


def search_pages(queries, folder=None, page_size=50):
    """Page 1 of each query."""

    async def scenario(chembl, _):
        return {query: await chembl.search_compounds(query, page_size=page_size) for query in queries}

    return on_sandbox(scenario, folder)


def ids(page):
    """The IDs of its rows."""
    return [row.id for row in page.items]
