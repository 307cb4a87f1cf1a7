"""One shard, read and written: the same shard is the same bytes on every machine and each time.

Its rows are JSON lines, compressed in blocks that can be read one by one; its columns are what a ranking needs of the
rows, as arrays without text.
"""

import gzip
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from biofact.core.folder_files import FolderFile
from biofact.corpus import inputs
from biofact.corpus.folder import CorpusFolder, packed
from biofact.corpus.inputs import DEFECTS, NO_PMID, Entry, InputDamaged, error_text, sha256
from biofact.corpus.records import CorpusPlan, InputFile, Shard, functions_of
from biofact.literature import files
from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.ranking.candidates import article_flags, is_preprint, is_retracted
from biofact.literature.ranking.order import REVIEW_TYPES, publication_day
from biofact.literature.scoring.criteria import Function, Inverse, Rank, Recency
from biofact.literature.scoring.functions import column
from biofact.literature.scoring.measures import with_measures
from biofact.literature.scoring.values import Array, Unfit, numbers, years
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Read = Callable[[CanonicalPubMedArticle], ArticleFeatures]

BLOCK = 100
"""Rows of a block, which is read for any one of them."""
RETRACTED, PREPRINT, REVIEW = 1, 2, 4
"""Bits of ``Columns.marks``."""
_GZIP_LEVEL = 6
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class ShardEnd:
    """The end of a shard."""

    number: int
    read: int = 0
    """Articles with features."""
    errors: int = 0
    """Articles that cannot be read."""
    failure: str = ""
    """The reason why there are no rows."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a shard's rows that have features, in their order."""

    places: NDArray[np.int32]
    """The place of each row among all rows of the shard, those with errors included."""
    pmids: NDArray[np.int64]
    days: NDArray[np.int32]
    """Days of publication, as ``date.toordinal`` counts; 0 where unknown."""
    years: NDArray[np.int16]
    """Years of publication; 0 where unknown."""
    marks: NDArray[np.uint8]
    parts: Mapping[str, Array]
    """By feature, as ``score_parts`` defines them; NaN where a feature is not stated."""
    blocks: NDArray[np.int64]
    """The offset of each block of rows in their file, in bytes."""

    def __len__(self) -> int:
        return len(self.pmids)

    @classmethod
    def of_content(cls, content: bytes) -> "Columns":
        """The columns in a file that ``content`` made."""
        with np.load(io.BytesIO(content)) as arrays:
            parts = {name.removeprefix("part "): arrays[name] for name in arrays.files if name.startswith("part ")}
            return cls(parts=parts, **{name: arrays[name] for name in _FIXED})

    def content(self) -> bytes:
        """The file that ``of_content`` reads."""
        fixed: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in _FIXED}
        return packed(**fixed, **{f"part {name}": values for name, values in self.parts.items()})

    def summaries(self) -> dict[str, list[list[float]]]:
        """By feature its values and how often each occurs: sums over shards are exact, in whatever order."""
        return {name: _value_counts(values) for name, values in self.parts.items()}


_FIXED = ("places", "pmids", "days", "years", "marks", "blocks")


@dataclass(slots=True)
class ColumnsWriter:
    """Collects the columns of a shard, block by block."""

    features: Sequence[str]
    _places: list[int] = field(default_factory=list)
    _pmids: list[int] = field(default_factory=list)
    _days: list[int] = field(default_factory=list)
    _years: list[int] = field(default_factory=list)
    _marks: list[int] = field(default_factory=list)
    _parts: dict[str, list[Array]] = field(default_factory=dict)

    def add(
        self, places: Sequence[int], articles: Sequence[CanonicalPubMedArticle], parts: Mapping[str, Array]
    ) -> None:
        """Append articles, which stand at these places among the rows."""
        self._places += places
        for article in articles:
            day = publication_day(article)
            self._pmids.append(int(article.pmid) if article.pmid else NO_PMID)
            self._days.append(day.toordinal() if day else 0)
            self._years.append(article.year or 0)
            self._marks.append(_marks(article))
        for name, values in parts.items():
            self._parts.setdefault(name, []).append(values)

    def columns(self, blocks: Sequence[int]) -> Columns:
        """The columns of all articles; ``blocks`` are the offsets of the blocks of rows."""
        empty = np.empty(0)  # concatenate refuses an empty list, and a shard may have no article
        return Columns(
            places=np.array(self._places, np.int32),
            pmids=np.array(self._pmids, np.int64),
            days=np.array(self._days, np.int32),
            years=np.array(self._years, np.int16),
            marks=np.array(self._marks, np.uint8),
            parts={name: np.concatenate([empty, *self._parts.get(name, [])]) for name in self.features},
            blocks=np.array(blocks, np.int64),
        )


