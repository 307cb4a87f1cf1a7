"""Edges of variants whose rows have a form of their own: phenotypes, linkage, predictions, changes of proteins."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from biofact.sandbox.services.igvf import render_nodes as nodes
from biofact.sandbox.services.igvf.asking import Question, Row
from biofact.sandbox.services.igvf.facts import EdgeFacts, ElementFacts, GeneFacts
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.render_edges import fields_of, relation, whole, written_end
from biofact.sandbox.services.igvf.shapes import SHAPES, End, Shape

_OPEN_TARGETS = "OpenTargets"
_VARIANT = End("variant", "simple variant")
_PHENOTYPE = End("phenotype", "phenotype")
_GWAS = Shape(
    "neg_log10_pvalue p_value beta beta_ci_lower beta_ci_upper oddsr_ci_lower oddsr_ci_upper lead_chrom lead_pos"
    " lead_ref lead_alt direction source! source_url class method label version! name! files_filesets",
    _VARIANT,
    _PHENOTYPE,
    {"class": "observed data", "method": "GWAS", "label": "GWAS", "version": "October 2022 (22.10)"},
)
_MEASURED = Shape(
    "name! biological_context source! source_url! score effect_size z_score p_value neg_log10_pvalue significant"
    " num_guides edit_rate_mean effect_size_ci95_lower effect_size_ci95_upper crispr_modality method class label"
    " files_filesets biosample_term",
    _VARIANT,
    _PHENOTYPE,
    {"class": "observed data", "method": "SGE", "label": "protein variant effect", "source": "IGVF"},
)
_TESTED = Shape(
    "name! label! method! class! source! source_url! files_filesets! biological_context! biosample_term!"
    " crispr_modality log2FC neg_log10_pvalue neg_log10_pvalue_adj p_value p_value_adj effect_size significant",
    _VARIANT,
    _PHENOTYPE,
    {"class": "observed data", "method": "Perturb-seq", "label": "regulatory element effect on gene expression"},
)
_SCORED = Shape(
    "score method class label files_filesets source! source_url!",
    _VARIANT,
    _PHENOTYPE,
    {"class": "prediction", "method": "MutPred2", "label": "predicted protein variant effect", "source": "IGVF"},
)


def usual(edge: EdgeFacts) -> Mapping[str, str]:
    """What the fields of an edge's row say where the facts do not tell."""
    if edge.edge == "variant_phenotype":
        return (_GWAS if edge.fields.get("source") == _OPEN_TARGETS else _MEASURED).usual
    shape = _SCORED if edge.edge == "coding_variant_phenotype" else SHAPES.get(edge.edge)
    return shape.usual if shape else {}


