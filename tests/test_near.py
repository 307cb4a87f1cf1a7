"""The tests near a change are those of its folder, and those that import the changed modules."""

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


def test_a_page_brings_nothing():
    assert near.select(["docs/guide.md"]) == near.Selection()
