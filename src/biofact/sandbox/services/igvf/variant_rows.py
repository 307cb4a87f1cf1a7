"""Rows about variants that have a form of their own: phenotypes, linkage, predictions, changes of proteins."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from biofact.sandbox.services.igvf.edge_rows import named, whole, written_end
from biofact.sandbox.services.igvf.forms import ENDS, PLACED_GENE, SIMPLE_VARIANT, TESTED_ELEMENT, phenotype, variant
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.requests import CatalogRequest
from biofact.sandbox.tables import Row, identifier, only, without

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
        **without(row, "_from _to"),
        **named(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=request.is_verbose),
        "phenotype_id": row["_to"],
        "phenotype_term": term["name"] if term else None,
    }
    if is_gwas(row):
        result |= whole(graph, lambda known: only(known, "rsid"), row["_from"]) or {}
    if "study" in row and request.is_verbose:
        result["study"] = whole(graph, dict, row["study"]) or row["study"]
    return result


def of_linkage(graph: Graph, request: CatalogRequest, row: Row, other: str) -> Row:
    """Two variants in linkage; ``other`` is the one that the request does not name, and the row names once more."""
    known = whole(graph, variant, other) if request.is_verbose else None
    other_end = [known] if known else identifier(other)
    return {**without(row, "_from _to"), **named(request, row), "sequence_variant": other_end}


def of_prediction(graph: Graph, request: CatalogRequest, row: Row, position: int) -> Row | None:
    """An element that holds a variant at ``position``, and the gene it is predicted to regulate."""
    if graph.entity(row["_from"]) is None or graph.entity(row["_to"]) is None:
        return None  # the service leaves out what it cannot resolve
    gene = row["target_gene"]
    return {
        **without(row, "_from _to method source"),
        **named(request, row),
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
        **only(row, _OF_TESTED),
        **named(request, row),
        "variant": SIMPLE_VARIANT(variant_in_it),
        "distance_to_tss": abs(variant_in_it["pos"] - start),
        "genomic_element": element,
        "gene": gene,
    }


def of_score(graph: Graph, _: CatalogRequest, row: Row) -> Row:
    """A change of a protein and a phenotype, with the score that joins them."""
    return {
        **without(row, "_from _to"),
        "coding_variant": whole(
            graph, lambda change: only(change, "_id aapos hgvsp protein_name gene_name ref alt"), row["_from"]
        ),
        "phenotype": whole(graph, phenotype, row["_to"]),
        "variant": whole(graph, SIMPLE_VARIANT, row["variant"]),
    }


def joined_with(graph: Graph, field: str, references: Iterable[str], other: str) -> list[str]:
    """The variants (or changes of proteins) in ``other`` that are joined with these changes (or variants)."""
    ends = list(references)
    tables = [graph.edges[name] for name in _CHANGES]
    return sorted({row[other] for table in tables for row in table.rows_at(table.positions(field, ends))})


def scores_by_change(graph: Graph, rows: Iterable[Row]) -> list[Row]:
    """One item for each change of a protein: its variants, and the scores of each."""
    by_change = sorted(rows, key=lambda row: (row["coding_variant"], row["_from"]))
    return [
        {
            "protein_change": whole(graph, _change, reference) or {},
            "variants": [
                {"variant": whole(graph, SIMPLE_VARIANT, spdi), "scores": [_score(row) for row in scored]}
                for spdi, scored in groupby(several, key=lambda row: str(row["_from"]))
            ],
        }
        for reference, several in groupby(by_change, key=lambda row: str(row["coding_variant"]))
    ]


def _change(row: Row) -> Row:
    return only(row, "protein_id protein_name transcript_id hgvsp aapos ref alt")


def _score(row: Row) -> Row:
    return only(row, "method score source_url files_filesets")


WRITERS: Mapping[str, Callable[[Graph, CatalogRequest, Row], Row]] = {
    "variant_phenotype": of_phenotype,
    "coding_variant_phenotype": of_score,
}
"""By edge."""
