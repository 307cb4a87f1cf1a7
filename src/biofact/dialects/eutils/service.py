"""NCBI as a service, requests to it, and searches: one budget for every source that speaks E-utilities to it."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from biofact.core.errors import AmbiguousQuery
from biofact.core.records import Notice
from biofact.core.settings import Setting, Settings, declare
from biofact.dialects.eutils.answers import SearchAnswer, search_answer
from biofact.dialects.eutils.errors import found_error, judge, refusal
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import LIST_SECONDS, MIB, BatchCall, Batching, BodyTooLarge, Refused, Request, Service

API_KEY = declare(
    Setting("NCBI_API_KEY", "Your NCBI API key: 10 requests a second instead of 3.", is_secret=True),
)
EMAIL = declare(
    # Secret too: a mail address has no place in a log or beside a record.
    Setting("BIOFACT_EMAIL", "Your email address, which NCBI asks users of its services to give.", is_secret=True),
)
BASE_URL = declare(
    Setting(
        "BIOFACT_NCBI_URL",
        "Where the E-utilities are.",
        default="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    )
)


def _sign(settings: Settings) -> Mapping[str, str]:
    signature = {"tool": "biofact", "email": settings[EMAIL], "api_key": settings[API_KEY]}
    return {name: value for name, value in signature.items() if value}


NCBI = Service(
    name="ncbi",
    title="NCBI E-utilities",
    base_url=BASE_URL,
    per_second=3.0,
    judge=judge,
    form_headers=(),
    key=API_KEY,
    per_second_with_key=10.0,
    sign=_sign,
    licence=(
        "Public domain, subject to NCBI's disclaimer and copyright notice"
        " (https://www.ncbi.nlm.nih.gov/home/about/policies/);"
        " parts by third parties, some abstracts among them, may be copyrighted."
    ),
    probe_path="/einfo.fcgi",
)
"""Rates and duties: NBK25497 of the NCBI Bookshelf (edited 2022-11-17)."""


LARGEST_RETMAX = 10_000
"""Records that one answer can list."""


def esearch(
    db: str,
    term: str,
    *,
    retstart: int = 0,
    retmax: int = 20,
    sort: str | None = None,
    published: tuple[str, str] | None = None,
) -> Request:
    """Which records match ``term``; ``published`` are the first and the last day of publication, as YYYY/MM/DD.

    Raises:
        AmbiguousQuery: ``term`` is blank; NCBI answers that with an error, so it is not sent.
            A client checks its caller's own words before it makes a term of them.
    """
    return _request(
        "esearch",
        {
            "db": db,
            "term": _term(term),
            "retstart": str(retstart),
            "retmax": str(retmax),
            "sort": sort,
            "datetype": "pdat" if published else None,
            "mindate": published[0] if published else None,
            "maxdate": published[1] if published else None,
            "retmode": "json",
        },
    )


def esummary(db: str, uids: Sequence[str]) -> Request:
    """Short descriptions of records; ask for 200 at most."""
    return _request("esummary", {"db": db, "id": _ids(uids), "retmode": "json"})


def efetch(db: str, uids: Sequence[str]) -> Request:
    """Full records. Gene and PubMed have no JSON; those that do not exist are left out of the answer."""
    return _request("efetch", {"db": db, "id": _ids(uids), "retmode": "xml"})


def elink(dbfrom: str, db: str, uid: str, linkname: str) -> Request:
    """Records of ``db`` that one record of ``dbfrom`` leads to; the answer has all of them, there is no paging."""
    return _request("elink", {"dbfrom": dbfrom, "db": db, "id": uid, "linkname": linkname, "retmode": "json"})


def epost(db: str, uids: Sequence[str]) -> Request:
    """Store UIDs on NCBI's History server, where they stay for hours only. Answers in XML."""
    return _request("epost", {"db": db, "id": _ids(uids)}, method="POST")


def espell(db: str, term: str) -> Request:
    """A better spelling of ``term``. Answers in XML.

    Raises:
        AmbiguousQuery: ``term`` is blank.
    """
    return _request("espell", {"db": db, "term": _term(term)})


def einfo(db: str | None = None) -> Request:
    """Which databases there are, or what can be searched and linked in one."""
    return _request("einfo", {"db": db, "retmode": "json"})


def _request(program: str, params: dict[str, str | None], *, method: Literal["GET", "POST"] = "GET") -> Request:
    parameters = tuple((name, value) for name, value in params.items() if value)
    return Request(NCBI, f"/{program}.fcgi", parameters, method)  # the wire makes a form of a long GET


