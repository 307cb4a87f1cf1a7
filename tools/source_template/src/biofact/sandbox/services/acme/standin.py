"""The stand-in for Acme: takes a request to the rows that answer it."""

from biofact.sandbox.standin import RefusingStandIn, Reply, ServiceRequest, check_parameters, json_reply, whole_number
from biofact.sandbox.tables import SearchableRows, starter_rows
from biofact.sources.acme.service import ACME


class AcmeStandIn(RefusingStandIn):
    """Answers as Acme does, over rows in its own form."""

    service = ACME

    def __init__(self) -> None:
        self._entries = SearchableRows(starter_rows(__package__, "entries.jsonl"), "id", "symbol", "aliases", "name")

    def answer(self, request: ServiceRequest) -> Reply | None:
        """The answer in Acme's form; None for a path that it does not have."""
        match request.path.split("/"):
            case ["", "search"]:
                check_parameters(request, ("query", "offset", "limit"))
                offset = whole_number(request, "offset", 0, range(1_000_001))
                limit = whole_number(request, "limit", 25, range(1, 101))
                hits = self._entries.with_words(request.value("query"))
                return json_reply({"total": len(hits), "offset": offset, "results": hits[offset : offset + limit]})
            case ["", "fetch", numbers]:
                check_parameters(request, ())
                return json_reply({"results": self._entries.at(numbers.split(","))})
        return None
