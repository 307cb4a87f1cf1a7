"""NCBI Datasets over the same genes: reports by GeneID, by symbol and taxon, and by accession; its limit and replay."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

import orjson

from biofact.dialects.datasets import DATASETS
from biofact.sandbox.dialects.eutils.standin import NcbiLimit
from biofact.sandbox.recordings import INDEX, Recording, Recordings, Replay
from biofact.sandbox.services.entrez import reports
from biofact.sandbox.services.entrez.corpus import TAXA, GeneCorpus, GeneTaxon, NcbiGeneFacts
from biofact.sandbox.services.entrez.reports import Report
from biofact.sandbox.standin import (
    Limit,
    Refusal,
    RefusingStandIn,
    Reply,
    ServiceRequest,
    ignored_parameters,
    json_refusal,
    json_reply,
)

_DEFAULT_PAGE, _LARGEST_PAGE = 20, 1000
_LARGEST_GENE_ID = 2**31 - 1
_PAGING = frozenset({"page_size", "page_token"})
_UNSUPPORTED = frozenset(
    {"returned_content", "table_fields", "table_format", "include_tabular_header", "query", "types", "accession_filter"}
    | {"tax_search_subtree", "sort", "sort.field", "sort.direction", "taxon"}
)
"""Parameters of the contract that the sandbox lacks."""
_LISTS = ("gene_ids", "accessions", "locus_tags")
_KINDS = "dataset_report|product_report"
_PATH = re.compile(
    r"/gene/(?:id/(?P<gene_ids>[^/]+)|accession/(?P<accessions>[^/]+)|locus_tag/(?P<locus_tags>[^/]+)"
    rf"|symbol/(?P<symbols>[^/]+)/taxon/(?P<taxon>[^/]+))/(?P<kind>{_KINDS})"
)
_POST_PATH = re.compile(rf"/gene/(?P<kind>{_KINDS})")
_SCATTER = 2_654_435_761  # Knuth's multiplicative hash


def stand_in_order(gene_id: str) -> int:
    """The place of a gene among the reports: another order than that of the request, the same each time."""
    return int(gene_id) * _SCATTER % 2**32


@dataclass(frozen=True, slots=True)
class GeneQuery:
    """The genes that a request asks for, and the page of their reports."""

    kind: str
    """``dataset_report`` or ``product_report``."""
    names: Mapping[str, tuple[str, ...]]
    """Under ``gene_ids``, ``accessions``, ``symbols`` or ``locus_tags``, each name once."""
    taxon: str = ""
    """The organism of the symbols, by ID or name."""
    page_size: int = _DEFAULT_PAGE
    start: int = 0

    @classmethod
    def from_request(cls, request: ServiceRequest) -> Self | None:
        """The query of a GET with the names in its path, or of a POST with them in its body; None for another path.

        Raises:
            Refusal: a parameter is unknown, or the service refuses its value.
        """
        pattern, method = (_PATH, "GET") if request.method == "GET" else (_POST_PATH, "POST")
        match = pattern.fullmatch(request.path)
        if match is None or request.method != method:
            return None
        if method == "GET":
            lists = {name: match[name].split(",") for name in (*_LISTS, "symbols") if match[name]}
            taxon, options = match["taxon"] or "", {name: request.value(name) for name, _ in request.params}
        else:
            lists, taxon, options = _body(request)
        _check_names(request, options)
        if not lists:
            raise _invalid_argument("gene_ids")
        for gene_id in lists.get("gene_ids", ()):
            if not re.fullmatch(r"\d{1,10}", gene_id, re.ASCII) or int(gene_id) > _LARGEST_GENE_ID:
                raise _invalid_argument("gene_ids")
        names = {selector: tuple(dict.fromkeys(values)) for selector, values in lists.items()}
        return cls(match["kind"], names, taxon, _page_size(options), _start(options))

    def selected(self) -> Iterator[tuple[str, str]]:
        """Each selector with a name."""
        return ((selector, name) for selector, names in self.names.items() for name in names)

    def page(self, found: Sequence[Report]) -> Reply:
        """The page of the reports, or an empty object if there are none."""
        if not found:
            return json_reply({})
        end = self.start + self.page_size
        page: dict[str, Any] = {"reports": found[self.start : end]}
        if genes := sum(reports.MEMBERS[self.kind] in report for report in found):
            page["total_count"] = genes
        if end < len(found):
            page["next_page_token"] = f"t{end:x}"
        return json_reply({name: value for name, value in page.items() if value})


class DatasetsStandIn(RefusingStandIn):
    """Answers as NCBI Datasets v2 does for genes."""

    service = DATASETS
    paddings = (reports.REPORT_PADDING, reports.PRODUCT_PADDING)

    def __init__(self, corpus: GeneCorpus) -> None:
        self._corpus = corpus
        self._finders: Mapping[str, Callable[[str, str], Iterable[str]]] = {
            "gene_ids": self._with_id,
            "accessions": self._with_accession,
            "symbols": self._with_symbol,
            "locus_tags": lambda _name, _taxon: (),  # not among the facts
        }

    def answer(self, request: ServiceRequest) -> Reply | None:
        """The page of reports, or None for a path that the service has for other things."""
        if request.path == "/version" and request.method == "GET":
            _check_names(request, [name for name, _ in request.params])
            return json_reply({"version": "18.32.0"})
        query = GeneQuery.from_request(request)
        return None if query is None else query.page(list(self._reports(query)))

    def limit(self, factor: float) -> Limit:
        """3 requests per address in any second, 10 per key: a budget of its own. The body of its 429 is unverified."""
        return NcbiLimit(factor, service=DATASETS, key_of=_key)

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded reports are replayed: for requests whose names all have recordings."""
        return DatasetsReplay(recordings)

    def _reports(self, query: GeneQuery) -> Iterator[Report]:
        """A report for each gene; a replaced GeneID has that of its successor, a discontinued one only a warning."""
        found: dict[str, list[str]] = {}
        for selector, name in query.selected():
            for uid in self._finders[selector](name, query.taxon):
                found.setdefault(uid, []).append(name)
        for uid in sorted(found, key=stand_in_order):
            gene = self._corpus[uid]
            warning = reports.warning(gene)
            successor = self._successor(gene)
            echo = {"query": found[uid], **({"warnings": [warning]} if warning else {})}
            if gene.status == "discontinued":
                yield echo
            elif successor is not None and reports.is_listed(successor):
                yield {**reports.REPORTS[query.kind](successor), **echo}

    def _successor(self, gene: NcbiGeneFacts) -> NcbiGeneFacts | None:
        """The live gene that a GeneID leads to: itself, or the end of its replacements."""
        visited = set()
        while gene.status == "secondary" and gene.gene_id not in visited:
            visited.add(gene.gene_id)
            successor = self._corpus.get(gene.current_id)
            if successor is None:
                return None
            gene = successor
        return gene if gene.status == "live" else None

    def _with_id(self, gene_id: str, _taxon: str) -> Iterator[str]:
        uid = str(int(gene_id))
        if uid in self._corpus.uids:
            yield uid

    def _with_accession(self, accession: str, _taxon: str) -> Iterator[str]:
        name = accession.partition(".")[0].upper()  # facts have no versions
        return (uid for uid in self._corpus.with_value(name.lower()) if name in self._corpus[uid].refseq)

    def _with_symbol(self, symbol: str, taxon: str) -> Iterator[str]:
        """Synonyms match as symbols do, in any case, and no report says which of them did (recorded 2026-10-09)."""
        taxon_ids = {facts.taxon_id for facts in TAXA.values() if taxon.lower() in _taxon_names(facts)}
        for uid in self._corpus.with_value(symbol.lower()):
            gene = self._corpus[uid]
            is_match = symbol.lower() in {name.lower() for name in gene.symbols}
            if is_match and gene.taxon_id in taxon_ids and gene.status == "live":
                yield uid


