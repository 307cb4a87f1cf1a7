"""A query line by line, as specialists write it, with counts; for PubMed's page, Ovid MEDLINE and Embase.com.

Syntax of Ovid: https://ospguides.ovid.com/OSPguides/medline.htm, of Embase: Embase.com's search guide.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote_plus

from biofact.core.records import Notice
from biofact.literature.query import terms
from biofact.literature.query.counts import MOST_COUNTS, QueryCounter
from biofact.literature.query.drafts import Draft
from biofact.literature.query.filters import (
    TRIAL_FILTER_NAME,
    TRIAL_FILTER_OVID,
    TRIAL_FILTER_PUBMED,
    TRIAL_FILTER_SOURCE,
    QueryFilters,
)
from biofact.literature.query.records import LineKind, MissedArticle, QueryExports, QueryLine


@dataclass(frozen=True, slots=True)
class QueryBlock:
    """The part of a query for one subject."""

    about: str
    text: str
    """In parentheses."""
    headings: str = ""
    """The headings alone, if the block has words beside them."""


@dataclass(frozen=True, slots=True)
class BlockQuery:
    """A query as blocks that are joined by AND, and its filters."""

    blocks: tuple[QueryBlock, ...]
    filters: QueryFilters

    @property
    def subject(self) -> str:
        """All blocks together."""
        return " AND ".join(block.text for block in self.blocks)


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

    Costs one request for a block and one for the combination; if the lines are weighed, two more for a block
    (without it, and its headings alone), and one for the filter that is offered there alone.
    """
    if total is None:
        return _numbered_lines(query, total, [_BlockCounts(None)] * len(query.blocks), None, None)
    if query.filters.trials == "offered" and not is_weighed:  # one count of the offered filter per goal is enough
        query = replace(query, filters=replace(query.filters, trials=""))
    subject, filters = query.subject, query.filters
    is_limited = bool(filters.parts or filters.excluded or filters.trials == "applied")
    with_trials = f"{filters.applied(subject)} AND ({TRIAL_FILTER_PUBMED})"
    counts, combined, filtered = await asyncio.gather(
        asyncio.gather(*(_count_block(block, query, total, counter, is_weighed=is_weighed) for block in query.blocks)),
        counter.count(subject) if is_limited and len(query.blocks) > 1 else _resolved(total),
        counter.count(with_trials) if filters.trials == "offered" else _resolved(total),
    )
    return _numbered_lines(query, total, counts, combined, filtered)


async def _count_block(
    block: QueryBlock, query: BlockQuery, total: int, counter: QueryCounter, *, is_weighed: bool
) -> _BlockCounts:
    count = await counter.count(block.text)
    if not is_weighed or count is None:
        return _BlockCounts(count)
    by_headings = await counter.count(block.headings) if block.headings else None
    others = " AND ".join(other.text for other in query.blocks if other is not block)
    others_count = await counter.count(query.filters.applied(others)) if others else None
    return _BlockCounts(count, _difference(count, by_headings), _difference(others_count, total))


def _difference(larger: int | None, smaller: int | None) -> int | None:
    return None if larger is None or smaller is None else max(0, larger - smaller)


async def _resolved(total: int | None) -> int | None:
    return total


def _numbered_lines(
    query: BlockQuery,
    total: int | None,
    counts: Sequence[_BlockCounts],
    combined: int | None,
    filtered: int | None,
) -> list[QueryLine]:
    """Lines of blocks, their combination, limits and exclusions, and last the Cochrane filter."""
    lines: list[QueryLine] = []

    def add(kind: LineKind, about: str, text: str, **facts: int | str | bool | None) -> None:
        lines.append(
            QueryLine.model_validate({"line": len(lines) + 1, "kind": kind, "about": about, "text": text, **facts})
        )

    for block, block_counts in zip(query.blocks, counts, strict=True):
        add(
            "block", block.about, block.text, count=block_counts.count, adds=block_counts.adds, costs=block_counts.costs
        )
    filters = query.filters
    if len(lines) > 1:
        add("combination", "all blocks", " AND ".join(f"#{line.line}" for line in lines), count=combined)
    last = len(lines)
    for text in filters.parts:
        add("limit", "published" if "Date" in text else "study types", text)
    if filters.excluded:
        add("exclusion", "left out", filters.exclusion)
    if len(lines) > last:
        references = "".join(f" {'NOT' if line.kind == 'exclusion' else 'AND'} #{line.line}" for line in lines[last:])
        count = total if filters.trials != "applied" else None
        add("combination", "with limits", f"#{last}{references}", count=count)
    if filters.trials:
        is_offered = filters.trials == "offered" or None
        facts = {"count": filtered if is_offered else total, "source": TRIAL_FILTER_SOURCE, "is_offered": is_offered}
        add("filter", TRIAL_FILTER_NAME, TRIAL_FILTER_PUBMED, **facts)
    return lines