def _ids(uids: Sequence[str]) -> str:
    if isinstance(uids, str) or not uids:
        raise ValueError(f"{uids!r} is not a list of UIDs")  # "7157" would ask for 7, 1, 5 and 7
    return ",".join(uids)


def _term(term: str) -> str:
    if not term.strip():
        raise AmbiguousQuery(
            f"{term!r} is an empty query.", hint="Write at least one word to search for.", invalid_input=term
        )
    return term


Answer = TypeVar("Answer", SearchAnswer, SearchAnswer | None)

_NOTHING_FOUND = "No items found."
_QUOTED = re.compile(r'"[^"]*"')


async def run_search(answer: Awaitable[Answer], not_understood: Callable[[str], AmbiguousQuery]) -> Answer:
    """The answer of a search, unless NCBI could not run the query.

    Raises:
        AmbiguousQuery: what ``not_understood`` makes of NCBI's words.
        UpstreamError: NCBI refused for another reason.
    """
    try:
        result = await answer
    except Refused as refused_request:
        problem = found_error(refused_request.answer.body)
        if problem and problem.kind == "query":
            raise not_understood(problem) from refused_request
        raise refusal(NCBI, refused_request) from refused_request
    if result is not None and result.error:
        raise not_understood(result.error)
    return result


def syntax_problem(query: str) -> str | None:
    """The reason that a query cannot be read as it is written, or None if every quote and bracket is closed."""
    if query.count('"') % 2:
        return "a quote is not closed"
    depth = {"(": 0, "[": 0}
    for letter in _QUOTED.sub("", query):
        opening = {")": "(", "]": "["}.get(letter)
        if letter in depth:
            depth[letter] += 1
        elif opening:
            depth[opening] -= 1
            if depth[opening] < 0:
                return f"{letter} closes nothing"
    return next((f"{letter} is not closed" for letter, open_ in depth.items() if open_), None)


def ignored(title: str, answer: SearchAnswer) -> list[Notice]:
    """Names each part of the query that the database, called ``title``, did not search for."""
    return [Notice(code="TERM_IGNORED", message=f"{title} ignored {part}.") for part in _ignored(answer)]


def messages(title: str, answer: SearchAnswer) -> list[Notice]:
    """The database's own messages about the query."""
    remarks = (message for message in answer.messages if message != _NOTHING_FOUND)
    return [Notice(code="QUERY_UNDERSTOOD", message=f"{title} says: {message:.200}") for message in remarks]


def _ignored(answer: SearchAnswer) -> Iterator[str]:
    yield from (f"the unknown field [{name}]" for name in answer.fields_not_found)
    unknown = dict.fromkeys((*answer.phrases_not_found, *answer.phrases_ignored))
    yield from (f"{phrase!r:.80}, which it does not know" for phrase in unknown)
    quoted = answer.quoted_phrases_not_found
    yield from (f"the quotes of {phrase:.80}, a phrase that it does not know" for phrase in quoted)


_LARGEST_ANSWER = 4 * MIB  # 10,000 UIDs are 120 kB
_JOINED_TERMS = 20  # of one request


def joined_searches(db: str, kind: str, *, hits: int) -> Batching:
    """Lookups by term: each is answered with the UIDs, ``hits`` for each term at most, that match any of the terms
    asked at the same time. Which of them a term finds is for its caller to see from the records.

    ``kind`` names them in the cache. A term whose answer might be cut for another's is asked again with fewer.
    """

    def ask(terms: Sequence[str]) -> BatchCall:
        joined_term = terms[0] if len(terms) == 1 else " OR ".join(f"({term})" for term in terms)
        request = esearch(db, joined_term, retmax=hits * len(terms), sort="relevance")
        return BatchCall(request, _search_splitter(terms))

    return Batching(kind, _JOINED_TERMS, ask, seconds=LIST_SECONDS, absent_seconds=LIST_SECONDS)


def _search_splitter(terms: Sequence[str]) -> WholeAnswer:
    """Gives every term the whole answer, once that is there."""

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        answer = search_answer(body)
        if len(terms) > 1 and (answer.error is not None or answer.count > len(answer.uids)):
            raise BodyTooLarge("did not list all that so many terms find")
        return ((term, body) for term in terms)

    return WholeAnswer(read, largest=_LARGEST_ANSWER)
