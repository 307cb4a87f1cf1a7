"""The notebook runs, cell by cell, and prints what it shows."""

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

from biofact.clients import sandbox_settings
from biofact.core.tool import specs_of
from biofact.sandbox import Sandbox
from biofact.sources.entrez.client import EntrezClient
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

CELLS = [  # as a person types them
    "import biofact.sync; clients = biofact.sync.open()",
    'clients.entrez.get_gene("NCBIGene:7157")',
    'answer = clients.entrez.get_genes_batch(["NCBIGene:7157", "TP53"]); answer',
    'clients.identity.resolve(["TP53", "NA"]).to_frame()[["name", "id", "reason"]]',
    (
        "from IPython.core.completer import provisionalcompleter\n"
        "with provisionalcompleter():  # as the kernel asks when Tab is pressed\n"
        '    words = [word.text for word in get_ipython().Completer.completions("clients.entrez.", 15)]\n'
        "words"
    ),
]


def printed_text(cell_outputs):
    """The text that a cell prints, in however many messages, and its other output, so that a difference shows."""
    prints = [output for output in cell_outputs if output["output_type"] == "stream" and output["name"] == "stdout"]
    text = "".join("".join(output["text"]) for output in prints)
    return [text, *(output for output in cell_outputs if output not in prints)]


def outputs(notebook, folder, **environment):
    """The outputs of each cell of a notebook that is run."""
    variables = {**os.environ, "BIOFACT_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT / "src"), **environment}
    done = subprocess.run(
        [PYTHON, "-c", RUN, notebook], capture_output=True, text=True, env=variables, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_results_are_tables_and_completion_offers_what_can_be_asked(tmp_path):
    with Sandbox(rate_factor=1000) as sandbox:
        settings = sandbox_settings(sandbox, str(tmp_path))
        cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in CELLS]
        notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
        (tmp_path / "own.ipynb").write_text(json.dumps(notebook), "utf-8")
        cell_outputs = outputs(tmp_path / "own.ipynb", tmp_path, **settings)
    gene, batch, frame, completed = (output["data"] for (output,) in cell_outputs[1:])
    words = ast.literal_eval(completed["text/plain"])

    assert "<td>TP53</td>" in gene["text/html"]
    assert gene["text/plain"].startswith("EntrezGene(")
    assert "=None" not in gene["text/plain"]
    assert "<td>UNRESOLVED_ENTITY</td>" in batch["text/html"]
    assert "NCBIGene:7157" in frame["text/html"]
    assert "missing value" in frame["text/html"]
    assert set(words) == {
        *(spec.ref.method for spec in specs_of(EntrezClient)),
        "get_genes_many",
        "close",
        "transport",
    }


def test_the_notebook_prints_what_it_shows(tmp_path):
    shown_outputs = [
        cell["outputs"] for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"
    ]

    assert list(map(printed_text, outputs(NOTEBOOK, tmp_path))) == list(map(printed_text, shown_outputs))
    assert len(shown_outputs) == 3
