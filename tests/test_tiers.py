"""A test has a tier, only the chosen tiers run, and a quick test starts no process."""

import sys

import pytest

from tests.tiers import MOST_PROCESSES, TIERS, sample_and_rest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.quick

CONFTEST = """
    from tests.tiers import TIERS, Tiers

    def pytest_addoption(parser):
        parser.addoption("--tier", action="append", choices=TIERS)

    def pytest_configure(config):
        for tier in TIERS:
            config.addinivalue_line("markers", tier)
        config.pluginmanager.register(Tiers(config.getoption("tier")))
"""


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs a file of tests, within this process, under the tiers."""
    pytester.makeconftest(CONFTEST)

    def run_suite(text, *options, is_watched=False):
        pytester.makepyfile(test_toy=f"import os, subprocess, sys\nimport pytest\n{text}")
        with monkeypatch.context() as patch:
            if not is_watched:  # an audit hook stays until the end of this process
                patch.setattr(sys, "addaudithook", lambda hook: None)
            return pytester.runpytest_inprocess(
                "-p", "no:biofact", "-p", "no:cacheprovider", "-p", "no:xdist", *options
            )

    return run_suite


def test_a_test_without_a_tier_is_refused(run):
    result = run("def test_toy(): pass")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: test_toy.py::test_toy has no tier: mark it, or its file, pytest.mark.quick, processes or sweep."]
    )


MARKED_TESTS = """
pytestmark = pytest.mark.quick

def test_as_its_file_says(): pass

@pytest.mark.sweep
def test_as_its_own_mark_says(): pass

@pytest.mark.parametrize("row", [1, pytest.param(2, marks=pytest.mark.processes)])
def test_as_its_row_says(row): pass
"""


@pytest.mark.parametrize(
    ("tiers", "names"),
    [
        (["quick"], ["test_as_its_file_says", "test_as_its_row_says[1]"]),
        (["sweep"], ["test_as_its_own_mark_says"]),
        (["processes", "sweep"], ["test_as_its_own_mark_says", "test_as_its_row_says[2]"]),
        (
            [],
            [
                "test_as_its_file_says",
                "test_as_its_own_mark_says",
                "test_as_its_row_says[1]",
                "test_as_its_row_says[2]",
            ],
        ),
    ],
)
def test_the_nearest_mark_counts_and_the_chosen_tiers_run(run, tiers, names):
    result = run(MARKED_TESTS, "-v", *(f"--tier={tier}" for tier in tiers))

    assert [line.split("::")[1].split()[0] for line in result.outlines if " PASSED" in line] == names
    result.assert_outcomes(passed=len(names), deselected=4 - len(names))


def test_a_file_without_a_test_of_the_chosen_tiers_is_not_imported(run):
    result = run("pytestmark = pytest.mark.sweep\nraise AssertionError", "--tier=quick")

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


PROCESS_TESTS = """
import multiprocessing.util

pytestmark = pytest.mark.quick

def start():
    subprocess.run([sys.executable, "-c", "pass"], check=True)

@pytest.fixture
def child():
    start()

def test_child(): start()

def test_fork(): os.fork() or os._exit(0)

def test_with_a_child_made_for_it(child): pass

def test_of_multiprocessing():
    words = [sys.executable, "-c", "sum(range(3_000_000))"]
    os.waitpid(multiprocessing.util.spawnv_passfds(os.fsencode(sys.executable), words, ()), 0)

@pytest.mark.processes
def test_that_may(): start()

def test_none(): pass
"""


@pytest.mark.quick(starts="two children: one in a test that may, one as multiprocessing does, which is seen afterwards")
def test_a_quick_test_that_starts_a_process_fails(run):
    result = run(PROCESS_TESTS, is_watched=True)

    result.assert_outcomes(passed=2, failed=3, errors=1)
    sentence = "E * test_toy.py::{} is a quick test and starts a process: mark it pytest.mark.processes."
    for name in ("test_with_a_child_made_for_it", "test_child", "test_fork", "test_of_multiprocessing"):
        result.stdout.fnmatch_lines([sentence.format(name)])


def process_tests(count):
    return "".join(f"@pytest.mark.quick(starts='a child')\ndef test_{number}(): pass\n" for number in range(count))


def test_as_many_quick_tests_as_are_allowed_may_start_a_process(run):
    run(process_tests(MOST_PROCESSES)).assert_outcomes(passed=MOST_PROCESSES)


def test_more_than_that_are_refused(run):
    result = run(process_tests(MOST_PROCESSES + 1))

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: More than {MOST_PROCESSES} quick tests start a process:", "test_toy.py::test_0"]
    )


@pytest.mark.parametrize("count", [0, 1, 7, 250])
def test_a_sample_and_the_rest_cover_each_row_once_and_are_the_same_each_time(count):
    rows = [f"row {number}" for number in range(count)]

    sets = sample_and_rest(rows, 7)

    assert sorted(row for row_set in sets for row in row_set.values[0]) == sorted(rows)
    assert [len(row_set.values[0]) for row_set in sets] == ([count] if count <= 7 else [7, count - 7])
    assert [mark.name for row_set in sets for mark in row_set.marks] == ["quick", "sweep"][: len(sets)]
    assert sample_and_rest(rows, 7) == sets


def test_a_sample_is_drawn_from_everywhere():
    ((sample,), (rest,)) = (row_set.values for row_set in sample_and_rest(range(1000)))

    assert len(sample) == 100
    assert min(sample) < 100
    assert max(sample) >= 900
    assert rest[0] < 10
    assert set(TIERS) >= {"quick", "sweep"}
