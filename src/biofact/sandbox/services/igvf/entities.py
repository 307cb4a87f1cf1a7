"""Answers the endpoints of entities: exactly, or, where nothing fits a name, by text search as the service does."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from biofact.sandbox.services.igvf import render_nodes as nodes
from biofact.sandbox.services.igvf.asking import USUAL_ROWS, Question, Row
from biofact.sandbox.services.igvf.associations import counted
from biofact.sandbox.services.igvf.ends import (
    chosen,
    genes_like,
    is_coding_variant,
    is_element,
    is_pathway,
    is_protein,
    proteins_like,
)
from biofact.sandbox.services.igvf.facts import (
    CodingVariantFacts,
    ComplexFacts,
    DatasetFacts,
    DrugFacts,
    ElementFacts,
    GeneFacts,
    MotifFacts,
    PathwayFacts,
    ProteinFacts,
    StudyFacts,
    TermFacts,
    TranscriptFacts,
    VariantFacts,
)
from biofact.sandbox.services.igvf.graph import Graph

_CHANGES = 1
_VARIANT_EDGES = (
    *("variant_gene", "variant_element", "variant_biosample", "variant_phenotype", "variant_disease"),
    *("variant_protein", "variant_drug"),
)


def answer(graph: Graph, question: Question) -> list[Row] | Row:
    """The entities of one page; of a region's summary, its counts."""
    return _BY_PATH[question.endpoint.path](graph, question)


def _by_text(
    question: Question, exact: list[Any], texts: Iterable[str], like: Callable[[str, str], list[Any]]
) -> list[Any]:
    """The page of what fits exactly; where it is empty, even past the end, a page of 25 of what text search has."""
    found = question.cut(exact)
    if found:
        return found
    asked = [(name, value) for name in texts if (value := question.one(name)) is not None]
    if not asked:
        return []
    several = [like(name, value) for name, value in asked]
    rows = [one for one in several[0] if all(one in others for others in several[1:])]
    return question.cut(rows, limit=USUAL_ROWS)


def _genes(graph: Graph, question: Question) -> list[Row]:
    given = dict(question.given)
    name = given.pop("name", None)
    others = [one for one in _placed(graph, question, "gene") if _fits(one, given, _is_gene)]
    exact = [one for one in others if name in {None, one.symbol}]

    def like(_: str, value: str) -> list[GeneFacts]:
        ids = set(genes_like(graph, value, question.organism))
        return [one for one in others if one.id in ids]

    return [nodes.gene(one) for one in _by_text(question, exact, ("name",), like)]


def _is_gene(one: GeneFacts, field: str, value: str) -> bool:
    if field == "region":
        return True  # looked at already
    return {
        "gene_id": one.id == value,
        "hgnc_id": bool(one.hgnc) and value in {one.hgnc, one.hgnc.removeprefix("HGNC:")},
        "entrez": bool(one.entrez) and value.removeprefix("ENTREZ:") == one.entrez,
        "synonym": value in one.synonyms,
        "collection": value in one.collections,
        "study_set": value in one.study_sets,
        "gene_type": value == one.type,
    }[field]


def _placed(graph: Graph, question: Question, kind: str) -> list[Any]:
    """The entities of a kind and an organism, in a region if one is given, in the order of their IDs."""
    if question.region is not None:
        places: Any = {"gene": graph.genes, "transcript": graph.transcripts, "element": graph.elements}[kind]
        ids = {one.id for one in places.over(question.region, question.organism)}
        return [one for uid, one in graph.nodes[kind].items() if uid in ids]
    return [one for one in graph.nodes[kind].values() if one.organism == question.organism]


def _fits(one: Any, given: Mapping[str, str], is_so: Callable[[Any, str, str], bool]) -> bool:
    """Whether an entity has every value that is given."""
    return all(is_so(one, name, value) for name, value in given.items())


def _transcripts(graph: Graph, question: Question) -> list[Row]:
    def is_so(one: TranscriptFacts) -> bool:
        return question.one("transcript_id") in {None, one.id} and question.one("transcript_type") in {None, one.type}

    rows = [one for one in _placed(graph, question, "transcript") if is_so(one)]
    return [nodes.transcript(one) for one in question.cut(rows)]


def _proteins(graph: Graph, question: Question) -> list[Row]:
    several: list[ProteinFacts] = _placed(graph, question, "protein")
    exact = [one for one in several if _fits(one, question.given, is_protein)]

    def like(field: str, value: str) -> list[ProteinFacts]:
        ids = set(proteins_like(graph, field, value, question.organism))
        return [one for one in several if one.id in ids]

    texts = ("name", "uniprot_name", "uniprot_full_name")
    return [nodes.protein(one) for one in _by_text(question, exact, texts, like)]


def _variants(graph: Graph, question: Question) -> list[Row]:
    several = _named_variants(graph, question)
    return [nodes.variant(one) for one in question.cut(several)]


def _named_variants(graph: Graph, question: Question) -> list[VariantFacts]:
    ids = sorted(chosen(graph, "variant", question) or ())
    category, strain = question.one("GENCODE_category"), question.one("mouse_strain")
    known = (graph.variants.by_id[spdi] for spdi in ids)
    return [one for one in known if category in {None, one.category} and (strain is None or strain in one.strains)]


def _frequencies(graph: Graph, question: Question) -> list[Row]:
    source = question.given["source"]
    least, most = (float(question.one(name) or usual) for name, usual in (("minimum_af", "0"), ("maximum_af", "1")))
    several = [one for one in _named_variants(graph, question) if least <= one.frequencies.get(source, -1.0) <= most]
    return [nodes.variant(one) for one in question.cut(several)]


