"""The owner of a folder: other plans, other people's files, two runs at once, disks that are full or closed."""

import datetime as dt
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.review.folder import OUTPUTS, Folder
from biofact.literature.review.questions import StoredAnswer
from tests.literature.made_reviews import outputs, plan, run

pytestmark = pytest.mark.quick

NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


def open_folder(folder: Path, made_rows=None, *, fresh: bool = False):
    return Folder(folder).session(made_rows or plan(), NOW, version="1", fresh=fresh)


def begin(folder: Path) -> None:
    """A run with one answer."""
    with open_folder(folder) as (_, work):
        work.keep("search/one", b"{}")


def test_another_goal_is_refused_and_the_difference_named(tmp_path):
    begin(tmp_path / "run")

    with pytest.raises(FolderRefused, match="begun with another goal and --max-results") as raises:
        open_folder(tmp_path / "run", plan("asthma", max_results=9)).__enter__()
    assert "biofact literature review 'Does metformin prevent type 2 diabetes?' --rules" in raises.value.hint


def test_the_day_and_the_version_of_the_first_start_hold(tmp_path):
    begin(tmp_path / "run")
    now = NOW + dt.timedelta(days=3)

    with Folder(tmp_path / "run").session(plan(), now, version="2") as (run_start, _):
        assert run_start.today == NOW.date()
        assert run_start.versions["biofact"] == "1"


def test_every_later_version_is_listed_once(tmp_path):
    begin(tmp_path / "run")
    for version in ("1", "2", "3", "2"):
        with Folder(tmp_path / "run").session(plan(), NOW, version=version) as (run_start, _):
            pass

    assert run_start.versions["biofact"] == "1"
    assert [later_version["biofact"] for later_version in run_start.later_versions] == ["2", "3"]


def test_the_manifest_names_the_versions_that_went_on(tmp_path):
    begin(tmp_path / "run")
    run(plan(), tmp_path / "run")

    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["versions"]["biofact"] == "1"
    assert [later_version["biofact"] for later_version in manifest["later_versions"]] == ["1.2.3"]


def test_a_fresh_start_forgets_our_files_and_no_others(tmp_path):
    folder = tmp_path / "run"
    run(plan(), folder)
    (folder / "notes.txt").write_text("mine")
    with open_folder(folder, plan("asthma"), fresh=True) as (run_start, work):
        assert run_start.plan.request.research_goal == "asthma"
        assert {path.name for path in folder.iterdir()} == {".work", "notes.txt"}
        assert not [path for path in (folder / ".work").iterdir() if path.is_dir()]
        assert work.damaged == []


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("name", ["thesis.docx", "report.html", ".work"])
def test_a_folder_of_other_files_is_never_changed(name, fresh, tmp_path):
    (tmp_path / name).write_text("mine")

    with pytest.raises(FolderRefused, match="holds files that are not of a review"):
        open_folder(tmp_path, fresh=fresh).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_a_folder_of_work_that_is_a_link_is_not_followed(tmp_path):
    begin(tmp_path / "other")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".work").symlink_to(tmp_path / "other" / ".work")

    with pytest.raises(FolderRefused):
        open_folder(tmp_path / "run", fresh=True).__enter__()
    assert (tmp_path / "other" / ".work" / "search" / "one").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(FolderRefused, match="is a file"):
        open_folder(tmp_path / "file").__enter__()


def test_an_empty_folder_and_one_whose_run_was_killed_at_once_are_new(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "begun" / ".work").mkdir(parents=True)
    (tmp_path / "begun" / ".work" / "lock").write_bytes(b" 1\n")
    (tmp_path / "begun" / ".work" / ".part-1").write_bytes(b"half")

    for name in ("empty", "begun"):
        begin(tmp_path / name)
        assert (tmp_path / name / ".work" / "plan.json").exists()


def test_a_plan_that_got_nowhere_gives_way(tmp_path):
    with open_folder(tmp_path / "run", plan("asthma")):
        pass
    with open_folder(tmp_path / "run") as (run_start, _):
        assert run_start.plan == plan()


def test_a_damaged_plan_is_reported_and_kept_for_a_fresh_start(tmp_path):
    begin(tmp_path / "run")
    file = tmp_path / "run" / ".work" / "plan.json"
    file.write_bytes(file.read_bytes()[:-20])

    with pytest.raises(FolderRefused, match="damaged"):
        open_folder(tmp_path / "run").__enter__()
    with open_folder(tmp_path / "run", fresh=True) as (run_start, _):
        assert run_start.plan == plan()


@pytest.mark.processes
def test_two_runs_do_not_share_a_folder(tmp_path):
    program = (
        "import sys, datetime as dt, pathlib\n"
        "from biofact.literature.review.folder import Folder\n"
        "from biofact.literature.review.plan import ReviewPlan\n"
        "from biofact.literature.query.records import QueryRequest\n"
        "plan = ReviewPlan(request=QueryRequest(research_goal='Does metformin prevent type 2 diabetes?'))\n"
        "with Folder(pathlib.Path(sys.argv[1])).session(plan, dt.datetime.now(dt.UTC), version='1'):\n"
        "    print('in', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "run")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as other:
        assert other.stdout.readline() == b"in\n"
        with pytest.raises(FolderRefused, match=rf"Another review \(process {other.pid}\) is at work"):
            open_folder(tmp_path / "run").__enter__()
        other.kill()

    with open_folder(tmp_path / "run") as (run_start, _):
        assert run_start.plan == plan()


@pytest.mark.parametrize("after", [0, 12, *(pytest.param(after, marks=pytest.mark.sweep) for after in (1, 5, 20))])
def test_a_full_disk_is_reported_and_the_run_continues_when_there_is_room(after, tmp_path, monkeypatch):
    sync, number = os.fsync, iter(range(2 * after))

    def full(file):
        if next(number, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(file)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteFailed, match="no space left on device"):
        run(plan(), tmp_path / "run")
    monkeypatch.undo()
    assert not list((tmp_path / "run").rglob(".part-*"))
    result, _ = run(plan(), tmp_path / "run")

    assert result.damaged == []
    assert set(outputs(tmp_path / "run")) == set(OUTPUTS)


def test_a_path_through_a_file_is_reported(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(WriteFailed, match="cannot be written: not a directory"):
        open_folder(tmp_path / "file" / "run").__enter__()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_is_reported(tmp_path):
    (tmp_path / "run").mkdir(mode=0o500)

    with pytest.raises(WriteFailed, match="cannot be written: permission denied"):
        open_folder(tmp_path / "run").__enter__()


def test_answers_are_kept_under_the_names_of_earlier_versions():
    kept_values = '{"value": 1, "refusal": null, "told": [], "notices": []}'

    answer = StoredAnswer.model_validate_json(kept_values)

    assert json.loads(answer.model_dump_json()) == json.loads(kept_values)
