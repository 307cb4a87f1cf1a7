"""The stand-in for E-utilities: takes requests for its database to the program that they name; its limit and replay."""

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

from biofact.dialects.eutils import NCBI
from biofact.sandbox.dialects.eutils import programs
from biofact.sandbox.dialects.eutils.database import DATABASES, HISTORY, HistoryServer, ServedDatabase
from biofact.sandbox.dialects.eutils.replies import JSON, XML
from biofact.sandbox.dialects.eutils.requests import EutilsRequest, Program, as_documented, bad_request
from biofact.sandbox.recordings import Recording, Replay
from biofact.sandbox.sizes import Padded
from biofact.sandbox.standin import Admission, Limit, RefusingStandIn, Reply, ServiceRequest
from biofact.transport.service import Service

_HISTORY_PARAMETERS = "WebEnv query_key"
_PAGED_IDS = f"id retstart retmax {_HISTORY_PARAMETERS}"
_TERM = f"term field sort retstart retmax rettype {_HISTORY_PARAMETERS} datetype reldate mindate maxdate"
_PROGRAMS = {
    f"/{program.name}.{program.extension}": program
    for program in (
        Program("esearch", _TERM, programs.esearch),
        Program("esummary", _PAGED_IDS, programs.esummary),
        Program("efetch", f"{_PAGED_IDS} rettype", programs.efetch),
        Program("elink", f"dbfrom id cmd linkname {_HISTORY_PARAMETERS}", programs.elink, "dbfrom"),
        Program("epost", "id WebEnv", programs.epost),
        Program("espell", "term", programs.espell),
        Program("einfo", "", programs.einfo, needs_database=False),
        Program("ecitmatch", "bdata", programs.ecitmatch, extension="cgi"),
    )
}


class EutilsStandIn(RefusingStandIn):
    """Answers as E-utilities do for one database; a request that names another is left to its stand-in.

    A request that names no database, or none that NCBI has, is refused by whichever stand-in sees it first.
    """

    service = NCBI

    def __init__(self, database: ServedDatabase, history: HistoryServer = HISTORY) -> None:
        self.database = database
        self.paddings = database.paddings if isinstance(database, Padded) else ()
        self._history = history

    def answer(self, raw: ServiceRequest) -> Reply | None:
        """The answer in NCBI's form, or None for another database or an unknown program."""
        program = _PROGRAMS.get(raw.path)
        if program is None:
            return None
        raw = as_documented(raw)
        db = raw.value(program.database_parameter)
        if db != self.database.name and db in DATABASES:  # the stand-in of that database answers
            return None
        program.check(raw)
        request = EutilsRequest(program.name, raw, self.database, self._history)
        if program.needs_database and not db:
            raise bad_request(f"Mandatory parameter: {program.database_parameter} - is omitted")
        if db not in {"", self.database.name}:
            raise request.failure(f"Invalid db name specified: {db:.60}", status=400)
        return program.answer(request)

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded answers of any database are replayed."""
        return EutilsReplay(recordings)

    def limit(self, factor: float) -> Limit:
        """NCBI's limit, which all of its databases share."""
        return NcbiLimit(factor)


class NcbiLimit:
    """3 requests per address in any second, 10 per API key (recorded 429 of 2026-08-06), of each of NCBI's services."""

    def __init__(
        self,
        factor: float = 1.0,
        *,
        service: Service = NCBI,
        key_of: Callable[[ServiceRequest], str] = lambda request: request.value("api_key"),
    ) -> None:
        self._per_second = max(1, round(service.per_second * factor))
        self._per_second_with_key = max(1, round((service.per_second_with_key or service.per_second) * factor))
        self._key_of = key_of
        self._request_times: dict[str, deque[float]] = {}

    def admit(self, request: ServiceRequest, caller: str, now: float) -> Admission:
        """Admit a request if fewer than the limit were admitted in the last second; refused ones do not count."""
        key = self._key_of(request)
        limit = self._per_second_with_key if key else self._per_second
        recent = self._request_times.setdefault(key or caller, deque())
        while recent and recent[0] <= now - 1.0:  # a sliding second, not one of the clock
            recent.popleft()
        if len(recent) >= limit:
            return Admission(_refusal(key or caller, limit), _headers(limit, 0))
        recent.append(now)
        return Admission(None, _headers(limit, limit - len(recent)))


def _headers(limit: int, remaining: int) -> dict[str, str]:
    return {"X-RateLimit-Limit": str(limit), "X-RateLimit-Remaining": str(remaining)}


def _refusal(key: str, limit: int) -> Reply:
    payload = {"error": "API rate limit exceeded", "api-key": key, "count": str(limit + 1), "limit": str(limit)}
    body = json.dumps(payload, separators=(",", ":")).encode()
    return Reply(body, "application/json", 429, {"Retry-After": "2"})


