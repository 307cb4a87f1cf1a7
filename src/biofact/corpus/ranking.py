"""The best articles of a corpus: scored among all of them, filtered and put in order without a look at any text."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biofact.core.folder_files import FolderFile
from biofact.core.quoting import name_list
from biofact.corpus import ranking_files
from biofact.corpus.choices import Total
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.ranking_files import CorpusRanking, RankingRefused, ScoredRow
from biofact.corpus.records import CorpusPlan, Settings, functions_of
from biofact.corpus.shards import PREPRINT, RETRACTED, REVIEW, Columns, rows_at
from biofact.literature.ranking.candidates import FilterStep
from biofact.literature.ranking.order import DIGITS, LARGEST_BOOST, filters, final_score, order_in_words, recent_boost
from biofact.literature.ranking.request import RankingCriteria, RankRequest
from biofact.literature.report.figures import FEWEST_CORRELATED
from biofact.literature.scoring.criteria import Function, Normalization, Presence
from biofact.literature.scoring.functions import COMPARATIVE_FUNCTIONS
from biofact.literature.scoring.scores import CorrelationSums, distribution, feature_score
from biofact.literature.scoring.totals import (
    Spread,
    cut_message,
    flat_message,
    missing_messages,
    normalised,
    spread,
    stated_shares,
    totals,
)
from biofact.literature.scoring.values import Array, Mask, ValueCounts, ValueCountsSum

TOP = 1000
OnProgress = Callable[[str, int, int], None]
_MOST_NAMED = 5
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
"""The values that decide the place of an article, and the place of its columns."""
Summaries = Mapping[str, Any]
"""By feature the values of a shard and how often each occurs, as ``Columns.summaries`` has them."""
Judge = Callable[[Columns, Array, RankRequest], Mask]

_JUDGES: Mapping[str, Judge] = {
    "retracted": lambda columns, total, request: columns.marks & RETRACTED == 0,
    "min_score_threshold": lambda columns, total, request: total >= (request.min_score_threshold or 0.0),
    "from_year": lambda columns, total, request: columns.years >= (request.filters.from_year or 0),
    "to_year": lambda columns, total, request: columns.years <= (request.filters.to_year or 0),
    "exclude_preprints": lambda columns, total, request: columns.marks & PREPRINT == 0,
}
_NEEDS_YEAR = {"from_year", "to_year"}


@dataclass(frozen=True, slots=True)
class FeatureScale:
    """One feature of an article among all articles."""

    function: Function
    method: Normalization
    counts: ValueCounts
    """The parts of all articles that state it."""
    score_counts: ValueCounts
    """The scores of the parts before normalisation."""
    spread: Spread | None

    @classmethod
    def of(cls, function: Function, method: Normalization, counts: ValueCounts) -> "FeatureScale":
        """The scale that all articles make."""
        score_counts = counts.mapped(lambda parts: _raw_scores(parts, function, counts))
        return cls(function, method, counts, score_counts, spread(score_counts, method))

    def scores(self, parts: Array) -> Array:
        """In 0-1; NaN where the feature is not stated."""
        return normalised(
            _raw_scores(parts.copy(), self.function, self.counts), self.function, self.method, self.spread
        )

    def is_unstated(self, scores: Array) -> Mask:
        """Whether a feature is not stated, or its absence scores 0, for each article."""
        missing: Mask = np.isnan(scores)
        return missing | (scores == 0) if isinstance(self.function, Presence) else missing

    def messages(self, feature: str, articles: int) -> list[str]:
        """Messages about its scores."""
        outside_count = (
            self.score_counts.count(lambda scores: (scores < 0) | (scores > 1)) if self.method == "none" else 0
        )
        flat = flat_message(feature, self.function, self.spread, articles)
        return [*cut_message(feature, self.function, outside_count, articles), *flat]


@dataclass(frozen=True, slots=True)
class ArticleScores:
    """Scores of some articles, in the order given."""

    total: Array
    """0-1."""
    by_feature: dict[str, Array]
    """0-1; 0 where a feature is missing."""
    missing: dict[str, Mask]
    unstated: dict[str, Mask]


@dataclass(frozen=True, slots=True)
class CorpusScales:
    """The scales by which the articles of a corpus are scored among each other."""

    features: Mapping[str, FeatureScale]
    shares: Mapping[str, float]
    """Each feature's weight; without those that no article states they add up to 1."""
    method: Total
    articles: int
    messages: tuple[str, ...]

    def scores(self, parts: Mapping[str, Array]) -> ArticleScores:
        """The scores of articles with these parts."""
        by_feature = {name: scale.scores(parts[name]) for name, scale in self.features.items()}
        missing = {name: np.isnan(scores) for name, scores in by_feature.items()}
        unstated = {name: scale.is_unstated(by_feature[name]) for name, scale in self.features.items()}
        for name, scores in by_feature.items():
            scores[missing[name]] = 0.0
        return ArticleScores(totals(by_feature, missing, self.shares, self.method), by_feature, missing, unstated)


