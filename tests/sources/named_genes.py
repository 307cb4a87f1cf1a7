"""The part of the recorded gene files that names may mean: a fiftieth of them, quickly read and searched."""

import gzip
from collections.abc import Iterable
from pathlib import Path

from biofact.sandbox.dialects.gene_info import FOLDER, recorded_rows
from tests import recordings

_FILE = "Homo_sapiens.gene_info.gz"  # for every organism: each row has its own
_MARKS = str.maketrans("", "", "-.,?()\"'")


def part_of_corpus(root: Path, names: Iterable[str]) -> Path:
    """A folder of recordings, made here, with the genes of the names and those with which they may be confused.

    These have a name, or a word of one, as GeneID, symbol or alias, or as the first word of their description.
    """
    names = list(names)
    words = {word.translate(_MARKS).lower() for name in names for word in (name, *name.split())} - {""}
    result = (row for row in recorded_rows(recordings.FOLDER) if not words.isdisjoint(_row_names(row)))
    (root / FOLDER).mkdir()
    (root / FOLDER / _FILE).write_bytes(gzip.compress("".join(f"{row}\n" for row in result).encode(), compresslevel=1))
    return root


def _row_names(row: str) -> tuple[str, ...]:
    _, gene_id, symbol, _, aliases, *_, description, _ = row.split("\t", 9)
    names = symbol if aliases == "-" else f"{symbol}|{aliases}"
    return (gene_id, description.partition(" ")[0].lower(), *names.lower().replace("-", "").split("|"))