# Parameters that must be equal in request and recording; others do not change an answer, or are compared separately.
_DECIDING_PARAMETERS = (
    *("db", "dbfrom", "cmd", "linkname", "term", "field", "sort", "datetype", "reldate", "mindate", "maxdate"),
    *("query_key", "WebEnv"),
)
_DEFAULTS = {"cmd": "neighbor"}
_ASN1_DATABASES = {"gene", "protein", "nuccore", "nucleotide", "nucgss", "nucest", "popset", "snp", "ipg"}
_RECORD_PROGRAMS = {"efetch", "esummary"}
# The element of a record, and where its ID stands.
_RECORDS = {
    "Entrezgene": "Gene-track_geneid",
    "PubmedArticle": "PMID",
    "PubmedBookArticle": "PMID",
    "Taxon": "TaxId",
    "DocSum": "Id",
    "DocumentSummary": "@uid",
}
_COUNT = re.compile(rb'(?:<Count>|"count":\s*")(\d+)')
_DEFAULT_RETMAX = 20

Kind = tuple[str, tuple[str, ...], str]
"""Program, deciding parameters and format: requests of one kind differ only in their IDs and page."""


@dataclass(frozen=True, slots=True)
class _ReplayKey:
    """A request as far as it decides the answer."""

    kind: Kind
    groups: tuple[frozenset[str], ...]
    """The sets of IDs: one, but for elink, where each repeated ``id`` is a set of its own."""
    ids: tuple[str, ...]
    start: int
    max_records: int | None

    @classmethod
    def from_parameters(cls, path: str, params: Mapping[str, str | list[str]]) -> "_ReplayKey":
        program = path.strip("/").removesuffix(".fcgi")
        ids_parameter = params.get("id", [])
        texts_of_ids = [ids_parameter] if isinstance(ids_parameter, str) else ids_parameter
        lists = [re.split(r"[\s,]+", text.strip()) for text in texts_of_ids]
        ids = tuple(dict.fromkeys(uid for group in lists for uid in group if uid))
        groups = tuple(map(frozenset, lists)) if program == "elink" else (frozenset(ids),)
        texts = {name: value for name, value in params.items() if isinstance(value, str)}
        values = tuple(texts.get(name, "").strip() or _DEFAULTS.get(name, "") for name in _DECIDING_PARAMETERS)
        default = str(_DEFAULT_RETMAX) if program == "esearch" else ""
        max_records = texts.get("retmax", "") or default
        start = texts.get("retstart", "") or "0"
        return cls(
            (program, values, _format(program, texts)),
            groups,
            ids,
            int(start) if start.isdecimal() else -1,
            int(max_records) if max_records.isdecimal() else None,
        )

    @property
    def is_whole(self) -> bool:
        """Whether the request covers all of its IDs."""
        return self.start == 0 and (self.max_records is None or self.max_records >= len(self.ids))


def _format(program: str, params: Mapping[str, str]) -> str:
    is_asn1 = program == "efetch" and params.get("db", "") in _ASN1_DATABASES
    mode = params.get("retmode", "") or ("asn.1" if is_asn1 else "xml")
    match program, mode:
        case "efetch", "text" | "asn.1":
            return f"{mode} {params.get('rettype', '')}"
        case "esummary", "xml":
            return f"xml {params.get('version', '')}"
        case "esearch", _ if params.get("rettype") == "count":
            return f"{mode} count"
        case _:
            return mode


