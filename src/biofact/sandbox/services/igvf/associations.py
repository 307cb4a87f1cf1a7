"""Answers the endpoints of edges: which rows fit, in which order, on which page."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from biofact.sandbox.services.igvf import edge_rows, refusals, variant_rows
from biofact.sandbox.services.igvf.collections import EDGE_FILTERS
from biofact.sandbox.services.igvf.forms import GENE, SIMPLE_VARIANT
from biofact.sandbox.services.igvf.fuzzy import alike
from biofact.sandbox.services.igvf.graph import Graph, reference
from biofact.sandbox.services.igvf.places import Region
from biofact.sandbox.services.igvf.requests import CatalogRequest, absent, read_range
from biofact.sandbox.services.igvf.selection import References, selected
from biofact.sandbox.tables import Row, RowTable, identifier
from biofact.sources.igvf.catalog import edges as declared_edges

_SIMILAR = ("biological_context", "biosample_term")
"""Filters that fall back to similar values."""
_EITHER_WAY = {"gene_gene", "protein_protein", "pathway_pathway", "variant_variant"}
_WRITERS = {**edge_rows.WRITERS, **variant_rows.WRITERS}


def answer(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The rows of one page."""
    special = _SPECIAL.get(request.path)
    if special is not None:
        return special(graph, request)
    return [_written(graph, request, row) for row in _page(graph, request, _candidates(graph, request))]


