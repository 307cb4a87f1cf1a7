"""The input of the pipeline's steps, a list or the handle of an earlier one, and the calls of the pure parts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from biofact.core.arguments import parsed_json
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound, UnresolvedEntity
from biofact.core.parameters import path_text
from biofact.core.quoting import brief, name_list, summary
from biofact.core.records import Notice
from biofact.literature import scoring
from biofact.literature.choices import ScoringMethod
from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import (
    ArticleScoring,
    CanonicalPubMedExtraction,
    CanonicalScoredArticle,
    FeatureScore,
    ScoredArticles,
    ScoringStatistics,
    SlimScoredArticles,
)
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.scoring.measures import with_measures
from biofact.protocol.lookup import side_request
from biofact.sources.pubmed.client import MOST_SHOWN, cut_notices
from biofact.sources.pubmed.collections import Collections, Kind
from biofact.sources.pubmed.identifiers import PMID, number
from biofact.sources.pubmed.parse import Citations
from biofact.sources.pubmed.questions import Questions
from biofact.sources.pubmed.records import CanonicalPubMedArticle
from biofact.sources.pubmed.search import SEARCH
from biofact.transport.stack import Transport

if TYPE_CHECKING:
    from biofact.literature.scoring.trained_model import TrainedModel

Item = TypeVar("Item")

_MOST_NAMED, _MOST_FAULTS = 10, 5


@dataclass(frozen=True, slots=True)
class StepInput:
    """The items of a step's list."""

    items: Sequence[Any]
    is_collection: bool
    name: str = "collection"
    """The name of the argument, for messages about an item."""


async def resolve_input(
    kind: Kind, name: str, items: Sequence[Any] | None, collection: str | None, collections: Collections
) -> StepInput:
    """The list that a step works on; ``name`` is what its argument is called.

    Raises:
        AmbiguousQuery: both a list and a collection are given, or neither, or an empty list.
        UnresolvedEntity: the collection is unknown.
    """
    if (items is None) == (collection is None):
        fault = "Both are given" if items is not None else "Neither is given"
        raise AmbiguousQuery(
            f"The step takes {name} or a collection. {fault}.",
            hint=f"Give {name}, or the collection of the step before.",
            invalid_input=collection,
        )
    if collection is not None:
        return StepInput((await collections.find(collection, kind)).items, is_collection=True)
    if not items:
        raise AmbiguousQuery(f"{name} is empty.", hint="Give at least one.", invalid_input=items)
    return StepInput(items, is_collection=False, name=name)


def check_items(items: Sequence[Any], name: str, complaint: str, parse: Callable[[Any], Item], hint: str) -> list[Item]:
    """The items of a list, each parsed by ``parse``. Items from an answer of an earlier step may have more keys.

    Raises:
        UnresolvedEntity: some items are invalid; the message names the first by their positions.
    """
    results: list[Item] = []
    wrong: list[str] = []
    refused_items: list[Any] = []
    for place, item in enumerate(items):
        try:
            results.append(parse(parsed_json(item, {"object"})))
        except ValueError as error:  # pydantic's among them
            problem = _problems(error) if isinstance(error, ValidationError) else str(error)
            wrong.append(f"{name}[{place}] is {complaint}: {problem}.")
            refused_items.append(item)
    if wrong:
        rest_note = f" So are {len(wrong) - _MOST_FAULTS} more." if len(wrong) > _MOST_FAULTS else ""
        all_items = list(items)
        # a short list is shown whole, of a long one what is wrong
        shown_input = all_items if brief(all_items) is all_items else brief(refused_items[:_MOST_FAULTS])
        raise UnresolvedEntity(" ".join(wrong[:_MOST_FAULTS]) + rest_note, hint=hint, invalid_input=shown_input)
    return results


async def whole_articles(
    items: Sequence[Any], questions: Questions, name: str = "articles"
) -> tuple[list[CanonicalPubMedArticle], list[Notice]]:
    """Complete records of articles that are given as PMIDs, or as rows of an earlier step's answer.

    An article without a PMID stays as it is given. Articles that PubMed does not have, or did not give, are left out,
    with a notice.

    Raises:
        UnresolvedEntity: an item is no article.
        EntityNotFound: PubMed has none of them.
        RateLimited, UpstreamError: PubMed failed, and none is left.
    """
    hint = f"Call {SEARCH} and pass on its articles, or its collection."
    references = check_items(items, name, "no article", _article_reference, hint)
    records = await questions.articles(
        [number(pmid) for pmid in dict.fromkeys(reference.pmid for reference in references) if pmid]
    )
    articles: dict[str, CanonicalPubMedArticle] = {}
    missing: list[str] = []
    for reference in references:
        record = records.get(number(reference.pmid)) if reference.pmid else None
        whole = record if isinstance(record, CanonicalPubMedArticle) else reference.record
        if whole is None:
            missing.append(str(reference.pmid))
        else:
            articles.setdefault(whole.id, whole)
    if not articles:
        for outcome in records.values():
            if isinstance(outcome, BiofactError):
                raise outcome
        raise EntityNotFound(
            f"PubMed has none of the {len(items)} articles.", hint=f"Call {SEARCH} for others.", invalid_input=missing
        )
    return list(articles.values()), _dropped_notices(missing)


