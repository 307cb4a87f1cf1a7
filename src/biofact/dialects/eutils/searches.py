"""A search of one Entrez database: what keeps it from being run, and what its answer says of the query."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from biofact.core.errors import AmbiguousQuery
from biofact.core.provenance import Notice
from biofact.dialects.eutils.answers import SearchAnswer
from biofact.dialects.eutils.errors import found_error
from biofact.dialects.eutils.refusals import refusal
from biofact.dialects.eutils.service import NCBI
from biofact.transport.service import Refused

Answer = TypeVar("Answer", SearchAnswer, SearchAnswer | None)

_NOTHING_FOUND = "No items found."
_QUOTED = re.compile(r'"[^"]*"')


async def understood(answer: Awaitable[Answer], not_understood: Callable[[str], AmbiguousQuery]) -> Answer:
    """The answer of a search, unless NCBI says that it could not run the query.

    Raises:
        AmbiguousQuery: what ``not_understood`` makes of NCBI's words.
        UpstreamError: NCBI refused for another reason.
    """
    try:
        found = await answer
    except Refused as refused:
        problem = found_error(refused.answer.body)
        if problem and problem.kind == "query":
            raise not_understood(problem) from refused
        raise refusal(NCBI, refused) from refused
    if found is not None and found.error:
        raise not_understood(found.error)
    return found


def unbalanced(query: str) -> str | None:
    """What keeps a query from being read as it is written; None where every quote and bracket is closed."""
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
    """What the database says of the query in words of its own."""
    remarks = (message for message in answer.messages if message != _NOTHING_FOUND)
    return [Notice(code="QUERY_UNDERSTOOD", message=f"{title} says: {message:.200}") for message in remarks]


def _ignored(answer: SearchAnswer) -> Iterator[str]:
    yield from (f"the unknown field [{name}]" for name in answer.fields_not_found)
    unknown = dict.fromkeys((*answer.phrases_not_found, *answer.phrases_ignored))
    yield from (f"{phrase!r:.80}, which it does not know" for phrase in unknown)
    quoted = answer.quoted_phrases_not_found
    yield from (f"the quotes of {phrase:.80}, a phrase that it does not know" for phrase in quoted)
