"""Symbols drawn by a fixed seed: with brackets, colons and slashes, and plain ones; and a corpus that has the fly's.

The recorded gene_info files hold human, mouse and zebrafish. The fly's genes stand in ``fly_symbols.txt``; the IDs that
they have here are made up, in the form of NCBI's own file for the fly.
"""

import functools
import gzip
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biofact.dialects.gene_info import PLACEHOLDER, GeneRow, gene_row
from tests.recordings import FOLDER, recording

SEED = 20261123
HUMAN, MOUSE, ZEBRAFISH, FLY = 9606, 10090, 7955, 7227
FILES = {
    HUMAN: "Homo_sapiens.gene_info.gz",
    MOUSE: "igvfsample_Mus_musculus.gene_info.gz",
    ZEBRAFISH: "Danio_rerio.gene_info.gz",
}
_FLY_FILE = "Drosophila_melanogaster.gene_info.gz"
_SIGNED = re.compile(r"[][():/]")
_kept: list[tempfile.TemporaryDirectory[str]] = []


@dataclass(frozen=True, slots=True)
class Drawn:
    """A gene that its symbol alone names in its species."""

    symbol: str
    taxon_id: int
    gene_id: str
    ensembl_id: str
    """Empty where NCBI names none."""


def fly_rows() -> Iterator[str]:
    """The fly's genes as rows of a gene_info file."""
    lines = (Path(__file__).parent / "fly_symbols.txt").read_text("utf-8").splitlines()
    symbols = dict.fromkeys(word for line in lines if not line.startswith("#") for word in line.split())
    for number, symbol in enumerate(symbols, start=1):
        xrefs = f"FLYBASE:FBgn99{number:05}"
        cells = (FLY, 990_000_000 + number, symbol, "-", "-", xrefs, "-", "-", "-", "protein-coding", symbol, "-", "O")
        yield "\t".join(map(str, (*cells, "-", "20261123", "-")))


@functools.cache
def rows(taxon_id: int) -> list[GeneRow]:
    """All genes of a species."""
    if taxon_id == FLY:
        return [gene_row(row) for row in fly_rows()]
    lines = recording(f"bulk/{FILES[taxon_id]}").decode().splitlines()
    return [gene_row(line) for line in lines[1:]]


@functools.cache
def corpus() -> Path:
    """The recordings with the fly's genes beside them."""
    folder = tempfile.TemporaryDirectory()
    _kept.append(folder)
    root = Path(folder.name)
    (root / "bulk").mkdir()
    for entry in FOLDER.iterdir():
        if entry.name != "bulk":
            (root / entry.name).symlink_to(entry)
    for entry in (FOLDER / "bulk").iterdir():
        (root / "bulk" / entry.name).symlink_to(entry)
    header = "#tax_id\tGeneID\tSymbol"
    (root / "bulk" / _FLY_FILE).write_bytes(gzip.compress("\n".join((header, *fly_rows(), "")).encode(), mtime=0))
    return root


def drawn(taxon_id: int, count: int, *, signed: bool, in_ensembl: bool = False) -> list[Drawn]:
    """So many genes of a species whose symbols have signs, or have none; fewer where there are not so many.

    A symbol that another gene of the species has as well, in whatever letter case, names neither.
    """
    everything = rows(taxon_id)
    named = Counter(symbol for one in everything for symbol in {one.symbol.casefold(), one.official_symbol.casefold()})
    found = []
    for one in everything:
        ids = (*one.ids.get("Ensembl", ()), *one.ids.get("FLYBASE", ()))
        is_gene = one.gene_type != "biological-region" and one.symbol != PLACEHOLDER
        is_named = one.official_symbol in {"", one.symbol} and named[one.symbol.casefold()] == 1
        is_signed = _SIGNED.search(one.symbol) is not None
        if is_gene and is_named and is_signed is signed and (len(ids) == 1 or not in_ensembl):
            found.append(Drawn(one.symbol, taxon_id, one.gene_id, ids[0] if ids else ""))
    return random.Random(f"{SEED} {taxon_id} {signed} {in_ensembl}").sample(found, min(count, len(found)))
