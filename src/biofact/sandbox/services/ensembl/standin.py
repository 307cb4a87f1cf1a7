"""The stand-in for Ensembl REST: takes a request to the endpoint that its path names; its limit and its replay."""

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from biofact.sandbox.recordings import Recording, Replay
from biofact.sandbox.services.ensembl import lookup, sequence
from biofact.sandbox.services.ensembl.corpus import (
    RELEASE,
    Genes,
    ServedSpecies,
    recorded_gene_rows,
    recorded_species,
    rows_of_starter,
)
from biofact.sandbox.services.ensembl.requests import EndpointRequest, RestEndpoint
from biofact.sandbox.services.ensembl.search import EbiSearchStandIn
from biofact.sandbox.sizes import JsonPadding, RecordSize, further_rows, scattered
from biofact.sandbox.standin import (
    Admission,
    Limit,
    RefusingStandIn,
    Reply,
    ServiceRequest,
    StandIn,
    json_refusal,
    json_reply,
    plain_path,
)
from biofact.sandbox.tables import Row
from biofact.sources.ensembl.service import ENSEMBL


@functools.cache
def stand_ins(recordings: Path | None = None) -> tuple[StandIn, ...]:
    """Ensembl REST and EBI Search over the starter genes; with recordings, over some 90,000 genes more.

    Built once per process: 90,000 genes take seconds.
    """
    rows = rows_of_starter()
    species = recorded_species(recordings) if recordings else []
    recorded_genes = recorded_gene_rows(recordings) if recordings else ()
    genes = Genes(rows, ServedSpecies(species or rows["species"]), recorded_genes)
    return EnsemblStandIn(genes), EbiSearchStandIn(genes)


def _endpoint(
    method: str, path: str, parameters: Iterable[str], answer: Callable[[EndpointRequest], Reply], list_name: str = ""
) -> RestEndpoint:
    """``{}`` in a path stands for a part without a slash; a symbol, which is the last part, may have some."""
    pattern = re.escape(path).replace(r"\{\}", "([^/]+)").replace(r"\{symbol\}", "(.+)")  # escaped braces, by now
    return RestEndpoint(method, re.compile(pattern), frozenset(parameters), answer, list_name)


_ENDPOINTS = (
    _endpoint("GET", "/info/ping", (), lambda _: json_reply({"ping": 1})),
    _endpoint("GET", "/info/data", (), lambda _: json_reply({"releases": [RELEASE]})),
    _endpoint("GET", "/info/species", ("division", "hide_strain_info"), lookup.info_species),
    _endpoint("GET", "/lookup/id/{}", lookup.LOOKUP_PARAMETERS, lookup.lookup_id),
    _endpoint("POST", "/lookup/id", lookup.LOOKUP_PARAMETERS, lookup.lookup_ids, "ids"),
    _endpoint("GET", "/lookup/symbol/{}/{symbol}", lookup.LOOKUP_PARAMETERS, lookup.lookup_symbol),
    _endpoint("POST", "/lookup/symbol/{}", lookup.LOOKUP_PARAMETERS, lookup.lookup_symbols, "symbols"),
    _endpoint("GET", "/xrefs/symbol/{}/{symbol}", lookup.XREFS_SYMBOL_PARAMETERS, lookup.xrefs_symbol),
    _endpoint("GET", "/xrefs/id/{}", lookup.XREFS_ID_PARAMETERS, lookup.xrefs_id),
    _endpoint("GET", "/archive/id/{}", (), lookup.archive_id),
    _endpoint("POST", "/archive/id", (), lookup.archive_ids, "id"),
    _endpoint("GET", "/sequence/id/{}", sequence.SEQUENCE_ID_PARAMETERS, sequence.sequence_id),
    _endpoint("GET", "/sequence/region/{}/{}", (), sequence.sequence_region),
    _endpoint("GET", "/map/{}/{}/{}/{}", (), sequence.map_region),
    _endpoint("GET", "/homology/id/{}/{}", lookup.HOMOLOGY_PARAMETERS, lookup.homology_id),
)
_NO_PAGE = "page not found. Please check your uri and refer to our documentation https://rest.ensembl.org/"


def _expanded_genes(document: Any) -> Iterator[tuple[str, Row]]:
    """The genes of a lookup with their transcripts, each with its ID."""
    for row in (document, *document.values()):
        if isinstance(row, dict) and row.get("object_type") == "Gene" and row.get("Transcript"):
            yield row["id"], row


