"""A real SLURM runs the script that is written for a corpus, loses a task, and a rerun fills the gap."""

import pytest

from biofact.corpus.folder import CorpusFolder
from biofact.corpus.planning import write_array_script
from tests.corpus.command import COMMAND
from tests.corpus.made_corpora import contents_of, done, lines, make_plan, stamps
from tests.extras.slurm_scene import Slurm

pytestmark = pytest.mark.extras

LOST_SHARD = 3
"""The part whose task is lost."""


@pytest.fixture
def slurm(tmp_path):
    folder = tmp_path / "slurm"
    folder.mkdir()
    started_slurm = Slurm(folder)
    yield started_slurm
    started_slurm.stop()


def test_an_array_loses_a_task_and_a_rerun_fills_the_gap(slurm, tmp_path):
    source = lines(tmp_path / "articles.jsonl", range(1, 1441))
    folder, other = tmp_path / "a corpus, it's $HOME", tmp_path / "other"
    plan = make_plan(folder, source, shard_size=60, parts=4)
    script = write_array_script(folder, plan, command=COMMAND)
    first, *rest = (CorpusFolder(folder).done_file(shard.number) for shard in plan.part(LOST_SHARD))

    job = slurm.submit(script)
    slurm.wait_until(first.exists)
    slurm.ask("scancel", f"{job}_{LOST_SHARD}")
    slurm.wait_for(job)
    before = stamps(folder, plan)

    lost_numbers = {shard.number for shard in plan.shards} - set(before)
    assert lost_numbers, slurm.logs()
    assert lost_numbers <= {shard.number for shard in plan.part(LOST_SHARD)[1:]}, slurm.logs()

    slurm.wait_for(slurm.submit(script))

    assert all(path.exists() for path in rest), slurm.logs()
    assert stamps(folder, plan).items() >= before.items()
    make_plan(other, source, shard_size=60, parts=4)
    assert done(other, jobs=2).is_complete
    whole = {name: content for name, content in contents_of(folder).items() if not name.startswith(".part-")}
    assert whole == contents_of(other)


def test_a_part_is_submitted_by_itself_and_counts_parts_as_planned(slurm, tmp_path):
    folder = tmp_path / "corpus"
    plan = make_plan(folder, lines(tmp_path / "articles.jsonl", range(1, 41)), shard_size=10, parts=4)

    slurm.wait_for(slurm.submit(write_array_script(folder, plan, command=COMMAND), "--array=2"))

    assert set(stamps(folder, plan)) == {shard.number for shard in plan.part(2)}, slurm.logs()