def _coding_variants(graph: Graph, question: Question) -> list[Row]:
    known: Iterable[CodingVariantFacts] = graph.nodes["coding_variant"].values()
    several = [one for one in known if _fits(one, question.given, is_coding_variant)]
    return [nodes.coding_variant(one) for one in question.cut(several)]


def _terms(graph: Graph, question: Question) -> list[Row]:
    def is_term(one: TermFacts, field: str, value: str) -> bool:
        return {
            "term_id": one.id == value,
            "name": one.name == value,
            "synonyms": value in one.synonyms,
            "source": one.source == value,
            "subontology": one.subontology == value,
            "files_fileset": False,
        }[field]

    rows = _texts_of(graph, question, "term", ("name", "synonyms"), is_term)
    return [nodes.term(one) for one in rows]


def _texts_of(
    graph: Graph, question: Question, kind: str, texts: tuple[str, ...], is_so: Callable[[Any, str, str], bool]
) -> list[Any]:
    """Entities by exact text, else by similar text; other filters are exact in any case."""
    several = list(graph.nodes[kind].values())
    exact = [one for one in several if _fits(one, question.given, is_so)]
    others = {name: value for name, value in question.given.items() if name not in texts}

    def like(field: str, value: str) -> list[Any]:
        ids = graph.words[f"{kind} {field}"].similar(value, _CHANGES)
        return [one for one in several if one.id in ids and _fits(one, others, is_so)]

    return _by_text(question, exact, texts, like)


def _drugs(graph: Graph, question: Question) -> list[Row]:
    def is_drug(one: DrugFacts, field: str, value: str) -> bool:
        return {"drug_id": one.id, "name": one.name}[field] == value

    return [nodes.drug(one) for one in _texts_of(graph, question, "drug", ("name",), is_drug)]


def _complexes(graph: Graph, question: Question) -> list[Row]:
    """By words in any case: there is no exact search of names."""

    def is_so(one: ComplexFacts, field: str, value: str) -> bool:
        return one.id == value if field == "complex_id" else one.id in graph.words[f"complex {field}"].holding(value)

    several = graph.nodes["complex"].values()
    fits = [one for one in several if _fits(one, question.given, is_so)]
    return [nodes.protein_complex(one) for one in question.cut(fits)]


def _studies(graph: Graph, question: Question) -> list[Row]:
    def is_so(one: StudyFacts, field: str, value: str) -> bool:
        pmid = one.pmid.removeprefix("PMID:")
        return {"study_id": one.id, "pmid": pmid}.get(field) == value.removeprefix("PMID:")

    several = graph.nodes["study"].values()
    fits = [one for one in several if _fits(one, question.given, is_so)]
    return [nodes.study(one) for one in question.cut(fits)]


def _pathways(graph: Graph, question: Question) -> list[Row]:
    rows: list[PathwayFacts] = _texts_of(graph, question, "pathway", ("name", "name_aliases"), is_pathway)
    return [nodes.pathway(one) for one in rows]


def _motifs(graph: Graph, question: Question) -> list[Row]:
    def is_so(one: MotifFacts, field: str, value: str) -> bool:
        method = "HOCOMOCO" if one.source.startswith("HOCOMOCO") else "SEMpl"
        told = {"tf_name": one.tf_name, "source": one.source, "method": method}
        return told.get(field) == (value.upper() if field == "tf_name" else value)

    several = graph.nodes["motif"].values()
    fits = [one for one in several if _fits(one, question.given, is_so)]
    return [nodes.motif(one) for one in question.cut(fits)]


def _elements(graph: Graph, question: Question) -> list[Row]:
    given = {name: value for name, value in question.given.items() if name != "region"}
    several: list[ElementFacts] = _placed(graph, question, "element")
    fits = [one for one in several if _fits(one, given, is_element)]
    rows = (nodes.element(one) for one in question.cut(fits))
    return [{name: value for name, value in row.items() if name != "_id"} for row in rows]


def _datasets(graph: Graph, question: Question) -> list[Row]:
    def is_so(one: DatasetFacts, field: str, value: str) -> bool:
        plain = {"file_fileset_id": one.id, "fileset_id": one.file_set, "class": one.kind, "lab": one.lab}
        told = plain | {"method": one.method, "source": one.source}
        return value in one.samples if field == "sample_summary" else told.get(field) == value

    several = graph.nodes["dataset"].values()
    fits = [one for one in several if _fits(one, question.given, is_so)]
    return [nodes.dataset(one) for one in question.cut(fits)]


def _nearest_genes(graph: Graph, question: Question) -> list[Row]:
    """The genes over a region; where there is none, the one before and the one after."""
    span = question.region
    if span is None:
        return []
    over = graph.genes.over(span, question.organism)
    return [nodes.gene(one) for one in over or graph.genes.beside(span, question.organism)]


def _summary(graph: Graph, question: Question) -> Row:
    span = question.region
    variants = graph.variants.within(span, question.organism) if span else []
    counts = counted(edge for name in _VARIANT_EDGES for edge in graph.edges(name).of(variants))
    by_method = [{"method": method, "count": count} for method, count in sorted(counts.items())]
    return {"variant_count": len(variants), "by_method": by_method}


_BY_PATH: Mapping[str, Callable[[Graph, Question], list[Row] | Row]] = {
    "/genes": _genes,
    "/transcripts": _transcripts,
    "/proteins": _proteins,
    "/variants": _variants,
    "/variants/freq": _frequencies,
    "/coding-variants": _coding_variants,
    "/ontology-terms": _terms,
    "/drugs": _drugs,
    "/complexes": _complexes,
    "/studies": _studies,
    "/pathways": _pathways,
    "/motifs": _motifs,
    "/genomic-elements": _elements,
    "/files-filesets": _datasets,
    "/variants/nearest-genes": _nearest_genes,
    "/variants/region-summary": _summary,
}
