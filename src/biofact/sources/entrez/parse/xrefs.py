"""A gene record's cross-references, from where they really are: the paths that name them, and no others. Pure.

Elsewhere in a record stand the same databases with other meanings: diseases under Phenotypes, other species' genes
under Orthologs, other genes under Interactions.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar
from xml.etree.ElementTree import Element

from biofact.core.records import Notice
from biofact.core.xrefs import REGISTRY, XrefCollector
from biofact.dialects.xml import DamagedRecord
from biofact.sources.entrez.parse.paths import elements_at, text, texts, value
from biofact.sources.entrez.records import GoTerm, Phenotype

HUMAN = 9606

_REFSEQS = "NCBI Reference Sequences (RefSeq)"
_CURATED_REFSEQS = "RefSeqs maintained independently of Annotated Genomes"
_ANNOTATED_REFSEQS = "RefSeqs of Annotated Genomes"
_SWISS_PROT = "UniProtKB/Swiss-Prot"
_ALLIANCE = {"MGI": "MGI", "RGD": "RGD", "ZFIN": "ZFIN", "FLYBASE": "FB", "WormBase": "WB", "SGD": "SGD"}
"""The Alliance of Genome Resources' prefixes for the IDs of a species' own database."""


def collector(gene: Element, taxon_id: int | None, gene_type: str | None) -> XrefCollector:
    """The cross-references of a gene, not yet judged."""
    xref_collector = XrefCollector()
    tags = [_tag(tag) for tag in elements_at(gene, "Entrezgene_gene/Gene-ref/Gene-ref_db/Dbtag")]
    add_gene_ids(xref_collector, tags, taxon_id, gene_type)
    for accession in _refseqs(gene):
        xref_collector.add("refseq", accession)
    _add_uniprot(xref_collector, gene)
    return xref_collector


def add_gene_ids(
    xref_collector: XrefCollector, tags: list[tuple[str, str]], taxon_id: int | None, gene_type: str | None
) -> None:
    """Add the gene's IDs in other databases, each with the database's name as NCBI writes it."""
    for database, identifier in tags:
        if database == "Ensembl":
            xref_collector.add("ensembl_gene", identifier)
        elif database == "HGNC" and taxon_id == HUMAN:
            xref_collector.add("hgnc", identifier)
        elif database == "MIM" and gene_type != "unknown":  # there it is the disease that named the record
            xref_collector.add("omim", identifier)
    if taxon_id != HUMAN:
        for identifier in _alliance(tags):
            xref_collector.add("alliance", identifier)


def release(gene: Element) -> str:
    """The annotation release that the record's RefSeqs and coordinates come from; empty where it tells none."""
    for section in _refseq_sections(gene):
        heading, _, name = text(section, "Gene-commentary_heading").partition(":")
        if heading == _ANNOTATED_REFSEQS:
            return name.strip()
    return ""


def tag_value(tag: Element) -> str:
    """The ID that a Dbtag gives, which is a number or a string."""
    return text(tag, "Dbtag_tag/Object-id/Object-id_id") or text(tag, "Dbtag_tag/Object-id/Object-id_str")


def _tag(tag: Element) -> tuple[str, str]:
    return text(tag, "Dbtag_db"), tag_value(tag)


def _alliance(tags: list[tuple[str, str]]) -> Iterator[str]:
    for database, identifier in tags:
        prefix = _ALLIANCE.get(database)
        if prefix:
            yield f"{prefix}:{identifier.removeprefix(f'{prefix}:')}"
        elif database == "AllianceGenome" and identifier.partition(":")[0] in _ALLIANCE.values():
            yield identifier


def _refseq_sections(gene: Element) -> Iterator[Element]:
    """The parts of the RefSeq section that hold current sequences: not "Suppressed Reference Sequence(s)"."""
    for commentary in under_heading(elements_at(gene, "Entrezgene_comments/Gene-commentary"), _REFSEQS):
        for section in elements_at(commentary, "Gene-commentary_comment/Gene-commentary"):
            if text(section, "Gene-commentary_heading").startswith((_CURATED_REFSEQS, _ANNOTATED_REFSEQS)):
                yield section


