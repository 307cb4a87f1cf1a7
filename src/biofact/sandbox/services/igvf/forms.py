"""How the Catalog writes what a row joins: each end as a reference or whole, and the relation in words. Data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from biofact.sandbox.tables import Row, only, without

Form = Callable[[Row], Row]
"""How an entity is written."""


@dataclass(frozen=True, slots=True)
class JoinedEnd:
    """How an edge's rows hold one of the entities that they join."""

    field: str
    form: Form
    is_listed: bool = False
    """Whether the whole entity stands alone in a list."""


def _only(fields: str) -> Form:
    return lambda row: only(row, fields)


def _without(fields: str) -> Form:
    return lambda row: without(row, fields)


def phenotype(row: Row) -> Row:
    """A term as rows about phenotypes have it."""
    return {"phenotype_id": row["term_id"], "phenotype_name": row["name"]}


def variant(row: Row) -> Row:
    """A variant, whole; without HGVS where it is not known."""
    return without(row, "" if row["hgvs"] else "hgvs")


WHOLE = _without("")
GENE = _without("organism")
PLACED_GENE = _only("_id name chr start end strand")
SIMPLE_VARIANT = _only("_id chr pos rsid ref alt spdi hgvs ca_id")
TESTED_ELEMENT = _only("_id name chr start end type source source_url")
WHOLE_ELEMENT = _only("_id name chr start end type source_annotation source source_url")
_BARE_GENE = _without("organism synonyms")
_SHORT_GENE = _only("_id name chr start end")
_NAMELESS_VARIANT = _only("chr pos rsid ref alt spdi ca_id hgvs~")
_TRANSCRIPT = _without("organism")
_PROTEIN = _without("chr")
_BARE_PROTEIN = _without("chr dbxrefs")
_ELEMENT = _without("_id organism")
_SHORT_ELEMENT = _only("_id type chr start end name")

ANSWERS: Mapping[str, Form] = {
    "genes": GENE,
    "transcripts": _TRANSCRIPT,
    "proteins": _PROTEIN,
    "variants": variant,
    "genomic_elements": _ELEMENT,
}
"""Entities as their own endpoints answer them, where that is not all of a row."""

ENDS: Mapping[str, tuple[JoinedEnd, JoinedEnd]] = {
    "variant_gene": (JoinedEnd("sequence_variant", variant), JoinedEnd("gene", GENE)),
    "element_gene": (JoinedEnd("genomic_element", _SHORT_ELEMENT), JoinedEnd("gene", _SHORT_GENE)),
    "variant_element": (JoinedEnd("variant", SIMPLE_VARIANT), JoinedEnd("genomic_element", WHOLE_ELEMENT)),
    "variant_biosample": (JoinedEnd("variant", variant), JoinedEnd("biosample", WHOLE)),
    "element_biosample": (JoinedEnd("genomic_element", _ELEMENT), JoinedEnd("biosample", WHOLE)),
    "variant_disease": (JoinedEnd("sequence_variant", _NAMELESS_VARIANT), JoinedEnd("disease", WHOLE)),
    "gene_disease": (JoinedEnd("gene", GENE), JoinedEnd("disease", WHOLE)),
    "element_phenotype": (JoinedEnd("genomic_element", _SHORT_ELEMENT), JoinedEnd("phenotype", phenotype)),
    "protein_protein": (
        JoinedEnd("protein_1", _BARE_PROTEIN, is_listed=True),
        JoinedEnd("protein_2", _BARE_PROTEIN, is_listed=True),
    ),
    "complex_protein": (JoinedEnd("complex", WHOLE), JoinedEnd("protein", _PROTEIN)),
    "variant_protein": (JoinedEnd("sequence_variant", SIMPLE_VARIANT), JoinedEnd("protein_complex", _BARE_PROTEIN)),
    "protein_motif": (JoinedEnd("protein", _PROTEIN), JoinedEnd("motif", WHOLE)),
    "gene_gene": (JoinedEnd("gene_1", _BARE_GENE, is_listed=True), JoinedEnd("gene_2", _BARE_GENE, is_listed=True)),
    "gene_pathway": (JoinedEnd("gene", GENE), JoinedEnd("pathway", WHOLE)),
    "pathway_pathway": (JoinedEnd("parent_pathway", WHOLE), JoinedEnd("child_pathway", WHOLE)),
    "gene_transcript": (JoinedEnd("gene", GENE), JoinedEnd("transcript", _TRANSCRIPT)),
    "gene_protein": (JoinedEnd("gene", GENE), JoinedEnd("protein", _PROTEIN)),
    "transcript_protein": (JoinedEnd("transcript", _TRANSCRIPT), JoinedEnd("protein", _PROTEIN, is_listed=True)),
    "variant_phenotype": (JoinedEnd("variant", SIMPLE_VARIANT), JoinedEnd("phenotype", phenotype)),
    "variant_drug": (JoinedEnd("sequence_variant", variant), JoinedEnd("drug", WHOLE)),
}
"""By edge. Rows of the other edges hold what they join in a form of their own."""

