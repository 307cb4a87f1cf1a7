"""The stand-in for Acme: takes a request to the rows that answer it."""

from collections.abc import Sequence

from biofact.sandbox.json_tables import SearchTable, check_parameters, whole_number
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, refused, written
from biofact.sandbox.tables import Row
from biofact.sources.acme.service import ACME

_LARGEST_PAGE = 100


class AcmeStandIn(RefusingStandIn):
    """Answers as Acme does, over rows in its own form."""

    service = ACME

    def __init__(self, rows: Sequence[Row]) -> None:
        self._table = SearchTable(rows, key="id", fields=("id", "symbol", "aliases", "name"))

    def answer(self, ask: Ask) -> Reply:
        """The answer in Acme's form."""
        match ask.path.split("/"):
            case ["", "search"]:
                return written(self._found(ask))
            case ["", "fetch", numbers]:
                check_parameters(ask)
                known = self._table.by_key
                return written({"results": [known[number] for number in numbers.split(",") if number in known]})
        raise refused(f"There is no {ask.path}.", status=404)

    def _found(self, ask: Ask) -> Row:
        check_parameters(ask, "query", "offset", "limit")
        offset = whole_number(ask, "offset", 0, range(1_000_001))
        limit = whole_number(ask, "limit", 25, range(1, _LARGEST_PAGE + 1))
        found = self._table.search(ask.one("query"))
        return {"total": len(found), "offset": offset, "results": found[offset : offset + limit]}
