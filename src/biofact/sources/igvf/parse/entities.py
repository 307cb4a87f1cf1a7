"""Rows of entities to records. Pure.

A field that only one kind of records has is read from the row's field of the same name, by its type; ``_NAMES`` has
those that the service calls otherwise, and a kind's own function what has to be worked out.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from biofact.core.xrefs import XrefCollector
from biofact.dialects.genomic.genomes import ASSEMBLIES, Organism
from biofact.dialects.json_values import decimal, flag, nested_object, number, required_text, text, texts
from biofact.dialects.readable_rows import MissingField, ReadableRows
from biofact.sources.igvf import records
from biofact.sources.igvf.catalog import SPECIES
from biofact.sources.igvf.parse.documents import Row, chromosome, mismatches, place, position, publications, unreadable
from biofact.sources.igvf.records import Entity, EntityType
from biofact.sources.igvf.term_ids import curie, prefix, without_collection

_TITLE = "The IGVF Catalog"
_ORGANISMS: dict[str, Organism] = {species: organism for organism, species in SPECIES.items()}
_READERS: Mapping[Any, Callable[[Row, str], Any]] = {
    str | None: text,
    bool | None: flag,
    int | None: number,
    list[str]: texts,
}
_NAMES = {
    "annotation": "source_annotation",
    "author": "pub_author",
    "date": "pub_date",
    "download": "download_link",
    "element_type": "type",
    "file_set": "file_set_id",
    "full_names": "uniprot_full_names",
    "hgvs_c": "hgvsc",
    "hgvs_p": "hgvsp",
    "is_mane_select": "MANE_Select",
    "is_top_level": "is_top_level_pathway",
    "journal": "pub_journal",
    "kind": "class",
    "ontology": "source",
    "position": "aapos",
    "rsids": "rsid",
    "samples": "simple_sample_summaries",
    "strains": "strain",
    "title": "pub_title",
    "trait": "trait_reported",
}
"""The service's names of record fields."""
# By ontology; terms of ontologies with several kinds of things (EFO, NCIT) keep the class of terms.
_CATEGORIES_OF_TERMS = {
    "MONDO": "biolink:Disease",
    "Orphanet": "biolink:Disease",
    "DOID": "biolink:Disease",
    "Oncotree": "biolink:Disease",
    "HP": "biolink:PhenotypicFeature",
    "UBERON": "biolink:AnatomicalEntity",
    "CL": "biolink:Cell",
    "PCL": "biolink:Cell",
    "CLO": "biolink:CellLine",
    "CVCL": "biolink:CellLine",
    "CHEBI": "biolink:ChemicalEntity",
}
_CATEGORIES_OF_GO = {
    "biological_process": "biolink:BiologicalProcess",
    "molecular_function": "biolink:MolecularActivity",
    "cellular_component": "biolink:CellularComponent",
}


def check_fields(kind: str, row: Row, id_field: str = "") -> None:
    """Refuse the row of an entity without a field that every such row has, or by which it was found: the service calls
    it otherwise now.

    Raises:
        MissingField: the error names the field.
    """
    layout = _KINDS.get(kind)
    required_fields = (*layout.required_fields, id_field) if layout else (id_field,)
    missing_fields = [name for name in required_fields if name and name not in row]
    if missing_fields:
        words = _WORDS.get(kind, kind.replace("_", " "))
        message = f"The IGVF Catalog sent a {words} without {', '.join(map(repr, missing_fields))}."
        raise MissingField(message, missing_fields[0])


def entities(
    kind: str, rows: Iterable[Row], organism: Organism, id_field: str = "", *, is_whole: bool = True
) -> ReadableRows[Entity]:
    """The records of rows, without those that lack a field that ``check_fields`` requires.

    Raises:
        MissingField: every row of a whole list lacks one.
    """

    def read(row: Row) -> Entity:
        check_fields(kind, row, id_field)
        return entity(kind, row, organism)

    return ReadableRows.of(rows, read, is_whole=is_whole)


