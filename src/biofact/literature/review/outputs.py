"""The last steps: scores and ranking, computed anew at every start, and the files of a run.

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
from biofact.literature.review.questions import RememberedQuestions
from biofact.literature.review.search import SearchedQuery
from biofact.literature.steps import StepInput
from biofact.sources.pubmed.parse import Citations
from biofact.sources.pubmed.records import CanonicalPubMedArticle

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

_MOST_RANKED = 10_000


@dataclass(slots=True)
class ReviewScores:
    """What the articles score."""

    candidates: list[Candidate] = field(default_factory=list)
    distribution: dict[str, float] = field(default_factory=dict)
    correlations: dict[str, dict[str, float]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReviewRanking:
    """All that passed the filters, and the best of them."""

    whole: Ranking
    top: Ranking


def score_articles(
    articles: Sequence[CanonicalPubMedArticle],
    rows: Sequence[CanonicalPubMedExtraction],
    plan: ReviewPlan,
    concepts: Sequence[GoalConcept],
    learned: "TrainedModel | None",
) -> ReviewScores:
    """The score of every article, its relevance to the goal among its features."""
    if not rows:
        return ReviewScores()
    by_id = {article.id: article for article in articles}
    relevant = dict(zip(by_id, relevance(articles, concepts), strict=True))
    given = StepInput([_with_relevance(row, relevant[row.item_id]) for row in rows], is_collection=True)
    answer, kept = steps.score_items(
        given, plan.criteria, plan.score_function, learned, include_percentiles=True, slim=False
    )
    features = {row.item_id: row.extraction for row in rows}
    candidates = [
        Candidate(
            (name := item["item_id"]),
            by_id[name],
            features[name],
            item["total_score"],
            item["score_breakdown"],
            relevant[name],
        )
        for item in steps.scored_items(kept)
    ]
    statistics = answer.scoring_metadata
    return ReviewScores(
        candidates, statistics.score_distribution, statistics.feature_correlations, list(answer.notices)
    )


def _with_relevance(row: CanonicalPubMedExtraction, relevant: float) -> dict[str, Any]:
    item = row.model_dump()
    item["extraction"] = {**item["extraction"], GOAL_RELEVANCE: relevant}
    return item


async def rank_candidates(
    candidates: Sequence[Candidate], run_start: RunStart, questions: RememberedQuestions
) -> ReviewRanking:
    """The candidates in their order.

    Raises:
        RateLimited, UpstreamError: citations are asked for, and iCite could not tell them.
    """
    request = run_start.plan.ranking
    counts: Mapping[str, Citations] = {}
    if request.filters.min_citation_count or request.ranking_criteria.boost_high_impact:
        pmids = [one.article.pmid for one in candidates if one.article is not None and one.article.pmid]
        counts = {f"PMID:{pmid}": citations for pmid, citations in (await questions.citations(pmids)).items()}
    all_of_them = request.model_copy(update={"max_results": _MOST_RANKED})
    return ReviewRanking(
        whole=rank_articles(candidates, all_of_them, counts, today=run_start.today),
        top=rank_articles(candidates, request, counts, today=run_start.today),
    )


_SOURCES = {
    "ncbi": ("PubMed and MeSH", "https://pubmed.ncbi.nlm.nih.gov/"),
    "icite": ("iCite", "https://icite.od.nih.gov/"),
}
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that a run found out."""

    run_start: RunStart
    generation: QueryGeneration
    concepts: Sequence[GoalConcept]
    """What the goal is about."""
    searched: Sequence[SearchedQuery]
    pmids: Sequence[str]
    """To be read."""
    articles: Sequence[CanonicalPubMedArticle]
    absent: Sequence[str]
    unread: Mapping[str, str]
    features: Features
    scores: ReviewScores
    ranked: ReviewRanking
    provenances: Sequence[Provenance]
    service_notices: Sequence[Notice]
    """Beside the answers, such as that one is stale."""

    @property
    def duplicates(self) -> int:
        """Articles that more than one query brought."""
        return sum(one.taken for one in self.searched) - len(self.pmids)

    @property
    def notices(self) -> list[Notice]:
        """What a reader should know, each once, in the order of the steps."""
        of_queries = [notice for query in self.generation.generated_queries for notice in query.notices]
        notices = [
            *self.generation.notices,
            *of_queries,
            *(n for one in self.searched for n in one.notices),
            *self.service_notices,
        ]
        if self.absent:
            named = ", ".join(self.absent[:_MOST_NAMED])
            notices.append(Notice(code="DROPPED", message=f"PubMed lists articles that it does not have: {named}."))
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
    listed = [row.candidate.article for row in ranking if row.candidate.article is not None]
    texts = {
        "articles.jsonl": exports.json_lines(results.articles),
        "features.csv": exports.features_table(rows),
        "ranking.csv": exports.ranking_table(ranking),
        "references.ris": exports.ris(listed),
        "references.bib": exports.bibtex(listed),
        "report.html": report.page(_report(results)),
    }
    return {name: text.encode() for name, text in texts.items()}


