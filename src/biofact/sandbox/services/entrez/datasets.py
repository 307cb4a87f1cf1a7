"""NCBI Datasets over the same genes: reports by GeneID, by symbol and taxon, and by accession; its limit and replay.

Members come as in the recordings of 2025 and 2026: names in snake_case, numbers as text, nothing that has no value.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from biofact.dialects.datasets import DATASETS
from biofact.sandbox.dialects.eutils.standin import NcbiLimit
from biofact.sandbox.recordings import Recording, Replay
from biofact.sandbox.services.entrez.corpus import TAXA, GeneCorpus, GenomicPlace, NcbiGeneFacts
from biofact.sandbox.sizes import JsonPadding, RecordSize, further_rows, scattered
from biofact.sandbox.standin import (
    Limit,
    Refusal,
    RefusingStandIn,
    Reply,
    ServiceRequest,
    check_parameters,
    ignored_parameters,
    json_reply,
)

_TYPES = {
    "protein-coding": "PROTEIN_CODING",
    "pseudo": "PSEUDO",
    "transposon": "TRANSPOSON",
    "other": "OTHER",
    **{name: name for name in ("tRNA", "rRNA", "snRNA", "scRNA", "snoRNA", "miscRNA", "ncRNA")},
}
"""Genes of other types, those of type unknown and biological regions, are not listed."""
_AUTHORITIES = {"FB": "FLYBASE", "WB": "WormBase"}
_ONTOLOGY = {
    "molecular_functions": "function",
    "biological_processes": "process",
    "cellular_components": "component",
}
_DEFAULT_PAGE, _LARGEST_PAGE = 20, 1000
_PAGING = frozenset({"page_size", "page_token"})
_KINDS = "dataset_report|product_report"
_BY_PATH = re.compile(
    rf"/gene/(?:id/(?P<gene_ids>[^/]+)|accession/(?P<accessions>[^/]+)"
    rf"|symbol/(?P<symbols>[^/]+)/taxon/(?P<taxon>[^/]+))/(?P<kind>{_KINDS})"
)
_BY_BODY = re.compile(rf"/gene/({_KINDS})")
_MULTIPLIER = 2_654_435_761  # Knuth's: brings the reports into another order than the IDs, always the same


def _region(number: int) -> dict[str, Any]:
    """A genomic region, which our client does not read."""
    start = scattered(number, 10**8)
    span = {"begin": str(start), "end": str(start + 5000), "orientation": "plus"}
    gene_range = {"accession_version": f"NG_{number:06}.1", "range": [span]}
    return {"gene_range": gene_range, "type": "BIOLOGICAL_REGION"}


def _exon(number: int) -> dict[str, Any]:
    """A place of an exon on a sequence, which our client does not read."""
    start = scattered(number, 10**8)
    return {"begin": str(start), "end": str(start + 150), "orientation": "plus", "order": number}


def _records(member: str) -> Callable[[dict[str, Any]], Iterator[tuple[str, Any]]]:
    def records(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for report in document.get("reports", ()):
            if member in report:
                yield report[member]["gene_id"], report[member]

    return records


_REPORT_PADDING = JsonPadding(
    path=re.compile(r"/gene/(?:.+/)?dataset_report"),
    size=RecordSize(5_800, 12_600, "22 gene reports: 3.7-12.6 kB without blanks; recorded 2025 and 2026"),
    records=_records("gene"),
    grow=further_rows(_region, lambda gene: gene.setdefault("genomic_regions", [])),
)
_PRODUCT_PADDING = JsonPadding(
    path=re.compile(r"/gene/(?:.+/)?product_report"),
    size=RecordSize(20_000, 1_000_000, "some 2.7 kB a transcript, BRCA1 near 1 MB; UPSTREAMS_3 A.3, 2026-11"),
    records=_records("product"),
    grow=further_rows(_exon, lambda product: product.setdefault("exons", [])),
)

Found = Mapping[str, list[str]]
"""GeneIDs, each with what was asked for that leads to it."""


class DatasetsStandIn(RefusingStandIn):
    """Answers as NCBI Datasets v2 does for genes."""

    service = DATASETS
    paddings = (_REPORT_PADDING, _PRODUCT_PADDING)

    def __init__(self, corpus: GeneCorpus) -> None:
        self._corpus = corpus

    def answer(self, request: ServiceRequest) -> Reply | None:
        """The page of reports, or None for a path that the service has for other things."""
        if request.path == "/version":
            return json_reply({"version": "18.32.0"})
        if by_path := _BY_PATH.fullmatch(request.path):
            check_parameters(request, _PAGING)
            lists = {name: value.split(",") for name, value in by_path.groupdict().items() if value and name != "kind"}
            taxon = lists.pop("taxon", [""])[0]
            return self._page(by_path["kind"], lists, taxon, {name: request.value(name) for name, _ in request.params})
        by_body = _BY_BODY.fullmatch(request.path)
        if by_body is None or request.method != "POST":
            return None
        body = request.json_object
        if body is None:
            raise _bad_request("Malformed JSON in the request")
        return self._page(by_body[1], *_asked(request, body), body)

    def limit(self, factor: float) -> Limit:
        """3 requests per address in any second, 10 per key; its 429 is unverified."""
        return NcbiLimit(factor, service=DATASETS, key_of=lambda request: request.headers.get("api-key", ""))

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded reports are replayed, by path or by GeneIDs."""
        return DatasetsReplay(recordings)

    def _page(self, kind: str, lists: Mapping[str, list[str]], taxon: str, paging: Mapping[str, Any]) -> Reply:
        found: dict[str, list[str]] = {}
        for name, values in lists.items():
            for value in values:
                for uid in self._finder(name, taxon)(value):
                    found.setdefault(uid, []).append(value)
        uids = sorted(found, key=lambda uid: int(uid) * _MULTIPLIER % 2**32)
        reports = list(self._reports(kind, uids, found))
        start, size = _start(str(paging.get("page_token") or "")), _page_size(paging)
        if not reports:
            return json_reply({})
        page: dict[str, Any] = {"reports": reports[start : start + size], "total_count": len(reports)}
        if start + size < len(reports):
            page["next_page_token"] = f"t{start + size:x}"
        return json_reply(page)

    def _finder(self, name: str, taxon: str) -> Callable[[str], Iterable[str]]:
        if name == "gene_ids":
            return self._by_id
        return self._by_accession if name == "accessions" else lambda symbol: self._by_symbol(symbol, taxon)

    def _by_id(self, gene_id: str) -> Iterator[str]:
        if not re.fullmatch(r"\d{1,10}", gene_id, re.ASCII) or int(gene_id) >= 2**31:
            raise _bad_request("Invalid argument type ('parameter: gene_ids') provided.")
        if gene_id in self._corpus.uids:
            yield gene_id

    def _by_accession(self, accession: str) -> Iterator[str]:
        name = accession.partition(".")[0].upper()
        yield from (uid for uid in self._corpus.with_value(name.lower()) if name in self._corpus[uid].refseq)

    def _by_symbol(self, symbol: str, taxon: str) -> Iterator[str]:
        """Synonyms count as symbols, and nothing says which it was (recorded 2026-10-09)."""
        taxon_ids = {facts.taxon_id for facts in TAXA.values() if taxon.lower() in _taxon_names(facts)}
        for uid in self._corpus.with_value(symbol.lower()):
            gene = self._corpus[uid]
            is_named = symbol.lower() in {name.lower() for name in gene.symbols}
            if is_named and gene.taxon_id in taxon_ids and gene.status == "live":
                yield uid

    def _reports(self, kind: str, uids: Sequence[str], found: Found) -> Iterator[dict[str, Any]]:
        """A report a gene; a replaced GeneID has that of the current one, a discontinued one a warning."""
        member = "gene" if kind == "dataset_report" else "product"
        render = gene_report if kind == "dataset_report" else product_report
        for uid in uids:
            gene = self._corpus[uid]
            warning = _warning(gene)
            current = self._corpus.get(gene.current_id) if gene.status == "secondary" else gene
            report: dict[str, Any] = {"query": found[uid], **({"warnings": [warning]} if warning else {})}
            if gene.status == "discontinued":
                yield report
            elif current is not None and current.gene_type in _TYPES:
                yield {member: render(current), **report}