def entity(kind: str, row: Row, organism: Organism = "human") -> Entity:
    """The record of one row; ``organism`` is the requested one, for rows without any.

    Raises:
        MissingField: it has no ID, or no name where all of its kind have one.
    """
    layout = _KINDS[kind]
    organism = _ORGANISMS.get(text(row, "organism") or "", organism)
    words = _WORDS.get(kind, kind.replace("_", " "))
    entity_id = required_text(row, layout.id_field, f"a {words}", _TITLE)
    is_named, name_field = layout.record.model_fields["name"].is_required(), layout.name_field
    fields = {
        "id": without_collection(entity_id) if layout.id_field == "_id" else entity_id,
        "type": layout.type,
        "category": layout.category,
        "organism": None if kind in _WITHOUT_ORGANISM else organism,
        "name": required_text(row, name_field, entity_id, _TITLE) if is_named else text(row, name_field),
        "source": text(row, "source"),
        "release": text(row, "version"),
    }
    kind_values = {
        name: read_field(row, _NAMES.get(name, name)) for name, read_field in _own_fields(layout.record).items()
    }
    extra_fields = layout.extra_fields(row, organism)
    notices = [*extra_fields.pop("notices", ()), *mismatches(kind, row)]
    return layout.record(**fields | kind_values | extra_fields, notices=notices)


@functools.cache
def _own_fields(record: type[Entity]) -> dict[str, Callable[[Row, str], Any]]:
    """The readers of the fields that a kind of records has besides those of every entity."""
    fields = {name: field.annotation for name, field in record.model_fields.items() if name not in Entity.model_fields}
    return {name: _READERS[annotation] for name, annotation in fields.items() if annotation in _READERS}


def _place_fields(row: Row, organism: Organism) -> dict[str, Any]:
    return place(row, assembly=ASSEMBLIES[organism].name)


def _gene(row: Row, organism: Organism) -> dict[str, Any]:
    xref_collector = XrefCollector()
    xref_collector.add("ensembl_gene", without_collection(row["_id"]).partition("_")[0])
    xref_collector.add("entrez", (text(row, "entrez") or "").removeprefix("ENTREZ:"))
    if organism == "human":
        xref_collector.add("hgnc", text(row, "hgnc"))
    xrefs = {"cross_references": xref_collector.collected(), "notices": xref_collector.notices}
    return _place_fields(row, organism) | _synonyms(row) | xrefs


def _variant(row: Row, organism: Organism) -> dict[str, Any]:
    start, annotations = position(row, "pos"), nested_object(row, "annotations")
    return {
        "name": next(iter(texts(row, "rsid")), None),
        "chromosome": chromosome(row),
        "start": start,
        "end": None if start is None else start + max(len(text(row, "ref") or ""), 1) - 1,
        "assembly_name": ASSEMBLIES[organism].name,
        "gencode_category": text(annotations, "GENCODE_category"),
        "allele_frequencies": _decimals(annotations, [name for name in annotations if "_af" in name]),
        "allele_notation": _notation(row),
    }


def _notation(row: Row) -> Literal["SPDI", "VCF"] | None:
    """The notation of the alleles, if it makes a difference."""
    ref, alt = text(row, "ref") or "", text(row, "alt") or ""
    alleles = (text(row, "spdi") or text(row, "_id") or "").split(":")[2:]
    if len(ref) == len(alt) or not alleles:
        return None
    return "SPDI" if alleles == [ref, alt] else "VCF"


def _coding_variant(row: Row, _: Organism) -> dict[str, Any]:
    scores = _decimals(row, [name for name in row if name.endswith("_score")])
    return {"scores": {name.removesuffix("_score"): score for name, score in scores.items()}}


def _term(row: Row, _: Organism) -> dict[str, Any]:
    term_id = row["term_id"]
    go_category = _CATEGORIES_OF_GO.get(text(row, "subontology") or "")
    category = go_category or _CATEGORIES_OF_TERMS.get(prefix(term_id), _KINDS["term"].category)
    return {"id": curie(term_id), "category": category} | _synonyms(row)


def _drug(row: Row, _: Organism) -> dict[str, Any]:
    return {"ontology_terms": [curie(term) for term in texts(row, "drug_ontology_terms")]}


