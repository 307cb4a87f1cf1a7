"""Finds the programs and libraries of the extras; if CI requires one, its absence is a failure and no skip."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

_CLIENTS = Path(__file__).parent / "clients"
_INSTALLED = Path(sys.prefix) / "clients"


def redis_server() -> str:
    """The redis-server binary; skips the whole module, in one line, where it or the redis package is missing."""
    binary = shutil.which("redis-server")
    if binary is None or importlib.util.find_spec("redis") is None:
        _missing("no redis: make test-extras installs the package; redis-server comes from the system")
    return binary


def compiler() -> str:
    """A C compiler; skips the whole module, in one line, where there is none or no Linux."""
    binary = shutil.which("gcc")
    if binary is None or sys.platform != "linux":
        _missing("no C compiler for Linux: it comes from the system (apt-get install gcc)")
    return binary


def opentelemetry() -> None:
    """Skips the whole module, in one line, where OpenTelemetry's SDK is missing."""
    if importlib.util.find_spec("opentelemetry.sdk") is None:
        _missing("no OpenTelemetry SDK: make test-extras installs it")


def rdkit() -> None:
    """Skips the whole module, in one line, where RDKit is missing."""
    if importlib.util.find_spec("rdkit") is None:
        _missing("no rdkit: make test-extras installs it")


def scikit_learn() -> None:
    """Skips the whole module, in one line, where scikit-learn or skops is missing."""
    if importlib.util.find_spec("sklearn") is None or importlib.util.find_spec("skops") is None:
        _missing("no scikit-learn: make test-extras installs it and skops")


def crfsuite() -> None:
    """Skips the whole module, in one line, where python-crfsuite or scikit-learn is missing."""
    if importlib.util.find_spec("pycrfsuite") is None or importlib.util.find_spec("sklearn") is None:
        _missing("no python-crfsuite: make test-extras installs it")


def data_frames() -> None:
    """Skips the whole module, in one line, where polars or pandas is missing."""
    if importlib.util.find_spec("polars") is None or importlib.util.find_spec("pandas") is None:
        _missing("no polars or pandas: make test-extras installs both")


def chromium() -> str:
    """The browser; skips the whole module, in one line, where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = next(filter(None, map(shutil.which, names)), None)
    if binary is None:
        _missing("no chromium: it comes from the system (apt-get install chromium)")
    return binary


def node_clients() -> Path:
    """The folder with the clients that run in Node; skips the whole module, in one line, where one is missing."""
    return _node_packages(_CLIENTS, _INSTALLED)


def pyright() -> Path:
    """The type checker of VS Code; skips, in one line, where it is missing."""
    return node_clients() / "node_modules" / ".bin" / "pyright"


def conformance_suite() -> Path:
    """The folder with the conformance suite of MCP; skips the whole module, in one line, where it is missing."""
    return _node_packages(Path(__file__).parents[1] / "mcp_suite", Path(sys.prefix) / "conformance")


def axe_core() -> str:
    """The source of axe-core; skips the whole module, in one line, where it is missing."""
    version = json.loads((_CLIENTS / "package.json").read_text())["dependencies"]["axe-core"]
    folder = _INSTALLED / "node_modules" / "axe-core"
    manifest = folder / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text())["version"] != version:
        _missing(f"no axe-core {version}: make test-extras installs it with npm, which comes from the system")
    return (folder / "axe.min.js").read_text("utf-8")


def python_client() -> Path:
    """A Python with the older of the MCP libraries; skips the whole module, in one line, where it is missing."""
    return _python_with("clients", _INSTALLED / "python")


def libraries() -> Path:
    """A Python with other people's client libraries; skips the whole module, in one line, where one is missing."""
    return _python_with("libraries", Path(sys.prefix) / "libraries")


def installers() -> Path:
    """The folder with pipx and uv; skips the whole module, in one line, where one is missing."""
    return _python_with("installers", Path(sys.prefix) / "installers").parent


def notebook() -> Path:
    """A Python that runs notebooks; skips the whole module, in one line, without what that takes."""
    return _python_with("notebook", Path(sys.prefix) / "notebook")