def gene_report(gene: NcbiGeneFacts) -> dict[str, Any]:
    """The ``gene`` of a dataset report."""
    authority, _, number = gene.alliance.partition(":")
    nomenclature = {"authority": "HGNC", "identifier": gene.hgnc} if gene.hgnc else {}
    if gene.alliance:
        identifier = gene.alliance if authority == "MGI" else number
        nomenclature = {"authority": _AUTHORITIES.get(authority, authority), "identifier": identifier}
    return _present(
        **_head(gene),
        orientation=next((_orientation(place) for place in gene.places), None),
        chromosomes=list(gene.chromosomes),
        nomenclature_authority=nomenclature,
        swiss_prot_accessions=list(gene.uniprot),
        ensembl_gene_ids=list(gene.ensembl),
        omim_ids=list(gene.omim),
        synonyms=[name for name in gene.symbols if name != gene.symbol],
        alternate_names=sorted(gene.designations),
        map_locations=[{"map_type": "Cytogenetic", "map_value": gene.map_location}] if gene.map_location else [],
        annotations=_annotations(gene),
        summary=[{"description": gene.summary}] if gene.summary else [],
        gene_ontology=_ontology(gene),
    )


def product_report(gene: NcbiGeneFacts) -> dict[str, Any]:
    """The ``product`` of a product report: transcripts by accession, without their exons and proteins."""
    transcripts = [{"accession_version": f"{name}.1", "type": _transcript_type(name)} for name in sorted(gene.refseq)]
    return _present(**_head(gene), transcripts=transcripts)


def _head(gene: NcbiGeneFacts) -> dict[str, Any]:
    return {
        "gene_id": gene.gene_id,
        "symbol": gene.symbol,
        "description": gene.name,
        "tax_id": str(gene.taxon_id),
        "taxname": gene.taxon.scientific,
        "common_name": gene.taxon.common,
        "type": _TYPES[gene.gene_type],
    }


