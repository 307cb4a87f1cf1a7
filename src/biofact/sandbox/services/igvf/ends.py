"""Which entities the parameters of a request stand for: exactly, or, where nothing fits, by text search."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from biofact.sandbox.services.igvf.asking import USUAL_ROWS, Question
from biofact.sandbox.services.igvf.facts import CodingVariantFacts, ElementFacts, Organism, PathwayFacts, ProteinFacts
from biofact.sandbox.services.igvf.fuzzy import alike
from biofact.sandbox.services.igvf.graph import Graph

Ids = set[str]
_GENE_CHANGES = 1
_PROTEIN_CHANGES = 3
_TERM_CHANGES = 1


def chosen(graph: Graph, kind: str, question: Question, before: str = "") -> Ids | None:
    """The entities of one kind that a request names; None where it names none.

    ``before`` stands in front of the parameters, such as ``regulator_``.
    """
    fits = [
        found
        for name, find in _BY_KIND[kind].items()
        if (value := question.one(f"{before}{name}")) is not None
        and (found := find(graph, value, question)) is not None
    ]
    return set.intersection(*fits) if fits else None


def genes_named(graph: Graph, name: str, organism: Organism) -> tuple[list[str], bool]:
    """IDs of the genes with this symbol, exactly, else of those that text search has for it; and which of the two."""
    exact = [uid for uid, gene in graph.nodes["gene"].items() if gene.symbol == name and gene.organism == organism]
    return (exact, True) if exact else (genes_like(graph, name, organism), False)


def genes_like(graph: Graph, name: str, organism: Organism) -> list[str]:
    """What text search has for a symbol, in the order of IDs."""
    found = graph.words["gene"].similar(name, _GENE_CHANGES)
    return [uid for uid, gene in graph.nodes["gene"].items() if uid in found and gene.organism == organism]


def proteins_like(graph: Graph, field: str, value: str, organism: Organism) -> list[str]:
    """What text search has for a protein's name."""
    found = graph.words[f"protein {field}"].similar(value, _PROTEIN_CHANGES)
    return [uid for uid, one in graph.nodes["protein"].items() if uid in found and one.organism == organism]


def is_protein(one: ProteinFacts, field: str, value: str) -> bool:
    """Whether a protein has exactly this value; names are compared in capitals."""
    if field == "protein_id":
        return value.partition(".")[0] == one.id or value in one.uniprot_ids
    if field == "name":
        return one.name == value.upper()
    if field == "uniprot_name":
        return value.upper() in one.uniprot_names
    if field == "uniprot_full_name":
        return value in one.uniprot_full_names
    return any(value in {uid, f"{name}:{uid}"} for name, uid in one.xrefs)


def is_pathway(one: PathwayFacts, field: str, value: str) -> bool:
    """Whether a pathway has exactly this value."""
    plain = value.removeprefix("ontology_terms/")
    return {
        "id": one.id == value,
        "name": one.name == value,
        "name_aliases": value in one.aliases,
        "is_in_disease": str(one.is_in_disease).lower() == value,
        "is_top_level_pathway": str(one.is_top_level).lower() == value,
        "disease_ontology_terms": plain in {term.removeprefix("ontology_terms/") for term in one.disease_terms},
        "go_biological_process": bool(one.go_process) and plain == one.go_process.removeprefix("ontology_terms/"),
    }[field]


def is_coding_variant(one: CodingVariantFacts, field: str, value: str) -> bool:
    """Whether a change of a protein has exactly this value."""
    if field == "amino_acid_position":
        return value in {str(one.position), f"{one.position}.0"}
    told: Mapping[str, Iterable[str]] = {
        "id": (one.id,),
        "name": (one.id, one.name),
        "coding_variant_name": (one.id, one.name),
        "hgvsp": (one.hgvs_p,),
        "protein_id": (one.protein,),
        "uniprot_name": (one.protein_name,),
        "gene_name": (one.gene_name,),
        "alt_amino_acid": (one.alt,),
        "transcript_id": (one.transcript,),
    }
    return value in told[field]


def is_element(one: ElementFacts, field: str, value: str) -> bool:
    """Whether an element has exactly this value."""
    told = {
        "source_annotation": one.annotation,
        "type": one.type,
        "region_type": one.type,
        "method": one.method,
        "source": one.source,
    }
    return told.get(field) == value


def _of_organism(graph: Graph, kind: str, uid: str, organism: Organism) -> bool:
    node = graph.nodes[kind].get(uid)
    return node is None or node.organism == organism


Find = Callable[[Graph, str, Question], "Ids | None"]


def _gene_id(graph: Graph, value: str, question: Question) -> Ids:
    return {value} if _of_organism(graph, "gene", value, question.organism) else set()


def _gene_where(is_it: Callable[[Any, str], bool]) -> Find:
    def find(graph: Graph, value: str, question: Question) -> Ids:
        genes = graph.nodes["gene"].values()
        return {one.id for one in genes if one.organism == question.organism and is_it(one, value)}

    return find


def _gene_name(graph: Graph, value: str, question: Question) -> Ids:
    return set(genes_named(graph, value, question.organism)[0][:USUAL_ROWS])


def _variant(graph: Graph, value: str, question: Question) -> Ids:
    named = graph.variants.by_name.get(value, ())
    return {spdi for spdi in named if graph.variants.places[spdi].organism == question.organism}


def _variant_region(graph: Graph, _: str, question: Question) -> Ids | None:
    """The region of an endpoint lies on what its path begins with; for the other end it says nothing."""
    span = question.region
    if span is None or not question.endpoint.path.startswith("/variants"):
        return None
    return set(graph.variants.within(span, question.organism))


