"""Answers the endpoints of entities: exactly, or, where nothing fits a name, by text search as the service does."""

from collections import Counter
from collections.abc import Callable, Mapping

from biofact.sandbox.services.igvf.collections import COLLECTION_OF, COLLECTIONS
from biofact.sandbox.services.igvf.forms import ANSWERS, WHOLE
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.requests import USUAL_ROWS, CatalogRequest
from biofact.sandbox.services.igvf.selection import selected
from biofact.sandbox.tables import Row

_VARIANT_EDGES = (
    *("variant_gene", "variant_element", "variant_biosample", "variant_phenotype", "variant_disease"),
    *("variant_protein", "variant_drug"),
)


def answer(graph: Graph, request: CatalogRequest) -> list[Row] | Row:
    """The entities of one page; of a region's summary, its counts."""
    special = _SPECIAL.get(request.path)
    if special is not None:
        return special(graph, request)
    collection = COLLECTION_OF[request.endpoint.record]
    return [ANSWERS.get(collection, WHOLE)(row) for row in _page(graph, request, collection)]


def _page(graph: Graph, request: CatalogRequest, collection: str) -> list[Row]:
    """The page of what fits exactly; where it is empty, even past the end, a page of 25 of what text search has."""
    declared = COLLECTIONS[collection]
    texts = {name: value for name, value in request.filters.items() if name in declared.texts}
    rows = _rows_of(graph, request, collection, without=texts)
    exact = {row[declared.key] for row in graph.tables[collection].select(texts)}
    page = request.page_of([row for row in rows if row[declared.key] in exact])
    if page or not texts:
        return page
    similar = set.intersection(*(graph.similar(collection, name, value) for name, value in texts.items()))
    return request.page_of([row for row in rows if row[declared.key] in similar], limit=USUAL_ROWS)


def _rows_of(graph: Graph, request: CatalogRequest, collection: str, *, without: Mapping[str, str]) -> list[Row]:
    """The entities of the organism that fit the other filters, in the region if there is one."""
    filters = {name: value for name, value in request.filters.items() if name not in without and name != "region"}
    if "organism" in COLLECTIONS[collection].filters:
        filters["organism"] = request.organism
    rows = graph.tables[collection].select(filters)
    if request.region is None:
        return rows
    inside = {row["_id"] for row in graph.places[collection].over(request.region)}
    return [row for row in rows if row["_id"] in inside]


def _complexes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """By words in any case: there is no exact search of names."""
    texts = COLLECTIONS["complexes"].texts
    rows = graph.tables["complexes"].select({k: v for k, v in request.filters.items() if k not in texts})
    for name in texts.keys() & request.filters.keys():
        ids = graph.holding("complexes", name, request.filters[name])
        rows = [row for row in rows if row["_id"] in ids]
    return request.page_of(rows)


def _frequencies(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Variants by their frequency in a source, which has to know one."""
    own = ("source", "minimum_af", "maximum_af")
    rows = _rows_of(graph, request, "variants", without=dict.fromkeys(own, ""))
    source = request.filters["source"]
    least, most = float(request.filters.get("minimum_af", "0")), float(request.filters.get("maximum_af", "1"))
    fits = [row for row in rows if least <= row["annotations"].get(source, -1.0) <= most]
    return [ANSWERS["variants"](row) for row in request.page_of(fits)]


def _region_summary(graph: Graph, request: CatalogRequest) -> Row:
    """How many variants a region has, and how many rows tell of them, by method."""
    variants = selected(graph, "variant", request) or set()
    tables = [graph.edges[name] for name in _VARIANT_EDGES]
    rows = (row for table in tables for row in table.rows_at(table.positions("_from", variants)))
    counts = Counter(row.get("method") or "" for row in rows)
    by_method = [{"method": method, "count": count} for method, count in sorted(counts.items())]
    return {"variant_count": len(variants), "by_method": by_method}


_SPECIAL: Mapping[str, Callable[[Graph, CatalogRequest], list[Row] | Row]] = {
    "/complexes": _complexes,
    "/variants/freq": _frequencies,
    "/variants/region-summary": _region_summary,
}
