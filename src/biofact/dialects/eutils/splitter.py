"""Cuts an esummary answer into docsums for a batch."""

import functools
from collections.abc import Collection, Iterator

import orjson

from biofact.dialects.eutils.answers import summaries
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import Transient


def docsum_splitter(asked: Collection[str] = ()) -> WholeAnswer:
    """UIDs and their docsums, as JSON whichever form the answer has: 200 docsums are a megabyte.

    UIDs of which the service says that there is no such record are left out, so that they count as absent. Other
    failures are reported at the end, and those of ``asked`` of which the answer says nothing.
    """
    return WholeAnswer(functools.partial(_read, asked), ends=(b"}", b"</eSummaryResult>"))


def _read(asked: Collection[str], body: bytes) -> Iterator[tuple[str, bytes]]:
    answer = summaries(body)
    yield from ((uid, orjson.dumps(docsum)) for uid, docsum in answer.docsums.items())
    failures = [f"{uid}: {words}" for uid, words in answer.errors.items() if words.kind != "absent"]
    if answer.error is not None:
        failures.append(answer.error)
    elif ignored := set(asked) - set(answer.docsums) - set(answer.errors):
        failures.append(f"nothing of {', '.join(sorted(ignored))}")
    if failures:
        raise Transient(f"answered: {'; '.join(failures)}")
