"""Rows of edges as the Catalog writes them: each end as a reference or whole, and the relation in words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from biofact.sandbox.services.igvf.corpus import Graph
from biofact.sandbox.services.igvf.requests import CatalogRequest
from biofact.sandbox.tables import Row, drop_fields, identifier, pick_fields

Form = Callable[[Row], Row]
"""Renders an entity."""


@dataclass(frozen=True, slots=True)
class JoinedEnd:
    """Rendering of one of the two entities that an edge's row joins."""

    field: str
    form: Form
    is_listed: bool = False
    """Whether the whole entity stands alone in a list."""


def _with_fields(fields: str) -> Form:
    return lambda row: pick_fields(row, fields)


def _without_fields(fields: str) -> Form:
    return lambda row: drop_fields(row, fields)


def phenotype(row: Row) -> Row:
    """A term as rows about phenotypes have it."""
    return {"phenotype_id": row["term_id"], "phenotype_name": row["name"]}


def variant(row: Row) -> Row:
    """A variant, whole; without HGVS where it is not known."""
    return drop_fields(row, "" if row["hgvs"] else "hgvs")


WHOLE = _without_fields("")
GENE = _without_fields("organism")
PLACED_GENE = _with_fields("_id name chr start end strand")
SIMPLE_VARIANT = _with_fields("_id chr pos rsid ref alt spdi hgvs ca_id")
TESTED_ELEMENT = _with_fields("_id name chr start end type source source_url")
WHOLE_ELEMENT = _with_fields("_id name chr start end type source_annotation source source_url")
_BARE_GENE = _without_fields("organism synonyms")
_SHORT_GENE = _with_fields("_id name chr start end")
_NAMELESS_VARIANT = _with_fields("chr pos rsid ref alt spdi ca_id hgvs~")
_TRANSCRIPT = _without_fields("organism")
_PROTEIN = _without_fields("chr")
_BARE_PROTEIN = _without_fields("chr dbxrefs")
_ELEMENT = _without_fields("_id organism")
_SHORT_ELEMENT = _with_fields("_id type chr start end name")

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

_PATHS_BY_RELATION = {
    "modulates expression of": "/variants/genes",
    "expression modulated by": "/genes/variants",
    "regulates": "/genomic-elements/genes /variants/genomic-elements/genes /variants/predictions",
    "regulated by": "/genes/genomic-elements",
    "modulates accessibility of": "/variants/genomic-elements /genomic-elements/variants",
    "modulates activity in": "/variants/biosamples",
    "activity modulated by": "/biosamples/variants",
    "expression effect in": "/genomic-elements/biosamples",
    "has expression effect of": "/biosamples/genomic-elements",
    "associated with": (
        "/variants/phenotypes /phenotypes/variants /variants/diseases /diseases/variants /genes/diseases"
        " /diseases/genes /variants/drugs /drugs/variants"
    ),
    "affects": "/genomic-elements/phenotypes",
    "affected by": "/phenotypes/genomic-elements",
    "physically interacts with": "/proteins/proteins",
    "contains": "/complexes/proteins /pathways/genes",
    "belongs to": "/proteins/complexes /genes/pathways",
    "modulates binding of": "/variants/proteins",
    "binding modulated by": "/proteins/variants",
    "uses": "/proteins/motifs",
    "is used by": "/motifs/proteins",
    "interacts with": "/genes/genes",
    "has part": "/pathways/pathways",
    "transcribes": "/genes/transcripts",
    "transcribed by": "/transcripts/genes",
    "translates to": "/transcripts/proteins",
    "translated from": "/proteins/transcripts",
    "correlated with": "/variants/variant-ld",
}
RELATIONS: Mapping[str, str] = {path: words for words, paths in _PATHS_BY_RELATION.items() for path in paths.split()}
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
"""Relations that depend on the row's label or on the branch of GO."""


_ENDS = "_from _to"
_ALWAYS_WHOLE = {"variant_element"}


