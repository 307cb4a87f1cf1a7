"""A source generated from the template is complete at once: for the linter, its tests, and the generated files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import new_source

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]
NAME, TITLE = "newcomer1", "NEW-comer 1"
FOLDERS = {f"src/biofact/sources/{NAME}", f"src/biofact/sandbox/services/{NAME}", f"tests/sources/{NAME}"}
MOST_LINES = 252
CONFORMANCE = ("quality", "forms", "pages", "verification", "absence")
"""Sources whose tests take seconds; all others are run by ``.ci/run``."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the repository with a new source in it, and the files it had before."""
    root = tmp_path_factory.mktemp("repository")
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "labels")
    for name in ("src", "tests", "tools", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "ARCHITECTURE.md"):
        shutil.copyfile(ROOT / name, root / name)
    before = contents(root)
    done = run(root, "tools/new_source.py", NAME, TITLE)
    assert done.returncode == 0, done.stderr
    return root, before


def contents(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def run(root, *words):
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    return subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def test_nothing_but_its_folders_is_written(tree):
    root, before = tree
    after = contents(root)

    assert {name: after[name] for name in before} == before
    assert {
        next((folder for folder in FOLDERS if name.startswith(f"{folder}/")), name) for name in after.keys() - before
    } == FOLDERS


@pytest.mark.quick
def test_the_template_is_small():
    package = new_source.TEMPLATE / "src"
    lines = sum(len(path.read_text().splitlines()) for path in package.rglob("*.py"))

    assert lines <= MOST_LINES


def test_the_new_source_passes_its_own_tests_and_those_of_all_sources(tree):
    conformance = [f"tests/conformance/test_{name}.py" for name in CONFORMANCE]
    generated = [run(tree[0], f"tools/{name}.py") for name in ("tools_page", "generated_parts")]

    done = run(tree[0], "-m", "pytest", "-q", "-k", NAME, *conformance, f"tests/sources/{NAME}", "tests/test_docs.py")

    assert [run.returncode for run in generated] == [0, 0], [run.stderr for run in generated]
    assert done.returncode == 0, done.stdout


def test_pages_written_by_hand_need_no_line_for_it(tree):
    done = run(tree[0], "-m", "pytest", "-q", "tests/test_architecture.py")

    assert done.returncode == 0, done.stdout


@pytest.mark.quick
def test_sentences_call_it_by_its_title_and_code_by_its_name():
    text = "class AcmeClient: title = 'Acme'  # Acme's acme.service.ACME"

    assert new_source.rename(text, "hgnc", "HGNC") == "class HgncClient: title = 'HGNC'  # HGNC's hgnc.service.HGNC"
    assert new_source.rename(text, "hgnc") == "class HgncClient: title = 'Hgnc'  # Hgnc's hgnc.service.HGNC"


def test_a_source_may_not_be_started_twice(tree):
    done = run(tree[0], "tools/new_source.py", NAME)

    assert (done.returncode, done.stderr) == (1, f"src/biofact/sources/{NAME} exists already.\n")


@pytest.mark.quick
@pytest.mark.parametrize("name", ["", "x", "Ensembl", "1st", "a-b", "thirteenchars"])
def test_a_name_that_is_none_is_refused(name):
    assert new_source.main([name]) == 2


@pytest.mark.quick
@pytest.mark.parametrize(
    "words", [(), ("fine", "fine"), ("fine", 'A"'), ("fine", "Thirteen char"), ("fine", "Fine", "X")]
)
def test_a_title_that_is_none_is_refused(words):
    assert new_source.main([*words]) == 2