def _refseqs(gene: Element) -> list[str]:
    """Curated transcripts; predicted ones only if there are none."""
    return curated(_accession(product) for section in _refseq_sections(gene) for product in _products(section))


def curated(accessions: Iterable[str]) -> list[str]:
    """RefSeq's curated transcripts among the accessions; predicted ones only if there are none."""
    transcripts = list(accessions)
    curated_transcripts = [accession for accession in transcripts if re.match(r"N[MR]_", accession)]
    return curated_transcripts or [accession for accession in transcripts if re.match(r"X[MR]_", accession)]


def _add_uniprot(xref_collector: XrefCollector, gene: Element) -> None:
    """Swiss-Prot's primary accessions; those of RefSeq proteins only if they leave no choice."""
    primary = list(_primary_uniprot(gene))
    if primary:
        for accession in primary:
            xref_collector.add("uniprot", accession)
        return
    # Secondary accessions stand among these, and nothing tells the primary one.
    related = list(dict.fromkeys(filter(None, map(REGISTRY["uniprot"].normalise, _uniprot_of_refseqs(gene)))))
    if len(related) == 1:
        xref_collector.add("uniprot", related[0])
    elif related:
        message = f"uniprot: NCBI gives {', '.join(related)} without saying which is primary; none is listed."
        xref_collector.notices.append(Notice(code="SEVERAL_VALUES", message=message))


def _primary_uniprot(gene: Element) -> Iterator[str]:
    for related in under_heading(elements_at(gene, "Entrezgene_comments/Gene-commentary"), "Related Sequences"):
        for product in _products(related):
            if value(product, "Gene-commentary_type") == "peptide" and _swiss_prot(product):
                yield _accession(product)


def _uniprot_of_refseqs(gene: Element) -> Iterator[str]:
    products = (product for section in _refseq_sections(gene) for product in _products(section))
    proteins = (product for product in products if _accession(product).startswith("NP_"))
    comments = (c for protein in proteins for c in elements_at(protein, "Gene-commentary_comment/Gene-commentary"))
    for comment in under_heading(comments, "UniProtKB"):
        for entry in elements_at(comment, "Gene-commentary_comment/Gene-commentary"):
            yield from _swiss_prot(entry)


def _swiss_prot(commentary: Element) -> list[str]:
    tags = map(_tag, elements_at(commentary, "Gene-commentary_source/Other-source/Other-source_src/Dbtag"))
    return [identifier for database, identifier in tags if database == _SWISS_PROT]


def _products(commentary: Element) -> Iterator[Element]:
    """The products of a commentary, at every depth."""
    for product in elements_at(commentary, "Gene-commentary_products/Gene-commentary"):
        yield product
        yield from _products(product)


def under_heading(commentaries: Iterable[Element], heading: str) -> Iterator[Element]:
    """The commentaries under this heading."""
    return (commentary for commentary in commentaries if text(commentary, "Gene-commentary_heading") == heading)


def _accession(commentary: Element) -> str:
    return text(commentary, "Gene-commentary_accession")


T = TypeVar("T")

_COMMENTS = "Gene-commentary_comment/Gene-commentary"
_SOURCES = "Gene-commentary_source/Other-source"
_ASPECTS: dict[str, Any] = {"Function": "function", "Process": "process", "Component": "component"}
_EVIDENCE = re.compile(r"evidence:\s*(\w+)")
_DOSAGE = "Copy number response"  # ClinGen's curation of the gene, which is no phenotype (recorded 2024)


def go_terms(gene: Element) -> list[GoTerm]:
    """The annotations in the order of the record: functions, processes, components.

    Raises:
        DamagedRecord: there are some that cannot be read.
    """
    sections = under_heading(elements_at(gene, "Entrezgene_properties/Gene-commentary"), "GeneOntology")
    return distinct(term for section in sections for part in elements_at(section, _COMMENTS) for term in _terms(part))


