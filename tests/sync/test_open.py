"""``open``: all clients of a program over one transport, asynchronous and blocking."""

import asyncio
import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

import biofact
import biofact.sync
from biofact import clients, toolsets
from biofact.sandbox import Sandbox
from biofact.transport import background

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(rate_factor=1000) as started_sandbox:
        yield started_sandbox


def test_there_is_a_client_for_each_source_and_what_stands_above_them(sandbox):
    async def open_and_list():
        async with biofact.open(sandbox=sandbox) as opened_clients:
            assert opened_clients.entrez.transport is opened_clients.ensembl.transport is opened_clients.transport
            assert opened_clients.entrez is opened_clients.entrez
            assert (await opened_clients.entrez.get_gene("NCBIGene:7157", slim=True)).symbol == "TP53"
            return {name: type(getattr(opened_clients, name)) for name in toolsets.client_names()}, dir(opened_clients)

    classes, names = asyncio.run(open_and_list())

    assert classes == {name: toolsets.client_class(name) for name in toolsets.client_names()}
    assert set(classes) <= set(names)
    assert set(classes) == set(clients.Clients.__base__.__annotations__)


def test_blocking_ones_are_opened_likewise(sandbox):
    with biofact.sync.open(sandbox=sandbox) as opened_clients:
        classes = {name: type(getattr(opened_clients, name)).__name__ for name in toolsets.client_names()}
        assert opened_clients.entrez.transport is opened_clients.ensembl.transport is opened_clients.transport
        assert opened_clients.entrez is opened_clients.entrez
        assert set(classes) <= set(dir(opened_clients))

    assert classes == {name: toolsets.client_class(name).__name__ for name in toolsets.client_names()}
    assert set(classes) == set(biofact.sync.Clients.__base__.__annotations__)


@pytest.mark.parametrize("kind", [biofact.Clients, biofact.sync.Clients])
def test_an_unknown_one_is_no_attribute(kind):
    opened_clients = kind(transport=None)

    with pytest.raises(AttributeError, match="no client 'entres'; there are chembl, "):
        _ = opened_clients.entres


def test_settings_come_before_those_of_the_environment(monkeypatch, sandbox, tmp_path):
    monkeypatch.setenv("BIOFACT_EMAIL", "first@example.org")
    settings = {**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path), "BIOFACT_EMAIL": "second@example.org"}

    with biofact.sync.open(settings) as opened_clients:
        opened_clients.entrez.get_gene("NCBIGene:672", slim=True)
        settings = opened_clients.transport.settings.with_changes({})

    assert settings._environment["BIOFACT_EMAIL"] == "second@example.org"
    assert any(tmp_path.iterdir())


def test_a_sandbox_has_a_cache_that_goes_afterwards(monkeypatch, sandbox, tmp_path):
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path))

    with biofact.sync.open(sandbox=sandbox) as opened_clients:
        opened_clients.entrez.get_gene("NCBIGene:675", slim=True)
        (folder,) = (
            Path(v) for k, v in opened_clients.transport.settings._environment.items() if k == "BIOFACT_CACHE_DIR"
        )
        assert folder.is_dir()

    assert not folder.exists()
    assert list(tmp_path.iterdir()) == []
    assert os.environ["BIOFACT_CACHE_DIR"] == str(tmp_path)


def test_they_are_of_use_without_with(sandbox):
    opened_clients = biofact.sync.open(sandbox=sandbox)
    folder = Path(opened_clients.transport.settings._environment["BIOFACT_CACHE_DIR"])

    assert opened_clients.entrez.get_gene("NCBIGene:672", slim=True).symbol == "BRCA1"
    assert folder.is_dir()
    opened_clients.close()
    opened_clients.close()

    assert not folder.exists()


async def closed():
    """Wait until all that is garbage is closed."""
    while closings := background._closings - {None}:
        await asyncio.wait(closings)


def test_one_of_them_keeps_the_others_open_and_lets_them_go_with_itself(sandbox):
    entrez = biofact.sync.open(sandbox=sandbox).entrez
    folder = Path(entrez.transport.settings._environment["BIOFACT_CACHE_DIR"])
    gc.collect()

    assert entrez.get_gene("NCBIGene:672", slim=True).symbol == "BRCA1"
    assert folder.is_dir()

    del entrez
    gc.collect()
    background.wait_for(closed())  # which begins behind what closes them
    assert not folder.exists()


@pytest.mark.processes
def test_what_stays_open_is_closed_when_python_ends(sandbox, tmp_path):
    program = (
        "import biofact, biofact.sync\n"
        "sandbox = biofact.Sandbox().__enter__()\n"
        "clients = biofact.sync.open(sandbox=sandbox)\n"
        "print(clients.entrez.get_gene('NCBIGene:672', slim=True).symbol)\n"
        "print(clients.transport.settings._environment['BIOFACT_CACHE_DIR'])\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}

    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, env=environment, check=True
    )

    symbol, folder = run.stdout.splitlines()
    assert (symbol, run.stderr) == ("BRCA1", "")
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()