def shown_rows(rows: Sequence[Any], collection: str | None) -> tuple[Sequence[Any], list[Notice]]:
    """The first rows of a long list, and a notice of the others."""
    return rows[:MOST_SHOWN], cut_notices(len(rows), collection)


@dataclass(frozen=True, slots=True)
class _ArticleReference:
    """An article as a caller names it."""

    pmid: str | None
    record: CanonicalPubMedArticle | None
    """None if only the PMID is known."""


def _article_reference(item: Any) -> _ArticleReference:
    name = item.get("id", item.get("item_id")) if isinstance(item, Mapping) else item
    # bare digits, as a host or a table of numbers writes them
    if type(name) is int or (isinstance(name, float) and name.is_integer()):
        name = str(int(name))
    is_pmid = isinstance(name, str) and re.fullmatch(PMID.pattern, name, re.ASCII)
    pmid = f"PMID:{number(name)}" if is_pmid else None
    if isinstance(item, Mapping) and "title" in item:
        fields = item if pmid is None else {**item, "id": pmid}
        return _ArticleReference(pmid, CanonicalPubMedArticle.model_validate(fields, extra="ignore"))
    if pmid is None:
        form = f"expected one as {SEARCH} gives it, or a PMID like {PMID.example!r}"
        raise ValueError(f"{summary(item)}; {form}")
    return _ArticleReference(pmid, None)


def _problems(error: ValidationError) -> str:
    """The faults of an item, each with its path."""
    problems = []
    for detail in error.errors(include_url=False)[:_MOST_FAULTS]:
        reason = f"{detail['msg'][0].lower()}{detail['msg'][1:]}"
        fault = "is missing" if detail["type"] == "missing" else f"cannot be {summary(detail['input'])}: {reason}"
        problems.append(f"{path_text(detail['loc'])} {fault}".strip())
    return "; ".join(problems)


def _dropped_notices(missing: Sequence[str]) -> list[Notice]:
    if not missing:
        return []
    message = f"Left out, because PubMed did not give them: {name_list(missing, _MOST_NAMED)}."
    return [Notice(code="DROPPED", message=message)]


_DIGITS = 6
_COPIED_KEYS = ("extraction", "extraction_metadata")


def score_items(
    step_input: StepInput,
    criteria: ScoringCriteria,
    method: ScoringMethod,
    trained_model: "TrainedModel | None",
    *,
    include_percentiles: bool,
    slim: bool,
) -> tuple[ScoredArticles | SlimScoredArticles, list[dict[str, Any]]]:
    """The answer of the scoring step, and the rows of its collection.

    Raises:
        UnresolvedEntity: an item is no extraction.
    """
    items = list(step_input.items)
    if not step_input.is_collection:
        hint = "Call pubmed.pubmed_extract_features, and pass on its extractions, or its collection."
        items = check_items(items, step_input.name, "no extraction", _extraction, hint)
    scores = scoring.score(list(map(_features, items)), criteria, method=method, model=trained_model)
    percentiles = scores.percentiles() if include_percentiles else None
    rows: list[CanonicalScoredArticle] = []
    stored_rows: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        row: dict[str, Any] = {
            "item_id": item["item_id"],
            "total_score": round(float(scores.total[place]), _DIGITS),
            "score_breakdown": scores.breakdown(place),
        }
        if percentiles is not None:
            row["percentile_rank"] = round(float(percentiles[place]), 2)
        breakdown = {name: score.model_dump() for name, score in row["score_breakdown"].items()}
        stored_rows.append(
            {**row, "score_breakdown": breakdown, **{name: item[name] for name in _COPIED_KEYS if name in item}}
        )
        # the rows of a collection are left where they are
        features = None if step_input.is_collection else CanonicalPubMedExtraction.model_validate(item)
        origin = ArticleScoring(
            scoring_method_used=method,
            completeness=scores.completeness(place),
            missing_features=scores.missing_in(place),
        )
        rows.append(CanonicalScoredArticle(**row, article_with_features=features, scoring_metadata=origin))
    statistics = ScoringStatistics(
        score_distribution={name: round(value, _DIGITS) for name, value in scores.distribution().items()},
        feature_correlations=scores.correlations,
        scoring_method_used=method,
    )
    shared_fields: dict[str, Any] = {
        "scoring_metadata": statistics,
        "notices": [Notice(code="NOT_COVERED", message=message) for message in scores.messages],
    }
    if slim:
        return SlimScoredArticles(scored_articles=[row.slim() for row in rows], **shared_fields), stored_rows
    return ScoredArticles(scored_articles=rows, **shared_fields), stored_rows


