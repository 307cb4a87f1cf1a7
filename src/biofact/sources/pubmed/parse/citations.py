"""How often articles are cited, from what iCite tells. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from biofact.core.errors import UpstreamError
from biofact.dialects import json_values
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import MIB, Transient

_LARGEST_ANSWER = 16 * MIB


@dataclass(frozen=True, slots=True)
class Citations:
    """How often an article is cited."""

    count: int
    relative_ratio: float | None
    """Citations a year against its field's average, which is 1; None where the article is too new to tell."""
    is_clinical: bool | None


def citation_rows() -> WholeAnswer:
    """PMIDs and what iCite tells of each: 200 rows are some 100 kB."""
    return WholeAnswer(_rows, largest=_LARGEST_ANSWER)


def _rows(body: bytes) -> Iterator[tuple[str, bytes]]:
    answer = json_values.loaded(body)
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
        raise Transient("sent an answer without data")
    for row in json_values.objects(answer, "data"):
        if (pmid := json_values.number(row, "pmid")) is None:
            raise Transient("sent a row without a pmid")
        if json_values.number(row, "citation_count") is None:
            raise Transient("sent a row without a citation count")
        yield str(pmid), orjson.dumps(row)


def citations(payload: bytes) -> Citations:
    """What a row tells.

    Raises:
        UpstreamError: it does not say how often the article is cited.
    """
    row = orjson.loads(payload)
    count = json_values.number(row, "citation_count")
    if count is None:
        raise UpstreamError("iCite sent a row without a citation count.", hint="Call again later.")
    ratio = json_values.decimal(row, "relative_citation_ratio")
    return Citations(count, ratio, json_values.flag({"is": row.get("is_clinical")}, "is"))
