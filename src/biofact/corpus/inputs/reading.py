"""Entries of a file or of a slice of it, whatever its format."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from biofact.core.errors import UpstreamError
from biofact.corpus.inputs import ndjson, pubmed_xml
from biofact.corpus.inputs.entries import Entry, Identifier, InputDamaged
from biofact.corpus.inputs.formats import format_of, is_compressed
from biofact.dialects.xml import HostileDocument
from biofact.transport.service import BodyTooLarge, Transient


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a file: ``count`` entries from number ``first`` on, counted from 0."""

    first: int = 0
    count: int | None = None
    """None for all that follow."""
    offset: int = 0
    """Where the first of them begins in a file that can be read from there, in bytes; else 0."""


def entries(path: Path, part: Slice) -> Iterator[Entry]:
    """The entries of a part of a file, in their order.

    Raises:
        InputDamaged: the file is cut short, corrupt or something else; entries before the fault have been given.
        OSError: it cannot be read.
    """
    with _reading(path):
        yield from _entries(path, part)


def identifiers(path: Path) -> Iterator[Identifier]:
    """What tells the entries of a file apart, deletions among them.

    Raises:
        InputDamaged: as for ``entries``.
        OSError: it cannot be read.
    """
    with _reading(path):
        kind = format_of(path)
        if kind == "parquet":
            from biofact.corpus.inputs import parquet  # noqa: PLC0415  # of the extra

            yield from parquet.identifiers(path)
            return
        with _opened(path) as stream:
            if kind == "xml":
                yield from pubmed_xml.identifiers(stream)
            else:
                yield from ndjson.identifiers(stream, can_seek=not is_compressed(path))


def _entries(path: Path, part: Slice) -> Iterator[Entry]:
    kind = format_of(path)
    if kind == "parquet":
        from biofact.corpus.inputs import parquet  # noqa: PLC0415  # of the extra

        yield from parquet.entries(path, part.first, part.count)
        return
    with _opened(path) as stream:
        if kind == "xml":
            yield from pubmed_xml.entries(stream, part.first, part.count)
        elif part.offset:
            stream.seek(part.offset)
            yield from ndjson.entries(stream, part.first, part.count, at=part.first)
        else:
            yield from ndjson.entries(stream, part.first, part.count)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    with cast("BinaryIO", gzip.open(path, "rb")) if is_compressed(path) else path.open("rb") as stream:
        yield stream


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Whatever a damaged file fails with becomes one kind of error."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputDamaged(f"{path.name}: the compressed file is damaged or cut short ({error}).") from error
    except HostileDocument as error:
        raise InputDamaged(
            f"{path.name}: it declares entities or a DTD of its own, as no file of PubMed does."
        ) from error
    except BodyTooLarge as error:
        raise InputDamaged(f"{path.name}: one of its articles is too large to be one.") from error
    except (Transient, UpstreamError) as error:
        raise InputDamaged(f"{path.name}: {_sentence(error)}") from error


def _sentence(error: Exception) -> str:
    text = str(getattr(error, "reason", None) or getattr(error, "message", None) or error)
    return f"{text.rstrip('.'):.300}."
