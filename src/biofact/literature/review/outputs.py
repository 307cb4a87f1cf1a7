"""The last steps: scores and ranking, recomputed at every start, and the files of a run.

Only citations are requested for them, and those are stored. The same results make the same files.
"""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from biofact.core.records import Notice, Provenance
from biofact.literature import exports, report, steps
from biofact.literature.query.records import QueryGeneration
from biofact.literature.ranking.candidates import Candidate, Ranking
from biofact.literature.ranking.order import rank_articles
from biofact.literature.records import GOAL_RELEVANCE, CanonicalPubMedExtraction
from biofact.literature.relevance import GoalConcept, relevance
from biofact.literature.review.features import Features
from biofact.literature.review.folder import RunStart
from biofact.literature.review.plan import RULES, ReviewPlan
from biofact.literature.review.questions import RememberedQuestions, by_source
from biofact.literature.review.search import SearchedQuery
from biofact.literature.steps import StepInput
from biofact.sources.pubmed.records import CanonicalPubMedArticle

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

_MOST_RANKED = 10_000


@dataclass(slots=True)
class ReviewScores:
    """The scores of the articles, with their statistics."""

    candidates: list[Candidate] = field(default_factory=list)
    distribution: dict[str, float] = field(default_factory=dict)
    correlations: dict[str, dict[str, float]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReviewRanking:
    """The ranking of all articles that passed the filters, and of the best of them."""

    whole: Ranking
    top: Ranking


def score_articles(
    articles: Sequence[CanonicalPubMedArticle],
    rows: Sequence[CanonicalPubMedExtraction],
    plan: ReviewPlan,
    concepts: Sequence[GoalConcept],
    trained_model: "TrainedModel | None",
) -> ReviewScores:
    """The score of every article, its relevance to the goal among its features."""
    if not rows:
        return ReviewScores()
    by_id = {article.id: article for article in articles}
    relevant = dict(zip(by_id, relevance(articles, concepts), strict=True))
    items = [row.model_dump() for row in rows]
    for item in items:
        item["extraction"] = {**item["extraction"], GOAL_RELEVANCE: relevant[item["item_id"]]}
    step_input = StepInput(items, is_collection=True)
    answer, stored_rows = steps.score_items(
        step_input, plan.criteria, plan.score_function, trained_model, include_percentiles=True, slim=False
    )
    features = {row.item_id: row.extraction for row in rows}
    candidates = []
    for item in steps.scored_items(stored_rows):
        name, total, breakdown = item["item_id"], item["total_score"], item["score_breakdown"]
        candidates.append(Candidate(name, by_id[name], features[name], total, breakdown, relevant[name]))
    statistics = answer.scoring_metadata
    return ReviewScores(
        candidates, statistics.score_distribution, statistics.feature_correlations, list(answer.notices)
    )


async def rank_candidates(
    candidates: Sequence[Candidate], run_start: RunStart, questions: RememberedQuestions
) -> ReviewRanking:
    """The candidates in their order.

    Raises:
        RateLimited, UpstreamError: citations are asked for, and iCite could not tell them.
    """
    request = run_start.plan.ranking
    counts = await steps.required_citations(candidates, request, questions)
    # the files list all ranked articles, the report only the top
    whole_request = request.model_copy(update={"max_results": _MOST_RANKED})
    return ReviewRanking(
        whole=rank_articles(candidates, whole_request, counts, today=run_start.today),
        top=rank_articles(candidates, request, counts, today=run_start.today),
    )


_SOURCES = {
    "ncbi": ("PubMed and MeSH", "https://pubmed.ncbi.nlm.nih.gov/"),
    "icite": ("iCite", "https://icite.od.nih.gov/"),
}
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Results:
    """The results of all steps of a run."""

    run_start: RunStart
    generation: QueryGeneration
    concepts: Sequence[GoalConcept]
    """The concepts of the goal."""
    searched_queries: Sequence[SearchedQuery]
    pmids: Sequence[str]
    """The articles to read."""
    articles: Sequence[CanonicalPubMedArticle]
    absent: Sequence[str]
    unread: Mapping[str, str]
    features: Features
    scores: ReviewScores
    ranked: ReviewRanking
    provenances: Sequence[Provenance]
    service_notices: Sequence[Notice]
    """Notices of the services, such as of a stale answer."""

    @property
    def duplicates(self) -> int:
        """Repeats of articles found by several queries."""
        return sum(query.taken for query in self.searched_queries) - len(self.pmids)

    @property
    def notices(self) -> list[Notice]:
        """The notices to the reader, each once, in the order of the steps."""
        of_queries = [notice for query in self.generation.generated_queries for notice in query.notices]
        notices = [
            *self.generation.notices,
            *of_queries,
            *(n for searched_query in self.searched_queries for n in searched_query.notices),
            *self.service_notices,
        ]
        if self.absent:
            pmids = ", ".join(self.absent[:_MOST_NAMED])
            notices.append(Notice(code="DROPPED", message=f"PubMed lists articles that it does not have: {pmids}."))
        if self.unread:
            pmid, reason = next(iter(self.unread.items()))
            message = f"{len(self.unread)} articles could not be read, such as PMID:{pmid}: {reason}"
            notices.append(Notice(code="LEG_FAILED", message=message))
        notices += [*self.features.notices, *self.scores.notices, *self.ranked.top.notices]
        return list(dict.fromkeys(notices))


def files(results: Results) -> dict[str, bytes]:
    """Every file but the manifest, by name."""
    by_id = {article.id: article for article in results.articles}
    rows = [row.model_copy(update={"original_article": by_id[row.item_id]}) for row in results.features.rows]
    ranking = results.ranked.whole.rows
    articles = [row.candidate.article for row in ranking if row.candidate.article is not None]
    texts = {
        "articles.jsonl": exports.json_lines(results.articles),
        "features.csv": exports.features_table(rows),
        "ranking.csv": exports.ranking_table(ranking),
        "references.ris": exports.ris(articles),
        "references.bib": exports.bibtex(articles),
        "report.html": report.page(_report(results)),
    }
    return {name: text.encode() for name, text in texts.items()}


def manifest(results: Results, contents: Mapping[str, bytes], now: dt.datetime) -> bytes:
    """The plan, its results and all versions: enough to repeat the run and compare. Only ``times`` has times of day."""
    run_start, scores, ranked = results.run_start, results.scores, results.ranked
    version = next((query.answer.version for query in results.searched_queries if query.answer.version), None)
    document: dict[str, Any] = {
        "format": run_start.format,
        "goal": run_start.plan.request.research_goal,
        "today": run_start.today.isoformat(),
        "versions": {**run_start.versions, **({"eutils": version} if version else {})},
        **({"later_versions": list(run_start.later_versions)} if run_start.later_versions else {}),
        "rerun": run_start.plan.command(),
        "plan": run_start.plan.model_dump(mode="json"),
        "queries": [query.manifest_entry() for query in results.searched_queries],
        "query_method": results.generation.method,
        "mesh_terms": results.generation.mesh_terms,
        "counts": counts(results),
        "features": results.features.statistics,
        "scores": {"distribution": scores.distribution, "correlations": scores.correlations},
        "ranking": {"method": ranked.top.method, "filters": [str(step) for step in ranked.top.steps]},
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in contents.items()
        },
        "sources": [
            {"name": source.name, **({"licence": source.licence} if source.licence else {})}
            for source in _sources(results)
        ],
        "notices": [notice.model_dump() for notice in results.notices],
        "times": {"started": run_start.started, "finished": now.isoformat(), "sources": _times(results.provenances)},
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def counts(results: Results) -> dict[str, int]:
    """The number of articles after each step."""
    ranking = results.ranked
    return {
        "found": sum(query.answer.count for query in results.searched_queries),
        "taken": sum(query.taken for query in results.searched_queries),
        "duplicates": results.duplicates,
        "articles": len(results.articles),
        "not_read": len(results.absent) + len(results.unread),
        "scored": len(results.scores.candidates),
        "ranked": len(ranking.whole.rows),
        "in_report": len(ranking.top.rows),
    }


def _report(results: Results) -> report.Report:
    run_start, ranked = results.run_start, results.ranked
    plan = run_start.plan
    weights = report.weights_in_words(plan.score_function, plan.criteria.shares)
    scoring_method = f"the trained model {plan.trained.partition(' ')[0]}" if plan.trained else weights
    relevance_share = None if plan.trained else plan.criteria.shares.get(GOAL_RELEVANCE) or None
    return report.Report(
        title=plan.request.research_goal,
        run_date=run_start.today.isoformat(),
        queries=[
            report.Query(
                query.query.query_string,
                query.answer.count,
                query.taken,
                query.answer.query_translation or None,
                query.query.rationale,
            )
            for query in results.searched_queries
        ],
        flow=_flow(results),
        rows=ranked.top.rows,
        scores=Counter(query.total_score for query in results.scores.candidates),
        distribution=results.scores.distribution,
        correlations=report.known_correlations(results.scores.correlations, results.scores.candidates),
        evidence={
            row.item_id: row.extraction_metadata.evidence for row in results.features.rows if row.extraction_metadata
        },
        extraction_method="rules" if plan.reader == RULES else f"the model {plan.reader}",
        scoring_method=scoring_method,
        ranking_method=ranked.top.method,
        concepts=results.concepts,
        relevance_share=relevance_share,
        sources=_sources(results),
        notices=results.notices,
    )


def _flow(results: Results) -> report.Flow:
    queries = results.searched_queries
    other_removals = (
        ("Beyond the number asked for, and not read", sum(query.answer.count - query.taken for query in queries)),
        ("Not to be had from PubMed", len(results.absent) + len(results.unread)),
    )
    return report.flow_of(
        tuple((f"Query {place}", query.answer.count) for place, query in enumerate(queries, start=1)),
        results.ranked.top,
        duplicates=results.duplicates,
        other_removals=other_removals,
    )


def _sources(results: Results) -> list[report.DataSource]:
    sources = []
    for name, answers in sorted(by_source(results.provenances).items()):
        label, url = _SOURCES.get(name, (name, None))
        content = f"{len(results.articles):,} articles" if name == "ncbi" else "citation counts"
        times = sorted(provenance.retrieved_at for provenance in answers)
        days = dict.fromkeys((times[0][:10], times[-1][:10]))
        licence = next((provenance.licence for provenance in answers if provenance.licence), None)
        is_made_up = " (the sandbox)" if results.run_start.plan.is_sandbox else ""
        sources.append(report.DataSource(f"{label}{is_made_up}", content, " to ".join(days), licence, url))
    return sources


def _times(provenances: Sequence[Provenance]) -> dict[str, dict[str, str]]:
    groups = sorted(by_source(provenances).items())
    times_by_source = {name: [answer.retrieved_at for answer in answers] for name, answers in groups}
    return {name: {"first": min(times), "last": max(times)} for name, times in times_by_source.items()}
