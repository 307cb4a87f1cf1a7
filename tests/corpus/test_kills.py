"""Processes that are killed at any moment: nothing is lost, done twice or left half written."""

import os
import sys
import time

import pytest

from biofact.corpus import shards
from biofact.corpus.folder import CorpusFolder
from biofact.literature import files
from tests.corpus.kills import INTERRUPTS, interrupted, killed_again_and_again
from tests.corpus.made_corpora import contents_of, done, lines, make_plan, stamps

pytestmark = [
    pytest.mark.quick,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by POSIX's signals"),
]
RUNS = (["--part", "1/3"], ["--jobs", "2"], ["--part", "2/3"])


@pytest.mark.processes
def test_a_run_killed_at_six_moments_ends_as_one_that_never_was(tmp_path):
    source = lines(tmp_path / "articles.jsonl", range(1, 1001))
    folder, other = tmp_path / "killed", tmp_path / "undisturbed"
    plan = make_plan(folder, source, shard_size=50)
    make_plan(other, source, shard_size=50)

    kill_count = killed_again_and_again(folder, plan, RUNS, 6)
    CorpusFolder(folder).forget_failures()  # of shards whose processes were killed three times
    before = stamps(folder, plan)

    assert kill_count == 6
    assert done(folder, jobs=2).is_complete
    assert stamps(folder, plan).items() >= before.items()
    assert done(other).is_complete
    part_files = {name for name in contents_of(folder) if name.startswith(files.PART)}
    assert {name: content for name, content in contents_of(folder).items() if name not in part_files} == contents_of(
        other
    )
    pmids = [
        row["pmid"] for shard in plan.shards for row in shards.read_rows(CorpusFolder(folder).rows_file(shard.number))
    ]
    assert pmids == [str(pmid) for pmid in range(1, 1001)]


@pytest.mark.processes
@pytest.mark.parametrize("interruption", INTERRUPTS, ids=str)
def test_an_interrupt_ends_everything(tmp_path, interruption):
    interrupted_run = interrupted(tmp_path / "corpus", tmp_path, ["--jobs", "2"], **interruption)

    assert interrupted_run.process.returncode == 130
    assert not interrupted_run.helpers()
    assert not list(tmp_path.rglob(f"{files.PART}*"))


def test_a_new_part_file_of_another_run_stays_and_an_old_one_is_deleted(tmp_path):
    folder = tmp_path / "corpus"
    make_plan(folder, lines(tmp_path / "articles.jsonl", range(1, 41)))
    new, old = (folder / "shards" / f"{files.PART}{name}" for name in ("new", "old"))
    for path, age in ((new, 3_600), (old, 90_000)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)

    done(folder)

    assert new.exists()
    assert not old.exists()
