"""Which words after ``biofact serve`` need no help from the command line's library."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.interfaces.mcp.serve import Serving, parse_tokens, run
from biofact.interfaces.usage import WrongUsage


@pytest.mark.parametrize(
    ("words", "serving"),
    [
        ("", Serving()),
        ("entrez", Serving("entrez")),
        ("--sandbox", Serving(sandbox=True)),
        ("entrez --http 127.0.0.1:8000 --sandbox", Serving("entrez", "127.0.0.1:8000", sandbox=True)),
        ("--sandbox=box entrez", Serving("entrez", sandbox=Path("box"))),
        ("--http [::1]:80 entrez", Serving("entrez", "[::1]:80")),
    ],
)
def test_plain_words_are_understood(words, serving):
    assert parse_tokens(words.split()) == serving


@pytest.mark.parametrize(
    "words",
    ["--help", "entrez ensembl", "--http", "--http --sandbox", "entrez -x", "--http=a", "--sandbox=", "--sandbox=no"],
)
def test_help_and_mistakes_are_left_to_the_command_line(words):
    assert parse_tokens(words.split()) is None


def test_a_source_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(WrongUsage, match="There is no source 'gwas'") as told:
        run(Serving("gwas"))

    assert "entrez" in told.value.hint
    assert gc.isenabled()


@pytest.mark.parametrize("words", [["serve"], ["entrez", "--help"]])
def test_a_python_without_docstrings_is_refused(words):
    run = subprocess.run([sys.executable, "-OO", "-m", "biofact", *words], capture_output=True, text=True, check=False)

    assert run.returncode == 2
    assert "python -OO strips" in run.stderr
    assert "PYTHONOPTIMIZE=1" in run.stderr