def _transcript_type(accession: str) -> str:
    kind = "PROTEIN_CODING" if accession[1] == "M" else "NON_CODING"
    return f"{kind}_MODEL" if accession.startswith("X") else kind


def _orientation(place: GenomicPlace) -> str:
    return "plus" if place.strand > 0 else "minus"


def _annotations(gene: NcbiGeneFacts) -> list[dict[str, Any]]:
    by_assembly: dict[str, list[dict[str, Any]]] = {}
    for place in gene.places:
        span = {"begin": str(place.start), "end": str(place.end), "orientation": _orientation(place)}
        location = {"genomic_accession_version": place.accession, "genomic_range": span}
        by_assembly.setdefault(place.assembly, []).append(location)
    return [
        _present(assembly_name=assembly, annotation_name=gene.release, genomic_locations=locations)
        for assembly, locations in by_assembly.items()
    ]


def _ontology(gene: NcbiGeneFacts) -> dict[str, Any]:
    aspects = {
        name: [
            _present(
                name=term.name,
                go_id=term.id,
                evidence_code=term.evidence,
                qualifier=term.qualifier,
                reference={"pmids": list(term.pmids)} if term.pmids else {},
            )
            for term in gene.go_terms
            if term.aspect == aspect
        ]
        for name, aspect in _ONTOLOGY.items()
    }
    return _present(**aspects)


def _present(**members: Any) -> dict[str, Any]:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value}


def _warning(gene: NcbiGeneFacts) -> dict[str, Any] | None:
    """A warning by the contract; as v1 sent one of a discontinued GeneID (2021), unverified in v2."""
    if gene.status == "live":
        return None
    if gene.status == "secondary":
        replaced_id = {"requested": gene.gene_id, "returned": gene.current_id}
        return {"gene_warning_code": "REPLACED_GENE_ID", "replaced_id": replaced_id}
    reason = "This GeneID has been discontinued."
    return {
        "gene_warning_code": "DISCONTINUED_GENE_ID",
        "reason": reason,
        "unrecognized_identifier": gene.gene_id,
    }


def _taxon_names(taxon: Any) -> set[str]:
    return {str(taxon.taxon_id), taxon.scientific.lower(), taxon.common.lower()}


def _asked(request: ServiceRequest, body: Mapping[str, Any]) -> tuple[dict[str, list[str]], str]:
    """The identifiers in the body, by kind, and the taxon of symbols."""
    known = {"gene_ids", "accessions", "symbols_for_taxon", "returned_content", *_PAGING}
    if unknown := sorted({*body} - known - request.skipped):
        raise ignored_parameters(request.path, unknown)
    lists = {name: [*map(str, body[name])] for name in ("gene_ids", "accessions") if body.get(name)}
    symbols = body.get("symbols_for_taxon") or {}
    if symbols:
        lists["symbols"] = [*map(str, symbols.get("symbols", ()))]
    if not lists:
        raise _bad_request("At least one identifier must be provided.")
    return lists, str(symbols.get("taxon", ""))


def _page_size(paging: Mapping[str, Any]) -> int:
    size = str(paging.get("page_size") or _DEFAULT_PAGE)
    if not re.fullmatch(r"\d{1,9}", size, re.ASCII) or not 0 < int(size) <= _LARGEST_PAGE:
        raise _bad_request("Invalid argument type ('parameter: page_size') provided.")
    return int(size)


def _start(token: str) -> int:
    if token and not re.fullmatch(r"t[0-9a-f]{1,8}", token):
        raise _bad_request("Invalid argument type ('parameter: page_token') provided.")
    return int(token[1:], 16) if token else 0


def _bad_request(message: str) -> Refusal:
    """As recorded on 2026-10-09."""
    return Refusal(json_reply({"error": "Bad Request", "code": 400, "message": message}, status=400))


class DatasetsReplay:
    """Answers a request by its path, and one by GeneIDs with the reports of the recordings that have them."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._by_path = {recording.path: recording for recording in reversed(recordings)}
        self._by_id: dict[tuple[str, str], dict[str, Any]] = {}
        for recording in reversed(recordings):
            match = _BY_PATH.fullmatch(recording.path)
            if match and match["gene_ids"]:
                for report in orjson.loads(recording.body()).get("reports", ()):
                    self._by_id |= {(match["kind"], uid): report for uid in report["query"]}

    def __call__(self, request: ServiceRequest) -> Reply | None:
        """The recorded answer, or None if there is none for all of the GeneIDs."""
        if recording := self._by_path.get(request.path):
            return Reply(recording.body(), recording.content_type)
        by_body, body = _BY_BODY.fullmatch(request.path), request.json_object
        uids = [*map(str, (body or {}).get("gene_ids", ()))]
        if by_body is None or not uids:
            return None
        reports = [self._by_id.get((by_body[1], uid)) for uid in dict.fromkeys(uids)]
        if not all(reports):
            return None
        return json_reply({"reports": reports, "total_count": len(reports)})
