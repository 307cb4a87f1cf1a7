"""The Catalog's collections: by which parameters the rows of each are found, and by which fields they are ordered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from biofact.sandbox.tables import FieldFilter, Row, by, by_reference

_VERSION = re.compile(r"^(ENS\w+)\.\d+$")


@dataclass(frozen=True, slots=True)
class Collection:
    """Entities of one kind."""

    kind: str
    """As the endpoints' declarations name it."""
    filters: Mapping[str, FieldFilter]
    texts: Mapping[str, tuple[str, ...]]
    """Parameters that fall back to text search, and the fields that it looks at."""
    key: str = "_id"
    order: tuple[str, ...] = ()
    changes: int = 1
    """Characters in which a similar text may differ."""


def _accession(value: str) -> str:
    """Ensembl's IDs without their version."""
    return _VERSION.sub(r"\1", value)


def term_id(value: str) -> str:
    """``MONDO_0009861``, also of ``ontology_terms/MONDO_0009861``."""
    return value.removeprefix("ontology_terms/")


def _residue(row: Row) -> tuple[str, str]:
    return str(row["aapos"]), f"{row['aapos']}.0"


def _cross_references(row: Row) -> list[str]:
    found = row["dbxrefs"] or ()
    return [key for each in found for key in (each["id"], f"{each['name']}:{each['id']}")]


def _motif_method(row: Row) -> tuple[str]:
    return ("HOCOMOCO" if row["source"].startswith("HOCOMOCO") else "SEMpl",)


_ORGANISM = {"organism": by("organism")}
_NAME_OF_CHANGE = by("_id", "name")
_NAME_OF_VARIANT = by("_id", "hgvs", "rsid", "ca_id")