def corpus_scales(settings: Settings, summaries: Iterable[tuple[int, Summaries]]) -> CorpusScales:
    """The scales of a corpus, from the count of articles and the summaries of each shard."""
    functions = functions_of(settings.criteria, settings.schema_read)
    sums = {name: ValueCountsSum() for name in functions}
    articles = 0
    for count, by_feature in summaries:
        articles += count
        for name, (values, counts) in by_feature.items():
            sums[name].add(ValueCounts(np.array(values, np.float64), np.array(counts, np.int64)))
    method = settings.criteria.normalization_method
    scales = {name: FeatureScale.of(function, method, sums[name].sum()) for name, function in functions.items()}
    unstated_features = {name for name, scale in scales.items() if not len(scale.counts)}
    return CorpusScales(
        features=scales,
        shares=stated_shares(settings.criteria.shares, unstated_features),
        method=settings.score_function,
        articles=articles,
        messages=tuple(_scale_messages(settings, scales, articles)),
    )


def _scale_messages(settings: Settings, scales: Mapping[str, FeatureScale], articles: int) -> list[str]:
    messages = [message for name, scale in scales.items() for message in scale.messages(name, articles)]
    missing = {name: articles - scale.counts.total for name, scale in scales.items()}
    unstated = {
        name: missing[name] + scale.counts.mapped(scale.scores).count(scale.is_unstated)
        for name, scale in scales.items()
    }
    return [*messages, *missing_messages(missing, unstated, articles, settings.criteria)]


def _raw_scores(parts: Array, function: Function, counts: ValueCounts) -> Array:
    """Scores before normalisation, which a part is already unless it is compared with those of all articles."""
    compare = COMPARATIVE_FUNCTIONS.get(type(function))
    return compare(parts, function, counts) if compare else parts


def unknown_options(request: RankRequest) -> list[str]:
    """Options of the request that cannot be judged without the articles, or without a request to a service."""
    filters = request.filters
    options = {
        "journal_whitelist": filters.journal_whitelist,
        "journal_blacklist": filters.journal_blacklist,
        "min_citation_count": filters.min_citation_count is not None,
        "boost_high_impact": request.ranking_criteria.boost_high_impact,
    }
    return [name for name, is_on in options.items() if is_on]


@dataclass(slots=True)
class ColumnarFilters:
    """Applies the filters shard by shard, and counts what each removes."""

    request: RankRequest
    _removed: dict[str, int] = field(default_factory=dict)
    _unknown: dict[str, int] = field(default_factory=dict)

    def passed(self, columns: Columns, total: Array) -> Mask:
        """Whether each row of a shard with these totals passes all filters."""
        passes = np.ones(len(columns), np.bool_)
        for step in filters(self.request, {}):
            is_known = columns.years != 0 if step.name in _NEEDS_YEAR else np.ones_like(passes)
            # an unknown year passes no bound on years
            removed = passes & ~(_JUDGES[step.name](columns, total, self.request) & is_known)
            self._removed[step.name] = self._removed.get(step.name, 0) + int(np.count_nonzero(removed))
            self._unknown[step.name] = self._unknown.get(step.name, 0) + int(np.count_nonzero(removed & ~is_known))
            passes &= ~removed
        return passes

    def steps(self) -> list[FilterStep]:
        """The filters in their order, with the articles that each removed."""
        return [
            FilterStep(step.name, step.setting, self._removed.get(step.name, 0), self._unknown.get(step.name, 0))
            for step in filters(self.request, {})
        ]


