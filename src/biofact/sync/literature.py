"""Pipeline, blocking. Written by make docs from biofact.literature.pipeline."""

from typing import Any, Literal, overload

from biofact.literature import pipeline as asynchronous
from biofact.literature import trained_models
from biofact.literature.choices import Domain, QueryStrategy, ScoringMethod, StudyType, TimeFrame
from biofact.literature.extraction.extractor import Mode
from biofact.literature.extraction.records import Extractions, SlimExtractions
from biofact.literature.query import records as query
from biofact.literature.query.records import QueryGeneration
from biofact.literature.ranking.records import RankedArticles
from biofact.literature.ranking.request import ArticleFilters, OutputFormat, RankingCriteria
from biofact.literature.records import ScoredArticles, SlimScoredArticles
from biofact.literature.scoring import ScoringCriteria
from biofact.sync.pubmed import PubMedClient
from biofact.transport.background import wait_for


class Pipeline(PubMedClient):
    _asynchronous = asynchronous.Pipeline
    _client: asynchronous.Pipeline

    def pubmed_generate_query(
        self,
        research_goal: query.Goal,
        domain: Domain | None = None,
        time_frame: TimeFrame | None = None,
        *,
        study_types: list[StudyType] | None = None,
        keywords: query.Keywords | None = None,
        exclude_terms: query.ExcludeTerms | None = None,
        max_queries: query.MaxQueries = 3,
        query_strategy: QueryStrategy = "comprehensive",
        peer_review: bool = False,
        must_find: query.MustFind | None = None,
    ) -> QueryGeneration:
        call = self._client.pubmed_generate_query(
            research_goal,
            domain,
            time_frame,
            study_types=study_types,
            keywords=keywords,
            exclude_terms=exclude_terms,
            max_queries=max_queries,
            query_strategy=query_strategy,
            peer_review=peer_review,
            must_find=must_find,
        )
        return wait_for(call)

    @overload
    def pubmed_extract_features(
        self,
        extraction_schema: dict[str, Any],
        articles: list[Any] | None = ...,
        *,
        collection: str | None = ...,
        extraction_instructions: str = ...,
        batch_size: int = ...,
        validation_mode: Mode = ...,
        slim: Literal[False] = ...,
    ) -> Extractions: ...

    @overload
    def pubmed_extract_features(
        self,
        extraction_schema: dict[str, Any],
        articles: list[Any] | None = ...,
        *,
        collection: str | None = ...,
        extraction_instructions: str = ...,
        batch_size: int = ...,
        validation_mode: Mode = ...,
        slim: bool = ...,
    ) -> Extractions | SlimExtractions: ...

    def pubmed_extract_features(
        self,
        extraction_schema: dict[str, Any],
        articles: asynchronous.Articles | None = None,
        *,
        collection: asynchronous.Handle | None = None,
        extraction_instructions: str = "",
        batch_size: int = 5,
        validation_mode: Mode = "strict",
        slim: bool = False,
    ) -> Extractions | SlimExtractions:
        call = self._client.pubmed_extract_features(
            extraction_schema,
            articles,
            collection=collection,
            extraction_instructions=extraction_instructions,
            batch_size=batch_size,
            validation_mode=validation_mode,
            slim=slim,
        )
        return wait_for(call)

    @overload
    def pubmed_score_articles(
        self,
        scoring_criteria: ScoringCriteria,
        articles_with_features: list[Any] | None = ...,
        *,
        collection: str | None = ...,
        score_function: ScoringMethod = ...,
        include_percentiles: bool = ...,
        model: trained_models.ModelName = ...,
        slim: Literal[False] = ...,
    ) -> ScoredArticles: ...

    @overload
    def pubmed_score_articles(
        self,
        scoring_criteria: ScoringCriteria,
        articles_with_features: list[Any] | None = ...,
        *,
        collection: str | None = ...,
        score_function: ScoringMethod = ...,
        include_percentiles: bool = ...,
        model: trained_models.ModelName = ...,
        slim: bool = ...,
    ) -> ScoredArticles | SlimScoredArticles: ...

    def pubmed_score_articles(
        self,
        scoring_criteria: ScoringCriteria,
        articles_with_features: asynchronous.StepRows | None = None,
        *,
        collection: asynchronous.Handle | None = None,
        score_function: ScoringMethod = "weighted_sum",
        include_percentiles: bool = True,
        model: trained_models.ModelName = "default",
        slim: bool = False,
    ) -> ScoredArticles | SlimScoredArticles:
        call = self._client.pubmed_score_articles(
            scoring_criteria,
            articles_with_features,
            collection=collection,
            score_function=score_function,
            include_percentiles=include_percentiles,
            model=model,
            slim=slim,
        )
        return wait_for(call)

    def pubmed_filter_rank(
        self,
        scored_articles: asynchronous.StepRows | None = None,
        *,
        collection: asynchronous.Handle | None = None,
        min_score_threshold: float | None = None,
        max_results: int = 10,
        ranking_criteria: RankingCriteria | None = None,
        filters: ArticleFilters | None = None,
        output_format: OutputFormat = "detailed",
    ) -> RankedArticles:
        call = self._client.pubmed_filter_rank(
            scored_articles,
            collection=collection,
            min_score_threshold=min_score_threshold,
            max_results=max_results,
            ranking_criteria=ranking_criteria,
            filters=filters,
            output_format=output_format,
        )
        return wait_for(call)
