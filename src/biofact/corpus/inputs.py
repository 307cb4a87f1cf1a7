"""The articles of an input file, one after the other: PubMed XML, NDJSON or Parquet, compressed or not."""

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import orjson
from pydantic import ValidationError

from biofact.core.errors import BiofactError, UpstreamError
from biofact.core.extras import install_command
from biofact.dialects.xml import DamagedRecord, HostileDocument
from biofact.sources.pubmed.parse import article as parse_article
from biofact.sources.pubmed.parse.split import ArticleSplitter
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.transport.service import MIB, BodyTooLarge, Transient

InputFormat = Literal["xml", "ndjson", "parquet"]

_FORMATS: dict[str, InputFormat] = {
    ".xml": "xml",
    ".jsonl": "ndjson",
    ".ndjson": "ndjson",
    ".parquet": "parquet",
}
SUFFIXES = (*_FORMATS, ".xml.gz", ".jsonl.gz", ".ndjson.gz")
"""Endings of names of files that can be read."""
LONGEST_TEXT = 200_000
"""Characters of title and abstract; the longest in PubMed have a tenth. Rules take time for every sentence."""
LONGEST_LINE = 16 * MIB
LONGEST_PMID = 18
"""Digits, of a 64-bit number; real ones have eight."""
NO_PMID = -1
"""Stands in arrays of PMIDs for an entry without one."""
_LARGEST_RECORD = 32 * MIB
"""A hundred times the largest of PubMed's. To read one takes several times its size in memory."""
_PARQUET_BATCH = 1_000
"""Rows read at a time."""
_DAMAGED_ID = "damaged"
"""The ID of what stands for a damaged record; no PMID is one."""
_PMID = re.compile(rb"<PMID(?:\s[^>]*)?>\s*([0-9]{1,18})\s*</PMID>")  # by a pattern, for records that no parser reads
_VERSION = re.compile(rb"""<PMID\s[^>]*\bVersion\s*=\s*["']([0-9]{1,9})["']""")

# Errors of code that reads a record of an unforeseen form: the article becomes a row with its error. Errors of a full
# disk, a bad setting or a lost process stop more than one article, and are none of these.
DEFECTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, BiofactError)


class InputDamaged(Exception):
    """An input file cannot be read to its end; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a file: ``count`` entries from number ``first`` on, counted from 0."""

    first: int = 0
    count: int | None = None
    """None for all that follow."""
    offset: int = 0
    """The place of the first of them in a file that can be read from there, in bytes; else 0."""

    @property
    def stop(self) -> int | None:
        """The number of the first entry behind it; None where it ends with the file."""
        return None if self.count is None else self.first + self.count


@dataclass(frozen=True, slots=True)
class Entry:
    """One article of an input file."""

    pmid: str
    """Digits; empty where it cannot be read."""
    article: CanonicalPubMedArticle | None = None
    error: str = ""
    """The reason why there is no article."""
    version: int = 1
    """The version of the record, as PubMed counts them."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """The PMID and place of one entry of a file, without its text."""

    pmid: str
    """Digits; empty where it cannot be read."""
    is_deletion: bool = False
    """The file deletes this article; it is no entry."""
    offset: int = 0
    """The place of the entry in a file that can be read from there, in bytes."""


def format_of(path: Path) -> InputFormat:
    """The format of a file, by its name.

    Raises:
        ValueError: its name ends in none of ``SUFFIXES``.
    """
    name = path.name.lower()
    plain = name.removesuffix(".gz")
    input_format = next((known for suffix, known in _FORMATS.items() if plain.endswith(suffix)), None)
    if input_format is None or (input_format == "parquet" and name != plain):
        raise ValueError(f"{path.name!r} is in no known format; names end in {', '.join(SUFFIXES)}.")
    return input_format


def entries(path: Path, part: Slice) -> Iterator[Entry]:
    """The entries of a part of a file, in their order.

    Raises:
        InputDamaged: the file is cut short, corrupt or something else; entries before the fault have been given.
        OSError: it cannot be read.
    """
    with _faults_as_damage(path):
        input_format = format_of(path)
        if input_format == "parquet":
            yield from _parquet_entries(path, part)
            return
        with _open(path) as stream:
            yield from _xml_entries(stream, part) if input_format == "xml" else _ndjson_entries(stream, part)


def identifiers(path: Path) -> Iterator[Identifier]:
    """The identifiers of a file's entries, deletions among them.

    Raises:
        InputDamaged: as for ``entries``.
        OSError: it cannot be read.
    """
    with _faults_as_damage(path):
        input_format = format_of(path)
        if input_format == "parquet":
            yield from _parquet_identifiers(path)
            return
        with _open(path) as stream:
            if input_format == "xml":
                yield from _xml_identifiers(stream)
            else:
                yield from _ndjson_identifiers(stream, can_seek=not _is_compressed(path))


def sha256(path: Path) -> str:
    """The hash of a file.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def error_text(error: BaseException) -> str:
    """An error in one line, bounded: it may quote what it could not read."""
    match error:
        case ValidationError():
            text = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        case BiofactError():
            text = error.message
        case DamagedRecord():
            text = str(error)
        case _:
            text = f"{type(error).__name__}: {error}"
    return f"{' '.join(text.split()):.300}"


