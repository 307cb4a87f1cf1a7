"""Answers the endpoints of edges: which edges fit, in which order, on which page."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from biofact.sandbox.services.igvf import refusals, render_edges, render_variants
from biofact.sandbox.services.igvf import render_nodes as nodes
from biofact.sandbox.services.igvf.asking import Question, Row, Span, absent, read_range
from biofact.sandbox.services.igvf.ends import Ids, chosen, is_protein
from biofact.sandbox.services.igvf.facts import EdgeFacts
from biofact.sandbox.services.igvf.fuzzy import alike
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sources.igvf.catalog import edges as declared_edges

_SIMILAR = ("biological_context", "biosample_term")
"""Filters that fall back to similar values."""
_COLLECTION = {
    "biosample_term": "ontology_terms",
    "cell_annotation_term": "ontology_terms",
    "element_id": "genomic_elements",
    "files_fileset": "files_filesets",
}
"""Into which collection the value of a filter refers."""
_FIELDS = {"element_id": "genomic_element", "files_fileset": "files_filesets", "pmid": "pmids"}
"""Fields that are not called as their filter is."""
_PLAIN = frozenset(
    {
        *("label", "method", "source", "class", "significant", "crispr_modality", "ancestry", "assertion"),
        *("cell_annotation", "cell_annotation_term", "files_fileset", "pmid", "phenotype_categories"),
        *("detection_method", "interaction_type", "element_id"),
    }
)
"""Filters that compare a field with a value."""
_EITHER_WAY = {"gene_gene", "protein_protein", "pathway_pathway", "variant_variant"}
_RENDER = {**render_edges.RENDER, **render_variants.RENDER}


def answer(graph: Graph, question: Question) -> list[Row]:
    """The rows of one page."""
    special = _SPECIAL.get(question.endpoint.path)
    if special is not None:
        return special(graph, question)
    edges = _page(graph, question, _candidates(graph, question))
    render = _RENDER.get(question.endpoint.edge, render_edges.joined)
    return [render(graph, question, edge) for edge in edges]


def _candidates(graph: Graph, question: Question) -> list[EdgeFacts]:
    """The edges with the ends that are asked for."""
    name = question.endpoint.edge
    edge, several = declared_edges()[name], graph.edges(name)
    if name in _EITHER_WAY:
        return _either_way(graph, question)
    before = ("regulator_", "response_") if name == "regulator_gene" else ("", "")
    subjects = chosen(graph, edge.subject.kind, question, before[0])
    objects = chosen(graph, edge.object.kind, question, before[1])
    if subjects is None:
        return several.all if objects is None else several.of((), objects)
    return [one for one in several.of(subjects) if objects is None or one.object in objects]


def _either_way(graph: Graph, question: Question) -> list[EdgeFacts]:
    name = question.endpoint.edge
    edge, several = declared_edges()[name], graph.edges(name)
    first = chosen(graph, edge.subject.kind, question)
    second = chosen(graph, edge.subject.kind, question, "associated_")
    found = several.all if first is None else several.of(first, first)
    if second is None:
        return found
    return [one for one in found if _is_between(one, first, second)]


def _is_between(edge: EdgeFacts, first: Ids | None, second: Ids) -> bool:
    ends = ((edge.subject, edge.object), (edge.object, edge.subject))
    return any((first is None or one in first) and other in second for one, other in ends)


def _page(graph: Graph, question: Question, edges: Sequence[EdgeFacts]) -> list[EdgeFacts]:
    """The page of the edges that fit every filter; where it is empty, of those with similar contexts."""
    fits = [edge for edge in edges if _fits(graph, question, edge)]
    asked = {name: value for name in _SIMILAR if (value := question.one(name)) is not None}
    exact = [edge for edge in fits if all(_context(edge, name) == value for name, value in asked.items())]
    found: list[EdgeFacts] = question.cut(exact)
    if found or not asked:
        return found
    for name, value in asked.items():
        known = alike(value, sorted({_context(edge, name) for edge in fits} - {""}))
        fits = [edge for edge in fits if _context(edge, name) in known]
    return question.cut(fits)


def _context(edge: EdgeFacts, name: str) -> str:
    return str(edge.fields.get(name) or "").removeprefix("ontology_terms/")


def _fits(graph: Graph, question: Question, edge: EdgeFacts) -> bool:
    path, types = question.endpoint.path, question.endpoint.parameters
    for name, value in question.given.items():
        if types[name] == "range":
            is_fit = _is_in_range(path, name, value, edge)
        elif name == "name":
            is_fit = _relation(graph, question, edge) == value
        elif name == "phenotype_name" and isinstance(types[name], tuple):
            is_fit = getattr(graph.term(edge.object), "name", None) == value
        else:
            is_fit = name not in _PLAIN or _has(edge, name, value)
        if not is_fit:
            return False
    return True


def _is_in_range(path: str, name: str, value: str, edge: EdgeFacts) -> bool:
    if name == "neg_log10_pvalue" and edge.edge == "variant_phenotype" and edge.fields.get("source") != "OpenTargets":
        return True  # the service filters GWAS rows alone by it, and gives all others
    told = edge.fields.get(name)
    return told is not None and read_range(path, name, value).holds(float(told))


def _relation(graph: Graph, question: Question, edge: EdgeFacts) -> str:
    """What a row's ``name`` will say."""
    render = _RENDER.get(edge.edge, render_edges.joined)
    return str(render(graph, question, edge)["name"])


