"""The stand-in for the IGVF Catalog: its endpoints of entities and of edges, and its replay.

Names are searched exactly, or, where nothing fits one, by text search as the service does.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from biofact.sandbox.recordings import Recording, Replay, RequestKey
from biofact.sandbox.services.igvf import render
from biofact.sandbox.services.igvf.corpus import (
    COLLECTION_OF,
    COLLECTIONS,
    EDGE_FILTERS,
    Graph,
    Region,
    reference,
    similar_texts,
    term_id,
)
from biofact.sandbox.services.igvf.render import ANSWERS, GENE, SIMPLE_VARIANT, WHOLE
from biofact.sandbox.services.igvf.requests import USUAL_ROWS, CatalogRequest, catalog_request, not_found, read_range
from biofact.sandbox.sizes import JsonPadding, RecordSize, first_number, further_rows, scattered
from biofact.sandbox.standin import RefusingStandIn, Reply, ServiceRequest, StandIn, json_reply
from biofact.sandbox.tables import Row, Rows, RowTable, identifier, starter_tables
from biofact.sources.igvf.catalog import edges as declared_edges
from biofact.sources.igvf.service import IGVF


def stand_ins(recordings: Path | None = None) -> tuple[StandIn, ...]:  # noqa: ARG001
    """The Catalog over the starter rows; recordings add no rows. They have no state between requests."""
    return (_of_starter(),)


@functools.cache
def _of_starter() -> StandIn:
    return IgvfStandIn(starter_tables(__package__))


def _annotated_variants(document: Any) -> Iterator[tuple[str, Row]]:
    """The variants among rows, or in them, with the annotations that verbose answers have."""
    for row in document if isinstance(document, list) else []:
        for variant in (row, row.get("sequence_variant")):
            if isinstance(variant, dict) and isinstance(variant.get("annotations"), dict):
                yield str(variant.get("_id")), variant


def _annotate(variant: Row, max_bytes: int) -> None:
    """Add the scores that FAVOR has of a variant."""
    scores = (f"apc_score_{number}" for number in range(max_bytes // 24))
    start = first_number(variant)
    variant["annotations"] |= {name: scattered(number, 3 * 10**6) / 1e5 for number, name in enumerate(scores, start)}


def _proteins(document: Any) -> Iterator[tuple[str, Row]]:
    """The proteins among rows, or in them, with their cross-references."""
    for row in document if isinstance(document, list) else []:
        for protein in (row, row.get("protein")):
            if isinstance(protein, dict) and protein.get("dbxrefs"):
                yield str(protein.get("_id")), protein


_VARIANT_PADDING = JsonPadding(
    path=re.compile(r"/.*"),
    size=RecordSize(1_650, 3_000, "27 recorded variants of 2023-24: 0.4, median 1.65, at most 3.0 kB"),
    records=_annotated_variants,
    grow=_annotate,
)
_PROTEIN_PADDING = JsonPadding(
    path=re.compile(r"/.*"),
    size=RecordSize(7_000, 7_700, "two recorded proteins of June 2026: 7.0 and 7.6 kB, 197 cross-references"),
    records=_proteins,
    grow=further_rows(
        lambda number: {"name": "PDBsum", "id": f"9X{scattered(number, 10**4):04}"}, lambda protein: protein["dbxrefs"]
    ),
)


class IgvfStandIn(RefusingStandIn):
    """Answers as the Catalog does over rows in its own form."""

    service = IGVF
    paddings = (_VARIANT_PADDING, _PROTEIN_PADDING)

    def __init__(self, rows: Rows) -> None:
        self._graph = Graph(rows)

    def replay(self, recordings: Sequence[Recording]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return IgvfReplay(recordings)

    def answer(self, raw: ServiceRequest) -> Reply:
        """The answer in the Catalog's form."""
        request = catalog_request(raw)
        endpoint = request.endpoint
        if endpoint.unused_reason:
            raise not_found(f"The sandbox has no {endpoint.path}: {endpoint.unused_reason}.")
        answer = answer_entities if endpoint.record else answer_edges
        return json_reply(answer(self._graph, request))


References = set[str]


def _same_names(names: str) -> dict[str, str]:
    return {name: name for name in names.split()}


