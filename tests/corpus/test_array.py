"""The script of a SLURM array, as read by a shell and by SLURM."""

import os
import shlex
import subprocess
import sys

import pytest

from biofact.corpus.planning import SCRIPT, write_array_script
from tests.corpus.made_corpora import lines, make_plan

pytestmark = pytest.mark.quick


@pytest.fixture
def script(tmp_path):
    """The array script's lines, for a folder with a name that a shell could take for something else."""
    folder = tmp_path / "it's; echo $HOME"
    plan = make_plan(folder, lines(tmp_path / "articles.jsonl", range(1, 241)), shard_size=10, parts=6)
    path = write_array_script(folder, plan, command=("echo", "a b"), at_once=4, memory="2G")
    assert path == folder / SCRIPT
    return path


def test_the_array_has_a_task_for_each_part_as_planned(script):
    text = script.read_text()

    assert "#SBATCH --array=1-6%4\n" in text
    assert "#SBATCH --mem=2G\n" in text
    assert text.splitlines()[-1].endswith('--part "$SLURM_ARRAY_TASK_ID/6"')


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="a script for a shell of POSIX")
def test_a_shell_reads_the_folder_and_the_command_as_they_are(script):
    task = {**os.environ, "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "2"}
    run = subprocess.run(["sh", script], env=task, capture_output=True, text=True, check=True)

    assert run.stdout == f"a b corpus run {script.parent} --jobs 1 --part 3/6\n"
    assert shlex.split(script.read_text().splitlines()[-1])[:3] == ["exec", "echo", "a b"]
