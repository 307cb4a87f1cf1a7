"""Rows of edges to associations. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from biofact.dialects.genomic.genomes import accession_of, chromosome_name
from biofact.dialects.genomic.regions import Region
from biofact.dialects.json_values import decimal, flag, nested_object, number, objects, text, texts
from biofact.dialects.readable_rows import MissingField
from biofact.sources.igvf.catalog import Edge, End, Endpoint, edges
from biofact.sources.igvf.identifiers.forms import place_in_name
from biofact.sources.igvf.parse.documents import Row, mismatches, position, publications, region, unreadable
from biofact.sources.igvf.records import FullAssociation
from biofact.sources.igvf.term_ids import curie, without_collection


@dataclass(frozen=True, slots=True)
class StartEntity:
    """The entity whose associations were requested: rows may leave it out, or give its ID alone."""

    kind: str
    id: str
    name: str | None = None
    ids: frozenset[str] = frozenset()
    """The IDs by which rows may mention it."""
    place: Region | None = None
    """The place of the entity; None if it is not known."""

    def row(self) -> Row:
        """As a row would hold it."""
        return {"_id": self.id, "name": self.name, "ids": self.ids or {self.id}, "place": self.place}


_NESTS = {"gene_coding_variant": "variants", "related": "related", "predicted_variant_gene": "genes"}
"""The field of a row that holds its associations, by edge."""
_ENTRY_FIELDS = {"gene_coding_variant": ("variant", "scores")}
"""The fields that every entry of a nested row has, by the contract."""
_CHANGE_FIELDS = ("protein_id", "protein_name", "transcript_id", "hgvsp", "aapos")


def _missing_nest(edge: str, row: Row) -> str | None:
    """The field of a row's associations, or of a part of them, that the row lacks; None if it lacks none."""
    nest = _NESTS.get(edge)
    if nest is None:
        return None
    if nest not in row:
        return nest
    missing_fields = (name for name in _ENTRY_FIELDS.get(edge, ()) for entry in objects(row, nest) if name not in entry)
    return next((f"{nest}.{name}" for name in missing_fields), None)


def _regulator_gene(row: Row, start: Any) -> Iterator[Row]:
    """Genes come by symbol or by ID: the contract says text, and no answer is recorded."""
    ends = {
        "regulator_gene": nested_object(row, "genomic_element").get("regulator_gene"),
        "response_gene": row.get("response_gene"),
    }
    name = start.get("name") if start else None
    yield {**row, **{end: start if name and gene == name else gene for end, gene in ends.items()}}


def _gene_coding_variant(row: Row, start: Any) -> Iterator[Row]:
    change = nested_object(row, "protein_change")
    names = {name: change.get(name) for name in _CHANGE_FIELDS}
    for entry in objects(row, "variants"):
        for score in objects(entry, "scores"):
            yield {**names, **score, "variant": entry.get("variant"), "gene": start}


