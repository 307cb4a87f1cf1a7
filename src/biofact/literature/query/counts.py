"""Queries with their counts; corrected, widened or narrowed where the count requires it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from biofact.core.errors import BiofactError
from biofact.core.provenance import Notice
from biofact.literature.choices import QueryStrategy
from biofact.literature.query import checks, strategies, terms
from biofact.literature.query.checks import CheckedQuery
from biofact.literature.query.drafts import Draft
from biofact.literature.query.subjects import Subject
from biofact.sources.pubmed.questions import Questions

TOO_MANY = 10_000
"""PubMed lists no more of a query."""


@dataclass(frozen=True, slots=True)
class CountedQuery:
    """A query as it is in the end, and what it finds."""

    draft: Draft
    checked: CheckedQuery
    notes: tuple[Notice, ...] = ()
    """What was done to it."""


async def check_query(query: str, questions: Questions) -> CheckedQuery:
    """How PubMed reads a query; a notice says so where it could not be reached."""
    try:
        return checks.query_check(query, await questions.found(query, most=0))
    except BiofactError as error:
        return checks.failed_check(query, error.message)


async def count_query(
    draft: Draft, subjects: Sequence[Subject], strategy: QueryStrategy, questions: Questions
) -> CountedQuery:
    """A query with its count. Costs one request, and up to three more.

    The others mend phrases that PubMed does not know, and widen or narrow what finds nothing or too much.
    """
    result = await _count_mended(draft, questions)
    if result.checked.count == 0:
        wider = strategies.widen(result.draft)
        return await _changed_if_better(
            result, wider, "Widened, for nothing matched", questions, lambda count: count > 0
        )
    if strategy == "comprehensive" and (result.checked.count or 0) > TOO_MANY:
        narrower = strategies.narrow(result.draft, subjects)
        reason = f"Narrowed, for {result.checked.count:,} articles matched"
        return await _changed_if_better(
            result, narrower, reason, questions, lambda count: 0 < count < (result.checked.count or 0)
        )
    return result


async def _changed_if_better(
    found: CountedQuery, draft: Draft | None, reason: str, questions: Questions, is_better: Callable[[int], bool]
) -> CountedQuery:
    """The changed query where its count is better, else the one that was found."""
    if draft is None or str(draft) == str(found.draft):
        return found
    changed = await _count_mended(draft, questions)
    if not is_better(changed.checked.count or 0):
        return found
    message = f"{reason}; this query is about {', '.join(one.concept.name for one in draft.subjects)}."
    note = Notice(code="QUERY_UNDERSTOOD", message=message)
    return replace(changed, notes=(note, *changed.notes))


async def _count_mended(draft: Draft, questions: Questions) -> CountedQuery:
    """The query with its count, without phrases that PubMed does not know."""
    checked = await check_query(str(draft), questions)
    mended = draft.mended(checked.unknown)
    if str(mended) == str(draft):
        return CountedQuery(draft, checked)
    notes = tuple(_by_words(name) for name in _lost_names(draft, checked.unknown))
    return CountedQuery(mended, await check_query(str(mended), questions), notes)


def _lost_names(draft: Draft, unknown: frozenset[str]) -> list[str]:
    phrases = [
        one for clause in draft.clauses for one in clause if isinstance(one, terms.FieldTerm) and one.is_in(unknown)
    ]
    names = {name for one in draft.subjects for name in one.concept.names if len(name.split()) > 1}
    return list(dict.fromkeys(one.text for one in phrases if one.text in names))


def _by_words(name: str) -> Notice:
    message = f"PubMed does not know the phrase {name!r:.100}; its words are searched for one by one."
    return Notice(code="QUERY_UNDERSTOOD", message=message)
