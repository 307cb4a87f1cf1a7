"""The tools of the literature pipeline, beside PubMed's own."""

import datetime as dt
import functools
from collections.abc import Iterator
from typing import Annotated, Any, Literal, overload

from pydantic import AfterValidator, Field, WithJsonSchema

from biofact.core import call
from biofact.core.parameters import InvalidPart, InvalidValues
from biofact.core.tool import AS_WRITTEN, NARROWS, tool
from biofact.literature import steps, trained_models
from biofact.literature.choices import Domain, QueryStrategy, ScoringMethod, StudyType, TimeFrame
from biofact.literature.endpoint import configured_endpoint
from biofact.literature.extraction.extractor import ExtractionRequest, Mode, extract_features
from biofact.literature.extraction.records import Extractions, SlimExtractions
from biofact.literature.extraction.rule_reading import RuleReaderPool, SharedReaders, characters
from biofact.literature.extraction.schema import FIELD_TYPES, ExtractionSchema
from biofact.literature.model import LanguageModel
from biofact.literature.query import records as query
from biofact.literature.query.generation import generate_queries
from biofact.literature.query.records import QueryGeneration
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.records import RankedArticles, ranked_articles
from biofact.literature.ranking.request import ArticleFilters, OutputFormat, RankingCriteria, RankRequest
from biofact.literature.records import CanonicalPubMedExtraction, ScoredArticles, SlimScoredArticles
from biofact.literature.scoring import ScoringCriteria
from biofact.sources.pubmed.client import PubMedClient
from biofact.transport.quotas import CALLS
from biofact.transport.stack import Transport

ITEMS_A_CALL, CHARACTERS_A_CALL = 50, 100_000
"""The work that counts as one call in a caller's quota."""
Handle = Annotated[str, Field(min_length=1, max_length=80), NARROWS]
# The schema need not repeat the object's keys that the description names: an agent reads both.
_OBJECT = WithJsonSchema({"type": "object"})
_TEXTS = WithJsonSchema({"type": "array", "items": {"type": "string"}})
StepRows = Annotated[list[Annotated[Any, WithJsonSchema({"type": "object"})]], NARROWS, AS_WRITTEN]
"""Rows of an earlier step's answer; each is checked by itself."""
_OBJECT_OR_TEXT = WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]})
Articles = Annotated[list[Annotated[Any, _OBJECT_OR_TEXT]], NARROWS, AS_WRITTEN]
"""Articles of an earlier step's answer, or PMIDs."""


def _read_schema(schema: dict[str, Any]) -> dict[str, Any]:
    try:
        ExtractionSchema.read(schema)
    except ValueError as error:
        whole = InvalidPart(
            (), schema, str(error), "an object of field names and types, such as {'sample_size': 'number'}"
        )
        raise InvalidValues(list(_wrong_fields(schema)) or [whole]) from error
    return schema


def _wrong_fields(schema: dict[str, Any]) -> Iterator[InvalidPart]:
    """The fields of a schema that cannot be read by themselves."""
    properties = schema.get("properties")
    path, fields = (("properties",), properties) if isinstance(properties, dict) else ((), schema)
    for name, kind in fields.items():
        try:
            ExtractionSchema.read({name: kind})
        except ValueError as error:
            yield InvalidPart(
                (*path, str(name)), kind, str(error), f"one of {FIELD_TYPES}, or an object of such fields"
            )