class BestRows:
    """The best rows of all shards, in the order of a ranking; no more of them than are wanted."""

    def __init__(self, count: int, criteria: RankingCriteria, today: date) -> None:
        self._count = count
        self._criteria = criteria
        self.today = today
        self._rows = np.empty(0, _ROW)
        self.passed = 0
        """Rows that passed the filters, listed or not."""
        self.undated = 0
        """Rows among these that boost_recent cannot judge."""

    def add(self, shard: int, columns: Columns, total: Array, passes: Mask) -> None:
        """Add the rows of a shard that passed the filters; totals as ``rounded``."""
        places = np.flatnonzero(passes)
        rows = np.empty(len(places), _ROW)
        rows["total"], rows["day"], rows["pmid"] = total[places], columns.days[places], columns.pmids[places]
        rows["shard"], rows["index"] = shard, places
        rows["final"] = self._final(rows["total"], rows["day"], columns.marks[places] & REVIEW != 0)
        self.passed += len(rows)
        self.undated += int(np.count_nonzero(rows["day"] == 0))
        merged = np.concatenate([self._rows, rows])
        # the last key of lexsort decides first
        order = (merged["index"], merged["shard"], merged["pmid"], -merged["day"], -merged["total"], -merged["final"])
        self._rows = merged[np.lexsort(order)][: self._count]

    def rows(self) -> Rows:
        """The best, best first; ties by total, then the newer, then the lower PMID."""
        return self._rows

    def _final(self, total: Array, days: NDArray[np.int32], is_review: Mask) -> Array:
        boosts = [sizes for _, sizes in self._boosts(days, is_review)]
        if not boosts:
            return total
        finals = (final_score(total_score, sizes) for total_score, *sizes in zip(total.tolist(), *boosts, strict=True))
        return np.fromiter(finals, np.float64, len(total))

    def _boosts(self, days: NDArray[np.int32], is_review: Mask) -> Iterator[tuple[str, Iterable[float | None]]]:
        """The size of each boost for each row; None where it cannot be judged."""
        if self._criteria.boost_recent:
            sizes = {day: recent_boost(self.today.toordinal() - day) if day else None for day in set(days.tolist())}
            yield "boost_recent", (sizes[day] for day in days.tolist())
        if self._criteria.prefer_review_articles:
            yield "prefer_review_articles", (LARGEST_BOOST if is_lifted else 0.0 for is_lifted in is_review.tolist())

    def boosts(self, columns: Columns, places: NDArray[np.int64]) -> list[dict[str, float]]:
        """The boosts of these rows of a shard, with their sizes."""
        by_boost = dict(self._boosts(columns.days[places], columns.marks[places] & REVIEW != 0))
        rows: list[dict[str, float]] = [{} for _ in places]
        for name, sizes in by_boost.items():
            for row, size in zip(rows, sizes, strict=True):
                if size is not None:
                    row[name] = size
        return rows


def rounded(total: Array) -> Array:
    """Totals as a ranking has them. numpy rounds halves in another way than Python, which rounds those of the tools."""
    return np.fromiter((round(value, DIGITS) for value in total.tolist()), np.float64, len(total))