def _written(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    return _WRITERS.get(request.endpoint.edge, edge_rows.joined)(graph, request, row)


def _candidates(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The rows with the ends that the request names and the values of its plain filters."""
    name = request.endpoint.edge
    edge, table = declared_edges()[name], graph.edges[name]
    filtered = _filtered(table, request)
    if name in _EITHER_WAY:
        first = selected(graph, edge.subject.kind, request)
        second = selected(graph, edge.subject.kind, request, "associated_")
        return [row for row in table.rows_at(*_either_end(table, first), *filtered) if _joins(row, first, second)]
    prefixes = ("regulator_", "response_") if name == "regulator_gene" else ("", "")
    subjects = selected(graph, edge.subject.kind, request, prefixes[0])
    objects = selected(graph, edge.object.kind, request, prefixes[1])
    ends = [
        table.positions(field, references)
        for field, references in (("_from", subjects), ("_to", objects))
        if references is not None
    ]
    return table.rows_at(*ends, *filtered)


def _filtered(table: RowTable, request: CatalogRequest) -> list[set[int]]:
    return [table.positions(name, (value,)) for name, value in request.filters.items() if name in EDGE_FILTERS]


def _either_end(table: RowTable, references: References | None) -> list[set[int]]:
    return [] if references is None else [table.positions("_from", references) | table.positions("_to", references)]


def _joins(row: Row, first: References | None, second: References | None) -> bool:
    ends = ((row["_from"], row["_to"]), (row["_to"], row["_from"]))
    return second is None or any((first is None or one in first) and other in second for one, other in ends)


def _page(graph: Graph, request: CatalogRequest, rows: Sequence[Row]) -> list[Row]:
    """The page of the rows that fit every filter; where it is empty, of those with similar contexts."""
    fits = [row for row in rows if _fits(graph, request, row)]
    contexts = {name: value for name in _SIMILAR if (value := request.filters.get(name)) is not None}
    exact = [row for row in fits if all(_context(row, name) == value for name, value in contexts.items())]
    page = request.page_of(exact)
    if page or not contexts:
        return page
    for name, value in contexts.items():
        similar = alike(value, sorted({_context(row, name) for row in fits} - {""}))
        fits = [row for row in fits if _context(row, name) in similar]
    return request.page_of(fits)


def _context(row: Row, name: str) -> str:
    return identifier(row.get(name) or "") if name == "biosample_term" else row.get(name) or ""


def _fits(graph: Graph, request: CatalogRequest, row: Row) -> bool:
    """Whether a row fits the filters that are more than one value of a field."""
    types = request.endpoint.parameters
    for name, value in request.filters.items():
        is_fit = True
        if types[name] == "range":
            is_fit = _is_in_range(request, name, value, row)
        elif name == "name":
            is_fit = _written(graph, request, row)["name"] == value
        elif name == "phenotype_name" and isinstance(types[name], tuple):
            is_fit = (graph.entity(row["_to"]) or {}).get("name") == value
        if not is_fit:
            return False
    return True


def _is_in_range(request: CatalogRequest, name: str, value: str, row: Row) -> bool:
    if name == "neg_log10_pvalue" and request.endpoint.edge == "variant_phenotype" and not variant_rows.is_gwas(row):
        return True  # the service filters GWAS rows alone by it, and gives all others
    number = row.get(name)
    return number is not None and read_range(request.path, name, value).holds(float(number))


def _linked(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Variants in linkage with those that the request names."""
    variants = selected(graph, "variant", request) or set()
    return [
        variant_rows.of_linkage(graph, request, row, row["_to"] if row["_from"] in variants else row["_from"])
        for row in _page(graph, request, _candidates(graph, request))
    ]


def _variant_in_elements(graph: Graph, request: CatalogRequest) -> tuple[Row, list[str]]:
    """The variant that the request names, and the elements that hold it.

    Raises:
        Refusal: there is no such variant.
    """
    variants = sorted(selected(graph, "variant", request) or ())
    if not variants:
        raise absent(refusals.NO_VARIANT)
    variant = graph.tables["variants"].by_key[identifier(variants[0])]
    base = Region(request.organism, variant["chr"], variant["pos"], variant["pos"] + 1)
    return variant, [reference("element", row["_id"]) for row in graph.places["genomic_elements"].over(base)]


def _predicted(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Predictions of the elements that hold a variant; their model says by what method they are."""
    variant, elements = _variant_in_elements(graph, request)
    table, method = graph.edges["predicted_element_gene"], request.filters.get("method", "")
    filters = [table.positions("files_fileset", (value,)) for value in _values(request, "files_fileset")]
    rows = [
        row
        for row in table.rows_at(table.positions("_from", elements), *filters)
        if method in (row["method"] or row["model"])
    ]
    return _known(variant_rows.of_prediction(graph, request, row, variant["pos"]) for row in request.page_of(rows))


def _values(request: CatalogRequest, name: str) -> list[str]:
    return [request.filters[name]] if name in request.filters else []


def _perturbed(graph: Graph, request: CatalogRequest) -> list[Row]:
    variant, elements = _variant_in_elements(graph, request)
    table = graph.edges["element_gene"]
    rows = table.rows_at(
        table.positions("_from", elements), table.positions("method", ("Perturb-seq",)), *_filtered(table, request)
    )
    page = _page(graph, request, rows)
    return _known(variant_rows.of_tested(graph, request, row, variant["_id"]) for row in page)


def _known(rows: Iterable[Row | None]) -> list[Row]:
    return [row for row in rows if row is not None]


def _products(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The terms of a protein, by its ID, accession or name; not by a gene's ID."""
    query, proteins, table = request.filters["query"], graph.tables["proteins"], graph.edges["product_function"]
    named = [row for name in ("protein_id", "name", "uniprot_name") for row in proteins.select({name: query})]
    references = {reference("protein", uid) for uid in (query, *(row["_id"] for row in named))}
    rows = table.rows_at(table.positions("_from", references))
    return [_written(graph, request, row) for row in _page(graph, request, rows)]


def _scores(graph: Graph, request: CatalogRequest) -> list[Row]:
    rows = [row for row in _candidates(graph, request) if _fits(graph, request, row)]
    return request.page_of(variant_rows.scores_by_change(graph, rows))


def _changes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The changes of proteins that variants make, whole."""
    variants = selected(graph, "variant", request) or ()
    changes = variant_rows.joined_with(graph, "_from", variants, "_to")
    return request.page_of(_known(graph.entity(change) for change in changes))


def _changing(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The variants that make changes of proteins, whole."""
    changes = selected(graph, "coding_variant", request) or ()
    variants = variant_rows.joined_with(graph, "_to", changes, "_from")
    return request.page_of(_known(edge_rows.whole(graph, SIMPLE_VARIANT, one) for one in variants))


def _nearest_genes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The genes over a region; where there is none, the one before and the one after."""
    if request.region is None:
        return []
    genes = graph.places["genes"]
    return [GENE(row) for row in genes.over(request.region) or genes.beside(request.region)]


_SPECIAL: Mapping[str, Callable[[Graph, CatalogRequest], list[Row]]] = {
    "/variants/variant-ld": _linked,
    "/variants/predictions": _predicted,
    "/variants/genomic-elements/genes": _perturbed,
    "/gene-products/go-terms": _products,
    "/genes/coding-variants/scores": _scores,
    "/variants/coding-variants": _changes,
    "/coding-variants/variants": _changing,
    "/variants/nearest-genes": _nearest_genes,
}
