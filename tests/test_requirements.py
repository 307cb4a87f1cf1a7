"""Every row of the specifications has a test or a ruling, and the page names it."""

import csv
import functools
import sys

import pytest
from tools import requirements

from tests.recordings import FOLDER

pytestmark = pytest.mark.quick

SPECIFICATION = FOLDER.parent / "specs" / "requirements.tsv"
ROWS = '["000"]\nR1 = "One"\n"R2 a|b" = "Two"\n[all]\ncli = "Commands"\n'
DEPARTURES = '["000 R2 a|b"]\nruling = "ruling 5"\nbecause = "It is better so."\n'
TEST = '@requirement("000 R1", "all cli")\n@other("000 R3")\nasync def test_it_holds():\n    """Text."""\n'


@functools.cache
def marked_tests():
    """Rows, departures and marks of this repository."""
    return requirements.read(requirements.TESTS)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the tool on tests of its own, with these changes."""
    tests = tmp_path / "tests"
    (tests / "deep").mkdir(parents=True)
    monkeypatch.setattr(requirements, "TESTS", tests)
    monkeypatch.setattr(requirements, "PAGE", tmp_path / "requirements.md")

    def main(*arguments, rows=ROWS, departures=DEPARTURES, test=TEST):
        (tests / "requirements.toml").write_text(rows)
        (tests / "departures.toml").write_text(departures)
        (tests / "deep" / "test_toy.py").write_text(test)
        monkeypatch.setattr(sys, "argv", ["requirements.py", *arguments])
        return requirements.main(), requirements.PAGE

    return main


def test_every_row_has_a_test_or_a_ruling_and_every_mark_a_row():
    assert [*requirements.problems(*marked_tests())] == []


def test_the_page_is_as_the_marks_make_it():
    assert requirements.PAGE.read_text("utf-8") == requirements.page(*marked_tests())


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="no specifications beside the recordings")
def test_the_rows_are_those_of_the_specifications():
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        specified_rows = [tuple(line[:2]) for line in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]
    rows, _, _ = marked_tests()

    assert [(specification, row) for specification, texts in rows.items() for row in texts] == specified_rows


def test_a_page_names_test_or_ruling_of_each_row(run):
    code, page = run()

    lines = page.read_text().splitlines()
    link = "[`test_it_holds`](../tests/deep/test_toy.py)"
    assert code == 0
    assert f"| `R1` | One | {link} |" in lines
    assert "| `R2 a\\|b` | Two | departs, ruling 5: It is better so. |" in lines
    assert f"| `cli` | Commands | {link} |" in lines
    assert run("--check") == (0, page)


def test_a_stale_or_missing_page_fails(run, capsys):
    assert run("--check")[0] == 1
    _, page = run()
    page.write_text("by hand")
    assert run("--check")[0] == 1

    assert capsys.readouterr().err == "docs/requirements.md is stale: run make docs\n" * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"departures": ""}, "000 R2 a|b has no test and no ruling: mark the test that holds it"),
        ({"test": ""}, "000 R1 has no test and no ruling"),
        ({"test": "def test_it_holds(): ...\n"}, "all cli has no test and no ruling"),
        ({"test": TEST.replace("test_it", "it")}, "000 R1 has no test and no ruling"),
        ({"rows": ROWS + 'new = "New"\n'}, "all new has no test and no ruling"),
        ({"rows": ROWS.replace("R1", "R9")}, "deep/test_toy.py marks test_it_holds with '000 R1', which is no row"),
        ({"rows": ROWS.replace("R2 a|b", "R1b")}, "departures.toml has '000 R2 a|b', which is no row"),
    ],
)
@pytest.mark.parametrize("arguments", [(), ("--check",)])
def test_a_row_without_either_and_a_mark_without_a_row_are_errors(run, capsys, arguments, change, message):
    code, _ = run(*arguments, **change)

    assert code == 1
    assert message in capsys.readouterr().err
