"""A first pass over an input file: what is in it, and whether it is whole."""

import hashlib
import io
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biofact.corpus import inputs
from biofact.corpus.inputs import InputDamaged
from biofact.literature import files

Places = NDArray[np.int64]
NO_PMID = -1


@dataclass(frozen=True, slots=True)
class Survey:
    """What an input file is like."""

    size: int = 0
    """Bytes."""
    sha256: str = ""
    entries: int = 0
    fault: str = ""
    """Why it cannot be read to its end."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Which articles an input file has."""

    pmids: Places
    """Of its entries in their order; -1 for one without."""
    offsets: Places
    """Where each entry begins, in bytes; zeros where the file cannot be read from within."""
    deleted: Places


def survey(path: Path, kept: Path) -> Survey:
    """Read a file for its hash and its PMIDs, which are kept in another. A damaged one is an answer, too.

    Raises:
        WriteFailed: the system refuses the write.
    """
    pmids, offsets, deleted = array("q"), array("q"), array("q")
    try:
        size, digest = path.stat().st_size, sha256(path)
        for one in inputs.identifiers(path):
            number = int(one.pmid) if one.pmid else NO_PMID
            if one.is_deletion:
                deleted.append(number)
            else:
                pmids.append(number)
                offsets.append(one.offset)
    except InputDamaged as damage:
        return Survey(fault=f"{damage} Before it stand {len(pmids):,} articles.")
    except OSError as error:
        return Survey(fault=f"{path.name}: {(error.strerror or str(error)).lower()}.")
    files.write(kept, packed(pmids=_array(pmids), offsets=_array(offsets), deleted=_array(deleted)))
    return Survey(size, digest, len(pmids))


def identifiers(kept: Path) -> Identifiers:
    """What a survey kept."""
    with np.load(kept) as found:
        return Identifiers(found["pmids"], found["offsets"], found["deleted"])


def sha256(path: Path) -> str:
    """The hash of a file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def packed(**arrays: NDArray[np.generic]) -> bytes:
    """Arrays by name as ``numpy.load`` reads them; the same arrays are the same bytes."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for its own option
    return content.getvalue()


def _array(numbers: "array[int]") -> Places:
    return np.frombuffer(numbers, dtype=np.int64) if numbers else np.empty(0, np.int64)