_IDS = {
    "genes": ("gene_id",),
    "transcripts": ("transcript_id",),
    "proteins": ("protein_id",),
    "ontology_terms": ("phenotype_id", "disease_id", "biosample_id", "go_term_id"),
    "drugs": ("drug_id",),
    "complexes": ("complex_id",),
    "pathways": ("pathway_id",),
}
"""Parameters of endpoints of edges that take an ID, be it known or not."""
_PARAMETERS: Mapping[str, Mapping[str, str]] = {
    "genes": {"hgnc_id": "hgnc_id", "gene_name": "name", "synonym": "synonym"},
    "variants": _same_names("variant_id spdi hgvs rsid ca_id"),
    "genomic_elements": {"source_annotation": "source_annotation", "region_type": "type"},
    "transcripts": {"transcript_type": "transcript_type"},
    "proteins": {"protein_name": "name", **_same_names("uniprot_name uniprot_full_name dbxrefs")},
    "ontology_terms": {},
    "drugs": {"drug_name": "name"},
    "complexes": {"complex_name": "name", "description": "description"},
    "pathways": {
        "pathway_name": "name",
        **_same_names("name_aliases disease_ontology_terms go_biological_process"),
    },
    "motifs": {"tf_name": "tf_name"},
    "coding_variants": _same_names(
        "coding_variant_name hgvsp protein_id uniprot_name gene_name amino_acid_position alt_amino_acid transcript_id"
    ),
}
"""Other parameters of edge endpoints, with their names in the collection."""
_TERM_NAMES = ("phenotype_name", "disease_name", "biosample_name")
_PATHS = {"variants": "/variants", "genomic_elements": "/genomic-elements", "transcripts": "/"}
"""An endpoint's region applies to the entities that its path begins with, not to the other end."""


def selected(graph: Graph, kind: str, request: CatalogRequest, prefix: str = "") -> References | None:
    """The entities of one kind that a request names; None where it names none.

    ``prefix`` stands in front of the parameters, such as ``regulator_``.
    """
    collection = COLLECTION_OF[kind]
    ids, parameters = _IDS.get(collection, ()), _PARAMETERS[collection]
    candidates: list[References] = []
    for name in (*ids, *parameters, *(_TERM_NAMES if kind == "term" else ())):
        value = request.filters.get(f"{prefix}{name}")
        if value is None:
            continue
        if name in ids:
            candidates.append(_by_id(graph, collection, value, request))
        elif name in parameters:
            candidates.append(_by_parameter(graph, collection, parameters[name], value, request))
        else:
            candidates.append(_by_term_name(graph, value))
    region = request.region
    if region is not None and request.path.startswith(_PATHS.get(collection, "-")):
        candidates.append(_references(collection, graph.places[collection].overlapping(region)))
    return set.intersection(*candidates) if candidates else None


def _by_id(graph: Graph, collection: str, value: str, request: CatalogRequest) -> References:
    """A reference to this ID, known or not; none if it belongs to another organism."""
    uid = term_id(value) if collection == "ontology_terms" else value
    entity = graph.tables[collection].by_key.get(uid)
    if entity is not None and entity.get("organism", request.organism) != request.organism:
        return set()
    if entity is None and collection == "proteins":  # by an accession, or with a version
        rows = graph.tables[collection].select({"protein_id": uid, "organism": request.organism})
        return _references(collection, rows) or {f"{collection}/{uid}"}
    return {f"{collection}/{uid}"}


def _by_parameter(graph: Graph, collection: str, name: str, value: str, request: CatalogRequest) -> References:
    """Exact matches, or, without any, similar ones if the parameter is searched as text."""
    table, collection_facts = graph.tables[collection], COLLECTIONS[collection]
    organism = {"organism": request.organism} if "organism" in collection_facts.filters else {}
    rows = table.select({name: value, **organism}) if name in collection_facts.filters else []
    if not rows and name in collection_facts.texts:
        similar_ids = graph.similar(collection, name, value)
        rows = [row for row in table.select(organism) if row[collection_facts.key] in similar_ids]
    limit = USUAL_ROWS if (collection, name) == ("genes", "name") else len(rows)
    return _references(collection, rows[:limit])


def _by_term_name(graph: Graph, value: str) -> References:
    """Terms with this name; where there is none, those with a similar one."""
    table = graph.tables["ontology_terms"]
    names = {row["name"]: None for row in table.rows}
    fits = [value] if value in names else similar_texts(value, list(names))
    return _references("ontology_terms", table.rows_at(table.positions("name", fits)))


def _references(collection: str, rows: Iterable[Row]) -> References:
    key = COLLECTIONS[collection].key
    return {f"{collection}/{row[key]}" for row in rows}