def edge_row(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A row with both ends and its other fields, the form of most edges."""
    edge = request.endpoint.edge
    ends = {
        end.field: written_end(graph, end, row[field], is_whole=edge in _ALWAYS_WHOLE or _is_whole(request, end.field))
        for field, end in zip(("_from", "_to"), ENDS[edge], strict=True)
    }
    return {**ends, **drop_fields(row, _ENDS), **relation_name(request, row)}


def relation_name(request: CatalogRequest, row: Row) -> Row:
    """The relation of a row in words, in the direction of the endpoint, where it has any."""
    words = relation(request.path, row.get("label"))
    return {"name": words} if words else {}


def relation(path: str, label_or_branch: str | None) -> str:
    """The relation in words, by a row's label or by its branch of GO."""
    return RELATIONS_BY_LABEL.get((path, label_or_branch or "")) or RELATIONS.get(path, "")


def _is_whole(request: CatalogRequest, field: str) -> bool:
    whole = VERBOSE.get(request.path)
    return request.is_verbose and (whole is None or field in whole)


def written_end(graph: Graph, end: JoinedEnd, reference: str, *, is_whole: bool) -> Any:
    """An end whole or as a reference; what is not known here is a reference in any case."""
    entity = graph.entity(reference) if is_whole else None
    if entity is None:
        return reference
    return [end.form(entity)] if end.is_listed else end.form(entity)


def whole(graph: Graph, form: Form, reference: str | None) -> Row | None:
    """An entity written whole; None where it is not known."""
    entity = graph.entity(reference or "")
    return None if entity is None else form(entity)


def _of_protein(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """The row of a variant and a protein or complex."""
    subject, target = ENDS["variant_protein"]
    is_complex = row["_to"].startswith("complexes/")
    other = JoinedEnd(target.field, WHOLE) if is_complex else target
    term = whole(graph, dict, row["biosample_term"]) if request.is_verbose else None
    return {
        **drop_fields(row, _ENDS),
        **relation_name(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=request.is_verbose),
        other.field: written_end(graph, other, row["_to"], is_whole=request.is_verbose),
        "biosample_term": term or row["biosample_term"],
        "is_complex": is_complex,
    }


def _of_motif(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """The row of a protein or complex and its motif; from motifs, verbose rows name the edge in place of the motif."""
    subject, target = ENDS["protein_motif"]
    if row["_from"].startswith("complexes/"):
        subject = JoinedEnd("complex", WHOLE)
    motif = written_end(graph, target, row["_to"], is_whole=_is_whole(request, target.field))
    if request.is_verbose and request.path == "/motifs/proteins":
        motif = f"{identifier(row['_to'])}_{identifier(row['_from'])}"
    return {
        **drop_fields(row, _ENDS),
        **relation_name(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=_is_whole(request, subject.field)),
        target.field: motif,
    }


def _of_drug(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """The row of a variant and a drug; the end that the request names is a bare reference under the store's name."""
    is_from_drug = request.path == "/drugs/variants"
    field, end = ("_from", ENDS["variant_drug"][0]) if is_from_drug else ("_to", ENDS["variant_drug"][1])
    return {
        **drop_fields(row, field),
        **relation_name(request, row),
        end.field: written_end(graph, end, row[field], is_whole=request.is_verbose),
    }


def _of_biosample(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """The row of a variant and a biosample, with the element that the variant was tested in, if any."""
    element = whole(graph, WHOLE_ELEMENT, row["genomic_element"]) if request.is_verbose else None
    return {**edge_row(graph, request, row), "genomic_element": element or row["genomic_element"]}


def _of_product(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """The row of a gene product and a term of GO, whose branch decides the relation's name."""
    term = graph.entity(row["_to"])
    branch = term["subontology"] if term else "biological_process"
    return {**drop_fields(row, _ENDS), "name": relation(request.path, branch)}


_CHANGES = ("coding_variant_variant", "variant_coding_variant")
_OF_TESTED = (
    "label method class source source_url files_filesets biological_context biosample_term crispr_modality log2FC"
    " neg_log10_pvalue neg_log10_pvalue_adj p_value p_value_adj effect_size significant"
)


def is_gwas(row: Row) -> bool:
    """Whether a row about a phenotype is of a genome-wide study."""
    return bool(row["source"] == "OpenTargets")


def of_phenotype(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A variant and a phenotype, which rows hold as ``phenotype_id`` and ``phenotype_term``."""
    subject, term = ENDS["variant_phenotype"][0], graph.entity(row["_to"])
    result: Row = {
        **drop_fields(row, "_from _to"),
        **relation_name(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=request.is_verbose),
        "phenotype_id": row["_to"],
        "phenotype_term": term["name"] if term else None,
    }
    if is_gwas(row):
        result |= whole(graph, lambda entity: pick_fields(entity, "rsid"), row["_from"]) or {}
    if "study" in row and request.is_verbose:
        result["study"] = whole(graph, dict, row["study"]) or row["study"]
    return result


def of_linkage(graph: Graph, request: CatalogRequest, row: Row, other: str) -> Row:
    """Two variants in linkage; ``other`` is the one that the request does not name, and the row names once more."""
    linked_variant = whole(graph, variant, other) if request.is_verbose else None
    other_end = [linked_variant] if linked_variant else identifier(other)
    return {**drop_fields(row, "_from _to"), **relation_name(request, row), "sequence_variant": other_end}


def of_prediction(graph: Graph, request: CatalogRequest, row: Row, position: int) -> Row | None:
    """An element that holds a variant at ``position``, and the gene it is predicted to regulate."""
    if graph.entity(row["_from"]) is None or graph.entity(row["_to"]) is None:
        return None  # the service leaves out what it cannot resolve
    gene = row["target_gene"]
    return {
        **drop_fields(row, "_from _to method source"),
        **relation_name(request, row),
        "distance_gene_variant": min(abs(gene["start"] - position), abs(gene["end"] - position)),
    }


def of_tested(graph: Graph, request: CatalogRequest, row: Row, spdi: str) -> Row | None:
    """An element that holds a variant, and a gene that changed when the element was perturbed."""
    element, gene = whole(graph, TESTED_ELEMENT, row["_from"]), whole(graph, PLACED_GENE, row["_to"])
    if element is None or gene is None:
        return None
    variant_in_it = graph.tables["variants"].by_key[spdi]
    start = gene["end"] if gene["strand"] == "-" else gene["start"]
    return {
        **pick_fields(row, _OF_TESTED),
        **relation_name(request, row),
        "variant": SIMPLE_VARIANT(variant_in_it),
        "distance_to_tss": abs(variant_in_it["pos"] - start),
        "genomic_element": element,
        "gene": gene,
    }


def of_score(graph: Graph, _: CatalogRequest, row: Row) -> Row:
    """A change of a protein and a phenotype, with the score that joins them."""
    return {
        **drop_fields(row, "_from _to"),
        "coding_variant": whole(
            graph, lambda change: pick_fields(change, "_id aapos hgvsp protein_name gene_name ref alt"), row["_from"]
        ),
        "phenotype": whole(graph, phenotype, row["_to"]),
        "variant": whole(graph, SIMPLE_VARIANT, row["variant"]),
    }


def joined_ends(graph: Graph, field: str, references: Iterable[str], other: str) -> list[str]:
    """The variants (or changes of proteins) in ``other`` that are joined with these changes (or variants)."""
    ends = list(references)
    tables = [graph.edges[name] for name in _CHANGES]
    return sorted({row[other] for table in tables for row in table.rows_at(table.positions(field, ends))})


_CHANGE = _with_fields("protein_id protein_name transcript_id hgvsp aapos ref alt")
_SCORE = _with_fields("method score source_url files_filesets")


def scores_by_change(graph: Graph, rows: Iterable[Row]) -> list[Row]:
    """One item for each change of a protein: its variants, and the scores of each."""
    by_change = sorted(rows, key=lambda row: (row["coding_variant"], row["_from"]))
    return [
        {
            "protein_change": whole(graph, _CHANGE, reference) or {},
            "variants": [
                {"variant": whole(graph, SIMPLE_VARIANT, spdi), "scores": [*map(_SCORE, variant_rows)]}
                for spdi, variant_rows in groupby(change_rows, key=lambda row: str(row["_from"]))
            ],
        }
        for reference, change_rows in groupby(by_change, key=lambda row: str(row["coding_variant"]))
    ]


WRITERS: Mapping[str, Callable[[Graph, CatalogRequest, Row], Row]] = {
    "variant_biosample": _of_biosample,
    "variant_protein": _of_protein,
    "protein_motif": _of_motif,
    "variant_drug": _of_drug,
    "product_function": _of_product,
    "regulator_gene": lambda graph, request, row: drop_fields(row, _ENDS),  # both by symbol
    "variant_phenotype": of_phenotype,
    "coding_variant_phenotype": of_score,
}
"""By edge; all others are ``edge_row``."""