def _is_compressed(path: Path) -> bool:
    return path.name.lower().endswith(".gz")


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    with cast("BinaryIO", gzip.open(path, "rb")) if _is_compressed(path) else path.open("rb") as stream:
        yield stream


@contextmanager
def _faults_as_damage(path: Path) -> Iterator[None]:
    """Raise whatever a damaged file fails with as one kind of error."""
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
        text = str(getattr(error, "reason", None) or getattr(error, "message", None) or error)
        raise InputDamaged(f"{path.name}: {text.rstrip('.'):.300}.") from error


def _entry(pmid: str, read: Callable[[], CanonicalPubMedArticle], version: int = 1) -> Entry:
    """The entry that ``read`` gives, or its error."""
    try:
        article = read()
    except DEFECTS as error:
        return Entry(pmid, error=error_text(error), version=version)
    length = len(article.title) + len(article.abstract or "")
    if length > LONGEST_TEXT:
        message = f"Title and abstract are {length:,} characters long; at most {LONGEST_TEXT:,} are read."
        return Entry(article.pmid or pmid, error=message, version=version)
    return Entry(article.pmid or pmid, article, version=version)


def _article_of(facts: Mapping[str, Any]) -> CanonicalPubMedArticle:
    """The article that a row of a table or a line of JSON describes: ``pmid`` or ``id``, ``title``, ``abstract`` and
    further facts under the names that articles.jsonl of a review has. Other names are passed over.

    Raises:
        ValueError: there is no PMID or no title, or a fact has another type than it should.
    """
    fields = {name: value for name, value in facts.items() if name in CanonicalPubMedArticle.model_fields}
    fields = {name: value for name, value in fields.items() if value is not None}
    pmid = _pmid_of(facts)
    if not pmid:
        raise ValueError("It has no PMID: expected pmid, a number, or id, such as PMID:32087273.")
    if not fields.get("title"):
        raise ValueError("It has no title.")
    return CanonicalPubMedArticle.model_validate(fields | {"id": f"PMID:{pmid}", "category": "biolink:Article"})


def _pmid_of(facts: Mapping[str, Any]) -> str:
    """The digits of its PMID; empty where there are none."""
    value = facts.get("pmid") or facts.get("id") or ""
    text = str(value).removeprefix("PMID:") if isinstance(value, str | int) and value is not True else ""
    return text if text.isascii() and text.isdigit() and len(text) <= LONGEST_PMID else ""


class _EntrySplitter(ArticleSplitter):
    """Goes on behind a record that cannot be read: what stands for it is its error and PMID."""

    def _replace_damaged(self, record: bytes, error: Exception) -> Iterable[tuple[str, bytes]]:
        pmid = _PMID.search(record)
        return [(_DAMAGED_ID, (pmid[1] if pmid else b"") + b" " + error_text(error).encode())]


def _xml_entries(stream: BinaryIO, part: Slice) -> Iterator[Entry]:
    """Entries of PubMed's baseline and update files; a slice without a count reads to the end of the file."""
    articles = ((pmid, record) for pmid, record in _xml_records(stream) if record)  # a deletion has no record
    for place, (pmid, record) in enumerate(articles):
        if place == part.stop:
            return
        if place >= part.first:
            yield _xml_entry(pmid, record)