def _further_exon(number: int) -> Row:
    place = {"seq_region_name": "1", "start": scattered(number, 10**8), "end": 10**8 + number, "strand": 1}
    exon_id = f"ENSE9{number:010}"
    return {"id": exon_id, "object_type": "Exon", "db_type": "core", "species": "homo_sapiens", "version": 1, **place}


def _further_xref(number: int) -> Row:
    name = {"primary_id": f"R-HSA-99{number:05}", "display_id": f"R-HSA-99{number:05}", "description": "A pathway"}
    kind = {"dbname": "Reactome_gene", "db_display_name": "Reactome gene", "info_type": "DIRECT", "info_text": ""}
    return {**name, **kind, "synonyms": [], "version": "0"}


_GENE_PADDING = JsonPadding(
    path=re.compile(r"/lookup/(?:id|symbol).*"),
    size=RecordSize(18_700, 100_000, "three recorded human genes of 2025: 4.6, 18.7, 56.5 kB; exons are most of it"),
    records=_expanded_genes,
    grow=further_rows(_further_exon, lambda gene: gene["Transcript"][-1].setdefault("Exon", [])),
)
_XREF_PADDING = JsonPadding(
    path=re.compile(r"/xrefs/id/.+"),
    size=RecordSize(3_000, 6_400, "twelve recorded genes, release 87 of GRCh37: 1.6, median 3.0, at most 6.4 kB"),
    records=lambda rows: [(rows[0]["primary_id"], rows)] if rows else [],
    grow=further_rows(_further_xref, lambda rows: rows),
)


class EnsemblStandIn(RefusingStandIn):
    """Answers as Ensembl REST does over ``genes``; ``assembly`` makes it a server of that assembly, as of GRCh37."""

    service = ENSEMBL
    paddings = (_GENE_PADDING, _XREF_PADDING)

    def __init__(self, genes: Genes, assembly: str | None = None) -> None:
        self._genes = genes
        self._assembly = assembly or ""

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return EnsemblReplay(recordings, is_grch37=self._assembly == "GRCh37")

    def limit(self, factor: float) -> Limit:
        """Ensembl's limit."""
        return EnsemblLimit(factor)

    def answer(self, request: ServiceRequest) -> Reply:
        """The answer in Ensembl's form."""
        path = plain_path(request.path)
        matching = [(endpoint, match.groups()) for endpoint in _ENDPOINTS if (match := endpoint.path.fullmatch(path))]
        if not matching:
            raise json_refusal(_NO_PAGE, status=404)
        for endpoint, parts in matching:
            if endpoint.method == request.method:
                return endpoint.answer(endpoint.request(request, parts, self._genes, self._assembly))
        raise json_refusal(f"Method {request.method} not implemented for this endpoint.", status=405)


_PER_HOUR = 55_000
_PERIOD_SECONDS = 3600


class EnsemblLimit:
    """55,000 requests per address in each fixed hour of the clock (headers recorded 2025-03-07)."""

    def __init__(self, factor: float = 1.0) -> None:
        self._limit = max(1, round(_PER_HOUR * factor))
        self._hour = 0
        self._counts = Counter[str]()

    def admit(self, request: ServiceRequest, caller: str, now: float) -> Admission:  # noqa: ARG002  # as the protocol has it
        """Admit a request while the hour's limit is not used up; a refused request does not count."""
        hour = int(now // _PERIOD_SECONDS)  # a fixed hour of the clock: at its end the count is 0 again
        if hour != self._hour:
            self._hour = hour
            self._counts.clear()
        reset_seconds = math.ceil((hour + 1) * _PERIOD_SECONDS - now)
        if self._counts[caller] >= self._limit:
            return Admission(self._refusal(reset_seconds), self._headers(0, reset_seconds))
        self._counts[caller] += 1
        return Admission(None, self._headers(self._limit - self._counts[caller], reset_seconds))

    def _headers(self, remaining: int, reset_seconds: int) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self._limit),
            "X-RateLimit-Reset": str(reset_seconds),
            "X-RateLimit-Period": str(_PERIOD_SECONDS),
            "X-RateLimit-Remaining": str(remaining),
        }

    def _refusal(self, reset_seconds: int) -> Reply:
        text = f"Too many requests: {self._limit} an hour are allowed."
        # 40.0, as Ensembl has it.
        return Reply(text.encode(), "text/plain", 429, {"Retry-After": str(float(reset_seconds))})


_IGNORED = {"content-type", "mane"}
_LISTS = ("ids", "symbols", "id")
_FALSE = {"", "0", "false"}
_LOOKUP = "/lookup/id"
_KIND = "object_type"
_OF_ONE_KIND = ("/xrefs/id/", "/sequence/id/")
"""Paths with recorded answers for IDs that only one kind of record has: the kind in a request restricts nothing."""
_GRCH37 = re.compile(r"_grch37\b")