class Pipeline(PubMedClient):
    """A goal to queries, articles to features, features to scores, scores to a ranking.

    >>> with biofact.sync.Pipeline() as pipeline:
    ...     pipeline.pubmed_generate_query("statins and dementia").method
    'rules'
    """

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._endpoint = configured_endpoint(
            self.transport.settings,
            timing=self.transport.timing,
            network=self.transport.network,
            quotas=self.transport.quotas,
        )
        self._readers = SharedReaders()

    async def aclose(self) -> None:
        """Close the model's connections, and the transport, if it is this client's own."""
        await self._readers.aclose()
        if self._endpoint is not None:
            await self._endpoint.aclose()
        await super().aclose()

    @property
    def model(self) -> LanguageModel | None:
        """The model in the settings, else the caller's own, else none."""
        model: LanguageModel | None = self._endpoint or call.caller().model
        return model

    @functools.cached_property
    def _models(self) -> trained_models.TrainedModels:
        return trained_models.TrainedModels(self.transport.settings)

    @tool(is_heavy=True)
    async def pubmed_generate_query(  # noqa: PLR0913  # the specification's
        self,
        research_goal: Annotated[query.Goal, WithJsonSchema({"type": "string"})],
        domain: Domain | None = None,
        time_frame: Annotated[TimeFrame | None, NARROWS] = None,
        *,
        study_types: Annotated[list[StudyType] | None, NARROWS] = None,
        keywords: Annotated[query.Keywords | None, _TEXTS, NARROWS] = None,
        exclude_terms: Annotated[query.ExcludeTerms | None, _TEXTS, NARROWS] = None,
        max_queries: query.MaxQueries = 3,
        query_strategy: QueryStrategy = "comprehensive",
        peer_review: bool = False,
        must_find: Annotated[query.MustFind | None, _TEXTS] = None,
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
        request = query.QueryRequest(
            research_goal=research_goal,
            domain=domain,
            time_frame=time_frame,
            study_types=study_types or [],
            keywords=keywords or [],
            exclude_terms=exclude_terms or [],
            max_queries=max_queries,
            query_strategy=query_strategy,
            peer_review=peer_review,
            must_find=must_find or [],
        )
        return await generate_queries(request, self.questions, today=self._today(), model=self.model)

    @overload
    async def pubmed_extract_features(
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
    async def pubmed_extract_features(
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

    @tool(is_heavy=True)
    async def pubmed_extract_features(  # noqa: PLR0913  # the specification's
        self,
        extraction_schema: Annotated[dict[str, Any], AfterValidator(_read_schema), AS_WRITTEN],
        articles: Articles | None = None,
        *,
        collection: Handle | None = None,
        extraction_instructions: Annotated[str, Field(max_length=8000)] = "",
        batch_size: Annotated[int, Field(ge=1, le=50)] = 5,
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
        step_input = await steps.resolve_input("articles", "articles", articles, collection, self.collections)
        whole, missing_notices = await steps.whole_articles(step_input.items, self.questions, step_input.name)
        request = ExtractionRequest(
            schema=ExtractionSchema.read(extraction_schema),
            instructions=extraction_instructions,
            batch_size=batch_size,
            mode=validation_mode,
            keeps_articles=not step_input.is_collection,
        )
        await self._count_work(len(whole), characters(whole))
        shared = self._readers if self._readers.is_worth(whole) else None
        async with RuleReaderPool(request.schema, len(whole), shared=shared) as pool:
            clock = self.transport.timing.clock
            result = await extract_features(whole, request, model=self.model, pool=pool, clock=clock)
        stored_rows = [row.model_dump(exclude={"original_article", "notices"}) for row in result.extractions]
        handle = await self.collections.keep("extractions", stored_rows, {"schema": extraction_schema})
        rows, cut = steps.shown_rows(result.extractions, handle)
        shared_fields: dict[str, Any] = {
            "extraction_metadata": result.extraction_metadata,
            "collection": handle,
            "notices": [*result.notices, *missing_notices, *cut],
        }
        if slim:
            return SlimExtractions(extractions=[row.slim() for row in rows], **shared_fields)
        return Extractions(extractions=[_standard(row) for row in rows], **shared_fields)

    @overload
    async def pubmed_score_articles(
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
    async def pubmed_score_articles(
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

    @tool(asks_services=False, is_heavy=True)
    async def pubmed_score_articles(  # noqa: PLR0913  # the specification's
        self,
        scoring_criteria: Annotated[ScoringCriteria, _OBJECT],
        articles_with_features: StepRows | None = None,
        *,
        collection: Handle | None = None,
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
        step_input = await steps.resolve_input(
            "extractions", "articles_with_features", articles_with_features, collection, self.collections
        )
        await self._count_work(len(step_input.items))
        trained = self._models.load(model) if score_function == "ml_model" else None
        answer, stored_rows = steps.score_items(
            step_input, scoring_criteria, score_function, trained, include_percentiles=include_percentiles, slim=slim
        )
        handle = await self.collections.keep("scores", stored_rows, {"method": score_function})
        rows, cut = steps.shown_rows(answer.scored_articles, handle)
        return answer.model_copy(
            update={"scored_articles": list(rows), "collection": handle, "notices": [*answer.notices, *cut]}
        )

    @tool(title="filter and rank articles", is_heavy=True)
    async def pubmed_filter_rank(  # noqa: PLR0913  # the specification's
        self,
        scored_articles: StepRows | None = None,
        *,
        collection: Handle | None = None,
        min_score_threshold: Annotated[float | None, Field(ge=0, le=1), NARROWS] = None,
        max_results: Annotated[int, Field(ge=1, le=1000)] = 10,
        ranking_criteria: Annotated[RankingCriteria | None, _OBJECT] = None,
        filters: Annotated[ArticleFilters | None, _OBJECT, NARROWS] = None,
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
        step_input = await steps.resolve_input(
            "scores", "scored_articles", scored_articles, collection, self.collections
        )
        request = RankRequest(
            min_score_threshold=min_score_threshold,
            max_results=max_results,
            ranking_criteria=ranking_criteria or RankingCriteria(),
            filters=filters or ArticleFilters(),
            output_format=output_format,
        )
        await self._count_work(len(step_input.items))
        candidates, missing_notices = await steps.candidates(
            steps.scored_items(step_input.items, step_input.name), self.questions, step_input.name
        )
        counts, citation_notices = await steps.citations_for(candidates, request, self.questions, self.transport)
        ranking = rank_articles(candidates, request, counts, today=self._today())
        answer = ranked_articles(ranking, output_format)
        return answer.model_copy(update={"notices": [*answer.notices, *missing_notices, *citation_notices]})

    async def _count_work(self, items: int, characters: int = 0) -> None:
        """Count a long call as the several calls that its work would fill.

        Raises:
            RateLimited: that is more than the caller's quota.
        """
        further_calls = max(items // ITEMS_A_CALL, characters // CHARACTERS_A_CALL)
        if further_calls:
            await self.transport.quotas.use(CALLS, further_calls)

    def _today(self) -> dt.date:
        return dt.datetime.fromtimestamp(self.transport.timing.wall_clock(), dt.UTC).date()


def _standard(row: CanonicalPubMedExtraction) -> CanonicalPubMedExtraction:
    article = row.original_article
    return row.model_copy(update={"original_article": article.standard() if article else None})
