"""A research goal to PubMed queries that were tried: concepts, headings, drafts, counts, and what a model adds."""

import asyncio
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from biofact.core import call
from biofact.core.errors import AmbiguousQuery
from biofact.core.records import Notice, missing_part
from biofact.literature.model import LanguageModel, ModelFailed
from biofact.literature.query import concepts, explanations, filters, suggestions, terms, wording
from biofact.literature.query.concepts import ParsedGoal
from biofact.literature.query.counts import CountedQuery, QueryCounter, count_query, count_with_fewer_subjects
from biofact.literature.query.drafts import Draft, each_once, main_subjects, strategy_drafts
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.lines import BlockQuery, QueryBlock, blocks_of
from biofact.literature.query.records import CanonicalPubMedQuery, QueryGeneration, QueryMetadata, QueryRequest
from biofact.literature.query.sheets import GoalQuery, SheetWriter
from biofact.literature.query.subjects import Subject, look_up
from biofact.literature.query.suggestions import Suggestions
from biofact.literature.records import Method
from biofact.sources.pubmed.questions import Questions

_SUGGESTIONS = "a model's suggestions: the queries are made by rules"


@dataclass(slots=True)
class _Task:
    """The state of one request."""

    request: QueryRequest
    counter: QueryCounter
    today: dt.date
    parsed_goal: ParsedGoal
    filters: QueryFilters
    subjects: list[Subject] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    method: Method = "rules"


async def generate_queries(
    goal: QueryRequest, questions: Questions, *, today: dt.date, model: LanguageModel | None = None
) -> QueryGeneration:
    """Queries for a goal, each counted and checked, the most trustworthy first.

    MeSH, the speller or the model may fail: the answer then has a notice, and the queries do without them.

    Raises:
        AmbiguousQuery: the goal and the keywords name nothing to search for, or a keyword is excluded, too.
    """
    call.current().lane = "bulk"  # a dozen requests
    parsed_goal = concepts.read(goal.research_goal, today=today, domain=goal.domain, keywords=goal.keywords)
    _refuse_empty(goal, parsed_goal)
    counter = QueryCounter(questions)
    task = _Task(goal, counter, today, parsed_goal, filters.filters_of(goal, parsed_goal, today))
    task.notices += explanations.assumptions(goal, parsed_goal, task.filters)
    lookup, model_suggestions = await asyncio.gather(
        look_up(parsed_goal.concepts, questions, goal.domain), _ask_model(task, model)
    )
    task.notices += lookup.notices
    task.subjects = [
        subject.with_synonyms(model_suggestions.synonyms.get(subject.concept.name, ())) for subject in lookup.subjects
    ]
    by_rules, by_model = await asyncio.gather(_by_rules(task), _by_model(task, model_suggestions))
    if model and (by_model or model_suggestions.synonyms):
        task.method = model.method
    best = _best([*by_model, *by_rules], goal.max_queries)
    sheets = SheetWriter(goal, task.subjects, counter, today)
    await sheets.check_articles()
    return _answer(
        task, [await sheets.fill(subject, is_first=subject is best[0]) for subject in best], sheets.notices()
    )


async def _ask_model(task: _Task, model: LanguageModel | None) -> Suggestions:
    if model is None:
        return Suggestions()
    try:
        answer = await model.answer(suggestions.question(task.request, task.parsed_goal.concepts))
    except ModelFailed as failed:
        task.notices.append(missing_part(_SUGGESTIONS, f"{failed.reason:.200}"))
        return Suggestions()
    usable = suggestions.read(answer.value, task.request, task.parsed_goal.concepts, task.filters)
    if not (usable.candidates or usable.synonyms or usable.refusals):
        task.notices.append(missing_part(_SUGGESTIONS, "It said nothing usable."))
    return usable


async def _by_rules(task: _Task) -> list[GoalQuery]:
    """The strategy's own queries; further drafts replace queries that find nothing."""
    limit = task.request.max_queries
    drafts = strategy_drafts(task.request.query_strategy, task.subjects, task.filters)
    candidates = await _count_drafts(task, drafts[:limit], main_draft=drafts[0])
    # a query without a count is kept: PubMed did not answer
    missing = limit - len([query for query in candidates if query.check.count != 0])
    if missing > 0 and drafts[limit:]:
        candidates += await _count_drafts(task, drafts[limit : limit + missing], main_draft=drafts[0])
        candidates = each_once(candidates, lambda query: query.check.query)
    non_empty = await _without_empty(task, candidates)
    if len(non_empty) < limit:
        message = (
            f"Only {len(non_empty)} different quer{'y' if len(non_empty) == 1 else 'ies'} can be made of this goal."
        )
        task.notices.append(Notice(code="NOT_COVERED", message=message))
    unknown = frozenset[str]().union(*(query.draft.unknown for query in candidates))
    return [
        GoalQuery(
            explanations.rules_query(query, task.request, task.today, unknown),
            blocks_of(query.draft),
            query.check,
            missing_subjects=tuple(subject.concept.name for subject in query.missing_subjects),
            is_main=query is candidates[0],
        )
        for query in non_empty
    ]


