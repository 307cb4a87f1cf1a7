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
    """Of the argument, for messages about an item."""


async def resolve_input(
    kind: Kind, name: str, given: Sequence[Any] | None, collection: str | None, collections: Collections
) -> StepInput:
    """The list that a step works on; ``name`` is what its argument is called.

    Raises:
        AmbiguousQuery: both a list and a collection are given, or neither, or an empty list.
        UnresolvedEntity: the collection is unknown.
    """
    if (given is None) == (collection is None):
        wrong = "Both are given" if given is not None else "Neither is given"
        raise AmbiguousQuery(
            f"The step takes {name} or a collection. {wrong}.",
            hint=f"Give {name}, or the collection of the step before.",
            invalid_input=collection,
        )
    if collection is not None:
        return StepInput((await collections.find(collection, kind)).items, is_collection=True)
    if not given:
        raise AmbiguousQuery(f"{name} is empty.", hint="Give at least one.", invalid_input=given)
    return StepInput(given, is_collection=False, name=name)


def check_items(items: Sequence[Any], name: str, what: str, read: Callable[[Any], Item], hint: str) -> list[Item]:
    """The items of a list, each as ``read`` has it. What an earlier step showed may have come with more keys.

    Raises:
        UnresolvedEntity: some items are invalid; the message names the first by their positions.
    """
    results: list[Item] = []
    wrong: list[str] = []
    refused: list[Any] = []
    for place, item in enumerate(items):
        try:
            results.append(read(parsed_json(item, {"object"})))
        except ValidationError as error:
            wrong.append(f"{name}[{place}] is {what}: {_problems(error)}.")
            refused.append(item)
        except ValueError as error:
            wrong.append(f"{name}[{place}] is {what}: {error}.")
            refused.append(item)
    if wrong:
        more = f" So are {len(wrong) - _MOST_FAULTS} more." if len(wrong) > _MOST_FAULTS else ""
        given = list(items)
        shown_input = given if brief(given) is given else brief(refused[:_MOST_FAULTS])
        raise UnresolvedEntity(" ".join(wrong[:_MOST_FAULTS]) + more, hint=hint, invalid_input=shown_input)
    return results


async def whole_articles(
    items: Sequence[Any], questions: Questions, name: str = "articles"
) -> tuple[list[CanonicalPubMedArticle], list[Notice]]:
    """Whole records of articles that are given as PMIDs, or as whatever an earlier step showed of them.

    An article without a PMID is taken as it is given. Those that PubMed does not have, or did not give, are left
    out, and a notice says so.

    Raises:
        UnresolvedEntity: an item is no article.
        EntityNotFound: PubMed has none of them.
        RateLimited, UpstreamError: PubMed failed, and none is left.
    """
    hint = f"Call {SEARCH} and pass on its articles, or its collection."
    given = check_items(items, name, "no article", _as_given, hint)
    found = await questions.articles([number(pmid) for pmid in dict.fromkeys(one.pmid for one in given) if pmid])
    articles: dict[str, CanonicalPubMedArticle] = {}
    lost: list[str] = []
    for one in given:
        record = found.get(number(one.pmid)) if one.pmid else None
        whole = record if isinstance(record, CanonicalPubMedArticle) else one.record
        if whole is None:
            lost.append(str(one.pmid))
        else:
            articles.setdefault(whole.id, whole)
    if not articles:
        for outcome in found.values():
            if isinstance(outcome, BiofactError):
                raise outcome
        raise EntityNotFound(
            f"PubMed has none of the {len(items)} articles.", hint=f"Call {SEARCH} for others.", invalid_input=lost
        )
    return list(articles.values()), _dropped_notices(lost)


def shown_rows(rows: Sequence[Any], collection: str | None) -> tuple[Sequence[Any], list[Notice]]:
    """The rows that an answer shows of a long list, and a notice of the others."""
    return rows[:MOST_SHOWN], cut_notices(len(rows), collection)


@dataclass(frozen=True, slots=True)
class _Given:
    """An article as a caller names it."""

    pmid: str | None
    record: CanonicalPubMedArticle | None
    """None where only the PMID is known."""


def _as_given(item: Any) -> _Given:
    named = item.get("id", item.get("item_id")) if isinstance(item, Mapping) else item
    if type(named) is int or (
        isinstance(named, float) and named.is_integer()
    ):  # bare digits, as a host or a table of numbers writes them
        named = str(int(named))
    is_pmid = isinstance(named, str) and re.fullmatch(PMID.pattern, named, re.ASCII)
    pmid = f"PMID:{number(named)}" if is_pmid else None
    if isinstance(item, Mapping) and "title" in item:
        own = item if pmid is None else {**item, "id": pmid}
        return _Given(pmid, CanonicalPubMedArticle.model_validate(own, extra="ignore"))
    if pmid is None:
        form = f"expected one as {SEARCH} gives it, or a PMID like {PMID.example!r}"
        raise ValueError(f"{summary(item)}; {form}")
    return _Given(pmid, None)


def _problems(error: ValidationError) -> str:
    """What is wrong with an item, each part by its path."""
    problems = []
    for detail in error.errors(include_url=False)[:_MOST_FAULTS]:
        reason = f"{detail['msg'][0].lower()}{detail['msg'][1:]}"
        given = "is missing" if detail["type"] == "missing" else f"cannot be {summary(detail['input'])}: {reason}"
        problems.append(f"{path_text(detail['loc'])} {given}".strip())
    return "; ".join(problems)