def _features(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The features of an item; effects have the measure that their quotes name."""
    evidence: Mapping[str, Any] = (item.get("extraction_metadata") or {}).get("evidence") or {}
    quotes = {name: [str(place["quote"]) for place in places if "quote" in place] for name, places in evidence.items()}
    return with_measures(item["extraction"], quotes)


def scored_items(items: Sequence[Any], name: str = "collection") -> list[dict[str, Any]]:
    """Scored articles in one shape, whether an answer or a collection holds them.

    Raises:
        UnresolvedEntity: an item is none.
    """
    hint = "Call pubmed.pubmed_score_articles, and pass on its scored_articles, or its collection."
    return check_items(items, name, "no scored article", _scored_item, hint)


async def candidates(
    items: Sequence[Mapping[str, Any]], questions: Questions, name: str = "collection"
) -> tuple[list[Candidate], list[Notice]]:
    """The articles to rank, with their records; a notice lists those that PubMed did not give."""
    articles, notices = await whole_articles(
        [item.get("original_article") or item["item_id"] for item in items], questions, name
    )
    by_id = {article.id: article for article in articles}
    return [
        Candidate(
            item["item_id"],
            by_id.get(item["item_id"]),
            item.get("extraction", {}),
            item["total_score"],
            item.get("score_breakdown", {}),
        )
        for item in items
    ], notices


async def citations_for(
    candidates: Sequence[Candidate], request: RankRequest, questions: Questions, transport: Transport
) -> tuple[Mapping[str, Citations], list[Notice]]:
    """Citation counts by item, if the request needs them. A boost can do without them; a filter cannot.

    Raises:
        RateLimited, UpstreamError: a filter needs citations, and iCite does not answer.
    """
    if request.filters.min_citation_count or not request.ranking_criteria.boost_high_impact:
        return await required_citations(candidates, request, questions), []
    question = required_citations(candidates, request, questions)
    name = "citation counts: boost_high_impact lifted nothing"
    citations, failure = await side_request(transport.side_leg(question), name, failures=(BiofactError,))
    return citations or {}, failure


async def required_citations(
    candidates: Sequence[Candidate], request: RankRequest, questions: Questions
) -> Mapping[str, Citations]:
    """Citation counts by item, if the request needs them.

    Raises:
        RateLimited, UpstreamError: iCite does not answer.
    """
    if not (request.filters.min_citation_count or request.ranking_criteria.boost_high_impact):
        return {}
    articles = [candidate.article for candidate in candidates if candidate.article is not None]
    citations = await questions.citations([article.pmid for article in articles if article.pmid])
    return {f"PMID:{pmid}": counts for pmid, counts in citations.items()}


def _extraction(item: Any) -> dict[str, Any]:
    return CanonicalPubMedExtraction.model_validate(item, extra="ignore").model_dump()


class _Features(BaseModel):
    """The parts of an extraction in a ranking."""

    extraction: dict[str, Any] = Field(default_factory=dict)
    extraction_metadata: Any = None
    original_article: Any = None


class _ScoredItem(_Features):
    """A scored article, as the step shows it or its collection keeps it."""

    item_id: str
    total_score: float = Field(ge=0, le=1)
    score_breakdown: dict[str, FeatureScore] | None = None
    article_with_features: _Features | None = None


def _scored_item(item: Any) -> dict[str, Any]:
    item_model = _ScoredItem.model_validate(item)
    features = item_model.article_with_features or item_model
    return {
        "item_id": item_model.item_id,
        "total_score": item_model.total_score,
        "score_breakdown": item_model.score_breakdown or {},
        "extraction": features.extraction,
        "extraction_metadata": features.extraction_metadata,
        "original_article": features.original_article,
    }
