"""How often articles are cited, from what iCite tells. Pure."""

from dataclasses import dataclass

import orjson

from biofact.dialects import json_values
from biofact.transport.service import MIB, BodyTooLarge, Transient

_LARGEST_ANSWER = 16 * MIB


@dataclass(frozen=True, slots=True)
class Citations:
    """How often an article is cited."""

    count: int
    relative_ratio: float | None
    """Citations a year against its field's average, which is 1; None where the article is too new to tell."""
    is_clinical: bool | None


class CitationSplitter:
    """PMIDs and what iCite tells of each. 200 rows are some 100 kB, so the answer is read when it is whole."""

    def __init__(self) -> None:
        self._body = bytearray()
        self._is_read = False

    def feed(self, chunk: bytes) -> list[tuple[str, bytes]]:
        """All rows when this chunk completes the answer, else none.

        Raises:
            BodyTooLarge: the answer is beyond the cap.
        """
        self._body += chunk
        if len(self._body) > _LARGEST_ANSWER:
            raise BodyTooLarge(f"sent more than {_LARGEST_ANSWER // MIB} MiB of citation counts")
        if not self._body.rstrip().endswith(b"}"):
            return []
        try:
            answer = json_values.loaded(bytes(self._body))
        except Transient:  # not whole yet, or damaged: close tells, if this was the end
            return []
        if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
            raise Transient("sent an answer without data")
        self._is_read = True
        rows = json_values.objects(answer, "data")
        return [(str(pmid), orjson.dumps(row)) for row in rows if (pmid := json_values.number(row, "pmid"))]

    def close(self) -> None:
        """Say that the body has ended.

        Raises:
            Transient: it ended before its end, or is damaged.
        """
        if not self._is_read:
            raise Transient("sent citation counts that are cut short")


def citations(payload: bytes) -> Citations:
    """What a row tells.

    Raises:
        Transient: it does not say how often the article is cited.
    """
    row = orjson.loads(payload)
    count = json_values.number(row, "citation_count")
    if count is None:
        raise Transient("sent a row without a citation count")
    ratio = json_values.decimal(row, "relative_citation_ratio")
    return Citations(count, ratio, json_values.flag({"is": row.get("is_clinical")}, "is"))
