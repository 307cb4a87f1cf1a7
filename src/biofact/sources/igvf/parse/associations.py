"""Rows of edges to associations. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.dialects.genomic.genomes import accession_of, chromosome_name
from biofact.dialects.genomic.regions import Region
from biofact.dialects.json_values import decimal, flag, number, text, texts, within
from biofact.sources.igvf.catalog import Edge, End, Endpoint, edges
from biofact.sources.igvf.parse import mismatches
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.ends import EntityMention, entity_mention
from biofact.sources.igvf.parse.flat import is_nested, lacking_nest, unflattened
from biofact.sources.igvf.parse.places import position
from biofact.sources.igvf.parse.publications import publications, unreadable
from biofact.sources.igvf.records import FullAssociation
from biofact.sources.igvf.term_ids import curie, without_collection

_SMALLEST = 300  # -log10 of what a number can hold
_EFFECTS = ("beta", "effect_size", "log2FC")
_SCORES = ("score", "variant_effect_score")
_BENIGN = frozenset({"Benign", "Likely Benign"})  # of a variant for a disease: it does not cause it
_UNSHOWN = "biolink:related_to"  # what was tested without a significant result
_FILE = re.compile(r"^https://(?:data\.igvf\.org/[a-z-]+-files/(IGVFFI\w+)|www\.encodeproject\.org/files/(ENCFF\w+))")
_PARTS = 4  # of an SPDI: sequence, position, deleted and inserted bases
_STATEMENTS = ("assertion", "classification", "association_type", "evidence", "effect_on_binding")


@dataclass(frozen=True, slots=True)
class StartEntity:
    """The entity whose associations were requested: rows may leave it out, or give its ID alone."""

    kind: str
    id: str
    name: str | None = None
    ids: frozenset[str] = frozenset()
    """All under which rows may mention it."""
    place: Region | None = None
    """Where it lies, where that is known."""

    def row(self) -> Row:
        """As a row would hold it."""
        return {"_id": self.id, "name": self.name, "ids": self.ids or {self.id}, "place": self.place}


def associations(endpoint: Endpoint, row: Row, start: StartEntity | None = None) -> Iterator[FullAssociation]:
    """What a row says; several where it is nested, none where it lacks one of its ends.

    Raises:
        UpstreamError: it lacks both, or what is nested in it, or that lacks one: the service calls them otherwise now.
    """
    edge = edges()[endpoint.edge]
    if field := lacking_nest(endpoint.edge, row):
        raise without_ends(endpoint, field)
    for flat in unflattened(endpoint.edge, row, start.row() if start else None):
        subject, other = _end(edge.subject, flat), _end(edge.object, flat)
        if subject and other:
            yield _association(endpoint, edge, flat, (_named(subject, start), _named(other, start)))
        elif (subject is None and other is None) or (start is not None and is_nested(endpoint.edge)):
            raise without_ends(endpoint)


def without_ends(endpoint: Endpoint, field: str = "") -> UpstreamError:
    """The error that rows do not say what they join, in ``field`` or in the fields of both ends."""
    edge = edges()[endpoint.edge]
    lacking = field or " and ".join("/".join(end.fields) for end in (edge.subject, edge.object))
    message = f"The IGVF Catalog sent rows of {endpoint.path} without what they join: {lacking}."
    return UpstreamError(message, hint="Call again later, or report it.")


def _end(end: End, row: Row) -> EntityMention | None:
    return next((found for name in end.fields if (found := entity_mention(end.kind, row.get(name)))), None)


def _named(end: EntityMention, start: StartEntity | None) -> EntityMention:
    """An end with the name of the start entity, where it is that one and the row has its ID alone."""
    is_start = start is not None and end.id in (start.ids or {start.id})
    return replace(end, name=start.name) if start and is_start and end.name is None else end


def _association(
    endpoint: Endpoint, edge: Edge, row: Row, ends: tuple[EntityMention, EntityMention]
) -> FullAssociation:
    subject, other = ends
    relations = texts(row, edge.by) or [text(row, edge.by) or ""]
    is_negated = any(relation.upper().startswith("NOT") for relation in relations)
    is_benign = text(row, "assertion") in _BENIGN
    significant = flag(row, "significant")
    bare = [relation.rpartition("|")[2] for relation in relations]
    predicate = next((edge.predicates[relation] for relation in bare if relation in edge.predicates), edge.predicate)
    of_variants = [notice for end in ends if end.kind == "variant" for notice in mismatches.of_variant(end.row)]
    return FullAssociation(
        subject=subject.id,
        predicate=predicate if significant is not False else _UNSHOWN,
        object=other.id,
        subject_name=subject.name or _symbol(subject, row),
        object_name=other.name or _symbol(other, row),
        negated=is_negated or is_benign or None,
        aspect=next((edge.aspects[relation] for relation in bare if relation in edge.aspects), edge.aspect or None),
        **_numbers(row),
        **_effect(row, subject),
        statement=_statement(row),
        **_lead(row, subject),
        **_context(row),
        distance=number(row, "distance") if edge.name == "place_gene" else None,
        modality=text(row, "crispr_modality"),
        significant=significant,
        region=subject.region or other.region,
        change=text(row, "hgvsp") or text(within(row, "coding_variant"), "hgvsp"),
        gene=_gene(row, ends),
        relationship=endpoint.relationship or None,
        source=text(row, "source") or (endpoint.sources[0] if len(endpoint.sources) == 1 else None),
        method=text(row, "method"),
        label=text(row, "label"),
        dataset=_dataset(row),
        publications=publications(row),
        notices=[*mismatches.of_row(row), *of_variants, *unreadable(row)],
    )


def _numbers(row: Row) -> dict[str, Any]:
    logarithm = decimal(row, "neg_log10_pvalue")
    p = decimal(row, "p_value") or None
    p = p if p is None or 0 < p <= 1 else None
    if logarithm is not None and logarithm >= 0:
        p = float(f"{10**-logarithm:.4g}") if logarithm <= _SMALLEST else None
    numbers = {
        "p_value": p,
        "neg_log10_p_value": logarithm if p is None and (logarithm or 0) > 0 else None,
        "z_score": decimal(row, "z_score"),
        "score": next((value for name in _SCORES if (value := decimal(row, name)) is not None), None),
        "r2": decimal(row, "r2"),
        "d_prime": decimal(row, "d_prime"),
    }
    return {name: value for name, value in numbers.items() if value is not None} | {"ancestry": text(row, "ancestry")}


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
    at, chromosome = position(row, "lead_pos"), text(row, "lead_chrom")
    study = row.get("study")
    study_id = text(study, "_id") if isinstance(study, dict) else text(row, "study")
    found: dict[str, Any] = {"study": without_collection(study_id) if study_id else None}
    if at is None or chromosome is None:
        return found
    ref, alt = text(row, "lead_ref") or "", text(row, "lead_alt") or ""
    known = chromosome_name(chromosome, "human")
    if known is None or (number(subject.row, "pos"), subject.row.get("ref"), subject.row.get("alt")) == (
        at - 1,
        ref,
        alt,
    ):
        return found
    lead = f"{accession_of(known, 'human')}:{at - 1}:{ref}:{alt}"
    return found | {"lead_variant": lead if lead != subject.id else None}


def _context(row: Row) -> dict[str, Any]:
    biosample = row.get("biosample") if isinstance(row.get("biosample"), dict) else row.get("biosample_term")
    found = entity_mention("term", biosample)
    name = text(row, "biological_context") or (found.name if found else None)
    cell = text(row, "cell_annotation_term")
    return {
        "context": name,
        "context_id": found.id if found and found.id != name else None,
        "cell_annotation": text(row, "cell_annotation"),
        "cell_annotation_id": curie(cell) if cell else None,
    }


def _statement(row: Row) -> str | None:
    statements = [text(row, name) for name in _STATEMENTS] + [", ".join(texts(row, "phenotype_categories"))]
    return next(filter(None, statements), None)


def _dataset(row: Row) -> str | None:
    """Its ID, which rows tell as such or in the address of their file, or in both (recorded 2026)."""
    file = _FILE.search(text(row, "source_url") or "")
    return without_collection(text(row, "files_filesets") or "") or (file[1] or file[2] if file else None)


def _symbol(end: EntityMention, row: Row) -> str | None:
    """What the row calls an end that stands in it by its ID alone."""
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
    of_change = text(within(row, "coding_variant"), "gene_name")
    symbol = text(row, "gene_name") or text(row, "gene_symbol") or of_change
    return symbol or ", ".join(texts(row, "gene_symbol")) or None
