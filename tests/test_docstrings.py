"""The examples of docstrings and of the guide's chapter on programs run on a sandbox."""

import asyncio
import doctest
import re
from pathlib import Path

import pytest

import biofact
import biofact.sync
from biofact import clients, toolsets
from biofact.sandbox import Sandbox

pytestmark = pytest.mark.quick

GUIDE = (Path(__file__).parents[1] / "docs" / "guide.md").read_text()
PROGRAMS = re.findall(r"<!-- run by tests/test_docstrings.py -->\n```python\n(.*?)```", GUIDE, re.DOTALL)
NAMES = {"biofact": biofact, "asyncio": asyncio}
PLACES = {
    "biofact": biofact,
    "biofact.sync": biofact.sync,
    "biofact.open": biofact.open,
    "biofact.sync.open": biofact.sync.open,
    "biofact.Sandbox": biofact.Sandbox,
    **{name: toolsets.client_class(name) for name in toolsets.client_names()},
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

    failed, attempts = doctest.DocTestRunner(verbose=False).run(test, out=report.append)

    assert attempts > 0
    assert failed == 0, "".join(report)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_of_the_guide_runs(program):
    exec(program, dict(NAMES))


def test_the_guide_has_programs():
    assert len(PROGRAMS) == 3
