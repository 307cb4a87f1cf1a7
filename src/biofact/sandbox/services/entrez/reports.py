"""Gene facts to the reports of NCBI Datasets, in the order and form of the recordings of 2025 and 2026. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from biofact.sandbox.services.entrez.corpus import GenomicPlace, NcbiGeneFacts
from biofact.sandbox.services.entrez.render import OTHER_SEQUENCE
from biofact.sandbox.sizes import JsonPadding, RecordSize, further_rows, scattered

Report = dict[str, Any]
"""A gene or product, what of the request led to it, and warnings."""

_TYPES = {
    "protein-coding": "PROTEIN_CODING",
    "pseudo": "PSEUDO",
    "transposon": "TRANSPOSON",
    "other": "OTHER",
    **{name: name for name in ("tRNA", "rRNA", "snRNA", "scRNA", "snoRNA", "miscRNA", "ncRNA")},
}
"""The types that Datasets lists, in its words: it leaves out genes of type unknown and biological regions."""
_ONTOLOGY = {
    "molecular_functions": "function",
    "biological_processes": "process",
    "cellular_components": "component",
}
_HUMAN = 9606
_T2T = "T2T-CHM13v2.0"
_ASSEMBLIES = {
    "GRCh38.p14": "GCF_000001405.40",
    "GRCh38.p13": "GCF_000001405.39",
    "GRCm39": "GCF_000001635.27",
    _T2T: "GCF_009914755.1",
}
_OTHER_PLACE = GenomicPlace(_T2T, OTHER_SEQUENCE, 5001, 9001, 1)
"""A decoy: where a human gene lies on the second assembly is not among the facts."""
_DISCONTINUED = "The gene you requested, ({}) is a valid NCBI Gene IDs that has been discontinued."


def is_listed(gene: NcbiGeneFacts) -> bool:
    """Whether Datasets has a report on a live gene."""
    return gene.gene_type in _TYPES


def gene_report(gene: NcbiGeneFacts) -> Report:
    """The ``gene`` of a dataset report."""
    content = _present(
        **_head(gene),
        orientation=next((_orientation(place) for place in gene.places), ""),
        reference_standards=[_REFERENCE_STANDARD] if gene.places and gene.taxon_id == _HUMAN else [],
        chromosomes=list(gene.chromosomes),
        nomenclature_authority=_nomenclature(gene),
        swiss_prot_accessions=list(gene.uniprot),
        ensembl_gene_ids=list(gene.ensembl),
        omim_ids=list(gene.omim),
        synonyms=sorted(gene.aliases, key=lambda name: (len(name), name)),
        alternate_names=sorted(gene.designations),
        annotations=_annotations(gene),
        **_transcript_counts(gene),
        summary=[{"description": gene.summary}] if gene.summary else [],
    )
    # An ontology without terms is there, unlike other members without a value (GeneID 100271550, recorded in 2025).
    content["gene_ontology"] = _ontology(gene)
    return {"gene": content | _present(map_locations=_map_locations(gene))}


def recorded_annotation(gene: Report) -> dict[str, Any]:
    """The facts in the first annotation of a recorded ``gene``, which is that of the reference assembly; none without.

    The reference comes first in each recording of 2023 to 2026, and on it the chromosomes before alternate loci.
    """
    for annotation in gene.get("annotations", ()):
        locations = annotation.get("genomic_locations", ())
        places = tuple(_place(annotation["assembly_name"], location) for location in locations)
        return {"places": places, "release": annotation["annotation_name"]}
    return {}


def _place(assembly: str, location: Mapping[str, Any]) -> GenomicPlace:
    span = location["genomic_range"]
    strand = 1 if span["orientation"] == "plus" else -1
    return GenomicPlace(assembly, location["genomic_accession_version"], int(span["begin"]), int(span["end"]), strand)


def product_report(gene: NcbiGeneFacts) -> Report:
    """The ``product`` of a product report: its transcripts by accession, without exons and proteins."""
    transcripts = [{"accession_version": f"{name}.1", "type": _transcript_type(name)} for name in sorted(gene.refseq)]
    return {"product": _present(**_head(gene), transcripts=transcripts, **_transcript_counts(gene))}


MEMBERS = {"dataset_report": "gene", "product_report": "product"}
"""The member of a report that describes the gene, by kind of report."""
REPORTS: Mapping[str, Callable[[NcbiGeneFacts], Report]] = {
    "dataset_report": gene_report,
    "product_report": product_report,
}


def warning(gene: NcbiGeneFacts) -> dict[str, Any] | None:
    """The warning about a retired GeneID; None for a live one.

    Version 1 sent that of a discontinued GeneID (recorded 2021-07-16). Version 2 declares both; unverified.
    """
    match gene.status:
        case "secondary":
            return {
                "gene_warning_code": "REPLACED_GENE_ID",
                "reason": "This GeneID has been replaced.",
                "replaced_id": {"requested": gene.gene_id, "returned": gene.current_id},
            }
        case "discontinued":
            return {
                "gene_warning_code": "DISCONTINUED_GENE_ID",
                "reason": "This GeneID has been discontinued.",
                "message": _DISCONTINUED.format(gene.gene_id),
                "unrecognized_identifier": gene.gene_id,
            }
        case _:
            return None


def _present(**members: Any) -> dict[str, Any]:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value}


def _head(gene: NcbiGeneFacts) -> dict[str, str]:
    return {
        "gene_id": gene.gene_id,
        "symbol": gene.symbol,
        "description": gene.name,
        "tax_id": str(gene.taxon_id),
        "taxname": gene.taxon.scientific,
        "common_name": gene.taxon.common,
        "type": _TYPES[gene.gene_type],
    }


_REFERENCE_STANDARD = {
    "gene_range": {
        "accession_version": "NG_999999.1",
        "range": [{"begin": "5001", "end": "9001", "orientation": "plus"}],
    },
    "type": "REFSEQ_GENE",
}
"""A decoy: the RefSeqGene is not among the facts."""


def _nomenclature(gene: NcbiGeneFacts) -> dict[str, str]:
    if gene.hgnc:
        return {"authority": "HGNC", "identifier": gene.hgnc}
    if not gene.alliance:
        return {}
    prefix, _, number = gene.alliance.partition(":")
    identifier = gene.alliance if prefix == "MGI" else number
    return {"authority": gene.taxon.authority or prefix, "identifier": identifier}


def _map_locations(gene: NcbiGeneFacts) -> list[dict[str, str]]:
    """A mouse gene has two, ``11 D`` and ``11 65.18 cM``."""
    values = [value for value in gene.map_location.split("|") if value]
    return [{"map_type": "Genetic" if value.endswith(" cM") else "Cytogenetic", "map_value": value} for value in values]


def _annotations(gene: NcbiGeneFacts) -> list[dict[str, Any]]:
    """One for each assembly, that of the reference first; human genes have another on T2T-CHM13."""
    names = dict(zip(gene.places, gene.chromosomes, strict=False))
    by_assembly: dict[str, list[GenomicPlace]] = {}
    for place in gene.places:
        by_assembly.setdefault(place.assembly, []).append(place)
    annotations = [_annotation(gene.release, places, names) for places in by_assembly.values()]
    if annotations and gene.taxon_id == _HUMAN:
        other_names = {_OTHER_PLACE: names.get(gene.places[0], "")}
        annotations.append(_annotation(f"{_ASSEMBLIES[_T2T]}-RS_2023_10", [_OTHER_PLACE], other_names))
    return annotations


def _annotation(release: str, places: list[GenomicPlace], names: Mapping[GenomicPlace, str]) -> dict[str, Any]:
    assembly = places[0].assembly
    locations = [
        _present(
            genomic_accession_version=place.accession,
            sequence_name=names.get(place, ""),
            genomic_range={"begin": str(place.start), "end": str(place.end), "orientation": _orientation(place)},
        )
        for place in places
    ]
    return _present(
        assembly_accession=_ASSEMBLIES.get(assembly, ""),
        assembly_name=assembly,
        annotation_name=release,
        annotation_release_date=_release_date(release),
        genomic_locations=locations,
    )


def _release_date(release: str) -> str:
    """The day that a release names; the first of a month that it names without a day."""
    match = re.search(r"(?:RS_|\.)(20\d\d)_?(\d\d)(\d\d)?$", release)
    return f"{match[1]}-{match[2]}-{match[3] or '01'}" if match else ""


def _orientation(place: GenomicPlace) -> str:
    return "plus" if place.strand > 0 else "minus"


def _transcript_counts(gene: NcbiGeneFacts) -> dict[str, Any]:
    """How many transcripts and proteins the facts have; no zeros."""
    counts = Counter(map(_transcript_type, gene.refseq))
    return {
        "transcript_count": counts.total(),
        "protein_count": sum(accession[1] == "M" for accession in gene.refseq),
        "transcript_type_counts": [{"type": name, "count": count} for name, count in counts.items()],
    }


def _transcript_type(accession: str) -> str:
    kind = "PROTEIN_CODING" if accession[1] == "M" else "NON_CODING"
    return f"{kind}_MODEL" if accession.startswith("X") else kind


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
    return _present(assigned_by="GOA", **aspects) if gene.go_terms else {}


def _region(number: int) -> dict[str, Any]:
    """A genomic region, which carries no fact."""
    start = scattered(number, 10**8)
    span = {"begin": str(start), "end": str(start + 5000), "orientation": "plus"}
    gene_range = {"accession_version": f"NG_{number:06}.1", "range": [span]}
    return {"gene_range": gene_range, "type": "BIOLOGICAL_REGION"}


def _exon(number: int) -> dict[str, Any]:
    """The place of an exon on a sequence, which carries no fact."""
    start = scattered(number, 10**8)
    return {"begin": str(start), "end": str(start + 150), "orientation": "plus", "order": number}


def _records(member: str) -> Callable[[dict[str, Any]], Iterator[tuple[str, Any]]]:
    def records(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        for report in document.get("reports", ()):
            if member in report:
                yield report[member]["gene_id"], report[member]

    return records


REPORT_PADDING = JsonPadding(
    path=re.compile(r"/gene/(?:.+/)?dataset_report"),
    size=RecordSize(5_800, 12_600, "22 gene reports: 3.7-12.6 kB without blanks; recorded 2025 and 2026"),
    records=_records("gene"),
    grow=further_rows(_region, lambda gene: gene.setdefault("genomic_regions", [])),
)
PRODUCT_PADDING = JsonPadding(
    path=re.compile(r"/gene/(?:.+/)?product_report"),
    size=RecordSize(20_000, 1_000_000, "some 2.7 kB a transcript, BRCA1 near 1 MB; UPSTREAMS_3 A.3, 2026-11"),
    records=_records("product"),
    grow=further_rows(_exon, lambda product: product.setdefault("exons", [])),
)
