"""The stand-in for E-utilities: takes the requests for its database to the program they name."""

from collections.abc import Sequence

from biofact.dialects.eutils import NCBI
from biofact.sandbox.dialects.eutils import citations, links, records, search
from biofact.sandbox.dialects.eutils.database import DATABASES, HISTORY, HistoryServer, ServedDatabase
from biofact.sandbox.dialects.eutils.limit import NcbiLimit
from biofact.sandbox.dialects.eutils.replay import EutilsReplay
from biofact.sandbox.dialects.eutils.requests import EutilsRequest, Program, as_documented, bad_request
from biofact.sandbox.standin import Ask, Limit, Recorded, RefusingStandIn, Replay, Reply

_HISTORY_PARAMETERS = "WebEnv query_key"
_PROGRAMS = {
    f"/{program.name}.{program.extension}": program
    for program in (
        Program(
            "esearch",
            frozenset(
                f"term field sort retstart retmax rettype {_HISTORY_PARAMETERS} "
                "datetype reldate mindate maxdate".split()
            ),
            search.esearch,
        ),
        Program("esummary", frozenset(f"id retstart retmax {_HISTORY_PARAMETERS}".split()), records.esummary),
        Program("efetch", frozenset(f"id retstart retmax rettype {_HISTORY_PARAMETERS}".split()), records.efetch),
        Program("elink", frozenset(f"dbfrom id cmd linkname {_HISTORY_PARAMETERS}".split()), links.elink, "dbfrom"),
        Program("epost", frozenset({"id", "WebEnv"}), records.epost),
        Program("espell", frozenset({"term"}), search.espell),
        Program("einfo", frozenset(), records.einfo, needs_database=False),
        Program("ecitmatch", frozenset({"bdata"}), citations.ecitmatch, extension="cgi"),
    )
}


class EutilsStandIn(RefusingStandIn):
    """Answers as E-utilities do for one database; a request that names another is left to its stand-in.

    A request that names no database, or none that NCBI has, is refused by whichever stand-in sees it first.
    """

    service = NCBI

    def __init__(self, database: ServedDatabase, history: HistoryServer = HISTORY) -> None:
        self.database = database
        self._history = history

    def answer(self, ask: Ask) -> Reply | None:
        """The answer in NCBI's form; None for another database, or a program that there is not."""
        program = _PROGRAMS.get(ask.path)
        if program is None:
            return None
        ask = as_documented(ask)
        db = ask.one(program.database_parameter)
        if db != self.database.name and db in DATABASES:
            return None
        program.check(ask)
        request = EutilsRequest(program.name, ask, self.database, self._history)
        if program.needs_database and not db:
            raise bad_request(f"Mandatory parameter: {program.database_parameter} - is omitted")
        if db not in {"", self.database.name}:
            raise request.failure(f"Invalid db name specified: {db:.60}", status=400)
        return program.answer(request)

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers of any database are replayed."""
        return EutilsReplay(recordings)

    def limit(self, factor: float) -> Limit:
        """NCBI's limit, which all of its databases share."""
        return NcbiLimit(NCBI, factor)
