"""Symbols as they are written, drawn by a fixed seed from the recorded gene files: each comes first, as a symbol.

``python -m benchmarks.symbols [--json FILE]``. 300 with brackets, colons or slashes, of fly, zebrafish and mouse, with
and without the organism; 300 plain ones, of human, zebrafish and mouse, of which as many come first as before these
signs were read. The recorded files hold no fly: its symbols stand in ``fly_symbols.txt``, and the IDs that they have
here are made up, in the form of NCBI's own file. NCBI names an Ensembl gene for one mouse symbol with signs only, so
that fly and zebrafish make up Ensembl's 300.
"""

import asyncio
import functools
import gzip
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.on_sandbox import open_transport
from benchmarks.report import Result, run
from biofact.interfaces import every_source
from biofact.sandbox import Sandbox
from biofact.sandbox.dialects.gene_info import FOLDER, PLACEHOLDER, GeneRow, gene_row
from biofact.transport.timing import Timing

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
SEED = 20261123
HUMAN, MOUSE, ZEBRAFISH, FLY = 9606, 10090, 7955, 7227
ORGANISMS = {HUMAN: "human", MOUSE: "mouse", ZEBRAFISH: "zebrafish", FLY: "fly"}
_FILES = {
    HUMAN: "Homo_sapiens.gene_info.gz",
    MOUSE: "igvfsample_Mus_musculus.gene_info.gz",
    ZEBRAFISH: "Danio_rerio.gene_info.gz",
}
_FLY_FILE = "Drosophila_melanogaster.gene_info.gz"
_SIGN = re.compile(r"[][():/]")
_SPEED = 50.0
_PATIENT = Timing(rate_factor=_SPEED, deadline_seconds=60.0, read_seconds=60.0)
_PLAIN_BEFORE = {"entrez": 232, "ensembl": 193, "entrez, organism given": 300, "ensembl, organism given": 299}
"""How many of the 300 plain symbols came first as symbols before (commit d98921f), on the same corpus."""
_folders: list["tempfile.TemporaryDirectory[str]"] = []


@dataclass(frozen=True, slots=True)
class DrawnGene:
    """A gene that its symbol alone names in its organism."""

    symbol: str
    taxon_id: int
    gene_id: str
    ensembl_id: str
    """Empty where NCBI names none, or several."""


def drawn_genes(taxon_id: int, count: int, *, is_signed: bool, is_in_ensembl: bool = False) -> list[DrawnGene]:
    """Genes of an organism whose symbols have signs, or have none; fewer where there are not enough.

    A symbol that another gene of the organism has as well, in whatever letter case, names neither.
    """
    rows = gene_rows(taxon_id)
    shared = Counter(symbol for row in rows for symbol in {row.symbol.casefold(), row.official_symbol.casefold()})
    genes = []
    for row in rows:
        ids = (*row.ids.get("Ensembl", ()), *row.ids.get("FLYBASE", ()))
        is_gene = row.gene_type != "biological-region" and row.symbol != PLACEHOLDER
        is_alone = row.official_symbol in {"", row.symbol} and shared[row.symbol.casefold()] == 1
        is_wanted = (_SIGN.search(row.symbol) is not None) is is_signed and (len(ids) == 1 or not is_in_ensembl)
        if is_gene and is_alone and is_wanted:
            genes.append(DrawnGene(row.symbol, taxon_id, row.gene_id, ids[0] if len(ids) == 1 else ""))
    rng = random.Random(f"{SEED} {taxon_id} {is_signed} {is_in_ensembl}")  # a draw, no secret
    return rng.sample(genes, min(count, len(genes)))


