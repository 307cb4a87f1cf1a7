"""The names that ``import biofact`` offers."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import biofact
from biofact import sources

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]


def test_the_offered_names_exist():
    values = {name: getattr(biofact, name) for name in biofact.__all__}

    assert [name for name, value in values.items() if not (inspect.isclass(value) or inspect.isfunction(value))] == []
    assert {name: value.__name__ for name, value in values.items()} == {name: name for name in values}
    assert [name for name, value in values.items() if not inspect.getdoc(value)] == []


@pytest.mark.processes
@pytest.mark.parametrize("source", sources.names())
def test_every_source_is_offered_and_imported_alone(source):
    name = sources.client_class(source).__name__
    code = f"import sys; from biofact import {name}; print(*sys.modules)"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    modules = {module for module in run.stdout.split() if module.startswith("biofact.")}
    other_names = "|".join(other for other in sources.names() if other != source)
    assert f"biofact.sources.{source}.client" in modules
    foreign = re.compile(rf"biofact\.(interfaces|literature|sandbox|sources\.({other_names}))\b")
    assert [module for module in modules if foreign.match(module)] == []


def test_type_checkers_see_the_offered_names():
    tree = ast.parse(Path(biofact.__file__).read_text(encoding="utf-8"))
    (branch,) = (node for node in tree.body if isinstance(node, ast.If))

    names = {alias.name: node.module for node in branch.body for alias in node.names}

    assert sorted(names) == sorted(biofact.__all__)
    for name, home in names.items():
        assert getattr(biofact, name) is getattr(sys.modules[home], name)


def test_all_public_names_are_listed():
    assert dir(biofact) == sorted([*biofact.__all__, "__version__"])
    with pytest.raises(AttributeError, match="module 'biofact' has no attribute 'CallTool'"):
        _ = biofact.CallTool


@pytest.mark.processes
def test_importing_the_package_costs_nothing():
    code = "import sys; before = set(sys.modules); import biofact; print(sorted(set(sys.modules) - before))"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)

    assert {name.split(".")[0] for name in ast.literal_eval(run.stdout)} <= {"biofact", *sys.stdlib_module_names}
    assert "biofact.interfaces" not in run.stdout


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert biofact.__version__ == project["version"]