def _terms(part: Element) -> Iterator[GoTerm]:
    aspect = _ASPECTS.get(text(part, "Gene-commentary_label"))
    annotations = elements_at(part, _COMMENTS)
    if aspect is None or not annotations:
        raise DamagedRecord("Its GO terms are not of the three ontologies.")
    for annotation in annotations:
        sources = elements_at(annotation, _SOURCES)
        evidence = [_EVIDENCE.match(words) for words in texts(annotation, f"{_SOURCES}/Other-source_post-text")]
        numbers = [tag_value(tag) for tag in _tags(annotation, "GO")]
        if len(sources) != 1 or len(numbers) != 1 or not re.fullmatch(r"[1-9]\d{0,6}", numbers[0], re.ASCII):
            raise DamagedRecord(f"A GO term has the number {', '.join(numbers)!r:.40}.")
        yield GoTerm(
            id=f"GO:{int(numbers[0]):07}",
            name=text(sources[0], "Other-source_anchor") or None,
            aspect=aspect,
            qualifier=text(sources[0], "Other-source_pre-text") or None,
            evidence=next((match[1] for match in evidence if match), None),
            pmids=pmids(annotation),
        )


def phenotypes(gene: Element) -> list[Phenotype]:
    """Diseases and traits in the order of the record, each once.

    Raises:
        DamagedRecord: there are some that cannot be read.
    """
    sections = under_heading(elements_at(gene, "Entrezgene_comments/Gene-commentary"), "Phenotypes")
    return distinct(_phenotype(element) for section in sections for element in _named_phenotypes(section))


def _named_phenotypes(section: Element) -> Iterator[Element]:
    elements = elements_at(section, _COMMENTS)
    if not elements or not all(text(element, "Gene-commentary_heading") for element in elements):
        raise DamagedRecord("A phenotype has no name.")
    return (element for element in elements if text(element, "Gene-commentary_heading") != _DOSAGE)


def _phenotype(commentary: Element) -> Phenotype:
    parts = elements_at(commentary, _COMMENTS)
    return Phenotype(
        name=text(commentary, "Gene-commentary_heading"),
        omim_ids=_ids(parts, "MIM", r"[1-9]\d{5}"),
        medgen_ids=_ids(parts, "MedGen", r"CN?\d+"),
        gene_reviews=_ids(
            [*parts, *(inner for part in parts for inner in elements_at(part, _COMMENTS))], "GeneReviews", r"NBK\d+"
        ),
        sources=distinct(filter(None, (text(part, "Gene-commentary_heading") for part in parts))),
        pmids=distinct(pmid for part in parts for pmid in pmids(part)),
    )


def pmids(commentary: Element) -> list[str]:
    """The articles that a commentary rests on, newest first."""
    numbers = texts(commentary, "Gene-commentary_refs/Pub/Pub_pmid/PubMedId")
    distinct_numbers = {int(number) for number in numbers if re.fullmatch(r"[1-9]\d{0,8}", number, re.ASCII)}
    return [f"PMID:{number}" for number in sorted(distinct_numbers, reverse=True)]


def _ids(commentaries: Iterable[Element], database: str, form: str) -> list[str]:
    values = (tag_value(tag) for commentary in commentaries for tag in _tags(commentary, database))
    return distinct(identifier for identifier in values if re.fullmatch(form, identifier, re.ASCII))


def _tags(commentary: Element, database: str) -> list[Element]:
    tags = elements_at(commentary, f"{_SOURCES}/Other-source_src/Dbtag")
    return [tag for tag in tags if text(tag, "Dbtag_db") == database]


def distinct(values: Iterable[T]) -> list[T]:
    """Each once, in order; records hold lists, which have no hash."""
    unique_values: list[T] = []
    for item in values:
        if item not in unique_values:
            unique_values.append(item)
    return unique_values