def _element_region(graph: Graph, _: str, question: Question) -> Ids | None:
    span = question.region
    if span is None or not question.endpoint.path.startswith("/genomic-elements"):
        return None
    return {one.id for one in graph.elements.over(span, question.organism)}


def _transcript_region(graph: Graph, _: str, question: Question) -> Ids | None:
    span = question.region
    return None if span is None else {one.id for one in graph.transcripts.over(span, question.organism)}


def _element_where(field: str) -> Find:
    def find(graph: Graph, value: str, question: Question) -> Ids:
        elements = graph.nodes["element"].values()
        return {one.id for one in elements if one.organism == question.organism and is_element(one, field, value)}

    return find


def _transcript_type(graph: Graph, value: str, question: Question) -> Ids:
    several = graph.nodes["transcript"].values()
    return {one.id for one in several if one.organism == question.organism and one.type == value}


def _transcript_id(graph: Graph, value: str, question: Question) -> Ids:
    return {value} if _of_organism(graph, "transcript", value, question.organism) else set()


def _term_id(_: Graph, value: str, __: Question) -> Ids:
    return {value.removeprefix("ontology_terms/")}


def _term_name(graph: Graph, value: str, _: Question) -> Ids:
    """Terms with this name; where there is none, those with a similar one."""
    names: dict[str, list[str]] = {}
    for uid, term in graph.nodes["term"].items():
        names.setdefault(term.name, []).append(uid)
    fits = [value] if value in names else alike(value, list(names))
    return {uid for name in fits for uid in names[name]}


def _protein_where(field: str, param: str) -> tuple[str, Find]:
    def find(graph: Graph, value: str, question: Question) -> Ids:
        several = graph.nodes["protein"].values()
        exact = {one.id for one in several if one.organism == question.organism and is_protein(one, field, value)}
        if field == "protein_id" and not exact and value not in graph.nodes["protein"]:
            return {value}
        is_text = f"protein {field}" in graph.words
        return exact or (set(proteins_like(graph, field, value, question.organism)) if is_text else set())

    return param, find


def _words_of(kind: str, field: str, exact: Callable[[Any, str], bool] | None = None) -> Find:
    """By text: first the exact one where there is such, then by tokens, then with a changed character."""

    def find(graph: Graph, value: str, _: Question) -> Ids:
        same = {uid for uid, one in graph.nodes[kind].items() if exact is not None and exact(one, value)}
        return same or graph.words[f"{kind} {field}"].similar(value, _TERM_CHANGES)

    return find


def _pathway_where(field: str) -> Find:
    def find(graph: Graph, value: str, _: Question) -> Ids:
        return {uid for uid, one in graph.nodes["pathway"].items() if is_pathway(one, field, value)}

    return find


def _same(_: Graph, value: str, __: Question) -> Ids:
    return {value}


def _motif(graph: Graph, value: str, _: Question) -> Ids:
    return {uid for uid, one in graph.nodes["motif"].items() if one.tf_name == value.upper()}


def _coding_variant_where(field: str) -> Find:
    def find(graph: Graph, value: str, _: Question) -> Ids:
        return {uid for uid, one in graph.nodes["coding_variant"].items() if is_coding_variant(one, field, value)}

    return find


_BY_KIND: Mapping[str, Mapping[str, Find]] = {
    "gene": {
        "gene_id": _gene_id,
        "hgnc_id": _gene_where(lambda one, value: bool(one.hgnc) and value in {one.hgnc, one.hgnc[5:]}),
        "gene_name": _gene_name,
        "synonym": _gene_where(lambda one, value: value in one.synonyms),
    },
    "variant": {**dict.fromkeys(("variant_id", "spdi", "hgvs", "rsid", "ca_id"), _variant), "region": _variant_region},
    "element": {
        "region": _element_region,
        "source_annotation": _element_where("source_annotation"),
        "region_type": _element_where("region_type"),
    },
    "transcript": {"transcript_id": _transcript_id, "region": _transcript_region, "transcript_type": _transcript_type},
    "protein": dict(
        (
            _protein_where("protein_id", "protein_id"),
            _protein_where("name", "protein_name"),
            _protein_where("uniprot_name", "uniprot_name"),
            _protein_where("uniprot_full_name", "uniprot_full_name"),
            _protein_where("dbxrefs", "dbxrefs"),
        )
    ),
    "term": {
        **dict.fromkeys(("phenotype_id", "disease_id", "biosample_id", "go_term_id"), _term_id),
        **dict.fromkeys(("phenotype_name", "disease_name", "biosample_name"), _term_name),
    },
    "drug": {"drug_id": _same, "drug_name": _words_of("drug", "name", lambda one, value: one.name == value)},
    "complex": {
        "complex_id": _same,
        "complex_name": _words_of("complex", "name"),
        "description": _words_of("complex", "description"),
    },
    "pathway": {
        "pathway_id": _same,
        "pathway_name": _words_of("pathway", "name", lambda one, value: one.name == value),
        "name_aliases": _words_of("pathway", "name_aliases", lambda one, value: value in one.aliases),
        "disease_ontology_terms": _pathway_where("disease_ontology_terms"),
        "go_biological_process": _pathway_where("go_biological_process"),
    },
    "motif": {"tf_name": _motif},
    "coding_variant": {
        name: _coding_variant_where(name)
        for name in (
            *("coding_variant_name", "hgvsp", "protein_id", "uniprot_name", "gene_name", "amino_acid_position"),
            *("alt_amino_acid", "transcript_id"),
        )
    },
}
"""By kind and parameter."""