@dataclass(slots=True)
class _Shards:
    """The shards of a run that are done."""

    place: CorpusFolder
    plan: CorpusPlan
    done: dict[int, str] = field(default_factory=dict)
    """The hash of the columns, by shard."""
    articles: int = 0
    errors: int = 0

    def summaries(self, on_progress: OnProgress) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The count of articles and the summaries of each shard; remembers the shards that are done."""
        for number, shard in enumerate(self.plan.shards, start=1):
            end = self.place.done(shard.number, self.plan.key)
            if end is not None:
                self.done[shard.number] = end["files"][self.place.columns_file(shard.number).name]["sha256"]
                read = end["counts"].get("read", 0)
                self.articles += read
                self.errors += end["counts"].get("error", 0)
                yield read, end["summaries"]
            on_progress("summaries", number, len(self.plan.shards))

    def columns(self, number: int) -> Columns:
        """The columns of a shard that is done.

        Raises:
            RankingRefused: they are not what was written.
        """
        path = self.place.columns_file(number)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise _not_as_written(path) from error
        if hashlib.sha256(content).hexdigest() != self.done[number]:
            raise _not_as_written(path)
        return Columns.of_content(content)

    def rows(self, number: int, places: Sequence[int], columns: Columns) -> dict[int, dict[str, Any]]:
        """Rows of a shard by their places among them.

        Raises:
            RankingRefused: they are not what was written.
        """
        path = self.place.rows_file(number)
        try:
            return dict(rows_at(path, places, columns.blocks.tolist()))
        except (OSError, EOFError, zlib.error, ValueError, LookupError) as error:  # all that a damaged file fails with
            raise _not_as_written(path) from error


def _not_as_written(path: FolderFile) -> RankingRefused:
    hint = "Remove it, and have its shard done again with: biofact corpus run DIR"
    return RankingRefused(f"{str(path)!r} is not what the run wrote.", hint=hint)


def rank(
    folder: Path,
    request: RankRequest | None = None,
    *,
    today: date | None = None,
    is_partial: bool = False,
    on_progress: OnProgress = lambda step, done, total: None,
) -> CorpusRanking:
    """Rank all articles of a corpus, and write the best ``request.max_results`` to ``ranking.csv`` and
    ``ranking.jsonl``.

    Totals and order are those of ``pubmed_score_articles`` and ``pubmed_filter_rank`` over the same articles. Without a
    request the best ten are written. ``today``, by default this day in UTC, is what ages of articles are counted from.
    ``is_partial`` ranks what is done where shards are missing.

    Raises:
        RankingRefused: shards are missing, a file is damaged, or the request needs more than the columns have.
        FolderRefused: the folder holds no plan.
        WriteFailed: the system refuses a write.
    """
    request = request or RankRequest()
    today = today or datetime.now(UTC).date()
    if unknown := unknown_options(request):
        message = f"{name_list(unknown, len(unknown))}: journals and citations are not kept of a corpus."
        raise RankingRefused(message, hint="Leave it out, or rank the articles of a review by it.")
    place = CorpusFolder(folder)
    shards = _Shards(place, place.plan())
    scales = corpus_scales(shards.plan.settings, shards.summaries(on_progress))
    _check_complete(shards, is_partial=is_partial)
    filters, totals, correlations = ColumnarFilters(request), ValueCountsSum(), CorrelationSums(list(scales.features))
    best = BestRows(request.max_results, request.ranking_criteria, today)
    for count, number in enumerate(shards.done, start=1):  # the second pass: scores need the counts of all shards
        columns = shards.columns(number)
        scores = scales.scores(columns.parts)
        correlations.add(scores.by_feature, scores.missing)
        total = rounded(scores.total)
        totals.add(ValueCounts.of(total))
        best.add(number, columns, total, filters.passed(columns, total))
        on_progress("scores", count, len(shards.done))
    scored_rows = list(_scored_rows(shards, scales, best, on_progress))
    ranking = _ranking(shards, scales, filters, best, totals=totals.sum(), correlations=correlations)
    return ranking_files.write(folder, ranking, scored_rows)


def _check_complete(shards: _Shards, *, is_partial: bool) -> None:
    missing = len(shards.plan.shards) - len(shards.done)
    if not shards.done:
        raise RankingRefused("No shard is done.", hint="Begin with: biofact corpus run DIR")
    if missing and not is_partial:
        failed = shards.place.failed(shards.plan)
        failed_text = f" Given up: {_failed_text(failed)}." if failed else ""
        raise RankingRefused(
            f"{missing:,} of {len(shards.plan.shards):,} shards are not done.{failed_text}",
            hint="Go on with: biofact corpus run DIR, or rank what is done with --partial",
        )


def _failed_text(failed: Mapping[int, str]) -> str:
    first = "; ".join(f"shard {number}: {reason.rstrip('.')}" for number, reason in list(failed.items())[:_MOST_NAMED])
    return first + (f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else "")


def _scored_rows(shards: _Shards, scales: CorpusScales, best: BestRows, on_progress: OnProgress) -> Iterator[ScoredRow]:
    """The best rows, best first, with the breakdown of their scores; read shard by shard."""
    best_rows: Rows = best.rows()
    results: list[ScoredRow | None] = [None] * len(best_rows)
    numbers = np.unique(best_rows["shard"]).tolist()
    for count, number in enumerate(numbers, start=1):
        ranks = np.flatnonzero(best_rows["shard"] == number)
        rows = _rows_of_shard(shards, scales, best, best_rows[ranks])
        for rank_from_0, row in zip(ranks.tolist(), rows, strict=True):
            results[rank_from_0] = row
        on_progress("rows", count, len(numbers))
    yield from (row for row in results if row is not None)


def _rows_of_shard(shards: _Shards, scales: CorpusScales, best: BestRows, best_rows: Rows) -> Iterator[ScoredRow]:
    number, places = int(best_rows["shard"][0]), best_rows["index"]
    columns = shards.columns(number)
    scores = scales.scores({name: parts[places] for name, parts in columns.parts.items()})
    boosts = best.boosts(columns, places)
    in_shard: Sequence[int] = columns.places[places].tolist()
    texts = shards.rows(number, in_shard, columns)
    for index, place in enumerate(in_shard):
        breakdown = {
            name: feature_score(values[index], scales.shares[name], is_unstated=bool(scores.unstated[name][index]))
            for name, values in scores.by_feature.items()
        }
        yield ScoredRow(
            total_score=float(best_rows["total"][index]),
            final_score=float(best_rows["final"][index]),
            boosts=boosts[index],
            breakdown=breakdown,
            year=int(columns.years[places[index]]) or None,
            marks=int(columns.marks[places[index]]),
            shard=number,
            place=place,
            row=texts[place],
        )


def _ranking(
    shards: _Shards,
    scales: CorpusScales,
    filters: ColumnarFilters,
    best: BestRows,
    *,
    totals: ValueCounts,
    correlations: CorrelationSums,
) -> CorpusRanking:
    request = filters.request
    cut = best.passed - len(best.rows())
    steps = [*filters.steps(), *([FilterStep("max_results", str(request.max_results), cut)] if cut else [])]
    plan = shards.plan
    return CorpusRanking(
        key=plan.key,
        today=best.today,
        request=request,
        articles=shards.articles,
        errors=shards.errors,
        not_done=plan.articles - shards.articles - shards.errors,
        passed=best.passed,
        steps=steps,
        order=order_in_words(request.ranking_criteria),
        missing_shards=[shard.number for shard in plan.shards if shard.number not in shards.done],
        failed=shards.place.failed(plan),
        distribution=distribution(totals),
        thousandths=_thousandths(totals),
        shares=dict(scales.shares),
        messages=[*scales.messages, *_messages(filters, best)],
        correlations=correlations.matrix(FEWEST_CORRELATED),
    )


def _thousandths(totals: ValueCounts) -> dict[float, int]:
    """The number of totals in each thousandth, by its lower end."""
    lower = totals.mapped(lambda values: np.floor(values * 1000 + 1e-9) / 1000)
    return dict(zip(lower.values.tolist(), lower.counts.tolist(), strict=True))


def _messages(filters: ColumnarFilters, best: BestRows) -> Iterator[str]:
    for step in filters.steps():
        if step.name == "retracted" and step.removed:
            yield f"{step.removed:,} articles were left out as retracted; include_retracted keeps them."
        if step.unknown:
            yield f"{step.name} also left out {step.unknown:,} articles whose year is not known."
    if filters.request.ranking_criteria.boost_recent and best.undated:
        yield f"boost_recent could not lift {best.undated:,} articles: no date of publication is known."
    if not best.passed:
        strictest = max(filters.steps(), key=lambda step: step.removed)
        yield f"No article passed the filters. Most fell to one: {strictest}."
