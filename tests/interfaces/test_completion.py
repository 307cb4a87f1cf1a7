"""``biofact completion``: a real bash completes commands, options and values, without starting Python."""

import re
import shutil
import subprocess
from typing import get_args

import pytest

from biofact.interfaces import every_source
from biofact.interfaces.cli import app
from biofact.interfaces.cli.completion import Shell, script
from biofact.interfaces.spelling import command
from tests.interfaces.terminal import biofact

pytestmark = pytest.mark.quick

DRIVEN = """
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
    "biofact resolve BRCA1 --format ": {"jsonl", "json", "tsv", "csv", "table"},
    "biofact resolve --sandbox BRCA1 --form": {"--format"},
    "biofact chembl search-structures CHEMBL:25 --mode ": {"similarity", "substructure"},
    "biofact igvf find-associations BRCA1 --organism ": {"human", "mouse"},
    "biofact completion ": {"bash", "zsh", "fish", "powershell"},
    "biofact cache ": {"stats", "clear"},
    "biofact literature ": {"review", "train"},
}


def listed():
    return [one for name in every_source.toolsets() for one in every_source.commands(name)]


@pytest.fixture(scope="module")
def scripts():
    """The script for each shell."""
    whole = app.whole_app()
    return {shell: script(whole, shell, listed()) for shell in get_args(Shell)}


@pytest.fixture(scope="module")
def bash(scripts, tmp_path_factory):
    """What bash completes, by the line so far; without a path, so that nothing can be started."""
    file = tmp_path_factory.mktemp("completion") / "biofact.bash"
    file.write_text(scripts["bash"])
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("needs bash")
    done = subprocess.run(
        [shell, "--norc", "-c", DRIVEN, "bash", file],
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


@pytest.mark.parametrize("shell", get_args(Shell))
def test_every_command_is_in_the_script(scripts, shell):
    written = set(re.findall(r"[\w-]+", scripts[shell]))

    assert {word for one in listed() for word in command(one.ref).split()} <= written


def test_the_command_prints_the_script(capsys, monkeypatch, scripts):
    done = biofact(capsys, monkeypatch, "completion", "bash")

    assert done.returncode == 0
    assert done.stdout == f"{scripts['bash']}\n"
    assert "source <(biofact completion bash)" in biofact(capsys, monkeypatch, "completion", "--help").stdout
