"""The stand-in for Acme: takes a request to the rows that answer it."""

from collections.abc import Sequence
from pathlib import Path

from biofact.sandbox.standin import (
    RefusingStandIn,
    Reply,
    ServiceRequest,
    check_parameters,
    json_refusal,
    json_reply,
    whole_number,
)
from biofact.sandbox.tables import Row, RowTable, starter_rows
from biofact.sandbox.word_index import WordIndex, words
from biofact.sources.acme.service import ACME


def stand_ins(recordings: Path | None = None) -> list["AcmeStandIn"]:  # noqa: ARG001
    """Acme over the starter rows."""
    return [AcmeStandIn(starter_rows(__package__, "entries.jsonl"))]


class AcmeStandIn(RefusingStandIn):
    """Answers as Acme does, over rows in its own form."""

    service = ACME

    def __init__(self, rows: Sequence[Row]) -> None:
        self._table = RowTable(rows, {}, key="id")
        self._words = WordIndex()
        for row in rows:
            self._words.add(row["id"], " ".join((row["id"], row["symbol"], *row["aliases"], row["name"])))

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in Acme's form."""
        match request.path.split("/"):
            case ["", "search"]:
                return json_reply(self._search(request))
            case ["", "fetch", numbers]:
                check_parameters(request, ())
                return json_reply({"results": list(filter(None, map(self._table.by_key.get, numbers.split(","))))})
        raise json_refusal(f"There is no {request.path}.", status=404)

    def _search(self, request: ServiceRequest) -> Row:
        """The page of the rows that hold every word of the query."""
        check_parameters(request, ("query", "offset", "limit"))
        offset = whole_number(request, "offset", 0, range(1_000_001))
        limit = whole_number(request, "limit", 25, range(1, 101))
        holders = [set(self._words.holders(word)) for word in words(request.value("query"))]
        numbers = sorted(set.intersection(*holders)) if holders else []
        rows = [self._table.by_key[number] for number in numbers]
        return {"total": len(rows), "offset": offset, "results": rows[offset : offset + limit]}