async def _count_drafts(task: _Task, drafts: Sequence[Draft], main_draft: Draft) -> list[CountedQuery]:
    """The drafts with their counts; the strategy's main draft is widened if it finds nothing."""
    counts = (count_query(draft, task.subjects, task.counter, is_widened=draft == main_draft) for draft in drafts)
    # corrected or widened, two drafts can become one query
    return each_once(await asyncio.gather(*counts), lambda query: query.check.query)


async def _without_empty(task: _Task, queries: list[CountedQuery]) -> list[CountedQuery]:
    """The queries that find articles; if none does, all of them and one on fewer subjects."""
    empty = [query for query in queries if query.check.count == 0]
    if not empty:
        return queries
    if len(empty) == len(queries):
        names = ", ".join(query.concept.name for query in main_subjects(task.subjects))
        message = f"No article matches {names:.200} together. Leave out keywords or filters, or say it otherwise."
        task.notices.append(Notice(code="UNMATCHED", message=message))
        smaller = await count_with_fewer_subjects(queries[0], task.subjects, task.counter)
        return [*queries[: max(1, task.request.max_queries - 1)], smaller] if smaller else queries
    non_empty = [query for query in queries if query not in empty]
    clause = "query that finds" if len(empty) == 1 else "queries that find"
    names = ", ".join(
        dict.fromkeys(query.concept.name for empty_query in empty for query in empty_query.draft.subjects)
    )
    task.notices.append(Notice(code="DROPPED", message=f"Left out {len(empty)} {clause} nothing, on {names:.200}."))
    return non_empty


async def _by_model(task: _Task, model_suggestions: Suggestions) -> list[GoalQuery]:
    """The model's queries that find articles and that PubMed reads as written; a notice counts the refused ones."""
    candidates = model_suggestions.candidates
    answers = await asyncio.gather(*(task.counter.check(candidate.query) for candidate in candidates))
    pairs = list(zip(candidates, answers, strict=True))
    accepted = [
        (candidate, check) for candidate, check in pairs if check.finds and check.is_as_written and not check.unknown
    ]
    refused_count = len(model_suggestions.refusals) + len(pairs) - len(accepted)
    if refused_count:
        failures = ["PubMed finds nothing or reads it otherwise"] if len(accepted) < len(pairs) else []
        reasons = dict.fromkeys([*model_suggestions.refusals, *failures])
        message = f"Refused {refused_count} of the model's queries: {'; '.join(reasons):.300}."
        task.notices.append(Notice(code="DROPPED", message=message))
    return [
        GoalQuery(
            explanations.suggested_query(candidate, check, task.request, task.subjects, today=task.today),
            # a block of the model's has the name of its first phrase
            BlockQuery(
                tuple(QueryBlock([*terms.phrases(clause), clause][0], clause) for clause in candidate.clauses),
                task.filters,
            ),
            check,
        )
        for candidate, check in accepted
    ]


def _best(queries: list[GoalQuery], limit: int) -> list[GoalQuery]:
    """The best queries: complete ones first, of them the strategy's main query, then by confidence."""
    distinct = each_once(queries, lambda query: query.record.query_string)
    return sorted(distinct, key=lambda query: query.rank)[:limit]


def _answer(task: _Task, queries: list[CanonicalPubMedQuery], notices: Sequence[Notice]) -> QueryGeneration:
    texts = [query.query_string for query in queries]
    return QueryGeneration(
        generated_queries=queries,
        mesh_terms=list(dict.fromkeys(heading for text in texts for heading in terms.headings(text))),
        field_tags=list(dict.fromkeys(tag for text in texts for tag in terms.fields(text))),
        query_metadata=QueryMetadata(
            domain_context=explanations.context(task.request.domain),
            synonyms_used=explanations.synonyms_in(texts, task.subjects),
            query_complexity=explanations.complexity(texts, len(task.subjects)),
        ),
        method=task.method,
        notices=list(dict.fromkeys((*task.notices, *notices))),
    )


def _refuse_empty(goal: QueryRequest, parsed_goal: ParsedGoal) -> None:
    if not parsed_goal.concepts:
        raise AmbiguousQuery(
            f"The goal {goal.research_goal!r:.100} names nothing to search for.",
            hint="Name the subject, such as 'metformin in heart failure', or give keywords.",
            invalid_input=goal.research_goal,
        )
    excluded = {wording.key(word): word for word in goal.exclude_terms}
    contradictory = [word for word in goal.keywords if wording.key(word) in excluded]
    if contradictory:
        raise AmbiguousQuery(
            f"{contradictory[0]!r:.100} is required by keywords and excluded by exclude_terms.",
            hint="Leave it out of one of them.",
            invalid_input=contradictory[0],
        )