def run_shard(folder: Path, number: int, read: Read | None = None) -> ShardEnd:
    """Read, extract, score and write one shard, unless it is done.

    A file that is not as it was planned is a failure, which is remembered; so is one that cannot be read to its end.
    ``read`` takes the place of the rules.

    Raises:
        FolderRefused: the folder holds no plan, or one of another version of biofact.
        WriteFailed: the system refuses a write.
    """
    place = CorpusFolder(folder)
    plan = place.plan_to_run()
    shard = plan.shards[number]
    end = place.done(number, plan.key)
    if end is None:
        try:
            end = _write_shard(place, plan, shard, read or RuleReader(plan.settings.schema_read).read)
        except (InputDamaged, OSError) as error:
            reason = failure_reason(error)
            place.keep_failure(number, reason)
            return ShardEnd(number, failure=reason)
    return ShardEnd(number, end["counts"].get("read", 0), end["counts"].get("error", 0))


def shard_end(folder: Path, number: int) -> ShardEnd | WriteFailed | FolderRefused:
    """The end of a shard, for a worker: what stops the whole run is a value that is brought back."""
    try:
        return run_shard(folder, number)
    except (WriteFailed, FolderRefused) as failure:
        return failure


def failure_reason(error: InputDamaged | OSError) -> str:
    """The reason why a shard has no rows."""
    return str(error) if isinstance(error, InputDamaged) else f"{error.filename}: {error.strerror}."


def check_unchanged(file: InputFile) -> None:
    """Hold an input file to what it was when the run was planned.

    Raises:
        InputDamaged: it is another one.
        OSError: it cannot be read.
    """
    path = Path(file.path)
    if path.stat().st_size != file.size or sha256(path) != file.sha256:
        raise InputDamaged(f"{path.name} is not the file that the run was planned with.")


def entries_of(place: CorpusFolder, file: InputFile, shard: Shard) -> Iterator[Entry]:
    """The entries of a shard that count: its rows are in their order.

    Raises:
        InputDamaged: the file is cut short, corrupt or something else.
        FolderRefused: what names the entries that do not count is damaged.
        OSError: it cannot be read.
    """
    # The last shard of a file reads to its end, and finds out that there is one.
    part = inputs.Slice(shard.first, None if shard.is_last else shard.count, shard.offset)
    superseded = place.superseded_in(shard.file, file.superseded)
    for number, entry in enumerate(inputs.entries(Path(file.path), part), shard.first):
        if number not in superseded:
            yield entry


