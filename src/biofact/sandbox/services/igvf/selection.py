"""Which entities the parameters of a request stand for: exactly, or, where nothing fits, by text search."""

from collections.abc import Iterable, Mapping

from biofact.sandbox.services.igvf.collections import COLLECTION_OF, COLLECTIONS, term_id
from biofact.sandbox.services.igvf.fuzzy import alike
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.requests import USUAL_ROWS, CatalogRequest
from biofact.sandbox.tables import Row

References = set[str]

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
    "variants": {name: name for name in ("variant_id", "spdi", "hgvs", "rsid", "ca_id")},
    "genomic_elements": {"source_annotation": "source_annotation", "region_type": "type"},
    "transcripts": {"transcript_type": "transcript_type"},
    "proteins": {
        "protein_name": "name",
        "uniprot_name": "uniprot_name",
        "uniprot_full_name": "uniprot_full_name",
        "dbxrefs": "dbxrefs",
    },
    "ontology_terms": {},
    "drugs": {"drug_name": "name"},
    "complexes": {"complex_name": "name", "description": "description"},
    "pathways": {
        "pathway_name": "name",
        "name_aliases": "name_aliases",
        "disease_ontology_terms": "disease_ontology_terms",
        "go_biological_process": "go_biological_process",
    },
    "motifs": {"tf_name": "tf_name"},
    "coding_variants": {
        name: name
        for name in (
            *("coding_variant_name", "hgvsp", "protein_id", "uniprot_name", "gene_name", "amino_acid_position"),
            *("alt_amino_acid", "transcript_id"),
        )
    },
}
"""Their other parameters, and what the collection calls them."""
_TERM_NAMES = ("phenotype_name", "disease_name", "biosample_name")
_PATHS = {"variants": "/variants", "genomic_elements": "/genomic-elements", "transcripts": "/"}
"""The region of an endpoint lies on what its path begins with; for the other end it says nothing."""


def selected(graph: Graph, kind: str, request: CatalogRequest, prefix: str = "") -> References | None:
    """The entities of one kind that a request names; None where it names none.

    ``prefix`` stands in front of the parameters, such as ``regulator_``.
    """
    collection = COLLECTION_OF[kind]
    ids, parameters = _IDS.get(collection, ()), _PARAMETERS[collection]
    found: list[References] = []
    for name in (*ids, *parameters, *(_TERM_NAMES if kind == "term" else ())):
        value = request.filters.get(f"{prefix}{name}")
        if value is None:
            continue
        if name in ids:
            found.append(_by_id(graph, collection, value, request))
        elif name in parameters:
            found.append(_by_parameter(graph, collection, parameters[name], value, request))
        else:
            found.append(_by_term_name(graph, value))
    region = request.region
    if region is not None and request.path.startswith(_PATHS.get(collection, "-")):
        found.append(_references(collection, graph.places[collection].over(region)))
    return set.intersection(*found) if found else None


def _by_id(graph: Graph, collection: str, value: str, request: CatalogRequest) -> References:
    """What has this ID, or an ID that is not known; nothing where another organism has it."""
    uid = term_id(value) if collection == "ontology_terms" else value
    known = graph.tables[collection].by_key.get(uid)
    if known is not None and known.get("organism", request.organism) != request.organism:
        return set()
    if known is None and collection == "proteins":  # by an accession, or with a version
        rows = graph.tables[collection].select({"protein_id": uid, "organism": request.organism})
        return _references(collection, rows) or {f"{collection}/{uid}"}
    return {f"{collection}/{uid}"}


def _by_parameter(graph: Graph, collection: str, name: str, value: str, request: CatalogRequest) -> References:
    """What fits exactly; where nothing does and the parameter is searched as text, what is similar."""
    table, declared = graph.tables[collection], COLLECTIONS[collection]
    organism = {"organism": request.organism} if "organism" in declared.filters else {}
    rows = table.select({name: value, **organism}) if name in declared.filters else []
    if not rows and name in declared.texts:
        near = graph.similar(collection, name, value)
        rows = [row for row in table.select(organism) if row[declared.key] in near]
    most = USUAL_ROWS if (collection, name) == ("genes", "name") else len(rows)
    return _references(collection, rows[:most])


def _by_term_name(graph: Graph, value: str) -> References:
    """Terms with this name; where there is none, those with a similar one."""
    table = graph.tables["ontology_terms"]
    names = {row["name"]: None for row in table.rows}
    fits = [value] if value in names else alike(value, list(names))
    return _references("ontology_terms", table.rows_at(table.positions("name", fits)))


def _references(collection: str, rows: Iterable[Row]) -> References:
    key = COLLECTIONS[collection].key
    return {f"{collection}/{row[key]}" for row in rows}