Params = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _ReplayKey:
    """A request as far as it decides the answer."""

    path: str
    params: Params
    ids: frozenset[str] | None
    """The IDs or symbols of a POST; None for a GET."""


def _replay_key(path: str, params: Mapping[str, Any], body: Mapping[str, Any] | None) -> _ReplayKey:
    ids = next((body[name] for name in _LISTS if name in body), ()) if body is not None else None
    options = {name: value for name, value in (body or {}).items() if name not in _LISTS}
    ignored = _IGNORED | {_KIND} if path.startswith(_OF_ONE_KIND) else _IGNORED
    texts = {name: _switch(value) for name, value in {**options, **params}.items() if name not in ignored}
    if _KIND in texts:
        texts[_KIND] = texts[_KIND].lower()
    filters = frozenset((name, value) for name, value in texts.items() if value not in _FALSE)
    return _ReplayKey(plain_path(path), filters, None if ids is None else frozenset(map(str, ids)))


def _switch(value: object) -> str:
    text = str(value)
    return "1" if text.lower() == "true" else text


class EnsemblReplay:
    """Replays recorded answers, the best of those that fit; those of GRCh37 answer for its own server only."""

    def __init__(self, recordings: Sequence[Recording], *, is_grch37: bool = False) -> None:
        self._whole: dict[_ReplayKey, Recording] = {}
        self._records: dict[Params, dict[str, list[Recording]]] = defaultdict(lambda: defaultdict(list))
        for row in recordings:
            if bool(_GRCH37.search(row.name)) == is_grch37:
                self._take(row)

    def __call__(self, raw: ServiceRequest) -> Reply | None:
        """The recorded answer to ``request``; None when there is none."""
        body = _posted_body(raw) if raw.method == "POST" else None
        if raw.method == "POST" and body is None:
            return None
        request = _replay_key(raw.path, dict(raw.params), body)
        row = self._whole.get(request)
        if row is not None and not (row.is_last_resort and len(request.ids or ()) > 1):
            return Reply(row.body(), row.content_type)
        is_lookup = request.path == _LOOKUP and request.ids is not None
        return self._joined_reply(request) if is_lookup else None

    def _take(self, row: Recording) -> None:
        values: Mapping[str, Any] = row.params  # of a POST, ``body`` is an object
        params = {name: value for name, value in values.items() if name != "body"}
        body = values.get("body")
        request = _replay_key(row.path, params, body if isinstance(body, dict) else None)
        folder, _, ensembl_id = request.path.rpartition("/")
        is_lookup = folder == _LOOKUP and request.ids is None
        for fitting in (request, *(_with_kind(request, row) if is_lookup else ())):
            self._whole.setdefault(fitting, row)
            if is_lookup:
                self._records[fitting.params][_bare(ensembl_id)].append(row)

    def _joined_reply(self, request: _ReplayKey) -> Reply | None:
        """The records of all requested IDs by ID, or None if any of them has no recording."""
        ids = request.ids or frozenset()
        records = {uid: self._record(uid, request.params, is_alone=len(ids) == 1) for uid in sorted(ids)}
        if not ids or None in records.values():
            return None
        return json_reply(records)

    def _record(self, uid: str, params: Params, *, is_alone: bool) -> dict[str, Any] | None:
        for row in self._records[params][_bare(uid)]:
            record: dict[str, Any] = orjson.loads(row.body())
            if (is_alone or not row.is_last_resort) and _is_version(uid, record):
                return {**record, "id": uid}
        return None


def _with_kind(request: _ReplayKey, row: Recording) -> Iterator[_ReplayKey]:
    """The request that names the kind of the recorded record, which no recorded lookup did."""
    kind = orjson.loads(row.body()).get(_KIND)
    if kind and _KIND not in dict(request.params):
        yield replace(request, params=request.params | {(_KIND, kind.lower())})


def _bare(uid: str) -> str:
    return uid.partition(".")[0]


def _is_version(uid: str, record: Mapping[str, Any]) -> bool:
    """Whether a record has the requested version, if the request names one."""
    return "." not in uid or uid in {record["id"], f"{_bare(record['id'])}.{record.get('version')}"}


def _posted_body(request: ServiceRequest) -> dict[str, Any] | None:
    body = request.json_object
    return body if body and any(isinstance(body.get(name), list) for name in _LISTS) else None
