"""``open``: all clients of a program over one transport, asynchronous and blocking."""

import asyncio
import os
from pathlib import Path

import pytest

import biofact
import biofact.sync
from biofact import clients, toolsets
from biofact.sandbox import Sandbox

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(rate_factor=1000) as serving:
        yield serving


def test_there_is_a_client_for_each_source_and_what_stands_above_them(sandbox):
    async def opened():
        async with biofact.open(sandbox=sandbox) as several:
            assert several.entrez.transport is several.ensembl.transport is several.transport
            assert several.entrez is several.entrez
            assert (await several.entrez.get_gene("NCBIGene:7157", slim=True)).symbol == "TP53"
            return {name: type(getattr(several, name)) for name in toolsets.client_names()}, dir(several)

    classes, names = asyncio.run(opened())

    assert classes == {name: toolsets.client_class(name) for name in toolsets.client_names()}
    assert set(classes) <= set(names)
    assert set(classes) == set(clients.Clients.__base__.__annotations__)


def test_blocking_ones_are_opened_likewise(sandbox):
    with biofact.sync.open(sandbox=sandbox) as several:
        classes = {name: type(getattr(several, name)).__name__ for name in toolsets.client_names()}
        assert several.entrez.transport is several.ensembl.transport is several.transport
        assert several.entrez is several.entrez
        assert set(classes) <= set(dir(several))

    assert classes == {name: toolsets.client_class(name).__name__ for name in toolsets.client_names()}
    assert set(classes) == set(biofact.sync.Clients.__base__.__annotations__)


@pytest.mark.parametrize("kind", [biofact.Clients, biofact.sync.Clients])
def test_an_unknown_one_is_no_attribute(kind):
    several = kind(transport=None)

    with pytest.raises(AttributeError, match="no client 'entres'; there are chembl, "):
        _ = several.entres


def test_settings_come_before_those_of_the_environment(monkeypatch, sandbox, tmp_path):
    monkeypatch.setenv("BIOFACT_EMAIL", "first@example.org")
    given = {**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path), "BIOFACT_EMAIL": "second@example.org"}

    with biofact.sync.open(given) as several:
        several.entrez.get_gene("NCBIGene:672", slim=True)
        settings = several.transport.settings.replaced({})

    assert settings._environment["BIOFACT_EMAIL"] == "second@example.org"
    assert any(tmp_path.iterdir())


def test_a_sandbox_has_a_cache_that_goes_afterwards(monkeypatch, sandbox, tmp_path):
    monkeypatch.setenv("BIOFACT_CACHE_DIR", str(tmp_path))

    with biofact.sync.open(sandbox=sandbox) as several:
        several.entrez.get_gene("NCBIGene:675", slim=True)
        (folder,) = (Path(v) for k, v in several.transport.settings._environment.items() if k == "BIOFACT_CACHE_DIR")
        assert folder.is_dir()

    assert not folder.exists()
    assert list(tmp_path.iterdir()) == []
    assert os.environ["BIOFACT_CACHE_DIR"] == str(tmp_path)
