"""Finds the recorded answers of the services; they are not part of this repository."""

import functools
import gzip
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from biofact.sandbox.dialects import gene_info
from biofact.sandbox.dialects.gene_info import recorded_rows

FOLDER = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
IS_REQUIRED = os.environ.get("BIOFACT_REQUIRE_RECORDINGS", "").strip() in {"1", "true", "yes", "on"}

GENE_TABLES = (  # of NCBI, the newest first: a gene in one of them is not compared with the next
    "bulk/genenorm_ncbi_info_20260421.tsv",
    "bulk/Homo_sapiens.gene_info.gz",
    "bulk/igvfsample_Mus_musculus.gene_info.gz",
    "bulk/Danio_rerio.gene_info.gz",
    "bulk/gene_info_excerpt_bio2bel.tsv",
)
needs_recordings = pytest.mark.skipif(
    not IS_REQUIRED and not FOLDER.is_dir(), reason="no recordings: set BIOFACT_RECORDINGS to their folder"
)


def recording(name: str) -> bytes:
    """The bytes of one recording, unpacked. Skips if there are no recordings, fails if they are required."""
    path = FOLDER / name
    if not path.is_file() and not IS_REQUIRED:
        pytest.skip("no recordings: set BIOFACT_RECORDINGS to their folder")
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def recorded_genes(gene_ids: Collection[str]) -> list[str]:
    """The rows of these genes in the recorded gene_info files, in their order. Skips if there are no recordings."""
    wanted_ids = frozenset(gene_ids)
    return [row for gene_id, row in _every_gene().items() if gene_id in wanted_ids]


@functools.cache
def _every_gene() -> dict[str, str]:
    if not FOLDER.is_dir() and not IS_REQUIRED:
        pytest.skip("no recordings: set BIOFACT_RECORDINGS to their folder")
    return {row.split("\t", 2)[1]: row for row in recorded_rows(FOLDER)}


@functools.cache
def gene_table(taxon_id: int) -> tuple[tuple[str, ...], ...]:
    """The cells of each row of an organism in the recorded gene_info files. Skips if there are no recordings."""
    return tuple(tuple(row.split("\t")) for row in _every_gene().values() if row.startswith(f"{taxon_id}\t"))


@contextmanager
def folder_of_genes(rows: Iterable[str]) -> Iterator[Path]:
    """A folder of recordings that has these rows of gene_info files, and nothing else: it is read at once."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / gene_info.FOLDER).mkdir()
        (root / "REQUESTS.tsv").write_text("file\trecorded\tera\tstatus\tfidelity\tservice\tpath\n")
        table = gzip.compress("".join(f"{row}\n" for row in rows).encode(), mtime=0)
        (root / gene_info.FOLDER / gene_info.FILES[0]).write_bytes(table)  # the rows name their organism
        yield root