def _complex(row: Row, _: Organism) -> dict[str, Any]:
    assembly = row.get("complex_assembly")
    assemblies = [assembly] if isinstance(assembly, str) else texts(row, "complex_assembly")
    return {"synonyms": texts(row, "alias"), "assembly": assemblies}


def _pathway(row: Row, _: Organism) -> dict[str, Any]:
    process = text(row, "go_biological_process")
    return {
        "release": text(row, "id_version"),
        "disease_terms": [curie(term) for term in texts(row, "disease_ontology_terms")],
        "go_process": curie(process) if process else None,
    } | _synonyms(row, "name_aliases")


def _study(row: Row, _: Organism) -> dict[str, Any]:
    return {
        "trait_terms": [curie(term) for term in re.findall(r"[A-Za-z]+_\w+", text(row, "trait_efos") or "")],
        "publication": next(iter(publications(row)), None),
        "sample_size": _count(row, "n_initial"),
        "cases": _count(row, "n_cases"),
        "notices": unreadable(row),
    }


def _no_more(*_: object) -> dict[str, Any]:
    return {}


def _synonyms(row: Row, name: str = "synonyms") -> dict[str, Any]:
    return {"synonyms": [synonym for synonym in texts(row, name) if synonym != text(row, "name")]}


def _decimals(values: Row, names: list[str]) -> dict[str, float]:
    """The fields that hold a number."""
    return {name: value for name in names if (value := decimal(values, name)) is not None}


def _count(row: Row, name: str) -> int | None:
    """The number of people, which the service writes as text, sometimes as ``100.0``."""
    count = decimal(row, name)
    return None if count is None else int(count)


class _Kind(NamedTuple):
    """The reading of rows of one kind of entities."""

    record: type[Entity]
    type: EntityType
    category: str
    extra_fields: Callable[[Row, Organism], dict[str, Any]] = _no_more
    """The values that take more than one field of a row."""
    id_field: str = "_id"
    name_field: str = "name"
    required_fields: tuple[str, ...] = ()
    """Fields that the contract requires, and that match or place rows."""


_NAME = ("name",)
_PLACE = ("chr", "start", "end")
_NAMED_PLACE = ("name", *_PLACE)
_KINDS = {
    "gene": _Kind(records.GeneEntity, "gene", "biolink:Gene", _gene, required_fields=_NAMED_PLACE),
    "transcript": _Kind(
        records.TranscriptEntity, "transcript", "biolink:Transcript", _place_fields, required_fields=_NAMED_PLACE
    ),
    "protein": _Kind(records.ProteinEntity, "protein", "biolink:Protein"),
    "variant": _Kind(
        records.VariantEntity,
        "variant",
        "biolink:SequenceVariant",
        _variant,
        required_fields=("chr", "pos", "ref", "alt"),
    ),
    "coding_variant": _Kind(
        records.CodingVariantEntity, "coding_variant", "biolink:SequenceVariant", _coding_variant, required_fields=_NAME
    ),
    "term": _Kind(records.TermEntity, "ontology_term", "biolink:OntologyClass", _term, "term_id", "name", _NAME),
    "drug": _Kind(records.DrugEntity, "drug", "biolink:Drug", _drug, required_fields=_NAME),
    "complex": _Kind(
        records.ComplexEntity, "complex", "biolink:MacromolecularComplex", _complex, required_fields=_NAME
    ),
    "pathway": _Kind(records.PathwayEntity, "pathway", "biolink:Pathway", _pathway, required_fields=_NAME),
    "study": _Kind(records.StudyEntity, "study", "biolink:Study", _study),
    "motif": _Kind(
        records.MotifEntity, "motif", "biolink:NucleicAcidSequenceMotif", _no_more, "name", "tf_name", ("tf_name",)
    ),
    "dataset": _Kind(records.DatasetEntity, "dataset", "biolink:Dataset", _no_more, "_id", ""),
    "element": _Kind(
        records.ElementEntity, "regulatory_element", "biolink:RegulatoryRegion", _place_fields, "name", "", _PLACE
    ),
}
_WITHOUT_ORGANISM = frozenset({"term", "drug", "study", "dataset"})
_WORDS = {"dataset": "data set", "element": "regulatory element"}
"""The phrases for kinds in messages."""
