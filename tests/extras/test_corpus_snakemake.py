"""The documented rule for Snakemake does every part of a corpus, once."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.corpus.command import COMMAND
from tests.corpus.made_corpora import contents_of, done, lines, make_plan, stamps
from tests.extras import needs

pytestmark = pytest.mark.extras

PYTHON = needs.snakemake()
PAGE = (Path(__file__).parents[2] / "docs" / "corpus-clusters.md").read_text("utf-8")
RULE = next(block for block in PAGE.split("```\n") if block.startswith("import json"))


def test_the_rule_of_the_page_does_every_part(tmp_path):
    source = lines(tmp_path / "articles.jsonl", range(1, 81))
    plan = make_plan(tmp_path / "corpus", source, shard_size=20, parts=3)
    make_plan(tmp_path / "other", source, shard_size=20, parts=3)
    done(tmp_path / "other")
    (tmp_path / "Snakefile").write_text(RULE)

    first = finished_run(tmp_path)
    before = stamps(tmp_path / "corpus", plan)
    second = finished_run(tmp_path)

    assert "4 of 4 steps (100%) done" in first
    assert "Nothing to be done" in second
    assert stamps(tmp_path / "corpus", plan) == before
    assert contents_of(tmp_path / "corpus") == contents_of(tmp_path / "other")


def finished_run(folder):
    """The output of Snakemake."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "biofact"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [PYTHON, "-m", "snakemake", "--cores", "2"]
    done_ = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done_.returncode == 0, done_.stderr
    return done_.stderr + done_.stdout
