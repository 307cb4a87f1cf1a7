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
from biofact.literature.scoring import ScoringCriteria
from biofact.literature.scoring.records import ScoredArticles, SlimScoredArticles
from biofact.sync.pubmed import PubMedClient
from biofact.transport.background import wait_for


class Pipeline(PubMedClient):
    """A goal to queries, articles to features, features to scores, scores to a ranking.

    >>> with biofact.sync.Pipeline() as pipeline:
    ...     pipeline.pubmed_generate_query("statins and dementia").method
    'rules'
    """

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
        """Turn a goal into PubMed queries with counts, for Ovid and Embase too. Then pubmed.pubmed_search.
        must_find: PMIDs.

        ``comprehensive`` is sensitive: headings with all their names in every form; what is only asked about the
        subject, where and against what is offered in the focused variant. ``focused`` searches narrowly,
        ``exploratory`` in several directions. Every keyword is required, every excluded term excluded.
        ``peer_review`` holds each query against the PRESS list; ``must_find`` says which articles it misses, and which
        line does. One goal costs 40 counts at most, and three requests for each of its concepts.
        ``confidence_score`` is explained in the rationale and in the docs.

        Raises:
            AmbiguousQuery: the goal names nothing to search for, or a keyword is excluded, too.

        Source: esearch of mesh and pubmed, espell (https://www.ncbi.nlm.nih.gov/books/NBK25499/, read 2026-11-20).
        """
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
        """Read features like sample_size, study_type, p_value or outcome from abstracts. `extraction_schema` is
        {"field": "string|number|boolean|array[string]"}, nested, or JSON Schema. Give articles, PMIDs or a search's
        `collection`. Values have quotes as evidence.

        A model reads where one is configured or lent, else rules do, which name the fields that they cannot read.
        What is not stated is absent. ``strict`` fails for values that break the schema only. ``slim`` leaves out the
        evidence and the articles; the collection that comes back has the evidence.

        Raises:
            AmbiguousQuery: the schema cannot be read, or both articles and a collection are given.
            UnresolvedEntity: the collection is unknown.

        Source: title, abstract and record of each article, efetch db=pubmed (read 2026-11-20).
        """
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
        articles_with_features: asynchronous.Listed | None = None,
        *,
        collection: asynchronous.Handle | None = None,
        score_function: ScoringMethod = "weighted_sum",
        include_percentiles: bool = True,
        model: trained_models.ModelName = "default",
        slim: bool = False,
    ) -> ScoredArticles | SlimScoredArticles:
        """Score articles by extracted features, 0-1. `scoring_criteria` is {"weights": {"sample_size": 0.5, ...}};
        `scoring_functions` by feature, "log_scale" or {"name": "keyword_match", "keywords": [...]}, are chosen by
        the values where none is given. Takes extractions or their `collection`.

        Weights are divided by their sum, without those of features that no article states; what one article does not
        state adds nothing to its total. ``composite`` and ``ml_model`` are defined in docs/scoring.md; ``model`` names
        one that ``biofact literature train`` has made.

        Raises:
            AmbiguousQuery: the criteria cannot be used, or there is no such model.
            UnresolvedEntity: the collection is unknown.

        Source: worked out here, from what was extracted.
        """
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
        scored_articles: asynchronous.Listed | None = None,
        *,
        collection: asynchronous.Handle | None = None,
        min_score_threshold: float | None = None,
        max_results: int = 10,
        ranking_criteria: RankingCriteria | None = None,
        filters: ArticleFilters | None = None,
        output_format: OutputFormat = "detailed",
    ) -> RankedArticles:
        """Filter scored articles, or their `collection`, and rank them. Retracted articles are left out unless
        `filters` has include_retracted. Filters: min_citation_count, journal_whitelist, journal_blacklist,
        exclude_preprints, from_year, to_year. `ranking_criteria`: boost_recent, boost_high_impact,
        prefer_review_articles. Every filter says how many it removed.

        ``summary`` is a line for each, ``detailed`` the article with features and scores, ``analysis_ready`` flat rows
        of numbers. Citation counts and impact are iCite's. Sizes of the boosts stand in docs/ranking.md.

        Raises:
            AmbiguousQuery: neither a list nor a collection is given, or both.
            UnresolvedEntity: the collection is unknown.
            UpstreamError: citations are asked for, and iCite could not tell them.

        Source: efetch db=pubmed; iCite (https://icite.od.nih.gov/, read 2026-11-20).
        """
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
