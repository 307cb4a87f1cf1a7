"""The best articles of a corpus: scored among all of them, filtered and put in order without a look at any text."""

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from biofact.core.quoting import listed
from biofact.corpus import columns, ranking_files, rows
from biofact.corpus.best_rows import BestRows, Rows, rounded
from biofact.corpus.columnar_filters import ColumnarFilters, unknown_options
from biofact.corpus.columns import Columns
from biofact.corpus.feature_scales import CorpusScales, corpus_scales
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.ranking_files import CorpusRanking, RankingRefused, ScoredRow
from biofact.corpus.records import CorpusPlan
from biofact.literature.ranking.candidates import FilterStep
from biofact.literature.ranking.order import order_in_words
from biofact.literature.ranking.request import RankRequest
from biofact.literature.report.figures import FEWEST_CORRELATED
from biofact.literature.scoring.scores import CorrelationSums, distribution, feature_score
from biofact.literature.scoring.values import ValueCounts, ValueCountsSum

TOP = 1000
OnProgress = Callable[[str, int, int], None]
_MOST_NAMED = 5


@dataclass(slots=True)
class _Shards:
    """The shards of a run that are done, and what is known of them."""

    place: CorpusFolder
    plan: CorpusPlan
    done: dict[int, str] = field(default_factory=dict)
    """By number the hash of its columns."""
    articles: int = 0
    errors: int = 0

    def summaries(self, on_progress: OnProgress) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """How many articles each shard has, and the counts of their parts; remembers which shards are done."""
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
        """Those of a shard that is done.

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
        return columns.parsed(content)

    def rows(self, number: int, places: Sequence[int], kept: Columns) -> dict[int, dict[str, Any]]:
        """Rows of a shard by their places among them.

        Raises:
            RankingRefused: they are not what was written.
        """
        path = self.place.rows_file(number)
        try:
            return dict(rows.rows_at(path, places, kept.blocks.tolist()))
        except (OSError, EOFError, zlib.error, ValueError, LookupError) as error:  # whatever a damaged file fails with
            raise _not_as_written(path) from error


def _not_as_written(path: Path) -> RankingRefused:
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
        message = f"{listed(unknown, len(unknown))}: journals and citations are not kept of a corpus."
        raise RankingRefused(message, hint="Leave it out, or rank the articles of a review by it.")
    place = CorpusFolder(folder)
    shards = _Shards(place, place.plan())
    scales = corpus_scales(shards.plan.settings, shards.summaries(on_progress))
    _check_complete(shards, is_partial=is_partial)
    filters, totals, correlations = ColumnarFilters(request), ValueCountsSum(), CorrelationSums(list(scales.features))
    best = BestRows(request.max_results, request.ranking_criteria, today)
    for count, number in enumerate(shards.done, start=1):
        kept = shards.columns(number)
        scores = scales.scores(kept.parts)
        correlations.add(scores.by_feature, scores.missing)
        total = rounded(scores.total)
        totals.add(ValueCounts.of(total))
        best.add(number, kept, total, filters.passed(kept, total))
        on_progress("scores", count, len(shards.done))
    scored = list(_scored_rows(shards, scales, best, on_progress))
    ranking = _ranking(shards, scales, filters, best, totals=totals.sum(), correlations=correlations)
    return ranking_files.write(folder, ranking, scored)


def _check_complete(shards: _Shards, *, is_partial: bool) -> None:
    missing = len(shards.plan.shards) - len(shards.done)
    if not shards.done:
        raise RankingRefused("No shard is done.", hint="Begin with: biofact corpus run DIR")
    if missing and not is_partial:
        failed = shards.place.failed(shards.plan)
        named = f" Given up: {_named(failed)}." if failed else ""
        raise RankingRefused(
            f"{missing:,} of {len(shards.plan.shards):,} shards are not done.{named}",
            hint="Go on with: biofact corpus run DIR, or rank what is done with --partial",
        )


def _named(failed: Mapping[int, str]) -> str:
    shown = "; ".join(f"shard {number}: {reason.rstrip('.')}" for number, reason in list(failed.items())[:_MOST_NAMED])
    return shown + (f"; and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else "")


def _scored_rows(shards: _Shards, scales: CorpusScales, best: BestRows, on_progress: OnProgress) -> Iterator[ScoredRow]:
    """The best rows, best first, with how they came by their scores; read shard by shard."""
    found: Rows = best.rows()
    results: list[ScoredRow | None] = [None] * len(found)
    numbers = np.unique(found["shard"]).tolist()
    for count, number in enumerate(numbers, start=1):
        ranks = np.flatnonzero(found["shard"] == number)
        for rank_from_0, row in zip(ranks.tolist(), _of_shard(shards, scales, best, found[ranks]), strict=True):
            results[rank_from_0] = row
        on_progress("rows", count, len(numbers))
    yield from (row for row in results if row is not None)


def _of_shard(shards: _Shards, scales: CorpusScales, best: BestRows, found: Rows) -> Iterator[ScoredRow]:
    number, places = int(found["shard"][0]), found["index"]
    kept = shards.columns(number)
    scores = scales.scores({name: parts[places] for name, parts in kept.parts.items()})
    boosts = best.boosts(kept, places)
    in_shard: Sequence[int] = kept.places[places].tolist()
    texts = shards.rows(number, in_shard, kept)
    for at, place in enumerate(in_shard):
        breakdown = {
            name: feature_score(each[at], scales.shares[name], is_unstated=bool(scores.unstated[name][at]))
            for name, each in scores.by_feature.items()
        }
        yield ScoredRow(
            total_score=float(found["total"][at]),
            final_score=float(found["final"][at]),
            boosts=boosts[at],
            breakdown=breakdown,
            year=int(kept.years[places[at]]) or None,
            marks=int(kept.marks[places[at]]),
            shard=number,
            place=place,
            row=texts[place],
        )


def _ranking(  # what the pass over all shards has found
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
    """How many totals lie in each thousandth, by its lower end."""
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
        most = max(filters.steps(), key=lambda step: step.removed)
        yield f"No article passed the filters. Most fell to one: {most}."
