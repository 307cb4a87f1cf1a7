"""Cuts an esummary answer into docsums for a batch."""

import orjson

from biofact.dialects.eutils.answers import Summaries, summaries
from biofact.transport.service import MIB, BodyTooLarge, Transient

LARGEST_ANSWER = 64 * MIB

_ENDS = (b"}", b"</eSummaryResult>")


class DocsumSplitter:
    """UIDs and their docsums, as JSON whichever form the answer has.

    200 docsums are a megabyte, so the answer is read when it is whole. UIDs of which the service says that there is
    no such record are left out, so that they count as absent. Other failures are told at the end.
    """

    def __init__(self) -> None:
        self._body = bytearray()
        self._is_read = False
        self._trouble: Transient | None = Transient("sent an esummary answer that is cut short")

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """All docsums when this chunk completes the answer, else none.

        Raises:
            BodyTooLarge: the answer is beyond the cap.
        """
        self._body += chunk
        if len(self._body) > LARGEST_ANSWER:
            raise BodyTooLarge(f"sent more than {LARGEST_ANSWER // MIB} MiB of docsums")
        if self._is_read or not self._body[-64:].rstrip().endswith(_ENDS):
            return []
        try:
            answer = summaries(bytes(self._body))
        except Transient as trouble:  # not whole yet, or damaged, or an error: close tells, if this was the end
            self._trouble = trouble
            return []
        self._is_read = True
        self._trouble = _trouble(answer)
        return [(uid, orjson.dumps(docsum)) for uid, docsum in answer.docsums.items()]

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end, is damaged, or tells of an error other than absent records.
        """
        if self._trouble is not None:
            raise self._trouble


def _trouble(answer: Summaries) -> Transient | None:
    failures = [f"{uid}: {words}" for uid, words in answer.errors.items() if words.kind != "absent"]
    if answer.error is not None:
        failures.append(answer.error)
    return Transient(f"answered: {'; '.join(failures)}") if failures else None
