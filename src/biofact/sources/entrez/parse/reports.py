"""A gene from its summary and its report by NCBI Datasets: what the XML would tell, but RefSeqs. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from biofact.core.records import Notice, is_included
from biofact.core.xrefs import XrefCollector
from biofact.dialects import json_values
from biofact.sources.entrez.parse import xrefs
from biofact.sources.entrez.parse.docsums import Docsum, docsum, nonsense
from biofact.sources.entrez.parse.genes import (
    STRANDS,
    Locus,
    location_fields,
    reference_loci,
    replacement_notices,
)
from biofact.sources.entrez.records import EntrezGene, GoTerm

_GENE_TYPES = {
    "PROTEIN_CODING": "protein-coding",
    "PSEUDO": "pseudo",
    "BIOLOGICAL_REGION": "biological-region",
    "TRANSPOSON": "transposon",
    "OTHER": "other",
    **{name: name for name in ("tRNA", "rRNA", "snRNA", "scRNA", "snoRNA", "miscRNA", "ncRNA")},
}
"""Datasets' words and those of NCBI Gene."""
_ASPECTS: dict[str, Literal["function", "process", "component"]] = {
    "molecular_functions": "function",
    "biological_processes": "process",
    "cellular_components": "component",
}
_SUBJECT = frozenset({"gene_id", "tax_id", "symbol"})
"""The members by which a report is known to be of a gene."""
_GENE_MEMBERS = _SUBJECT | {"type", "annotations", "nomenclature_authority", "ensembl_gene_ids", "omim_ids"}
_GENE_MEMBERS |= {"swiss_prot_accessions", "gene_ontology"}
_REFSEQ_BY_INCLUDE = Notice(code="NOT_COVERED", message="refseq: by include.")


@dataclass(frozen=True, slots=True)
class _Annotation:
    """One assembly's annotation of a gene."""

    release: str | None
    loci: tuple[Locus, ...]


def trimmed_gene(gene: dict[str, Any]) -> dict[str, Any]:
    """The ``gene`` of a report with no more than ``reported_gene`` reads."""
    return {name: value for name, value in gene.items() if name in _GENE_MEMBERS}


def trimmed_product(product: dict[str, Any]) -> dict[str, Any]:
    """The ``product`` of a report with no more than ``refseqs`` reads: of a transcript its name, a hundredth of it."""
    values = {name: value for name, value in product.items() if name in _SUBJECT}
    transcripts = product.get("transcripts", [])
    is_list = isinstance(transcripts, list)
    return {**values, "transcripts": list(map(_named_transcript, transcripts)) if is_list else transcripts}


def _named_transcript(transcript: Any) -> Any:
    name = transcript.get("accession_version") if isinstance(transcript, dict) else None
    return transcript if name is None else {"accession_version": name}


def refseqs(payload: bytes, *, summary: bytes) -> tuple[str, ...]:
    """The RefSeqs of the transcripts in a product report: curated ones, predicted ones only if there are none.

    Raises:
        UpstreamError: it cannot be read, or is of another gene than the summary.
    """
    report = _report_on(docsum(summary), payload)
    return tuple(xrefs.curated(transcript.text("accession_version") for transcript in report.objects("transcripts")))


def reported_gene(
    payload: bytes,
    *,
    summary: bytes,
    include: tuple[str, ...] = (),
    refseqs: tuple[str, ...] | None = None,
    replaces: str | None = None,
) -> EntrezGene:
    """The gene of a live summary and the ``gene`` of its report, with no more than is included.

    ``refseqs`` are those of its product report, None where that was not asked for; ``replaces`` is the asked ID where
    that has led to this gene.

    Raises:
        UpstreamError: the report is of another gene, or does not tell what the XML would: its type, its place or,
            where they are included, the articles behind its GO terms.
    """
    gene_summary = docsum(summary)
    report = _report_on(gene_summary, payload)
    annotation = _reference(report, gene_summary)
    places = reference_loci(annotation.loci) if annotation else []
    gene_type = _GENE_TYPES.get(report.text("type"))
    if gene_type is None:
        raise nonsense(f"The report has the type {report.text('type')!r:.40}.")
    xref_collector = _collector(report, gene_summary.taxon_id, gene_type)
    for accession in refseqs or ():
        xref_collector.add("refseq", accession)
    xref_collector.further += [f"at {place}" for place in places[1:]]
    cross_references = xref_collector.collected()
    gene = EntrezGene(
        id=gene_summary.id,
        symbol=gene_summary.symbol,
        organism=gene_summary.organism,
        name=gene_summary.name,
        description=gene_summary.description if gene_summary.description != gene_summary.name else None,
        aliases=list(gene_summary.aliases),
        other_designations=list(gene_summary.designations),
        taxon_id=int(report.text("tax_id")),
        gene_type=gene_type,
        status=gene_summary.status,
        chromosome=gene_summary.chromosome,
        map_location=gene_summary.map_location,
        **location_fields(places),
        summary=gene_summary.summary,
        cross_references=cross_references,
        go_terms=list(_go_terms(report)) if is_included("go_terms", include) else [],
        replaces=replaces,
        release=annotation.release if annotation else None,
        notices=[*replacement_notices(replaces, gene_summary.uid), *xref_collector.notices],
    )
    if refseqs is None:
        gene = gene.noted([_REFSEQ_BY_INCLUDE])
    return gene.selected(include)


