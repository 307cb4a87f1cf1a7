"""GO terms, phenotypes and GeneRIFs as a gene record holds them. Pure."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biofact.sandbox.services.entrez.facts import GeneRifFact, GoFact, NcbiGeneFacts, PhenotypeFact
from biofact.sandbox.services.entrez.nodes import cited, commentary, date, node, papers

_ASPECTS = {"function": "Function", "process": "Process", "component": "Component"}


def go_terms(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The property that holds them, aspect by aspect."""
    aspects = [
        commentary("comment", label=label, comment=[_go_term(term) for term in gene.go_terms if term.aspect == aspect])
        for aspect, label in _ASPECTS.items()
        if any(term.aspect == aspect for term in gene.go_terms)
    ]
    if aspects:
        provider = node(
            "Other-source", node("Other-source_pre-text", "Provided by"), node("Other-source_anchor", "GOA")
        )
        yield commentary("comment", heading="GeneOntology", source=[provider], comment=aspects)


def _go_term(term: GoFact) -> Element:
    source = cited("GO", str(int(term.id.removeprefix("GO:"))))
    source.append(node("Other-source_pre-text", term.qualifier))
    source.append(node("Other-source_anchor", term.name))
    source.append(node("Other-source_post-text", f"evidence: {term.evidence}"))
    return commentary("comment", refs=papers(term.pmids), source=[source])


def phenotypes(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The comment that holds them."""
    if gene.phenotypes:
        yield commentary("comment", heading="Phenotypes", comment=list(map(_phenotype, gene.phenotypes)))


def _phenotype(phenotype: PhenotypeFact) -> Element:
    parts = [
        ("GTR", cited("GTRDisease", phenotype.medgen, "Genetic Testing Registry")),
        ("MedGen", cited("MedGen", phenotype.medgen, "MedGen")),
        ("OMIM", cited("MIM", phenotype.omim, f"MIM: {phenotype.omim}")),
    ]
    found = [commentary("phenotype", heading=heading, source=[source]) for heading, source in parts]
    return commentary("phenotype", heading=phenotype.name, comment=found)


def generifs(gene: NcbiGeneFacts) -> Iterator[Element]:
    """One comment each."""
    return map(_generif, gene.generifs)


def _generif(rif: GeneRifFact) -> Element:
    day = date(*map(int, rif.date.split("-")))
    return commentary("generif", text=rif.text, refs=papers(rif.pmids), create_date=[day], update_date=[day])