def of_phenotype(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A variant and a phenotype, which rows hold as ``phenotype_id`` and ``phenotype_term``."""
    is_gwas = edge.fields.get("source") == _OPEN_TARGETS
    told, term = graph.variants.by_id[edge.subject], graph.term(edge.object)
    found: Row = {
        "variant": written_end(graph, _VARIANT, edge.subject, is_whole=question.is_verbose),
        "phenotype_id": nodes.reference("ontology_terms", edge.object),
        "phenotype_term": term.name if term else None,
        **fields_of(_GWAS if is_gwas else _MEASURED, question.endpoint.path, edge),
    }
    if is_gwas:
        found["rsid"] = list(told.rsids) or None
        found |= _study(graph, edge, is_verbose=question.is_verbose)
    return found


def _study(graph: Graph, edge: EdgeFacts, *, is_verbose: bool) -> Row:
    if "study" not in edge.fields:
        return {}
    uid = str(edge.fields["study"]).removeprefix("studies/")
    known = graph.nodes["study"].get(uid)
    return {"study": nodes.study(known) if is_verbose and known else nodes.reference("studies", uid)}


def of_linkage(graph: Graph, question: Question, edge: EdgeFacts, other: str) -> Row:
    """Two variants in linkage; ``other`` is the one that was not asked for, which a row names once more."""
    pair = {1: edge.subject, 2: edge.object}
    found: Row = {
        "chr": nodes.chromosome(graph.variants.places[edge.subject].chromosome),
        **{name: edge.fields.get(name) for name in ("ancestry", "d_prime", "r2")},
        "label": "linkage disequilibrum",  # so spelt by the real service
        "source": "TopLD",
        "source_url": nodes.source_url("TopLD"),
        "name": relation(question.endpoint.path, ""),
    }
    for number, spdi in pair.items():
        one, where = graph.variants.by_id[spdi], graph.variants.places[spdi]
        told: Row = {
            "base_pair": f"{where.ref}:{where.alt}",
            "rsid": one.rsids[0] if one.rsids else "",
            "pos": where.position,
            "spdi": spdi,
            "hgvs": one.hgvs or None,
        }
        found |= {
            f"variant_{number}_{name}": edge.fields.get(f"variant_{number}_{name}", value)
            for name, value in told.items()
        }
    variant = whole(graph, "variant", other) if question.is_verbose else None
    return {**found, "sequence_variant": [variant] if variant else other}


def of_prediction(graph: Graph, question: Question, edge: EdgeFacts, position: int) -> Row | None:
    """An element that holds a variant at ``position``, and the gene it is predicted to regulate."""
    element: ElementFacts | None = graph.nodes["element"].get(edge.subject)
    gene = graph.gene(edge.object)
    if element is None or gene is None:
        return None  # the service leaves out what it cannot resolve
    told = edge.fields
    return {
        "distance_gene_variant": _distance(gene, position),
        "element_chr": nodes.chromosome(element.chromosome),
        "element_start": element.start - 1,
        "element_end": element.end,
        "element_type": element.type,
        "id": nodes.reference("genomic_elements", element.id),
        "cell_type": told.get("cell_type", told.get("biological_context", "")),
        "target_gene": {
            "gene_name": gene.symbol,
            "id": nodes.reference("genes", gene.id),
            "chr": nodes.chromosome(gene.chromosome),
            "start": gene.start - 1,
            "end": gene.end,
        },
        "score": told.get("score"),
        "model": told.get("model", told.get("method", "ENCODE-rE2G")),
        "dataset": told.get("dataset", nodes.source_url(str(told.get("source", "ENCODE")))),
        "name": relation(question.endpoint.path, ""),
        "files_filesets": _file(told),
    }


def of_tested(graph: Graph, question: Question, edge: EdgeFacts, spdi: str) -> Row | None:
    """An element that holds a variant, and a gene that changed when the element was perturbed."""
    element, gene = whole(graph, "tested element", edge.subject), graph.gene(edge.object)
    if element is None or gene is None:
        return None
    start = gene.end if gene.strand == "-" else gene.start - 1
    return {
        "variant": nodes.simple_variant(graph.variants.by_id[spdi]),
        "distance_to_tss": abs(graph.variants.places[spdi].position - start),
        "genomic_element": element,
        "gene": {
            "_id": gene.id,
            "name": gene.symbol,
            "chr": nodes.chromosome(gene.chromosome),
            "start": gene.start - 1,
            "end": gene.end,
            "strand": gene.strand or None,
        },
        **fields_of(_TESTED, question.endpoint.path, edge),
    }


def of_score(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A change of a protein and a phenotype, with the score that joins them."""
    changed = graph.coding_variant(edge.subject)
    spdi = edge.fields.get("variant") or next(iter(variants_of(graph, edge.subject)), None)
    known = graph.variants.by_id.get(str(spdi).removeprefix("variants/"))
    return {
        "coding_variant": None
        if changed is None
        else {
            "_id": changed.id,
            "aapos": changed.position,
            "hgvsp": changed.hgvs_p,
            "protein_name": changed.protein_name,
            "gene_name": changed.gene_name,
            "ref": changed.ref,
            "alt": changed.alt,
        },
        "phenotype": whole(graph, "phenotype", edge.object),
        **fields_of(_SCORED, question.endpoint.path, edge),
        "variant": nodes.simple_variant(known) if known else None,
    }


def variants_of(graph: Graph, changed: str) -> list[str]:
    """The variants that make one change of a protein."""
    edges = (
        edge
        for name in ("coding_variant_variant", "variant_coding_variant")
        for edge in graph.edges(name).of((), [changed])
    )
    return sorted({edge.subject for edge in edges})


def changes_of(graph: Graph, spdi: str) -> list[str]:
    """The changes of proteins that a variant makes."""
    edges = (
        edge for name in ("coding_variant_variant", "variant_coding_variant") for edge in graph.edges(name).of([spdi])
    )
    return sorted({edge.object for edge in edges})


def scores_by_change(graph: Graph, edges: list[EdgeFacts]) -> list[Row]:
    """One item for each change of a protein: its variants, and the scores of each."""
    by_change = sorted(edges, key=lambda edge: (str(edge.fields.get("coding_variant", "")), edge.subject))
    return [
        {"protein_change": _change(graph, changed), "variants": _scores(graph, list(rows))}
        for changed, rows in groupby(by_change, key=lambda edge: str(edge.fields.get("coding_variant", "")))
    ]


def _change(graph: Graph, uid: str) -> Row:
    known = graph.coding_variant(uid)
    if known is None:
        return {}
    return {
        "protein_id": known.protein,
        "protein_name": known.protein_name,
        "transcript_id": known.transcript,
        "hgvsp": known.hgvs_p,
        "aapos": known.position,
        "ref": known.ref,
        "alt": known.alt,
    }


def _scores(graph: Graph, edges: list[EdgeFacts]) -> list[Row]:
    return [
        {"variant": nodes.simple_variant(graph.variants.by_id[spdi]), "scores": [_score(edge.fields) for edge in rows]}
        for spdi, rows in groupby(edges, key=lambda edge: edge.subject)
    ]


def _score(told: Mapping[str, Any]) -> Row:
    return {
        "method": told.get("method", "MutPred2"),
        "score": told.get("score"),
        "source_url": told.get("source_url", nodes.source_url("IGVF")),
        "files_filesets": _file(told),
    }


def _file(told: Mapping[str, Any]) -> str | None:
    uid = told.get("files_filesets")
    return nodes.reference("files_filesets", str(uid)) if uid else None


def _distance(gene: GeneFacts, position: int) -> int:
    """Bases between a position and the nearer end of a gene."""
    return min(abs(gene.start - 1 - position), abs(gene.end - position))


RENDER: Mapping[str, Callable[[Graph, Question, EdgeFacts], Row]] = {
    "variant_phenotype": of_phenotype,
    "coding_variant_phenotype": of_score,
}
"""By edge."""
