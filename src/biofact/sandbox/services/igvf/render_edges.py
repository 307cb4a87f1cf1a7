"""Edges as the Catalog writes them: each endpoint's rows."""

from collections.abc import Callable, Mapping
from typing import Any

from biofact.sandbox.services.igvf import render_nodes as nodes
from biofact.sandbox.services.igvf.asking import Question, Row
from biofact.sandbox.services.igvf.facts import EdgeFacts
from biofact.sandbox.services.igvf.graph import COLLECTIONS, Graph
from biofact.sandbox.services.igvf.shapes import NAMES, SHAPES, SPECIAL_NAMES, VERBOSE, End, Render, Shape
from biofact.sources.igvf.catalog import SPECIES

_REFERENCES = {
    "biosample_term": "ontology_terms",
    "cell_annotation_term": "ontology_terms",
    "files_filesets": "files_filesets",
    "gene_id": "genes",
    "study": "studies",
}
"""Fields that hold a reference, and into which collection."""
_TEXTS = {"intron_start", "intron_end"}
_KEYED = {"gene_gene", "protein_protein"}
_LISTS = {"pmids", "interaction_type", "interaction_type_code"}


def _fewer(row: Row, names: str) -> Row:
    return {name: row[name] for name in names.split()}


def _phenotype(one: Any) -> Row:
    return {"phenotype_id": one.id, "phenotype_name": one.name}


_RENDER: Mapping[Render, tuple[str, Callable[[Any], Row]]] = {
    "gene": ("gene", nodes.gene),
    "bare gene": ("gene", lambda one: {k: v for k, v in nodes.gene(one).items() if k != "synonyms"}),
    "short gene": ("gene", lambda one: _fewer(nodes.gene(one), "_id name chr start end")),
    "variant": ("variant", nodes.variant),
    "simple variant": ("variant", nodes.simple_variant),
    "nameless variant": ("variant", nodes.nameless_variant),
    "transcript": ("transcript", nodes.transcript),
    "protein": ("protein", nodes.protein),
    "bare protein": ("protein", nodes.bare_protein),
    "term": ("term", nodes.term),
    "phenotype": ("term", _phenotype),
    "drug": ("drug", nodes.drug),
    "complex": ("complex", nodes.protein_complex),
    "pathway": ("pathway", nodes.pathway),
    "motif": ("motif", nodes.motif),
    "biosample element": ("element", lambda one: {k: v for k, v in nodes.element(one).items() if k != "_id"}),
    "short element": ("element", lambda one: _fewer(nodes.element(one), "_id type chr start end name")),
    "tested element": (
        "element",
        lambda one: _fewer(nodes.element(one), "_id name chr start end type source source_url"),
    ),
    "whole element": (
        "element",
        lambda one: _fewer(nodes.element(one), "_id name chr start end type source_annotation source source_url"),
    ),
}