def tables() -> Path:
    """A Python with the programs that people read tables with; skips the whole module, in one line, without them."""
    return _python_with("tables", Path(sys.prefix) / "tables")


def references() -> Path:
    """A Python with programs that read references; skips the whole module, in one line, where one is missing."""
    return _python_with("references", Path(sys.prefix) / "references")


def pyarrow() -> None:
    """Skips the whole module, in one line, where pyarrow is missing."""
    if importlib.util.find_spec("pyarrow") is None:
        _missing("no pyarrow: make test-extras installs it")


def dask() -> None:
    """Skips the whole module, in one line, where Dask's distributed is missing."""
    if importlib.util.find_spec("distributed") is None:
        _missing("no distributed: make test-extras installs it")


def slurm() -> Path:
    """The folder with a SLURM that is not installed; skips the whole module, in one line, where there is none."""
    folder = Path(sys.prefix) / "slurm"
    if not any(folder.glob("root/usr/sbin/slurmctld*")):
        _missing("no SLURM: make test-extras unpacks it where packages are Debian's")
    return folder


def snakemake() -> Path:
    """A Python with Snakemake; skips the whole module, in one line, where it is missing."""
    return _python_with("snakemake", Path(sys.prefix) / "snakemake")


def jq() -> str:
    """The jq binary; skips the whole module, in one line, where there is none."""
    binary = shutil.which("jq")
    if binary is None:
        _missing("no jq: it comes from the system (apt-get install jq)")
    return binary


def libreoffice() -> str:
    """The soffice binary; skips the test, in one line, where there is none."""
    binary = shutil.which("soffice")
    if binary is None:
        _missing("no LibreOffice: it comes from the system (apt-get install libreoffice-calc-nogui)")
    return binary


def r_with_readxl() -> str:
    """The Rscript binary; skips the test, in one line, where it or its package readxl is missing."""
    binary = shutil.which("Rscript")
    if binary is None or subprocess.run([binary, "-e", "library(readxl)"], capture_output=True, check=False).returncode:
        _missing("no R with readxl: they come from the system (apt-get install r-base-core r-cran-readxl)")
    return binary


def _node_packages(requirements: Path, installed: Path) -> Path:
    dependencies = json.loads((requirements / "package.json").read_text())["dependencies"]
    for name, version in dependencies.items():
        manifest = installed / "node_modules" / name / "package.json"
        if not manifest.exists() or json.loads(manifest.read_text())["version"] != version:
            _missing(
                f"no {name} {version} for Node: make test-extras installs it with npm, which comes from the system"
            )
    return installed


def systemd_analyze() -> str:
    """The program that reads units; skips the whole module, in one line, where there is none."""
    binary = shutil.which("systemd-analyze")
    if binary is None:
        _missing("no systemd-analyze: it comes from the system (apt-get install systemd)")
    return binary


def image_storage() -> Path:
    """The image that ours is built on; skips the whole module, in one line, where there is none.

    Not every machine can run containers, CI's neither; ``make image`` asks for it.
    """
    storage = Path(sys.prefix) / "image"
    if not storage.exists():
        pytest.skip("no storage of images: make image makes one", allow_module_level=True)
    return storage


def _python_with(requirements: str, environment: Path) -> Path:
    python = environment / "bin" / "python"
    wanted_packages = (Path(__file__).parent / requirements / "requirements.txt").read_text().split()
    if not python.exists() or not set(map(_canonical, wanted_packages)) <= set(map(_canonical, _frozen(python))):
        _missing(f"no {' '.join(wanted_packages)}: make test-extras installs it in an environment of its own")
    return python


def _frozen(python: Path) -> list[str]:
    command = [python, "-m", "pip", "freeze", "--disable-pip-version-check"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def _canonical(requirement: str) -> str:
    """pip spells a name now with hyphens, now with underscores."""
    return requirement.replace("_", "-").lower()


def _missing(reason: str) -> NoReturn:
    if os.environ.get("BIOFACT_REQUIRE_EXTRAS", "") == "1":
        raise RuntimeError(reason)
    pytest.skip(reason, allow_module_level=True)
