"""One shard, read and written: the same shard is the same bytes, whoever does it and however often."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from biofact.corpus import columns, inputs, rows, score_parts
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import Entry, InputDamaged
from biofact.corpus.inputs.entries import DEFECTS, described
from biofact.corpus.records import CorpusPlan, InputFile, Shard
from biofact.corpus.survey import sha256
from biofact.literature import files
from biofact.literature.extraction.findings import ArticleFeatures
from biofact.literature.extraction.rule_reading import RuleReader
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Read = Callable[[CanonicalPubMedArticle], ArticleFeatures]


@dataclass(frozen=True, slots=True)
class ShardEnd:
    """How a shard ended."""

    number: int
    read: int = 0
    """Articles with features."""
    errors: int = 0
    """Articles that cannot be read."""
    failure: str = ""
    """Why there are no rows."""


@dataclass(slots=True)
class _Writer:
    """Rows of a shard as they come, and what is kept of them."""

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
            end = _written(place, plan, shard, read or RuleReader(plan.settings.schema_read).read)
        except (InputDamaged, OSError) as error:
            reason = failure_reason(error)
            place.keep_failure(number, reason)
            return ShardEnd(number, failure=reason)
    return ShardEnd(number, end["counts"].get("read", 0), end["counts"].get("error", 0))


def failure_reason(error: InputDamaged | OSError) -> str:
    """Why a shard has no rows."""
    return str(error) if isinstance(error, InputDamaged) else f"{error.filename}: {error.strerror}."


def _written(place: CorpusFolder, plan: CorpusPlan, shard: Shard, read: Read) -> dict[str, Any]:
    """Write the rows of a shard; says how it ended when all its files are on the disk."""
    file = plan.files[shard.file]
    check_unchanged(file)
    functions = score_parts.functions_of(plan.settings.criteria, plan.settings.schema_read)
    kept = columns.ColumnsWriter(list(functions))
    writer = _Writer(plan, Path(file.path).name)
    for entries in blocks_of(entries_of(place, file, shard)):
        found = [(entry, _outcome(entry, read)) for entry in entries]
        _add_block(writer, kept, found, functions)
    content = {
        place.rows_file(shard.number): b"".join(writer.blocks),
        place.columns_file(shard.number): (made := kept.columns(writer.offsets)).content(),
    }
    for path, written in content.items():
        files.write(path, written)
    end = {
        "shard": shard.number,
        "key": plan.key,
        "counts": dict(writer.counts),
        "files": {path.name: _about(written) for path, written in content.items()},
        "summaries": made.summaries(),
    }
    place.keep_done(shard.number, end)
    return end


def entries_of(place: CorpusFolder, file: InputFile, shard: Shard) -> Iterator[Entry]:
    """The entries of a shard that count: its rows are in their order.

    Raises:
        InputDamaged: the file is cut short, corrupt or something else.
        OSError: it cannot be read.
    """
    # The last shard of a file reads to its end, and finds out that there is one.
    part = inputs.Slice(shard.first, None if shard.is_last else shard.count, shard.offset)
    dropped = place.superseded_in(shard.file)
    yield from (one for at, one in enumerate(inputs.entries(Path(file.path), part), shard.first) if at not in dropped)


def blocks_of(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Entries, some at a time."""
    while block := list(islice(entries, rows.BLOCK)):
        yield block


def _outcome(entry: Entry, read: Read) -> ArticleFeatures | str:
    """What an article states, or why it cannot be read."""
    if entry.article is None:
        return entry.error
    try:
        outcome = read(entry.article)
    except DEFECTS as error:
        return described(error)
    return outcome.failure or outcome


def _add_block(
    writer: _Writer,
    kept: columns.ColumnsWriter,
    found: Sequence[tuple[Entry, ArticleFeatures | str]],
    functions: Mapping[str, Any],
) -> None:
    good = [
        (at, entry.article, one)
        for at, (entry, one) in enumerate(found)
        if isinstance(one, ArticleFeatures) and entry.article
    ]
    parts = score_parts.parts([one.extraction for _, _, one in good], functions, [_quotes(one) for _, _, one in good])
    first = writer.counts.total()
    kept.add([first + at for at, _, _ in good], [article for _, article, _ in good], parts)
    scores = {at: {name: parts[name][place] for name in parts} for place, (at, _, _) in enumerate(good)}
    writer.add(rows.block([_row(writer, entry, one, scores.get(at, {})) for at, (entry, one) in enumerate(found)]))
    writer.counts.update("read" if isinstance(one, ArticleFeatures) else "error" for _, one in found)


def _row(writer: _Writer, entry: Entry, found: ArticleFeatures | str, scores: Mapping[str, float]) -> dict[str, Any]:
    row: dict[str, Any] = {"pmid": entry.pmid or None, "version": entry.version, "file": writer.file}
    if isinstance(found, str):
        row |= {"status": "error", "error": found}
    else:
        evidence = {name: [one.model_dump() for one in places] for name, places in found.evidence.items()}
        stated = {name: round(float(score), _DIGITS) for name, score in scores.items() if score == score}  # noqa: PLR0124  # NaN
        row |= {"status": "read", "method": found.method, "features": found.extraction, "evidence": evidence}
        row |= {"score_parts": stated}
    return row | {"code_version": writer.plan.version}


_DIGITS = 6


def _quotes(outcome: ArticleFeatures) -> dict[str, list[str]]:
    return {name: [one.quote for one in places] for name, places in outcome.evidence.items()}


def _about(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def check_unchanged(file: InputFile) -> None:
    """Hold an input file to what it was when the run was planned.

    Raises:
        InputDamaged: it is another one.
        OSError: it cannot be read.
    """
    path = Path(file.path)
    if path.stat().st_size != file.size or sha256(path) != file.sha256:
        raise InputDamaged(f"{path.name} is not the file that the run was planned with.")
