"""Rows that do not hold their ends under one name each, brought into the form of those that do. Pure.

Some endpoints flatten an end into the row, leave out the start entity, or nest several associations in one
row; each has a function here, by the name of its edge.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from biofact.dialects.genomic.regions import Region
from biofact.dialects.json_values import objects, text, within
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.places import region

_NESTS = {"gene_coding_variant": "variants", "related": "related", "predicted_variant_gene": "genes"}
"""By edge, where a row holds its associations."""
_OF_ENTRIES = {"gene_coding_variant": ("variant", "scores")}
"""What every association that is nested so has, by the contract."""
_OF_CHANGES = ("protein_id", "protein_name", "transcript_id", "hgvsp", "aapos")


def unflattened(edge: str, row: Row, start: Any) -> Iterable[Row]:
    """The associations that a row holds, each with both ends; ``start`` is the end that rows may leave out."""
    complete = _BY_EDGE.get(edge)
    return [row] if complete is None else complete(row, start)


def is_nested(edge: str) -> bool:
    """Whether a row of this edge holds several associations."""
    return edge in _NESTS


def lacking_nest(edge: str, row: Row) -> str | None:
    """The field that holds a row's associations, or a part of these, where the row does not have it at all."""
    nest = _NESTS.get(edge)
    if nest is None:
        return None
    if nest not in row:
        return nest
    lacking = (name for name in _OF_ENTRIES.get(edge, ()) for entry in objects(row, nest) if name not in entry)
    return next((f"{nest}.{name}" for name in lacking), None)


def _predicted_element_gene(row: Row, _: Any) -> Iterator[Row]:
    element = {name: row.get(name) for name in ("id", "element_chr", "element_start", "element_end")}
    yield {**row, "element": element, "biological_context": row.get("cell_type"), "method": row.get("model")}


def _regulator_gene(row: Row, start: Any) -> Iterator[Row]:
    """Genes come by symbol or by ID: the contract says text, and no answer is recorded."""
    ends = {
        "regulator_gene": within(row, "genomic_element").get("regulator_gene"),
        "response_gene": row.get("response_gene"),
    }
    name = start.get("name") if start else None
    yield {**row, **{end: start if name and gene == name else gene for end, gene in ends.items()}}


def _product_function(row: Row, _: Any) -> Iterator[Row]:
    product = {"_id": row.get("gene_product_id"), "name": row.get("gene_product_symbol")}
    yield {**row, "gene_product": product, "go": {"id": row.get("go_id"), "name": row.get("go_term_name")}}


def _gene_coding_variant(row: Row, start: Any) -> Iterator[Row]:
    change = within(row, "protein_change")
    names = {name: change.get(name) for name in _OF_CHANGES}
    for entry in objects(row, "variants"):
        for score in objects(entry, "scores"):
            yield {**names, **score, "variant": entry.get("variant"), "gene": start}


def _variant_variant(row: Row, start: Any) -> Iterator[Row]:
    """The start entity is the subject, whichever place of the pair it has."""
    first, second = (
        {"_id": row.get(f"{which}_spdi"), "rsid": row.get(f"{which}_rsid")} for which in ("variant_1", "variant_2")
    )
    ids = start["ids"] if start else ()
    is_second = second["_id"] in ids and first["_id"] not in ids
    pair = (second, first) if is_second else (first, second)
    yield {**row, "variant_1": pair[0], "variant_2": pair[1]}


def _variant_protein(row: Row, _: Any) -> Iterator[Row]:
    biosample = row.get("biosample_term")
    context = text(row, "biological_context")
    name = context or (text(biosample, "name") if isinstance(biosample, dict) else None)
    yield {**row, "biological_context": name}


def _related(row: Row, start: Any) -> Iterator[Row]:
    """Of a variant, gene or protein all that it is linked to, and by whom."""
    first = row.get("sequence_variant") or row.get("protein") or row.get("gene") or start
    for other in objects(row, "related"):
        second = other.get("gene") or other.get("protein") or other
        for source in objects(other, "sources") or [{}]:
            yield {**source, "first": first, "second": second}


def _counted_genes(row: Row, start: Any) -> Iterator[Row]:
    for gene in objects(row, "genes"):
        yield {"sequence_variant": start, "gene": gene, "name": row.get("name")}


def _scored_variant(row: Row, _: Any) -> Iterator[Row]:
    transcript = {"_id": row.get("transcript_id"), "gene_name": row.get("gene_name")}
    yield {**row, "transcript": transcript, "method": row.get("dataType"), "source_url": row.get("portalLink")}


def _place_gene(row: Row, start: Any) -> Iterator[Row]:
    """A gene near the start entity; one of another chromosome is near to nothing there."""
    place, gene = start.get("place") if start else None, region(row)
    there = Region.from_inclusive(gene) if gene else None
    is_near = place is not None and there is not None and place.chromosome == there.chromosome
    away = max(0, there.start - place.end, place.start - there.end) if is_near and place and there else None
    yield {"place": start, "gene": row if is_near or place is None else None, "distance": away} | _sourced(row)


def _sourced(row: Row) -> Row:
    return {"source": row.get("source")}


_BY_EDGE: dict[str, Callable[[Row, Any], Iterable[Row]]] = {
    "predicted_element_gene": _predicted_element_gene,
    "regulator_gene": _regulator_gene,
    "variant_phenotype": lambda row, _: [
        {**row, "phenotype": {"phenotype_id": row.get("phenotype_id"), "name": row.get("phenotype_term")}}
    ],
    "product_function": _product_function,
    "gene_coding_variant": _gene_coding_variant,
    "variant_coding_variant": lambda row, start: [{**row, "sequence_variant": start, "coding_variant": row}],
    "coding_variant_variant": lambda row, start: [{"variant": row, "coding_variant": start}],
    "variant_variant": _variant_variant,
    "variant_protein": _variant_protein,
    "related": _related,
    "place_gene": _place_gene,
    "summarised_variant_gene": lambda row, start: [{**row, "sequence_variant": start, "label": row.get("qtl_type")}],
    "predicted_variant_gene": _counted_genes,
    "scored_variant_transcript": _scored_variant,
}
