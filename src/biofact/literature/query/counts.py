"""Queries with their counts and PubMed's reading: mended where PubMed lacks a phrase, widened where empty."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from biofact.core.call import Counter
from biofact.core.errors import BiofactError
from biofact.core.records import Notice
from biofact.dialects.eutils import SearchAnswer
from biofact.literature.query import terms
from biofact.literature.query.drafts import LONGEST_QUERY, Draft, main_subjects, widen, with_fewer_subjects
from biofact.literature.query.subjects import Subject
from biofact.literature.query.terms import FieldTerm
from biofact.sources.pubmed import search
from biofact.sources.pubmed.questions import Questions

KNOWN_FIELDS = frozenset(
    f"""
    all uid filt titl mesh majr jour affl ecno subs pdat edat vol page ptyp lang iss subh si mhda tiab otrm coln cnty
    papx grnt mdat cdat pid faut full finv tt laut ppdt epdt lid crdt book ed isbn pubn aucl eid dso auid ps cois word
    ti tw mh sh pt dp au ta la sb ad aid pmid nm rn ot {terms.HEADING.replace(" ", "_")} mesh_major_topic
    title/abstract title text_word publication_type date_-_publication author journal language affiliation
    mesh_subheading supplementary_concept other_term mesh:noexp mh:noexp majr:noexp title/abstract:~0 title:~0
    """.lower().split()
)
"""Field tags that PubMed has, in lower case, with underlines for blanks (einfo, read 2025-11-27)."""

_DATES = re.compile(r'(?i)"?([\d/]+)"?\[Date - Publication\]\s*:\s*"?([\d/]+)"?\[Date - Publication\]')
_LAST = re.compile(r":\s*3000(?:/12/31)?(?=\[)")
_LONGEST_SHOWN = 400
_REMOVED = "\0"
_TERM = re.compile(r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]]+)\]')
_EMPTY = re.compile(rf"{_REMOVED} (?:AND|OR) | (?:AND|OR|NOT) {_REMOVED}|\((?P<only>{_REMOVED})\)")


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query, and PubMed's reading of it."""

    query: str
    count: int | None = None
    """Articles that match; None if PubMed did not answer."""
    unknown: frozenset[str] = frozenset()
    """Phrases that PubMed does not know, in lower case, with their field if PubMed reports it."""
    is_as_written: bool = False
    """Whether PubMed reads the query as it is written."""
    notices: list[Notice] = field(default_factory=list)

    @property
    def finds(self) -> bool:
        """Whether any article matches."""
        return bool(self.count)


def query_check(query: str, answer: SearchAnswer) -> CheckedQuery:
    """The check of a query by PubMed's answer. An unknown single word does not count as another reading."""
    unknown_phrases = (*answer.phrases_not_found, *answer.quoted_phrases_not_found, *answer.phrases_ignored)
    unknown = frozenset(filter(None, map(_bare, unknown_phrases)))
    query_as_read = _with_one_date_form(without_terms(query, unknown))
    translation = _with_one_date_form(answer.query_translation)
    is_otherwise = bool(translation) != bool(query_as_read) or search.is_read_otherwise(query_as_read, translation)
    without_phrases = replace(
        answer, query_translation="", phrases_not_found=(), quoted_phrases_not_found=(), phrases_ignored=()
    )
    notices = search.query_notices(query_as_read, without_phrases)
    notices = [notice for notice in notices if notice.code != "LIST_CUT"]  # the answer has the count
    if is_otherwise:
        message = f"PubMed reads it otherwise, as: {answer.query_translation or 'nothing':.{_LONGEST_SHOWN}}"
        notices.append(Notice(code="QUERY_UNDERSTOOD", message=message))
    return CheckedQuery(query, answer.count, unknown, is_as_written=not notices, notices=notices)


def without_terms(query: str, unknown: Container[str]) -> str:
    """A query without the terms that PubMed does not know, and without groups and operators that become empty."""
    text = _TERM.sub(lambda match: _REMOVED if _is_unknown(match, unknown) else match[0], query)
    before = ""
    while before != text:
        before = text
        text = _EMPTY.sub(lambda match: match["only"] or "", text)
    return text.replace(_REMOVED, "").strip()


def _is_unknown(term: re.Match[str], unknown: Container[str]) -> bool:
    return FieldTerm(term["text"], term["field"]).is_in(unknown)


def failed_check(query: str, reason: str) -> CheckedQuery:
    """The check of a query that PubMed did not answer."""
    message = f"Not counted and not checked. {reason}"
    return CheckedQuery(query, notices=[Notice(code="LEG_FAILED", message=message)])


def unknown_fields(query: str) -> list[str]:
    """Field tags that PubMed does not have."""
    return [tag for tag in terms.fields(query) if re.sub(r"\s+", "_", tag.strip().lower()) not in KNOWN_FIELDS]


def _bare(phrase: str) -> str:
    return " ".join(phrase.replace('"', "").lower().split())


def _with_one_date_form(query: str) -> str:
    """The query with date ranges as PubMed's translation has them: 2021/11/22:3000/12/31[Date - Publication]."""
    with_ranges = _DATES.sub(r"\1:\2[Date - Publication]", query)
    return _LAST.sub(":3000/12/31", with_ranges)


MOST_COUNTS = 40
"""Counts that one goal may cost: of queries, of their lines and of ``must_find`` articles."""
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class CountedQuery:
    """A query in its final form, with its count."""

    draft: Draft
    check: CheckedQuery
    missing_subjects: tuple[Subject, ...] = ()
    """Subjects of the goal that the query does not search for."""
    notes: tuple[Notice, ...] = ()
    """Changes made to the query."""