async def find_missed(
    query: BlockQuery, pmids: Sequence[str], counter: QueryCounter
) -> tuple[list[MissedArticle], bool]:
    """The articles that a query does not find, with the lines that miss each; and whether every request was answered.

    Costs one request for the query, and one for each of its lines if it misses any.
    """
    matches = await counter.found_among(query.filters.applied(query.subject), pmids)
    if matches is None:
        return [], False
    missing_pmids = [pmid for pmid in pmids if pmid not in matches]
    if not missing_pmids:
        return [], True
    lines = [(number, block.text) for number, block in enumerate(query.blocks, 1)]
    first_limit = len(lines) + 1 + (len(lines) > 1)
    lines += list(enumerate(query.filters.parts, first_limit))
    answers = await asyncio.gather(*(counter.found_among(text, missing_pmids) for _, text in lines))
    by_line = [(number, answer) for (number, _), answer in zip(lines, answers, strict=True) if answer is not None]
    articles = [
        MissedArticle(pmid=f"PMID:{pmid}", lines=[number for number, answer in by_line if pmid not in answer])
        for pmid in missing_pmids
    ]
    return articles, len(by_line) == len(lines)


def uncounted_notices(counter: QueryCounter) -> list[Notice]:
    """Notices of lines without a count."""
    if counter.skipped:
        message = f"{counter.skipped} lines are not counted: a goal costs {MOST_COUNTS} counts at most."
        return [Notice(code="LIST_CUT", message=message)]
    if counter.failed:
        return [Notice(code="LEG_FAILED", message=f"Some lines are not counted. {counter.failed}")]
    return []


_PUBMED = "https://pubmed.ncbi.nlm.nih.gov/"
_TERM = r'"[^"]*"\[[^\[\]]+\]'
_ITEM = re.compile(rf"\({_TERM}(?: (?:AND|NOT) {_TERM})+\)|{_TERM}")
_PARTS = re.compile(r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]:]+)(?P<near>:~0)?\]')
_YEARS = re.compile(r'"(\d{4})[/\d]*"\[Date - Publication\] : "(\d{4})')
_WORD = re.compile(r"[^\s.-]+")
_PLAIN = re.compile(r"[\w-]+(?: [\w-]+)*\*?")
_SHORT_FIELDS = {
    terms.ABSTRACT: "tiab",
    terms.TITLE: "ti",
    terms.HEADING: "mh",
    terms.MAJOR: "majr",
    terms.TYPE: "pt",
    terms.DATE: "dp",
}
"""Title/Abstract comes before Title, since both begin alike."""
_OPERATORS = frozenset({"and", "or", "not", "adj", "near", "next"})
_OPEN_YEAR = 3000
_CHOOSE = "[choose in Emtree] "
Write = Callable[[re.Match[str]], str]


def exports(query: str, lines: Sequence[QueryLine], this_year: int) -> QueryExports:
    """The query under PubMed's address and line by line; days of publication become whole years."""
    for field, short in _SHORT_FIELDS.items():  # PubMed's short tags halve the length of the address
        query = query.replace(f'"[{field}', f'"[{short}')
    return QueryExports(
        pubmed_url=f"{_PUBMED}?term={quote_plus(query, safe='()*:~/,')}",
        ovid="\n".join(f"{line.line}. {_ovid(line, this_year)}" for line in lines),
        embase="\n".join(_embase(lines, this_year)),
    )


def _ovid(line: QueryLine, this_year: int) -> str:
    if line.kind == "combination":
        return line.text.replace("#", "").lower()
    if line.kind == "filter":
        return f"{'[offered] ' if line.is_offered else ''}{TRIAL_FILTER_OVID}"
    if years := _years(line.text, this_year):
        return f"{years[0]}:{years[1]}.(sa_year)."
    headings, words, titles, rest = _sorted_items(line.text)
    groups = [_ovid_heading(item) for item in headings]
    groups += [f"({' or '.join(words)}).ti,ab,kf."] if (words := _converted(words, _ovid_words, "and")) else []
    groups += [f"({' or '.join(titles)}).ti."] if (titles := _converted(titles, _ovid_words, "and")) else []
    groups += [f"{match['text']}.pt." for item in rest for match in _PARTS.finditer(item)]
    return " or ".join(groups)