def _xml_identifiers(stream: BinaryIO) -> Iterator[Identifier]:
    for pmid, record in _xml_records(stream):
        yield Identifier(
            _damaged_parts(record)[0] if pmid == _DAMAGED_ID else _possible_pmid(pmid), is_deletion=not record
        )


def _xml_records(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    splitter = _EntrySplitter(largest_record=_LARGEST_RECORD)
    while chunk := stream.read(MIB):
        yield from splitter.feed(chunk)
    splitter.close()


def _xml_entry(pmid: str, record: bytes) -> Entry:
    if pmid == _DAMAGED_ID:
        pmid_of_damaged, error = _damaged_parts(record)
        return Entry(pmid_of_damaged, error=error)
    version = _VERSION.search(record)
    return _entry(_possible_pmid(pmid), lambda: parse_article(record), int(version[1]) if version else 1)


def _possible_pmid(pmid: str) -> str:
    """A PMID, or nothing where it has more digits than any can have."""
    return pmid if len(pmid) <= LONGEST_PMID else ""


def _damaged_parts(record: bytes) -> tuple[str, str]:
    pmid, _, error = record.decode().partition(" ")
    return pmid, error


def _ndjson_entries(stream: BinaryIO, part: Slice) -> Iterator[Entry]:
    """Entries of a file with a JSON object per line."""
    first = 0
    if part.offset:
        stream.seek(part.offset)
        first = part.first
    for place, (_, text) in enumerate(_ndjson_lines(stream), start=first):
        if place == part.stop:
            return
        if place >= part.first:
            yield _ndjson_entry(text, place)


def _ndjson_identifiers(stream: BinaryIO, *, can_seek: bool) -> Iterator[Identifier]:
    for offset, text in _ndjson_lines(stream):
        facts = _json_facts(text)
        yield Identifier(_pmid_of(facts) if isinstance(facts, dict) else "", offset=offset if can_seek else 0)


def _ndjson_entry(text: bytes, place: int) -> Entry:
    facts = _json_facts(text)
    if not isinstance(facts, dict):
        return Entry("", error=f"Entry {place + 1} of the file is no JSON object.")
    return _entry(_pmid_of(facts), lambda: _article_of(facts))


def _json_facts(text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _ndjson_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Offset from here and text of each line that is not empty.

    Raises:
        Transient: a line is too long to be one article.
    """
    offset = 0
    while text := stream.readline(LONGEST_LINE + 1):
        if len(text) > LONGEST_LINE:
            raise Transient(f"the line at byte {offset:,} is longer than {LONGEST_LINE:,} bytes")
        if stripped := text.strip():
            yield offset, stripped
        offset += len(text)


def _parquet_entries(path: Path, part: Slice) -> Iterator[Entry]:
    """Entries of a Parquet file; only the row groups that hold them are read."""
    names = [*CanonicalPubMedArticle.model_fields, "pmid"]
    for facts in _parquet_rows(path, names, part):
        yield _entry(_pmid_of(facts), lambda facts=facts: _article_of(facts))  # type: ignore[misc]


def _parquet_identifiers(path: Path) -> Iterator[Identifier]:
    for facts in _parquet_rows(path, ["pmid", "id"], Slice()):
        yield Identifier(_pmid_of(facts))


def _parquet_rows(path: Path, names: list[str], part: Slice) -> Iterator[dict[str, Any]]:
    """The rows of a part of a file, with those columns of these names that it has.

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
            groups, skipped = _row_groups(sizes, part.first)
            columns = [name for name in file.schema_arrow.names if name in names]
            batches = file.iter_batches(_PARQUET_BATCH, row_groups=groups, columns=columns)
            rows = (facts for batch in batches for facts in batch.to_pylist())
            # a group may begin before the part
            yield from islice(rows, skipped, None if part.count is None else skipped + part.count)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's, which does not let us read; what is damaged has no number
        raise InputDamaged(f"{path.name}: {str(error).partition(chr(10))[0]:.300}") from error


def _row_groups(sizes: list[int], first: int) -> tuple[list[int], int]:
    """The row groups from the one that holds row ``first`` on, and how many rows stand before it there."""
    before = 0
    for number, size in enumerate(sizes):
        if before + size > first:
            return list(range(number, len(sizes))), first - before
        before += size
    return [], 0
