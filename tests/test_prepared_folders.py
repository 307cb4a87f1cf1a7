"""A folder that another user has prepared: a command that works in it reads and changes no file outside it.

Each name that a run leaves in its folder is replaced by what leads out, in a copy, and the same command goes on.
"""

import datetime as dt
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from biofact.core.errors import BiofactError
from biofact.core.usage import HintedError
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.shards import run_shard
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.review.folder import Folder
from tests.corpus import made_corpora, model_scene
from tests.each_of import check_each
from tests.literature.made_reviews import plan

pytestmark = [pytest.mark.quick, pytest.mark.skipif(os.name != "posix", reason="links and pipes are POSIX's")]

FOREIGN = b"another's\n"
NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)

Prepare = Callable[[Path, Path], None]


def link(place: Path, foreign: Path) -> None:
    place.symlink_to(foreign / "file")


def second_name(place: Path, foreign: Path) -> None:
    place.hardlink_to(foreign / "file")


def link_to_nothing(place: Path, foreign: Path) -> None:
    place.symlink_to(foreign / "new")


def link_to_a_folder(place: Path, foreign: Path) -> None:
    place.symlink_to(foreign)


def pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


def prepared(made: Path, target: Path) -> Iterator[tuple[str, Prepare]]:
    """For each name in a folder, and each thing that leads out: ``target`` is the folder with that in its place."""
    for original in sorted(made.rglob("*")):
        for prepare in (link, second_name, link_to_nothing, link_to_a_folder, pipe):
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(made, target)
            place = target / original.relative_to(made)
            shutil.rmtree(place) if place.is_dir() else place.unlink()
            prepare(place, target.parent / "foreign")
            yield str(original.relative_to(made)), prepare


def check_nothing_leads_out(made: Path, folder: Path, command: Callable[[], object]) -> None:
    """Hold the command, in each prepared copy of ``made``, to leaving foreign files as they are."""
    foreign = folder.parent / "foreign"
    foreign.mkdir()

    def check(case: tuple[str, Prepare]) -> None:
        (foreign / "file").write_bytes(FOREIGN)
        (foreign / ".part-1").write_bytes(FOREIGN)
        before = (foreign / "file").stat().st_mtime_ns
        with suppress(HintedError, WriteFailed, BiofactError):
            command()
        assert {path.name: path.read_bytes() for path in foreign.iterdir()} == {"file": FOREIGN, ".part-1": FOREIGN}
        assert (foreign / "file").stat().st_mtime_ns == before

    check_each(prepared(made, folder), check)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_review_changes_nothing_outside_its_folder(tmp_path, fresh):
    def work_in(folder: Path) -> None:
        with Folder(folder).session(plan(), NOW, version="2", fresh=fresh) as (_, work):
            for name in ("search/one", "articles/two"):
                if work.find(name) is None:
                    work.keep(name, b"{}")

    work_in(tmp_path / "made")

    check_nothing_leads_out(tmp_path / "made", tmp_path / "run", lambda: work_in(tmp_path / "run"))


def test_a_lock_that_leads_out_is_refused_with_its_name(tmp_path):
    (tmp_path / "mine.txt").write_bytes(FOREIGN)
    (tmp_path / "run" / ".work").mkdir(parents=True)
    (tmp_path / "run" / ".work" / "lock").symlink_to(tmp_path / "mine.txt")

    with pytest.raises(FolderRefused, match=r"\.work/lock' is not used: it is a link\."):
        Folder(tmp_path / "run").session(plan(), NOW, version="1").__enter__()
    assert (tmp_path / "mine.txt").read_bytes() == FOREIGN


def test_a_corpus_changes_nothing_outside_its_folder(tmp_path):
    articles = made_corpora.lines(tmp_path / "articles.jsonl", range(1, 5))
    later = made_corpora.lines(tmp_path / "later.jsonl", range(1, 2))
    corpus_plan = made_corpora.make_plan(tmp_path / "plan", articles, later, shard_size=2)

    def plan_and_run(folder: Path) -> None:
        place = CorpusFolder(folder)
        place.begin(corpus_plan, {0: np.array([0])})
        place.sweep()
        place.failure_reasons()
        for number in range(2):
            run_shard(folder, number)

    plan_and_run(tmp_path / "made")

    check_nothing_leads_out(tmp_path / "made", tmp_path / "run", lambda: plan_and_run(tmp_path / "run"))


def test_a_model_log_changes_nothing_outside_its_folder(tmp_path):
    entries = model_scene.articles(2)
    model_scene.make_plan(tmp_path / "made", entries)
    model_scene.read_with_model(tmp_path / "made", model_scene.HONEST)
    (tmp_path / "copy").mkdir()

    made = tmp_path / "made" / "run"
    for file in (made / "shards").iterdir():
        file.unlink()  # so that the log is read again

    check_nothing_leads_out(
        made, tmp_path / "copy" / "run", lambda: model_scene.read_with_model(tmp_path / "copy", model_scene.HONEST)
    )
