"""Entries of a Parquet file; needs the extra ``corpus``."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from biofact.core.extras import install_command
from biofact.corpus.inputs.entries import Entry, Identifier, InputDamaged, article_of, entry, pmid_of
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_ROWS = 1_000
"""Read at a time."""


def entries(path: Path, first: int, count: int | None) -> Iterator[Entry]:
    """Entries from number ``first`` on; only the row groups that hold them are read."""
    names = [*CanonicalPubMedArticle.model_fields, "pmid"]
    for facts in _rows(path, names, first, count):
        yield entry(pmid_of(facts), lambda facts=facts: article_of(facts))  # type: ignore[misc]


def identifiers(path: Path) -> Iterator[Identifier]:
    """The PMIDs of a file."""
    for facts in _rows(path, ["pmid", "id"], 0, None):
        yield Identifier(pmid_of(facts))


def _rows(path: Path, names: list[str], first: int, count: int | None) -> Iterator[dict[str, Any]]:
    """Rows from number ``first`` on, with the columns of these names that there are.

    Raises:
        InputDamaged: pyarrow is missing, or cannot read the file.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415  # of the extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError as error:
        raise InputDamaged(f"{path.name}: reading Parquet needs {install_command('corpus')}.") from error
    try:
        with pq.ParquetFile(path) as file:
            sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
            groups, skipped = _groups(sizes, first)
            present = [name for name in file.schema_arrow.names if name in names]
            batches = file.iter_batches(_ROWS, row_groups=groups, columns=present)
            rows = (facts for batch in batches for facts in batch.to_pylist())
            yield from islice(rows, skipped, None if count is None else skipped + count)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's, which does not let us read; what is damaged has no number
        raise InputDamaged(f"{path.name}: {str(error).partition(chr(10))[0]:.300}") from error


def _groups(sizes: list[int], first: int) -> tuple[list[int], int]:
    """The row groups from the one that holds row ``first`` on, and how many rows stand before it there."""
    before = 0
    for number, size in enumerate(sizes):
        if before + size > first:
            return list(range(number, len(sizes))), first - before
        before += size
    return [], 0
