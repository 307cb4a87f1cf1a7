"""The notebook runs, cell by cell, and prints what it shows."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.extras import needs

pytestmark = pytest.mark.extras

PYTHON = needs.notebook()
ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
json.dump([cell.outputs for cell in notebook.cells if cell.cell_type == "code"], sys.stdout)
"""


def printed_text(outputs):
    """The text that a cell prints, in however many messages, and its other output, so that a difference shows."""
    prints = [output for output in outputs if output["output_type"] == "stream" and output["name"] == "stdout"]
    text = "".join("".join(output["text"]) for output in prints)
    return [text, *(output for output in outputs if output not in prints)]


def test_the_notebook_prints_what_it_shows(tmp_path):
    shown_outputs = [
        cell["outputs"] for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"
    ]
    environment = {**os.environ, "BIOFACT_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}

    done = subprocess.run(
        [PYTHON, "-c", RUN, NOTEBOOK], capture_output=True, text=True, env=environment, timeout=300, check=False
    )

    assert done.returncode == 0, done.stderr
    assert list(map(printed_text, json.loads(done.stdout))) == list(map(printed_text, shown_outputs))
    assert len(shown_outputs) == 3
