"""A run does the missing shards: the same bytes from any engine, errors as rows, three attempts before a failure."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from biofact.corpus import shards
from biofact.corpus.folder import CorpusFolder, status
from biofact.corpus.records import VERSION
from biofact.corpus.runs import ProcessEngine, retry, run
from biofact.corpus.shards import run_shard
from biofact.literature.files import FolderRefused
from tests.corpus.made_corpora import done
from tests.corpus.made_files import COHORT, article, xml_file
from tests.corpus.test_planning import make_plan

pytestmark = pytest.mark.quick


@pytest.fixture
def files(tmp_path):
    """Two files of five articles each, one of which cannot be read."""
    broken = article(3).replace("<ArticleTitle>", "<ArticleTitle><b>")
    first = xml_file(tmp_path / "n1.xml", article(1), article(2, "A cohort", COHORT), broken, article(4), article(5))
    return [first, xml_file(tmp_path / "n2.xml.gz", *(article(pmid, "A cohort", COHORT) for pmid in range(6, 11)))]


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted((folder / "shards").iterdir())}


@pytest.mark.processes
def test_one_process_many_and_parts_write_the_same_bytes(tmp_path, files):
    for name in ("one", "many", "parts"):
        make_plan(tmp_path / name, files, shard_size=2, parts=3)
    asyncio.run(run(tmp_path / "many", ProcessEngine(3)))
    for part in (3, 1, 2):
        asyncio.run(run(tmp_path / "parts", ProcessEngine(1), part=part))
    for number in range(6):
        run_shard(tmp_path / "one", number)

    assert digests(tmp_path / "one") == digests(tmp_path / "many") == digests(tmp_path / "parts")
    assert len(digests(tmp_path / "one")) == 18


def test_a_row_says_what_was_read_and_how(tmp_path, files):
    make_plan(tmp_path / "run", files)
    run_shard(tmp_path / "run", 0)
    place = CorpusFolder(tmp_path / "run")
    result = list(shards.read_rows(place.rows_file(0)))

    assert [row["status"] for row in result] == ["read", "read", "error", "read", "read"]
    trial, cohort, broken = result[:3]
    assert (trial["pmid"], trial["version"], trial["file"], trial["method"]) == ("1", 1, "n1.xml", "rules")
    assert trial["features"]["sample_size"] == 822
    assert trial["features"]["study_type"] == "randomized controlled trial"
    (quote,) = trial["evidence"]["sample_size"]
    assert quote["where"] == "abstract"
    assert "822" in quote["quote"]
    assert trial["score_parts"]["study_type"] > cohort["score_parts"]["study_type"]
    assert broken == {"pmid": "3", "version": 1, "file": "n1.xml", "status": "error", "code_version": VERSION} | {
        "error": broken["error"]
    }
    assert "not well-formed" in broken["error"]


def test_rows_are_found_by_their_place(tmp_path, files):
    make_plan(tmp_path / "run", files)
    run_shard(tmp_path / "run", 0)
    place = CorpusFolder(tmp_path / "run")
    columns = shards.Columns.of_content(place.columns_file(0).read_bytes())

    assert columns.places.tolist() == [0, 1, 3, 4]
    assert columns.pmids.tolist() == [1, 2, 4, 5]
    result = dict(shards.rows_at(place.rows_file(0), [4, 1], columns.blocks.tolist()))
    assert {place_of_row: row["pmid"] for place_of_row, row in result.items()} == {1: "2", 4: "5"}


@pytest.mark.parametrize("jobs", [0, pytest.param(2, marks=pytest.mark.processes)])
def test_a_file_that_has_changed_fails_three_times_and_the_rest_is_done(tmp_path, files, jobs):
    make_plan(tmp_path / "run", files)
    content = files[0].read_bytes()
    xml_file(files[0], article(1))

    end = done(tmp_path / "run", jobs)
    second_end = done(tmp_path / "run")

    assert (end.progress.done, end.progress.failures) == (1, 3)
    assert end.failed == second_end.failed == {0: "n1.xml is not the file that the run was planned with."}
    assert second_end.progress.failures == 0
    files[0].write_bytes(content)
    assert retry(tmp_path / "run") == 1
    assert done(tmp_path / "run").is_complete
    result = status(tmp_path / "run")
    assert (result.done, result.read, result.errors, result.failed) == (2, 9, 1, {})


@pytest.mark.processes
def test_shards_that_are_done_are_not_repeated(tmp_path, files):
    make_plan(tmp_path / "run", files)
    asyncio.run(run(tmp_path / "run", ProcessEngine(1)))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "shards").iterdir()}
    steps = []

    end = asyncio.run(run(tmp_path / "run", ProcessEngine(1), on_progress=lambda now: steps.append(now.done)))

    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert (end.is_complete, end.progress.read, steps) == (True, 0, [2])


@pytest.mark.parametrize("part", [0, 3, -1])
def test_a_part_that_was_not_planned_is_refused(tmp_path, files, part):
    make_plan(tmp_path / "run", files, parts=2)

    with pytest.raises(ValueError, match="parts 1 to 2"):
        asyncio.run(run(tmp_path / "run", ProcessEngine(1), part=part))


def test_a_folder_without_a_plan_is_refused(tmp_path):
    with pytest.raises(FolderRefused, match="no plan"):
        asyncio.run(run(tmp_path, ProcessEngine(1)))