def _embase(lines: Sequence[QueryLine], this_year: int) -> Iterator[str]:
    """Headings and free text on lines of their own, joined by a third."""
    numbers: dict[int, int] = {}
    number = 0
    for line in lines:
        parts = list(_embase_parts(line, numbers, this_year))
        for text in parts:
            number += 1
            yield f"#{number} {text}"
        if len(parts) > 1:
            number += 1
            yield f"#{number} {' OR '.join(f'#{number - offset}' for offset in range(len(parts), 0, -1))}"
        numbers[line.line] = number


def _embase_parts(line: QueryLine, numbers: dict[int, int], this_year: int) -> Iterator[str]:
    if line.kind == "combination":
        yield re.sub(r"#(\d+)", lambda match: f"#{numbers[int(match[1])]}", line.text)
        return
    if line.kind == "filter":
        yield "[choose a filter] the Cochrane filter is MEDLINE's; Embase has its own (Glanville et al. 2019)"
        return
    if years := _years(line.text, this_year):
        yield f"[{years[0]}-{years[1]}]/py"
        return
    headings, words, titles, rest = _sorted_items(line.text)
    if headings:
        names = [match["text"].lower() for item in headings for match in [_PARTS.search(item)] if match]
        yield _CHOOSE + " OR ".join(f"'{_quoted(name)}'/exp" for name in names)
    if words:
        yield f"({' OR '.join(_converted(words, _embase_words, 'AND'))}):ti,ab,kw"
    if titles:
        yield f"({' OR '.join(_converted(titles, _embase_words, 'AND'))}):ti"
    if rest:
        types = [match["text"].lower() for item in rest for match in _PARTS.finditer(item)]
        yield _CHOOSE + " OR ".join(f"'{_quoted(name)}'/exp" for name in types)


def _sorted_items(text: str) -> tuple[list[str], list[str], list[str], list[str]]:
    """The alternatives of a line: headings, words of title and abstract, words of titles, types."""
    sorts: dict[str, list[str]] = {"heading": [], "words": [], "title": [], "type": []}
    for item in (match[0] for match in _ITEM.finditer(text)):
        first = _PARTS.search(item)
        field = first["field"] if first else ""
        kind = {terms.HEADING: "heading", terms.MAJOR: "heading", terms.ABSTRACT: "words", terms.TITLE: "title"}
        sorts[kind.get(field, "type")].append(item)
    return sorts["heading"], sorts["words"], sorts["title"], sorts["type"]


def _ovid_heading(item: str) -> str:
    """``exp Heart Failure/``; as a main point ``exp *Heart Failure/``; one heading without another."""
    headings = [
        f"exp {'*' if match['field'] == terms.MAJOR else ''}{match['text']}/" for match in _PARTS.finditer(item)
    ]
    return f"({' not '.join(headings)})" if len(headings) > 1 else headings[0]


def _converted(items: Iterable[str], write: Write, operator: str) -> list[str]:
    """Each item in another syntax; words that belong together are joined."""
    results = []
    for item in items:
        parts = [write(match) for match in _PARTS.finditer(item)]
        results.append(f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0])
    return list(dict.fromkeys(results))


def _ovid_words(match: re.Match[str]) -> str:
    text = match["text"]
    if match["near"]:
        return f"({' adj1 '.join(_WORD.findall(text))})"
    is_plain = _PLAIN.fullmatch(text) and not _OPERATORS & set(text.lower().split())
    return text if is_plain else f'"{text}"'


def _embase_words(match: re.Match[str]) -> str:
    text = match["text"]
    if match["near"]:
        return f"({' NEAR/1 '.join(_WORD.findall(text))})"
    return text if re.fullmatch(r"\w+\*?", text) else f"'{_quoted(text)}'"


def _quoted(text: str) -> str:
    return text.replace("'", "\\'")


def _years(text: str, this_year: int) -> tuple[int, int] | None:
    match = _YEARS.search(text)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    return first, this_year if last == _OPEN_YEAR else last
