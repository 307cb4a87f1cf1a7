"""The page of a corpus: its best articles, read again from the input files, and how many each step left."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from biofact.core.records import Notice
from biofact.corpus import ranking_files
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.inputs import InputDamaged
from biofact.corpus.ranking_files import CorpusRanking, RankingRefused, ScoredRow
from biofact.corpus.records import CorpusPlan
from biofact.corpus.shards import check_unchanged, entries_of
from biofact.literature import files
from biofact.literature import report as pages
from biofact.literature.processes import Processes
from biofact.literature.ranking.candidates import Candidate, FilterStep, RankedRow, Ranking, article_flags
from biofact.literature.records import Evidence
from biofact.literature.review.plan import RULES
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LISTED = 25
MOST_LISTED = 200
"""Articles whose details the page has."""
PAGE = "report.html"
OnProgress = Callable[[str, int, int], None]
_MOST_FILES = 8
"""Files that the flow names one by one."""
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class _FileArticles:
    """The listed articles of an input file, or the reason why they cannot be read."""

    articles: Mapping[tuple[int, int], CanonicalPubMedArticle] = field(default_factory=dict)
    """By shard and place among its rows."""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class _ArticlePlaces:
    """Places of the listed articles of one input file."""

    folder: Path
    file: int
    places: Mapping[int, frozenset[int]]
    """Places among its rows, by shard."""


async def report(
    folder: Path,
    *,
    listed: int = LISTED,
    jobs: int = 1,
    on_progress: OnProgress = lambda step, done, total: None,
) -> Path:
    """Write the page of the ranking in a folder, with the best ``listed`` of its articles; returns its path.

    Only the input files that hold these articles are read, by ``jobs`` processes.

    Raises:
        ValueError: ``listed`` is not between 1 and 200.
        RankingRefused: there is no ranking, or an input file is not what it was.
        FolderRefused: the folder holds no plan.
        WriteFailed: the system refuses the write.
    """
    if not 1 <= listed <= MOST_LISTED:
        raise ValueError(f"{listed} articles are asked for; a page lists 1 to {MOST_LISTED}.")
    plan = CorpusFolder(folder).plan()
    ranking, scored_rows = ranking_files.read(folder, plan.key)
    best = scored_rows[:listed]
    articles: dict[tuple[int, int], CanonicalPubMedArticle] = {}
    places = _article_places(folder, plan, best)
    done = 0
    async for file_articles in _read(places, jobs):
        if file_articles.failure:
            hint = "Put the file back that the run was planned with, or plan and run anew in another folder."
            raise RankingRefused(file_articles.failure, hint=hint)
        articles |= file_articles.articles
        done += 1
        on_progress("articles", done, len(places))
    rows = [_ranked_row(rank, row, articles[row.shard, row.place]) for rank, row in enumerate(best, start=1)]
    page = folder / PAGE
    files.write(page, pages.page(_content(plan, ranking, best, rows)).encode())
    return page


def _article_places(folder: Path, plan: CorpusPlan, best: Sequence[ScoredRow]) -> list[_ArticlePlaces]:
    by_file: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in best:
        by_file[plan.shards[row.shard].file][row.shard].add(row.place)
    return [
        _ArticlePlaces(folder, file, {shard: frozenset(places) for shard, places in sorted(shards.items())})
        for file, shards in sorted(by_file.items())
    ]


async def _read(files: Sequence[_ArticlePlaces], jobs: int) -> AsyncIterator[_FileArticles]:
    """The articles of each file, as it is read."""
    if min(jobs, len(files)) <= 1:
        for file in files:
            yield await asyncio.to_thread(_articles, file)
        return
    async with Processes(_articles, min(jobs, len(files))) as processes:
        for articles in asyncio.as_completed([processes.call(file) for file in files]):
            yield await articles


def _articles(listed: _ArticlePlaces) -> _FileArticles:
    place = CorpusFolder(listed.folder)
    plan = place.plan()
    file = plan.files[listed.file]
    articles: dict[tuple[int, int], CanonicalPubMedArticle] = {}
    try:
        check_unchanged(file)
        for number, places in listed.places.items():
            # no further than the last that is listed
            entries = islice(entries_of(place, file, plan.shards[number]), max(places) + 1)
            at_places = {index: entry.article for index, entry in enumerate(entries) if index in places}
            articles |= {(number, index): article for index, article in at_places.items() if article}
    except InputDamaged as damage:
        return _FileArticles(failure=str(damage))
    except OSError as error:
        return _FileArticles(failure=f"{file.path!r} cannot be read: {(error.strerror or str(error)).lower()}.")
    # a listed row had features, so that its article was readable then
    if len(articles) < sum(map(len, listed.places.values())):
        return _FileArticles(failure=f"{file.path!r} is not read as it was by biofact {plan.version}.")
    return _FileArticles(articles)


def _ranked_row(rank: int, row: ScoredRow, article: CanonicalPubMedArticle) -> RankedRow:
    candidate = Candidate(article.id, article, row.row["features"], row.total_score, row.breakdown)
    return RankedRow(rank, candidate, row.final_score, dict(row.boosts), article_flags(article), None)


def _content(
    plan: CorpusPlan, ranking: CorpusRanking, best: Sequence[ScoredRow], rows: Sequence[RankedRow]
) -> pages.Report:
    settings = plan.settings
    evidence = {
        row.candidate.item_id: {
            name: [Evidence.model_validate(place) for place in places]
            for name, places in scored_row.row["evidence"].items()
        }
        for row, scored_row in zip(rows, best, strict=True)
    }
    return pages.Report(
        title=f"Corpus of {plan.articles:,} article{'' if plan.articles == 1 else 's'}",
        run_date=ranking.today.isoformat(),
        queries=(),
        flow=_flow(plan, ranking, rows),
        rows=rows,
        scores=ranking.thousandths,
        distribution=ranking.distribution,
        correlations=pages.between_features(ranking.correlations),
        evidence=evidence,
        extraction_method="rules" if settings.reader == RULES else f"the model {settings.reader}",
        scoring_method=pages.weights_in_words(settings.score_function, ranking.shares),
        ranking_method=ranking.order,
        notices=[*_gaps(ranking, len(plan.shards)), *_notices(ranking)],
    )


def _flow(plan: CorpusPlan, ranking: CorpusRanking, rows: Sequence[RankedRow]) -> pages.Flow:
    """The counts of the corpus; articles behind the last on the page count as cut, though the table may have them."""
    steps = [step for step in ranking.steps if step.name != "max_results"]
    cut = ranking.passed - len(rows)
    whole = Ranking(
        rows=tuple(rows),
        initial_count=ranking.articles,
        filtered_count=ranking.passed,
        steps=(*steps, FilterStep("max_results", str(len(rows)), cut)),
        method=ranking.order,
        notices=(),
    )
    entries = tuple((Path(file.path).name, file.entries) for file in plan.files)
    return pages.flow_of(
        entries if len(entries) <= _MOST_FILES else ((f"{len(entries):,} input files", sum(n for _, n in entries)),),
        whole,
        duplicates=sum(file.superseded for file in plan.files),
        other_removals=(("Not readable", ranking.errors), ("In parts that are not read", ranking.not_done)),
        origin="Corpus",
    )


def _gaps(ranking: CorpusRanking, shards: int) -> list[Notice]:
    """Notices of the shards and articles that the ranking lacks."""
    notices = []
    if ranking.missing_shards:
        message = (
            f"Partial: {len(ranking.missing_shards):,} of {shards:,} shards were not done when this was ranked,"
            f" with {ranking.not_done:,} articles."
        )
        notices.append(Notice(code="LEG_FAILED", message=message))
    failed = [f"Shard {number} was given up: {reason}" for number, reason in ranking.failed.items()]
    notices += [Notice(code="LEG_FAILED", message=message) for message in failed[:_MOST_NAMED]]
    if len(failed) > _MOST_NAMED:
        message = f"So were {len(failed) - _MOST_NAMED:,} more; ranking.json names them."
        notices.append(Notice(code="LEG_FAILED", message=message))
    return notices


def _notices(ranking: CorpusRanking) -> list[Notice]:
    unread = [f"{ranking.errors:,} articles could not be read."] if ranking.errors else []
    return [Notice(code="NOT_COVERED", message=message) for message in (*unread, *ranking.messages)]
