"""Searches that join: the terms of several callers, OR'ed into one esearch."""

from collections.abc import Sequence

from biofact.dialects.eutils.answers import search_answer
from biofact.dialects.eutils.requests import esearch
from biofact.transport.service import LIST_SECONDS, MIB, BatchCall, Batching, BodyTooLarge, Transient

_LARGEST_ANSWER = 4 * MIB  # 10,000 UIDs are 120 kB


def joined_searches(db: str, kind: str, *, hits: int, limit: int = 20) -> Batching:
    """Lookups by term: each is answered with the UIDs, ``hits`` for each term at most, that match any of the terms
    asked at the same time. Which of them a term finds is for its caller to see from the records.

    ``kind`` names them in the cache. A term whose answer might be cut for another's is asked again with fewer.
    """

    def ask(terms: Sequence[str]) -> BatchCall:
        joined = terms[0] if len(terms) == 1 else " OR ".join(f"({term})" for term in terms)
        request = esearch(db, joined, retmax=hits * len(terms), sort="relevance")
        return BatchCall(request, _SearchSplitter(terms))

    return Batching(kind, limit, ask, seconds=LIST_SECONDS, absent_seconds=LIST_SECONDS)


class _SearchSplitter:
    """Gives every term the whole answer, once that is there."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._terms = terms
        self._body = bytearray()
        self._is_read = False
        self._trouble = Transient("sent an esearch answer that is cut short")

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """Each term with the answer when this chunk completes it, else none.

        Raises:
            BodyTooLarge: the answer is beyond the cap, or lists too little for so many terms.
        """
        self._body += chunk
        if len(self._body) > _LARGEST_ANSWER:
            raise BodyTooLarge(f"sent more than {_LARGEST_ANSWER // MIB} MiB of UIDs")
        if self._is_read or not self._body[-64:].rstrip().endswith(b"}"):
            return []
        try:
            answer = search_answer(bytes(self._body))
        except Transient as trouble:  # not whole yet, or damaged: close tells, if this was the end
            self._trouble = trouble
            return []
        if len(self._terms) > 1 and (answer.error is not None or answer.count > len(answer.uids)):
            raise BodyTooLarge("did not list all that so many terms find")
        self._is_read = True
        return [(term, bytes(self._body)) for term in self._terms]

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end, or is damaged.
        """
        if not self._is_read:
            raise self._trouble