COLLECTIONS: Mapping[str, Collection] = {
    "genes": Collection(
        "gene",
        {
            **_ORGANISM,
            "gene_id": by("_id"),
            "hgnc_id": by("hgnc", canonical=lambda value: f"HGNC:{value.removeprefix('HGNC:')}"),
            "entrez": by("entrez", canonical=lambda value: f"ENTREZ:{value.removeprefix('ENTREZ:')}"),
            "name": by("name"),
            "synonym": by("synonyms"),
            "collection": by("collections"),
            "study_set": by("study_sets"),
            "gene_type": by("gene_type"),
        },
        {"name": ("name", "synonyms")},
    ),
    "transcripts": Collection(
        "transcript",
        {**_ORGANISM, "transcript_id": by("_id"), "transcript_type": by("transcript_type")},
        {},
        order=("chr",),
    ),
    "proteins": Collection(
        "protein",
        {
            **_ORGANISM,
            "protein_id": by("_id", "uniprot_ids", canonical=_accession),
            "name": by("name", canonical=str.upper),
            "uniprot_name": by("uniprot_names", canonical=str.upper),
            "uniprot_full_name": by("uniprot_full_names"),
            "dbxrefs": FieldFilter(_cross_references),
        },
        {"name": ("name",), "uniprot_name": ("uniprot_names",), "uniprot_full_name": ("uniprot_full_names",)},
        order=("chr",),  # of the gene: nothing orders those of one chromosome
        changes=3,
    ),
    "variants": Collection(
        "variant",
        {
            **_ORGANISM,
            **dict.fromkeys(("variant_id", "spdi", "hgvs", "rsid", "ca_id"), _NAME_OF_VARIANT),
            "GENCODE_category": FieldFilter(lambda row: (row["annotations"].get("GENCODE_category") or "",)),
            "mouse_strain": by("strain"),
        },
        {},
    ),
    "coding_variants": Collection(
        "coding_variant",
        {
            "id": by("_id"),
            "name": _NAME_OF_CHANGE,
            "coding_variant_name": _NAME_OF_CHANGE,
            "hgvsp": by("hgvsp"),
            "protein_id": by("protein_id"),
            "uniprot_name": by("protein_name"),
            "gene_name": by("gene_name"),
            "amino_acid_position": FieldFilter(_residue),
            "alt_amino_acid": by("alt"),
            "transcript_id": by("transcript_id"),
        },
        {},
    ),
    "ontology_terms": Collection(
        "term",
        {
            "term_id": by("term_id"),
            "name": by("name"),
            "synonyms": by("synonyms"),
            "source": by("source"),
            "subontology": by("subontology"),
            "files_fileset": by_reference("files_filesets"),
        },
        {"name": ("name",), "synonyms": ("synonyms",)},
        key="term_id",
    ),
    "drugs": Collection("drug", {"drug_id": by("_id"), "name": by("name")}, {"name": ("name",)}),
    "complexes": Collection(  # whose names are searched as text alone
        "complex", {"complex_id": by("_id")}, {"name": ("name", "alias"), "description": ("description",)}
    ),
    "studies": Collection(
        "study",
        {
            "study_id": by("_id"),
            "pmid": by("pmid", canonical=lambda value: f"PMID:{value.removeprefix('PMID:')}"),
            "files_fileset": by_reference("files_filesets"),
        },
        {},
    ),
    "pathways": Collection(
        "pathway",
        {
            **_ORGANISM,
            "id": by("_id"),
            "name": by("name"),
            "name_aliases": by("name_aliases"),
            "is_in_disease": by("is_in_disease"),
            "is_top_level_pathway": by("is_top_level_pathway"),
            "disease_ontology_terms": by_reference("disease_ontology_terms", canonical=term_id),
            "go_biological_process": by_reference("go_biological_process", canonical=term_id),
        },
        {"name": ("name",), "name_aliases": ("name_aliases",)},
    ),
    "motifs": Collection(
        "motif",
        {
            "tf_name": by("tf_name", canonical=str.upper),
            "source": by("source"),
            "method": FieldFilter(_motif_method),
            "files_fileset": by_reference("files_filesets"),
        },
        {},
        key="name",
    ),
    "genomic_elements": Collection(
        "element",
        {
            **_ORGANISM,
            "source_annotation": by("source_annotation"),
            "type": by("type"),
            "method": by("method"),
            "source": by("source"),
            "files_fileset": by_reference("files_filesets"),
        },
        {},
    ),
    "files_filesets": Collection(
        "dataset",
        {
            "file_fileset_id": by("_id"),
            "fileset_id": by("file_set_id"),
            "preferred_assay_title": by("preferred_assay_titles"),
            "donor_id": by("donors"),
            "sample_term": by("samples"),
            "sample_summary": by("simple_sample_summaries"),
            "has_genome_browser_link": by("genome_browser_link"),  # nothing is known to have one
            **{
                name: by(name)
                for name in (
                    *("lab", "method", "class", "source", "software", "crispr_modality"),
                    *("cell_annotation", "cell_annotation_term"),
                )
            },
        },
        {},
    ),
}
"""By the name that stands before an ID in a reference, as in ``genes/ENSG00000012048``."""

COLLECTION_OF: Mapping[str, str] = {one.kind: name for name, one in COLLECTIONS.items()}
"""By the kind of an entity."""

EDGE_FILTERS: Mapping[str, FieldFilter] = {
    "_from": by("_from"),
    "_to": by("_to"),
    "cell_annotation_term": by_reference("cell_annotation_term"),
    "element_id": by_reference("genomic_element"),
    "files_fileset": by_reference("files_filesets"),
    "pmid": by_reference("pmids", "pmid"),
    **{
        name: by(name)
        for name in (
            *("label", "method", "source", "class", "significant", "crispr_modality", "ancestry", "assertion"),
            *("cell_annotation", "phenotype_categories", "detection_method", "interaction_type"),
        )
    },
}
"""Of the rows that join two entities, whatever they are, in ``_from`` and ``_to``."""
