"""The files of a ranking: a table, the whole rows of the best articles, and what a report needs beside them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biofact.core.usage import HintedError
from biofact.corpus.shards import PREPRINT, RETRACTED, REVIEW
from biofact.literature import exports, files
from biofact.literature.ranking.candidates import Candidate, FilterStep
from biofact.literature.ranking.records import Cell, flatten
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import FeatureScore

TABLE, ROWS, RANKING = "ranking.csv", "ranking.jsonl", "ranking.json"
_WITHOUT_PMID = "without a PMID"
_COLUMNS = (
    *("rank", "item_id", "year", "final_score", "total_score", "completeness", "not_stated"),
    *("boost_recent", "prefer_review_articles", "is_retracted", "is_preprint", "is_review", "file", "version"),
)
_DIGITS = 6


class RankingRefused(HintedError):
    """There is no ranking, or none can be made; nothing was written."""


class CorpusRanking(BaseModel):
    """A ranking of a corpus without its rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["biofact corpus ranking 1"] = "biofact corpus ranking 1"
    key: str
    """The key of the plan."""
    today: date
    request: RankRequest
    articles: int
    """Scored articles."""
    errors: int
    """Articles that could not be read."""
    not_done: int
    """Articles of shards that are not done."""
    passed: int
    """Articles that passed all filters; the best of them are listed."""
    steps: list[FilterStep]
    """Every filter that was on, and the cut, with what it removed."""
    order: str
    """The criteria of the order, in words."""
    missing_shards: list[int]
    failed: dict[int, str]
    """Missing shards that are tried no more, with the last reason."""
    distribution: dict[str, float]
    """Statistics of all totals: min, q1, median, q3, max, mean, std."""
    thousandths: dict[float, int]
    """The number of totals in each thousandth, by its lower end."""
    shares: dict[str, float]
    """Each feature's weight in the total."""
    messages: list[str]
    correlations: dict[str, dict[str, float]] = Field(default_factory=dict)
    """Pearson's r between feature scores, over all articles that state both, where those are ten or more."""
    rows: int = 0
    """Rows in the table."""
    files: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of the other files."""


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row of the corpus with its scores."""

    total_score: float
    final_score: float
    boosts: Mapping[str, float]
    breakdown: Mapping[str, FeatureScore]
    year: int | None
    marks: int
    """Bits, as in ``Columns.marks``."""
    shard: int
    place: int
    """The place of the row in its shard."""
    row: Mapping[str, Any]

    @property
    def candidate(self) -> Candidate:
        """The candidate of a ranking, without its article, which is not read."""
        pmid = self.row.get("pmid")
        name = f"PMID:{pmid}" if pmid else _WITHOUT_PMID
        return Candidate(name, None, self.row["features"], self.total_score, self.breakdown)


def write(folder: Path, ranking: CorpusRanking, rows: Sequence[ScoredRow]) -> CorpusRanking:
    """Put the files of a ranking in their places; the last says what the others are.

    Raises:
        WriteFailed: the system refuses a write.
    """
    contents = {TABLE: _table(rows).encode(), ROWS: b"".join(_lines(rows))}
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    ranking = ranking.model_copy(update={"rows": len(rows), "files": hashes})
    for name, content in contents.items():
        files.write(folder / name, content)
    files.write(folder / RANKING, ranking.model_dump_json(indent=1).encode())  # last: it holds the hashes of the others
    return ranking


def read(folder: Path, key: str) -> tuple[CorpusRanking, list[ScoredRow]]:
    """The ranking of the plan of this key, and its rows, best first.

    Raises:
        RankingRefused: there is none, or its files are not of one ranking.
    """
    hint = "Rank first, with: biofact corpus rank DIR"
    try:
        ranking = CorpusRanking.model_validate_json((folder / RANKING).read_bytes())
        content = (folder / ROWS).read_bytes()
    except FileNotFoundError as error:
        raise RankingRefused(f"{str(folder)!r} holds no ranking.", hint=hint) from error
    except (ValidationError, OSError) as error:
        raise RankingRefused(f"{str(folder / RANKING)!r} cannot be read.", hint=hint) from error
    if ranking.key != key or ranking.files.get(ROWS) != hashlib.sha256(content).hexdigest():
        raise RankingRefused(f"{RANKING} and {ROWS} are not of one ranking of this run.", hint=hint)
    return ranking, [_scored_row(orjson.loads(line)) for line in content.splitlines()]


def _lines(rows: Sequence[ScoredRow]) -> Iterator[bytes]:
    for rank, row in enumerate(rows, start=1):
        breakdown = {name: score.model_dump(exclude_none=True) for name, score in row.breakdown.items()}
        facts = {
            "rank": rank,
            "total_score": row.total_score,
            "final_score": row.final_score,
            "boosts": row.boosts,
            "score_breakdown": breakdown,
            "year": row.year,
            "marks": row.marks,
            "shard": row.shard,
            "place": row.place,
        }
        yield orjson.dumps({**facts, "row": row.row}, option=orjson.OPT_APPEND_NEWLINE)


def _scored_row(line: Mapping[str, Any]) -> ScoredRow:
    breakdown = {name: FeatureScore.model_validate(score) for name, score in line["score_breakdown"].items()}
    names = ("total_score", "final_score", "boosts", "year", "marks", "shard", "place", "row")
    return ScoredRow(breakdown=breakdown, **{name: line[name] for name in names})


def _table(rows: Sequence[ScoredRow]) -> str:
    cells = [
        {name: value for name, value in _cells(rank, row) if value is not None}
        for rank, row in enumerate(rows, start=1)
    ]
    scores = dict.fromkeys(f"score:{name}" for row in rows for name in row.breakdown)
    features = sorted({name for row in cells for name in row if name.startswith("feature:")})
    return exports.table([*_COLUMNS, *scores, *features], cells)


def _cells(rank: int, row: ScoredRow) -> Iterator[tuple[str, Cell | None]]:
    candidate = row.candidate
    yield from (("rank", rank), ("item_id", candidate.item_id), ("year", row.year))
    yield from (("final_score", row.final_score), ("total_score", row.total_score))
    share = candidate.completeness
    yield "completeness", None if share is None else round(share, _DIGITS)
    yield "not_stated", "; ".join(candidate.not_stated) or None
    yield from row.boosts.items()
    for name, bit in (("is_retracted", RETRACTED), ("is_preprint", PREPRINT), ("is_review", REVIEW)):
        yield name, bool(row.marks & bit)
    yield from (("file", row.row["file"]), ("version", row.row["version"]))
    yield from ((f"score:{name}", score.score) for name, score in row.breakdown.items())
    yield from flatten(row.row["features"], "feature:")
