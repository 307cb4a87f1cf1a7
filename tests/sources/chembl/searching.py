"""Searches on the sandbox, and what their pages say."""

import asyncio
import tempfile
from contextlib import aclosing, asynccontextmanager

import pytest

from biofact.core.settings import Settings
from biofact.sandbox import Sandbox
from biofact.sources.chembl.client import ChEMBLClient
from biofact.sources.chembl.standin import stand_ins
from biofact.transport.stack import Transport
from tests.recordings import FOLDER, needs_recordings
from tests.sandboxed import FAST, SPEED, sandboxed

AMONG = [pytest.param(None, id="starter"), pytest.param(FOLDER, id="recorded", marks=needs_recordings)]
"""The starter facts alone, and with the recorded molecules among them."""


@asynccontextmanager
async def recorded(timing):
    """As ``sandboxed``, with the recordings of ChEMBL alone: those of genes take ten seconds to read."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox(recordings=FOLDER, stand_ins=stand_ins(FOLDER), rate_factor=SPEED * 1.2) as sandbox:
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": folder})
            async with aclosing(Transport(settings, timing=timing)) as transport:
                yield ChEMBLClient(transport), sandbox


def on_sandbox(scenario, folder=None, timing=FAST):
    """What ``scenario`` returns, called with a client and its sandbox."""

    async def run():
        opened = recorded(timing) if folder else sandboxed("chembl", timing=timing)
        async with opened as (chembl, sandbox):
            return await scenario(chembl, sandbox)

    return asyncio.run(run())


def searched(queries, folder=None, page_size=50):
    """Page 1 of each query."""

    async def scenario(chembl, _):
        return {query: await chembl.search_compounds(query, page_size=page_size) for query in queries}

    return on_sandbox(scenario, folder)


def ids(page):
    """The IDs of its rows."""
    return [row.id for row in page.items]


def said(page, code):
    """What its notices of this code say."""
    return [notice.message for notice in page.notices if notice.code == code]