def _variant_variant(row: Row, start: Any) -> Iterator[Row]:
    """The start entity is the subject, whichever place of the pair it has."""
    first, second = (
        {"_id": row.get(f"{end}_spdi"), "rsid": row.get(f"{end}_rsid")} for end in ("variant_1", "variant_2")
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
    """The links of a variant, gene or protein, one row for each source."""
    first = row.get("sequence_variant") or row.get("protein") or row.get("gene") or start
    for other in objects(row, "related"):
        second = other.get("gene") or other.get("protein") or other
        for source in objects(other, "sources") or [{}]:
            yield {**source, "first": first, "second": second}


def _counted_genes(row: Row, start: Any) -> Iterator[Row]:
    for gene in objects(row, "genes"):
        yield {"sequence_variant": start, "gene": gene, "name": row.get("name")}


def _place_gene(row: Row, start: Any) -> Iterator[Row]:
    """A gene near the start entity; one of another chromosome is near to nothing there."""
    place, gene = start.get("place") if start else None, region(row)
    gene_region = Region.from_inclusive(gene) if gene else None
    is_near = place is not None and gene_region is not None and place.chromosome == gene_region.chromosome
    distance = (
        max(0, gene_region.start - place.end, place.start - gene_region.end)
        if is_near and place and gene_region
        else None
    )
    near_gene = row if is_near or place is None else None
    yield {"place": start, "gene": near_gene, "distance": distance, "source": row.get("source")}


_BY_EDGE: dict[str, Callable[[Row, Any], Iterable[Row]]] = {
    "regulator_gene": _regulator_gene,
    "gene_coding_variant": _gene_coding_variant,
    "variant_coding_variant": lambda row, start: [{**row, "sequence_variant": start, "coding_variant": row}],
    "coding_variant_variant": lambda row, start: [{"variant": row, "coding_variant": start}],
    "variant_variant": _variant_variant,
    "variant_protein": _variant_protein,
    "related": _related,
    "place_gene": _place_gene,
    "summarised_variant_gene": lambda row, start: [{**row, "sequence_variant": start, "label": row.get("qtl_type")}],
    "predicted_variant_gene": _counted_genes,
}
"""The associations of a row, each with both ends, by edge; ``start`` is the end that rows may leave out."""
_MOVED_FIELDS: dict[str, dict[str, str | dict[str, str]]] = {
    "predicted_element_gene": {
        "element": {name: name for name in ("id", "element_chr", "element_start", "element_end")},
        "biological_context": "cell_type",
        "method": "model",
    },
    "variant_phenotype": {"phenotype": {"phenotype_id": "phenotype_id", "name": "phenotype_term"}},
    "product_function": {
        "gene_product": {"_id": "gene_product_id", "name": "gene_product_symbol"},
        "go": {"id": "go_id", "name": "go_term_name"},
    },
    "scored_variant_transcript": {
        "transcript": {"_id": "transcript_id", "gene_name": "gene_name"},
        "method": "dataType",
        "source_url": "portalLink",
    },
}
"""Fields of associations, and of entities at their ends, by the names that rows of an edge have for them."""


def _flat_rows(edge: str, row: Row, start: StartEntity | None) -> Iterable[Row]:
    if complete := _BY_EDGE.get(edge):
        return complete(row, start.row() if start else None)
    moved = {
        name: row.get(field) if isinstance(field, str) else {key: row.get(other) for key, other in field.items()}
        for name, field in _MOVED_FIELDS.get(edge, {}).items()
    }
    return [row | moved]


_KINDS_NAMED_BY_ID = frozenset({"element", "motif"})
_PROTEIN_SUFFIX = re.compile(r"_(?:ENS(?:MUS)?P\d{11}|CPX-\d+)$")  # behind motifs in /motifs/proteins (recorded 2026)
_IDS = ("_id", "term_id", "phenotype_id", "spdi", "id", "gene_id")


@dataclass(frozen=True, slots=True)
class EntityMention:
    """An entity as a row mentions it."""

    kind: str
    id: str
    """In our spelling."""
    name: str | None = None
    region: str | None = None
    """The place of an element."""
    row: Row = field(default_factory=dict)
    """The whole entity, if the row has it."""


def entity_mention(kind: str, value: Any) -> EntityMention | None:
    """The entity at one end of a row; None if there is none."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, str) and value:
        canonical_id = _canonical_id(kind, value)
        place = place_in_name(canonical_id) if kind == "element" else None  # an element may be called after its place
        return EntityMention(kind, canonical_id, region=str(place) if place else None)
    if not isinstance(value, dict):
        return None
    ids = (*_IDS, "name") if kind in _KINDS_NAMED_BY_ID else _IDS
    entity_id = _first_text(value, ids)
    if entity_id is None:
        return None
    element_region = region(value) if kind == "element" else None
    return EntityMention(kind, _canonical_id(kind, entity_id), _name(kind, value), element_region, value)


def _canonical_id(kind: str, upstream_id: str) -> str:
    if kind == "motif":
        return _PROTEIN_SUFFIX.sub("", without_collection(upstream_id))
    return curie(upstream_id) if kind == "term" else without_collection(upstream_id)


def _name(kind: str, value: Row) -> str | None:
    if kind == "variant":
        return _rsid(value)
    if kind == "element":
        return None  # it is called by its ID
    if kind == "motif":
        return text(value, "tf_name")  # its name is its ID
    names = ("name", "gene_name") if kind in {"gene", "entity"} else ("name", "phenotype_name")
    return _first_text(value, names) or (_rsid(value) if kind == "entity" else None)


def _rsid(value: Row) -> str | None:
    rsids = [*texts(value, "rsid"), text(value, "rsid") or ""]
    return next((rsid for rsid in rsids if rsid.startswith("rs")), None)


def _first_text(row: Row, names: Sequence[str]) -> str | None:
    return next((value for name in names if (value := text(row, name))), None)


_SMALLEST = 300  # -log10 of what a number can hold
_EFFECTS = ("beta", "effect_size", "log2FC")
_SCORES = ("score", "variant_effect_score")
_BENIGN = frozenset({"Benign", "Likely Benign"})  # of a variant for a disease: it does not cause it
_NOT_SIGNIFICANT = "biolink:related_to"  # for tests without a significant result
_FILE = re.compile(r"^https://(?:data\.igvf\.org/[a-z-]+-files/(IGVFFI\w+)|www\.encodeproject\.org/files/(ENCFF\w+))")
_PARTS = 4  # of an SPDI: sequence, position, deleted and inserted bases
_STATEMENTS = ("assertion", "classification", "association_type", "evidence", "effect_on_binding")


def associations(endpoint: Endpoint, row: Row, start: StartEntity | None = None) -> Iterator[FullAssociation]:
    """The associations of a row; several if it is nested, none if it lacks one of its ends.

    Raises:
        MissingField: it lacks both, or what is nested in it, or that lacks one: the service calls them otherwise now.
    """
    edge = edges()[endpoint.edge]
    if field := _missing_nest(endpoint.edge, row):
        raise without_ends(endpoint, field)
    for flat in _flat_rows(endpoint.edge, row, start):
        subject, other = _end(edge.subject, flat), _end(edge.object, flat)
        if subject and other:
            yield _association(endpoint, edge, flat, (_with_start_name(subject, start), _with_start_name(other, start)))
        # A nested row may lack the start entity alone, so that an entry without an end has lost the other one.
        elif (subject is None and other is None) or (start is not None and endpoint.edge in _NESTS):
            raise without_ends(endpoint)


def without_ends(endpoint: Endpoint, field: str = "") -> MissingField:
    """The error that rows lack ``field``, or the fields of both ends."""
    edge = edges()[endpoint.edge]
    missing_fields = field or " and ".join("/".join(end.fields) for end in (edge.subject, edge.object))
    message = f"The IGVF Catalog sent rows of {endpoint.path} without what they join: {missing_fields}."
    return MissingField(message, missing_fields)


def _end(end: End, row: Row) -> EntityMention | None:
    return next(
        (mention for name in end.fields if (mention := entity_mention(end.kind, row.get(name)))),
        None,
    )


def _with_start_name(end: EntityMention, start: StartEntity | None) -> EntityMention:
    """An end with the name of the start entity, if it is that entity and the row has its ID alone."""
    is_start = start is not None and end.id in (start.ids or {start.id})
    return replace(end, name=start.name) if start and is_start and end.name is None else end


def _association(
    endpoint: Endpoint, edge: Edge, row: Row, ends: tuple[EntityMention, EntityMention]
) -> FullAssociation:
    subject, other = ends
    relations = texts(row, edge.relation_field) or [text(row, edge.relation_field) or ""]
    is_negated = any(relation.upper().startswith("NOT") for relation in relations)
    is_benign = text(row, "assertion") in _BENIGN
    significant = flag(row, "significant")
    relation_names = [relation.rpartition("|")[2] for relation in relations]
    predicate = next(
        (edge.predicates[relation] for relation in relation_names if relation in edge.predicates), edge.predicate
    )
    variant_notices = [notice for end in ends if end.kind == "variant" for notice in mismatches("variant", end.row)]
    return FullAssociation(
        subject=subject.id,
        predicate=predicate if significant is not False else _NOT_SIGNIFICANT,
        object=other.id,
        subject_name=subject.name or _symbol(subject, row),
        object_name=other.name or _symbol(other, row),
        negated=is_negated or is_benign or None,
        aspect=next(
            (edge.aspects[relation] for relation in relation_names if relation in edge.aspects), edge.aspect or None
        ),
        **_numbers(row),
        **_effect(row, subject),
        statement=_statement(row),
        **_lead(row, subject),
        **_context(row),
        distance=number(row, "distance") if edge.name == "place_gene" else None,
        modality=text(row, "crispr_modality"),
        significant=significant,
        region=subject.region or other.region,
        change=text(row, "hgvsp") or text(nested_object(row, "coding_variant"), "hgvsp"),
        gene=_gene(row, ends),
        relationship=endpoint.relationship or None,
        source=text(row, "source") or (endpoint.sources[0] if len(endpoint.sources) == 1 else None),
        method=text(row, "method"),
        label=text(row, "label"),
        dataset=_dataset(row),
        publications=publications(row),
        notices=[*mismatches("association", row), *variant_notices, *unreadable(row)],
    )


def _numbers(row: Row) -> dict[str, Any]:
    logarithm = decimal(row, "neg_log10_pvalue")
    p = decimal(row, "p_value") or None
    p = p if p is None or 0 < p <= 1 else None
    if logarithm is not None and logarithm >= 0:
        p = float(f"{10**-logarithm:.4g}") if logarithm <= _SMALLEST else None
    return {
        "p_value": p,
        "neg_log10_p_value": logarithm if p is None and (logarithm or 0) > 0 else None,
        "z_score": decimal(row, "z_score"),
        "score": next((value for name in _SCORES if (value := decimal(row, name)) is not None), None),
        "r2": decimal(row, "r2"),
        "d_prime": decimal(row, "d_prime"),
        "ancestry": text(row, "ancestry"),
    }


def _effect(row: Row, subject: EntityMention) -> dict[str, Any]:
    """The effect, and the allele that has it: a variant's alternate one; of a study's the lead's."""
    name = next((name for name in _EFFECTS if decimal(row, name) is not None), None)
    if name is None or _is_placeholder(row, name):
        return {}
    spdi = subject.id.split(":") if subject.kind == "variant" else []
    allele = text(row, "lead_alt") or (spdi[3] if len(spdi) == _PARTS else "")
    notation = None if len(allele) <= 1 else "VCF" if text(row, "lead_alt") else "SPDI"
    effect = {"effect": decimal(row, name), "effect_type": name, "effect_allele": allele or None}
    return effect | {"effect_allele_notation": notation}


def _is_placeholder(row: Row, name: str) -> bool:
    """Whether an effect is none: studies without one have zeros, and no direction (recorded 2023)."""
    return name == "beta" and decimal(row, name) == 0 and not text(row, "direction") and "direction" in row


def _lead(row: Row, subject: EntityMention) -> dict[str, Any]:
    lead_position, chromosome = position(row, "lead_pos"), text(row, "lead_chrom")
    study_id = text(nested_object(row, "study"), "_id") or text(row, "study")
    values: dict[str, Any] = {"study": without_collection(study_id) if study_id else None}
    if lead_position is None or chromosome is None:
        return values
    ref, alt = text(row, "lead_ref") or "", text(row, "lead_alt") or ""
    chromosome_number = chromosome_name(chromosome, "human")
    if chromosome_number is None or (number(subject.row, "pos"), subject.row.get("ref"), subject.row.get("alt")) == (
        lead_position - 1,
        ref,
        alt,
    ):
        return values
    lead = f"{accession_of(chromosome_number, 'human')}:{lead_position - 1}:{ref}:{alt}"
    return values | {"lead_variant": lead if lead != subject.id else None}


def _context(row: Row) -> dict[str, Any]:
    biosample = row.get("biosample") if isinstance(row.get("biosample"), dict) else row.get("biosample_term")
    mention = entity_mention("term", biosample)
    name = text(row, "biological_context") or (mention.name if mention else None)
    cell = text(row, "cell_annotation_term")
    return {
        "context": name,
        "context_id": mention.id if mention and mention.id != name else None,
        "cell_annotation": text(row, "cell_annotation"),
        "cell_annotation_id": curie(cell) if cell else None,
    }


def _statement(row: Row) -> str | None:
    statements = [text(row, name) for name in _STATEMENTS] + [", ".join(texts(row, "phenotype_categories"))]
    return next(filter(None, statements), None)


def _dataset(row: Row) -> str | None:
    """The ID of the data set, which rows have in a field or in the address of their file, or both (recorded 2026)."""
    file = _FILE.search(text(row, "source_url") or "")
    return without_collection(text(row, "files_filesets") or "") or (file[1] or file[2] if file else None)


def _symbol(end: EntityMention, row: Row) -> str | None:
    """The row's name for an end that it holds by ID alone."""
    match end.kind:
        case "gene":
            return text(row, "gene_symbol") or text(row, "gene_name")
        case "term":
            return text(row, "term_name") or text(row, "phenotype_name")
        case _:
            return None


def _gene(row: Row, ends: tuple[EntityMention, EntityMention]) -> str | None:
    if any(end.kind == "gene" for end in ends):
        return None
    change_gene = text(nested_object(row, "coding_variant"), "gene_name")
    symbol = text(row, "gene_name") or text(row, "gene_symbol") or change_gene
    return symbol or ", ".join(texts(row, "gene_symbol")) or None
