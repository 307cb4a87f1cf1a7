"""A gene record's cross-references, from where they really are: the paths that name them, and no others. Pure.

Elsewhere in a record stand the same databases with other meanings: diseases under Phenotypes, other species' genes
under Orthologs, other genes under Interactions.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biofact.core.provenance import Notice
from biofact.core.xrefs import REGISTRY, XrefCollector

HUMAN = 9606

_REFSEQS = "NCBI Reference Sequences (RefSeq)"
_CURATED_REFSEQS = "RefSeqs maintained independently of Annotated Genomes"
_ANNOTATED_REFSEQS = "RefSeqs of Annotated Genomes"
_SWISS_PROT = "UniProtKB/Swiss-Prot"
_ALLIANCE = {"MGI": "MGI", "RGD": "RGD", "ZFIN": "ZFIN", "FLYBASE": "FB", "WormBase": "WB", "SGD": "SGD"}
"""How the Alliance of Genome Resources prefixes the IDs of a species' own database."""


def collector(gene: Element, taxon_id: int | None, gene_type: str | None) -> XrefCollector:
    """The cross-references of a gene, not yet judged."""
    found = XrefCollector()
    tags = list(_tags(gene.iterfind("Entrezgene_gene/Gene-ref/Gene-ref_db/Dbtag")))
    for database, value in tags:
        if database == "Ensembl":
            found.add("ensembl_gene", value)
        elif database == "HGNC" and taxon_id == HUMAN:
            found.add("hgnc", value)
        elif database == "MIM" and gene_type != "unknown":  # there it is the disease that named the record
            found.add("omim", value)
    if taxon_id != HUMAN:
        for value in _alliance(tags):
            found.add("alliance", value)
    for accession in _refseqs(gene):
        found.add("refseq", accession)
    _add_uniprot(found, gene)
    return found


def release(gene: Element) -> str | None:
    """The annotation release that the record's RefSeqs and coordinates come from."""
    for section in _refseq_sections(gene):
        heading, _, name = section.findtext("Gene-commentary_heading", "").partition(":")
        if heading == _ANNOTATED_REFSEQS:
            return name.strip() or None
    return None


def tag_value(tag: Element) -> str:
    """The ID that a Dbtag gives, which is a number or a string."""
    number = tag.findtext("Dbtag_tag/Object-id/Object-id_id", "")
    return (number or tag.findtext("Dbtag_tag/Object-id/Object-id_str", "")).strip()


def _tags(tags: Iterator[Element]) -> Iterator[tuple[str, str]]:
    return ((tag.findtext("Dbtag_db", "").strip(), tag_value(tag)) for tag in tags)


def _alliance(tags: list[tuple[str, str]]) -> Iterator[str]:
    for database, value in tags:
        prefix = _ALLIANCE.get(database)
        if prefix:
            yield f"{prefix}:{value.removeprefix(f'{prefix}:')}"
        elif database == "AllianceGenome" and value.partition(":")[0] in _ALLIANCE.values():
            yield value


def _refseq_sections(gene: Element) -> Iterator[Element]:
    """The parts of the RefSeq section that hold current sequences: not "Suppressed Reference Sequence(s)"."""
    for commentary in _headed(gene.iterfind("Entrezgene_comments/Gene-commentary"), _REFSEQS):
        for section in commentary.iterfind("Gene-commentary_comment/Gene-commentary"):
            if section.findtext("Gene-commentary_heading", "").startswith((_CURATED_REFSEQS, _ANNOTATED_REFSEQS)):
                yield section


def _refseqs(gene: Element) -> list[str]:
    """Curated transcripts; predicted ones only if there are none."""
    accessions = [_accession(product) for section in _refseq_sections(gene) for product in _products(section)]
    curated = [accession for accession in accessions if re.match(r"N[MR]_", accession)]
    return curated or [accession for accession in accessions if re.match(r"X[MR]_", accession)]


def _add_uniprot(found: XrefCollector, gene: Element) -> None:
    """Swiss-Prot's primary accessions; those of RefSeq proteins only if they leave no choice."""
    primary = list(_primary_uniprot(gene))
    if primary:
        for accession in primary:
            found.add("uniprot", accession)
        return
    # Secondary accessions stand among these, and nothing tells the primary one.
    related = list(dict.fromkeys(filter(None, map(REGISTRY["uniprot"].normalise, _uniprot_of_refseqs(gene)))))
    if len(related) == 1:
        found.add("uniprot", related[0])
    elif related:
        message = f"uniprot: NCBI gives {', '.join(related)} without saying which is primary; none is listed."
        found.notices.append(Notice(code="SEVERAL_VALUES", message=message))


def _primary_uniprot(gene: Element) -> Iterator[str]:
    for related in _headed(gene.iterfind("Entrezgene_comments/Gene-commentary"), "Related Sequences"):
        for product in _products(related):
            if _is_peptide(product) and any(database == _SWISS_PROT for database, _ in _sources(product)):
                yield _accession(product)


def _uniprot_of_refseqs(gene: Element) -> Iterator[str]:
    for section in _refseq_sections(gene):
        for product in _products(section):
            if _accession(product).startswith("NP_"):
                for comment in _headed(product.iterfind("Gene-commentary_comment/Gene-commentary"), "UniProtKB"):
                    for entry in comment.iterfind("Gene-commentary_comment/Gene-commentary"):
                        yield from (value for database, value in _sources(entry) if database == _SWISS_PROT)


def _products(commentary: Element) -> Iterator[Element]:
    """What is made of it, what is made of that, and so on."""
    for product in commentary.iterfind("Gene-commentary_products/Gene-commentary"):
        yield product
        yield from _products(product)


def _headed(commentaries: Iterator[Element], heading: str) -> Iterator[Element]:
    return (c for c in commentaries if c.findtext("Gene-commentary_heading", "").strip() == heading)


def _sources(commentary: Element) -> Iterator[tuple[str, str]]:
    return _tags(commentary.iterfind("Gene-commentary_source/Other-source/Other-source_src/Dbtag"))


def _accession(commentary: Element) -> str:
    return commentary.findtext("Gene-commentary_accession", "").strip()


def _is_peptide(commentary: Element) -> bool:
    kind = commentary.find("Gene-commentary_type")
    return kind is not None and kind.get("value") == "peptide"
