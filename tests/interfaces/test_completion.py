"""``biofact completion``: a real bash completes commands, options and values, without starting Python."""

import functools
import re
import shutil
import subprocess
from typing import get_args

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.cli import app
from biofact.interfaces.cli.app import completion_script
from biofact.interfaces.cli.builtin_commands import Shell
from biofact.interfaces.spelling import command
from tests.interfaces.terminal import biofact

pytestmark = pytest.mark.quick

BASH_PROGRAM = """
PATH=
source "$1"
complete -p biofact >&2
while IFS= read -r line; do
  COMP_WORDS=($line); [[ $line == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$line; COMP_POINT=${#line}; COMPREPLY=()
  _biofact biofact "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
  echo "${COMPREPLY[*]}"
done
"""
COMPLETED = {
    "biofact entr": {"entrez"},
    "biofact li": {"literature"},
    "biofact check": {"check-identity"},
    "biofact entrez get-": {"get-gene", "get-genes-batch", "get-pubmed-links", "get-generifs"},
    "biofact entrez get-gene NCBIGene:672 --prov": {"--provenance"},
    "biofact resolve BRCA1 --form": {"--format"},
    "biofact resolve BRCA1 --format ": {"jsonl", "json", "tsv", "csv", "xlsx", "parquet", "table"},
    "biofact resolve --sandbox BRCA1 --form": {"--format"},
    "biofact chembl search-structures CHEMBL:25 --mode ": {"similarity", "substructure"},
    "biofact igvf find-associations BRCA1 --organism ": {"human", "mouse"},
    "biofact completion ": {"bash", "zsh", "fish", "powershell"},
    "biofact cache ": {"stats", "clear"},
    "biofact literature ": {"review", "train"},
}


def entries():
    return [entry for name in every_source.toolsets() for entry in every_source.commands(name)]


@functools.cache
def script(shell):
    """The script for a shell."""
    return completion_script(app.whole_app(), shell, entries())


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """The completions of bash, by the line so far; without a PATH, so that no program can be started."""
    file = tmp_path_factory.mktemp("completion") / "biofact.bash"
    file.write_text(script("bash"))
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    done = subprocess.run(
        [shell, "--norc", "-c", BASH_PROGRAM, "bash", file],
        input="".join(f"{line}\n" for line in COMPLETED),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.startswith("complete ")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return dict(zip(COMPLETED, done.stdout.splitlines(), strict=True))


@pytest.mark.processes
@pytest.mark.parametrize("line", COMPLETED)
def test_bash_completes(bash, line):
    assert set(bash[line].split()) == COMPLETED[line]


@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(one, marks=pytest.mark.sweep) for one in get_args(Shell) if one != "bash")]
)
def test_every_command_is_in_the_script(shell):
    words = set(re.findall(r"[\w-]+", script(shell)))

    assert {word for one in entries() for word in command(one.ref).split()} <= words


def test_values_that_are_listed_are_completed():
    values = ("similarity", "substructure", "human", "mouse", "jsonl")

    assert [value for value in values if not re.search(rf"(?<!\w){value}(?!\w)", script("bash"))] == []


def test_the_command_prints_the_script(capsys, monkeypatch):
    done = biofact(capsys, monkeypatch, "completion", "bash")

    assert done.returncode == 0
    assert done.stdout == f"{script('bash')}\n"
    assert "source <(biofact completion bash)" in biofact(capsys, monkeypatch, "completion", "--help").stdout