class QueryCounter:
    """Counts queries for one goal, each text once, and at most ``limit`` of them."""

    def __init__(self, questions: Questions, limit: int = MOST_COUNTS) -> None:
        self._questions = questions
        self._allowed = limit
        self._counted_texts: set[str] = set()
        self._counter = Counter(0, "queries counted")
        self.skipped = 0
        """Texts without a count because the limit was reached."""
        self.failed = ""
        """The reason of the last failed count; empty if none failed."""

    async def check(self, query: str) -> CheckedQuery:
        """PubMed's reading of a query; with a notice if PubMed did not answer."""
        if not self._may_ask(query):
            return failed_check(query, f"A goal costs {MOST_COUNTS} counts at most.")
        try:
            return query_check(query, await self._search(query, limit=0))
        except BiofactError as error:
            self.failed = error.message
            return failed_check(query, error.message)

    async def count(self, query: str) -> int | None:
        """How many articles match; None if PubMed did not answer."""
        return (await self.check(query)).count

    async def found_among(self, query: str, pmids: Sequence[str]) -> set[str] | None:
        """The articles among ``pmids`` that match; None if PubMed did not answer."""
        articles = " OR ".join(f"{pmid}[uid]" for pmid in pmids)
        text = f"({query}) AND ({articles})" if query else articles
        if not self._may_ask(text):
            return None
        try:
            return set((await self._search(text, limit=len(pmids))).uids)
        except BiofactError as error:
            self.failed = error.message
            return None

    async def _search(self, text: str, *, limit: int) -> SearchAnswer:
        self._counter.expect()
        try:
            return await self._questions.search(text, limit=limit)
        finally:
            await self._counter.add()

    def _may_ask(self, text: str) -> bool:
        # each text counts once
        if text not in self._counted_texts:
            if not self._allowed:
                self.skipped += 1
                return False
            self._allowed -= 1
            self._counted_texts.add(text)
        return True


async def count_query(
    draft: Draft, subjects: Sequence[Subject], counter: QueryCounter, *, is_widened: bool
) -> CountedQuery:
    """A query with its count. Costs one request, and up to three more.

    The others replace phrases that PubMed does not know, and widen a query that finds nothing if ``is_widened``. The
    main subjects stay.
    """
    result = await _count_corrected(draft, subjects, counter)
    wider = widen(result.draft) if is_widened and result.check.count == 0 else None
    if wider is None or str(wider) == str(result.draft):
        return result
    wider_result = await _count_corrected(wider, subjects, counter)
    if not wider_result.check.count:
        return result
    names = ", ".join(subject.concept.name for subject in wider.subjects)
    note = Notice(code="QUERY_UNDERSTOOD", message=f"Widened, for nothing matched; this query is about {names}.")
    return replace(wider_result, notes=(note, *wider_result.notes))


async def count_with_fewer_subjects(
    query: CountedQuery, subjects: Sequence[Subject], counter: QueryCounter
) -> CountedQuery | None:
    """The first query on fewer subjects that finds articles; None if none does."""
    for draft in with_fewer_subjects(query.draft):
        result = await _count_corrected(draft, subjects, counter)
        if result.check.count:
            return result
    return None


async def _count_corrected(draft: Draft, subjects: Sequence[Subject], counter: QueryCounter) -> CountedQuery:
    """The query with its count, and words side by side for phrases that PubMed does not know.

    PubMed leaves out a subject of which it knows no word, and counts articles on the rest: that is no match.
    """
    check = await counter.check(str(draft))
    corrected = draft.without_unknown(check.unknown)
    if str(corrected) != str(draft):
        check = await counter.check(str(corrected))
    corrected = corrected.without_unknown(check.unknown)
    missing = [subject for subject in main_subjects(subjects) if subject not in draft.subjects]
    unknown = corrected.subjects_without_terms(check.unknown)
    notes = tuple(_notes(draft, corrected, check, missing, unknown))
    if unknown and check.count:
        check = replace(check, count=0)  # PubMed counted articles on the other subjects
    return CountedQuery(corrected, check, tuple(missing), notes)


def _notes(
    draft: Draft, corrected: Draft, check: CheckedQuery, missing: Sequence[Subject], unknown: Sequence[Subject]
) -> Iterator[Notice]:
    if adjacent := corrected.side_by_side(draft):
        phrases = _quoted_list(adjacent)
        message = f"PubMed's index lacks {phrases}: searched for by their words side by side, [Title/Abstract:~0]."
        yield Notice(code="QUERY_UNDERSTOOD", message=message)
    if unknown:
        consequence = f" It would leave the subject out and find {check.count:,} on the rest." if check.count else ""
        message = f"PubMed has no article with a word for {_names(unknown)}.{consequence}"
        yield Notice(code="TERM_IGNORED", message=message)
    elif absent := sorted({text.partition("[")[0] for text in check.unknown}):
        message = f"PubMed has no article with {_quoted_list(absent)} today, and reads the query without."
        yield Notice(code="TERM_IGNORED", message=message)
    if limit := corrected.most_forms:
        message = f"Cut to the first {limit} forms of each name: a query has {LONGEST_QUERY:,} characters at most."
        yield Notice(code="LIST_CUT", message=message)
    if missing:
        yield Notice(code="DROPPED", message=f"It finds articles that are not about {_names(missing)}, too.")


def _names(subjects: Sequence[Subject]) -> str:
    return f"{' and '.join(subject.concept.name for subject in subjects):.200}"


def _quoted_list(texts: Sequence[str]) -> str:
    quotes = ", ".join(repr(text) for text in texts[:_MOST_LISTED])
    return f"{quotes} and {len(texts) - _MOST_LISTED} more" if len(texts) > _MOST_LISTED else quotes
