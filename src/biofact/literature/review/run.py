"""A review, step by step. Every step takes stored answers from the disk, and requests the others."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biofact.core import call
from biofact.core.folder_files import FolderFile
from biofact.core.records import Notice
from biofact.literature import files
from biofact.literature.model import LanguageModel
from biofact.literature.query import concepts
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.records import CanonicalPubMedQuery, QueryGeneration
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.relevance import GoalConcept, goal_concepts
from biofact.literature.review import features, outputs
from biofact.literature.review.features import RememberedModel, WatchedModel
from biofact.literature.review.folder import OUTPUTS, Folder, RunStart, Work
from biofact.literature.review.outputs import Results
from biofact.literature.review.plan import ReviewPlan
from biofact.literature.review.progress import OnProgress, ProgressTally, gather_limited
from biofact.literature.review.questions import RememberedQuestions
from biofact.literature.review.search import SearchedQuery, merge_pmids, search_query
from biofact.transport.stack import Transport

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

_MANIFEST = OUTPUTS[-1]
_SEARCHES_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The result of a complete run."""

    folder: Path
    counts: dict[str, int]
    top: Sequence[RankedRow]
    """Best first."""
    notices: Sequence[Notice]
    was_finished: bool
    """Whether there was nothing left to do."""
    damaged: Sequence[str]
    """Files of the run whose checksum was wrong; their content was requested again."""

    @property
    def report(self) -> Path:
        """The page to open."""
        return self.folder / "report.html"


@dataclass(frozen=True, slots=True)
class _Run:
    run_start: RunStart
    work: Work
    questions: RememberedQuestions
    model: RememberedModel | None
    on_progress: OnProgress

    @property
    def plan(self) -> ReviewPlan:
        return self.run_start.plan


async def review(  # noqa: PLR0913  # what a run needs, by keyword
    plan: ReviewPlan,
    folder: Path,
    transport: Transport,
    *,
    version: str,
    model: LanguageModel | None = None,
    trained_model: "TrainedModel | None" = None,
    fresh: bool = False,
    on_progress: OnProgress = lambda step, done, total: None,
) -> ReviewResult:
    """Make a review in a folder, or continue the one that the same plan began there.

    Stored answers of services and of the model are not requested again. ``version`` is biofact's own, and goes
    into the manifest.

    Raises:
        FolderRefused: the folder holds something else, another plan, or a run that is at work.
        WriteFailed: the system refuses a write.
        AmbiguousQuery: the goal names nothing to search for.
        RateLimited, UpstreamError: a service or the model does not answer; earlier answers are stored.
    """
    review_folder = Folder(folder)
    with review_folder.session(plan, _now(transport), version=version, fresh=fresh) as (run_start, work):
        was_finished = review_folder.is_finished
        remembered_model = RememberedModel(model, work) if model is not None else None
        run = _Run(run_start, work, RememberedQuestions(transport, work), remembered_model, on_progress)
        with call.session():
            results = await _results(run, trained_model)
        _write(run, folder, results, _now(transport))
        return ReviewResult(
            folder=folder,
            counts=outputs.counts(results),
            top=results.ranked.top.rows,
            notices=results.notices,
            was_finished=was_finished,
            damaged=list(dict.fromkeys(work.damaged)),
        )


async def _results(run: _Run, trained_model: "TrainedModel | None") -> Results:
    generation = await _queries(run)
    searched_queries = await _search_queries(run, generation)
    pmids = merge_pmids(searched_queries, run.plan.max_results)
    tally = ProgressTally(run.on_progress, "articles", len(pmids))
    part = await run.questions.all_articles(pmids, tally)
    tally.end()
    tally = ProgressTally(run.on_progress, "features", len(part.articles))
    features_found = await features.extract_batches(part.articles, run.plan, run.model, run.work, tally)
    tally.end()
    tally = ProgressTally(run.on_progress, "scores", len(part.articles))
    concepts_with_names = _concepts(run, generation)
    scores = outputs.score_articles(part.articles, features_found.rows, run.plan, concepts_with_names, trained_model)
    tally.end()
    tally = ProgressTally(run.on_progress, "ranking", len(part.articles))
    ranked = await outputs.rank_candidates(scores.candidates, run.run_start, run.questions)
    tally.end()
    return Results(
        run_start=run.run_start,
        generation=generation,
        concepts=concepts_with_names,
        searched_queries=searched_queries,
        pmids=pmids,
        articles=part.articles,
        absent=part.absent,
        unread=part.unread,
        features=features_found,
        scores=scores,
        ranked=ranked,
        provenances=run.questions.provenances,
        service_notices=run.questions.notices,
    )


async def _queries(run: _Run) -> QueryGeneration:
    """The queries with every lookup that they need; no query without."""
    request = run.plan.request
    tally = ProgressTally(run.on_progress, "queries", request.max_queries)
    model = WatchedModel(run.model) if run.model is not None else None
    result = await generate_queries(request, run.questions, today=run.run_start.today, model=model)
    # other callers may go on without an answer, a review must not
    if run.questions.failures:
        raise run.questions.failures[0]
    if model is not None and model.failures:
        raise features.model_unavailable(model.name, model.failures[-1])
    tally.end()
    return result


def _concepts(run: _Run, generation: QueryGeneration) -> list[GoalConcept]:
    """The concepts of the goal, under every name that the queries search for."""
    request = run.plan.request
    goal = concepts.read(
        request.research_goal, today=run.run_start.today, domain=request.domain, keywords=request.keywords
    )
    return goal_concepts(goal.concepts, [query.query_string for query in generation.generated_queries])


async def _search_queries(run: _Run, generation: QueryGeneration) -> list[SearchedQuery]:
    queries = generation.generated_queries
    tally = ProgressTally(run.on_progress, "search", len(queries))

    async def search(query: CanonicalPubMedQuery) -> SearchedQuery:
        searches = await search_query(query, run.questions, run.plan.max_results, this_year=run.run_start.today.year)
        tally.add()
        return searches

    searches = await gather_limited(search, queries, at_once=_SEARCHES_AT_ONCE)
    tally.end()
    return searches


def _write(run: _Run, folder: Path, results: Results, now: dt.datetime) -> None:
    """Write missing files; the files of a finished run stay, even if edited since."""
    tally = ProgressTally(run.on_progress, "files", len(OUTPUTS))
    contents = outputs.files(results)
    place = FolderFile(folder)
    was_finished = (place / _MANIFEST).is_file()
    for name, content in contents.items():
        if not was_finished or not (place / name).is_file():
            files.write(place / name, content)
        tally.add()
    if not was_finished:
        # last, as it marks the folder as complete
        files.write(place / _MANIFEST, outputs.manifest(results, contents, now))
    tally.end()


def _now(transport: Transport) -> dt.datetime:
    return dt.datetime.fromtimestamp(transport.timing.wall_clock(), dt.UTC).replace(microsecond=0)
