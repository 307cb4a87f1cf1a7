"""Searches that join: the terms of several callers, OR'ed into one esearch."""

from collections.abc import Iterator, Sequence

from biofact.dialects.eutils.answers import search_answer
from biofact.dialects.eutils.requests import esearch
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import LIST_SECONDS, MIB, BatchCall, Batching, BodyTooLarge

_LARGEST_ANSWER = 4 * MIB  # 10,000 UIDs are 120 kB


def joined_searches(db: str, kind: str, *, hits: int, limit: int = 20) -> Batching:
    """Lookups by term: each is answered with the UIDs, ``hits`` for each term at most, that match any of the terms
    asked at the same time. Which of them a term finds is for its caller to see from the records.

    ``kind`` names them in the cache. A term whose answer might be cut for another's is asked again with fewer.
    """

    def ask(terms: Sequence[str]) -> BatchCall:
        joined = terms[0] if len(terms) == 1 else " OR ".join(f"({term})" for term in terms)
        request = esearch(db, joined, retmax=hits * len(terms), sort="relevance")
        return BatchCall(request, _search_splitter(terms))

    return Batching(kind, limit, ask, seconds=LIST_SECONDS, absent_seconds=LIST_SECONDS)


def _search_splitter(terms: Sequence[str]) -> WholeAnswer:
    """Gives every term the whole answer, once that is there."""

    def read(body: bytes) -> Iterator[tuple[str, bytes]]:
        answer = search_answer(body)
        if len(terms) > 1 and (answer.error is not None or answer.count > len(answer.uids)):
            raise BodyTooLarge("did not list all that so many terms find")
        return ((term, body) for term in terms)

    return WholeAnswer(read, largest=_LARGEST_ANSWER)