VERBOSE: Mapping[str, frozenset[str]] = {
    "/variants/drugs": frozenset({"drug"}),
    "/genes/proteins": frozenset({"protein"}),
    "/genes/diseases": frozenset({"disease"}),
    "/genes/transcripts": frozenset({"transcript"}),
    "/transcripts/genes": frozenset({"gene"}),
    "/transcripts/proteins": frozenset({"protein"}),
    "/proteins/genes": frozenset({"gene"}),
    "/proteins/motifs": frozenset({"motif"}),
    "/proteins/complexes": frozenset({"complex"}),
    "/proteins/transcripts": frozenset({"transcript"}),
    "/genomic-elements/biosamples": frozenset({"biosample"}),
    "/genomic-elements/phenotypes": frozenset({"genomic_element"}),
    "/phenotypes/genomic-elements": frozenset({"genomic_element"}),
    "/motifs/proteins": frozenset({"complex", "protein"}),
    "/drugs/variants": frozenset({"sequence_variant"}),
    "/pathways/genes": frozenset({"gene"}),
    "/biosamples/genomic-elements": frozenset({"genomic_element"}),
}
"""Which ends ``verbose`` writes whole, where it is not all of them: so the descriptions in the contract."""

RELATIONS: Mapping[str, str] = {
    "/variants/genes": "modulates expression of",
    "/genes/variants": "expression modulated by",
    "/genomic-elements/genes": "regulates",
    "/genes/genomic-elements": "regulated by",
    "/variants/genomic-elements/genes": "regulates",
    "/variants/predictions": "regulates",
    "/variants/genomic-elements": "modulates accessibility of",
    "/genomic-elements/variants": "modulates accessibility of",
    "/variants/biosamples": "modulates activity in",
    "/biosamples/variants": "activity modulated by",
    "/genomic-elements/biosamples": "expression effect in",
    "/biosamples/genomic-elements": "has expression effect of",
    "/variants/phenotypes": "associated with",
    "/phenotypes/variants": "associated with",
    "/variants/diseases": "associated with",
    "/diseases/variants": "associated with",
    "/genes/diseases": "associated with",
    "/diseases/genes": "associated with",
    "/genomic-elements/phenotypes": "affects",
    "/phenotypes/genomic-elements": "affected by",
    "/proteins/proteins": "physically interacts with",
    "/complexes/proteins": "contains",
    "/proteins/complexes": "belongs to",
    "/variants/proteins": "modulates binding of",
    "/proteins/variants": "binding modulated by",
    "/proteins/motifs": "uses",
    "/motifs/proteins": "is used by",
    "/genes/genes": "interacts with",
    "/genes/pathways": "belongs to",
    "/pathways/genes": "contains",
    "/pathways/pathways": "has part",
    "/variants/drugs": "associated with",
    "/drugs/variants": "associated with",
    "/genes/transcripts": "transcribes",
    "/transcripts/genes": "transcribed by",
    "/transcripts/proteins": "translates to",
    "/proteins/transcripts": "translated from",
    "/variants/variant-ld": "correlated with",
}
"""A row's relation in words, as it reads in the endpoint's direction."""

RELATIONS_BY_LABEL: Mapping[tuple[str, str], str] = {
    ("/variants/genes", "spliceQTL"): "modulates splicing of",
    ("/genes/variants", "spliceQTL"): "splicing modulated by",
    ("/variants/proteins", "pQTL"): "associated with levels of",
    ("/proteins/variants", "pQTL"): "level associated with",
    ("/genes/genes", "co-expression"): "coexpressed with",
    ("/gene-products/go-terms", "biological_process"): "involved in",
    ("/gene-products/go-terms", "cellular_component"): "is located in",
    ("/gene-products/go-terms", "molecular_function"): "has the function",
    ("/go-terms/gene-products", "biological_process"): "has component",
    ("/go-terms/gene-products", "cellular_component"): "contains",
    ("/go-terms/gene-products", "molecular_function"): "is a function of",
}
"""Where it goes by the row's label, or by the branch of GO."""
