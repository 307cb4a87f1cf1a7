"""NCBI's gene_info files: the recorded ones, and the cells of a row."""

import gzip
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

FILES = (
    "Homo_sapiens.gene_info.gz",
    "Danio_rerio.gene_info.gz",
    "igvfsample_Mus_musculus.gene_info.gz",
    "Drosophila_melanogaster.gene_info.gz",
)
"""Each is read if it exists; no recording has the fly's so far."""
FOLDER = "bulk"
PLACEHOLDER = "NEWENTRY"
"""The symbol of rows that stand for genes yet to be entered."""


class GeneRow(NamedTuple):
    """One row (columns: ftp.ncbi.nlm.nih.gov/gene/DATA/README). Empty where the file has a hyphen."""

    taxon_id: int
    gene_id: str
    symbol: str
    synonyms: tuple[str, ...]
    ids: Mapping[str, Sequence[str]]
    """The dbXrefs by database, cut at the first colon: ``HGNC`` has ``HGNC:5``, ``MIM`` a number."""
    chromosomes: tuple[str, ...]
    map_location: str
    description: str
    gene_type: str
    official_symbol: str
    official_name: str
    nomenclature: str
    """``O`` for official, ``I`` for interim."""
    designations: tuple[str, ...]

    def first_id(self, database: str) -> str:
        """The gene's first identifier in a database; empty without one."""
        return next(iter(self.ids.get(database, ())), "")


def gene_row(row: str) -> GeneRow:
    """The cells of a row."""
    cells = ["" if cell == "-" else cell for cell in row.split("\t")]  # the file's mark for nothing
    return GeneRow(
        taxon_id=int(cells[0]),
        gene_id=cells[1],
        symbol=cells[2],
        synonyms=_split_cell(cells[4]),
        ids=_ids(cells[5]),
        chromosomes=_split_cell(cells[6]),
        map_location=cells[7],
        description=cells[8],
        gene_type=cells[9],
        official_symbol=cells[10],
        official_name=cells[11],
        nomenclature=cells[12],
        designations=_split_cell(cells[13]),
    )


def recorded_rows(recordings: Path) -> Iterator[str]:
    """The rows of the gene_info files in a folder of recordings, placeholders included; none without the files."""
    files = [recordings / FOLDER / name for name in FILES]
    return chain.from_iterable(_lines(file) for file in files if file.is_file())


def _lines(file: Path) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines if not line.startswith("#"))


def _split_cell(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


def _ids(cell: str) -> dict[str, list[str]]:
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for reference in _split_cell(cell):
        database, _, value = reference.partition(":")  # HGNC:HGNC:5 and MGI:MGI:1 repeat the name
        ids[database].append(value)
    return dict(ids)
