"""A bit that a dying disk turns in a file of a run: the file is named, or its shard done again; no result changes."""

import datetime as dt
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from biofact.core.folder_files import FolderFile
from biofact.core.usage import HintedError
from biofact.corpus.folder import CorpusFolder, status
from biofact.corpus.model_log import LoggedAnswer, ShardLog, TextKey
from biofact.corpus.ranking import rank
from biofact.corpus.shards import run_shard
from biofact.literature.files import FolderRefused
from tests.corpus import model_scene
from tests.corpus.made_corpora import lines, make_plan

pytestmark = pytest.mark.quick

FLIPS = 6
"""In each file, at places from a seed."""


def flipped(content: bytes, count: int) -> Iterator[bytes]:
    """The content with one bit turned, at several places."""
    for place in random.Random(1).sample(range(8 * len(content)), count):
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        yield bytes(damaged)


def ranked(folder: Path) -> tuple[list[int], bytes]:
    """The shards that were done again, and the table of the ranking."""
    place = CorpusFolder(folder)
    plan = place.plan()
    redone = [shard.number for shard in plan.shards if place.done(shard.number, plan.key) is None]
    for shard in plan.shards:
        run_shard(folder, shard.number)
    assert status(folder).done == len(plan.shards)
    rank(folder, today=dt.date(2026, 1, 1))
    return redone, (folder / "ranking.csv").read_bytes()


def damaged_copies(made: Path, copy: Path) -> Iterator[Path]:
    """Each file of the folder in turn, of which ``copy`` has one bit turned."""
    for file in sorted(path for path in made.rglob("*") if path.is_file() and "ranking" not in path.name):
        for content in flipped(file.read_bytes(), FLIPS):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(made, copy)
            (copy / file.relative_to(made)).write_bytes(content)
            yield file


def test_a_turned_bit_in_a_file_of_a_corpus_changes_no_result(tmp_path):
    made, copy = tmp_path / "made", tmp_path / "copy"
    make_plan(made, lines(tmp_path / "1.jsonl", range(1, 4)), lines(tmp_path / "2.jsonl", range(3, 5)), shard_size=3)
    _, whole = ranked(made)
    outcomes = Counter()
    for file in damaged_copies(made, copy):
        if file.parent.name == "superseded":  # which is read for shards that are not done
            shutil.rmtree(copy / "shards")
            (copy / "shards").mkdir()
        try:
            redone, table = ranked(copy)
        except HintedError as error:
            outcomes["named" if file.name in str(error) else str(error)] += 1
        else:
            assert table == whole, file.name
            outcomes["redone" if redone else "harmless"] += 1

    assert outcomes.keys() <= {"named", "redone", "harmless"}
    assert outcomes["harmless"] <= 0.05 * outcomes.total()


def test_a_turned_bit_in_the_log_of_a_model_is_named_by_its_line_or_asked_about_again(tmp_path):
    def answers(content: bytes) -> dict[TextKey, LoggedAnswer]:
        file = tmp_path / "log.jsonl"
        file.write_bytes(content)
        log = ShardLog(FolderFile.at_path(file))
        try:
            return {key: log.answer(key) for key in keys if key in log}
        finally:
            log.close()

    model_scene.make_plan(tmp_path, model_scene.articles(2))
    model_scene.read_with_model(tmp_path, model_scene.HONEST)
    content = model_scene.log_files(tmp_path)[0].read_bytes()
    keys = [LoggedAnswer.of_line(line).key for line in content.splitlines(keepends=True)]
    whole, outcomes = answers(content), Counter()
    for damaged in flipped(content, 400):
        try:
            remaining_answers = answers(damaged)
        except FolderRefused as error:
            outcomes["named"] += "is no answer of a model" in str(error)
        else:
            assert remaining_answers.items() < whole.items()
            outcomes["asked about again"] += 1

    assert len(whole) == 2
    assert outcomes.total() == 400