def joined(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A row of two ends and what is said of them, as most edges have it."""
    shape, path = SHAPES[edge.edge], question.endpoint.path
    is_whole = edge.edge == "variant_element"
    ends = {
        end.field: written_end(graph, end, uid, is_whole=is_whole or _is_whole(question, end.field))
        for end, uid in ((shape.subject, edge.subject), (shape.object, edge.object))
    }
    fields = fields_of(shape, path, edge)
    key = {"_id": f"{edge.subject}_{edge.object}_{fields['source']}"} if edge.edge in _KEYED else {}
    return {**key, **ends, **fields}


def _is_whole(question: Question, field: str) -> bool:
    whole = VERBOSE.get(question.endpoint.path)
    return question.is_verbose and (whole is None or field in whole)


def written_end(graph: Graph, end: End, uid: str, *, is_whole: bool) -> Any:
    """An end whole or as a reference; what is not known here is a reference in any case."""
    kind, render = _RENDER[end.render]
    node = graph.nodes[kind].get(uid)
    if not is_whole or node is None:
        return nodes.reference(COLLECTIONS[kind], uid)
    return [render(node)] if end.is_listed else render(node)


def whole(graph: Graph, how: Render, uid: str) -> Row | None:
    """An entity written whole; None where it is not known."""
    kind, render = _RENDER[how]
    node = graph.nodes[kind].get(uid)
    return None if node is None else render(node)


def fields_of(shape: Shape, path: str, edge: EdgeFacts) -> Row:
    """What a row says of its two ends, field by field."""
    told = {**shape.usual, **edge.fields}
    told.setdefault("source_url", nodes.source_url(str(told.get("source", ""))))
    told["name"] = relation(path, str(told.get("label", "")))
    found: Row = {}
    for name in shape.fields.split():
        plain = name.rstrip("!~")
        value = _value(plain, told.get(plain))
        if value is None and name.endswith("!"):
            value = [] if plain in _LISTS else ""
        if value is not None or not name.endswith("~"):
            found[plain] = value
    return found


def _value(name: str, value: Any) -> Any:
    if value is None or value == "":
        return None
    if name in _REFERENCES:
        return nodes.reference(_REFERENCES[name], str(value))
    if name in _TEXTS:
        return str(value)
    if name in _LISTS:
        return [value] if isinstance(value, str) else list(value)
    return value


def relation(path: str, by: str) -> str:
    """The relation in words, in the direction of an endpoint."""
    return SPECIAL_NAMES.get((path, by)) or NAMES.get(path, "")


def _of_protein(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A variant and a protein, or a complex."""
    shape = SHAPES["variant_protein"]
    is_complex = edge.object in graph.nodes["complex"]
    other = End("protein_complex", "complex") if is_complex else shape.object
    fields = fields_of(shape, question.endpoint.path, edge)
    term = fields["biosample_term"]
    if question.is_verbose and term:
        fields["biosample_term"] = whole(graph, "term", term.removeprefix("ontology_terms/")) or term
    return {
        "sequence_variant": written_end(graph, shape.subject, edge.subject, is_whole=question.is_verbose),
        "protein_complex": written_end(graph, other, edge.object, is_whole=question.is_verbose),
        **fields,
        "is_complex": is_complex,
    }


def _of_motif(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A protein or complex and its motif; from motifs, verbose rows name the edge where the motif should be."""
    shape = SHAPES["protein_motif"]
    subject = End("complex", "complex") if edge.subject in graph.nodes["complex"] else shape.subject
    path = question.endpoint.path
    target = written_end(graph, shape.object, edge.object, is_whole=_is_whole(question, "motif"))
    if question.is_verbose and path == "/motifs/proteins":
        target = f"{edge.object}_{edge.subject}"
    return {
        subject.field: written_end(graph, subject, edge.subject, is_whole=_is_whole(question, subject.field)),
        "motif": target,
        **fields_of(shape, path, edge),
    }


def _of_drug(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A variant and a drug: the end that was asked for is a bare reference under the name of the store."""
    told = edge.fields
    is_from_drug = question.endpoint.path == "/drugs/variants"
    subject, target = End("sequence_variant", "variant"), End("drug", "drug")
    ends = (
        {
            "sequence_variant": written_end(graph, subject, edge.subject, is_whole=question.is_verbose),
            "_to": nodes.reference("drugs", edge.object),
        }
        if is_from_drug
        else {
            "drug": written_end(graph, target, edge.object, is_whole=question.is_verbose),
            "_from": nodes.reference("variants", edge.subject),
        }
    )
    lists = ("gene_symbol", "study_parameters", "phenotype_categories")
    return {
        **ends,
        **{name: list(told[name]) for name in lists if name in told},
        **({"pmid": str(told["pmid"])} if "pmid" in told else {}),
        "source": "pharmGKB",
        "source_url": told.get("source_url", nodes.source_url("pharmGKB")),
        "name": relation(question.endpoint.path, ""),
        "class": told.get("class"),
        "method": told.get("method"),
        "files_filesets": None,
    }


def _of_biosample(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A variant and a biosample, with the element that the variant was tested in, where it was."""
    element = edge.fields.get("genomic_element")
    target = End("genomic_element", "whole element")
    uid = str(element or "").removeprefix("genomic_elements/")
    return {
        **joined(graph, question, edge),
        "genomic_element": written_end(graph, target, uid, is_whole=question.is_verbose) if uid else None,
    }


def _of_product(graph: Graph, question: Question, edge: EdgeFacts) -> Row:
    """A gene product and a term of GO; the term's name is in lower case."""
    told, term, protein = edge.fields, graph.term(edge.object), graph.protein(edge.subject)
    symbol = protein.name if protein else edge.subject
    qualifier = told.get("qualifier", "involved_in")
    return {
        "gene_product_id": nodes.reference("proteins", edge.subject),
        "gene_product_name": symbol,
        "go_term_name": (term.name if term else edge.object).lower(),
        "source": "Gene Ontology",
        "gene_product_type": told.get("gene_product_type", "protein"),
        "gene_product_symbol": symbol,
        "qualifier": [qualifier] if isinstance(qualifier, str) else list(qualifier),
        "organism": SPECIES[protein.organism if protein else "human"],
        "evidence": told.get("evidence", "IEA"),
        "go_id": edge.object.replace("_", ":", 1),
        "name": relation(question.endpoint.path, term.subontology if term else "biological_process"),
    }


def _of_regulator(graph: Graph, _: Question, edge: EdgeFacts) -> Row:
    """A regulator and a gene: both by symbol; the place is that of the regulator's promoter."""
    told = {"method": "CRISPR screen", "class": "observed data", "source": "IGVF", **edge.fields}
    regulator, response = graph.gene(edge.subject), graph.gene(edge.object)
    nulls = (
        "crispr_modality log2FC neg_log10_pvalue neg_log10_pvalue_adj significant perturbation_efficiency_log2FC"
        " perturbation_efficiency_neg_log10_pvalue perturbation_efficiency_neg_log10_pvalue_adj"
        " perturbation_efficiency_significant"
    )
    first = 0 if regulator is None else (regulator.end if regulator.strand == "-" else regulator.start - 1)
    return {
        "response_gene": response.symbol if response else edge.object,
        "genomic_element": {
            "chr": nodes.chromosome(regulator.chromosome) if regulator else "",
            "start": told.get("element_start", max(first - 250, 0)),
            "end": told.get("element_end", first + 250),
            "regulator_gene": regulator.symbol if regulator else edge.subject,
        },
        **{name: told[name] for name in ("class", "method", "source")},
        "biological_context": told.get("biological_context", ""),
        "files_filesets": nodes.reference("files_filesets", str(told.get("files_filesets", ""))),
        **{name: told.get(name) for name in nulls.split()},
    }


RENDER: Mapping[str, Callable[[Graph, Question, EdgeFacts], Row]] = {
    "variant_biosample": _of_biosample,
    "variant_protein": _of_protein,
    "protein_motif": _of_motif,
    "variant_drug": _of_drug,
    "product_function": _of_product,
    "regulator_gene": _of_regulator,
}
"""By edge; all others are ``joined``."""