def blocks_of(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Entries in lists of ``BLOCK``."""
    while block := list(islice(entries, BLOCK)):
        yield block


def score_parts(
    features: Sequence[Mapping[str, Any]],
    functions: Mapping[str, Function],
    quotes: Sequence[Mapping[str, Any]],
) -> dict[str, Array]:
    """The part of each feature in the score of each article, as far as it depends on no other article; NaN where the
    article does not state the feature.

    It is the score before normalisation; for a function that compares numbers with those of all articles, the number.
    ``quotes`` are those of each article, by feature.
    """
    features_with_measures = [
        with_measures(values, article_quotes) for values, article_quotes in zip(features, quotes, strict=True)
    ]
    return {
        feature: _score_part(feature, [values.get(feature) for values in features_with_measures], function)
        for feature, function in functions.items()
    }


def compressed_rows(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as a member of a gzip file; the same rows are the same bytes, whenever they are written."""
    lines = b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    return gzip.compress(lines, _GZIP_LEVEL, mtime=0)


def read_rows(file: FolderFile) -> Iterator[dict[str, Any]]:
    """All rows of a shard."""
    with file.open() as content, gzip.open(content) as stream:
        yield from map(orjson.loads, stream)


def rows_at(file: FolderFile, places: Sequence[int], offsets: Sequence[int]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows by their places in the shard, whose blocks begin at these offsets."""
    by_block: dict[int, list[int]] = {}
    for place in places:
        by_block.setdefault(place // BLOCK, []).append(place)
    with file.open() as stream:
        for number, places_within in sorted(by_block.items()):
            stream.seek(offsets[number])
            end = offsets[number + 1] if number + 1 < len(offsets) else None  # each block is a gzip member of its own
            lines = gzip.decompress(stream.read(-1 if end is None else end - offsets[number])).splitlines()
            yield from ((place, orjson.loads(lines[place % BLOCK])) for place in places_within)


@dataclass(slots=True)
class _RowsWriter:
    """Rows of a shard in compressed blocks, with their counts."""

    plan: CorpusPlan
    file: str
    blocks: list[bytes] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    size: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, block: bytes) -> None:
        self.offsets.append(self.size)
        self.blocks.append(block)
        self.size += len(block)


def _write_shard(place: CorpusFolder, plan: CorpusPlan, shard: Shard, read: Read) -> dict[str, Any]:
    """Write the files of a shard; returns its end, which is written last."""
    file = plan.files[shard.file]
    check_unchanged(file)
    functions = functions_of(plan.settings.criteria, plan.settings.schema_read)
    columns_writer = ColumnsWriter(list(functions))
    rows_writer = _RowsWriter(plan, Path(file.path).name)
    for entries in blocks_of(entries_of(place, file, shard)):
        outcomes = [(entry, _outcome(entry, read)) for entry in entries]
        _add_block(rows_writer, columns_writer, outcomes, functions)
    columns = columns_writer.columns(rows_writer.offsets)
    contents = {
        place.rows_file(shard.number): b"".join(rows_writer.blocks),
        place.columns_file(shard.number): columns.content(),
    }
    for path, content in contents.items():
        files.write(path, content)
    end = {
        "shard": shard.number,
        "key": plan.key,
        "counts": dict(rows_writer.counts),
        "files": {
            path.name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in contents.items()
        },
        "summaries": columns.summaries(),
    }
    place.keep_done(shard.number, end)  # last: with it the shard counts as done
    return end


def _outcome(entry: Entry, read: Read) -> ArticleFeatures | str:
    """The features of an article, or the reason why it cannot be read."""
    if entry.article is None:
        return entry.error
    try:
        outcome = read(entry.article)
    except DEFECTS as error:
        return error_text(error)
    return outcome.failure or outcome


def _add_block(
    rows_writer: _RowsWriter,
    columns_writer: ColumnsWriter,
    outcomes: Sequence[tuple[Entry, ArticleFeatures | str]],
    functions: Mapping[str, Any],
) -> None:
    readable = [
        (at, entry.article, outcome)
        for at, (entry, outcome) in enumerate(outcomes)
        if isinstance(outcome, ArticleFeatures) and entry.article
    ]
    extractions = [outcome.extraction for _, _, outcome in readable]
    quotes = [
        {name: [evidence.quote for evidence in places] for name, places in outcome.evidence.items()}
        for _, _, outcome in readable
    ]
    parts = score_parts(extractions, functions, quotes)
    first = rows_writer.counts.total()
    columns_writer.add([first + at for at, _, _ in readable], [article for _, article, _ in readable], parts)
    scores = {at: {name: parts[name][place] for name in parts} for place, (at, _, _) in enumerate(readable)}
    rows = [_row(rows_writer, entry, outcome, scores.get(at, {})) for at, (entry, outcome) in enumerate(outcomes)]
    rows_writer.add(compressed_rows(rows))
    rows_writer.counts.update("read" if isinstance(outcome, ArticleFeatures) else "error" for _, outcome in outcomes)


def _row(
    writer: _RowsWriter, entry: Entry, outcome: ArticleFeatures | str, scores: Mapping[str, float]
) -> dict[str, Any]:
    row: dict[str, Any] = {"pmid": entry.pmid or None, "version": entry.version, "file": writer.file}
    if isinstance(outcome, str):
        row |= {"status": "error", "error": outcome}
    else:
        evidence = {name: [quote.model_dump() for quote in quotes] for name, quotes in outcome.evidence.items()}
        stated = {name: round(float(score), _DIGITS) for name, score in scores.items() if score == score}  # noqa: PLR0124  # NaN
        row |= {"status": "read", "method": outcome.method, "features": outcome.extraction, "evidence": evidence}
        row |= {"score_parts": stated}
    return row | {"code_version": writer.plan.version}


def _score_part(feature: str, values: list[Any], function: Function) -> Array:
    if isinstance(function, Inverse | Rank):
        return numbers(values, Unfit())
    if isinstance(function, Recency):
        return years(values, Unfit())
    return column(feature, values, function).scores


def _marks(article: CanonicalPubMedArticle) -> int:
    flags = article_flags(article)
    is_review = not REVIEW_TYPES.isdisjoint(article.publication_types)
    bits = (
        (is_retracted(flags), RETRACTED),
        (is_preprint(flags), PREPRINT),
        (is_review, REVIEW),
    )
    return sum(bit for is_set, bit in bits if is_set)


def _value_counts(values: Array) -> list[list[float]]:
    counts = Counter(values[~np.isnan(values)].tolist())
    values_in_order = sorted(counts)
    return [values_in_order, [counts[value] for value in values_in_order]]
