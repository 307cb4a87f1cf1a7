"""The promises of a release: one version everywhere, types, Python versions."""

import importlib.resources
import re
import tomllib
from pathlib import Path

import pytest

import biofact

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = (ROOT / "CITATION.cff").read_text()


def test_every_file_that_names_the_version_names_the_same():
    cited = re.search(r"^version: (\S+)$", CITATION, re.MULTILINE)

    assert cited is not None
    assert cited[1] == PROJECT["version"] == biofact.__version__


def test_every_file_of_the_package_that_is_no_module_is_in_its_wheel():
    package = ROOT / "src" / "biofact"
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["biofact"]
    packed = {file for pattern in patterns for file in package.glob(pattern)}
    shipped_files = {file for file in package.rglob("*") if file.is_file() and file.suffix not in {".py", ".pyc"}}

    assert shipped_files - packed == set()


def test_the_package_is_marked_as_typed():
    assert importlib.resources.files("biofact").joinpath("py.typed").is_file()
    assert (
        "py.typed"
        in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["biofact"]
    )
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_the_oldest_python_is_the_same_in_every_place():
    versions = re.findall(
        r"Programming Language :: Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE
    )
    oldest = min(versions, key=lambda version: int(version.partition(".")[2]))

    assert PROJECT["requires-python"] == f">={oldest}"
    assert f"Python {oldest} or later" in (ROOT / "README.md").read_text()
    assert f"Python {oldest} or later" in (ROOT / "CONTRIBUTING.md").read_text()
