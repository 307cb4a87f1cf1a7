"""The tests near a change are those of its folder, and those that import the changed modules."""

import subprocess

import pytest
from tools import near

pytestmark = pytest.mark.quick


def test_a_module_of_a_source_brings_its_folder_and_its_part_of_the_conformance_suite():
    selection = near.select(["src/biofact/sources/chembl/parse/molecules.py"])

    assert selection.paths == {"tests/sources/chembl"}
    assert selection.sources == {"chembl"}


def test_a_module_selects_tests_in_other_folders_that_import_it():
    selection = near.select(["src/biofact/tables/spreadsheet.py"])

    assert {"tests/tables", "tests/literature/test_exports.py"} <= selection.paths
    assert selection.sources == set()


def test_a_module_without_a_folder_of_its_own_brings_that_of_the_nearest():
    assert "tests/literature" in near.select(["src/biofact/literature/extraction/text/numbers.py"]).paths


def test_a_helper_of_tests_brings_those_that_use_it():
    assert "tests/test_deadlines.py" in near.select(["tests/served.py"]).paths


def test_a_changed_test_brings_itself_and_what_all_stand_on_brings_all():
    assert near.select(["tests/test_near.py"]).paths == {"tests/test_near.py"}
    assert near.select(["tests/test_near.py", "tests/conftest.py"]).paths == {"tests"}


@pytest.mark.processes
def test_what_a_branch_has_committed_is_changed_too(tmp_path, monkeypatch):
    def git(*words):
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "first")
    git("checkout", "-q", "-b", "mine")
    (tmp_path / "committed.py").touch()
    git("add", "committed.py")
    git("commit", "-q", "-m", "second")
    (tmp_path / "new.py").touch()
    monkeypatch.setattr(near, "ROOT", tmp_path)

    assert [*near._changed(near._fork("main"))] == ["committed.py", "new.py"]
    assert [*near._changed(near._fork("no-such-branch"))] == ["new.py"]


def test_a_page_brings_nothing():
    assert near.select(["docs/guide.md"]) == near.Selection()