_VARIANT_EDGES = (
    *("variant_gene", "variant_element", "variant_biosample", "variant_phenotype", "variant_disease"),
    *("variant_protein", "variant_drug"),
)


def answer_entities(graph: Graph, request: CatalogRequest) -> list[Row] | Row:
    """The entities of one page; of a region's summary, its counts."""
    special = _SPECIAL_ENTITIES.get(request.path)
    if special is not None:
        return special(graph, request)
    collection = COLLECTION_OF[request.endpoint.record]
    return [ANSWERS.get(collection, WHOLE)(row) for row in _entity_page(graph, request, collection)]


def _entity_page(graph: Graph, request: CatalogRequest, collection: str) -> list[Row]:
    """The page of what fits exactly; where it is empty, even past the end, a page of 25 of what text search has."""
    collection_facts = COLLECTIONS[collection]
    texts = {name: value for name, value in request.filters.items() if name in collection_facts.texts}
    rows = _rows_of(graph, request, collection, excluded_filters=texts)
    exact = {row[collection_facts.key] for row in graph.tables[collection].select(texts)}
    page = request.page_of([row for row in rows if row[collection_facts.key] in exact])
    if page or not texts:
        return page
    similar = set.intersection(*(graph.similar(collection, name, value) for name, value in texts.items()))
    return request.page_of([row for row in rows if row[collection_facts.key] in similar], limit=USUAL_ROWS)


def _rows_of(
    graph: Graph, request: CatalogRequest, collection: str, *, excluded_filters: Mapping[str, str]
) -> list[Row]:
    """The entities of the organism that fit the other filters, in the region if there is one."""
    filters = {
        name: value for name, value in request.filters.items() if name not in excluded_filters and name != "region"
    }
    if "organism" in COLLECTIONS[collection].filters:
        filters["organism"] = request.organism
    rows = graph.tables[collection].select(filters)
    if request.region is None:
        return rows
    ids_inside = {row["_id"] for row in graph.places[collection].overlapping(request.region)}
    return [row for row in rows if row["_id"] in ids_inside]


def _complexes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The complexes with these words, in any case: there is no exact search of names."""
    texts = COLLECTIONS["complexes"].texts
    rows = graph.tables["complexes"].select({k: v for k, v in request.filters.items() if k not in texts})
    for name in texts.keys() & request.filters.keys():
        ids = graph.with_all_tokens("complexes", name, request.filters[name])
        rows = [row for row in rows if row["_id"] in ids]
    return request.page_of(rows)


def _frequencies(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Variants by their frequency in a source, which has to know one."""
    frequency_filters = ("source", "minimum_af", "maximum_af")
    rows = _rows_of(graph, request, "variants", excluded_filters=dict.fromkeys(frequency_filters, ""))
    source = request.filters["source"]
    minimum, maximum = float(request.filters.get("minimum_af", "0")), float(request.filters.get("maximum_af", "1"))
    fits = [row for row in rows if minimum <= row["annotations"].get(source, -1.0) <= maximum]
    return [ANSWERS["variants"](row) for row in request.page_of(fits)]


def _region_summary(graph: Graph, request: CatalogRequest) -> Row:
    """Number of variants in a region, and of the rows about them by method."""
    variants = selected(graph, "variant", request) or set()
    tables = [graph.edges[name] for name in _VARIANT_EDGES]
    rows = (row for table in tables for row in table.rows_at(table.positions("_from", variants)))
    counts = Counter(row.get("method") or "" for row in rows)
    by_method = [{"method": method, "count": count} for method, count in sorted(counts.items())]
    return {"variant_count": len(variants), "by_method": by_method}


_SPECIAL_ENTITIES: Mapping[str, Callable[[Graph, CatalogRequest], list[Row] | Row]] = {
    "/complexes": _complexes,
    "/variants/freq": _frequencies,
    "/variants/region-summary": _region_summary,
}


_SIMILAR = ("biological_context", "biosample_term")
"""Filters that fall back to similar values."""
# A row stands once, whichever end is asked for.
_EITHER_WAY = {"gene_gene", "protein_protein", "pathway_pathway", "variant_variant"}


