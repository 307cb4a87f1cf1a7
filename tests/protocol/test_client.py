"""The methods that every client inherits, and the modules that its import must not load."""

import subprocess
import sys

import pytest

from biofact.core.errors import RateLimited, ToolRef
from biofact.core.identifiers import IdKind
from biofact.protocol.client import LifeSciencesClient
from tests import virtual_time
from tests.interfaces.toy import SlimToy
from tests.transport.scene import ASK, TOY, Scene, good

pytestmark = pytest.mark.quick


class Toy(LifeSciencesClient):
    source_name = "toy"
    title = "The Toy"
    services = (TOY,)

    async def word(self) -> str:
        return await self.transport.fetch(ASK, bytes.decode)


def test_a_client_closes_only_the_transport_that_it_made(tmp_path, monkeypatch):
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path))
    closed = []

    async def scenario():
        scene = Scene(tmp_path, good())
        shared = scene.transport()
        for client in (Toy(shared), Toy()):
            ending, transport = client.transport.aclose, client.transport

            async def count_close(ending=ending, transport=transport):
                closed.append(transport is shared)
                await ending()

            monkeypatch.setattr(transport, "aclose", count_close)
            async with client as same_client:
                assert same_client is client
        return await Toy(shared).word()

    assert virtual_time.run(scenario()) == "word"
    assert closed == [False]


@pytest.mark.processes
def test_importing_a_client_loads_nothing_slow():
    slow = {"httpx2", "httpcore2", "stamina", "defusedxml", "redis", "numpy", "fastmcp"}
    program = "import sys, biofact.protocol.client; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert slow.isdisjoint(loaded)


def test_an_entry_of_a_batch_echoes_its_own_id_though_all_share_one_failure(tmp_path):
    busy = RateLimited("The toy is busy.", hint="Wait.")

    async def ask(toy_id):
        raise busy

    async def scenario():
        kind = IdKind("toy ID", r"TOY:\d+", "TOY:7", ToolRef("toy", "search_toys"))
        toys = Toy(Scene(tmp_path, good()).transport())
        return await toys._batch(kind, ["TOY:1", "TOY:2", 3, 3], ask, SlimToy.slim, at_once=9)

    entries = virtual_time.run(scenario()).items

    assert [entry.error.invalid_input for entry in entries] == ["TOY:1", "TOY:2", 3, 3]
    assert busy.invalid_input is None