def signed(source: str, count: int = 300) -> list[DrawnGene]:
    """Symbols with signs, of fly, zebrafish and mouse."""
    third = count // 3
    if source == "entrez":
        return [gene for taxon_id in (FLY, ZEBRAFISH, MOUSE) for gene in drawn_genes(taxon_id, third, is_signed=True)]
    mouse = drawn_genes(MOUSE, 1, is_signed=True, is_in_ensembl=True)
    fly = drawn_genes(FLY, count // 2, is_signed=True, is_in_ensembl=True)
    return [*mouse, *fly, *drawn_genes(ZEBRAFISH, count - len(fly) - len(mouse), is_signed=True, is_in_ensembl=True)]


def plain(source: str) -> list[DrawnGene]:
    """300 symbols without signs, of human, zebrafish and mouse."""
    is_in_ensembl = source == "ensembl"
    taxa = (HUMAN, ZEBRAFISH, MOUSE)
    return [
        gene for taxon_id in taxa for gene in drawn_genes(taxon_id, 100, is_signed=False, is_in_ensembl=is_in_ensembl)
    ]


@functools.cache
def corpus() -> Path:
    """The recordings, with the fly's genes beside them; it goes when the process ends."""
    folder = tempfile.TemporaryDirectory()
    _folders.append(folder)
    root = Path(folder.name)
    (root / FOLDER).mkdir()
    for entry in (*RECORDINGS.iterdir(), *(RECORDINGS / FOLDER).iterdir()):
        if entry.name != FOLDER:
            (root / entry.relative_to(RECORDINGS)).symlink_to(entry)
    text = "\n".join(("#tax_id\tGeneID\tSymbol", *_fly_rows(), ""))
    (root / FOLDER / _FLY_FILE).write_bytes(gzip.compress(text.encode(), mtime=0))
    return root


async def not_first(source: str, client: Any, genes: Sequence[DrawnGene], *, is_organism_given: bool) -> dict[str, str]:
    """Symbols whose gene is not the first row, as a symbol; and what is."""
    wrong = {}
    for gene in genes:
        parameter = "organism" if source == "entrez" else "species"
        options = {parameter: ORGANISMS[gene.taxon_id]} if is_organism_given else {}
        page = await client.search_genes(gene.symbol, page_size=5, **options)
        gene_id = f"NCBIGene:{gene.gene_id}" if source == "entrez" else gene.ensembl_id
        first = page.items[0] if page.items else None
        if first is None or (first.id, first.match) != (gene_id, "symbol"):
            wrong[gene.symbol] = f"{first.symbol} of {first.id}, {first.match}" if first else "nothing"
    return wrong


def measure() -> list[Result]:
    """Both kinds of symbols, in both databases, with and without the organism."""
    return [result for source in ("entrez", "ensembl") for result in asyncio.run(_source_results(source))]


async def _source_results(source: str) -> list[Result]:
    async with (
        Sandbox(recordings=corpus(), rate_factor=_SPEED * 1.2) as sandbox,
        open_transport(sandbox.environment(), timing=_PATIENT) as transport,
    ):
        client = every_source.client_class(source)(transport)
        return [
            await _count_first(source, client, is_signed=is_signed, is_organism_given=is_given)
            for is_given in (False, True)
            for is_signed in (True, False)
        ]


async def _count_first(source: str, client: Any, *, is_signed: bool, is_organism_given: bool) -> Result:
    genes = signed(source) if is_signed else plain(source)
    label = f"{source}, organism given" if is_organism_given else source
    wrong = await not_first(source, client, genes, is_organism_given=is_organism_given)
    bar = len(genes) if is_signed else _PLAIN_BEFORE[label]
    promise = f"symbols {'with signs' if is_signed else 'without signs'} that come first ({label})"
    note = f"not {', '.join(wrong)}" if is_signed and wrong else ""
    return Result(promise, len(genes) - len(wrong), bar, f"of {len(genes)}", note=note)


@functools.cache
def gene_rows(taxon_id: int) -> list[GeneRow]:
    """The genes of an organism as its file has them."""
    if taxon_id == FLY:
        return [gene_row(row) for row in _fly_rows()]
    with gzip.open(RECORDINGS / FOLDER / _FILES[taxon_id], "rt", encoding="utf-8") as lines:
        return [gene_row(line.rstrip("\n")) for line in lines if not line.startswith("#")]


def _fly_rows() -> Iterator[str]:
    """The fly's genes as rows of a gene_info file."""
    lines = (Path(__file__).parent / "fly_symbols.txt").read_text("utf-8").splitlines()
    symbols = dict.fromkeys(word for line in lines if not line.startswith("#") for word in line.split())
    for number, symbol in enumerate(symbols, start=1):
        names = (FLY, 990_000_000 + number, symbol, "-", "-", f"FLYBASE:FBgn99{number:05}", "-", "-", "-")
        yield "\t".join(map(str, (*names, "protein-coding", symbol, "-", "O", "-", SEED, "-")))


if __name__ == "__main__":
    sys.exit(run(measure, __doc__))
