"""A query line by line, as specialists write it: numbered blocks with counts, what each adds and costs."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from biofact.core.provenance import Notice
from biofact.literature.query import terms, trials
from biofact.literature.query.counts import MOST_COUNTS, QueryCounter
from biofact.literature.query.drafts import Draft
from biofact.literature.query.filters import QueryFilters
from biofact.literature.query.records import LineKind, MissedArticle, QueryLine


@dataclass(frozen=True, slots=True)
class QueryBlock:
    """What a query asks of one subject."""

    about: str
    text: str
    """In parentheses."""
    headings: str = ""
    """Its headings alone, where it has words beside them."""


@dataclass(frozen=True, slots=True)
class BlockQuery:
    """A query as blocks that are joined by AND, and what limits them."""

    blocks: tuple[QueryBlock, ...]
    filters: QueryFilters

    @property
    def subject(self) -> str:
        """All blocks together."""
        return " AND ".join(one.text for one in self.blocks)

    def without(self, block: QueryBlock) -> str:
        """The query without one of its blocks."""
        return self.filters.applied(" AND ".join(one.text for one in self.blocks if one is not block))


@dataclass(frozen=True, slots=True)
class _BlockCounts:
    count: int | None
    adds: int | None = None
    costs: int | None = None


def blocks_of(draft: Draft) -> BlockQuery:
    """The blocks of a draft."""
    blocks = []
    for part, text in zip(draft.parts, draft.written_clauses, strict=True):
        headings = terms.headings_alone(text)
        blocks.append(QueryBlock(part.subject.concept.name, text, headings if headings != text else ""))
    return BlockQuery(tuple(blocks), draft.filters)


async def write_lines(
    query: BlockQuery, total: int | None, counter: QueryCounter, *, is_weighed: bool
) -> list[QueryLine]:
    """The lines of a query that finds ``total`` articles, each with its count.

    Costs one request for a block and one for the combination; where the lines are weighed two more for a block
    (without it, and its headings alone), and one for the filter that is offered there alone.
    """
    if total is None:
        return _numbered(query, total, [_BlockCounts(None)] * len(query.blocks), None, None)
    if query.filters.trials == "offered" and not is_weighed:
        query = replace(query, filters=replace(query.filters, trials=""))
    subject, filters = query.subject, query.filters
    is_limited = bool(filters.parts or filters.excluded or filters.trials == "applied")
    counts, combined, filtered = await asyncio.gather(
        asyncio.gather(*(_count_block(one, query, total, counter, is_weighed=is_weighed) for one in query.blocks)),
        _count(counter, subject) if is_limited and len(query.blocks) > 1 else _known(total),
        _count(counter, f"{filters.applied(subject)} AND ({trials.PUBMED})")
        if filters.trials == "offered"
        else _known(total),
    )
    return _numbered(query, total, counts, combined, filtered)


async def _count_block(
    block: QueryBlock, query: BlockQuery, total: int, counter: QueryCounter, *, is_weighed: bool
) -> _BlockCounts:
    count = await counter.count(block.text)
    if not is_weighed or count is None:
        return _BlockCounts(count)
    by_headings = await counter.count(block.headings) if block.headings else None
    without = await counter.count(query.without(block)) if len(query.blocks) > 1 else None
    return _BlockCounts(count, _difference(count, by_headings), _difference(without, total))


def _difference(more: int | None, less: int | None) -> int | None:
    return None if more is None or less is None else max(0, more - less)


async def _count(counter: QueryCounter, text: str) -> int | None:
    return await counter.count(text)


async def _known(total: int | None) -> int | None:
    return total


def _numbered(
    query: BlockQuery,
    total: int | None,
    counts: Sequence[_BlockCounts],
    combined: int | None,
    filtered: int | None,
) -> list[QueryLine]:
    """Blocks, their combination, what limits it, and last the Cochrane filter."""
    lines: list[QueryLine] = []

    def add(kind: LineKind, about: str, text: str, **facts: int | str | bool | None) -> None:
        lines.append(
            QueryLine.model_validate({"line": len(lines) + 1, "kind": kind, "about": about, "text": text, **facts})
        )

    for block, found in zip(query.blocks, counts, strict=True):
        add("block", block.about, block.text, count=found.count, adds=found.adds, costs=found.costs)
    filters = query.filters
    if len(lines) > 1:
        add("combination", "all blocks", " AND ".join(f"#{one.line}" for one in lines), count=combined)
    last = len(lines)
    limits = [("limit", part) for part in filters.parts] + (
        [("exclusion", filters.exclusion)] if filters.excluded else []
    )
    for kind, text in limits:
        about = "published" if "Date" in text else "study types" if kind == "limit" else "left out"
        add("limit" if kind == "limit" else "exclusion", about, text)
    if limits:
        joined = "".join(f" {'NOT' if one.kind == 'exclusion' else 'AND'} #{one.line}" for one in lines[last:])
        count = total if filters.trials != "applied" else None
        add("combination", "with limits", f"#{last}{joined}", count=count)
    if filters.trials:
        is_offered = filters.trials == "offered" or None
        count = filtered if is_offered else total
        add("filter", trials.NAME, trials.PUBMED, count=count, source=trials.SOURCE, is_offered=is_offered)
    return lines


async def find_missed(
    query: BlockQuery, pmids: Sequence[str], counter: QueryCounter
) -> tuple[list[MissedArticle], bool]:
    """The articles that a query does not find, each with the lines that miss it; false where PubMed could not be asked.

    Costs one request for the query, and one for each of its lines where it misses any.
    """
    found = await counter.found_among(query.filters.applied(query.subject), pmids)
    if found is None:
        return [], False
    missed = [pmid for pmid in pmids if pmid not in found]
    if not missed:
        return [], True
    lines = [(at, one.text) for at, one in enumerate(query.blocks, 1)]
    first_limit = len(lines) + 1 + (len(lines) > 1)
    lines += list(enumerate(query.filters.parts, first_limit))
    answers = await asyncio.gather(*(counter.found_among(text, missed) for _, text in lines))
    by_line = [(at, answer) for (at, _), answer in zip(lines, answers, strict=True) if answer is not None]
    articles = [
        MissedArticle(pmid=f"PMID:{pmid}", lines=[at for at, answer in by_line if pmid not in answer])
        for pmid in missed
    ]
    return articles, len(by_line) == len(lines)


def uncounted(counter: QueryCounter) -> list[Notice]:
    """What is to be said of lines that have no count."""
    if counter.skipped:
        message = f"{counter.skipped} lines are not counted: a goal costs {MOST_COUNTS} counts at most."
        return [Notice(code="LIST_CUT", message=message)]
    if counter.failed:
        return [Notice(code="LEG_FAILED", message=f"Some lines are not counted. {counter.failed}")]
    return []
