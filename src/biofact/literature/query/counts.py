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
_GONE = "\0"
_TERM = re.compile(r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]]+)\]')
_EMPTY = re.compile(rf"{_GONE} (?:AND|OR) | (?:AND|OR|NOT) {_GONE}|\((?P<only>{_GONE})\)")


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query, and how PubMed read it."""

    query: str
    count: int | None = None
    """Articles that match; None where PubMed could not be asked."""
    unknown: frozenset[str] = frozenset()
    """Phrases of it that PubMed does not know, in lower case, with their field where PubMed reports it."""
    is_as_written: bool = False
    """PubMed reads it as it is written."""
    notices: list[Notice] = field(default_factory=list)

    @property
    def finds(self) -> bool:
        """Whether something matches."""
        return bool(self.count)


def query_check(query: str, answer: SearchAnswer) -> CheckedQuery:
    """The check of a query by its answer. That a single word finds nothing is a fact on it, not another reading."""
    listed = (*answer.phrases_not_found, *answer.quoted_phrases_not_found, *answer.phrases_ignored)
    unknown = frozenset(filter(None, map(_bare, listed)))
    written = _with_one_date_form(without_terms(query, unknown))
    translation = _with_one_date_form(answer.query_translation)
    is_otherwise = bool(translation) != bool(written) or search.is_read_otherwise(written, translation)
    known = replace(answer, query_translation="", phrases_not_found=(), quoted_phrases_not_found=(), phrases_ignored=())
    query_notices = [
        notice
        for notice in search.about(written, known)
        if notice.code != "LIST_CUT"  # the count says it
    ]
    if is_otherwise:
        shown = answer.query_translation or "nothing"
        query_notices.append(
            Notice(code="QUERY_UNDERSTOOD", message=f"PubMed reads it otherwise, as: {shown:.{_LONGEST_SHOWN}}")
        )
    return CheckedQuery(
        query,
        answer.count,
        unknown=unknown,
        is_as_written=not is_otherwise and not query_notices,
        notices=query_notices,
    )


def without_terms(query: str, unknown: Container[str]) -> str:
    """A query without the terms that PubMed does not know, and without groups and operators that this leaves empty."""
    text = _TERM.sub(lambda found: _GONE if _is_unknown(found, unknown) else found[0], query)
    before = ""
    while before != text:
        before = text
        text = _EMPTY.sub(lambda found: found["only"] or "", text)
    return text.replace(_GONE, "").strip()


def _is_unknown(term: re.Match[str], unknown: Container[str]) -> bool:
    return FieldTerm(term["text"], term["field"]).is_in(unknown)


def failed_check(query: str, reason: str) -> CheckedQuery:
    """A query that PubMed could not be asked about."""
    message = f"Not counted and not checked. {reason}"
    return CheckedQuery(query, notices=[Notice(code="LEG_FAILED", message=message)])


def unknown_fields(query: str) -> list[str]:
    """Field tags that PubMed does not have."""
    return [tag for tag in terms.fields(query) if re.sub(r"\s+", "_", tag.strip().lower()) not in KNOWN_FIELDS]


def _bare(phrase: str) -> str:
    return " ".join(phrase.replace('"', "").lower().split())


def _with_one_date_form(query: str) -> str:
    """With date ranges in the form of PubMed's own translation: 2021/11/22:3000/12/31[Date - Publication]."""
    ranged = _DATES.sub(r"\1:\2[Date - Publication]", query)
    return _LAST.sub(":3000/12/31", ranged)


MOST_COUNTS = 40
"""Counts that one goal may cost, of queries, of their lines and of articles that must be found."""
_LISTED = 8


@dataclass(frozen=True, slots=True)
class CountedQuery:
    """A query as it is in the end, and what it finds."""

    draft: Draft
    checked: CheckedQuery
    lost: tuple[Subject, ...] = ()
    """Subjects that the goal has and the query does not look for."""
    notes: tuple[Notice, ...] = ()
    """What was done to it."""


