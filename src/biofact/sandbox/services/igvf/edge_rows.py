"""Rows of edges as endpoints answer them: what they join as references or whole, and the relation in words."""

from collections.abc import Callable, Mapping
from typing import Any

from biofact.sandbox.services.igvf.forms import (
    ENDS,
    RELATIONS,
    RELATIONS_BY_LABEL,
    VERBOSE,
    WHOLE,
    WHOLE_ELEMENT,
    Form,
    JoinedEnd,
)
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.requests import CatalogRequest
from biofact.sandbox.tables import Row, identifier, without

_ENDS = "_from _to"
_ALWAYS_WHOLE = {"variant_element"}


def joined(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A row of two ends and what it says of them, as most edges have it."""
    edge = request.endpoint.edge
    ends = {
        end.field: written_end(graph, end, row[field], is_whole=edge in _ALWAYS_WHOLE or _is_whole(request, end.field))
        for field, end in zip(("_from", "_to"), ENDS[edge], strict=True)
    }
    return {**ends, **without(row, _ENDS), **named(request, row)}


def named(request: CatalogRequest, row: Row) -> Row:
    """The relation of a row in words, in the direction of the endpoint, where it has any."""
    words = relation(request.path, row.get("label"))
    return {"name": words} if words else {}


def relation(path: str, by: str | None) -> str:
    """The relation in words, by a row's label or by its branch of GO."""
    return RELATIONS_BY_LABEL.get((path, by or "")) or RELATIONS.get(path, "")


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
    """A variant and a protein, or a complex."""
    subject, target = ENDS["variant_protein"]
    is_complex = row["_to"].startswith("complexes/")
    other = JoinedEnd(target.field, WHOLE) if is_complex else target
    term = whole(graph, dict, row["biosample_term"]) if request.is_verbose else None
    return {
        **without(row, _ENDS),
        **named(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=request.is_verbose),
        other.field: written_end(graph, other, row["_to"], is_whole=request.is_verbose),
        "biosample_term": term or row["biosample_term"],
        "is_complex": is_complex,
    }


def _of_motif(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A protein or complex and its motif; from motifs, verbose rows name the edge where the motif should be."""
    subject, target = ENDS["protein_motif"]
    if row["_from"].startswith("complexes/"):
        subject = JoinedEnd("complex", WHOLE)
    motif = written_end(graph, target, row["_to"], is_whole=_is_whole(request, target.field))
    if request.is_verbose and request.path == "/motifs/proteins":
        motif = f"{identifier(row['_to'])}_{identifier(row['_from'])}"
    return {
        **without(row, _ENDS),
        **named(request, row),
        subject.field: written_end(graph, subject, row["_from"], is_whole=_is_whole(request, subject.field)),
        target.field: motif,
    }


def _of_drug(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A variant and a drug: the end that the request names is a bare reference under the name of the store."""
    is_from_drug = request.path == "/drugs/variants"
    field, end = ("_from", ENDS["variant_drug"][0]) if is_from_drug else ("_to", ENDS["variant_drug"][1])
    return {
        **without(row, field),
        **named(request, row),
        end.field: written_end(graph, end, row[field], is_whole=request.is_verbose),
    }


def _of_biosample(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A variant and a biosample, with the element that the variant was tested in, where it was."""
    element = whole(graph, WHOLE_ELEMENT, row["genomic_element"]) if request.is_verbose else None
    return {**joined(graph, request, row), "genomic_element": element or row["genomic_element"]}


def _of_product(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    """A gene product and a term of GO, whose branch decides how the relation is called."""
    term = graph.entity(row["_to"])
    branch = term["subontology"] if term else "biological_process"
    return {**without(row, _ENDS), "name": relation(request.path, branch)}


def _of_regulator(_: Graph, __: CatalogRequest, row: Row) -> Row:
    """A regulator and a gene, both by symbol."""
    return without(row, _ENDS)


WRITERS: Mapping[str, Callable[[Graph, CatalogRequest, Row], Row]] = {
    "variant_biosample": _of_biosample,
    "variant_protein": _of_protein,
    "protein_motif": _of_motif,
    "variant_drug": _of_drug,
    "product_function": _of_product,
    "regulator_gene": _of_regulator,
}
"""By edge; all others are ``joined``."""