def _dropped_notices(lost: Sequence[str]) -> list[Notice]:
    if not lost:
        return []
    message = f"Left out, because PubMed did not give them: {name_list(lost, _MOST_NAMED)}."
    return [Notice(code="DROPPED", message=message)]


_DIGITS = 6
_KEPT = ("extraction", "extraction_metadata")


def score_items(
    given: StepInput,
    criteria: ScoringCriteria,
    method: ScoringMethod,
    learned: "TrainedModel | None",
    *,
    include_percentiles: bool,
    slim: bool,
) -> tuple[ScoredArticles | SlimScoredArticles, list[dict[str, Any]]]:
    """The answer of the scoring step, and what its collection holds.

    Raises:
        UnresolvedEntity: an item is no extraction.
    """
    items = list(given.items) if given.is_collection else _extractions(given)
    scores = scoring.score(list(map(_features, items)), criteria, method=method, model=learned)
    percentiles = scores.percentiles() if include_percentiles else None
    rows: list[CanonicalScoredArticle] = []
    kept: list[dict[str, Any]] = []
    for place, item in enumerate(items):
        row: dict[str, Any] = {
            "item_id": item["item_id"],
            "total_score": round(float(scores.total[place]), _DIGITS),
            "score_breakdown": scores.breakdown(place),
        }
        if percentiles is not None:
            row["percentile_rank"] = round(float(percentiles[place]), 2)
        breakdown = {name: score.model_dump() for name, score in row["score_breakdown"].items()}
        kept.append({**row, "score_breakdown": breakdown, **{name: item[name] for name in _KEPT if name in item}})
        features = None if given.is_collection else CanonicalPubMedExtraction.model_validate(item)
        origin = ArticleScoring(
            scoring_method_used=method,
            completeness=scores.completeness(place),
            missing_features=scores.missing_in(place),
        )
        rows.append(CanonicalScoredArticle(**row, article_with_features=features, scoring_metadata=origin))
    statistics = ScoringStatistics(
        score_distribution={name: round(value, _DIGITS) for name, value in scores.distribution().items()},
        feature_correlations=scores.correlations(),
        scoring_method_used=method,
    )
    about: dict[str, Any] = {"scoring_metadata": statistics, "notices": list(map(_not_covered, scores.messages))}
    if slim:
        return SlimScoredArticles(scored_articles=[row.slim() for row in rows], **about), kept
    return ScoredArticles(scored_articles=rows, **about), kept


def _features(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an item states, effects with the measure that their quotes name."""
    evidence: Mapping[str, Any] = (item.get("extraction_metadata") or {}).get("evidence") or {}
    quotes = {name: [str(each["quote"]) for each in places if "quote" in each] for name, places in evidence.items()}
    return with_measures(item["extraction"], quotes)


def _not_covered(message: str) -> Notice:
    return Notice(code="NOT_COVERED", message=message)


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
    found, lost = await whole_articles(
        [item.get("original_article") or item["item_id"] for item in items], questions, name
    )
    by_id = {article.id: article for article in found}
    return [
        Candidate(
            item["item_id"],
            by_id.get(item["item_id"]),
            item.get("extraction", {}),
            item["total_score"],
            item.get("score_breakdown", {}),
        )
        for item in items
    ], lost


async def citations_for(
    found: Sequence[Candidate], request: RankRequest, questions: Questions, transport: Transport
) -> tuple[Mapping[str, Citations], list[Notice]]:
    """Citation counts by item, where the request needs them. A boost does without; a filter cannot.

    Raises:
        RateLimited, UpstreamError: citations are to be filtered by, and iCite could not tell them.
    """
    is_filter = bool(request.filters.min_citation_count)
    if not (is_filter or request.ranking_criteria.boost_high_impact):
        return {}, []
    articles = (candidate.article for candidate in found)
    question = questions.citations([one.pmid for one in articles if one is not None and one.pmid])
    if is_filter:
        return _by_item(await question), []
    name = "citation counts: boost_high_impact lifted nothing"
    citations, failure = await side_request(transport.side_leg(question), name, failures=(BiofactError,))
    return _by_item(citations or {}), failure


def _by_item(citations: Mapping[str, Citations]) -> dict[str, Citations]:
    return {f"PMID:{pmid}": counts for pmid, counts in citations.items()}


def _extractions(given: StepInput) -> list[dict[str, Any]]:
    hint = "Call pubmed.pubmed_extract_features, and pass on its extractions, or its collection."
    return check_items(given.items, given.name, "no extraction", _extraction, hint)


def _extraction(item: Any) -> dict[str, Any]:
    return CanonicalPubMedExtraction.model_validate(item, extra="ignore").model_dump()


class _Features(BaseModel):
    """What of an extraction a ranking shows."""

    extraction: dict[str, Any] = Field(default_factory=dict)
    extraction_metadata: Any = None
    original_article: Any = None


class _Scored(_Features):
    """A scored article, as the step shows it or its collection keeps it."""

    item_id: str
    total_score: float = Field(ge=0, le=1)
    score_breakdown: dict[str, FeatureScore] | None = None
    article_with_features: _Features | None = None


def _scored_item(item: Any) -> dict[str, Any]:
    read = _Scored.model_validate(item)
    features = read.article_with_features or read
    return {
        "item_id": read.item_id,
        "total_score": read.total_score,
        "score_breakdown": read.score_breakdown or {},
        "extraction": features.extraction,
        "extraction_metadata": features.extraction_metadata,
        "original_article": features.original_article,
    }
