"""The examples of docstrings run on a sandbox, and print what is written there."""

import asyncio
import doctest

import pytest

import biofact
import biofact.sync
from biofact import clients
from biofact.sandbox import Sandbox

NAMES = {"biofact": biofact, "asyncio": asyncio}
PLACES = {
    "biofact": biofact,
    "biofact.sync": biofact.sync,
    "biofact.open": biofact.open,
    "biofact.sync.open": biofact.sync.open,
    "biofact.Sandbox": biofact.Sandbox,
    **{name: clients.client_class(name) for name in clients.names()},
}


@pytest.fixture(scope="module", autouse=True)
def sandbox(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("cache"))
    with Sandbox(rate_factor=1000) as sandbox, pytest.MonkeyPatch.context() as patch:
        patch.setenv("NCBI_API_KEY", "key")  # ten requests a second
        for name, value in clients.sandbox_settings(sandbox, folder).items():
            patch.setenv(name, value)
        yield


@pytest.mark.parametrize("place", PLACES)
def test_an_example_prints_what_is_written(place):
    examples = doctest.DocTestParser().get_examples(PLACES[place].__doc__)
    test = doctest.DocTest(examples, dict(NAMES), place, None, None, None)
    report = []

    failed, tried = doctest.DocTestRunner(verbose=False).run(test, out=report.append)

    assert tried > 0
    assert failed == 0, "".join(report)
