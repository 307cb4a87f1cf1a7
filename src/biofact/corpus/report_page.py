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
class _FileRead:
    """The articles of a file that are wanted, or why they cannot be had."""

    articles: Mapping[tuple[int, int], CanonicalPubMedArticle] = field(default_factory=dict)
    """By shard and place among its rows."""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Articles of one input file."""

    folder: Path
    file: int
    places: Mapping[int, frozenset[int]]
    """By shard, among its rows."""


async def report(
    folder: Path,
    *,
    listed: int = LISTED,
    jobs: int = 1,
    on_progress: OnProgress = lambda step, done, total: None,
) -> Path:
    """Write the page of the ranking in a folder, with the best ``listed`` of its articles; where it is.

    Only the input files that hold these articles are read, by so many processes.

    Raises:
        ValueError: ``listed`` is not between 1 and 200.
        RankingRefused: there is no ranking, or an input file is not what it was.
        FolderRefused: the folder holds no plan.
        WriteFailed: the system refuses the write.
    """
    if not 1 <= listed <= MOST_LISTED:
        raise ValueError(f"{listed} articles are asked for; a page lists 1 to {MOST_LISTED}.")
    plan = CorpusFolder(folder).plan()
    ranking, scored = ranking_files.read(folder, plan.key)
    best = scored[:listed]
    articles: dict[tuple[int, int], CanonicalPubMedArticle] = {}
    wanted = _wanted(folder, plan, best)
    done = 0
    async for found in _read(wanted, jobs):
        if found.failure:
            hint = "Put the file back that the run was planned with, or plan and run anew in another folder."
            raise RankingRefused(found.failure, hint=hint)
        articles |= found.articles
        done += 1
        on_progress("articles", done, len(wanted))
    rows = [_row(rank, one, articles[one.shard, one.place]) for rank, one in enumerate(best, start=1)]
    page = folder / PAGE
    files.write(page, pages.page(_content(plan, ranking, best, rows)).encode())
    return page


def _wanted(folder: Path, plan: CorpusPlan, best: Sequence[ScoredRow]) -> list[_Wanted]:
    by_file: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for one in best:
        by_file[plan.shards[one.shard].file][one.shard].add(one.place)
    return [
        _Wanted(folder, file, {shard: frozenset(places) for shard, places in sorted(shards.items())})
        for file, shards in sorted(by_file.items())
    ]


async def _read(wanted: Sequence[_Wanted], jobs: int) -> AsyncIterator[_FileRead]:
    """What each file has, as it is read."""
    if min(jobs, len(wanted)) <= 1:
        for one in wanted:
            yield await asyncio.to_thread(_articles, one)
        return
    async with Processes(_articles, min(jobs, len(wanted))) as processes:
        for read in asyncio.as_completed([processes.call(one) for one in wanted]):
            yield await read


def _articles(wanted: _Wanted) -> _FileRead:
    place = CorpusFolder(wanted.folder)
    plan = place.plan()
    file = plan.files[wanted.file]
    found: dict[tuple[int, int], CanonicalPubMedArticle] = {}
    try:
        check_unchanged(file)
        for number, places in wanted.places.items():
            entries = islice(entries_of(place, file, plan.shards[number]), max(places) + 1)
            found |= {(number, at): one.article for at, one in enumerate(entries) if at in places and one.article}
    except InputDamaged as damage:
        return _FileRead(failure=str(damage))
    except OSError as error:
        return _FileRead(failure=f"{file.path!r} cannot be read: {(error.strerror or str(error)).lower()}.")
    if len(found) < sum(map(len, wanted.places.values())):
        return _FileRead(failure=f"{file.path!r} is not read as it was by biofact {plan.version}.")
    return _FileRead(found)


def _row(rank: int, one: ScoredRow, article: CanonicalPubMedArticle) -> RankedRow:
    candidate = Candidate(article.id, article, one.row["features"], one.total_score, one.breakdown)
    return RankedRow(rank, candidate, one.final_score, dict(one.boosts), article_flags(article), None)


def _content(
    plan: CorpusPlan, ranking: CorpusRanking, best: Sequence[ScoredRow], rows: Sequence[RankedRow]
) -> pages.Report:
    settings = plan.settings
    evidence = {
        row.candidate.item_id: {
            name: [Evidence.model_validate(place) for place in places] for name, places in one.row["evidence"].items()
        }
        for row, one in zip(rows, best, strict=True)
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
    """The numbers of the corpus; what is behind the last on the page is cut, be it in the table or not."""
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
        lost=(("Not readable", ranking.errors), ("In parts that are not read", ranking.not_done)),
        origin="Corpus",
    )


def _gaps(ranking: CorpusRanking, shards: int) -> list[Notice]:
    """What the ranking lacks."""
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
