"""What a ranking needs of the rows of a shard, as arrays: no text."""

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biofact.corpus.survey import NO_PMID, packed
from biofact.literature.ranking.candidates import article_flags, is_preprint, is_retracted
from biofact.literature.ranking.order import REVIEW_TYPES, publication_day
from biofact.literature.scoring.values import Array
from biofact.sources.pubmed.records import CanonicalPubMedArticle

RETRACTED, PREPRINT, REVIEW = 1, 2, 4
"""Bits of ``marks``."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Of the rows of a shard that have features, in their order."""

    places: NDArray[np.int32]
    """Of each row among all rows of the shard, those with errors included."""
    pmids: NDArray[np.int64]
    days: NDArray[np.int32]
    """Of publication, as ``date.toordinal`` counts; 0 where it is not known."""
    years: NDArray[np.int16]
    """Of publication; 0 where it is not known."""
    marks: NDArray[np.uint8]
    parts: Mapping[str, Array]
    """By feature, as ``score_parts`` defines them; NaN where a feature is not stated."""
    blocks: NDArray[np.int64]
    """Where each block of rows begins in their file, in bytes."""

    def __len__(self) -> int:
        return len(self.pmids)

    def content(self) -> bytes:
        """The file that ``read`` reads."""
        named: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in _FIXED}
        return packed(**named, **{f"part {name}": values for name, values in self.parts.items()})

    def summaries(self) -> dict[str, list[list[float]]]:
        """By feature its values and how often each occurs: sums over shards are exact, in whatever order."""
        return {name: _counted(values) for name, values in self.parts.items()}


_FIXED = ("places", "pmids", "days", "years", "marks", "blocks")


def parsed(content: bytes) -> Columns:
    """What stands in such a file."""
    with np.load(io.BytesIO(content)) as found:
        parts = {name.removeprefix("part "): found[name] for name in found.files if name.startswith("part ")}
        return Columns(parts=parts, **{name: found[name] for name in _FIXED})


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
        """Take further articles, which stand at these places among the rows."""
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
        """All that was taken; ``blocks`` are the offsets of the blocks of rows."""
        empty = np.empty(0)
        return Columns(
            places=np.array(self._places, np.int32),
            pmids=np.array(self._pmids, np.int64),
            days=np.array(self._days, np.int32),
            years=np.array(self._years, np.int16),
            marks=np.array(self._marks, np.uint8),
            parts={name: np.concatenate([empty, *self._parts.get(name, [])]) for name in self.features},
            blocks=np.array(blocks, np.int64),
        )


def _marks(article: CanonicalPubMedArticle) -> int:
    marked = article_flags(article)
    is_review = not REVIEW_TYPES.isdisjoint(article.publication_types)
    bits = (
        (is_retracted(marked), RETRACTED),
        (is_preprint(marked), PREPRINT),
        (is_review, REVIEW),
    )
    return sum(bit for is_set, bit in bits if is_set)


def _counted(values: Array) -> list[list[float]]:
    counts = Counter(values[~np.isnan(values)].tolist())
    ordered = sorted(counts)
    return [ordered, [counts[value] for value in ordered]]
