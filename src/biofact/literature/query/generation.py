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
from biofact.literature.query.drafts import Draft, main_subjects, strategy_drafts
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
    """One request under way."""

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

    MeSH, the speller or the model may fail: then a notice says so, and the queries are made without them.

    Raises:
        AmbiguousQuery: the goal and the keywords name nothing to search for, or a keyword is excluded, too.
    """
    call.current().lane = "bulk"  # a dozen requests
    parsed_goal = concepts.read(goal.research_goal, today=today, domain=goal.domain, keywords=goal.keywords)
    _refuse_empty(goal, parsed_goal)
    counter = QueryCounter(questions)
    task = _Task(goal, counter, today, parsed_goal, filters.filters_of(goal, parsed_goal, today))
    task.notices += explanations.assumptions(goal, parsed_goal, task.filters)
    found, suggested = await asyncio.gather(
        look_up(parsed_goal.concepts, questions, goal.domain), _ask_model(task, model) if model else _no_suggestions()
    )
    task.notices += found.notices
    task.subjects = [one.with_synonyms(suggested.synonyms.get(one.concept.name, ())) for one in found.subjects]
    by_rules, by_model = await asyncio.gather(_by_rules(task), _by_model(task, suggested))
    if model and (by_model or suggested.synonyms):
        task.method = model.method
    best = _best([*by_model, *by_rules], goal.max_queries)
    sheets = SheetWriter(goal, task.subjects, counter, today)
    await sheets.check_articles()
    return _answer(task, [await sheets.fill(one, is_first=one is best[0]) for one in best], sheets.notices())


async def _ask_model(task: _Task, model: LanguageModel) -> Suggestions:
    try:
        answer = await model.answer(suggestions.question(task.request, task.parsed_goal.concepts))
    except ModelFailed as failed:
        task.notices.append(missing_part(_SUGGESTIONS, f"{failed.reason:.200}"))
        return Suggestions()
    suggestions_read = suggestions.read(answer.value, task.request, task.parsed_goal.concepts, task.filters)
    if not (suggestions_read.candidates or suggestions_read.synonyms or suggestions_read.refused):
        task.notices.append(missing_part(_SUGGESTIONS, "It said nothing usable."))
    return suggestions_read


async def _no_suggestions() -> Suggestions:
    return Suggestions()


async def _by_rules(task: _Task) -> list[GoalQuery]:
    """The strategy's own queries; the next of them take the place of those that find nothing."""
    most = task.request.max_queries
    drafts = strategy_drafts(task.request.query_strategy, task.subjects, task.filters)
    tried = await _count_drafts(task, drafts[:most], own=drafts[0])
    missing = most - len([one for one in tried if one.checked.count != 0])
    if missing > 0 and drafts[most:]:
        tried = _each_once([*tried, *await _count_drafts(task, drafts[most : most + missing], own=drafts[0])])
    kept = await _without_empty(task, tried)
    if len(kept) < most:
        message = f"Only {len(kept)} different quer{'y' if len(kept) == 1 else 'ies'} can be made of this goal."
        task.notices.append(Notice(code="NOT_COVERED", message=message))
    unknown = frozenset[str]().union(*(one.draft.unknown for one in tried))
    return [
        GoalQuery(
            explanations.rules_query(one, task.request, task.today, unknown),
            blocks_of(one.draft),
            one.checked,
            lost=tuple(subject.concept.name for subject in one.lost),
            is_own=one is tried[0],
        )
        for one in kept
    ]


async def _count_drafts(task: _Task, drafts: Sequence[Draft], own: Draft) -> list[CountedQuery]:
    """The drafts with their counts; the strategy's own is made wider if it finds nothing."""
    counting = (count_query(draft, task.subjects, task.counter, is_widened=draft == own) for draft in drafts)
    return _each_once(await asyncio.gather(*counting))


def _each_once(tried: Sequence[CountedQuery]) -> list[CountedQuery]:
    """Without those that became one query when they were mended or widened."""
    once: dict[str, CountedQuery] = {}
    for one in tried:
        once.setdefault(one.checked.query, one)
    return list(once.values())


async def _without_empty(task: _Task, tried: list[CountedQuery]) -> list[CountedQuery]:
    """Without queries that find nothing, where another finds something; else with one on fewer subjects behind them."""
    empty = [one for one in tried if one.checked.count == 0]
    if not empty:
        return tried
    if len(empty) == len(tried):
        names = ", ".join(one.concept.name for one in main_subjects(task.subjects))
        message = f"No article matches {names:.200} together. Leave out keywords or filters, or say it otherwise."
        task.notices.append(Notice(code="UNMATCHED", message=message))
        fewer = await count_with_fewer_subjects(tried[0], task.subjects, task.counter)
        return [*tried[: max(1, task.request.max_queries - 1)], fewer] if fewer else tried
    kept = [one for one in tried if one not in empty]
    what = "query that finds" if len(empty) == 1 else "queries that find"
    about = ", ".join(dict.fromkeys(one.concept.name for counted in empty for one in counted.draft.subjects))
    task.notices.append(Notice(code="DROPPED", message=f"Left out {len(empty)} {what} nothing, on {about:.200}."))
    return kept


async def _by_model(task: _Task, suggested: Suggestions) -> list[GoalQuery]:
    """The model's queries that find something and are read as they are written; a notice counts the refused ones."""
    candidates = suggested.candidates
    answers = await asyncio.gather(*(task.counter.check(one.query) for one in candidates))
    pairs = list(zip(candidates, answers, strict=True))
    good = [(one, checked) for one, checked in pairs if checked.finds and checked.is_as_written and not checked.unknown]
    refused = len(suggested.refused) + len(pairs) - len(good)
    if refused:
        unfit = ["PubMed finds nothing or reads it otherwise"] if len(good) < len(pairs) else []
        reasons = dict.fromkeys([*suggested.refused, *unfit])
        message = f"Refused {refused} of the model's queries: {'; '.join(reasons):.300}."
        task.notices.append(Notice(code="DROPPED", message=message))
    return [
        GoalQuery(
            explanations.suggested_query(one, checked, task.request, task.subjects, today=task.today),
            BlockQuery(tuple(QueryBlock(_about(clause), clause) for clause in one.clauses), task.filters),
            checked,
        )
        for one, checked in good
    ]


def _about(clause: str) -> str:
    """What to call a model's block: its first phrase."""
    return next(iter(terms.phrases(clause)), clause)


def _best(queries: list[GoalQuery], most: int) -> list[GoalQuery]:
    """Those that look for every subject first, of them the strategy's own, then by confidence."""
    once: dict[str, GoalQuery] = {}
    for query in queries:
        once.setdefault(query.shown.query_string, query)
    return sorted(once.values(), key=lambda one: one.rank)[:most]


def _answer(task: _Task, queries: list[CanonicalPubMedQuery], notices: Sequence[Notice]) -> QueryGeneration:
    texts = [one.query_string for one in queries]
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
    both = [word for word in goal.keywords if wording.key(word) in excluded]
    if both:
        raise AmbiguousQuery(
            f"{both[0]!r:.100} is required by keywords and excluded by exclude_terms.",
            hint="Leave it out of one of them.",
            invalid_input=both[0],
        )