def _has(edge: EdgeFacts, name: str, value: str) -> bool:
    """Whether an edge says so: as one value, or as one of several."""
    fields = {**render_variants.usual(edge), **edge.fields}
    told = fields.get(_FIELDS.get(name, name), fields.get(name))
    if name in _COLLECTION:
        return told is not None and nodes.reference(_COLLECTION[name], str(told)) == f"{_COLLECTION[name]}/{value}"
    if isinstance(told, bool):
        return str(told).lower() == value
    several = told if isinstance(told, list | tuple) else [told]
    return value in ([str(one).rstrip("/").rpartition("/")[2] for one in several] if name == "pmid" else several)


def _linked(graph: Graph, question: Question) -> list[Row]:
    """Variants in linkage with those that are asked for."""
    asked = chosen(graph, "variant", question) or set()
    edges = _page(graph, question, _candidates(graph, question))
    return [
        render_variants.of_linkage(graph, question, edge, edge.object if edge.subject in asked else edge.subject)
        for edge in edges
    ]


def _inside(graph: Graph, question: Question) -> tuple[str, Ids]:
    """The variant that is asked for, and the elements that hold it.

    Raises:
        Refusal: there is no such variant.
    """
    variants = sorted(chosen(graph, "variant", question) or ())
    if not variants:
        raise absent(refusals.NO_VARIANT)
    where = graph.variants.places[variants[0]]
    span = Span(where.chromosome, where.position, where.position + 1)
    return variants[0], {one.id for one in graph.elements.over(span, question.organism)}


def _predicted(graph: Graph, question: Question) -> list[Row]:
    spdi, elements = _inside(graph, question)
    position = graph.variants.places[spdi].position
    edges = [edge for edge in graph.edges("predicted_element_gene").of(elements) if _is_predicted(question, edge)]
    rows = (render_variants.of_prediction(graph, question, edge, position) for edge in question.cut(edges))
    return _known(rows)


def _is_predicted(question: Question, edge: EdgeFacts) -> bool:
    """Whether a prediction fits; its model says what method it is by."""
    method = question.one("method")
    told = edge.fields.get("method", edge.fields.get("model", ""))
    others = {name: value for name, value in question.given.items() if name == "files_fileset"}
    return (method is None or method in str(told)) and all(_has(edge, name, value) for name, value in others.items())


def _perturbed(graph: Graph, question: Question) -> list[Row]:
    spdi, elements = _inside(graph, question)
    edges = [edge for edge in graph.edges("element_gene").of(elements) if edge.fields.get("method") == "Perturb-seq"]
    rows = (render_variants.of_tested(graph, question, edge, spdi) for edge in _page(graph, question, edges))
    return _known(rows)


def _known(rows: Iterable[Row | None]) -> list[Row]:
    return [row for row in rows if row is not None]


def _products(graph: Graph, question: Question) -> list[Row]:
    """The terms of a protein, by its ID, accession or name; not by a gene's ID."""
    query = question.given["query"]
    fields = ("protein_id", "name", "uniprot_name")
    several = graph.nodes["protein"].values()
    ids = {one.id for one in several if any(is_protein(one, field, query) for field in fields)} | {query}
    edges = _page(graph, question, graph.edges("product_function").of(ids))
    return [render_edges.RENDER["product_function"](graph, question, edge) for edge in edges]


def _scores(graph: Graph, question: Question) -> list[Row]:
    edges = [edge for edge in _candidates(graph, question) if _fits(graph, question, edge)]
    return question.cut(render_variants.scores_by_change(graph, edges))


def _changes(graph: Graph, question: Question) -> list[Row]:
    """The changes of proteins that variants make, whole."""
    variants = sorted(chosen(graph, "variant", question) or ())
    ids = sorted({uid for spdi in variants for uid in render_variants.changes_of(graph, spdi)})
    found = (graph.coding_variant(uid) for uid in ids)
    return question.cut([nodes.coding_variant(one) for one in found if one is not None])


def _changing(graph: Graph, question: Question) -> list[Row]:
    """The variants that make changes of proteins, whole."""
    changed = sorted(chosen(graph, "coding_variant", question) or ())
    ids = sorted({spdi for uid in changed for spdi in render_variants.variants_of(graph, uid)})
    return question.cut([nodes.simple_variant(graph.variants.by_id[spdi]) for spdi in ids])


_SPECIAL: Mapping[str, Callable[[Graph, Question], list[Row]]] = {
    "/variants/variant-ld": _linked,
    "/variants/predictions": _predicted,
    "/variants/genomic-elements/genes": _perturbed,
    "/gene-products/go-terms": _products,
    "/genes/coding-variants/scores": _scores,
    "/variants/coding-variants": _changes,
    "/coding-variants/variants": _changing,
}


def counted(edges: Iterable[EdgeFacts]) -> dict[str, int]:
    """How many edges there are by method."""
    counts: dict[str, int] = {}
    for edge in edges:
        method = str({**render_variants.usual(edge), **edge.fields}.get("method", ""))
        counts[method] = counts.get(method, 0) + 1
    return counts
