"""Recordings with a few genes of each gene_info file: to read all genes takes seconds."""

import functools
import gzip
import tempfile
from itertools import islice
from pathlib import Path

import pytest
from benchmarks.symbols import corpus

from biofact.sandbox.dialects.gene_info import FOLDER
from tests.recordings import FOLDER as RECORDINGS

FIRST = 200
"""Genes of each file."""
OTHER_ROWS = {
    "Homo_sapiens.gene_info.gz": {
        *("916", "3643", "4625", "5133", "6469", "7157", "8090", "9520"),
        *("192343", "6775063", "8923184"),  # a placeholder, and genes of other species at the file's end
    },
    "Danio_rerio.gene_info.gz": {"30590"},
    "igvfsample_Mus_musculus.gene_info.gz": {"12189", "106049963", "7668591", "3338889"},
}
"""GeneIDs that are searched for after these."""
kept_values: list["tempfile.TemporaryDirectory[str]"] = []


@functools.cache
def few_genes() -> Path:
    """All other recordings, and these; the folder is deleted when the process ends."""
    folder = tempfile.TemporaryDirectory()
    kept_values.append(folder)
    root = Path(folder.name)
    (root / FOLDER).mkdir()
    for entry in (*RECORDINGS.iterdir(), *(RECORDINGS / FOLDER).iterdir()):
        if entry.name != FOLDER and not entry.name.endswith(".gene_info.gz"):
            (root / entry.relative_to(RECORDINGS)).symlink_to(entry)
    for name, value in OTHER_ROWS.items():
        with gzip.open(RECORDINGS / FOLDER / name, "rt", encoding="utf-8") as lines:
            rows = [*islice(lines, FIRST + 1), *(line for line in lines if line.split("\t", 2)[1] in value)]
        (root / FOLDER / name).write_bytes(gzip.compress("".join(rows).encode(), mtime=0))
    return root


few_and_all = pytest.mark.parametrize(
    "recorded_genes", [pytest.param(few_genes, id="few"), pytest.param(corpus, id="all", marks=pytest.mark.sweep)]
)
"""Runs a test on a few recorded genes, and in the sweep on all 219,000; it gets a function that returns the folder."""