def recorded_annotations(recordings: Path) -> dict[str, dict[str, Any]]:
    """The places and releases in recorded reports by GeneID: tables of genes have none, and the services must agree."""
    annotations: dict[str, dict[str, Any]] = {}
    if not (recordings / INDEX).is_file():  # a folder of tables alone
        return annotations
    for recording in reversed(Recordings(recordings).for_service(DATASETS)):  # the best overwrites the others
        if recording.path.endswith("/dataset_report"):
            for row in orjson.loads(recording.body()).get("reports", []):
                gene = row.get("gene", {})
                annotations[gene.get("gene_id", "")] = reports.recorded_annotation(gene)
    return annotations


class DatasetsReplay:
    """Answers with recorded reports: a recorded path with its file, other requests with the reports joined."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._files: dict[str, Recording] = {}
        self._genes: dict[tuple[str, str, str, str], list[str]] = {}
        """GeneIDs by kind of report, selector, name and taxon; none where nothing was found."""
        self._reports: dict[tuple[str, str], Report] = {}
        for recording in reversed(recordings):  # the best overwrites the others
            path = unquote(recording.path)
            query = None if recording.params else GeneQuery.from_request(ServiceRequest("GET", path, ()))
            if query is not None:
                self._files[path] = recording
                self._add(query, orjson.loads(recording.body()).get("reports", []))

    def _add(self, query: GeneQuery, rows: Iterable[Report]) -> None:
        member = reports.MEMBERS[query.kind]
        self._genes |= {_recorded_key(query, *key): [] for key in query.selected()}
        for row in (row for row in rows if member in row):
            uid = row[member]["gene_id"]
            self._reports[query.kind, uid] = {member: row[member]}
            self._genes[query.kind, "gene_ids", uid, ""] = [uid]
            for selector in query.names:
                for name in row["query"]:
                    self._genes.setdefault(_recorded_key(query, selector, name), []).append(uid)

    def __call__(self, request: ServiceRequest) -> Reply | None:
        """The recorded answer, or None if one of the names has none or the service refuses the request."""
        file = self._files.get(request.path)
        if file is not None and request.method == "GET" and not request.params:
            return Reply(file.body(), file.content_type)
        try:
            query = GeneQuery.from_request(request)
        except Refusal:
            return None
        if query is None:
            return None
        names: dict[str, list[str]] = {}
        for selector, name in query.selected():
            uids = self._genes.get(_recorded_key(query, selector, name))
            if uids is None:
                return None
            for uid in dict.fromkeys(uids):
                names.setdefault(uid, []).append(name)
        uids = sorted(names, key=stand_in_order)
        return query.page([{**self._reports[query.kind, uid], "query": names[uid]} for uid in uids])


def _recorded_key(query: GeneQuery, selector: str, name: str) -> tuple[str, str, str, str]:
    return query.kind, selector, name.lower(), query.taxon.lower() if selector == "symbols" else ""


def _key(request: ServiceRequest) -> str:
    return request.headers.get("api-key", "") or request.value("api_key")


def _taxon_names(taxon: GeneTaxon) -> set[str]:
    return {name.lower() for name in (str(taxon.taxon_id), taxon.scientific, taxon.common, *taxon.other_names) if name}


def _body(request: ServiceRequest) -> tuple[dict[str, list[str]], str, dict[str, Any]]:
    """The names in the body of a POST by selector, the taxon of its symbols, and its other members.

    Raises:
        Refusal: the body is no object, or a member is of another type than the contract's.
    """
    body = request.json_object
    if body is None:
        raise _bad_request("The request body is not a JSON object.")
    by_taxon = body.get("symbols_for_taxon", {})
    if not isinstance(by_taxon, dict):
        raise _invalid_argument("symbols_for_taxon")
    values: dict[str, object] = {name: body[name] for name in _LISTS if name in body}
    if by_taxon:
        values["symbols"] = by_taxon.get("symbols")
    lists = {selector: _texts(selector, value) for selector, value in values.items()}
    options = {name: value for name, value in body.items() if name not in {*lists, "symbols_for_taxon"}}
    options |= {name: request.value(name) for name, _ in request.params}
    return {name: texts for name, texts in lists.items() if texts}, str(by_taxon.get("taxon", "")), options


def _texts(selector: str, values: object) -> list[str]:
    if not isinstance(values, list):
        raise _invalid_argument(selector)
    kinds = (int, str) if selector == "gene_ids" else (str,)
    if not all(isinstance(value, kinds) and not isinstance(value, bool) for value in values):
        raise _invalid_argument(selector)
    return [str(value) for value in values]


def _check_names(request: ServiceRequest, names: Iterable[str]) -> None:
    """Refuse parameters that the sandbox or the service lacks."""
    unknown = sorted({*names} - _PAGING - {"api_key"} - request.skipped)
    if unsupported := [name for name in unknown if name in _UNSUPPORTED]:
        raise json_refusal(f"The sandbox has no parameter {', '.join(unsupported)} of NCBI Datasets.")
    if unknown:
        raise ignored_parameters(request.path, unknown)


def _page_size(options: Mapping[str, Any]) -> int:
    size = str(options.get("page_size") or _DEFAULT_PAGE)
    if not re.fullmatch(r"\d{1,9}", size, re.ASCII) or int(size) not in range(1, _LARGEST_PAGE + 1):
        raise _invalid_argument("page_size")
    return int(size)


def _start(options: Mapping[str, Any]) -> int:
    token = str(options.get("page_token") or "")
    if token and not re.fullmatch(r"t[0-9a-f]{1,8}", token):
        raise _invalid_argument("page_token")
    return int(token[1:], 16) if token else 0


def _invalid_argument(name: str) -> Refusal:
    """Recorded on 2026-10-09 for GeneIDs; for other parameters unverified."""
    return _bad_request(f"Invalid argument type ('parameter: {name}') provided.")


def _bad_request(message: str) -> Refusal:
    manual = "(For more help, see the NCBI Datasets Documentation at https://www.ncbi.nlm.nih.gov/datasets/docs/)"
    return Refusal(json_reply({"error": "Bad Request", "code": 400, "message": f"{message} {manual}"}, status=400))