def _report_on(summary: Docsum, payload: bytes) -> "_Report":
    """The report, if its ID, taxon and symbol are those of the summary: a report may be filed under another ID.

    Its symbol is NCBI's, which a summary has among the aliases where the authority's differs.
    """
    report = _Report(payload)
    is_same = (report.text("gene_id"), report.text("tax_id")) == (summary.uid, str(summary.taxon_id))
    if not is_same or report.text("symbol") not in {summary.symbol, *summary.aliases}:
        raise nonsense("The report is of another gene.")
    return report


def _reference(report: "_Report", summary: Docsum) -> _Annotation | None:
    """The annotation of the assembly that the summary's places are on; the only one, where it has no place.

    A human gene has two annotations, and nothing in the report tells which is the reference.
    """
    annotations = [_annotation(values) for values in report.objects("annotations")]
    for annotation in annotations:
        if any(locus.accession in summary.accessions for locus in annotation.loci):
            return annotation
    if summary.accessions or len(annotations) > 1:
        raise nonsense("The report is on no assembly of the summary.")
    return next(iter(annotations), None)


def _annotation(values: "_Report") -> _Annotation:
    name = values.text("assembly_name")
    loci = tuple(_locus(place, name) for place in values.objects("genomic_locations"))
    return _Annotation(values.text("annotation_name") or None, loci)


def _locus(place: "_Report", assembly_name: str) -> Locus:
    span = place.object("genomic_range")
    start, end = span.number("begin"), span.number("end")
    if start > end:
        raise nonsense("The report has a place that ends before it begins.")
    return Locus(
        assembly_name, place.text("genomic_accession_version"), start, end, STRANDS.get(span.text("orientation"))
    )


def _collector(report: "_Report", taxon_id: int | None, gene_type: str) -> XrefCollector:
    authority = report.object("nomenclature_authority")
    tags = [(authority.text("authority"), authority.text("identifier"))]
    tags += [("Ensembl", value) for value in report.texts("ensembl_gene_ids")]
    tags += [("MIM", value) for value in report.texts("omim_ids")]
    xref_collector = XrefCollector()
    xrefs.add_gene_ids(xref_collector, tags, taxon_id, gene_type)
    for accession in report.texts("swiss_prot_accessions"):
        xref_collector.add("uniprot", accession)
    return xref_collector


def _go_terms(report: "_Report") -> Iterator[GoTerm]:
    ontology = report.object("gene_ontology")
    annotations = [(aspect, row) for name, aspect in _ASPECTS.items() for row in ontology.objects(name)]
    if annotations and not any(row.object("reference").values for _, row in annotations):
        raise nonsense("The report names no article behind a GO term.")  # as in 2025
    terms = (
        GoTerm(
            id=_go_id(row),
            name=row.text("name") or None,
            aspect=aspect,
            qualifier=row.text("qualifier") or None,
            evidence=row.text("evidence_code") or None,
            pmids=_pmids(row.object("reference")),
        )
        for aspect, row in annotations
    )
    yield from xrefs.distinct(terms)


def _go_id(row: "_Report") -> str:
    go_id = row.text("go_id")
    if not re.fullmatch(r"GO:\d{7}", go_id, re.ASCII):
        raise nonsense(f"The report has the GO term {go_id!r:.40}.")
    return go_id


def _pmids(reference: "_Report") -> list[str]:
    """Newest first."""
    numbers = {int(pmid) for pmid in reference.texts("pmids") if re.fullmatch(r"[1-9]\d{0,8}", pmid, re.ASCII)}
    return [f"PMID:{number}" for number in sorted(numbers, reverse=True)]


class _Report:
    """The members of an object in a report. One that is there has its type, or the report is not believed."""

    def __init__(self, payload: bytes | dict[str, Any]) -> None:
        self.values: dict[str, Any] = json_values.document(payload) if isinstance(payload, bytes) else payload

    def text(self, name: str) -> str:
        """A text; empty where there is none."""
        return str(self._typed(name, str, ""))

    def texts(self, name: str) -> list[str]:
        """The texts of a list; empty where there is none."""
        return [self._checked(item, str, name) for item in self._typed(name, list, [])]

    def object(self, name: str) -> "_Report":
        """An object; empty where there is none."""
        return _Report(self._typed(name, dict, {}))

    def objects(self, name: str) -> "list[_Report]":
        """The objects of a list; empty where there is none."""
        return [_Report(self._checked(item, dict, name)) for item in self._typed(name, list, [])]

    def number(self, name: str) -> int:
        """A whole number, which stands there as text."""
        value = self.text(name)
        if not re.fullmatch(r"[1-9]\d{0,11}", value, re.ASCII):
            raise nonsense(f"The report has the {name} {value!r:.40}.")
        return int(value)

    def _typed(self, name: str, kind: type, default: Any) -> Any:
        return self._checked(self.values[name], kind, name) if name in self.values else default

    def _checked(self, value: Any, kind: type, name: str) -> Any:
        if not isinstance(value, kind):
            raise nonsense(f"The report has no proper {name}.")
        return value
