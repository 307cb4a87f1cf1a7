"""Types as checkers see them: the form that a method returns, and the fields that a record always has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import biofact

pytestmark = pytest.mark.processes

PROGRAM = Path(__file__).with_name("typed_program.py")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """Errors of mypy --strict in the program, by line; collected once, outside of the tests, which suppress them.

    The cache is that of ``make check``, which saves nine seconds of ten.
    """
    pytest.importorskip("mypy")
    copy = shutil.copy(PROGRAM, tmp_path_factory.mktemp("typed"))
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", copy]
    environment = os.environ | {"MYPYPATH": str(Path(biofact.__file__).parents[1])}
    text = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False).stdout
    rows = [line.rsplit(PROGRAM.name, 1)[1].split(":", 2) for line in text.splitlines() if ": error:" in line]
    return {int(number): words for _, number, words in rows}


def lines(mark):
    return {number for number, line in enumerate(PROGRAM.read_text().splitlines(), 1) if line.endswith(mark)}


def test_mypy_refuses_fields_of_whole_records_on_short_ones_and_needs_no_check_of_constants(errors):
    assert errors.keys() == lines("# wrong"), errors


def test_an_error_names_the_field_that_a_short_form_lacks(errors):
    assert all('has no attribute "' in words and '"Slim' in words for words in errors.values()), errors
