"""What format an input file is in, by its name."""

from pathlib import Path
from typing import Literal

InputFormat = Literal["xml", "ndjson", "parquet"]

_FORMATS: dict[str, InputFormat] = {
    ".xml": "xml",
    ".jsonl": "ndjson",
    ".ndjson": "ndjson",
    ".parquet": "parquet",
}
SUFFIXES = (*_FORMATS, ".xml.gz", ".jsonl.gz", ".ndjson.gz")
"""Endings of names of files that can be read."""


def format_of(path: Path) -> InputFormat:
    """The format of a file.

    Raises:
        ValueError: its name ends in none of ``SUFFIXES``.
    """
    name = path.name.lower()
    plain = name.removesuffix(".gz")
    found = next((kind for suffix, kind in _FORMATS.items() if plain.endswith(suffix)), None)
    if found is None or (found == "parquet" and name != plain):
        raise ValueError(f"{path.name!r} is in no known format; names end in {', '.join(SUFFIXES)}.")
    return found


def is_compressed(path: Path) -> bool:
    """Whether a file is compressed with gzip as a whole."""
    return path.name.lower().endswith(".gz")