class QueryCounter:
    """Counts queries for one goal, each text once, and no more than ``most`` of them."""

    def __init__(self, questions: Questions, most: int = MOST_COUNTS) -> None:
        self._questions = questions
        self._allowed = most
        self._asked: set[str] = set()
        self._counter = Counter(0, "queries counted")
        self.skipped = 0
        """Texts that were not counted, for the limit was reached."""
        self.failed = ""
        """Why the last one could not be counted; empty where all could."""

    async def check(self, query: str) -> CheckedQuery:
        """How PubMed reads a query; a notice says so where it could not be reached."""
        if not self._may_ask(query):
            return failed_check(query, f"A goal costs {MOST_COUNTS} counts at most.")
        try:
            return query_check(query, await self._found(query, most=0))
        except BiofactError as error:
            self.failed = error.message
            return failed_check(query, error.message)

    async def count(self, query: str) -> int | None:
        """How many articles match; None where PubMed could not be asked."""
        return (await self.check(query)).count

    async def found_among(self, query: str, pmids: Sequence[str]) -> set[str] | None:
        """Which of some articles match; None where PubMed could not be asked."""
        articles = " OR ".join(f"{pmid}[uid]" for pmid in pmids)
        text = f"({query}) AND ({articles})" if query else articles
        if not self._may_ask(text):
            return None
        try:
            return set((await self._found(text, most=len(pmids))).uids)
        except BiofactError as error:
            self.failed = error.message
            return None

    async def _found(self, text: str, *, most: int) -> SearchAnswer:
        self._counter.expect()
        try:
            return await self._questions.found(text, most=most)
        finally:
            await self._counter.add()

    def _may_ask(self, text: str) -> bool:
        if text not in self._asked:
            if not self._allowed:
                self.skipped += 1
                return False
            self._allowed -= 1
            self._asked.add(text)
        return True


async def count_query(
    draft: Draft, subjects: Sequence[Subject], counter: QueryCounter, *, is_widened: bool
) -> CountedQuery:
    """A query with its count. Costs one request, and up to three more.

    The others mend phrases that PubMed does not know, and widen what finds nothing, where that is wanted; no main
    subject is lost by it.
    """
    result = await _count_mended(draft, subjects, counter)
    wider = widen(result.draft) if is_widened and result.checked.count == 0 else None
    if wider is None or str(wider) == str(result.draft):
        return result
    changed = await _count_mended(wider, subjects, counter)
    if not changed.checked.count:
        return result
    about = ", ".join(one.concept.name for one in wider.subjects)
    note = Notice(code="QUERY_UNDERSTOOD", message=f"Widened, for nothing matched; this query is about {about}.")
    return replace(changed, notes=(note, *changed.notes))


async def count_with_fewer_subjects(
    found: CountedQuery, subjects: Sequence[Subject], counter: QueryCounter
) -> CountedQuery | None:
    """The first query on fewer subjects that finds something; None where none does."""
    for draft in with_fewer_subjects(found.draft):
        result = await _count_mended(draft, subjects, counter)
        if result.checked.count:
            return result
    return None


async def _count_mended(draft: Draft, subjects: Sequence[Subject], counter: QueryCounter) -> CountedQuery:
    """The query with its count, phrases that PubMed does not know as words side by side.

    PubMed leaves out a subject of which it knows no word, and counts articles on the rest: that is no match.
    """
    checked = await counter.check(str(draft))
    mended = draft.mended(checked.unknown)
    if str(mended) != str(draft):
        checked = await counter.check(str(mended))
    mended = mended.mended(checked.unknown)
    missing = [one for one in main_subjects(subjects) if one not in draft.subjects]
    unknown = mended.lost(checked.unknown)
    notes = tuple(_notes(draft, mended, checked, missing, unknown))
    if unknown and checked.count:
        checked = replace(checked, count=0)
    return CountedQuery(mended, checked, tuple(missing), notes)


def _notes(
    draft: Draft, mended: Draft, checked: CheckedQuery, missing: Sequence[Subject], unknown: Sequence[Subject]
) -> Iterator[Notice]:
    if near := mended.side_by_side(draft):
        message = f"PubMed's index lacks {_some(near)}: searched for by their words side by side, [Title/Abstract:~0]."
        yield Notice(code="QUERY_UNDERSTOOD", message=message)
    if unknown:
        others = f" It would leave the subject out and find {checked.count:,} on the rest." if checked.count else ""
        message = f"PubMed has no article with a word for {_names(unknown)}.{others}"
        yield Notice(code="TERM_IGNORED", message=message)
    elif absent := sorted({text.partition("[")[0] for text in checked.unknown}):
        message = f"PubMed has no article with {_some(absent)} today, and reads the query without."
        yield Notice(code="TERM_IGNORED", message=message)
    if most := mended.most_forms:
        message = f"Cut to the first {most} forms of each name: a query has {LONGEST_QUERY:,} characters at most."
        yield Notice(code="LIST_CUT", message=message)
    if missing:
        yield Notice(code="DROPPED", message=f"It finds articles that are not about {_names(missing)}, too.")


def _names(subjects: Sequence[Subject]) -> str:
    return f"{' and '.join(one.concept.name for one in subjects):.200}"


def _some(texts: Sequence[str]) -> str:
    shown = ", ".join(repr(text) for text in texts[:_LISTED])
    return f"{shown} and {len(texts) - _LISTED} more" if len(texts) > _LISTED else shown
