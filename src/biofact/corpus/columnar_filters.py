"""The filters of a ranking over the columns of a shard: the same, in the same order, as over articles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from biofact.corpus.columns import PREPRINT, RETRACTED, Columns
from biofact.literature.ranking.candidates import FilterStep
from biofact.literature.ranking.order import filters
from biofact.literature.ranking.request import RankRequest
from biofact.literature.scoring.values import Array, Mask

Judge = Callable[[Columns, Array, RankRequest], Mask]

_JUDGES: Mapping[str, Judge] = {
    "retracted": lambda columns, total, request: columns.marks & RETRACTED == 0,
    "min_score_threshold": lambda columns, total, request: total >= (request.min_score_threshold or 0.0),
    "from_year": lambda columns, total, request: columns.years >= (request.filters.from_year or 0),
    "to_year": lambda columns, total, request: columns.years <= (request.filters.to_year or 0),
    "exclude_preprints": lambda columns, total, request: columns.marks & PREPRINT == 0,
}
_NEEDS_YEAR = {"from_year", "to_year"}


def unknown_options(request: RankRequest) -> list[str]:
    """What is asked for and cannot be told without the articles, or without asking a service."""
    filtered, lifted = request.filters, request.ranking_criteria
    asked = {
        "journal_whitelist": filtered.journal_whitelist,
        "journal_blacklist": filtered.journal_blacklist,
        "min_citation_count": filtered.min_citation_count is not None,
        "boost_high_impact": lifted.boost_high_impact,
    }
    return [name for name, is_on in asked.items() if is_on]


@dataclass(slots=True)
class ColumnarFilters:
    """Applies the filters shard by shard, and counts what each removes."""

    request: RankRequest
    _removed: dict[str, int] = field(default_factory=dict)
    _unknown: dict[str, int] = field(default_factory=dict)

    def passed(self, columns: Columns, total: Array) -> Mask:
        """Which rows of a shard with these totals pass all filters."""
        kept = np.ones(len(columns), np.bool_)
        for one in filters(self.request, {}):
            is_known = columns.years != 0 if one.name in _NEEDS_YEAR else np.ones_like(kept)
            removed = kept & ~(_JUDGES[one.name](columns, total, self.request) & is_known)
            self._removed[one.name] = self._removed.get(one.name, 0) + int(np.count_nonzero(removed))
            self._unknown[one.name] = self._unknown.get(one.name, 0) + int(np.count_nonzero(removed & ~is_known))
            kept &= ~removed
        return kept

    def steps(self) -> list[FilterStep]:
        """What each filter removed, in their order."""
        return [
            FilterStep(one.name, one.setting, self._removed.get(one.name, 0), self._unknown.get(one.name, 0))
            for one in filters(self.request, {})
        ]
