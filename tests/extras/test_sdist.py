"""The sdist as a packager uses it: unpacked, installed in an environment of its own, a part of the tests run."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

needs.installers()  # pip asks the package index here, as it did for those
ROOT = Path(__file__).parents[2]
PART = ("tests/core", "tests/protocol", "tests/test_release.py", "tests/test_deploy.py", "tests/test_platforms.py")


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """The files of the sdist, with an environment that has no other files of ours."""
    folder = tmp_path_factory.mktemp("sdist")
    done(sys.executable, ROOT / "tools" / "sdist.py", folder, cwd=ROOT)
    (packed,) = (folder / "dist").iterdir()
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    done(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    return folder / packed.name.removesuffix(".tar.gz")


def done(*words, cwd: Path) -> str:
    """The output of a command; it has to succeed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BIOFACT_", "PYTHON"))}
    process = subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        env=environment | {"PIP_CONSTRAINT": str(ROOT / "constraints.txt")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=900,
        check=False,
    )
    assert process.returncode == 0, f"{words}\n{process.stdout[-5000:]}"
    return process.stdout


def test_its_tests_run_from_it_alone(tree):
    python = tree.parent / "venv" / "bin" / "python"
    done(python, "-m", "pip", "install", "-q", ".[test]", cwd=tree)

    output = done(python, "-m", "pytest", "-q", "-n", "2", *PART, cwd=tree)

    assert " passed" in output.splitlines()[-1]
    assert done(python, "-P", "-c", "import biofact; print(biofact.__file__)", cwd=tree).startswith(
        str(tree.parent / "venv")
    )