class EutilsReplay:
    """Replays recorded answers; the best of those that fit, which is the first."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._rows: dict[Kind, list[tuple[_ReplayKey, Recording]]] = defaultdict(list)
        self._cut: dict[str, _CutAnswer] = {}
        for row in recordings:
            request = _ReplayKey.from_parameters(row.path, row.params)
            self._rows[request.kind].append((request, row))

    def __call__(self, raw: ServiceRequest) -> Reply | None:
        """The recorded answer to the request, or None if there is none or History has to keep the UIDs for later."""
        if raw.path == "/esearch.fcgi" and raw.value("usehistory") == "y":
            return None
        params = {name: raw.value(name) for name, _ in raw.params if name != "id"}
        request = _ReplayKey.from_parameters(raw.path, {**params, "id": raw.values("id")})
        rows = self._rows.get(request.kind, [])
        return self._whole(request, rows) or self._joined_records_reply(request, rows)

    def _whole(self, request: _ReplayKey, rows: list[tuple[_ReplayKey, Recording]]) -> Reply | None:
        """The recorded answer to exactly this request."""
        is_single = request.kind[0] in _RECORD_PROGRAMS and len(request.ids) == 1
        for recorded_key, row in rows:
            is_allowed = row.fidelity != "record" and (is_single or not row.is_last_resort)
            if is_allowed and recorded_key.groups == request.groups and _is_same_page(request, recorded_key, row):
                return Reply(row.body(), row.content_type)
        return None

    def _joined_records_reply(self, request: _ReplayKey, rows: list[tuple[_ReplayKey, Recording]]) -> Reply | None:
        """The records of all requested IDs, from the files that have them, in one envelope."""
        if request.kind[0] not in _RECORD_PROGRAMS or not request.ids or not request.is_whole:
            return None
        if request.kind[2] != "json" and not request.kind[2].startswith("xml"):
            return None
        records: dict[str, bytes] = {}
        for uid in request.ids:
            files = (self._pieces(row) for recorded_key, row in rows if uid in recorded_key.ids)
            body = next((file.records[uid] for file in files if uid in file.records), None)
            if body is None:
                return None
            records[uid] = body
        envelope = next((cut.envelope for _, row in rows if (cut := self._pieces(row)).envelope), None)
        if envelope is None:
            return None
        if request.kind[2] == "json":
            return Reply(_json_envelope(records), JSON)
        return Reply(_in_envelope(envelope, records.values()), XML)

    def _pieces(self, row: Recording) -> "_CutAnswer":
        if row.name not in self._cut:
            body = row.body()
            self._cut[row.name] = _cut_json(body) if row.content_type.startswith("application/json") else _cut_xml(body)
        return self._cut[row.name]


def _is_same_page(request: _ReplayKey, recorded_key: _ReplayKey, row: Recording) -> bool:
    """Whether the recording shows the requested part of the list."""
    if request.kind[0] != "esearch":
        return request.is_whole
    if (request.start, request.max_records) == (recorded_key.start, recorded_key.max_records):
        return True
    match = _COUNT.search(row.body())
    count = int(match[1]) if match else 0
    is_complete = recorded_key.start == 0 and recorded_key.max_records is not None and count <= recorded_key.max_records
    return is_complete and request.start == 0 and request.max_records is not None and count <= request.max_records


@dataclass(frozen=True, slots=True)
class _CutAnswer:
    """A recorded answer in pieces."""

    records: Mapping[str, bytes]
    envelope: tuple[bytes, bytes] | None
    """Bytes before the first record and after the last; None for a bare record."""


def _cut_json(body: bytes) -> _CutAnswer:
    result: dict[str, Any] = json.loads(body).get("result", {})
    return _CutAnswer({uid: json.dumps(result[uid]).encode() for uid in result.get("uids", ())}, (b"", b""))


def _json_envelope(records: Mapping[str, bytes]) -> bytes:
    result = {"uids": list(records), **{uid: json.loads(body) for uid, body in records.items()}}
    return json.dumps({"header": {"type": "esummary", "version": "0.3"}, "result": result}).encode()


def _cut_xml(body: bytes) -> _CutAnswer:
    cutter = _Cutter(body)
    if not cutter.places:
        return _CutAnswer({}, None)
    first, last = cutter.places[0][1], cutter.places[-1][2]
    is_bare = b"<" not in body[:first]
    records = {uid: body[start:end] for uid, start, end in reversed(cutter.places)}  # of several, the first
    return _CutAnswer(records, None if is_bare else (body[:first], body[last:]))


def _in_envelope(envelope: tuple[bytes, bytes], records: Iterable[bytes]) -> Iterator[bytes]:
    before, after = envelope
    yield before
    for record in records:
        yield record + b"\n"
    yield after.lstrip()


class _Cutter:
    """Finds the records of a body as byte ranges: the outermost elements that are one, with their IDs."""

    def __init__(self, body: bytes) -> None:
        self.places: list[tuple[str, int, int]] = []
        self._body = body
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._record = ""
        self._depth = 0
        self._record_start = 0
        self._uid: str | None = None
        self._is_in_uid = False
        self._parser.Parse(body, True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._record and name in _RECORDS:  # the outermost: a record's own references have PMIDs, too
            self._record, self._record_start, self._depth = name, self._parser.CurrentByteIndex, 0
            self._uid = attributes.get("uid") if _RECORDS[name] == "@uid" else None
        if self._record:
            self._depth += 1
            self._is_in_uid = self._uid is None and name == _RECORDS[self._record]

    def _text(self, text: str) -> None:
        if self._is_in_uid:
            self._uid = text.strip()

    def _end(self, _name: str) -> None:
        self._is_in_uid = False
        if not self._record:
            return
        self._depth -= 1
        if self._depth == 0:
            end = self._body.index(b">", self._parser.CurrentByteIndex) + 1  # expat stands where the end tag begins
            self.places.append((self._uid or "", self._record_start, end))
            self._record = ""