def manifest(results: Results, written: Mapping[str, bytes], now: dt.datetime) -> bytes:
    """What was asked, what came of it, and by what: enough to run it again and compare. Times of day under ``times``
    alone.
    """
    run_start, scores, ranked = results.run_start, results.scores, results.ranked
    version = next((query.answer.version for query in results.searched if query.answer.version), None)
    document: dict[str, Any] = {
        "format": run_start.format,
        "goal": run_start.plan.request.research_goal,
        "today": run_start.today.isoformat(),
        "versions": {**run_start.versions, **({"eutils": version} if version else {})},
        **({"later_versions": list(run_start.later_versions)} if run_start.later_versions else {}),
        "rerun": run_start.plan.command(),
        "plan": run_start.plan.model_dump(mode="json"),
        "queries": [one.manifest_entry() for one in results.searched],
        "query_method": results.generation.method,
        "mesh_terms": results.generation.mesh_terms,
        "counts": counts(results),
        "features": results.features.statistics,
        "scores": {"distribution": scores.distribution, "correlations": scores.correlations},
        "ranking": {"method": ranked.top.method, "filters": [str(step) for step in ranked.top.steps]},
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in written.items()
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
    """How many articles each step left."""
    ranking = results.ranked
    return {
        "found": sum(one.answer.count for one in results.searched),
        "taken": sum(one.taken for one in results.searched),
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
    by = f"the trained model {plan.trained.partition(' ')[0]}" if plan.trained else weights
    relevance_share = None if plan.trained else plan.criteria.shares.get(GOAL_RELEVANCE) or None
    return report.Report(
        title=plan.request.research_goal,
        run_date=run_start.today.isoformat(),
        queries=[
            report.Query(
                one.query.query_string,
                one.answer.count,
                one.taken,
                one.answer.query_translation or None,
                one.query.rationale,
            )
            for one in results.searched
        ],
        flow=_flow(results),
        rows=ranked.top.rows,
        scores=Counter(one.total_score for one in results.scores.candidates),
        distribution=results.scores.distribution,
        correlations=report.known_correlations(results.scores.correlations, results.scores.candidates),
        evidence={
            row.item_id: row.extraction_metadata.evidence for row in results.features.rows if row.extraction_metadata
        },
        extraction_method="rules" if plan.reader == RULES else f"the model {plan.reader}",
        scoring_method=by,
        ranking_method=ranked.top.method,
        concepts=results.concepts,
        relevance_share=relevance_share,
        sources=_sources(results),
        notices=results.notices,
    )


def _flow(results: Results) -> report.Flow:
    identified = tuple((f"Query {place}", one.answer.count) for place, one in enumerate(results.searched, start=1))
    lost = (
        ("Beyond the number asked for, and not read", sum(one.answer.count - one.taken for one in results.searched)),
        ("Not to be had from PubMed", len(results.absent) + len(results.unread)),
    )
    return report.flow_of(identified, results.ranked.top, duplicates=results.duplicates, other_removals=lost)


def _sources(results: Results) -> list[report.DataSource]:
    sources = []
    for name, answers in _by_source(results.provenances).items():
        shown, url = _SOURCES.get(name, (name, None))
        what = f"{len(results.articles):,} articles" if name == "ncbi" else "citation counts"
        days = list(
            dict.fromkeys((min(one.retrieved_at for one in answers)[:10], max(o.retrieved_at for o in answers)[:10]))
        )
        licence = next((one.licence for one in answers if one.licence), None)
        is_made_up = " (the sandbox)" if results.run_start.plan.is_sandbox else ""
        sources.append(report.DataSource(f"{shown}{is_made_up}", what, " to ".join(days), licence, url))
    return sources


def _times(provenances: Sequence[Provenance]) -> dict[str, dict[str, str]]:
    return {
        name: {"first": min(one.retrieved_at for one in answers), "last": max(one.retrieved_at for one in answers)}
        for name, answers in _by_source(provenances).items()
    }


def _by_source(provenances: Sequence[Provenance]) -> dict[str, list[Provenance]]:
    results: dict[str, list[Provenance]] = {}
    for one in sorted(provenances, key=lambda answer: answer.source):
        results.setdefault(one.source, []).append(one)
    return results