def answer_edges(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The rows of one page."""
    special = _SPECIAL_EDGES.get(request.path)
    if special is not None:
        return special(graph, request)
    return [_rendered(graph, request, row) for row in _edge_page(graph, request, _candidates(graph, request))]


def _rendered(graph: Graph, request: CatalogRequest, row: Row) -> Row:
    return render.WRITERS.get(request.endpoint.edge, render.edge_row)(graph, request, row)


def _candidates(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The rows with the ends that the request names and the values of its plain filters."""
    name = request.endpoint.edge
    edge, table = declared_edges()[name], graph.edges[name]
    filtered = _filtered(table, request)
    if name in _EITHER_WAY:
        first = selected(graph, edge.subject.kind, request)
        second = selected(graph, edge.subject.kind, request, "associated_")
        fits = [] if first is None else [table.positions("_from", first) | table.positions("_to", first)]
        return [row for row in table.rows_at(*fits, *filtered) if _joins(row, first, second)]
    prefixes = ("regulator_", "response_") if name == "regulator_gene" else ("", "")
    subjects = selected(graph, edge.subject.kind, request, prefixes[0])
    objects = selected(graph, edge.object.kind, request, prefixes[1])
    ends = [table.positions(field, ids) for field, ids in (("_from", subjects), ("_to", objects)) if ids is not None]
    return table.rows_at(*ends, *filtered)


def _filtered(table: RowTable, request: CatalogRequest) -> list[set[int]]:
    return [table.positions(name, (value,)) for name, value in request.filters.items() if name in EDGE_FILTERS]


def _joins(row: Row, first: References | None, second: References | None) -> bool:
    ends = ((row["_from"], row["_to"]), (row["_to"], row["_from"]))
    return second is None or any((first is None or first_end in first) and other in second for first_end, other in ends)


def _edge_page(graph: Graph, request: CatalogRequest, rows: Sequence[Row]) -> list[Row]:
    """The page of the rows that fit every filter; where it is empty, of those with similar contexts."""
    fits = [row for row in rows if _fits(graph, request, row)]
    contexts = {name: value for name in _SIMILAR if (value := request.filters.get(name)) is not None}
    exact = [row for row in fits if all(_context(row, name) == value for name, value in contexts.items())]
    page = request.page_of(exact)
    if page or not contexts:
        return page
    for name, value in contexts.items():
        similar = similar_texts(value, sorted({_context(row, name) for row in fits} - {""}))
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
            is_fit = _rendered(graph, request, row)["name"] == value
        elif name == "phenotype_name" and isinstance(types[name], tuple):
            is_fit = (graph.entity(row["_to"]) or {}).get("name") == value
        if not is_fit:
            return False
    return True


def _is_in_range(request: CatalogRequest, name: str, value: str, row: Row) -> bool:
    if name == "neg_log10_pvalue" and request.endpoint.edge == "variant_phenotype" and not render.is_gwas(row):
        return True  # the service filters GWAS rows alone by it, and gives all others
    number = row.get(name)
    return number is not None and read_range(request.path, name, value).holds(float(number))


def _linked_variants(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Variants in linkage with those that the request names."""
    variants = selected(graph, "variant", request) or set()
    return [
        render.of_linkage(graph, request, row, row["_to"] if row["_from"] in variants else row["_from"])
        for row in _edge_page(graph, request, _candidates(graph, request))
    ]


def _variant_in_elements(graph: Graph, request: CatalogRequest) -> tuple[Row, list[str]]:
    """The variant that the request names, and the elements that hold it.

    Raises:
        Refusal: there is no such variant.
    """
    variants = sorted(selected(graph, "variant", request) or ())
    if not variants:
        raise not_found("Variant not found.")
    variant = graph.tables["variants"].by_key[identifier(variants[0])]
    base = Region(request.organism, variant["chr"], variant["pos"], variant["pos"] + 1)
    return variant, [reference("element", row["_id"]) for row in graph.places["genomic_elements"].overlapping(base)]


def _predicted_genes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """Predictions of the elements that hold a variant; the method is in the model's name if the row has none."""
    variant, elements = _variant_in_elements(graph, request)
    table, method = graph.edges["predicted_element_gene"], request.filters.get("method", "")
    filters = [
        table.positions("files_fileset", (value,)) for name, value in request.filters.items() if name == "files_fileset"
    ]
    candidates = table.rows_at(table.positions("_from", elements), *filters)
    rows = [row for row in candidates if method in (row["method"] or row["model"])]
    return _drop_unknown(render.of_prediction(graph, request, row, variant["pos"]) for row in request.page_of(rows))


def _perturbed_genes(graph: Graph, request: CatalogRequest) -> list[Row]:
    variant, elements = _variant_in_elements(graph, request)
    table = graph.edges["element_gene"]
    rows = table.rows_at(
        table.positions("_from", elements), table.positions("method", ("Perturb-seq",)), *_filtered(table, request)
    )
    page = _edge_page(graph, request, rows)
    return _drop_unknown(render.of_tested(graph, request, row, variant["_id"]) for row in page)


def _drop_unknown(rows: Iterable[Row | None]) -> list[Row]:
    return [row for row in rows if row is not None]


def _products(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The terms of a protein, by its ID, accession or name; not by a gene's ID."""
    query, proteins, table = request.filters["query"], graph.tables["proteins"], graph.edges["product_function"]
    proteins_by_name = [
        row for name in ("protein_id", "name", "uniprot_name") for row in proteins.select({name: query})
    ]
    references = {reference("protein", uid) for uid in (query, *(row["_id"] for row in proteins_by_name))}
    rows = table.rows_at(table.positions("_from", references))
    return [_rendered(graph, request, row) for row in _edge_page(graph, request, rows)]


def _scores(graph: Graph, request: CatalogRequest) -> list[Row]:
    rows = [row for row in _candidates(graph, request) if _fits(graph, request, row)]
    return request.page_of(render.scores_by_change(graph, rows))


def _changes_of_variants(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The changes of proteins that variants make, whole."""
    variants = selected(graph, "variant", request) or ()
    changes = render.joined_ends(graph, "_from", variants, "_to")
    return request.page_of(_drop_unknown(graph.entity(change) for change in changes))


def _variants_of_changes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The variants that make changes of proteins, whole."""
    changes = selected(graph, "coding_variant", request) or ()
    variants = render.joined_ends(graph, "_to", changes, "_from")
    return request.page_of(_drop_unknown(render.whole(graph, SIMPLE_VARIANT, variant) for variant in variants))


def _nearest_genes(graph: Graph, request: CatalogRequest) -> list[Row]:
    """The genes that overlap a region, or, without any, the nearest one on either side."""
    if request.region is None:
        return []
    genes = graph.places["genes"]
    return [GENE(row) for row in genes.overlapping(request.region) or genes.neighbors(request.region)]


_SPECIAL_EDGES: Mapping[str, Callable[[Graph, CatalogRequest], list[Row]]] = {
    "/variants/variant-ld": _linked_variants,
    "/variants/predictions": _predicted_genes,
    "/variants/genomic-elements/genes": _perturbed_genes,
    "/gene-products/go-terms": _products,
    "/genes/coding-variants/scores": _scores,
    "/variants/coding-variants": _changes_of_variants,
    "/coding-variants/variants": _variants_of_changes,
    "/variants/nearest-genes": _nearest_genes,
}


_DEFAULTS = {("page", ("0",)), ("organism", ("Homo sapiens",)), ("verbose", ("false",))}
_ONE_ITEM = "igvf/example_"
"""Prefix of recordings that hold only the first item of an answer."""
_ONE_ENTITY = {
    "/coding-variants": "name",
    "/drugs": "drug_id",
    "/files-filesets": "file_fileset_id",
    "/pathways": "id",
    "/proteins": "protein_id",
}
"""Endpoints by the parameter that makes the answer a single item, which fits any limit."""


def _request_key(path: str, params: Mapping[str, str | list[str]]) -> RequestKey:
    key = RequestKey.from_parameters(path.removesuffix("/"), params)
    filters = key.filters - _DEFAULTS
    filters_but_limit = frozenset((name, value) for name, value in filters if name != "limit")
    is_one = {name for name, _ in filters_but_limit} == {_ONE_ENTITY.get(key.path)}
    return RequestKey(key.path, filters_but_limit if is_one else filters)


class IgvfReplay:
    """Replays recorded answers. Those in an old shape answer only where their era is chosen: they fit no record."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._recordings: dict[RequestKey, Recording] = {}
        for recording in recordings:
            if not recording.is_last_resort:
                self._recordings.setdefault(_request_key(recording.path, recording.params), recording)

    def __call__(self, request: ServiceRequest) -> Reply | None:
        """The recorded answer to ``request``; None when there is none."""
        if request.method != "GET":
            return None
        row = self._recordings.get(_request_key(request.path, request.parameters))
        if row is None:
            return None
        body = row.body()
        return Reply(b"[%b]" % body if row.name.startswith(_ONE_ITEM) else body, row.content_type)
