"""The best rows of a corpus, found shard by shard: no more is kept than are wanted."""

from collections.abc import Iterable, Iterator
from datetime import date

import numpy as np
from numpy.typing import NDArray

from biofact.corpus.columns import REVIEW, Columns
from biofact.literature.ranking.order import DIGITS, LARGEST_BOOST, final_score, recent_boost
from biofact.literature.ranking.request import RankingCriteria
from biofact.literature.scoring.values import Array, Mask

Rows = NDArray[np.void]
_ROW = np.dtype(
    [
        ("final", np.float64),
        ("total", np.float64),
        ("day", np.int32),
        ("pmid", np.int64),
        ("shard", np.int64),
        ("index", np.int64),
    ]
)
"""What decides the place of an article, and where its columns stand."""


class BestRows:
    """Collects the best rows of all shards, in the order of a ranking."""

    def __init__(self, count: int, criteria: RankingCriteria, today: date) -> None:
        self._count = count
        self._criteria = criteria
        self.today = today
        self._rows = np.empty(0, _ROW)
        self.passed = 0
        """Rows that were taken, kept or not."""
        self.undated = 0
        """Of these those that boost_recent cannot judge."""

    def add(self, shard: int, columns: Columns, total: Array, passed: Mask) -> None:
        """Take the rows of a shard that passed the filters; totals as ``rounded``."""
        places = np.flatnonzero(passed)
        rows = np.empty(len(places), _ROW)
        rows["total"], rows["day"], rows["pmid"] = total[places], columns.days[places], columns.pmids[places]
        rows["shard"], rows["index"] = shard, places
        rows["final"] = self._final(rows["total"], rows["day"], columns.marks[places] & REVIEW != 0)
        self.passed += len(rows)
        self.undated += int(np.count_nonzero(rows["day"] == 0))
        every = np.concatenate([self._rows, rows])
        order = (every["index"], every["shard"], every["pmid"], -every["day"], -every["total"], -every["final"])
        self._rows = every[np.lexsort(order)][: self._count]

    def rows(self) -> Rows:
        """The best, best first; ties by total, then the newer, then the lower PMID."""
        return self._rows

    def _final(self, total: Array, days: NDArray[np.int32], is_review: Mask) -> Array:
        boosts = [sizes for _, sizes in self._boosts(days, is_review)]
        if not boosts:
            return total
        lifted = (final_score(one, sizes) for one, *sizes in zip(total.tolist(), *boosts, strict=True))
        return np.fromiter(lifted, np.float64, len(total))

    def _boosts(self, days: NDArray[np.int32], is_review: Mask) -> Iterator[tuple[str, Iterable[float | None]]]:
        """What each boost adds to each row; None where it cannot be judged."""
        if self._criteria.boost_recent:
            sizes = {day: recent_boost(self.today.toordinal() - day) if day else None for day in set(days.tolist())}
            yield "boost_recent", (sizes[day] for day in days.tolist())
        if self._criteria.prefer_review_articles:
            yield "prefer_review_articles", (LARGEST_BOOST if is_one else 0.0 for is_one in is_review.tolist())

    def boosts(self, columns: Columns, places: NDArray[np.int64]) -> list[dict[str, float]]:
        """What was added to each of these rows of a shard, by boost."""
        by_boost = dict(self._boosts(columns.days[places], columns.marks[places] & REVIEW != 0))
        rows: list[dict[str, float]] = [{} for _ in places]
        for name, sizes in by_boost.items():
            for row, size in zip(rows, sizes, strict=True):
                if size is not None:
                    row[name] = size
        return rows


def rounded(total: Array) -> Array:
    """Totals as a ranking has them. numpy rounds halves in another way than Python, which rounds those of the tools."""
    return np.fromiter((round(one, DIGITS) for one in total.tolist()), np.float64, len(total))
